// The log page: all turns of the game, undo back to any of them, correct a die of any roll.

import { $, h, show } from "./dom.js";
import { isTurn, lines, rollOf, turns, twice } from "./log.js";
import { mayPlay, seatLine } from "./seat.js";
import { act, start, state as now, subscribe } from "./state.js";

let opened = null; // the entry whose dice are shown
let die = null;

const changed = () => render(now());

function more(state, entry, back) {
  if (!isTurn(entry) || !state.game) return null;
  const may = mayPlay(state.you);
  const isRoll = Array.isArray(entry.move?.dice);
  const open = opened === entry.seq;
  const toggle = () => { opened = open ? null : entry.seq; die = null; changed(); };
  return [
    h(
      "div",
      { className: "row" },
      isRoll && h("button", { type: "button", className: "small", "data-key": `open-${entry.seq}`, "data-open": entry.seq, "aria-expanded": String(open), onclick: toggle }, open ? "Close the dice" : "See or correct the dice"),
      may && twice(back === 1 ? "Undo this turn" : `Undo back to here (${turns(back)})`, back === 1 ? "Really undo it?" : `Really undo ${turns(back)}?`, () => act("/api/undo", { count: back }), { className: "small", "data-undo": back, "data-key": `undo-${entry.seq}` }),
    ),
    isRoll && open && rollOf(state, entry, die, (at) => { die = at; changed(); }, may),
  ];
}

function render(state) {
  show($("seat"), [state.you, state.game?.seats, state.game?.prompt.seat], () => seatLine(state));
  show($("log"), [state.log, state.you, opened, die, state.game?.view.colours, state.table.palette], () => {
    if (!state.log.length) return [h("p", {}, "Nothing has happened yet.")];
    let back = 0;
    return [lines(state, state.log, (entry) => { if (isTurn(entry)) back += 1; return more(state, entry, back); })];
  });
}

subscribe(render);
start();
