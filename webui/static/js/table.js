// The table page: what to do now, the roll, the boards, and the bar at the thumb.

import { $, button, h, say, show } from "./dom.js";
import * as hand from "./hand.js";
import { isTurn, lines, undoLast } from "./log.js";
import { send } from "./net.js";
import * as news from "./news.js";
import { partOf } from "./part.js";
import { promptPicture } from "./picture.js";
import { promptWords } from "./prompt.js";
import * as proposal from "./proposal.js";
import { over, revealed, secret } from "./reveal.js";
import { earlier, lastRoll, openedPhoto } from "./rolls.js";
import { houseRules } from "./rules.js";
import { actingSeat, mayPlay, seatLine, waiting, whoWords } from "./seat.js";
import { standing } from "./standing.js";
import { act, refresh, settle, start, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

let watched = null; // the seat whose board was chosen; null: follows the game
let turn = null;
let moment = "";
let sendingPhoto = false;
let asking = false; // a press of the camera that has had no answer for a moment
let askedOver; // the id of the reading that lay there when it was pressed: a newer one is an answer
let played = null; // the id of the game that is shown
const expanded = new Set();

const changed = () => render(now());

function watch(seat) {
  watched = seat;
  changed();
}

// The seat that this phone acts for now, or null.
function mySeat(state, part) {
  if (!state.game) return null;
  const acts = part.turn(state);
  return acts !== null && actingSeat(state, acts) === acts ? acts : null;
}

function shownSeat(state, part) {
  const { game, you } = state;
  if (watched !== null && watched < game.seats.length) return watched;
  const mine = you.role === "player" ? you.acting : part.turn(state);
  const seat = mine ?? game.prompt.seat ?? 0;
  return seat < game.seats.length ? seat : 0;
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
  return [proposal.chips(state, changed, may), may && hand.grid(state, changed), all];
}

function tools(state, part) {
  return { changed, mine: mySeat(state, part), may: mayPlay(state.you), seat: shownSeat(state, part), watch, expanded };
}

function beforeAnyGame({ table }) {
  return [
    h("a", { className: "button main", href: "/new" }, t("Start a new game")),
    table.fresh && h("a", { className: "button offer", href: "/setup" }, t("Set this table up")),
  ];
}

function work(state, part) {
  const { game, proposal: reading, you } = state;
  if (!game) return you.joined ? beforeAnyGame(state) : null;
  if (reading?.state === "ready") return ready(state);
  if (reading?.state === "capturing" && reading.photo) {
    return h("img", { className: "photo", src: reading.photo, alt: t("The photograph that is being read") });
  }
  return part.work(state, tools(state, part));
}

function boardPart(state, part) {
  if (!state.game || state.proposal?.state === "ready") return null;
  const notes = (state.game.view.notes || []).map((note) => h("p", { className: "card notice small" }, note));
  return [part.board(state, tools(state, part)), notes];
}

function discard(reading, words) {
  const away = () => act("/api/proposal/discard", { proposal: reading.id });
  return button({ id: "discard", "data-key": "discard", onclick: away }, words);
}

function wait(yes, over) {
  asking = yes;
  askedOver = over;
  changed();
}

function rollBar(state) {
  const { proposal: reading } = state;
  const none = state.camera.state === "none";
  const byPhone = none || reading?.source === "phone";
  let words = reading ? t("Photograph again") : t("Photograph the dice");
  if (none && !reading) words = t("Photograph with this phone");
  if (sendingPhoto) words = t("Sending the photograph …");
  if (asking) words = t("Asking the camera …");
  const shut = sendingPhoto || asking;
  const table = { id: "capture", "data-key": "capture", onclick: proposal.capture(wait), disabled: shut };
  const phone = { id: "phone", "data-key": "phone", onclick: proposal.takeByPhone, disabled: sendingPhoto };
  const reread = () => act("/api/proposal/reread", { proposal: reading.id });
  const type = { id: "by-hand", "data-key": "hand", onclick: () => act("/api/proposal/hand") };
  const other = byPhone ? button(table, t("Table’s camera")) : button(phone, t("Phone camera"));
  return [
    button({ ...(byPhone ? phone : table), className: "main" }, words),
    h(
      "div",
      { className: "row" },
      !none && other,
      button(type, t("Type the dice")),
      undoLast(state, t("Undo")),
    ),
    reading &&
      h(
        "div",
        { className: "row" },
        reading.photo && button({ "data-key": "reread", onclick: reread }, t("Read the picture again")),
        discard(reading, t("Put this message away")),
      ),
  ];
}

function bar(state, part) {
  const { game, proposal: reading, you } = state;
  if (over(state) || secret(state)) {
    const words = game.ceremony ? t("Hear the marks") : t("The result");
    return h("a", { className: "button main", id: "to-end", href: "/end" }, words);
  }
  if (you.role === "guest") return h("a", { className: "button main", href: "/join" }, t("Join the table"));
  if (!game || !mayPlay(you)) return null;
  if (reading?.state === "ready") return proposal.bar(state, changed, { wait, asking });
  if (reading?.state === "capturing") {
    return [
      button({ className: "main", disabled: true }, t("Reading the dice …")),
      discard(reading, t("Stop, and throw it away")),
    ];
  }
  if (game.expects) return rollBar(state);
  const seat = mySeat(state, part);
  if (seat === null) return waiting(state, part.turn(state));
  if (shownSeat(state, part) === seat) return part.bar(state, tools(state, part));
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
      game && mayPlay(you) && !game.expects ? undoLast(state) : h("span"),
      h("a", { className: "button plain", href: "/log" }, t("The whole log")),
    ),
  ];
}

