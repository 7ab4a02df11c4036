// The end: marks read aloud, one after the other, where a game is judged so; then the champion.

import { $, button, h, show } from "./dom.js";
import { partOf } from "./part.js";
import { champion } from "./result.js";
import { hearing, judged, over, reveal } from "./reveal.js";
import { mayPlay } from "./seat.js";
import { act, start, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

let step = 0; // marks read so far; one more than there are: the champion
let heard = null; // what `step` belongs to

const place = (what) => `jurado.reveal.${what}`;
const last = (state, part) => (part.ceremony ? part.ceremony.steps(state) + 1 : 0);

// A page that is loaded again goes on where the judges were.
function remember(state) {
  const now = judged(state) ? hearing(state) : null;
  if (now === heard) return;
  heard = now;
  step = Number(sessionStorage.getItem(place(heard)) || 0);
}

function go(part, to) {
  step = to;
  sessionStorage.setItem(place(heard), String(step));
  if (step === last(now(), part)) reveal(now());
  render(now());
  window.scrollTo({ top: 0 });
}

function bar(state, part) {
  const { ceremony } = part;
  const next = (words) =>
    button({ className: "main", id: "next", "data-key": "next", onclick: () => go(part, step + 1) }, words);
  const end = last(state, part);
  if (step < end) {
    if (step + 1 === end) return [next(ceremony.last(state))];
    const skip = { className: "plain", id: "all", onclick: () => go(part, end) };
    return [next(ceremony.next(state, step)), step > 0 && button(skip, t("Straight to the result"))];
  }
  const replay = ceremony && button({ id: "replay", onclick: () => go(part, 0) }, t("Read them again"));
  if (!over(state)) {
    const table = h("a", { className: "button", href: "/" }, t("To the table"));
    const further = mayPlay(state.you) && part.goesOn(state, () => location.assign("/"));
    return [further, h("div", { className: "row" }, replay, table)];
  }
  const other = part.rematch(state);
  const again = async () => {
    const answer = await act("/api/games", { rematch: true, setup: other?.setup || {} });
    if (answer.ok) location.assign("/?new");
  };
  const words = other?.words || t("Again, the same people");
  return [
    mayPlay(state.you) &&
      (other?.href
        ? h("a", { className: "button main", id: "rematch", href: other.href }, words)
        : button({ className: "main", id: "rematch", onclick: again }, words)),
    h(
      "div",
      { className: "row" },
      replay,
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
  const ended = judged(state);
  const shown = [ended, step, state.game?.id, state.game?.scoreboard, state.table.palette];
  show($("judge"), shown, () => {
    if (!ended) return notYet(state);
    if (step >= last(state, part)) return champion(state, part);
    return step === 0 ? part.ceremony.opening(state) : part.ceremony.reading(state, step);
  });
  $("bar").hidden = !ended;
  show($("bar-inner"), [ended, over(state), step, state.you], () => (ended ? bar(state, part) : []));
}

subscribe(render);
start();
