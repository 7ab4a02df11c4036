// The career of a school that plays alone: the ladder of divisions, every parade on it, and the step to the next one.

import { button, h, s } from "../../dom.js";
import { twice } from "../../log.js";
import { judged, over, revealed, secret } from "../../reveal.js";
import { act } from "../../state.js";
import { n, t } from "../../words.js";
import { LADDER, RESULTS } from "./elements.js";

const ROW = 34;
const [LEFT, STEP, COLUMNS] = [40, 54, 5];
const WIDE = LEFT + COLUMNS * STEP + 4;
const SIGNS = { champion: "★", promoted: "▲", stays: "=", relegated: "▼" };

export const careerOf = ({ game }) => game.scoreboard.career;

// The parades whose marks were heard: one that is judged, but not read aloud yet, tells nothing.
function heard(state) {
  const { parades } = careerOf(state);
  return secret(state) ? parades.slice(0, -1) : parades;
}

// What a parade came to, as it is told: nobody goes down from the lowest division.
export function resultOf({ division, next_division: next, result }) {
  return result === "relegated" && next === division ? "stays" : result;
}

// The present parade as the career keeps it, null while it is not judged; or of a parade that no career follows.
export function judgedParade(state) {
  if (!judged(state)) return null;
  const alone = state.game.outcome?.detail.solo_result;
  const { division } = state.game.view.players[0];
  return careerOf(state)?.parades.at(-1) || (alone ? { division, ...alone } : null);
}

export function paradeWords(state) {
  const { most_parades: most } = careerOf(state);
  const number = state.game.view.parade;
  return most === null ? t("Parade {number}", { number }) : t("Parade {number} of {most}", { number, most });
}

const inWords = (parade, at) =>
  t("Parade {number}: division {division}, {total} points, {result}", {
    number: at + 1,
    ...parade,
    result: RESULTS[resultOf(parade)],
  });

// The division of the parade after `parades`: of the one that is played, or that was earned; null when none follows.
function standing(state, parades) {
  if (revealed(state)) return over(state) ? null : parades.at(-1).next_division;
  return state.game.view.players[0].division;
}

// The newest parades on their rungs, from left to right, and where the next one is; all of them are in the table below.
function chart(state, parades) {
  const { divisions } = LADDER;
  const high = divisions.length * ROW;
  const now = standing(state, parades);
  const left = Math.max(0, parades.length - COLUMNS + (now ? 1 : 0)); // earlier ones that have no room
  const shown = parades.slice(left);
  const x = (at) => LEFT + at * STEP + STEP / 2;
  const y = (division) => high - (divisions.indexOf(division) + 0.5) * ROW;
  const rung = (division) => {
    const band = { y: y(division) - ROW / 2 + 1, width: WIDE, height: ROW - 2, rx: 8 };
    return [
      s("rect", { ...band, class: division === now ? "rung now" : "rung" }),
      s("text", { x: LEFT / 2, y: y(division) + 6, class: "division" }, division),
    ];
  };
  // What comes from a parade that has no room begins half way.
  const to = (at, from, division, result) => {
    const start = at > 0 ? { x1: x(at - 1), y1: y(from) } : { x1: LEFT, y1: (y(from) + y(division)) / 2 };
    return s("line", { ...start, x2: x(at), y2: y(division), class: `way ${result}` });
  };
  const way = parades.map((parade, at) => {
    const next = parades[at + 1]?.division || now;
    return at >= left - 1 && next ? to(at + 1 - left, parade.division, next, resultOf(parade)) : null;
  });
  const point = (parade, at) => {
    const { division, total } = parade;
    const result = resultOf(parade);
    return [
      s("rect", { x: x(at) - 23, y: y(division) - 13, width: 46, height: 26, rx: 13, class: `point ${result}` }),
      s("text", { x: x(at), y: y(division) + 5, class: "points" }, `${total} ${SIGNS[result]}`),
    ];
  };
  const columns = shown.length + (now ? 1 : 0);
  const number = (_, at) => s("text", { x: x(at), y: high + 16, class: "parade" }, String(left + at + 1));
  const words = parades.length ? parades.map(inWords).join(". ") : t("No parade is judged yet.");
  return s(
    "svg",
    { class: "ladder", viewBox: `0 0 ${WIDE} ${high + 20}`, role: "img", "aria-label": words },
    divisions.map(rung),
    way,
    shown.map(point),
    now && s("circle", { cx: x(shown.length), cy: y(now), r: 8, class: "next" }),
    Array.from({ length: columns }, number),
  );
}

