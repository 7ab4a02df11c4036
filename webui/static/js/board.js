// A school's parade board: nine elements of four spaces, each with its mark and the reason for it.

import { die } from "./die.js";
import { h } from "./dom.js";
import { ELEMENTS } from "./words.js";

const TOTALS = "jurado.totals";
export const totalsShown = () => localStorage.getItem(TOTALS) === "yes";
export const showTotals = (yes) => localStorage.setItem(TOTALS, yes ? "yes" : "no");

// How many of the newest dice in each element came with the seat's last take.
export function newest(state, seat) {
  const last = (state.log || []).find((entry) => entry.move?.move === "take" && !entry.undone);
  const found = {};
  if (last && last.move.seat === seat) {
    for (const { element } of last.move.places) found[element] = (found[element] || 0) + 1;
  }
  return found;
}

function spaces(state, dice, ghosts, fresh) {
  const palette = state.table.palette;
  const cells = [null, null, null, null];
  dice.forEach((one, at) => {
    cells[one.space ?? at] = h("span", { className: `spot ${at >= dice.length - fresh ? "new" : ""}` }, die(palette, one));
  });
  for (const ghost of ghosts) {
    const free = cells.indexOf(null);
    if (free >= 0) cells[free] = h("span", { className: "spot ghost new" }, die(palette, ghost));
  }
  return h("span", { className: "spaces" }, cells.map((cell) => cell || h("span", { className: "space" })));
}

export function score(mark) {
  if (!mark || !mark.complete) return h("span", { className: "score" }, "");
  const kind = `score ${mark.perfect ? "perfect" : ""} ${mark.provisional ? "provisional" : ""}`;
  const below = [];
  if (mark.score === null) below.push(mark.bonus ? `+${mark.bonus}, base?` : "base?");
  else if (mark.perfect) below.push("perfect");
  else if (mark.bonus) below.push(`${mark.base}+${mark.bonus}`);
  const shown = mark.score === null ? "–" : mark.score;
  return h("span", { className: kind }, shown, h("small", {}, mark.provisional ? "so far" : below.join(" ")));
}

export function reason(mark, key, open) {
  const words = ELEMENTS[key];
  return h(
    "div",
    { className: "why" },
    mark?.why && h("p", {}, mark.why),
    h("p", {}, h("strong", {}, "Perfect 10: "), words.perfect),
    h("ul", {}, words.rows.map((row) => h("li", {}, row))),
    open,
  );
}

// `open` says where a die may go, `ghosts` are dice put there but not confirmed, `tapped` is told of a tap on an element.
export function board(state, seat, { open = () => false, ghosts = [], tapped = () => {}, expanded = new Set(), placing = false } = {}) {
  const player = state.game.view.players[seat];
  const marks = state.game.scoreboard.players[seat].elements;
  const fresh = newest(state, seat);
  const rows = Object.keys(ELEMENTS).map((key) => {
    const here = ghosts.filter((ghost) => ghost.element === key);
    const dice = player.elements[key];
    const free = 4 - dice.length - here.length;
    const may = open(key);
    const full = placing && !may;
    return [
      h(
        "button",
        {
          type: "button",
          className: `element ${may ? "open" : ""}`,
          "data-key": `element-${key}`,
          "data-element": key,
          disabled: full,
          "aria-expanded": placing ? null : String(expanded.has(key)),
          "aria-label": `${ELEMENTS[key].name}: ${dice.length + here.length} of 4 dice${markWords(marks[key])}${may ? ". Put the die here" : ""}`,
          onclick: () => tapped(key, free),
        },
        h("span", { className: "title" }, ELEMENTS[key].name),
        spaces(state, dice, here, fresh[key] || 0),
        score(marks[key]),
      ),
      !placing && expanded.has(key) && reason(marks[key], key),
    ];
  });
  return h("div", { className: "board", "data-seat": seat }, rows);
}

function markWords(mark) {
  if (!mark?.complete || mark.score === null) return "";
  return `, mark ${mark.score}${mark.perfect ? ", perfect" : ""}${mark.provisional ? ", so far" : ""}`;
}

export function underBoard(state, seat, changed) {
  const player = state.game.view.players[seat];
  const sums = state.game.scoreboard.players[seat];
  const shown = totalsShown();
  return h(
    "div",
    { className: "row spread" },
    h(
      "span",
      {},
      shown
        ? [h("span", { className: "total" }, String(sums.total)), h("span", { className: "muted small" }, ` so far, ${sums.perfect_marks} perfect`)]
        : h("span", { className: "muted small" }, "Totals stay secret until the judges speak."),
      player.counters > 0 && h("span", { className: "counter" }, ` −${player.counters} ${player.counters === 1 ? "counter" : "counters"}`),
    ),
    h("button", { type: "button", className: "plain small", "data-key": "totals", "aria-pressed": String(shown), onclick: () => { showTotals(!shown); changed(); } }, shown ? "Hide totals" : "Show totals"),
  );
}

// One button a school; `seat` is the one shown.
export function tabs(state, seat, choose) {
  const { seats, view } = state.game;
  if (seats.length < 2) return null;
  return h(
    "div",
    { className: "tabs", role: "group", "aria-label": "Whose board" },
    seats.map((name, at) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(at === seat), "data-key": `tab-${at}`, "data-seat": at, onclick: () => choose(at) },
        h("span", { className: "name" }, name),
        view.turn === at && h("span", { role: "img", "aria-label": "on turn" }, "●"),
      ),
    ),
  );
}
