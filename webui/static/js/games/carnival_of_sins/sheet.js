// The sheet of the seven rounds: points of each player, the Devil of each round, and the reasons as far as they are told.

import { h } from "../../dom.js";
import { number, shortNames, t } from "../../words.js";
import { devil, sinWords } from "./words.js";

function rows(state) {
  const { view, seats } = state.game;
  const line = (at) => {
    const row = view.sheet[at];
    const current = at + 1 === view.round && !row && view.phase !== "finished";
    const cell = (_, seat) => {
      const holds = row ? row.devil === seat : current && view.devil === seat;
      return h("td", { className: "number" }, row ? number(row.scores[seat]) : current && holds ? "" : "·", holds && devil());
    };
    return h("tr", { className: current ? "now" : "" }, h("th", { scope: "row" }, String(at + 1)), seats.map(cell));
  };
  return Array.from({ length: view.rounds }, (_, at) => line(at));
}

// What each has played so far, where the table has asked to be told.
function played({ game: { view } }) {
  if (view.phase === "finished") return null;
  const told = view.players.filter((player) => player.played?.length);
  const line = ({ name, played: sins }) => h("li", {}, t("{name}: {sin}", { name, sin: sins.map(sinWords).join(", ") }));
  return told.length > 0 && [h("h2", {}, t("Played so far")), h("ul", { className: "bare small", id: "played" }, told.map(line))];
}

const toldRounds = ({ game: { view } }) => view.sheet.filter((row) => row.sins);

const round = ({ game: { seats } }, row) =>
  h(
    "li",
    {},
    h("strong", {}, t("Round {round}, white die {white}", row)),
    h("ul", { className: "reasons" }, row.why.map((why, seat) => h("li", {}, h("span", {}, `${seats[seat]}: ${sinWords(row.sins[seat])}`), h("strong", {}, number(row.scores[seat])), h("span", { className: "muted why" }, why)))),
    row.next_devil_why && h("p", { className: "small muted" }, row.next_devil_why),
  );

// The reasons of the last round that is told, for a screen that nobody touches.
export function lastReasons(state) {
  const last = toldRounds(state).at(-1);
  return last && h("div", { id: "why" }, h("h2", {}, t("Why these points")), h("ul", { className: "bare" }, round(state, last)));
}

function reasons(state) {
  if (!state.game.view.sheet.length) return null;
  const told = toldRounds(state);
  if (!told.length) {
    return h("p", { className: "small muted" }, t("What was played stays hidden until the end: to remember it is part of the game."));
  }
  return h(
    "details",
    { className: "card", open: told.length === 1, id: "why" },
    h("summary", {}, h("strong", {}, t("Why these points"))),
    h("ul", { className: "bare small" }, [...told].reverse().map((row) => round(state, row))),
  );
}

export function sheet(state, { title = true, why = true } = {}) {
  const { seats, scoreboard } = state.game;
  const short = shortNames(seats);
  const head = seats.map((name, seat) => h("th", { scope: "col", className: "number school", title: name, "aria-label": name }, short[seat]));
  const totals = scoreboard.players.map(({ total }) => h("td", { className: "number" }, h("strong", {}, number(total))));
  return [
    title && h("h2", {}, t("The sheet")),
    h(
      "div",
      { className: "scroll" },
      h(
        "table",
        { id: "sheet", className: "tight short" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col", className: "school" }, t("Round")), head)),
        h("tbody", {}, rows(state), h("tr", {}, h("th", { scope: "row" }, t("Total")), totals)),
      ),
    ),
    why && reasons(state),
    played(state),
  ];
}
