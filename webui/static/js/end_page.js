// The end: marks read aloud, one after the other, where a game is judged so; then the champion.

import { $, button, h, show } from "./dom.js";
import { partOf } from "./part.js";
import { ceremony } from "./result.js";
import { judged, over, reveal, revealed } from "./reveal.js";
import { mayPlay } from "./seat.js";
import { act, start, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

let rereads = null; // the mark that this phone reads once more, by itself; null: it is in step with the table
let waits = false; // until the table has answered

const last = (state, part) => (part.ceremony ? part.ceremony.steps(state) + 1 : 0);

// Marks read so far; one more than there are: the champion.
function at(state, part) {
  if (rereads !== null) return rereads;
  return revealed(state) ? last(state, part) : state.game.heard.step;
}

async function go(part, to) {
  const state = now();
  window.scrollTo({ top: 0 });
  if (rereads !== null || revealed(state)) {
    rereads = to === last(state, part) ? null : to;
    render(state);
    return;
  }
  waits = true;
  render(state);
  // Who presses second finds the mark read already, and that is what was meant.
  await act("/api/ceremony", { step: to }, ({ status }) => (status === 409 ? "" : null));
  waits = false;
  render(now());
}

// Straight to the result, on this phone alone.
function look() {
  rereads = null;
  reveal(now());
  render(now());
}

function bar(state, part) {
  const { ceremony } = part;
  const step = at(state, part);
  const next = (words) =>
    button({ className: "main", id: "next", "data-key": "next", disabled: waits, onclick: () => go(part, step + 1) }, words);
  const end = last(state, part);
  if (step < end) {
    const skip = button({ className: "plain", id: "all", "data-key": "all", onclick: look }, t("Straight to the result"));
    if (rereads === null && !state.you.joined) return [h("p", { className: "muted small" }, t("The table reads the marks; this page follows.")), skip];
    if (step + 1 === end) return [next(ceremony.last(state))];
    return [next(ceremony.next(state, step)), skip];
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
  const ended = judged(state);
  if (!ended) rereads = null;
  const step = ended && at(state, part);
  const shown = [ended, step, state.game?.id, state.game?.scoreboard, state.table.palette];
  show($("judge"), shown, () => (ended ? ceremony(state, part, step) : notYet(state)));
  $("bar").hidden = !ended;
  show($("bar-inner"), [ended, over(state), step, rereads, waits, state.you], () => (ended ? bar(state, part) : []));
}

subscribe(render);
start();
