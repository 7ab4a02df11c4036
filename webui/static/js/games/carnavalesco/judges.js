// The end of a parade: marks read aloud, element by element, all schools side by side; then all of them in one table.

import { die } from "../../die.js";
import { h } from "../../dom.js";
import { t } from "../../words.js";
import { ELEMENTS } from "./elements.js";

const keys = Object.keys(ELEMENTS);
const players = (state) => state.game.scoreboard.players;

function soFar(player, step) {
  const marks = keys.slice(0, step).reduce((total, key) => total + (player.elements[key].score || 0), 0);
  const sum = String(marks - player.counters).replace("-", "−");
  return player.counters ? t("{sum} so far, counters taken off.", { sum }) : t("{sum} so far.", { sum });
}

function envelope(state, player, seat, step) {
  const key = keys[step - 1];
  const mark = player.elements[key];
  const dice = state.game.view.players[seat].elements[key].map((one) => die(state.table.palette, one));
  return h(
    "div",
    { className: `envelope shown ${mark.score === 10 ? "ten" : ""}` },
    h("div", { className: "name" }, player.name),
    h("div", { className: "row" }, dice),
    h("div", { className: "mark" }, String(mark.score ?? "–")),
    h("div", { className: "why small" }, mark.why, h("span", { className: "muted" }, " ", soFar(player, step))),
  );
}

function opening(state) {
  const school = (name, seat) => {
    const division = t("Division {division}", state.game.view.players[seat]);
    const about = h("span", { className: "small muted" }, division);
    return h("li", { className: "card wrap" }, h("strong", {}, name), h("br"), about);
  };
  return [
    h("p", { className: "muted" }, t("The parades are over")),
    h("h1", {}, t("The judges are ready")),
    h("p", {}, t("Nine elements, from the Vanguard Commission to the Samba Theme Song. One of you reads aloud.")),
    h("ul", { className: "choices schools" }, state.game.seats.map(school)),
  ];
}

function reading(state, step) {
  const { name, perfect } = ELEMENTS[keys[step - 1]];
  return [
    h("p", { className: "muted" }, t("Element {step} of {count}", { step, count: keys.length })),
    h("h1", {}, name),
    h("p", { className: "small muted" }, perfect),
    h("div", { className: "cards" }, players(state).map((player, seat) => envelope(state, player, seat, step))),
  ];
}

// `next` is the word for the button that reads one more after `step`.
export const ceremony = {
  steps: keys.length,
  opening,
  reading,
  next: (step) => (step ? t("Next: {element}", { element: ELEMENTS[keys[step]].short }) : t("Read the first mark")),
  last: () => t("And the champion is …"),
};

const soloResult = (state) => state.game.outcome.detail.solo_result;

export function headline(state, best) {
  const solo = soloResult(state);
  if (!solo) return best.length > 1 ? t("They share the victory") : t("Champion of Carnaval");
  return {
    champion: t("Champion of the Special division!"),
    promoted: t("Promoted"),
    stays: t("Stays in the division"),
    relegated: t("Relegated"),
  }[solo.result];
}

export const won = (state) => {
  const solo = soloResult(state);
  return !solo || ["champion", "promoted"].includes(solo.result);
};

// What is said of a school beside its total.
export function about(state, seat) {
  const { perfect_marks: perfect, counters } = players(state)[seat];
  return [
    t("{perfect} perfect", { perfect }),
    t("division {division}", state.game.view.players[seat]),
    counters > 0 && t("−{counters} counters", { counters }),
  ];
}

export function marks(state) {
  const cell = (player, key) => {
    const { score, perfect } = player.elements[key];
    const star = perfect && h("span", { className: "good", title: t("perfect") }, " ★");
    return h("td", { className: "number" }, String(score ?? "–"), star);
  };
  const head = players(state).map((player) => h("th", { scope: "col", className: "number school" }, player.name));
  const row = (key) =>
    h("tr", {}, h("th", { scope: "row" }, ELEMENTS[key].short), players(state).map((player) => cell(player, key)));
  const last = (words, said) => {
    const cells = players(state).map((player) => h("td", { className: "number" }, said(player)));
    return h("tr", {}, h("th", { scope: "row" }, words), cells);
  };
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Element")), head)),
    h(
      "tbody",
      {},
      keys.map(row),
      players(state).some((player) => player.counters) &&
        last(t("Counters"), ({ counters }) => (counters ? `−${counters}` : "")),
      last(t("Total"), ({ total }) => h("strong", {}, String(total))),
    ),
  );
}

// A school that plays alone takes its career on in the division it has earned.
export function rematch(state) {
  const solo = soloResult(state);
  if (!solo) return null;
  const players = state.game.view.players.map(({ name, table }) => ({ name, table, division: solo.next_division }));
  return { words: t("Next parade: division {next_division}", solo), setup: { players } };
}
