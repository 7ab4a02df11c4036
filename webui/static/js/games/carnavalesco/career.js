// The career of a school that plays alone: the ladder of divisions, every parade on it, and the step to the next one.

import { button, h, s } from "../../dom.js";
import { twice } from "../../log.js";
import { judged, over, revealed, secret } from "../../reveal.js";
import { act } from "../../state.js";
import { n, t } from "../../words.js";
import { LADDER, RESULTS } from "./elements.js";

const ROW = 34;
const [LEFT, STEP] = [40, 54];
const SIGNS = { champion: "★", promoted: "▲", stays: "=", relegated: "▼" };

export const careerOf = ({ game }) => game.scoreboard.career;

// The parades whose marks were heard: one that is judged, but not read aloud yet, tells nothing.
function heard(state) {
  const { parades } = careerOf(state);
  return secret(state) ? parades.slice(0, -1) : parades;
}

// The present parade as the career keeps it, null while it is not judged; or of a parade that no career follows.
export function judgedParade(state) {
  if (!judged(state)) return null;
  return careerOf(state)?.parades.at(-1) || state.game.outcome?.detail.solo_result || null;
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
    result: RESULTS[parade.result],
  });

// The division of the parade after `parades`: of the one that is played, or that was earned; null when none follows.
function standing(state, parades) {
  if (revealed(state)) return over(state) ? null : parades.at(-1).next_division;
  return state.game.view.players[0].division;
}

function chart(state, parades) {
  const { divisions } = LADDER;
  const top = (division) => (divisions.length - 1 - divisions.indexOf(division)) * ROW + ROW / 2;
  const now = standing(state, parades);
  const columns = Math.max(4, parades.length + (now ? 1 : 0));
  const wide = LEFT + columns * STEP;
  const x = (at) => LEFT + at * STEP + STEP / 2;
  const band = { width: "100%", height: ROW - 2, rx: 8 };
  const rung = (division) => {
    const y = top(division);
    return [
      s("rect", { ...band, y: y - ROW / 2 + 1, class: division === now ? "rung now" : "rung" }),
      s("text", { x: LEFT / 2, y: y + 6, class: "division" }, division),
    ];
  };
  const way = parades.map(({ division, result, next_division: next }, at) => {
    if (at + 1 === parades.length && !now) return null;
    return s("line", { x1: x(at), y1: top(division), x2: x(at + 1), y2: top(next), class: `way ${result}` });
  });
  const point = ({ division, total, result }, at) => [
    s("rect", { x: x(at) - 23, y: top(division) - 13, width: 46, height: 26, rx: 13, class: `point ${result}` }),
    s("text", { x: x(at), y: top(division) + 5, class: "points" }, `${total} ${SIGNS[result]}`),
  ];
  const next = now && s("circle", { cx: x(parades.length), cy: top(now), r: 8, class: "next" });
  const words = parades.length ? parades.map(inWords).join(". ") : t("No parade is judged yet.");
  const told = { role: "img", "aria-label": words };
  const size = { height: divisions.length * ROW };
  const picture = s("svg", { class: "ladder", ...size, ...told }, divisions.map(rung), way, parades.map(point), next);
  picture.style.minWidth = `${wide}px`;
  return h("div", { className: "scroll", tabindex: columns > 4 ? 0 : null }, picture);
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
  const head = [t("Parade"), t("Division"), t("Points"), t("Result")];
  const line = ({ division, total, perfect_marks: perfect, counters, result }, at) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, String(at + 1)),
      h("td", {}, division),
      h(
        "td",
        {},
        h("strong", {}, String(total)),
        h("div", { className: "muted small" }, t("{perfect} perfect", { perfect })),
        counters > 0 && h("div", { className: "counter small" }, n(counters, "−{count} counter", "−{count} counters")),
      ),
      h("td", {}, `${SIGNS[result]} ${RESULTS[result]}`),
    );
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

// What can follow a parade that was judged; `after` is called once it is done. Nothing when no parade follows.
export function steps(state, after = () => {}) {
  if (state.game.view.phase !== "between") return null;
  const make = (move) => async () => {
    const answer = await act("/api/moves", { move: { move } });
    if (answer.ok) after();
  };
  const words = t("Parade {number}, in division {next_division}", {
    number: state.game.view.parade + 1,
    ...judgedParade(state),
  });
  return [
    button({ className: "main", id: "next-parade", "data-key": "next-parade", onclick: make("next_parade") }, words),
    twice(t("End the career"), t("Really end the career?"), make("retire"), { id: "retire", "data-key": "retire" }),
  ];
}
