// The end scoring, typed from the cards: stars, colour bonus, crossed sambas; a minute for a table.

import { button, h } from "../../dom.js";
import { twice } from "../../log.js";
import { act } from "../../state.js";
import { t } from "../../words.js";
import { field, number } from "./fields.js";

const FIGURES = () => ({
  stars: t("Stars"),
  colour_bonus: t("Colour bonus"),
  crossed: t("Crossed sambas"),
  instruments: t("Instrument cards"),
});

let typed = {}; // seat → figures that are not sent yet
let game = null;

export const local = () => game;

function form(state, seat, may) {
  const player = state.game.view.players[seat];
  typed[seat] ||= { ...player.typed };
  const set = (name) => (value) => {
    if (value === null) delete typed[seat][name];
    else typed[seat][name] = value;
  };
  const one = ([name, words]) =>
    field(words, number(typed[seat][name], set(name), { "data-tally": `${seat}-${name}`, disabled: !may }));
  const send = () => act("/api/moves", { move: { move: "tally", seat, ...typed[seat] } });
  return h(
    "section",
    { className: "card stack" },
    h("div", { className: "row spread" }, h("strong", { className: "wrap" }, player.name), player.told && h("span", { className: "good" }, t("✓ entered"))),
    h("div", { className: "row tally" }, Object.entries(FIGURES()).map(one)),
    may && button({ "data-enter": seat, "data-key": `enter-${seat}`, onclick: send }, player.told ? t("Change it") : t("Enter")),
  );
}

export function forms(state, changed, may) {
  if (state.game.id !== game) typed = {};
  game = state.game.id;
  const about = t("Each crossed samba costs 2; type how many there are. Instrument cards only break a tie.");
  return [h("p", { className: "small muted" }, about), state.game.seats.map((_, seat) => form(state, seat, may))];
}

export function toTheEnd(state, may) {
  if (!may) return null;
  const finish = () => act("/api/moves", { move: { move: "finish" } });
  return h("p", {}, twice(t("End the game now"), t("Really end it, as things lie?"), finish, { id: "finish", "data-key": "finish" }));
}
