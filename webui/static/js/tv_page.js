// The big screen: everything to see from three metres, nothing to touch. What the table reads aloud is shown in step.

import { die, dieWords } from "./die.js";
import { $, h, show } from "./dom.js";
import { partOf } from "./part.js";
import { photograph } from "./photograph.js";
import { readyWords } from "./prompt.js";
import { ceremony } from "./result.js";
import { judged, revealed } from "./reveal.js";
import { start, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

const doubts = (one) => ["unsure", "cocked"].includes(one.state);
const changed = () => render(now());

// What fills the screen: a game, the roll that is read, the marks that are read aloud or were, or the way in.
function scene(state) {
  if (!state.game) return "idle";
  if (judged(state)) return revealed(state) ? "over" : "ceremony";
  return state.proposal ? "reading" : "play";
}

function aboutReading({ state: stage, source, notice, problems, error }) {
  if (stage === "capturing") return [t("Reading the dice …"), notice || t("Hands off the dice for a moment.")];
  if (stage === "failed") return [t("The dice could not be read."), error?.message];
  if (source === "hand") return [t("The roll is typed in."), problems[0]];
  return [t("Is this the roll?"), problems[0] || t("Compare it with the table, then confirm on a phone or with the button.")];
}

function words(state) {
  const { game, proposal } = state;
  const all = {
    idle: () => [t("No game is open."), t("Scan the code with a phone, and start one.")],
    reading: () => aboutReading(proposal),
    ceremony: () => [readyWords(state), t("The marks are read with a phone: “Hear the marks”.")],
    over: () => [game.outcome?.text || game.prompt.text, ""],
    play: () => [game.prompt.text, game.prompt.why],
  };
  return all[scene(state)]();
}

// The photograph, and the dice as they were read, the doubtful ones marked.
function reading({ proposal, table: { palette } }) {
  if (proposal.state !== "ready") return proposal.photo ? h("img", { className: "photo", src: proposal.photo, alt: t("The photograph that is being read") }) : null;
  const chip = (one) =>
    h(
      "span",
      { className: `chip ${doubts(one) ? "doubtful" : ""}`, role: "img", "aria-label": dieWords(palette, one) },
      die(palette, one, { label: false }),
      doubts(one) && h("span", { className: "mark", "aria-hidden": "true" }, "?"),
    );
  return [photograph(proposal, { doubts, chosen: null }), h("div", { className: "dice" }, proposal.dice.map(chip))];
}

function work(state, part) {
  const { game } = state;
  const all = {
    idle: () => [],
    reading: () => reading(state),
    ceremony: () => ceremony(state, part, game.heard.step),
    over: () => ceremony(state, part, Infinity),
    play: () => part.lies(state),
  };
  return all[scene(state)]();
}

// A board or a circle each, with the points where they are no secret; or what a game shows for all.
function boards(state, part) {
  const { game } = state;
  if (!part.panel) return [part.screen(state)];
  const totals = part.totals(state);
  const acts = part.turn(state);
  return game.seats.map((name, seat) => {
    const on = acts === seat;
    const head = h("h2", {}, part.emblem(state, seat), h("span", { className: "name" }, name), totals && h("span", { className: "total" }, String(totals[seat]).replace("-", "−")));
    return h("section", { className: on ? "panel on" : "panel" }, head, part.panel(state, seat));
  });
}

function render(state) {
  const part = partOf(state, changed);
  if (!part) return;
  const { game, table } = state;
  const here = scene(state);
  // The code was changed: its picture is the server's.
  if ($("code") && table.join && $("code").textContent !== table.join.code) location.reload();
  Object.assign(document.body.dataset, { scene: here, game: game?.key || "", count: String(game?.seats.length || 0) });
  const [text, why] = words(state);
  $("where").textContent = game && here === "play" ? part.where(state) || "Jurado" : "Jurado";
  show($("prompt"), [text, why], () => [h("h1", {}, text), why && h("p", {}, why)]);
  const shown = [here, game?.view, game?.scoreboard, game?.heard, state.proposal, table.palette];
  show($("work"), shown, () => [work(state, part)]);
  $("work").className = here === "ceremony" || here === "over" ? "judge" : "";
  show($("boards"), [here, game?.id, game?.view, game?.scoreboard, table.palette], () => (here === "play" ? boards(state, part) : []));
}

// A screen that nobody touches must not fall asleep; browsers grant that on this machine's own address and over https.
let awake = null;
async function stayAwake() {
  if (document.hidden || awake || !navigator.wakeLock) return;
  try {
    awake = await navigator.wakeLock.request("screen");
    awake.addEventListener("release", () => {
      awake = null;
    });
  } catch {
    awake = null;
  }
  document.documentElement.dataset.awake = String(Boolean(awake));
}

document.addEventListener("visibilitychange", stayAwake);
subscribe(render);
start();
stayAwake();
