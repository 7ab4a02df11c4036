// The end: marks read aloud, element by element, all schools side by side; then the champion.

import { die } from "./die.js";
import { $, h, show } from "./dom.js";
import { mayPlay } from "./seat.js";
import { act, start, state as now, subscribe } from "./state.js";
import { ELEMENTS } from "./words.js";

const keys = Object.keys(ELEMENTS);
let step = 0; // elements read so far; one more than there are: the champion
let game = null;

const place = (id) => `jurado.reveal.${id}`;

function remember(state) {
  if (state.game?.id === game) return;
  game = state.game?.id || null;
  step = Number(sessionStorage.getItem(place(game)) || 0);
}

function go(to) {
  step = to;
  sessionStorage.setItem(place(game), String(step));
  render(now());
  window.scrollTo({ top: 0 });
}

const players = (state) => state.game.scoreboard.players;
const soFar = (player, count) => keys.slice(0, count).reduce((sum, key) => sum + (player.elements[key].score || 0), 0);

function envelope(state, player, seat, key) {
  const mark = player.elements[key];
  return h(
    "div",
    { className: `envelope shown ${mark.score === 10 ? "ten" : ""}` },
    h("div", { className: "name" }, player.name),
    h("div", { className: "row dice-row" }, state.game.view.players[seat].elements[key].map((one) => die(state.table.palette, one))),
    h("div", { className: "mark" }, String(mark.score ?? "–")),
    h("div", { className: "why small" }, mark.why, h("span", { className: "muted" }, ` ${soFar(player, keys.indexOf(key) + 1)} so far.`)),
  );
}

function reading(state) {
  const key = keys[step - 1];
  return [
    h("p", { className: "muted" }, `Element ${step} of ${keys.length}`),
    h("h1", {}, ELEMENTS[key].name),
    h("p", { className: "small muted" }, ELEMENTS[key].perfect),
    h("div", { className: "cards" }, players(state).map((player, seat) => envelope(state, player, seat, key))),
  ];
}

function confetti() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return null;
  const tints = ["#A8125A", "#F2B705", "#158466", "#2E5EAA", "#E8621A", "#7B3FA0"];
  const rain = h("div", { className: "confetti", "aria-hidden": "true" }, Array.from({ length: 48 }, () => h("i")));
  [...rain.children].forEach((piece, at) => {
    piece.style.left = `${(at * 61) % 100}%`;
    piece.style.background = tints[at % tints.length];
    piece.style.animationDelay = `${(at * 37) % 900}ms`;
  });
  setTimeout(() => rain.remove(), 5000);
  return rain;
}

const SOLO = {
  champion: "Champion of the Special division!",
  promoted: "Promoted",
  stays: "Stays in the division",
  relegated: "Relegated",
};

function champion(state) {
  const { outcome, seats, view } = state.game;
  const solo = outcome.detail.solo_result;
  const best = outcome.ranking[0].map((seat) => seats[seat]);
  const won = !solo || ["champion", "promoted"].includes(solo.result);
  let rank = 1;
  return [
    h(
      "div",
      { className: "champion shown" },
      h("div", {}, solo ? SOLO[solo.result] : best.length > 1 ? "They share the victory" : "Champion of Carnaval"),
      h("h1", {}, best.join(" and ")),
      h("p", {}, outcome.text),
      solo && h("p", {}, `Next parade: division ${solo.next_division}.`),
    ),
    won && confetti(),
    h(
      "ol",
      { className: "places" },
      outcome.ranking.map((group) => {
        const here = rank;
        rank += group.length;
        return group.map((seat) =>
          h(
            "li",
            {},
            h("span", { className: "place" }, `${here}.`),
            h("span", { className: "name" }, h("strong", {}, seats[seat]), h("br"), h("span", { className: "small muted" }, `${players(state)[seat].perfect_marks} perfect · division ${view.players[seat].division}${players(state)[seat].counters ? ` · −${players(state)[seat].counters} counters` : ""}`)),
            h("span", { className: "total" }, String(players(state)[seat].total)),
          ),
        );
      }),
    ),
    table(state),
    view.notes?.map((note) => h("p", { className: "card notice small" }, note)),
  ];
}

function table(state) {
  return h(
    "details",
    { className: "card", open: true },
    h("summary", {}, h("strong", {}, "All marks")),
    h(
      "div",
      { className: "scroll" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Element"), players(state).map((player) => h("th", { scope: "col", className: "number wrap" }, player.name)))),
        h("tbody", {}, keys.map((key) => h("tr", {}, h("th", { scope: "row" }, ELEMENTS[key].short), players(state).map((player) => h("td", { className: "number" }, String(player.elements[key].score ?? "–"), player.elements[key].perfect && h("span", { className: "good", title: "perfect" }, " ★")))))),
      ),
    ),
  );
}

function bar(state) {
  if (step === 0) return [h("button", { type: "button", className: "main", id: "next", onclick: () => go(1) }, "Read the first mark")];
  if (step < keys.length) {
    return [
      h("button", { type: "button", className: "main", id: "next", "data-key": "next", onclick: () => go(step + 1) }, `Next: ${ELEMENTS[keys[step]].short}`),
      h("button", { type: "button", className: "plain", id: "all", onclick: () => go(keys.length + 1) }, "Straight to the result"),
    ];
  }
  if (step === keys.length) return [h("button", { type: "button", className: "main", id: "next", "data-key": "next", onclick: () => go(step + 1) }, "And the champion is …")];
  const again = async () => {
    const answer = await act("/api/games", { rematch: true });
    if (answer.ok) location.assign("/?new");
  };
  return [
    mayPlay(state.you) && h("button", { type: "button", className: "main", id: "rematch", onclick: again }, "Again, the same people"),
    h("div", { className: "row" }, h("button", { type: "button", onclick: () => go(0) }, "Read them again"), h("a", { className: "button", href: "/new" }, "Another game")),
  ];
}

function render(state) {
  remember(state);
  const ended = Boolean(state.game?.outcome);
  show($("judge"), [ended, step, state.game?.scoreboard, state.table.palette], () => {
    if (!ended) return [h("h1", {}, "Not yet"), h("p", {}, state.game ? "The judges speak when every board is full." : "No game is open."), h("p", {}, h("a", { className: "button", href: "/" }, "To the table"))];
    if (step === 0) return [h("p", { className: "muted" }, "The parades are over"), h("h1", {}, "The judges are ready"), h("p", {}, "Nine elements, from the Vanguard Commission to the Samba Theme Song. One of you reads aloud."), h("ul", { className: "choices schools" }, state.game.seats.map((name, seat) => h("li", { className: "card wrap" }, h("strong", {}, name), h("br"), h("span", { className: "small muted" }, `Division ${state.game.view.players[seat].division}`))))];
    return step <= keys.length ? reading(state) : champion(state);
  });
  $("bar").hidden = !ended;
  show($("bar-inner"), [ended, step, state.you], () => (ended ? bar(state) : []));
}

subscribe(render);
start();
