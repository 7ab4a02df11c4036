// The result of a game: the champion, the places, all marks in one table.

import { button, h } from "./dom.js";
import { reveal } from "./reveal.js";
import { ELEMENTS, t } from "./words.js";

const keys = Object.keys(ELEMENTS);
const TINTS = ["#A8125A", "#F2B705", "#158466", "#2E5EAA", "#E8621A", "#7B3FA0"];

export const players = (state) => state.game.scoreboard.players;

function confetti() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  const pieces = Array.from({ length: 48 }, (_, at) => {
    const piece = h("i");
    piece.style.left = `${(at * 61) % 100}%`;
    piece.style.background = TINTS[at % TINTS.length];
    piece.style.animationDelay = `${(at * 37) % 900}ms`;
    return piece;
  });
  const rain = h("div", { className: "confetti", "aria-hidden": "true" }, pieces);
  setTimeout(() => rain.remove(), 5000);
  return rain;
}

function headline(solo, best) {
  if (!solo) return best.length > 1 ? t("They share the victory") : t("Champion of Carnaval");
  return {
    champion: t("Champion of the Special division!"),
    promoted: t("Promoted"),
    stays: t("Stays in the division"),
    relegated: t("Relegated"),
  }[solo.result];
}

function ranking(state) {
  const { outcome, seats, view } = state.game;
  let rank = 1;
  const line = (seat, here) => {
    const { perfect_marks: perfect, counters, total } = players(state)[seat];
    const about = [
      t("{perfect} perfect", { perfect }),
      t("division {division}", view.players[seat]),
      counters > 0 && t("−{counters} counters", { counters }),
    ];
    const words = h("span", { className: "small muted" }, about.filter(Boolean).join(" · "));
    return h(
      "li",
      {},
      h("span", { className: "place" }, view.solo ? "" : `${here}.`),
      h("span", { className: "name" }, h("strong", {}, seats[seat]), h("br"), words),
      h("span", { className: "total" }, String(total)),
    );
  };
  const groups = outcome.ranking.map((group) => {
    const here = rank;
    rank += group.length;
    return group.map((seat) => line(seat, here));
  });
  return h("ol", { className: "places" }, groups);
}

function allMarks(state) {
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
  const table = h(
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
  return h(
    "details",
    { className: "card", open: true },
    h("summary", {}, h("strong", {}, t("All marks"))),
    h("div", { className: "scroll" }, table),
  );
}

// `marks`: with the table of all marks, for pages that show no boards.
export function champion(state, { marks = true } = {}) {
  const { outcome, seats, view } = state.game;
  const solo = outcome.detail.solo_result;
  const best = outcome.ranking[0].map((seat) => seats[seat]);
  const won = !solo || ["champion", "promoted"].includes(solo.result);
  return [
    h(
      "div",
      { className: "champion shown" },
      h("div", {}, headline(solo, best)),
      h("h1", {}, best.join(" · ")),
      h("p", {}, outcome.text),
    ),
    won && confetti(),
    ranking(state),
    marks && allMarks(state),
    (view.notes || []).map((note) => h("p", { className: "card notice small" }, note)),
  ];
}

// The marks are a secret until they were read aloud, or somebody does not want to wait.
export function showResult(state, changed) {
  const tell = () => {
    reveal(state);
    changed();
  };
  return h(
    "p",
    { className: "row" },
    h("a", { className: "button", href: "/end" }, t("Read the marks one by one")),
    button({ id: "show-result", onclick: tell }, t("Show the result")),
  );
}