function rules() {
  const { first, second, relegated } = LADDER;
  const stays = { low: relegated + 1, high: second - 1 };
  const last = LADDER.divisions.at(-1);
  return [
    t("{second} points or more: up a division.", { second }),
    t("{low} to {high}: stays.", stays),
    t("{relegated} or less: down.", { relegated }),
    t("{first} or more in {last}: champion.", { first, last }),
  ].join(" ");
}

function table(parades) {
  const head = [t("Parade"), t("Division"), t("Points")];
  const line = (parade, at) => {
    const { division, total, perfect_marks: perfect, counters } = parade;
    const result = resultOf(parade);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, String(at + 1)),
      h("td", {}, division),
      h(
        "td",
        {},
        h("strong", {}, String(total)),
        ` ${SIGNS[result]} ${RESULTS[result]}`,
        h("div", { className: "muted small" }, t("{perfect} perfect", { perfect })),
        counters > 0 && h("div", { className: "counter small" }, n(counters, "−{count} counter", "−{count} counters")),
      ),
    );
  };
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, head.map((words) => h("th", { scope: "col" }, words)))),
    h("tbody", {}, parades.map(line)),
  );
}

// A strip of the next division that is still to be copied: best done before the parade.
function lacksStrip(state) {
  const { view } = state.game;
  const parade = judgedParade(state);
  if (over(state) || !parade || view.players[0].table !== "user") return null;
  if (view.strips.includes(parade.next_division)) return null;
  const words = t("The printed strip of division {next_division} is not copied yet.", parade);
  const link = h("a", { href: `/strips?division=${parade.next_division}` }, t("Copy it"));
  return h("p", { className: "small doubt" }, words, " ", link);
}

// The ladder with every parade on it; nothing for a game of one parade.
export function ladder(state) {
  const career = careerOf(state);
  if (!career) return null;
  const parades = heard(state);
  return [
    chart(state, parades),
    h("p", { className: "small muted" }, rules()),
    lacksStrip(state),
    parades.length > 0 && h("details", {}, h("summary", { className: "small" }, t("All parades")), table(parades)),
  ];
}

export function card(state) {
  const inside = ladder(state);
  return inside && h("section", { className: "card career", id: "career" }, h("h2", {}, t("The career")), inside);
}

let opened = false; // outlives what is drawn anew

// The same, folded up, beside a board that is being filled.
export function folded(state) {
  if (!careerOf(state)) return null;
  const { division } = state.game.view.players[0];
  const words = t("The career: {parade}, division {division}", { parade: paradeWords(state), division });
  const toggle = (event) => {
    opened = event.target.open;
  };
  return h(
    "details",
    { className: "card career", id: "career", open: opened, ontoggle: toggle },
    h("summary", {}, h("strong", {}, words)),
    ladder(state),
  );
}

// What can follow a parade that was judged; `after` is called once the next one has begun. Nothing when none follows.
export function steps(state, after = () => {}) {
  if (state.game.view.phase !== "between") return null;
  const begin = async () => {
    const answer = await act("/api/moves", { move: { move: "next_parade" } });
    if (answer.ok) after();
  };
  const retire = () => act("/api/moves", { move: { move: "retire" } });
  const words = t("Parade {number}, in division {next_division}", {
    number: state.game.view.parade + 1,
    ...judgedParade(state),
  });
  return [
    button({ className: "main", id: "next-parade", "data-key": "next-parade", onclick: begin }, words),
    twice(t("End the career"), t("Really end the career?"), retire, { id: "retire", "data-key": "retire" }),
  ];
}
