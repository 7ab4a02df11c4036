// The big screen: everything to see, nothing to touch but the result at the end.

import { $, h, show } from "./dom.js";
import { partOf } from "./part.js";
import { readyWords } from "./prompt.js";
import { reading } from "./proposal.js";
import { champion, showResult } from "./result.js";
import { judged, revealed, secret } from "./reveal.js";
import { start, state as now, subscribe } from "./state.js";
import { t } from "./words.js";

const changed = () => render(now());

function promptWords(state) {
  const { game, proposal } = state;
  if (!game) return t("No game is open.");
  if (secret(state)) return readyWords(state);
  return proposal?.state === "capturing" ? t("Reading the dice …") : game.prompt.text;
}

function work(state, part) {
  const { game, proposal } = state;
  if (!game) return [];
  if (revealed(state)) return champion(state, part, { marks: false });
  if (secret(state)) return [showResult(state, changed)];
  return [proposal?.state === "ready" ? reading(state, () => {}, false) : part.lies(state)];
}

function render(state) {
  const part = partOf(state, changed);
  if (!part) return;
  const { game, proposal } = state;
  const why = game && !judged(state) ? game.prompt.why : "";
  const told = revealed(state);
  $("where").textContent = game && !judged(state) ? part.where(state) : "";
  $("prompt").hidden = told;
  show($("prompt"), [promptWords(state), why], () => [h("h1", {}, promptWords(state)), why && h("p", {}, why)]);
  const shown = [game?.id, game?.scoreboard, state.table.palette, told, judged(state)];
  show($("work"), [game?.view, proposal, shown], () => work(state, part));
  show($("boards"), [game?.view, shown], () => (game ? [part.screen(state)] : []));
}

subscribe(render);
start();
