// Carnavalesco's part of the table page: the draft, the parade boards, the judges.

import { die, look } from "../die.js";
import { totals } from "../generic.js";
import { h } from "../dom.js";
import { mayPlay } from "../seat.js";
import { over, revealed, secret } from "../reveal.js";
import { tabs } from "../tabs.js";
import { numberWord, t } from "../words.js";
import { bag } from "./carnavalesco/bag.js";
import * as bases from "./carnavalesco/bases.js";
import * as boards from "./carnavalesco/board.js";
import * as career from "./carnavalesco/career.js";
import * as draft from "./carnavalesco/draft.js";
import { flagOf } from "./carnavalesco/flag.js";
import * as judges from "./carnavalesco/judges.js";
import { known, outlook } from "./carnavalesco/outlook.js";

const turn = ({ game }) => (game.view.phase === "between" ? game.prompt.seat : game.view.turn);

function promptText(state, who) {
  const { prompt, expects } = state.game;
  if (prompt.action === "take") return t("{who}: take {number} dice.", { who, number: numberWord(draft.needed(state)) });
  if (prompt.action === "roll") return t("{who}: draw {count} dice and roll them.", { who, count: expects?.count });
  return null;
}

function work(state, { changed, mine }) {
  const { phase } = state.game.view;
  if (phase === "take") return draft.roll(state, mine !== null, changed);
  if (phase === "between") return secret(state) ? null : career.card(state);
  return phase === "judging" ? bases.missing(state, mayPlay(state.you)) : null;
}

// Who parades: the flag and the official colours of a school that plays alone.
function school(state) {
  const { game: { view, seats }, table: { palette } } = state;
  if (!view.solo) return null;
  const one = (colour) =>
    h(
      "span",
      { className: "row nowrap" },
      die(palette, { colour }, { label: false, blank: true }),
      look(palette, colour).word,
    );
  const parade = career.careerOf(state) && career.paradeWords(state);
  const words = h("span", { className: "muted small" }, t("Official colours:"));
  return h(
    "header",
    { className: "school-line", id: "school" },
    flagOf(state, seats[0]),
    h("h2", { className: "wrap" }, seats[0]),
    parade && h("p", { className: "small muted" }, parade),
    h("p", { className: "row official" }, words, view.solo.colours.map(one)),
  );
}

function board(state, { changed, mine, seat, watch, expanded }) {
  const { view } = state.game;
  const { chosen, picks } = draft.drafting();
  const placing = mine === seat && chosen !== null;
  const changes = outlook(state, seat, mine === seat ? picks : [], changed);
  const tapped = (element, space) => {
    if (placing) draft.tapElement(state, seat, element, changed, space);
    else {
      if (!expanded.delete(element)) expanded.add(element);
      changed();
    }
  };
  const bySpace = (element) => draft.bySpace(state, element);
  const drafting = mine === seat ? { open: draft.mayGo(state, seat), ghosts: draft.ghosts(), bySpace } : {};
  const about = t("Division {division}. {placed} of 36 dice placed. Tap an element for its rules and reasons.", view.players[seat]);
  const hope = ["roll", "take"].includes(view.phase) && t("☆: a perfect 10 is still possible. +3, +2, +1: the best bonus that is.");
  return [
    tabs(state, seat, turn(state), watch),
    school(state),
    boards.board(state, seat, { ...drafting, tapped, expanded, placing, changes, coming: chosen?.die, secret: secret(state) }),
    secret(state) ? null : boards.underBoard(state, seat, changed),
    hope && h("p", { className: "muted small" }, hope),
    h("p", { className: "muted small" }, about),
    ["roll", "take"].includes(view.phase) && [bag(state), career.folded(state)],
    over(state) && !secret(state) && career.card(state),
  ];
}

const panel = (state, seat) => boards.board(state, seat, { secret: secret(state), short: true });

export default {
  turn,
  promptText,
  keepUp: draft.keepUp,
  local: () => draft.drafting(),
  work,
  board,
  seen: () => [boards.totalsShown(), known()],
  bar: (state, { changed, mine }) => career.steps(state) || draft.bar(state, mine, changed),
  lies: (state) => (state.game.view.phase === "roll" ? bag(state) : draft.roll(state, false, () => {})),
  goesOn: career.steps,
  // The judges tell them at the end; until then a phone may show them for itself, but for a moment when they are ready.
  totals: (state) => (revealed(state) || (boards.totalsShown() && !secret(state)) ? totals(state) : null),
  panel,
  ...judges,
};
