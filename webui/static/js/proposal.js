// A reading before it counts: the problems, the die that is asked about, a chip for each die, the photograph, and the bar
// at the thumb.

import { asTurned, doubts, settled, turn, turned, unknown } from "./cycle.js";
import { dieCard } from "./die_card.js";
import { die, dieWords } from "./die.js";
import { $, button, h } from "./dom.js";
import { photograph, zoomKey } from "./photograph.js";
import { press } from "./press.js";
import { earlier } from "./rolls.js";
import { aloud, rollWords } from "./speech.js";
import { act, state as now } from "./state.js";
import * as voiding from "./void.js";
import { n, t } from "./words.js";

const CLOSED = -1;

let chosen = null; // index of the die on the card; null: the first that needs it; CLOSED: none
let listed = false; // whether the card shows every value
let shown = ""; // the proposal that `chosen` belongs to
let busy = false;

export const key = () => [chosen, listed, busy, turned(), voiding.key(), zoomKey()];

export function keepUp(state) {
  const { proposal } = state;
  if ((proposal?.id || "") !== shown) {
    shown = proposal?.id || "";
    chosen = null;
    listed = false;
  }
  if (chosen !== null && !proposal?.dice.some((one) => one.index === chosen)) chosen = null;
}

// Whether the dice that are waited for differ in shape.
const shaped = ({ game }) => Object.keys(game.expects?.shapes || {}).length > 1;

function onCard(proposal) {
  if (chosen === CLOSED) return null;
  if (chosen !== null) return proposal.dice.find((one) => one.index === chosen);
  return proposal.dice.find(doubts) || null;
}

export const takeByPhone = () => $("photo-file").click();

// Press the table's camera; `wait` is told when it keeps people waiting, and over which reading it was pressed.
export const capture = (wait) => async () => {
  const over = now().proposal?.id;
  const slow = setTimeout(() => wait(true, over), 300);
  await act("/api/capture");
  clearTimeout(slow);
  wait(false);
};

function choose(index, changed, list = false) {
  chosen = index;
  listed = list;
  changed();
}

// Do something to the proposal; what comes back is whether it was done.
async function work(state, changed, path, body = {}, calm) {
  busy = true;
  changed();
  const told = await settled();
  const answer = told && (await act(path, { proposal: state.proposal.id, ...body }, calm));
  busy = false;
  changed();
  return Boolean(answer?.ok);
}

const change = (state, changed, body) => work(state, changed, "/api/proposal/dice", body);

// A die that is added lies open until it is known. `said`: what is known of it, and where it lies.
async function add(state, changed, said) {
  const before = state.proposal.dice.map((one) => one.index);
  const added = await change(state, changed, { action: "add", ...said });
  const one = added && now().proposal?.dice.find((other) => !before.includes(other.index));
  if (!one) return;
  choose(one.index, changed);
  $("editor")?.scrollIntoView({ block: "nearest" });
}

// What hands do to a die: a tap turns it to its next value; one that is doubtful is asked about first.
function handsOn(state, proposal, changed) {
  const tap = (one) => {
    const asked = unknown(one) || (doubts(one) && onCard(proposal)?.index !== one.index);
    choose(one.index, changed);
    if (!asked) turn(proposal, one, changed);
  };
  return {
    tap,
    hold: (one) => choose(one.index, changed, true),
    add: (at) => !busy && add(state, changed, { at }),
    restore: (index) => change(state, changed, { action: "restore", index }),
    changed,
  };
}

function chip(state, proposal, one, hands) {
  const corrected = one.state === "corrected" && proposal.source !== "hand";
  const words = { die: dieWords(state.table.palette, one, shaped(state)) };
  const label = doubts(one)
    ? t("{die}, doubtful. Tap for another value, hold for all", words)
    : t("{die}. Tap for another value, hold for all", words);
  return button(
    {
      className: `chip ${doubts(one) ? "doubtful" : ""} ${corrected ? "corrected" : ""}`,
      "data-key": `die-${one.index}`,
      "data-index": one.index,
      "aria-pressed": String(one.index === onCard(proposal)?.index),
      disabled: !hands,
      ...(hands ? press(() => hands.tap(one), () => hands.hold(one)) : {}),
    },
    die(state.table.palette, one, { label: hands ? label : words.die }),
    doubts(one) && h("span", { className: "mark", "aria-hidden": "true" }, "?"),
    corrected && h("span", { className: "mark", "aria-hidden": "true" }, "✎"),
  );
}

// A place for each die that is missing.
function lacking(state, proposal, changed) {
  const { palette } = state.table;
  const one = ({ shape, colour }, at) => {
    const known = colour ? { shape, colour } : { shape };
    const words = colour || shaped(state) ? t("The {shape} is missing: add it", { shape }) : t("A die is missing: add it");
    const about = { className: "chip lacking", "data-key": at ? `add-${at}` : "add", "data-lacks": shape, disabled: busy };
    return button(
      { ...about, onclick: () => add(state, changed, known) },
      die(palette, known, { label: words, blank: true }),
      h("span", { className: "mark", "aria-hidden": "true" }, "+"),
    );
  };
  return proposal.missing.map(one);
}

export function chips(state, changed, may) {
  const proposal = asTurned(state.proposal);
  const hands = may && handsOn(state, proposal, changed);
  const group = { className: "dice", role: "group", "aria-label": t("The dice that were read") };
  const typing = proposal.source === "hand";
  return h(
    "div",
    group,
    proposal.dice.map((one) => chip(state, proposal, one, hands)),
    may && !typing && lacking(state, proposal, changed),
  );
}

