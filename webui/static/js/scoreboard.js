// The marks of any game: a line a player, and under it every point with its reason.

import { h } from "./dom.js";
import { capital, number, t } from "./words.js";

const readable = (key) => capital(String(key).replace(/_/g, " "));
const POINTS = ["score", "points", "total", "mark", "stars"];

// Every part of a player's marks that says why: [what, points, why].
export function reasons(marks, name = "") {
  if (marks === null || typeof marks !== "object") return [];
  const points = POINTS.map((key) => marks[key]).find((value) => typeof value === "number");
  const here = name && typeof marks.why === "string" && marks.why ? [[name, points, marks.why]] : [];
  // Several reasons at once, each for the points of that name beside them.
  const several = marks.why && typeof marks.why === "object" ? Object.entries(marks.why) : [];
  const named = several.map(([what, why]) => [what, marks[what], why]);
  const rest = Object.entries(marks).filter(([key]) => key !== "why");
  const parts = rest.flatMap(([key, value]) => reasons(value, Array.isArray(marks) ? value?.name || name : key));
  return [...here, ...named, ...parts];
}

function line([what, points, why], names) {
  const sum = typeof points !== "number" ? null : h("strong", { className: "points" }, number(points));
  return h("li", {}, h("span", {}, names[what] || readable(what), " "), sum, h("span", { className: "muted why" }, why));
}

// `names` are words for the keys of the marks; without them a key says what it can.
export function scoreboard({ game }, names = {}) {
  const players = game.scoreboard?.players;
  if (!Array.isArray(players)) return null;
  const one = (player, seat) => {
    const why = reasons(player);
    const head = [
      h("span", { className: "name wrap" }, player.name ?? game.seats[seat]),
      player.total !== undefined && h("span", { className: "total" }, number(player.total)),
    ];
    const about = typeof player.why === "string" && player.why && h("p", { className: "small muted" }, player.why);
    if (!why.length) return h("li", { "data-player": seat }, h("div", { className: "row spread" }, head), about);
    return h(
      "li",
      { "data-player": seat },
      h("details", {}, h("summary", { className: "spread" }, head), about, h("ul", { className: "reasons small" }, why.map((one) => line(one, names)))),
    );
  };
  return [h("h2", {}, t("Points, and why")), h("ol", { className: "scores", id: "scores" }, players.map(one))];
}
