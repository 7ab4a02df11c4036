// The table page: what to do now, the roll, the boards, and the bar at the thumb.

import * as boards from "./board.js";
import * as draft from "./draft.js";
import { $, h, say, show } from "./dom.js";
import * as hand from "./hand.js";
import { isTurn, lines, undoLast } from "./log.js";
import * as bases from "./bases.js";
import * as proposal from "./proposal.js";
import { actingSeat, mayPlay, seatLine, waiting, whoWords } from "./seat.js";
import { send } from "./net.js";
import { act, refresh, settle, start, state as now, subscribe } from "./state.js";

let watched = null; // the school whose board was chosen; null: follows the game
let sendingPhoto = false;
const expanded = new Set();

const changed = () => render(now());
const drafting = (state) => state.game?.view.phase === "take";
const over = (state) => state.game && ["judging", "finished"].includes(state.game.view.phase);

// The seat that this phone drafts for now, or null.
function mySeat(state) {
  if (!drafting(state)) return null;
  const seat = actingSeat(state, state.game.view.turn);
  return seat === state.game.view.turn ? seat : null;
}

function shownSeat(state) {
  const seats = state.game.seats.length;
  if (watched !== null && watched < seats) return watched;
  const mine = state.you.role === "player" ? state.you.acting : state.game.view.turn;
  return mine ?? state.game.prompt.seat ?? 0;
}

function promptWords(state) {
  const { game, proposal: reading, you } = state;
  if (!game) return { text: "No game is open.", why: you.joined ? "Start one, and name the schools." : "Join the table to start one.", yours: you.joined };
  if (reading?.state === "capturing") return { text: "Reading the dice …", why: reading.notice || "Hands off the dice for a moment.", yours: false };
  if (reading?.state === "failed") return { text: "The dice could not be read.", why: reading.error?.message, yours: mayPlay(you) };
  if (reading?.state === "ready" && reading.source !== "hand") return { text: "Is this the roll?", why: "Compare the dice with the table, tap one that is wrong, then confirm.", yours: mayPlay(you) };
  if (reading?.state === "ready") return { text: "Type the roll.", why: "One tap a die. Tap a die that is wrong to correct it.", yours: mayPlay(you) };
  if (game.view.phase === "finished") return { text: "The parades are over. The judges are ready.", why: "Gather round, then hear the marks one by one.", yours: true };
  const { prompt, seats } = game;
  const acting = you.role === "player" && you.acting === prompt.seat && prompt.seat !== null;
  const who = you.acting === you.seat ? "Your turn" : seats[prompt.seat];
  if (acting && prompt.action === "take") return { text: `${who}: take ${draft.needed(state) === 4 ? "four" : "two"} dice.`, why: prompt.why, yours: true };
  if (acting && prompt.action === "roll") return { text: `${who}: draw ${game.expects.count} dice and roll them.`, why: prompt.why, yours: true };
  return { text: prompt.text, why: prompt.why, yours: acting || (prompt.seat === null && mayPlay(you)) || ["host", "shared"].includes(you.role) };
}

function whoAreYou(state) {
  if (!["unseated"].includes(state.you.role) || !state.game) return null;
  const sit = (seat) => async () => { await act("/api/join", { seat }); refresh(); };
  return h(
    "section",
    { className: "card", id: "who" },
    h("h2", {}, "Who are you?"),
    h(
      "div",
      { className: "choices" },
      state.game.seats.map((name, at) => h("button", { type: "button", "data-sit": at, onclick: sit(at) }, name)),
      h("button", { type: "button", "data-sit": "all", onclick: sit("all") }, "Everybody: one phone for the whole table"),
      h("button", { type: "button", "data-sit": "watch", onclick: sit(null) }, "Nobody: only watch"),
    ),
  );
}

function work(state) {
  const { game, proposal: reading, you } = state;
  if (!game && !you.joined) return null;
  if (!game) return h("p", {}, h("a", { className: "button main", href: "/new" }, "Start a new game"));
  if (reading && reading.state !== "failed" && reading.photo && reading.state === "capturing") return h("img", { className: "photo", src: reading.photo, alt: "The photograph that is being read" });
  if (reading?.state === "ready") {
    const may = mayPlay(you);
    return reading.source === "hand" ? [proposal.chips(state, reading, changed, may), may && hand.grid(state, changed), proposal.reading(state, changed, may)] : proposal.reading(state, changed, may);
  }
  if (drafting(state)) return draft.roll(state, mySeat(state), mySeat(state) !== null, changed);
  if (game.view.phase === "judging") return bases.missing(state, mayPlay(you));
  return null;
}

function boardPart(state) {
  if (!state.game || state.proposal?.state === "ready") return null;
  const seat = shownSeat(state);
  const mine = mySeat(state) === seat;
  const { chosen } = draft.drafting();
  const tapped = (element) => {
    if (mine && chosen !== null) draft.tapElement(state, seat, element, changed);
    else {
      if (expanded.has(element)) expanded.delete(element);
      else expanded.add(element);
      changed();
    }
  };
  const player = state.game.view.players[seat];
  return [
    boards.tabs(state, seat, (other) => { watched = other; changed(); }),
    boards.board(state, seat, {
      open: mine ? draft.mayGo(state, seat) : () => false,
      ghosts: mine ? draft.ghosts(state) : [],
      tapped,
      expanded,
      placing: mine && chosen !== null,
    }),
    boards.underBoard(state, seat, changed),
    h("p", { className: "muted small" }, `Division ${player.division}. ${player.placed} of 36 dice placed. Tap an element for its reasons.`),
    (state.game.view.notes || []).map((note) => h("p", { className: "card notice small" }, note)),
  ];
}

