// The sheet of the seven rounds: points of each player, the Devil of each round, and the reasons as far as they are told.

import { h } from "../../dom.js";
import { t } from "../../words.js";
import { sinWords } from "./words.js";

const number = (value) => String(value).replace("-", "−");

function rows(state) {
  const { view, seats } = state.game;
  const devil = () => h("span", { role: "img", "aria-label": t("Devil"), title: t("Devil") }, " ♆");
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

function reasons(state) {
  const { view, seats } = state.game;
  const last = view.sheet.at(-1);
  if (!last) return null;
  const told = view.sheet.filter((row) => row.sins);
  const round = (row) =>
    h(
      "li",
      {},
      h("strong", {}, t("Round {round}, white die {white}", row)),
      h("ul", { className: "reasons" }, row.why.map((why, seat) => h("li", {}, h("span", {}, `${seats[seat]}: ${sinWords(row.sins[seat])}`), h("strong", {}, number(row.scores[seat])), h("span", { className: "muted why" }, why)))),
      row.next_devil_why && h("p", { className: "small muted" }, row.next_devil_why),
    );
  if (!told.length) {
    return h("p", { className: "small muted" }, t("What was played stays hidden until the end: to remember it is part of the game."));
  }
  return h(
    "details",
    { className: "card", open: told.length === 1, id: "why" },
    h("summary", {}, h("strong", {}, t("Why these points"))),
    h("ul", { className: "bare small" }, [...told].reverse().map(round)),
  );
}

export function sheet(state, { title = true } = {}) {
  const { seats, scoreboard } = state.game;
  const head = seats.map((name) => h("th", { scope: "col", className: "number school" }, name));
  const totals = scoreboard.players.map(({ total }) => h("td", { className: "number" }, h("strong", {}, number(total))));
  return [
    title && h("h2", {}, t("The sheet")),
    h(
      "div",
      { className: "scroll" },
      h(
        "table",
        { id: "sheet" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Round")), head)),
        h("tbody", {}, rows(state), h("tr", {}, h("th", { scope: "row" }, t("Total")), totals)),
      ),
    ),
    reasons(state),
  ];
}
