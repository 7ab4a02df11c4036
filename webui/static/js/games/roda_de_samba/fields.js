// Fields for cards: an instrument's colour and numbers, a sambist's figures, as people tell them.

import { button, h } from "../../dom.js";
import { capital, t, wordsOf } from "../../words.js";

export const WORDS = wordsOf("roda_de_samba");

export const field = (words, control) =>
  h("label", { className: "field" }, h("span", { className: "small muted" }, words), control);

export const text = (value, changed, attributes = {}) =>
  h("input", { type: "text", value: value ?? "", maxlength: 60, ...attributes, oninput: (event) => changed(event.target.value) });

// A whole number, null when the field is empty.
export const number = (value, changed, attributes = {}) => {
  const typed = (event) => changed(event.target.value.trim() === "" ? null : Number(event.target.value));
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

// Keys for the numbers of cards; `chosen` is a list with one entry a card, at most one of each number here.
export function numbers(chosen, changed, name) {
  const key = (value) => {
    const on = chosen.includes(value);
    const tap = () => changed(on ? chosen.filter((one) => one !== value) : [...chosen, value].sort());
    const what = { "data-number": value, "data-key": `${name}-${value}`, "aria-pressed": String(on), onclick: tap };
    return button(what, String(value));
  };
  return h("div", { className: "pad four", role: "group", "aria-label": t("Numbers") }, [1, 2, 3, 4].map(key));
}

export const same = (one, other) => String(one ?? "").trim().toLowerCase() === String(other ?? "").trim().toLowerCase();
export const known = (deck, name) => deck.instruments.find((one) => same(one.name, name));
