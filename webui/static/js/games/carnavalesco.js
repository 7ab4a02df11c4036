// Carnavalesco's part of the table page: the draft, the parade boards, the judges.

import { die, look } from "../die.js";
import { h } from "../dom.js";
import { picker } from "../picker.js";
import { mayPlay } from "../seat.js";
import { secret } from "../reveal.js";
import { tabs } from "../tabs.js";
import { numberWord, t } from "../words.js";
import * as bases from "./carnavalesco/bases.js";
import * as boards from "./carnavalesco/board.js";
import * as draft from "./carnavalesco/draft.js";
import * as judges from "./carnavalesco/judges.js";

const turn = ({ game }) => game.view.turn;

function promptText(state, who) {
  const { prompt, expects } = state.game;
  if (prompt.action === "take") return t("{who}: take {number} dice.", { who, number: numberWord(draft.needed(state)) });
  if (prompt.action === "roll") return t("{who}: draw {count} dice and roll them.", { who, count: expects?.count });
  return null;
}

function work(state, { changed, mine }) {
  const { phase } = state.game.view;
  if (phase === "take") return draft.roll(state, mine !== null, changed);
  if (phase === "between") return picker(state, changed);
  return phase === "judging" ? bases.missing(state, mayPlay(state.you)) : null;
}

function officialColours({ game: { view }, table: { palette } }) {
  if (!view.solo) return null;
  const one = (colour) => [die(palette, { colour }, { label: false, blank: true }), look(palette, colour).word];
  const words = h("span", { className: "muted small" }, t("Official colours:"));
  return h("p", { className: "row official" }, words, view.solo.colours.map(one));
}

function board(state, { changed, mine, seat, watch, expanded }) {
  const { view } = state.game;
  const placing = mine === seat && draft.drafting().chosen !== null;
  const tapped = (element, space) => {
    if (placing) draft.tapElement(state, seat, element, changed, space);
    else {
      if (!expanded.delete(element)) expanded.add(element);
      changed();
    }
  };
  const bySpace = (element) => draft.bySpace(state, element);
  const drafting = mine === seat ? { open: draft.mayGo(state, seat), ghosts: draft.ghosts(), bySpace } : {};
  const about = t("Division {division}. {placed} of 36 dice placed. Tap an element for its reasons.", view.players[seat]);
  return [
    tabs(state, seat, turn(state), watch),
    officialColours(state),
    boards.board(state, seat, { ...drafting, tapped, expanded, placing, secret: secret(state) }),
    secret(state) ? null : boards.underBoard(state, seat, changed),
    h("p", { className: "muted small" }, about),
  ];
}

function screen(state) {
  const how = { secret: secret(state), short: true };
  return state.game.seats.map((name, seat) =>
    h("div", {}, h("h2", { className: "wrap" }, name), boards.board(state, seat, how)),
  );
}

export default {
  turn,
  promptText,
  keepUp: draft.keepUp,
  local: () => draft.drafting(),
  work,
  board,
  seen: () => boards.totalsShown(),
  bar: (state, { changed, mine }) => draft.bar(state, mine, changed),
  lies: (state) => draft.roll(state, false, () => {}),
  screen,
  ...judges,
};
