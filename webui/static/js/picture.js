// What to do now as a picture: who sits where and whose turn it is, and the dice that are waited for.

import { die } from "./die.js";
import { h, s } from "./dom.js";

// The seats round the table; the one that acts is filled, this phone's own has a ring.
function round({ seats, prompt }, you) {
  const one = (name, seat) => {
    // The own seat is nearest to the one who looks.
    const turn = ((seat - (you.seat ?? 0)) / seats.length) * 2 * Math.PI;
    const at = { cx: 50 - 36 * Math.sin(turn), cy: 50 + 36 * Math.cos(turn) };
    const acts = seat === prompt.seat;
    const kind = `chair ${acts ? "acts" : ""} ${seat === you.seat ? "own" : ""}`;
    const letter = s("text", { x: at.cx, y: at.cy + (acts ? 8 : 7) }, [...name][0]);
    return s("g", { class: kind }, s("circle", { ...at, r: acts ? 17 : 13 }), letter);
  };
  return s(
    "svg",
    { className: "round", viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("circle", { cx: 50, cy: 50, r: 22, class: "tabletop" }),
    seats.map(one),
  );
}

function awaited({ expects }, palette) {
  const known = expects.dice || Object.entries(expects.shapes).flatMap(([shape, count]) => Array(count).fill({ shape }));
  const kinds = [...new Set(known.map(({ shape, colour }) => JSON.stringify({ shape, colour })))];
  const alike = kinds.map((kind) => known.filter(({ shape, colour }) => JSON.stringify({ shape, colour }) === kind));
  const some = (dice) => [
    die(palette, dice[0], { label: false, blank: true }),
    dice.length > 1 && h("span", { className: "times" }, `× ${dice.length}`),
  ];
  return h("div", { className: "awaited", "aria-hidden": "true" }, alike.map(some));
}

// Beside the words: the round table; under them the dice. Null each where there is nothing to show.
export function promptPicture(state) {
  const { game, proposal, you, table } = state;
  if (!game || proposal || game.outcome) return { beside: null, under: null };
  return {
    beside: game.seats.length > 1 && game.prompt.seat !== null ? round(game, you) : null,
    under: game.expects && awaited(game, table.palette),
  };
}
