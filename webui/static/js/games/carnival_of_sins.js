// Carnival of Sins' part of the pages: the seven dice, who holds which, the sin to reveal, the sheet of seven rounds.

import { h } from "../dom.js";
import { t } from "../words.js";
import { dice, order } from "./carnival_of_sins/dice.js";
import * as reveal from "./carnival_of_sins/reveal.js";
import { setup } from "./carnival_of_sins/setup.js";
import { lastReasons, sheet } from "./carnival_of_sins/sheet.js";
import * as thrown from "./carnival_of_sins/throw.js";

const turn = ({ game }) => (["reveal", "pride"].includes(game.prompt.action) ? game.prompt.seat : null);

function promptText({ game: { view } }, who) {
  if (view.phase === "roll") return t("{who}: roll all seven dice.", { who });
  if (view.phase === "reveal") return t("{who}: reveal a sin.", { who });
  return view.phase === "pride" ? t("{who}: take a die that is left, by Pride.", { who }) : null;
}

function work(state, tools) {
  const { phase } = state.game.view;
  const { changed, mine, may } = tools;
  if (phase === "throw") return [order(state), may && thrown.forms(state, changed), dice(state)];
  if (mine === null) return [order(state), dice(state)];
  return [order(state), reveal.forms(state, mine, changed), dice(state, reveal.dieTap(state, mine, changed)), reveal.rollAgain(state, changed)];
}

const board = (state) => [sheet(state)];

export default {
  turn,
  promptText,
  keepUp: (state, mine) => {
    reveal.keepUp(state, mine);
    thrown.keepUp(state);
  },
  local: () => [reveal.local(), thrown.local()],
  work,
  board,
  bar: (state, { changed, mine }) => reveal.bar(state, mine, changed),
  // Between two rounds no dice lie there: the reasons of the last have the room.
  lies: (state) => [order(state), dice(state) || lastReasons(state)],
  screen: (state) => [h("div", {}, sheet(state, { why: false }))],
  marks: (state) => sheet(state, { title: false }),
  setup,
};
