// A whole circle entered at once, as it lies: ten spaces and the sambists in the middle, the last one on top.

import { button, h } from "../../dom.js";
import { act } from "../../state.js";
import { t } from "../../words.js";
import { ring, words } from "./circle.js";
import { choice, colours, field, inner, instruments, known, numbers, numbersOf, same, text } from "./fields.js";
import { sambistNames } from "./charm.js";

const SPACES = 10;
const EMPTY = { instrument: "", colour: null, numbers: [] };

let draft = null; // {game, seat, spaces, sambists}: the circle that is being entered
let chosen = 0; // the space that is open
let drawn = 0;

export const local = () => drawn;

function tell(news, changed = null) {
  draft = { ...draft, ...news };
  if (!changed) return;
  drawn += 1;
  changed();
}

const filled = (one) => Boolean(one.instrument.trim());

function begin(state, seat, changed) {
  const player = state.game.view.players[seat];
  chosen = 0;
  const spaces = player.circle.map((one) => ({ ...EMPTY, ...one }));
  tell({ game: state.game.id, seat, spaces, sambists: player.sambists.map(({ name }) => name) }, changed);
}

function close(changed) {
  draft = null;
  drawn += 1;
  changed();
}

function go(space, changed) {
  chosen = (space + SPACES) % SPACES;
  tell({}, changed);
}

async function keep(state, changed) {
  const { seat, spaces, sambists } = draft;
  const { deck } = state.game.view;
  const stack = ({ instrument, colour, numbers: some }) => ({ instrument: instrument.trim(), colour: known(deck, instrument)?.colour || colour, numbers: some });
  const circle = spaces.map((one) => (filled(one) ? stack(one) : null));
  const answer = await act("/api/moves", { move: { move: "circle", seat, circle, sambists } });
  if (answer.ok) {
    close(changed);
    return;
  }
  const [, at] = /circle\[(\d+)\]/.exec(answer.body?.error?.field || "") || [];
  if (at) go(Number(at), changed);
}

function spaceForm(state, changed) {
  const { spaces } = draft;
  const one = spaces[chosen];
  const { deck } = state.game.view;
  const put = (news, seen) => tell({ spaces: spaces.map((other, at) => (at === chosen ? Object.assign(one, news) : other)) }, seen ? changed : null);
  const rest = () => [
    filled(one) &&
      !known(deck, one.instrument)?.colour &&
      field(t("Its colour (once)"), choice(one.colour, colours(deck), (colour) => put({ colour }, true), { "data-key": "whole-colour", id: "whole-colour" })),
    h("span", { className: "small muted" }, t("Numbers of the cards")),
    numbers(one.numbers, (some) => put({ numbers: some }, true), "whole-number", numbersOf(deck, one.instrument)),
  ];
  const [host, again] = inner(rest);
  const meant = (instrument, tapped) => {
    put(instrument ? { instrument } : { ...EMPTY }, tapped);
    if (!tapped) again();
  };
  const others = spaces.filter((other, at) => at !== chosen && filled(other)).map(({ instrument }) => instrument);
  return [
    h("strong", {}, t("Space {number}", { number: chosen + 1 })),
    instruments(state, one.instrument, meant, { id: "whole-instrument", not: others }),
    host,
    h(
      "div",
      { className: "row" },
      button({ className: "grow", "data-key": "whole-empty", onclick: () => put({ ...EMPTY }, true) }, t("Empty")),
      button({ className: "grow", id: "whole-next", "data-key": "whole-next", onclick: () => go(chosen + 1, changed) }, t("Next space")),
    ),
  ];
}

function sambistForm(state, changed) {
  const { sambists } = draft;
  const names = sambistNames(state).filter((name) => !sambists.some((other) => same(other, name)));
  const typed = { name: "" };
  const add = (name) => name.trim() && tell({ sambists: [...sambists, name.trim()] }, changed);
  const line = (name, at) =>
    h(
      "li",
      { className: "row spread" },
      h("span", { className: "wrap" }, name),
      button({ className: "low", "aria-label": t("Remove {called}", { called: name }), onclick: () => tell({ sambists: sambists.filter((_, index) => index !== at) }, changed) }, "✕"),
    );
  const type = (name) => {
    typed.name = name;
  };
  return [
    h("strong", {}, t("Sambists in the circle, the last one on top")),
    sambists.length > 0 && h("ol", { className: "bare" }, sambists.map(line)),
    names.length > 0 && field(t("Add a sambist"), choice("", Object.fromEntries(names.map((name) => [name, name])), add, { id: "whole-sambist", "data-key": "whole-sambist" }, t("which?"))),
    h(
      "div",
      { className: "row nowrap" },
      field(t("Another sambist"), text("", type, { id: "whole-other" })),
      button({ className: "low", id: "whole-add", "aria-label": t("Add a sambist"), onclick: () => add(typed.name) }, "+"),
    ),
  ];
}

function editor(state, changed) {
  const { spaces, seat } = draft;
  const name = state.game.seats[seat];
  const tap = (space) => {
    const one = spaces[space];
    const label = t("Space {number}: {lie}", { number: space + 1, lie: filled(one) ? `${one.instrument} ${one.numbers.join(" ")}` : t("empty") });
    const choose = () => go(space, changed);
    const enter = (event) => {
      if (![" ", "Enter"].includes(event.key)) return;
      event.preventDefault();
      choose();
    };
    return { class: space === chosen ? "key chosen" : "key", role: "button", tabindex: 0, "data-space": space, "data-key": `whole-space-${space}`, "aria-pressed": String(space === chosen), "aria-label": label, onclick: choose, onkeydown: enter };
  };
  const lie = spaces.map((one) => (filled(one) ? { ...one, colour: known(state.game.view.deck, one.instrument)?.colour || one.colour } : null));
  return h(
    "section",
    { className: "card stack", id: "whole" },
    h("strong", { className: "wrap" }, t("The circle of {name}, as it lies", { name })),
    h("p", { className: "small muted" }, t("Tap a space, then its instrument and the numbers of its cards.")),
    ring(state, lie, { label: t("Circle of {name}: {lie}", { name, lie: words(lie) }), tap, role: "group" }),
    spaceForm(state, changed),
    sambistForm(state, changed),
    button({ className: "main", id: "whole-keep", "data-key": "whole-keep", onclick: () => keep(state, changed) }, t("So it lies: keep it")),
    button({ className: "plain", onclick: () => close(changed) }, t("Close without keeping")),
  );
}

export const open = (state, seat) => draft?.game === state.game.id && draft.seat === seat;

// The way to enter the circle of `seat`, or the form once it is open.
export function form(state, seat, changed, may) {
  if (!may) return null;
  if (open(state, seat)) return editor(state, changed);
  return h("p", {}, button({ "data-whole": seat, "data-key": `whole-${seat}`, onclick: () => begin(state, seat, changed) }, t("Enter this circle as it lies")));
}
