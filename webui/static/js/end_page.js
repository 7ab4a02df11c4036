// The end: marks read aloud, element by element, all schools side by side; then the champion.

import { die } from "./die.js";
import { $, button, h, show } from "./dom.js";
import { mayPlay } from "./seat.js";
import { act, start, state as now, subscribe } from "./state.js";
import { ELEMENTS, t } from "./words.js";

const keys = Object.keys(ELEMENTS);
const RESULT = keys.length + 1;
const TINTS = ["#A8125A", "#F2B705", "#158466", "#2E5EAA", "#E8621A", "#7B3FA0"];

let step = 0; // elements read so far; RESULT: the champion
let game = null;

const place = (id) => `jurado.reveal.${id}`;
const players = (state) => state.game.scoreboard.players;

// A page that is loaded again goes on where the judges were.
function remember(state) {
  if ((state.game?.id || null) === game) return;
  game = state.game?.id || null;
  step = Number(sessionStorage.getItem(place(game)) || 0);
}

function go(to) {
  step = to;
  sessionStorage.setItem(place(game), String(step));
  render(now());
  window.scrollTo({ top: 0 });
}

function soFar(player) {
  const sum = keys.slice(0, step).reduce((total, key) => total + (player.elements[key].score || 0), 0);
  return t("{sum} so far.", { sum });
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

function headline(solo, best) {
  if (!solo) return best.length > 1 ? t("They share the victory") : t("Champion of Carnaval");
  return {
    champion: t("Champion of the Special division!"),
    promoted: t("Promoted"),
    stays: t("Stays in the division"),
    relegated: t("Relegated"),
  }[solo.result];
}

function ranking(state) {
  const { outcome, seats, view } = state.game;
  let rank = 1;
  const line = (seat, here) => {
    const { perfect_marks: perfect, counters, total } = players(state)[seat];
    const about = [
      t("{perfect} perfect", { perfect }),
      t("division {division}", view.players[seat]),
      counters > 0 && t("−{counters} counters", { counters }),
    ];
    const words = h("span", { className: "small muted" }, about.filter(Boolean).join(" · "));
    return h(
      "li",
      {},
      h("span", { className: "place" }, view.solo ? "" : `${here}.`),
      h("span", { className: "name" }, h("strong", {}, seats[seat]), h("br"), words),
      h("span", { className: "total" }, String(total)),
    );
  };
  const groups = outcome.ranking.map((group) => {
    const here = rank;
    rank += group.length;
    return group.map((seat) => line(seat, here));
  });
  return h("ol", { className: "places" }, groups);
}

function allMarks(state) {
  const cell = (player, key) => {
    const { score, perfect } = player.elements[key];
    const star = perfect && h("span", { className: "good", title: t("perfect") }, " ★");
    return h("td", { className: "number" }, String(score ?? "–"), star);
  };
  const head = players(state).map((player) => h("th", { scope: "col", className: "number wrap" }, player.name));
  const row = (key) =>
    h("tr", {}, h("th", { scope: "row" }, ELEMENTS[key].short), players(state).map((player) => cell(player, key)));
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("Element")), head)),
    h("tbody", {}, keys.map(row)),
  );
  return h(
    "details",
    { className: "card", open: true },
    h("summary", {}, h("strong", {}, t("All marks"))),
    h("div", { className: "scroll" }, table),
  );
}

function champion(state) {
  const { outcome, seats, view } = state.game;
  const solo = outcome.detail.solo_result;
  const best = outcome.ranking[0].map((seat) => seats[seat]);
  const won = !solo || ["champion", "promoted"].includes(solo.result);
  return [
    h(
      "div",
      { className: "champion shown" },
      h("div", {}, headline(solo, best)),
      h("h1", {}, best.join(" · ")),
      h("p", {}, outcome.text),
    ),
    won && confetti(),
    ranking(state),
    allMarks(state),
    (view.notes || []).map((note) => h("p", { className: "card notice small" }, note)),
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
