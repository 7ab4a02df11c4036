// A reading before it counts: a chip for each die, the one editor, the problems, the photograph, confirm at the thumb.

import { die, dieWords } from "./die.js";
import { $, button, h } from "./dom.js";
import { pad } from "./pad.js";
import { photograph } from "./photograph.js";
import { act, state as now } from "./state.js";
import { capital, n, t } from "./words.js";

const CLOSED = -1;

let chosen = null; // index of the die in the editor; null: the first that needs it; CLOSED: none
let shown = ""; // the proposal that `chosen` belongs to
let busy = false;

const unknown = (one) => one.colour === null || one.value === null;
const doubts = (one) => !unknown(one) && (one.state === "unsure" || one.state === "cocked");

export const key = () => [chosen, busy];

export function keepUp(state) {
  const { proposal } = state;
  if ((proposal?.id || "") !== shown) {
    shown = proposal?.id || "";
    chosen = null;
  }
  if (chosen !== null && !proposal?.dice.some((one) => one.index === chosen)) chosen = null;
}

// Whether the dice that are waited for differ in shape.
const shaped = ({ game }) => Object.keys(game.expects?.shapes || {}).length > 1;

function inEditor(proposal) {
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

function choose(index, changed) {
  chosen = index;
  changed();
}

// Do something to the proposal; what comes back is whether it was done.
async function work(state, changed, path, body = {}, calm) {
  busy = true;
  changed();
  const answer = await act(path, { proposal: state.proposal.id, ...body }, calm);
  busy = false;
  changed();
  return answer.ok;
}

const change = (state, changed, body) => work(state, changed, "/api/proposal/dice", body);

export function chips(state, proposal, changed, may) {
  const current = inEditor(proposal)?.index;
  const chip = (one) => {
    const corrected = one.state === "corrected" && proposal.source !== "hand";
    const words = { die: dieWords(state.table.palette, one, shaped(state)) };
    const label = doubts(one) ? t("{die}, doubtful. Tap to correct", words) : t("{die}. Tap to correct", words);
    return button(
      {
        className: `chip ${doubts(one) ? "doubtful" : ""} ${corrected ? "corrected" : ""}`,
        "data-key": `die-${one.index}`,
        "data-index": one.index,
        "aria-pressed": String(one.index === current),
        disabled: !may,
        onclick: () => choose(one.index === chosen ? CLOSED : one.index, changed),
      },
      die(state.table.palette, one, { label }),
      doubts(one) && h("span", { className: "mark", "aria-hidden": "true" }, "?"),
      corrected && h("span", { className: "mark", "aria-hidden": "true" }, "✎"),
    );
  };
  const group = { className: "dice", role: "group", "aria-label": t("The dice that were read") };
  return h("div", group, proposal.dice.map(chip));
}

function editorWords(one) {
  if (one.state === "cocked") return t("It does not lie on a face. Lay it flat, or say what counts.");
  return doubts(one) ? t("It could not be read for certain. Look at the table.") : t("Tap what it really shows.");
}

function editorTitle(one, words) {
  if (!one.colour && !one.value) return t("Its value and its colour?");
  if (!one.colour) return t("And its colour?");
  if (!one.value) return t("And its value?");
  return doubts(one) ? t("Is this a {die}?", { die: words }) : `${capital(words)}.`;
}

function editor(state, proposal, changed) {
  const one = inEditor(proposal);
  if (!one) return null;
  const { expects, view } = state.game;
  const colours = expects?.colours ? Object.keys(expects.colours) : view.colours || Object.keys(state.table.palette);
  const shapes = expects ? Object.keys(expects.shapes) : [one.shape];
  const words = dieWords(state.table.palette, one, shaped(state));
  // A value settles a die that has its colour, and the next doubtful one takes its place. A new die has neither yet.
  const edit = async (said) => {
    if (unknown(one)) choose(one.index, changed);
    const before = chosen;
    const done = await change(state, changed, { action: "edit", index: one.index, ...said });
    const whole = (said.colour ?? one.colour) && (said.value ?? one.value);
    // Whoever has opened another die meanwhile keeps it.
    if (done && chosen === before && whole && (said.value || doubts(one) || unknown(one))) choose(null, changed);
  };
  const remove = () => {
    chosen = null;
    change(state, changed, { action: "remove", index: one.index });
  };
  return h(
    "section",
    { className: "card editor", id: "editor", "aria-label": t("Correct this die") },
    h(
      "div",
      { className: "seen" },
      one.crop && h("img", { className: "crop", src: one.crop, alt: t("The die in the photograph") }),
      h(
        "div",
        {},
        h("strong", {}, editorTitle(one, words)),
        !unknown(one) && h("p", { className: "muted small" }, editorWords(one)),
      ),
    ),
    pad(state, one, colours, shapes, edit),
    h(
      "div",
      { className: "row" },
      doubts(one) && button({ id: "right", "data-key": "right", onclick: () => edit({}) }, t("Yes, it is right")),
      button({ className: "danger", "data-key": "remove", onclick: remove }, t("No die: remove")),
      !doubts(one) &&
        button({ className: "plain", "data-key": "close", onclick: () => choose(CLOSED, changed) }, t("Close")),
    ),
  );
}

export function reading(state, changed, may) {
  const { proposal } = state;
  const typing = proposal.source === "hand";
  // A die that is being filled in says itself what it lacks.
  const filling = proposal.empty > 0 && (typing || proposal.dice.some((one) => one.index === chosen && unknown(one)));
  const problems = [proposal.notice, ...(filling ? [] : proposal.problems)].filter(Boolean);
  // The new die lies open until it is known.
  const add = async () => {
    const before = proposal.dice.map((one) => one.index);
    const added = await change(state, changed, { action: "add" });
    const one = added && now().proposal?.dice.find((other) => !before.includes(other.index));
    if (!one) return;
    choose(one.index, changed);
    $("editor")?.scrollIntoView({ block: "nearest" });
  };
  const tapped = (index) => {
    if (may) choose(index, changed);
  };
  return [
    h("ul", { className: "problems", "aria-live": "polite" }, problems.map((problem) => h("li", {}, problem))),
    may && editor(state, proposal, changed),
    !typing && chips(state, proposal, changed, may),
    !typing && may && h("p", {}, button({ "data-key": "add", disabled: busy, onclick: add }, t("Add a die"))),
    photograph(proposal, { doubts, chosen: inEditor(proposal)?.index, tapped }),
    proposal.notes.map((note) => h("p", { className: "notes" }, note)),
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
  const { proposal } = state;
  const disabled = proposal.problems.length > 0 || proposal.doubtful > 0 || busy;
  const confirm = () => work(state, changed, "/api/proposal/confirm", {}, already(proposal.id));
  const discard = () => work(state, changed, "/api/proposal/discard");
  const byPhone = proposal.source === "phone" || state.camera.state === "none";
  const again = byPhone ? takeByPhone : capture(wait);
  return [
    button({ className: "main", id: "confirm", "data-key": "confirm", disabled, onclick: confirm }, barWords(proposal)),
    h(
      "div",
      { className: "row" },
      button({ id: "discard", "data-key": "discard", disabled: busy, onclick: discard }, t("Discard")),
      proposal.source !== "hand" &&
        button(
          { "data-key": "again", disabled: busy || asking, onclick: again },
          asking ? t("Asking the camera …") : t("Photograph again"),
        ),
    ),
  ];
}
