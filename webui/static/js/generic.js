// What suits every game: the dice that lie there, the legal moves as buttons, the points with their reasons.
//
// A game's own part (`games/<key>.js`) gives any of these by its default export:
//   turn(state)            the seat that is to act, null when nobody or anybody
//   where(state)           a few words for the top of the page
//   promptText(state, me)  what to do, said to the one who is to do it; null: as the game says it
//   keepUp(state, mine)    called before each drawing; `mine` is the seat that this phone acts for now
//   local()                what the drawing depends on beside the state
//   work(state, tools)     what lies under the prompt; tools: {changed, mine, may}
//   board(state, tools)    what lies under that; tools also: {seat, watch, expanded}
//   seen(state)            what the board depends on beside the state
//   bar(state, tools)      the controls at the thumb when no roll is waited for
//   lies(state)            the dice that lie there, nothing to touch
//   screen(state)          the boards for a big screen, nothing to touch; in its place
//   panel(state, seat)     one for each seat, under its name
//   totals(state)          the points of each seat so far, null while they are a secret
//   emblem(state, seat)    a small picture that goes with a player's name, or null
//   verdict(state)         what was judged: {ranking, text, detail: {totals}}; the outcome of the game, if nothing else
//   marks(state), headline(state, best), won(state), about(state, seat), story(state)   the result, what is said of it
//   ceremony               how the marks are read aloud: {steps, opening, reading, next, last}
//   goesOn(state, after)   the controls for what follows a part of the game that was judged; `after` it has begun
//   rematch(state)         {words, setup} when the next game is laid out otherwise than this one, {href} when a form must ask
//   setup                  the form for a new game: {fields, read, lacking}

import { die } from "./die.js";
import { h } from "./dom.js";
import { picked, picker } from "./picker.js";
import { scoreboard } from "./scoreboard.js";
import { t } from "./words.js";

function lying(state) {
  const { roll } = state.game.view;
  if (!Array.isArray(roll) || !roll.length) return null;
  return h("div", { className: "dice" }, roll.map((one) => h("span", { className: "chip" }, die(state.table.palette, one))));
}

export function totals({ game }) {
  const players = game.scoreboard?.players;
  if (!Array.isArray(players) || players.some(({ total }) => typeof total !== "number")) return null;
  return players.map(({ total }) => total);
}

export const generic = {
  turn: ({ game }) => (["roll", "finished"].includes(game.prompt.action) ? null : game.prompt.seat),
  where: ({ game: { view } }) => (view.rounds ? t("Round {round}/{rounds}", view) : ""),
  promptText: () => null,
  keepUp: () => {},
  local: () => picked(),
  work: (state, { changed }) => [lying(state), !state.game.outcome && picker(state, changed)],
  board: (state) => scoreboard(state),
  seen: () => null,
  bar: () => null,
  totals,
  screen: (state) => scoreboard(state),
  panel: null,
  marks: (state) => scoreboard(state),
  headline: (_, best) => (best.length > 1 ? t("They share the victory") : t("The winner is")),
  won: () => true,
  about: () => [],
  emblem: () => null,
  verdict: ({ game }) => game.outcome,
  story: () => null,
  goesOn: () => null,
  ceremony: null,
  rematch: () => null,
  lies: lying,
  setup: { fields: () => null, read: () => ({}), lacking: () => [] },
};
