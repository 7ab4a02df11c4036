// The result of a game: the champion, the places, all marks.

import { partOf } from "./part.js";
import { h } from "./dom.js";
import { number, t } from "./words.js";

const TINTS = ["#A8125A", "#F2B705", "#158466", "#2E5EAA", "#E8621A", "#7B3FA0"];

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

function ranking(state, part) {
  const { seats } = state.game;
  const outcome = part.verdict(state);
  let rank = 1;
  const line = (seat, here) => {
    const about = (part.about?.(state, seat) || []).filter(Boolean).join(" · ");
    return h(
      "li",
      {},
      h("span", { className: "place" }, seats.length > 1 ? `${here}.` : part.emblem(state, seat)),
      h(
        "span",
        { className: "name" },
        seats.length > 1 && part.emblem(state, seat),
        h("strong", {}, seats[seat]),
        about && [h("br"), h("span", { className: "small muted" }, about)],
      ),
      h("span", { className: "total" }, number(outcome.detail.totals?.[seat] ?? "")),
    );
  };
  const groups = outcome.ranking.map((group) => {
    const here = rank;
    rank += group.length;
    return group.map((seat) => line(seat, here));
  });
  return h("ol", { className: "places" }, groups);
}

// `marks`: with all marks, for pages that do not show them otherwise. `part` is the game's own part of the pages.
export function champion(state, part, { marks = true } = {}) {
  const { seats, view } = state.game;
  const outcome = part.verdict(state);
  const best = outcome.ranking[0].map((seat) => seats[seat]);
  const all = marks && part.marks(state);
  return [
    h(
      "div",
      { className: `champion shown ${part.won(state) ? "" : "calm"}` },
      h("div", {}, part.headline(state, best)),
      h("h1", {}, outcome.ranking[0].map((seat) => part.emblem(state, seat)), best.join(" · ")),
      h("p", {}, outcome.text),
    ),
    part.won(state) && confetti(),
    ranking(state, part),
    part.story(state),
    all &&
      h(
        "details",
        { className: "card", open: true },
        h("summary", {}, h("strong", {}, t("All marks"))),
        h("div", { className: "scroll" }, all),
      ),
    (view.notes || []).map((note) => h("p", { className: "card notice small" }, note)),
  ];
}

// What is read now: after `step` marks; with one more than there are, the champion. `told` goes on to `champion`.
export function ceremony(state, part, step, told = {}) {
  if (!part.ceremony || step > part.ceremony.steps(state)) return champion(state, part, told);
  return step === 0 ? part.ceremony.opening(state) : part.ceremony.reading(state, step);
}
