// The end: marks read aloud, one after the other, where a game is judged so; then the champion.

import { $, button, h, show } from "./dom.js";
import { partOf } from "./part.js";
import { champion } from "./result.js";
import { reveal } from "./reveal.js";
import { mayPlay } from "./seat.js";
import { act, start, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

let step = 0; // marks read so far; one more than there are: the champion
let game = null;

const place = (id) => `jurado.reveal.${id}`;
const last = (part) => (part.ceremony ? part.ceremony.steps + 1 : 0);

// A page that is loaded again goes on where the judges were.
function remember(state) {
  if ((state.game?.id || null) === game) return;
  game = state.game?.id || null;
  step = Number(sessionStorage.getItem(place(game)) || 0);
}

function go(part, to) {
  step = to;
  sessionStorage.setItem(place(game), String(step));
  if (step === last(part)) reveal(now());
  render(now());
  window.scrollTo({ top: 0 });
}

function bar(state, part) {
  const { ceremony } = part;
  const next = (words) =>
    button({ className: "main", id: "next", "data-key": "next", onclick: () => go(part, step + 1) }, words);
  if (step < last(part)) {
    if (step === ceremony.steps) return [next(ceremony.last())];
    const skip = { className: "plain", id: "all", onclick: () => go(part, last(part)) };
    return [next(ceremony.next(step)), step > 0 && button(skip, t("Straight to the result"))];
  }
  const other = part.rematch(state);
  const again = async () => {
    const answer = await act("/api/games", { rematch: true, setup: other?.setup || {} });
    if (answer.ok) location.assign("/?new");
  };
  const words = other?.words || t("Again, the same people");
  return [
    mayPlay(state.you) && button({ className: "main", id: "rematch", onclick: again }, words),
    h(
      "div",
      { className: "row" },
      ceremony && button({ onclick: () => go(part, 0) }, t("Read them again")),
      h("a", { className: "button", href: "/new" }, t("Another game")),
    ),
  ];
}

function notYet(state) {
  return [
    h("h1", {}, t("Not yet")),
    h("p", {}, state.game ? t("The marks are told when the game is over.") : t("No game is open.")),
    h("p", {}, h("a", { className: "button", href: "/" }, t("To the table"))),
  ];
}

function render(state) {
  const part = partOf(state, () => render(now()));
  if (!part) return;
  remember(state);
  const ended = Boolean(state.game?.outcome);
  const shown = [ended, step, state.game?.id, state.game?.scoreboard, state.table.palette];
  show($("judge"), shown, () => {
    if (!ended) return notYet(state);
    if (step >= last(part)) return champion(state, part);
    return step === 0 ? part.ceremony.opening(state) : part.ceremony.reading(state, step);
  });
  $("bar").hidden = !ended;
  show($("bar-inner"), [ended, step, state.you], () => (ended ? bar(state, part) : []));
}

subscribe(render);
start();