function card(state, proposal, changed) {
  const one = onCard(proposal);
  if (!one) return null;
  const { expects, view } = state.game;
  const colours = expects?.colours ? Object.keys(expects.colours) : view.colours || Object.keys(state.table.palette);
  // A value settles a die that has its colour, and the next doubtful one takes its place. A new die has neither yet.
  const said = async (what) => {
    if (unknown(one)) choose(one.index, changed, listed);
    const before = chosen;
    const done = await change(state, changed, { action: "edit", index: one.index, ...what });
    const whole = (what.colour ?? one.colour) && (what.value ?? one.value);
    // Whoever has opened another die meanwhile keeps it.
    if (done && chosen === before && whole && (what.value || doubts(one) || unknown(one))) choose(null, changed);
  };
  return dieCard(state, one, {
    colours,
    shapes: expects ? Object.keys(expects.shapes) : [one.shape],
    shaped: shaped(state),
    listed,
    left: proposal.doubtful,
    said,
    list: () => choose(one.index, changed, true),
    close: () => choose(CLOSED, changed),
    remove: () => {
      chosen = null;
      change(state, changed, { action: "remove", index: one.index });
    },
  });
}

function removed(state, proposal, hands) {
  const one = (gone) => {
    const words = t("Put back: {die}", { die: dieWords(state.table.palette, gone, shaped(state)) });
    const back = { className: "plain", "data-restore": gone.index, "data-key": `restore-${gone.index}` };
    return button({ ...back, onclick: () => hands.restore(gone.index) }, words);
  };
  return proposal.removed.length > 0 && h("div", { className: "row" }, proposal.removed.map(one));
}

function tools(state, proposal, changed) {
  const again = () => work(state, changed, "/api/proposal/reread");
  const type = () => act("/api/proposal/hand");
  const back = proposal.source === "phone" && state.camera.state !== "none" && (() => act("/api/capture"));
  const plain = { className: "plain", disabled: busy };
  return h(
    "div",
    { className: "row tools" },
    aloud(() => rollWords(state.table.palette, proposal.dice)),
    !proposal.missing.length && button({ ...plain, "data-key": "add", onclick: () => add(state, changed, {}) }, t("Add a die")),
    button({ ...plain, "data-key": "hand", onclick: type }, t("Type the dice")),
    back && button({ ...plain, "data-key": "camera", onclick: back }, t("Photograph with the table's camera")),
    proposal.photo &&
      button({ ...plain, "data-key": "reread", onclick: again }, t("Read the picture again")),
  );
}

export function reading(state, changed, may) {
  const proposal = asTurned(state.proposal);
  const hands = may ? handsOn(state, proposal, changed) : null;
  const typing = proposal.source === "hand";
  // A die that is being filled in says itself what it lacks.
  const filling = proposal.empty > 0 && (typing || proposal.dice.some((one) => one.index === chosen && unknown(one)));
  const problems = [proposal.notice, ...(filling ? [] : proposal.problems)].filter(Boolean);
  return [
    h("ul", { className: "problems", "aria-live": "polite" }, problems.map((problem) => h("li", {}, problem))),
    // What spoils a picture is to be known before its dice are looked at.
    proposal.warnings.map((warning) => h("p", { className: "notes" }, warning)),
    may && card(state, proposal, changed),
    !typing && chips(state, changed, may),
    may && removed(state, proposal, hands),
    photograph(proposal, { doubts, chosen: onCard(proposal)?.index, hands }),
    proposal.notes.map((note) => h("p", { className: "notes" }, note)),
    may && !typing && tools(state, proposal, changed),
    earlier(state, may),
  ];
}

function barWords(proposal) {
  const { empty, doubtful, dice, problems } = proposal;
  if (busy) return t("Writing it down …");
  if (empty) return n(empty, "{count} die to go", "{count} dice to go");
  if (doubtful) return n(doubtful, "Look at {count} doubtful die first", "Look at {count} doubtful dice first");
  if (problems.length) return t("Not yet: see what is missing");
  return n(dice.length, "Confirm {count} die", "Confirm {count} dice");
}

// Two may press confirm: for the second one it is done already.
function already(id) {
  return ({ status, body }) => {
    const gone = now().proposal?.id !== id && !now().game?.expects;
    const late = status === 409 || body?.error?.code === "station_busy";
    return late && (gone || body?.error?.code === "station_busy") ? t("Already confirmed.") : null;
  };
}

export function bar(state, changed, { wait, asking }) {
  const proposal = asTurned(state.proposal);
  const typing = proposal.source === "hand";
  const away = () => work(state, changed, "/api/proposal/discard");
  if (voiding.asking(proposal)) {
    return voiding.reasons(changed, (why) =>
      why === null ? away() : work(state, changed, "/api/proposal/void", { reason: why }),
    );
  }
  const disabled = proposal.problems.length > 0 || proposal.doubtful > 0 || busy;
  const confirm = () => work(state, changed, "/api/proposal/confirm", {}, already(proposal.id));
  const byPhone = proposal.source === "phone" || state.camera.state === "none";
  const again = byPhone ? takeByPhone : capture(wait);
  const askWhy = () => voiding.ask(proposal.id, changed);
  return [
    button({ className: "main", id: "confirm", "data-key": "confirm", disabled, onclick: confirm }, barWords(proposal)),
    h(
      "div",
      { className: "row" },
      typing
        ? button({ id: "discard", "data-key": "discard", disabled: busy, onclick: away }, t("Discard"))
        : button({ id: "void", "data-key": "void", disabled: busy, onclick: askWhy }, t("Does not count")),
      !typing &&
        button(
          { "data-key": "again", disabled: busy || asking, onclick: again },
          asking ? t("Asking the camera …") : t("Photograph again"),
        ),
    ),
  ];
}
