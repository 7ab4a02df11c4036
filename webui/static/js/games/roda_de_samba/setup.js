// The form for a new game: who starts, how much is entered, the cards, and the one that lies open first.

import { h } from "../../dom.js";
import { n, t } from "../../words.js";
import { choice, colours, field, known, number, text } from "./fields.js";

let first = "0";
let deck = null; // which deck; null: the table's own
let pile = { instrument: "", number: null, colour: null };
let detail = null; // the house rule's own control, which stands on top here

const chosen = (choices) => choices.decks[deck ?? "ours"];

function deckWords(choices) {
  const { instruments, sambists } = choices.decks.ours;
  const count = n(instruments.length + sambists.length, "{count} card known", "{count} cards known");
  return { ours: t("Our own, {count}", { count }), example: t("An example, made up by us") };
}

function fields(players, choices, changed) {
  if (!detail) {
    detail = document.querySelector("[name='entry.detail']").closest("label");
    detail.addEventListener("change", changed);
  }
  const names = Object.fromEntries(players.map(({ name }, at) => [at, name || t("player {number}", { number: at + 1 })]));
  const pick = (value) => {
    deck = value === "ours" ? null : value;
    changed();
  };
  const cards = chosen(choices);
  const starts = (value) => {
    first = value;
  };
  const name = (event) => {
    pile.instrument = event.target.value;
    changed();
  };
  const colour = (value) => {
    pile.colour = value;
  };
  const value = (typed) => {
    pile.number = typed;
  };
  const needsPile = detail.querySelector("select").value === "moves";
  const untold = needsPile && pile.instrument && !known(cards, pile.instrument)?.colour;
  return [
    h("div", { className: "card" }, detail),
    field(t("Who starts (Pedra do Sal)"), choice(first, names, starts, { id: "first" }, null)),
    field(t("The cards"), choice(deck ?? "ours", deckWords(choices), pick, { id: "which-deck" }, null)),
    h("p", { className: "small muted" }, h("a", { href: "/deck" }, t("Tell our cards")), " ", t("or tell each one when it is played.")),
    needsPile &&
      h(
        "div",
        { className: "card stack", id: "first-card" },
        h("strong", {}, t("The first open card")),
        h("datalist", { id: "pile-names" }, cards.instruments.map((one) => h("option", { value: one.name }))),
        h(
          "div",
          { className: "row two" },
          field(t("Instrument"), text(pile.instrument, () => {}, { list: "pile-names", id: "pile-instrument", onchange: name })),
          field(t("Number"), number(pile.number, value, { id: "pile-number" })),
          untold && field(t("Colour"), choice(pile.colour, colours(cards), colour, { id: "pile-colour" })),
        ),
      ),
  ];
}

function read(players, choices) {
  const { instrument, number: value, colour } = pile;
  const open = { instrument: instrument.trim(), number: value };
  if (!known(chosen(choices), instrument)?.colour) open.colour = colour;
  const moves = detail.querySelector("select").value === "moves";
  return { first: Number(first), ...(deck ? { deck } : {}), ...(moves ? { pile: open } : {}) };
}

function lacking() {
  if (detail.querySelector("select").value !== "moves") return [];
  if (pile.instrument.trim() && pile.number !== null) return [];
  return [t("The first open card lacks its instrument or its number. The game was not started. Type it, or enter less.")];
}

export const setup = { fields, read, lacking };
