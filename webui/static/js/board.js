// A school's parade board: nine elements of four spaces, each with its mark and the reason for it.

import { die } from "./die.js";
import { button, h } from "./dom.js";
import { ELEMENTS, n, t } from "./words.js";

const TOTALS = "jurado.totals";
export const totalsShown = () => localStorage.getItem(TOTALS) === "yes";
const showTotals = (yes) => localStorage.setItem(TOTALS, yes ? "yes" : "no");

// How many of the newest dice in each element came with the seat's last take.
function newest(state, seat) {
  const last = (state.log || []).find((entry) => entry.move?.move === "take" && !entry.undone);
  const found = {};
  if (last?.move.seat !== seat) return found;
  for (const { element } of last.move.places) found[element] = (found[element] || 0) + 1;
  return found;
}

function spaces(palette, dice, ghosts, fresh) {
  const cells = [null, null, null, null];
  dice.forEach((one, at) => {
    const kind = at >= dice.length - fresh ? "spot new" : "spot";
    cells[one.space ?? at] = h("span", { className: kind }, die(palette, one));
  });
  for (const ghost of ghosts) {
    const free = cells.indexOf(null);
    if (free >= 0) cells[free] = h("span", { className: "spot ghost new" }, die(palette, ghost));
  }
  return h("span", { className: "spaces" }, cells.map((cell) => cell || h("span", { className: "space" })));
}

function underScore(mark) {
  if (mark.score === null) return mark.bonus ? t("+{bonus}, base?", mark) : t("base?");
  if (mark.provisional) return t("so far");
  if (mark.perfect) return t("perfect");
  return mark.bonus ? `${mark.base}+${mark.bonus}` : "";
}

function score(mark) {
  if (!mark?.complete) return h("span", { className: "score" });
  const kind = `score ${mark.perfect ? "perfect" : ""} ${mark.provisional ? "provisional" : ""}`;
  return h("span", { className: kind }, String(mark.score ?? "–"), h("small", {}, underScore(mark)));
}

function markWords(mark) {
  if (!mark?.complete || mark.score === null) return "";
  return [t(", mark {score}", mark), mark.perfect && t(", perfect"), mark.provisional && t(", so far")]
    .filter(Boolean)
    .join("");
}

function reason(mark, key) {
  const words = ELEMENTS[key];
  return h(
    "div",
    { className: "why" },
    mark?.why && h("p", {}, mark.why),
    h("p", {}, h("strong", {}, t("Perfect 10:")), " ", words.perfect),
    h("ul", {}, words.rows.map((row) => h("li", {}, row))),
  );
}

const NOWHERE = new Set();

// `open` says where a die may go, `ghosts` are dice put there but not confirmed, `tapped` is told of a tap on an
// element, `placing` whether a die waits for one.
export function board(state, seat, options = {}) {
  const { open = () => false, ghosts = [], tapped = () => {}, expanded = NOWHERE, placing = false } = options;
  const player = state.game.view.players[seat];
  const marks = state.game.scoreboard.players[seat].elements;
  const fresh = newest(state, seat);
  const row = (key) => {
    const here = ghosts.filter((ghost) => ghost.element === key);
    const dice = player.elements[key];
    const may = open(key);
    const count = dice.length + here.length;
    const filled = t("{element}: {count} of 4 dice", { element: ELEMENTS[key].name, count });
    return [
      button(
        {
          className: `element ${may ? "open" : ""}`,
          "data-key": `element-${key}`,
          "data-element": key,
          disabled: placing && !may,
          "aria-expanded": placing ? null : String(expanded.has(key)),
          "aria-label": `${filled}${markWords(marks[key])}${may ? t(". Put the die here") : ""}`,
          onclick: () => tapped(key),
        },
        h("span", { className: "title" }, ELEMENTS[key].name),
        spaces(state.table.palette, dice, here, fresh[key] || 0),
        score(marks[key]),
      ),
      !placing && expanded.has(key) && reason(marks[key], key),
    ];
  };
  return h("div", { className: "board", "data-seat": seat }, Object.keys(ELEMENTS).map(row));
}

export function underBoard(state, seat, changed) {
  const { counters } = state.game.view.players[seat];
  const sums = state.game.scoreboard.players[seat];
  const shown = totalsShown();
  const total = [
    h("span", { className: "total" }, String(sums.total)),
    h("span", { className: "muted small" }, " ", t("so far, {count} perfect", { count: sums.perfect_marks })),
  ];
  const toggle = () => {
    showTotals(!shown);
    changed();
  };
  return h(
    "div",
    { className: "row spread" },
    h(
      "span",
      {},
      shown ? total : h("span", { className: "muted small" }, t("Totals stay secret until the judges speak.")),
      counters > 0 && h("span", { className: "counter" }, " ", n(counters, "−{count} counter", "−{count} counters")),
    ),
    button(
      { className: "plain small", "data-key": "totals", "aria-pressed": String(shown), onclick: toggle },
      shown ? t("Hide totals") : t("Show totals"),
    ),
  );
}

// One button a school; `seat` is the one shown.
export function tabs(state, seat, choose) {
  const { seats, view } = state.game;
  if (seats.length < 2) return null;
  const tab = (name, at) =>
    button(
      { "aria-pressed": String(at === seat), "data-key": `tab-${at}`, "data-seat": at, onclick: () => choose(at) },
      h("span", { className: "name" }, name),
      view.turn === at && h("span", { className: "on-turn", role: "img", "aria-label": t("on turn") }, "●"),
    );
  return h("div", { className: "tabs", role: "group", "aria-label": t("Whose board") }, seats.map(tab));
}
