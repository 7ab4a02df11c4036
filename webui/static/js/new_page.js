// A new game: who plays, what this game needs beside, the house rules.

import { $, button, h } from "./dom.js";
import { chosenRules, openGame, warnOfOpenGame } from "./open_game.js";
import { load } from "./part.js";
import { start } from "./state.js";
import { t } from "./words.js";

const choices = JSON.parse($("choices").textContent);
const { setup } = await load(choices.key);
const players = [];

const field = (words, control) =>
  h("label", { className: "field" }, h("span", { className: "small muted" }, words), control);

function row(player, at) {
  const called = player.name || t("player {number}", { number: at + 1 });
  const type = (event) => {
    player.name = event.target.value;
    drawRest();
  };
  const up = () => {
    players.splice(at - 1, 0, ...players.splice(at, 1));
    draw();
  };
  const remove = () => {
    players.splice(at, 1);
    draw();
  };
  const input = { type: "text", value: player.name, maxlength: 40, list: "known-names", "data-name": at };
  const words = t("Player {number}", { number: at + 1 });
  return h(
    "div",
    { className: "row nowrap" },
    field(words, h("input", { ...input, oninput: type })),
    at > 0 && button({ className: "low", "aria-label": t("Move {called} up", { called }), onclick: up }, "↑"),
    players.length > choices.few &&
      button({ className: "low", "aria-label": t("Remove {called}", { called }), onclick: remove }, "✕"),
  );
}

const drawRest = () => $("of-the-game").replaceChildren(...[setup.fields(players, choices, drawRest)].flat(2).filter(Boolean));

function draw() {
  $("players").replaceChildren(...players.map(row));
  $("add-player").disabled = players.length >= choices.many;
  drawRest();
}

// Say what is wrong where it is wrong, or else above the button.
function trouble(sentence, where) {
  for (const old of document.querySelectorAll(".wrong")) old.remove();
  for (const old of document.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
  $("trouble").textContent = sentence || "";
  if (!sentence) return;
  const [, at] = /players\[(\d+)\]/.exec(where || "") || [];
  const input = at && document.querySelector(`[data-name="${at}"]`);
  if (!input) {
    $("trouble").scrollIntoView({ block: "center" });
    return;
  }
  $("trouble").textContent = t("No game was started: look at what is marked above.");
  input.closest(".row").after(h("p", { className: "wrong bad small", id: `wrong-${at}` }, sentence));
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", `wrong-${at}`);
  input.scrollIntoView({ block: "center" });
  input.focus({ preventScroll: true });
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
  trouble(missing, where);
  if (missing) return;
  $("start").disabled = true;
  const named = players.map(({ name }) => ({ name: name.trim() }));
  const answer = await openGame(choices.key, { players: named, house_rules: chosenRules(), ...setup.read(named, choices) });
  $("start").disabled = false;
  if (answer.ok) location.assign("/?new");
  else if (answer.body?.error) {
    const { message, field: at } = answer.body.error;
    trouble(t("{message} No game was started.", { message }), at);
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
