// Fields for cards: an instrument's colour and numbers, a sambist's figures, as people tell them.

import { die } from "../../die.js";
import { button, h } from "../../dom.js";
import { field } from "../../form.js";
import { capital, t, wordsOf } from "../../words.js";

export { field };
export const WORDS = wordsOf("roda_de_samba");
export const NUMBERS = [1, 2, 3, 4];

export const text = (value, changed, attributes = {}) =>
  h("input", { type: "text", value: value ?? "", maxlength: 60, ...attributes, oninput: (event) => changed(event.target.value) });

// The marks, the kinds of moves and their fields, as people call them.
export const names = () => ({
  stars: t("Stars"),
  colour_bonus: t("Colour bonus"),
  crossed: t("Crossed sambas"),
  instruments: t("Instrument cards"),
  correction: t("Corrected by hand"),
  total: t("Total"),
  draw: t("Draw"),
  play: t("Play"),
  invite: t("Invite"),
  discard: t("Discard one card"),
  end_turn: t("End the turn"),
  deck_out: t("The instrument deck is empty"),
  finish: t("End the game now"),
  seat: t("Player"),
  from: t("From where"),
  colour: t("Colour"),
  last: t("The last cards"),
  instrument: t("Instrument"),
  numbers: t("Numbers"),
  space: t("Space"),
  sambist: t("Sambist"),
  opened: t("Who is opened next"),
  card: t("Card"),
  pile: t("Onto which pile"),
  charm: t("Whom it charms"),
});

// A whole number, null when the field is empty. What is no number goes on as it was typed, for the table to refuse: as
// null it would be as good as never typed.
export const number = (value, changed, attributes = {}) => {
  const meant = (typed) => (typed === "" ? null : Number.isNaN(Number(typed)) ? typed : Number(typed));
  const typed = (event) => changed(meant(event.target.value.trim()));
  return h("input", { type: "text", inputmode: "numeric", maxlength: 4, value: value ?? "", ...attributes, oninput: typed });
};

// `options`: value → words; an empty value means that nobody has told it.
export function choice(value, options, changed, attributes = {}, none = t("not known")) {
  const option = ([key, words]) => h("option", { value: key, selected: key === (value ?? "") }, words);
  const all = none === null ? Object.entries(options) : [["", none], ...Object.entries(options)];
  return h("select", { ...attributes, onchange: (event) => changed(event.target.value || null) }, all.map(option));
}

export const colourWord = (colour) => WORDS.colours[colour] || colour.replace(/_/g, " ");

// The colours of a deck first, then every other that is known.
export function colours(deck) {
  const own = deck.instruments.map(({ colour }) => colour).filter(Boolean);
  const all = [...new Set([...own, ...Object.keys(WORDS.colours)])];
  return Object.fromEntries(all.map((colour) => [colour, capital(colourWord(colour))]));
}

// Keys for the numbers of cards; `chosen` is a list with one entry a card, at most one of each number here. `all` are
// those that may be.
export function numbers(chosen, changed, name, all = NUMBERS) {
  const key = (value) => {
    const on = chosen.includes(value);
    const tap = () => changed(on ? chosen.filter((one) => one !== value) : [...chosen, value].sort());
    const what = { "data-number": value, "data-key": `${name}-${value}`, "aria-pressed": String(on), onclick: tap };
    return button(what, String(value));
  };
  return h("div", { className: "pad four", role: "group", "aria-label": t("Numbers") }, all.map(key));
}

export const same = (one, other) => String(one ?? "").trim().toLowerCase() === String(other ?? "").trim().toLowerCase();
export const known = (deck, name) => deck.instruments.find((one) => same(one.name, name));

// The numbers that cards of this instrument carry, as far as anybody has told.
export const numbersOf = (deck, name) => [...new Set([...NUMBERS, ...(known(deck, name)?.numbers || [])])].sort();

// A name that is typed, with those that are known at hand. `typed` is told at every letter: nothing is drawn anew under
// the fingers.
export const nameField = (words, value, typed, names, attributes) => [
  field(words, text(value, typed, { list: `${attributes.id}-known`, "data-key": attributes.id, autocomplete: "off", ...attributes })),
  h("datalist", { id: `${attributes.id}-known` }, names.map((name) => h("option", { value: name }))),
];

// One of the instruments that are known, or another that is typed. `meant(name, tapped)`: by a tap, else by a letter.
export function instruments(state, value, meant, { id, not = [] }) {
  const { deck } = state.game.view;
  const key = ({ name, colour }) => {
    const dot = colour && die(state.table.palette, { colour }, { label: false, blank: true, extra: "dot" });
    const on = same(name, value);
    const what = { "data-instrument": name, "data-key": `${id}-${name}`, "aria-pressed": String(on), onclick: () => meant(on ? "" : name, true) };
    return button(what, dot, name);
  };
  const free = deck.instruments.filter(({ name }) => !not.some((other) => same(other, name)));
  const other = known(deck, value) ? "" : value;
  return [
    free.length > 0 && h("div", { className: "kinds", role: "group", "aria-label": t("Instruments") }, free.map(key)),
    nameField(free.length ? t("Another instrument") : t("Instrument"), other, (name) => meant(name, false), [], { id }),
  ];
}

// A part of a form that is drawn anew by itself: [its host, the way to draw it].
export function inner(build) {
  const host = h("div", { className: "stack" });
  const draw = () => host.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  draw();
  return [host, draw];
}
