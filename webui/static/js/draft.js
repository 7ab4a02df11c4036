// Taking dice: tap a die of the roll, tap an element of the own board; nothing counts before it is confirmed.

import { die, dieWords } from "./die.js";
import { h, plural } from "./dom.js";
import { act } from "./state.js";
import { ELEMENTS, NUMBERS, capital } from "./words.js";

let turn = ""; // the pick that the half-made choice belongs to
let picks = []; // {die, element}, in the order in which they were put down
let chosen = null; // the die of the roll that waits for its element
let sending = false;

// Forget the half-made choice when its pick is over, keep it through everything else.
export function keepUp(state, seat) {
  const { id, view } = state.game;
  const now = JSON.stringify([id, view.round, view.picks.length, seat, view.roll.map((one) => [one.colour, one.value])]);
  if (now !== turn) {
    turn = now;
    picks = [];
    chosen = null;
  }
  picks = picks.filter((pick) => view.roll[pick.die] && view.roll[pick.die].taken_by === null);
}

export const drafting = () => ({ picks, chosen, sending });
export const needed = (state) => state.game.view.take || 2;

const free = (state, seat, element) =>
  4 - state.game.view.players[seat].elements[element].length - picks.filter((pick) => pick.element === element).length;

export const ghosts = (state) => picks.map((pick) => ({ ...state.game.view.roll[pick.die], element: pick.element }));
export const mayGo = (state, seat) => (element) => chosen !== null && free(state, seat, element) > 0;

function tapDie(state, at, changed) {
  const placed = picks.findIndex((pick) => pick.die === at);
  if (placed >= 0) picks.splice(placed, 1);
  else chosen = chosen === at ? null : at;
  if (chosen !== null && picks.length >= needed(state)) chosen = null;
  changed();
}

export function tapElement(state, seat, element, changed) {
  if (chosen === null || free(state, seat, element) <= 0) return;
  picks.push({ die: chosen, element });
  chosen = null;
  changed();
}

// The roll's dice as chips; those taken stay where they lie, with who took them.
export function roll(state, seat, mine, changed) {
  const { view, seats } = state.game;
  const full = picks.length >= needed(state);
  return h(
    "div",
    { className: "dice", role: "group", "aria-label": "The roll" },
    view.roll.map((one, at) => {
      const pick = picks.find((other) => other.die === at);
      const taken = one.taken_by !== null;
      const words = dieWords(state.table.palette, one);
      const label = taken
        ? `${words}, taken by ${seats[one.taken_by]}`
        : pick ? `${words}, for ${ELEMENTS[pick.element].name}. Tap to take it back` : words;
      return h(
        "button",
        {
          type: "button",
          className: `chip ${taken ? "gone" : ""} ${mine && pick ? "placed" : ""} ${mine && full && !pick && !taken ? "shut" : ""}`,
          "data-key": `roll-${at}`,
          "data-die": at,
          "aria-pressed": String(mine && (chosen === at || Boolean(pick))),
          "aria-label": label,
          disabled: !mine || taken || (full && !pick) || sending,
          onclick: () => tapDie(state, at, changed),
        },
        die(state.table.palette, one, { label: false }),
        taken && h("span", { className: "tag" }, seats[one.taken_by]),
        mine && pick && h("span", { className: "tag" }, ELEMENTS[pick.element].short),
      );
    }),
  );
}

// What solo play charges for this choice, before it is confirmed.
function charges(state) {
  if (!state.game.view.solo || picks.length < 3) return null;
  const most = (things) => Math.max(...things.map((thing) => things.filter((other) => other === thing).length));
  const dice = picks.map((pick) => state.game.view.roll[pick.die]);
  const broken = [
    most(dice.map((one) => one.value)) > 2 && "more than two of one value",
    most(dice.map((one) => one.colour)) > 2 && "more than two of one colour",
    most(picks.map((pick) => pick.element)) > 2 && "more than two in one element",
  ].filter(Boolean);
  if (!broken.length) return null;
  return h("p", { className: "doubt small" }, `${plural(broken.length, "counter", "counters")} of −1: ${broken.join(", ")}.`);
}

export function bar(state, seat, changed) {
  const wanted = needed(state);
  const left = wanted - picks.length;
  const ready = left === 0;
  let words = `Confirm ${NUMBERS[wanted]} dice`;
  if (sending) words = "Writing it down …";
  else if (chosen !== null) words = "Now tap an element";
  else if (!ready) words = picks.length ? `${capital(NUMBERS[left])} more: tap a die` : "Tap a die, then an element";
  return [
    charges(state),
    h(
      "button",
      { type: "button", className: "main", id: "take", "data-key": "take", disabled: !ready || sending, onclick: () => confirm(state, seat, changed) },
      words,
    ),
  ];
}

async function confirm(state, seat, changed) {
  sending = true;
  changed();
  await act("/api/moves", { move: { move: "take", seat, places: picks.map(({ die: at, element }) => ({ die: at, element })) } });
  sending = false;
  changed();
}