function whereWords(state, part) {
  const where = state.game && !over(state) ? part.where(state) : "";
  return [whoWords(state), where].filter(Boolean).join(" · ");
}

// What was rolled, and the scores: nothing of it while a roll is being read.
function scores(state, part) {
  return state.game && !state.proposal ? standing(state, part.totals(state)) : null;
}

function rolled(state) {
  if (state.proposal?.state === "ready") return null;
  return [earlier(state, mayPlay(state.you)), lastRoll(state, changed)];
}

function drawPrompt(state, words) {
  const { beside, under } = promptPicture(state);
  return [
    beside,
    h("h1", {}, words.text),
    words.why && h("p", {}, words.why),
    under,
  ];
}

// A new reading, or the own turn, must not go unseen by somebody who has scrolled down.
function lookUp(state, part, words) {
  const { proposal: reading } = state;
  const key = JSON.stringify([reading?.id, reading?.state, words.yours && state.game && part.turn(state)]);
  const news = moment !== "" && key !== moment && (reading || words.yours);
  moment = key;
  if (news && $("prompt").getBoundingClientRect().top < 56) window.scrollTo({ top: 0 });
}

function render(state) {
  const part = partOf(state, changed);
  if (!part) return;
  const { game, you, log, table } = state;
  const acts = game ? part.turn(state) : null;
  // A board that was chosen, and reasons that were opened, belong to their game.
  if ((game?.id || null) !== played) expanded.clear();
  if (game && (acts !== turn || game.id !== played)) watched = null;
  turn = acts;
  played = game?.id || null;
  if (game) part.keepUp(state, mySeat(state, part));
  proposal.keepUp(state);
  news.keepUp(state, game && part.totals(state));
  if (asking && state.proposal?.id !== askedOver) asking = false;
  const words = promptWords(state, part);
  const local = [game && part.local(), proposal.key(), hand.pending(), sendingPhoto, asking, revealed(state)];
  $("where").textContent = whereWords(state, part);
  document.title = words.yours && you.role === "player" ? t("Your turn · Jurado") : "Jurado";
  $("prompt").className = `prompt ${words.yours ? "yours" : ""}`;
  const asked = [words, game?.seats, game?.prompt, game?.expects, Boolean(state.proposal), you.seat, table.palette];
  show($("prompt"), asked, () => drawPrompt(state, words));
  // A roll that waits for an answer stays where it is: what happened stands below it.
  const newsAt = state.proposal ? "news-below" : "news-part";
  for (const host of ["news-part", "news-below"]) {
    show($(host), [news.key(), game?.seats, newsAt], () => [host === newsAt && news.strip(state, changed)]);
  }
  show($("scores-part"), [game?.scoreboard, game?.prompt, Boolean(state.proposal), game && part.totals(state)], () => [
    scores(state, part),
  ]);
  show($("seat"), [you, game?.seats], () => [seatLine(state)]);
  show($("who-part"), [you, game?.seats], () => [whoAreYou(state)]);
  show($("work"), [game, state.proposal, you, table.palette, local], () => [work(state, part)]);
  const seen = [state.proposal?.state, watched, [...expanded], game && part.seen(state)];
  show($("board"), [game, you, table.palette, local, seen], () => [boardPart(state, part)]);
  const rolls = [state.roll, state.proposal?.id, state.proposal?.state, game?.expects, over(state), table.palette, you];
  show($("rolls"), [rolls, openedPhoto()], () => [rolled(state)]);
  show($("rules"), game?.rules, () => [houseRules(state)]);
  show($("recent"), [log.slice(0, 4), you, Boolean(game?.expects)], () => [recent(state)]);
  const pressed = [game, state.proposal, state.camera.state, you, local, watched, log.find(isTurn)?.text];
  show($("bar-inner"), pressed, () => [bar(state, part)]);
  $("bar").hidden = $("bar-inner").childElementCount === 0;
  lookUp(state, part, words);
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
