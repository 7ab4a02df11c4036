// The log page: all turns of the game, undo back to any of them, correct a die of any roll.

import { $, button, h, show } from "./dom.js";
import { hasDice, isTurn, lines, rollOf, undoing } from "./log.js";
import { send } from "./net.js";
import { mayPlay, seatLine } from "./seat.js";
import { ofTable, start, state as now, subscribe } from "./state.js";
import { n, t } from "./words.js";

let opened = null; // the entry whose tools are shown
let die = null; // the die of its roll that is being corrected
let to = null; // what it is to be read as, once that was said
let log = JSON.parse($("whole-log").textContent);
const unfolded = new Set(); // the runs of turns not told that are open
let loaded = ofTable(now().version); // the table's own version that `log` belongs to

const changed = () => render(now());

function choose(at, said = null) {
  die = at;
  to = said;
  changed();
}

function toggle(entry) {
  opened = opened === entry.seq ? null : entry.seq;
  choose(null);
}

const isVoid = (entry) => entry.kind === "roll.void" && entry.photo;

// The dots beside a turn that counts, or a roll that does not: they open what can be done about it, or its photograph.
function dots(entry) {
  if (!isTurn(entry) && !isVoid(entry)) return null;
  const open = opened === entry.seq;
  const key = { "data-key": `open-${entry.seq}`, "data-open": entry.seq, "aria-expanded": String(open) };
  const label = t("More about: {text}", entry);
  const dotted = { className: "dots", ...key, "aria-label": label, onclick: () => toggle(entry) };
  return button(dotted, open ? "✕" : "•••");
}

function undoTo(entry, back) {
  const words = n(back, "Undo this turn", "Undo back to here: {count} turns");
  const question = n(back, "Really undo it?", "Really undo {count} turns?");
  return undoing(back, entry, { words, question, "data-undo": back, "data-key": `undo-${entry.seq}` });
}

function more(state, entry, back) {
  if (opened !== entry.seq) return null;
  if (isVoid(entry)) return h("img", { className: "photo", src: entry.photo, alt: t("The photograph of this roll") });
  if (!isTurn(entry) || !state.game) return null;
  const may = mayPlay(state.you);
  const hint = t("Was a die read wrong? Tap it. Everything after it is computed again.");
  return h(
    "div",
    { className: "more" },
    hasDice(entry) && [
      may && h("p", { className: "small muted" }, hint),
      rollOf(state, entry, { at: die, to, after: back - 1 }, choose, may),
    ],
    may && undoTo(entry, back),
  );
}

// The state holds the newest lines only; the rest is fetched when the table has moved on.
async function load(version) {
  loaded = version;
  const answer = await send("/api/log", {});
  if (!answer.ok) {
    loaded = null; // the next state tries again
    return;
  }
  log = answer.body.log;
  changed();
}

function allLines(state) {
  let back = 0;
  const under = (entry) => {
    if (isTurn(entry)) back += 1;
    return more(state, entry, back);
  };
  return lines(state, log, { tool: dots, more: under, unfolded });
}

function render(state) {
  const version = ofTable(state.version);
  if (version !== loaded) load(version);
  show($("seat"), [state.you, state.game?.seats], () => [seatLine(state)]);
  show($("log"), [log, state.you, opened, die, to, state.game?.id, state.table.palette], () => [
    log.length ? allLines(state) : h("p", {}, t("Nothing has happened yet.")),
  ]);
}

subscribe(render);
start();
