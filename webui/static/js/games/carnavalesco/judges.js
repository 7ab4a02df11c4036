// The end of a parade: marks read aloud in the judges' own order, all schools side by side; then all in one table.

import { die } from "../../die.js";
import { h } from "../../dom.js";
import { n, number, shortNames, t } from "../../words.js";
import { card, judgedParade, paradeWords, careerOf, resultOf } from "./career.js";
import { ELEMENTS, RESULTS } from "./elements.js";
import { flagOf } from "./flag.js";

const players = (state) => state.game.scoreboard.players;
const steps = (state) => state.game.scoreboard.reveal;

export const emblem = (state) => flagOf(state);

// What a step is called: an element, or the counters that are taken off at last.
const COUNTERS = () => ({ name: t("The −1 counters"), short: t("Counters"), tag: "−1" });
const called = ({ element }) => ELEMENTS[element] || COUNTERS();

function envelope(state, step, seat) {
  const { element, scores, totals, leading } = step;
  const player = players(state)[seat];
  const mark = player.elements[element];
  const dice = state.game.view.players[seat].elements[element] || [];
  const leads = totals.length > 1 && leading.includes(seat) && h("strong", { className: "good" }, " ", t("Leads."));
  return h(
    "div",
    { className: `envelope shown ${scores[seat] === 10 ? "ten" : ""}`, "data-seat": seat },
    h("div", { className: "name" }, flagOf(state), player.name),
    h("div", { className: "row" }, dice.map((one) => die(state.table.palette, one))),
    h("div", { className: "mark" }, number(scores[seat])),
    h(
      "div",
      { className: "why small" },
      mark?.why,
      h("span", { className: "muted" }, " ", t("{sum} so far.", { sum: number(totals[seat]) })),
      leads,
    ),
  );
}

function opening(state) {
  const school = (name, seat) => {
    const division = t("Division {division}", state.game.view.players[seat]);
    const about = h("span", { className: "small muted" }, division);
    return h("li", { className: "card wrap" }, flagOf(state), h("strong", {}, name), h("br"), about);
  };
  const told = steps(state);
  const ends = { first: called(told[0]).name, last: called(told.at(-1)).name, count: told.length };
  const parade = careerOf(state) && paradeWords(state);
  const several = state.game.seats.length > 1;
  return [
    h("p", { className: "muted" }, parade || (several ? t("The parades are over") : t("The parade is over"))),
    h("h1", {}, t("The judges are ready")),
    h("p", {}, t("{count} marks to hear. First: {first}. Last: {last}. One of you reads aloud.", ends)),
    h("ul", { className: "choices schools" }, state.game.seats.map(school)),
  ];
}

function reading(state, at) {
  const step = steps(state)[at - 1];
  const { name, perfect } = called(step);
  return [
    h("p", { className: "muted" }, t("{step} of {count}", { step: at, count: steps(state).length })),
    h("h1", {}, name),
    perfect && h("p", { className: "small muted" }, perfect),
    h("div", { className: "cards" }, state.game.seats.map((_, seat) => envelope(state, step, seat))),
  ];
}

// `next` is the word for the button that reads one more after `at` of them.
export const ceremony = {
  steps: (state) => steps(state).length,
  opening,
  reading,
  next: (state, at) =>
    at ? t("Next: {element}", { element: called(steps(state)[at]).short }) : t("Read the first mark"),
  last: (state) => (state.game.seats.length > 1 ? t("And the champion is …") : t("And the result is …")),
};

// The result that stands: of the game, or of a parade that another one follows.
export function verdict(state) {
  const { outcome, prompt } = state.game;
  if (outcome) return outcome;
  const totals = players(state).map(({ total }) => total);
  return { ranking: [[0]], text: prompt.why, detail: { totals } };
}

export function headline(state, best) {
  const parade = judgedParade(state);
  if (!parade) return best.length > 1 ? t("They share the victory") : t("Champion of Carnaval");
  if (parade.result === "champion") return t("Champion of the Special division!");
  const { next_division: division } = parade;
  return resultOf(parade) === "stays" ? t("Stays in {division}", { division }) : RESULTS[parade.result];
}

export const won = (state) => {
  const parade = judgedParade(state);
  return !parade || ["champion", "promoted"].includes(parade.result);
};

// What is said of a school beside its total.
export function about(state, seat) {
  const { perfect_marks: perfect, counters } = players(state)[seat];
  return [
    t("{perfect} perfect", { perfect }),
    t("division {division}", state.game.view.players[seat]),
    counters > 0 && n(counters, "−{count} counter", "−{count} counters"),
  ];
}

export const story = (state) => card(state);

export function marks(state) {
  const { seats } = state.game;
  const told = steps(state);
  const crowded = seats.length > 3; // then every column needs its room
  const row = (step) => {
    const cell = (score, seat) => {
      const star = step.perfect[seat] && h("span", { className: "good", title: t("perfect") }, " ★");
      return h("td", { className: "number" }, number(score), star);
    };
    const { name, short, tag } = called(step);
    const words = crowded ? tag : short;
    return h("tr", {}, h("th", { scope: "row", title: name, "aria-label": name }, words), step.scores.map(cell));
  };
  const short = seats.length > 1 ? shortNames(seats) : seats;
  const head = (name, seat) =>
    h("th", { scope: "col", className: "number school", title: name, "aria-label": name }, flagOf(state), short[seat]);
  const total = (sum) => h("td", { className: "number" }, h("strong", {}, number(sum)));
  return h(
    "table",
    { className: [seats.length > 1 && "tight", crowded && "short"].filter(Boolean).join(" ") },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", className: "school" }, t("Element")), seats.map(head))),
    h("tbody", {}, told.map(row), h("tr", {}, h("th", { scope: "row" }, t("Total")), told.at(-1).totals.map(total))),
  );
}

// What is played next by the same people: a school alone goes on in the division it has earned.
export function rematch(state) {
  if (careerOf(state)) return { words: t("A new career"), setup: {} };
  const parade = judgedParade(state);
  if (!parade) return null;
  const players = state.game.view.players.map(({ name, table }) => ({ name, table, division: parade.next_division }));
  return { words: t("Next parade: division {next_division}", parade), setup: { players } };
}
