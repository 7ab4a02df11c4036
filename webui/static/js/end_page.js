// The end: marks read aloud, element by element, all schools side by side; then the champion.

import { die } from "./die.js";
import { $, button, h, show } from "./dom.js";
import { champion, players } from "./result.js";
import { reveal } from "./reveal.js";
import { mayPlay } from "./seat.js";
import { act, start, state as now, subscribe } from "./state.js";
import { ELEMENTS, t } from "./words.js";

const keys = Object.keys(ELEMENTS);
const RESULT = keys.length + 1;

let step = 0; // elements read so far; RESULT: the champion
let game = null;

const place = (id) => `jurado.reveal.${id}`;

// A page that is loaded again goes on where the judges were.
function remember(state) {
  if ((state.game?.id || null) === game) return;
  game = state.game?.id || null;
  step = Number(sessionStorage.getItem(place(game)) || 0);
}

function go(to) {
  step = to;
  sessionStorage.setItem(place(game), String(step));
  if (step === RESULT) reveal(now());
  render(now());
  window.scrollTo({ top: 0 });
}

function soFar(player) {
  const marks = keys.slice(0, step).reduce((total, key) => total + (player.elements[key].score || 0), 0);
  const sum = String(marks - player.counters).replace("-", "−");
  return player.counters ? t("{sum} so far, counters taken off.", { sum }) : t("{sum} so far.", { sum });
}

function envelope(state, player, seat, key) {
  const mark = player.elements[key];
  const dice = state.game.view.players[seat].elements[key].map((one) => die(state.table.palette, one));
  return h(
    "div",
    { className: `envelope shown ${mark.score === 10 ? "ten" : ""}` },
    h("div", { className: "name" }, player.name),
    h("div", { className: "row" }, dice),
    h("div", { className: "mark" }, String(mark.score ?? "–")),
    h("div", { className: "why small" }, mark.why, h("span", { className: "muted" }, " ", soFar(player))),
  );
}

function opening(state) {
  const school = (name, seat) => {
    const division = t("Division {division}", state.game.view.players[seat]);
    const about = h("span", { className: "small muted" }, division);
    return h("li", { className: "card wrap" }, h("strong", {}, name), h("br"), about);
  };
  return [
    h("p", { className: "muted" }, t("The parades are over")),
    h("h1", {}, t("The judges are ready")),
    h("p", {}, t("Nine elements, from the Vanguard Commission to the Samba Theme Song. One of you reads aloud.")),
    h("ul", { className: "choices schools" }, state.game.seats.map(school)),
  ];
}

function reading(state) {
  const key = keys[step - 1];
  return [
    h("p", { className: "muted" }, t("Element {step} of {count}", { step, count: keys.length })),
    h("h1", {}, ELEMENTS[key].name),
    h("p", { className: "small muted" }, ELEMENTS[key].perfect),
    h("div", { className: "cards" }, players(state).map((player, seat) => envelope(state, player, seat, key))),
  ];
}

// A school that plays alone takes its career on in the division it has earned.
function nextParade(state, solo) {
  const players = state.game.view.players.map(({ name, table }) => ({ name, table, division: solo.next_division }));
  return { players };
}

function bar(state) {
  const next = { className: "main", id: "next", "data-key": "next", onclick: () => go(step + 1) };
  if (step === 0) return [button(next, t("Read the first mark"))];
  if (step < keys.length) {
    const skip = { className: "plain", id: "all", onclick: () => go(RESULT) };
    const element = ELEMENTS[keys[step]].short;
    return [button(next, t("Next: {element}", { element })), button(skip, t("Straight to the result"))];
  }
  if (step === keys.length) return [button(next, t("And the champion is …"))];
  const solo = state.game.outcome.detail.solo_result;
  const again = async () => {
    const answer = await act("/api/games", { rematch: true, setup: solo ? nextParade(state, solo) : {} });
    if (answer.ok) location.assign("/?new");
  };
  const words = solo ? t("Next parade: division {next_division}", solo) : t("Again, the same people");
  return [
    mayPlay(state.you) && button({ className: "main", id: "rematch", onclick: again }, words),
    h(
      "div",
      { className: "row" },
      button({ onclick: () => go(0) }, t("Read them again")),
      h("a", { className: "button", href: "/new" }, t("Another game")),
    ),
  ];
}

function notYet(state) {
  return [
    h("h1", {}, t("Not yet")),
    h("p", {}, state.game ? t("The judges speak when every board is full.") : t("No game is open.")),
    h("p", {}, h("a", { className: "button", href: "/" }, t("To the table"))),
  ];
}

function render(state) {
  remember(state);
  const ended = Boolean(state.game?.outcome);
  show($("judge"), [ended, step, state.game?.scoreboard, state.table.palette], () => {
    if (!ended) return notYet(state);
    if (step === 0) return opening(state);
    return step <= keys.length ? reading(state) : champion(state);
  });
  $("bar").hidden = !ended;
  show($("bar-inner"), [ended, step, state.you], () => (ended ? bar(state) : []));
}

subscribe(render);
start();
