// The big screen: everything to see, nothing to touch.

import { board } from "./board.js";
import { $, h, show } from "./dom.js";
import { roll } from "./draft.js";
import { reading } from "./proposal.js";
import { start, subscribe } from "./state.js";

function render(state) {
  const { game, proposal } = state;
  const ended = game?.view.phase === "finished";
  const words = !game ? "No game is open." : ended ? "The parades are over. The judges are ready." : proposal?.state === "capturing" ? "Reading the dice …" : game.prompt.text;
  $("where").textContent = game ? `Round ${game.view.round}/${game.view.rounds}` : "";
  show($("prompt"), [words, game?.prompt.why], () => [h("h1", {}, words), game && !ended && h("p", {}, game.prompt.why)]);
  show($("work"), [game?.view.roll, proposal, state.table.palette], () => {
    if (!game) return [];
    if (proposal?.state === "ready") return [reading(state, () => {}, false)];
    return [roll(state, null, false, () => {})];
  });
  show($("boards"), [game?.view.players, game?.scoreboard, state.table.palette], () =>
    game ? game.seats.map((name, seat) => h("div", {}, h("h2", { className: "wrap" }, name), board(state, seat))) : []);
}

subscribe(render);
start();
