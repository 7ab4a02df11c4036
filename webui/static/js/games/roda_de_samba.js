// Roda de Samba's part of the pages: circles and their harmony, sambists, piles, a turn's entry, the end scoring.

import { h } from "../dom.js";
import { picked, picker } from "../picker.js";
import { scoreboard } from "../scoreboard.js";
import { mayPlay } from "../seat.js";
import { tabs } from "../tabs.js";
import { t } from "../words.js";
import { circle } from "./roda_de_samba/circle.js";
import * as entry from "./roda_de_samba/entry.js";
import { colourWord, names } from "./roda_de_samba/fields.js";
import { setup } from "./roda_de_samba/setup.js";
import { lying, piles, sambists } from "./roda_de_samba/table.js";
import * as tally from "./roda_de_samba/tally.js";
import * as whole from "./roda_de_samba/whole.js";

const turn = ({ game }) => game.view.turn;

function where({ game: { view } }) {
  if (view.phase === "tally") return t("End scoring");
  return view.trigger ? t("Round {round}, the last", view) : t("Round {round}", view);
}

function promptText({ game: { view } }, who) {
  if (view.phase === "draw") return t("{who}: draw two cards, or take the discard pile of a colour.", { who });
  if (view.phase === "play") return t("{who}: play cards of one instrument.", { who });
  if (view.phase !== "discard") return null;
  const circles = view.house_rules["entry.detail"] === "circles";
  if (view.invited) return circles ? t("{who}: end the turn.", { who }) : t("{who}: discard a card.", { who });
  return circles ? t("{who}: invite a sambist if you like, then end the turn.", { who }) : t("{who}: invite a sambist if you like, then discard a card.", { who });
}

// People count spaces from 1, and call colours and places by their words.
function fieldWords(name, value) {
  if (name === "space" && value !== null) return String(value + 1);
  if (name === "from") return { deck: t("the deck"), pile: t("a pile"), nothing: t("nothing") }[value] ?? null;
  if (["colour", "pile"].includes(name) && value) return colourWord(value);
  if (name === "last") return value ? t("Yes") : t("No");
  if (name === "charm" && value) return value.sambist;
  return null;
}

function work(state, { changed, mine }) {
  const { phase } = state.game.view;
  if (phase === "tally") return tally.forms(state, changed, mayPlay(state.you));
  if (phase === "finished" || mine === null) return null;
  return [
    entry.forms(state, mine, changed),
    h(
      "details",
      { className: "card", open: entry.pickerOpen(), ontoggle: (event) => entry.openPicker(event.target.open, changed) },
      h("summary", {}, h("strong", {}, t("Choose from a list"))),
      entry.pickerOpen() && picker(state, changed, { title: null, fieldWords, names: names() }),
    ),
  ];
}

function board(state, { seat, watch, changed, may }) {
  const { phase } = state.game.view;
  const quick = state.game.view.house_rules["entry.detail"] === "final";
  return [
    tabs(state, seat, turn(state), watch),
    !quick && !whole.open(state, seat) && circle(state, seat),
    !quick && whole.form(state, seat, changed, may),
    !quick && sambists(state, seat, changed, may),
    !quick && piles(state),
    scoreboard(state, names()),
    phase !== "tally" && tally.byHand(state, changed, may),
    phase === "finished" || quick ? null : tally.toTheEnd(state, may),
    h("p", {}, h("a", { className: "button", href: "/deck" }, t("Our cards"))),
  ];
}

// Where only the end is entered, circles are shown once somebody has told them.
const told = ({ game: { view } }) =>
  view.house_rules["entry.detail"] !== "final" || view.players.some(({ circle: spaces }) => spaces.some(Boolean));

const panel = (state, seat) => told(state) && circle(state, seat, { few: true });

export default {
  turn,
  where,
  promptText,
  work,
  board,
  panel,
  // Another card lies open first, and only the form asks for it.
  rematch: ({ game }) => (game.view.house_rules["entry.detail"] === "moves" ? { href: `/new/${game.key}` } : null),
  marks: (state) => scoreboard(state, names()),
  lies: (state) => [lying(state), piles(state)],
  keepUp: entry.keepUp,
  local: () => [picked(), entry.local(), tally.local(), whole.local()],
  setup,
};
