// A new game: who plays, what this game needs beside, the house rules.

import { $ } from "./dom.js";
import { nameRow, trouble } from "./form.js";
import { chosenRules, openGame, warnOfOpenGame } from "./open_game.js";
import { load } from "./part.js";
import { start } from "./state.js";
import { t } from "./words.js";

const choices = JSON.parse($("choices").textContent);
const { setup } = await load(choices.key);
const players = [];

const row = (_, at) =>
  nameRow(players, at, {
    few: choices.few,
    called: t("player {number}", { number: at + 1 }),
    words: t("Player {number}", { number: at + 1 }),
    typed: () => drawRest(),
    draw,
  });

const drawRest = () => $("of-the-game").replaceChildren(...[setup.fields(players, choices, drawRest)].flat(2).filter(Boolean));

function draw() {
  $("players").replaceChildren(...players.map(row));
  $("add-player").disabled = players.length >= choices.many;
  drawRest();
}

// The field that a complaint belongs to: `players[1]`.
function control(where) {
  const [, at] = /players\[(\d+)\]/.exec(where || "") || [];
  return at ? document.querySelector(`[data-name="${at}"]`) : null;
}

function lacking() {
  const nameless = players.findIndex((player) => !player.name.trim());
  if (nameless >= 0) {
    const words = t("Every player needs a name. The game was not started. Type the missing one.");
    return [words, `players[${nameless}]`];
  }
  return setup.lacking(players, choices);
}

async function submit(event) {
  event.preventDefault();
  const [missing, where] = lacking();
  trouble(missing, control(where));
  if (missing) return;
  $("start").disabled = true;
  const named = players.map(({ name }) => ({ name: name.trim() }));
  const answer = await openGame(choices.key, { players: named, house_rules: chosenRules(), ...setup.read(named, choices) });
  $("start").disabled = false;
  if (answer.ok) location.assign("/?new");
  else if (answer.body?.error) {
    const { message, field: at } = answer.body.error;
    trouble(t("{message} No game was started.", { message }), control(at));
  }
}

const known = choices.names.slice(0, choices.many);
while (known.length < choices.few) known.push("");
for (const name of known) players.push({ name });
$("add-player").addEventListener("click", () => {
  players.push({ name: "" });
  draw();
  $("players").lastElementChild.querySelector("input").focus();
});
$("new").addEventListener("submit", submit);
draw();
warnOfOpenGame();
start();
