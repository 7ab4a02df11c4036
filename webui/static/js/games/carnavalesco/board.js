// A school's parade board: nine elements of four spaces, each with its mark and the reason for it.

import { die, dieWords } from "../../die.js";
import { button, h } from "../../dom.js";
import { revealed } from "../../reveal.js";
import { n, t } from "../../words.js";
import { ELEMENTS } from "./elements.js";
import { alsoWords, changeSign, offers, rowSign, rowWords } from "./outlook.js";

const TOTALS = "jurado.totals";
export const totalsShown = () => localStorage.getItem(TOTALS) === "yes";
const showTotals = (yes) => localStorage.setItem(TOTALS, yes ? "yes" : "no");

// How many of the newest dice in each element came with the seat's last take, or which spaces they were put in.
function newest(state, seat) {
  const last = (state.log || []).find((entry) => entry.move?.move === "take" && !entry.undone);
  const found = {};
  if (last?.move.seat !== seat) return found;
  for (const { element, space } of last.move.places) {
    found[element] ||= { count: 0, spaces: [] };
    if (space === undefined) found[element].count += 1;
    else found[element].spaces.push(space);
  }
  return found;
}

// `key` makes the control that fills an empty space, where spaces are tapped one by one.
function spaces(palette, dice, ghosts, fresh, key = () => h("span", { className: "space" })) {
  const cells = [null, null, null, null];
  dice.forEach((one, at) => {
    const space = one.space ?? at;
    const isNew = fresh && (at >= dice.length - fresh.count || fresh.spaces.includes(space));
    cells[space] = h("span", { className: isNew ? "spot new" : "spot" }, die(palette, one));
  });
  for (const ghost of ghosts) {
    const free = ghost.space ?? cells.indexOf(null);
    if (free >= 0) cells[free] = h("span", { className: "spot ghost new" }, die(palette, ghost));
  }
  return h("span", { className: "spaces" }, cells.map((cell, at) => cell || key(at)));
}

function underScore(mark) {
  if (mark.score === null) return mark.bonus ? t("+{bonus}, base?", mark) : t("base?");
  if (mark.provisional) return t("so far");
  if (mark.perfect) return t("perfect");
  return mark.bonus ? `${mark.base}+${mark.bonus}` : "";
}

// The mark of a full element; of another what is still possible, and of one that a die waits for what it would make.
function score(mark, reach, change) {
  if (change) {
    const [sign] = changeSign(change);
    const kind = change.mark?.perfect ? "perfect" : change.best < reach ? "less" : "";
    return h("span", { className: `score coming ${kind}` }, h("small", {}, t("then")), sign);
  }
  if (!mark) return h("span", { className: "score" });
  if (!mark.complete) return h("span", { className: "score open" }, rowSign(reach), h("small", {}, reach > 0 && reach < 10 && t("at best")));
  const kind = `score ${mark.perfect ? "perfect" : ""} ${mark.provisional ? "provisional" : ""}`;
  return h("span", { className: kind }, String(mark.score ?? "–"), h("small", {}, underScore(mark)));
}

function markWords(mark, reach, change) {
  if (change) {
    const also = alsoWords(change);
    return [t(", with this die: {words}", { words: changeSign(change)[1] }), also && `; ${also}`].filter(Boolean).join("");
  }
  if (!mark) return "";
  if (!mark.complete) return `, ${rowWords(reach)}`;
  if (mark.score === null) return "";
  return [t(", mark {score}", mark), mark.perfect && t(", perfect"), mark.provisional && t(", so far")]
    .filter(Boolean)
    .join("");
}

// Why the mark is what it is, what each die on offer would change, and the rules of the element.
function reason(state, mark, key, changes) {
  const { perfect, rows, more, house } = ELEMENTS[key];
  const agreed = house?.words[state.game.view.house_rules[house.rule]];
  return h(
    "div",
    { className: "why" },
    mark?.why && h("p", {}, mark.why),
    changes && offers(state, changes),
    h("p", {}, h("strong", {}, t("Perfect 10:")), " ", perfect),
    h("ul", {}, rows.map((row) => h("li", {}, row))),
    h("p", { className: "muted" }, [more, agreed].filter(Boolean).join(" ")),
  );
}

