// The big screen: everything to see, nothing to touch but the result at the end.

import { board } from "./board.js";
import { $, h, show } from "./dom.js";
import { roll } from "./draft.js";
import { reading } from "./proposal.js";
import { champion, showResult } from "./result.js";
import { over, revealed, secret } from "./reveal.js";
import { start, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

const changed = () => render(now());

function promptWords({ game, proposal }) {
  if (!game) return t("No game is open.");
  if (game.view.phase === "finished") return t("The parades are over. The judges are ready.");
  return proposal?.state === "capturing" ? t("Reading the dice …") : game.prompt.text;
}

function work(state) {
  const { game, proposal } = state;
  if (!game) return [];
  if (revealed(state)) return champion(state, { marks: false });
  if (over(state)) return [showResult(state, changed)];
  return proposal?.state === "ready" ? [reading(state, () => {}, false)] : [roll(state, false, () => {})];
}

function render(state) {
  const { game, proposal } = state;
  const why = game && !over(state) ? game.prompt.why : "";
  const told = revealed(state);
  $("where").textContent = game ? t("Round {round}/{rounds}", game.view) : "";
  $("prompt").hidden = told;
  show($("prompt"), [promptWords(state), why], () => [h("h1", {}, promptWords(state)), why && h("p", {}, why)]);
  const shown = [game?.scoreboard, state.table.palette, told, over(state)];
  show($("work"), [game?.view.roll, proposal, shown], () => work(state));
  const how = { secret: secret(state), short: true };
  const school = (name, seat) => h("div", {}, h("h2", { className: "wrap" }, name), board(state, seat, how));
  show($("boards"), [game?.view.players, shown], () => game?.seats.map(school) || []);
}

subscribe(render);
start();
