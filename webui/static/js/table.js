// The table page: what to do now, the roll, the boards, and the bar at the thumb.

import * as bases from "./bases.js";
import * as boards from "./board.js";
import { $, button, h, say, show } from "./dom.js";
import * as draft from "./draft.js";
import * as hand from "./hand.js";
import { isTurn, lines, undoLast } from "./log.js";
import { send } from "./net.js";
import { promptWords } from "./prompt.js";
import * as proposal from "./proposal.js";
import { actingSeat, mayPlay, seatLine, waiting, whoWords } from "./seat.js";
import { act, refresh, settle, start, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

let watched = null; // the school whose board was chosen; null: follows the game
let turn = null;
let moment = "";
let sendingPhoto = false;
const expanded = new Set();

const changed = () => render(now());
const over = (view) => ["judging", "finished"].includes(view.phase);

function watch(seat) {
  watched = seat;
  changed();
}

// The seat that this phone drafts for now, or null.
function mySeat({ game, you }) {
  if (game?.view.phase !== "take") return null;
  return actingSeat({ game, you }, game.view.turn) === game.view.turn ? game.view.turn : null;
}

function shownSeat({ game, you }) {
  if (watched !== null && watched < game.seats.length) return watched;
  const mine = you.role === "player" ? you.acting : game.view.turn;
  return mine ?? game.prompt.seat ?? 0;
}

function whoAreYou({ game, you }) {
  if (you.role !== "unseated" || !game) return null;
  const choice = (seat, key, words) => {
    const sit = async () => {
      const answer = await act("/api/join", { seat });
      if (answer.ok) refresh();
    };
    return button({ "data-sit": key, onclick: sit }, words);
  };
  return h(
    "section",
    { className: "card", id: "who" },
    h("h2", {}, t("Who are you?")),
    h(
      "div",
      { className: "choices" },
      game.seats.map((name, at) => choice(at, at, name)),
      choice("all", "all", t("Everybody: one phone for the whole table")),
      choice(null, "watch", t("Nobody: only watch")),
    ),
  );
}

function ready(state) {
  const may = mayPlay(state.you);
  const all = proposal.reading(state, changed, may);
  if (state.proposal.source !== "hand") return all;
  return [proposal.chips(state, state.proposal, changed, may), may && hand.grid(state, changed), all];
}

function work(state) {
  const { game, proposal: reading, you } = state;
  if (!game) return you.joined ? h("a", { className: "button main", href: "/new" }, t("Start a new game")) : null;
  if (reading?.state === "ready") return ready(state);
  if (reading?.state === "capturing" && reading.photo) {
    return h("img", { className: "photo", src: reading.photo, alt: t("The photograph that is being read") });
  }
  if (game.view.phase === "take") return draft.roll(state, mySeat(state) !== null, changed);
  return game.view.phase === "judging" ? bases.missing(state, mayPlay(you)) : null;
}

function boardPart(state) {
  if (!state.game || state.proposal?.state === "ready") return null;
  const { view } = state.game;
  const seat = shownSeat(state);
  const mine = mySeat(state) === seat;
  const placing = mine && draft.drafting().chosen !== null;
  const tapped = (element) => {
    if (placing) draft.tapElement(state, seat, element, changed);
    else {
      if (!expanded.delete(element)) expanded.add(element);
      changed();
    }
  };
  const drafting = mine ? { open: draft.mayGo(state, seat), ghosts: draft.ghosts(state) } : {};
  const player = view.players[seat];
  const about = t("Division {division}. {placed} of 36 dice placed. Tap an element for its reasons.", player);
  return [
    boards.tabs(state, seat, watch),
    boards.board(state, seat, { ...drafting, tapped, expanded, placing }),
    boards.underBoard(state, seat, changed),
    h("p", { className: "muted small" }, about),
    (view.notes || []).map((note) => h("p", { className: "card notice small" }, note)),
  ];
}

function discard(reading, words) {
  const away = () => act("/api/proposal/discard", { proposal: reading.id });
  return button({ id: "discard", "data-key": "discard", onclick: away }, words);
}

function rollBar(state) {
  const { proposal: reading } = state;
  let words = reading ? t("Photograph again") : t("Photograph the dice");
  if (sendingPhoto) words = t("Sending the photograph …");
  const capture = { className: "main", id: "capture", "data-key": "capture", onclick: () => act("/api/capture") };
  const pick = { "data-key": "phone", onclick: () => $("photo-file").click() };
  const type = { id: "by-hand", "data-key": "hand", onclick: () => act("/api/proposal/hand") };
  return [
    button({ ...capture, disabled: sendingPhoto }, words),
    h(
      "div",
      { className: "row" },
      button({ ...pick, disabled: sendingPhoto }, t("Phone camera")),
      button(type, t("Type the dice")),
      undoLast(state, t("Undo")),
    ),
    reading && discard(reading, t("Put this message away")),
  ];
}

function bar(state) {
  const { game, proposal: reading, you } = state;
  if (you.role === "guest") return h("a", { className: "button main", href: "/join" }, t("Join the table"));
  if (!game || !mayPlay(you)) return null;
  if (reading?.state === "ready") return proposal.bar(state, changed);
  if (reading?.state === "capturing") {
    return [
      button({ className: "main", disabled: true }, t("Reading the dice …")),
      discard(reading, t("Stop, and throw it away")),
    ];
  }
  if (game.view.phase === "roll") return rollBar(state);
  if (game.view.phase === "finished") {
    return h("a", { className: "button main", id: "to-end", href: "/end" }, t("Hear the marks"));
  }
  const seat = mySeat(state);
  if (seat === null) return waiting(state);
  if (shownSeat(state) === seat) return draft.bar(state, seat, changed);
  const back = t("Back to {name}’s board", { name: game.seats[seat] });
  return button({ className: "main", onclick: () => watch(null) }, back);
}

function recent(state) {
  const { game, you } = state;
  if (!state.log.length) return null;
  return [
    h("h2", {}, t("What happened")),
    lines(state, state.log.slice(0, 3)),
    h(
      "div",
      { className: "row spread" },
      game && mayPlay(you) && game.view.phase !== "roll" ? undoLast(state) : h("span"),
      h("a", { className: "button plain", href: "/log" }, t("The whole log")),
    ),
  ];
}

function whereWords(state) {
  const view = state.game?.view;
  const who = whoWords(state);
  if (!view || over(view)) return who;
  return who ? `${who} · ${view.round}/${view.rounds}` : t("Round {round}/{rounds}", view);
}

// A new reading, or the own turn, must not go unseen by somebody who has scrolled down.
function lookUp(state, words) {
  const { proposal: reading } = state;
  const key = JSON.stringify([reading?.id, reading?.state, words.yours && state.game?.view.turn]);
  const news = moment !== "" && key !== moment && (reading || words.yours);
  moment = key;
  if (news && $("prompt").getBoundingClientRect().top < 56) window.scrollTo({ top: 0 });
}

function render(state) {
  const { game, you, log, table } = state;
  if (game && game.view.turn !== turn) {
    turn = game.view.turn;
    watched = null;
  }
  if (game) draft.keepUp(state, mySeat(state));
  proposal.keepUp(state);
  const words = promptWords(state);
  const local = [draft.drafting(), proposal.key(), hand.pending(), sendingPhoto];
  $("where").textContent = whereWords(state);
  document.title = words.yours && you.role === "player" ? t("Your turn · Jurado") : "Jurado";
  $("prompt").className = `prompt ${words.yours ? "yours" : ""}`;
  show($("prompt"), words, () => [h("h1", {}, words.text), words.why && h("p", {}, words.why)]);
  show($("seat"), [you, game?.seats], () => [seatLine(state)]);
  show($("who-part"), [you, game?.seats], () => [whoAreYou(state)]);
  show($("work"), [game, state.proposal, you, table.palette, local], () => [work(state)]);
  const seen = [state.proposal?.state, watched, [...expanded], boards.totalsShown()];
  show($("board"), [game, you, table.palette, local, seen], () => [boardPart(state)]);
  show($("recent"), [log.slice(0, 4), you, game?.view.phase], () => [recent(state)]);
  show($("bar-inner"), [game, state.proposal, you, local, watched, log.some(isTurn)], () => [bar(state)]);
  $("bar").hidden = $("bar-inner").childElementCount === 0;
  lookUp(state, words);
}

async function sendPhoto(event) {
  const [file] = event.target.files;
  const most = Number(event.target.dataset.mb);
  event.target.value = "";
  if (!file) return;
  if (file.size > most * 1_000_000) {
    const words = t("This photograph is too large to take. Nothing was sent. Send one of at most {most} MB.", { most });
    say(words, "bad");
    return;
  }
  sendingPhoto = true;
  changed();
  const asked = performance.now();
  const form = new FormData();
  form.append("photo", file);
  const answer = await send("/api/photo", { method: "POST", body: form, once: true });
  sendingPhoto = false;
  settle(answer, asked);
  changed();
}

$("photo-file").addEventListener("change", sendPhoto);
subscribe(render);
start();
if (new URLSearchParams(location.search).has("new")) say(t("The new game is open."));