// A name for little room; the style sheet says where there is less.
const shortName = ({ short, tag }) => [h("span", { className: "of-short" }, short), h("span", { className: "of-tag", "aria-hidden": "true" }, tag)];

const NOWHERE = new Set();

// The element's row while a die waits for one of its spaces.
function bySpaces(palette, { key, dice, here, fresh, tapped, also }) {
  const name = ELEMENTS[key].name;
  const put = (at) =>
    button(
      {
        className: "space",
        "data-key": `space-${key}-${at}`,
        "data-space": at,
        "aria-label": t("{name}, space {number}. Put the die here", { name, number: at + 1 }),
        onclick: () => tapped(key, at),
      },
      String(at + 1),
    );
  return h(
    "div",
    { className: "element open ordered", "data-element": key },
    h("span", { className: "title" }, t("{name}: tap a space", { name }), also),
    spaces(palette, dice, here, fresh, put),
  );
}

// `open` says where a die may go, `bySpace` where its space matters, `ghosts` are dice put there but not confirmed,
// `tapped` is told of a tap on an element (and its space), `placing` whether a die waits for one, `secret` whether the
// marks are still to be heard, `short` whether there is little room for names, `changes` what each die on offer would
// change (by element, then by its number in the roll), `coming` the number of the die that waits.
export function board(state, seat, options = {}) {
  const { open = () => false, bySpace = () => false, ghosts = [], tapped = () => {} } = options;
  const { expanded = NOWHERE, placing = false, secret = false, short = false, changes = null, coming = null } = options;
  const { palette } = state.table;
  const player = state.game.view.players[seat];
  const marks = secret ? {} : state.game.scoreboard.players[seat].elements;
  const fresh = newest(state, seat);
  const row = (key) => {
    const here = ghosts.filter((ghost) => ghost.element === key);
    const dice = player.elements[key];
    const may = open(key);
    const count = dice.length + here.length;
    const lying = [...dice, ...here].map((one) => dieWords(palette, one)).join(", ");
    const words = { element: ELEMENTS[key].name, count, lying };
    const filled = count ? t("{element}, {count} of 4 dice: {lying}", words) : t("{element}, no dice yet", words);
    const change = placing && may ? changes?.[key]?.[coming] : null;
    const others = change && alsoWords(change);
    const also = others && h("small", { className: "also" }, others);
    if (placing && may && bySpace(key)) return bySpaces(palette, { key, dice, here, fresh: fresh[key], tapped, also });
    const told = markWords(marks[key], player.reach[key], change);
    return [
      button(
        {
          className: `element ${may ? "open" : ""}`,
          "data-key": `element-${key}`,
          "data-element": key,
          disabled: placing && !may,
          "aria-expanded": placing ? null : String(expanded.has(key)),
          onclick: () => tapped(key),
        },
        h("span", { className: "unseen" }, `${filled}${told}${may ? t(". Put the die here") : ""}`),
        h(
          "span",
          { className: "as-parent", "aria-hidden": "true" },
          h("span", { className: "title" }, short ? shortName(ELEMENTS[key]) : ELEMENTS[key].name, also),
          spaces(palette, dice, here, fresh[key]),
          score(marks[key], player.reach[key], change),
        ),
      ),
      !placing && expanded.has(key) && reason(state, marks[key], key, changes?.[key]),
    ];
  };
  return h("div", { className: "board", "data-seat": seat }, Object.keys(ELEMENTS).map(row));
}

export function underBoard(state, seat, changed) {
  const { counters } = state.game.view.players[seat];
  const sums = state.game.scoreboard.players[seat];
  const heard = revealed(state);
  const shown = heard || totalsShown();
  const count = sums.perfect_marks;
  const perfect = heard ? t("{perfect} perfect", { perfect: count }) : t("so far, {count} perfect", { count });
  const total = [
    h("span", { className: "total" }, String(sums.total)),
    h("span", { className: "muted small" }, " ", perfect),
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
    !heard && button(
      { className: "plain small", "data-key": "totals", "aria-pressed": String(shown), onclick: toggle },
      shown ? t("Hide totals") : t("Show totals"),
    ),
  );
}
