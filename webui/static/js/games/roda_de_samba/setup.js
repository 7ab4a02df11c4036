// The form for a new game: who starts, how much is entered, the cards, and the one that lies open first.

import { h } from "../../dom.js";
import { n, t } from "../../words.js";
import { choice, colours, field, inner, known, nameField, number } from "./fields.js";

let first = "0";
let deck = null; // which deck; null: the table's own
let pile = { instrument: "", number: null, colour: null };
let detail = null; // the house rule's own control, which stands on top here

const chosen = (choices) => choices.decks[deck ?? "ours"];

function deckWords(choices) {
  const { instruments, sambists } = choices.decks.ours;
  const count = n(instruments.length + sambists.length, "{count} card known", "{count} cards known");
  return { ours: t("Our own, {count}", { count }), example: t("An example, made up") };
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
  const madeUp = (deck ?? "ours") === "example";
  const starts = (value) => {
    first = value;
  };
  const colour = (value) => {
    pile.colour = value;
  };
  const value = (typed) => {
    pile.number = typed;
  };
  const needsPile = detail.querySelector("select").value === "moves";
  const [colourPart, again] = inner(
    () =>
      pile.instrument.trim() &&
      !known(cards, pile.instrument)?.colour &&
      field(t("Its colour (once)"), choice(pile.colour, colours(cards), colour, { id: "pile-colour" })),
  );
  const name = (typed) => {
    pile.instrument = typed;
    again();
  };
  return [
    h("div", { className: "card" }, detail),
    field(t("Who starts (Pedra do Sal)"), choice(first, names, starts, { id: "first" }, null)),
    field(t("The cards"), choice(deck ?? "ours", deckWords(choices), pick, { id: "which-deck" }, null)),
    madeUp &&
      h(
        "p",
        { className: "card notice small doubt", id: "made-up" },
        t("Made up by us: no colour, number, star, need or power of this deck is that of the printed cards. It is there to try the game; your own cards are scored with your own deck."),
      ),
    h("p", { className: "small muted" }, h("a", { href: "/deck" }, t("Tell our cards")), " ", t("or tell each one when it is played.")),
    needsPile &&
      h(
        "div",
        { className: "card stack", id: "first-card" },
        h("strong", {}, t("The first open card")),
        h(
          "div",
          { className: "row two" },
          nameField(t("Instrument"), pile.instrument, name, cards.instruments.map((one) => one.name), { id: "pile-instrument" }),
          field(t("Number"), number(pile.number, value, { id: "pile-number" })),
        ),
        colourPart,
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