function barPart(state) {
  const { game, proposal: reading, you } = state;
  if (!game || !mayPlay(you)) {
    return you.role === "guest" ? h("a", { className: "button main", href: "/join" }, "Join the table") : null;
  }
  if (reading?.state === "ready") return proposal.bar(state, changed);
  if (reading?.state === "capturing") {
    return [h("button", { className: "main", type: "button", disabled: true }, "Reading the dice …"), discard(reading, "Stop, and throw it away")];
  }
  if (game.view.phase === "roll") {
    return [
      h("button", { type: "button", className: "main", id: "capture", "data-key": "capture", disabled: sendingPhoto, onclick: () => act("/api/capture") }, sendingPhoto ? "Sending the photograph …" : reading ? "Photograph again" : "Photograph the dice"),
      h(
        "div",
        { className: "row" },
        h("button", { type: "button", "data-key": "phone", disabled: sendingPhoto, onclick: () => $("photo-file").click() }, "Phone camera"),
        h("button", { type: "button", id: "by-hand", "data-key": "hand", onclick: () => act("/api/proposal/hand") }, "Type the dice"),
        undoLast(state, "Undo"),
      ),
      reading && discard(reading, "Put this message away"),
    ];
  }
  if (game.view.phase === "finished") return h("a", { className: "button main", id: "to-end", href: "/end" }, "Hear the marks");
  const seat = mySeat(state);
  if (seat === null) return waiting(state);
  if (shownSeat(state) !== seat) return h("button", { type: "button", className: "main", onclick: () => { watched = null; changed(); } }, `Back to ${state.game.seats[seat]}’s board`);
  return draft.bar(state, seat, changed);
}

const discard = (reading, words) => h("button", { type: "button", id: "discard", "data-key": "discard", onclick: () => act("/api/proposal/discard", { proposal: reading.id }) }, words);

function whereWords(state) {
  const view = state.game?.view;
  const who = ["player", "shared", "watcher"].includes(state.you.role) ? whoWords(state) : "";
  if (!view || over(state)) return who;
  return who ? `${who} · ${view.round}/${view.rounds}` : `Round ${view.round}/${view.rounds}`;
}

let turn = null;
let moment = "";

// A new reading, or the own turn, must not go unseen by somebody who has scrolled down.
function lookUp(state, words) {
  const { proposal: reading } = state;
  const now = JSON.stringify([reading?.id, reading?.state, words.yours && state.game?.view.turn]);
  const news = moment !== "" && now !== moment && (reading || words.yours);
  moment = now;
  if (news && $("prompt").getBoundingClientRect().top < 56) window.scrollTo({ top: 0 });
}


function render(state) {
  const view = state.game?.view;
  if (view && view.turn !== turn) {
    turn = view.turn;
    watched = null;
  }
  if (state.game) draft.keepUp(state, mySeat(state));
  proposal.keepUp(state);
  const words = promptWords(state);
  $("where").textContent = whereWords(state);
  lookUp(state, words);
  document.title = `${words.yours && state.you.role === "player" ? "Your turn · " : ""}Jurado`;
  $("prompt").className = `prompt ${words.yours ? "yours" : ""}`;
  show($("prompt"), words, () => [h("h1", {}, words.text), words.why && h("p", {}, words.why)]);
  show($("seat"), [state.you, state.game?.seats, state.game?.prompt.seat], () => [seatLine(state)]);
  const local = [draft.drafting(), proposal.key(), hand.pending(), sendingPhoto];
  show($("who-part"), [state.you, state.game?.seats], () => [whoAreYou(state)]);
  show($("work"), [state.game, state.proposal, state.you, state.table.palette, local], () => [work(state)]);
  show($("board"), [state.game, state.you, state.proposal?.state, local, [...expanded], watched, boards.totalsShown()], () => [boardPart(state)]);
  show($("recent"), [state.log.slice(0, 4), state.you, state.game?.view.phase], () => [recent(state)]);
  show($("bar-inner"), [state.game, state.proposal, state.you, local, watched, state.log.some(isTurn)], () => [barPart(state)]);
  $("bar").hidden = $("bar-inner").childElementCount === 0;
}

function recent(state) {
  const { game } = state;
  if (!state.log.length) return null;
  return [
    h("h2", {}, "What happened"),
    lines(state, state.log.slice(0, 3)),
    h("div", { className: "row spread" }, game && mayPlay(state.you) && game.view.phase !== "roll" ? undoLast(state) : h("span"), h("a", { className: "button plain", href: "/log" }, "The whole log")),
  ];
}

async function sendPhoto(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  const most = Number(event.target.dataset.mb);
  if (file.size > most * 1_000_000) {
    say(`This photograph is too large to take. Nothing was changed. Send one of at most ${most} MB.`, "bad");
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

$("photo-file")?.addEventListener("change", sendPhoto);
subscribe(render);
start();
if (new URLSearchParams(location.search).has("new")) say("The new game is open.");
