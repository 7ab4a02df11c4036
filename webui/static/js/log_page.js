// The log page: all turns of the game, undo back to any of them, correct a die of any roll.

import { $, h, show } from "./dom.js";
import { isTurn, lines, rollOf, turns, twice } from "./log.js";
import { mayPlay, seatLine } from "./seat.js";
import { send } from "./net.js";
import { act, start, state as now, subscribe } from "./state.js";

let opened = null; // the entry whose dice are shown
let die = null;
let log = JSON.parse($("whole-log").textContent);
let loaded = Math.floor(now().version / 1_000_000); // the table's own version that `log` belongs to

const changed = () => render(now());

function toggle(entry) {
  opened = opened === entry.seq ? null : entry.seq;
  die = null;
  changed();
}

// The three dots beside a turn that counts: they open what can be done about it.
function dots(entry) {
  if (!isTurn(entry)) return null;
  return h("button", { type: "button", className: "dots", "data-key": `open-${entry.seq}`, "data-open": entry.seq, "aria-expanded": String(opened === entry.seq), "aria-label": `More about: ${entry.text}`, onclick: () => toggle(entry) }, opened === entry.seq ? "✕" : "•••");
}

function more(state, entry, back) {
  if (opened !== entry.seq || !isTurn(entry) || !state.game) return null;
  const may = mayPlay(state.you);
  return h(
    "div",
    { className: "more" },
    Array.isArray(entry.move?.dice) && [
      may && h("p", { className: "small muted" }, "Was a die read wrong? Tap it. Everything after it is computed again."),
      rollOf(state, entry, die, (at) => { die = at; changed(); }, may),
    ],
    may && twice(back === 1 ? "Undo this turn" : `Undo back to here: ${turns(back)}`, back === 1 ? "Really undo it?" : `Really undo ${turns(back)}?`, () => act("/api/undo", { count: back }), { "data-undo": back, "data-key": `undo-${entry.seq}` }),
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

function render(state) {
  const version = Math.floor(state.version / 1_000_000);
  if (version !== loaded) load(version);
  show($("seat"), [state.you, state.game?.seats, state.game?.prompt.seat], () => [seatLine(state)]);
  show($("log"), [log, state.you, opened, die, state.game?.view.colours, state.table.palette], () => {
    if (!log.length) return [h("p", {}, "Nothing has happened yet.")];
    let back = 0;
    return [lines(state, log, { tool: dots, more: (entry) => { if (isTurn(entry)) back += 1; return more(state, entry, back); } })];
  });
}

subscribe(render);
start();
