// The big screen: everything to see, nothing to touch.

import { board } from "./board.js";
import { $, h, show } from "./dom.js";
import { roll } from "./draft.js";
import { reading } from "./proposal.js";
import { start, subscribe } from "./state.js";
import { t } from "./words.js";

function promptWords({ game, proposal }) {
  if (!game) return t("No game is open.");
  if (game.view.phase === "finished") return t("The parades are over. The judges are ready.");
  return proposal?.state === "capturing" ? t("Reading the dice …") : game.prompt.text;
}

function render(state) {
  const { game, proposal } = state;
  const why = game && game.view.phase !== "finished" ? game.prompt.why : "";
  $("where").textContent = game ? t("Round {round}/{rounds}", game.view) : "";
  show($("prompt"), [promptWords(state), why], () => [h("h1", {}, promptWords(state)), why && h("p", {}, why)]);
  show($("work"), [game?.view.roll, proposal, state.table.palette], () => {
    if (!game) return [];
    return proposal?.state === "ready" ? [reading(state, () => {}, false)] : [roll(state, false, () => {})];
  });
  const school = (name, seat) => h("div", {}, h("h2", { className: "wrap" }, name), board(state, seat));
  show($("boards"), [game?.view.players, game?.scoreboard, state.table.palette], () => game?.seats.map(school) || []);
}

subscribe(render);
start();
