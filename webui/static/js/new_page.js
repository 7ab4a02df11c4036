// A new game: the schools, the colours of the dice, the house rules.

import { die } from "./die.js";
import { $, h, show } from "./dom.js";
import { twice } from "./log.js";
import { act, start, state as now, subscribe } from "./state.js";

const choices = JSON.parse($("choices").textContent);
const schools = [];
const colours = choices.colours.map((name) => ({ name, tint: choices.tints[name] || "#8a6fb0" }));
const official = new Set();
let abandon = false;

const usualSource = (division) => (choices.strips.includes(division) ? "user" : "practice");

function option(value, words, chosen) {
  return h("option", { value, selected: value === chosen }, words);
}

function schoolRow(school, at) {
  const sourceWords = (key) => (key === "user" && !choices.strips.includes(school.division) ? "Our printed strip (copy it later)" : choices.sources[key]);
  return h(
    "div",
    { className: "card stack", "data-school": at },
    h(
      "div",
      { className: "row nowrap" },
      h("label", { className: "field" }, h("span", { className: "small muted" }, at === 0 ? "First player’s school" : `School ${at + 1}`), h("input", { type: "text", value: school.name, maxlength: 40, list: "known-names", "data-name": at, "data-key": `name-${at}`, oninput: (event) => { school.name = event.target.value; } })),
      at > 0 && h("button", { type: "button", className: "low", "aria-label": `Move ${school.name || `school ${at + 1}`} up`, onclick: () => { schools.splice(at - 1, 0, schools.splice(at, 1)[0]); draw(); } }, "↑"),
      schools.length > 1 && h("button", { type: "button", className: "low", "aria-label": `Remove ${school.name || `school ${at + 1}`}`, onclick: () => { schools.splice(at, 1); draw(); } }, "✕"),
    ),
    h(
      "div",
      { className: "row two" },
      h("label", { className: "field" }, h("span", { className: "small muted" }, "Division"), h("select", { "data-division": at, onchange: (event) => { school.division = event.target.value; school.table = usualSource(school.division); draw(); } }, Object.entries(choices.divisions).map(([key, words]) => option(key, words, school.division)))),
      h("label", { className: "field" }, h("span", { className: "small muted" }, "Base marks from"), h("select", { "data-source": at, onchange: (event) => { school.table = event.target.value; draw(); } }, Object.keys(choices.sources).map((key) => option(key, sourceWords(key), school.table)))),
    ),
  );
}

function colourRow(colour, at) {
  return h(
    "div",
    { className: "row" },
    h("input", { type: "color", value: colour.tint, "aria-label": `Tint of ${colour.name}`, "data-tint": at, oninput: (event) => { colour.tint = event.target.value; colour.own = true; drawSolo(); } }),
    h("label", { className: "grow" }, h("span", { className: "unseen" }, `Colour ${at + 1}`), h("input", { type: "text", value: colour.name, maxlength: 24, list: "known-colours", "data-colour-name": at, onchange: (event) => { rename(colour, event.target.value); } })),
  );
}

function rename(colour, text) {
  colour.name = text.trim().toLowerCase().replace(/\s+/g, "_");
  if (choices.tints[colour.name] && !colour.own) colour.tint = choices.tints[colour.name];
  draw();
}

function drawSolo() {
  const palette = now().table.palette;
  $("solo-part").hidden = schools.length !== 1;
  $("solo-colours").replaceChildren(
    ...colours.map(({ name, tint }) =>
      h("button", { type: "button", className: "tint", "data-official": name, "aria-pressed": String(official.has(name)), onclick: () => { pick(name); } }, die({ [name]: palette[name] || { fill: tint, ink: "#FFFFFF", letter: name.slice(0, 1).toUpperCase(), pattern: "plain", word: name } }, { colour: name, value: null }, { label: false }), h("span", { className: "wrap" }, name.replace(/_/g, " "))),
    ),
  );
}

function pick(name) {
  if (official.has(name)) official.delete(name);
  else {
    if (official.size === 2) official.delete([...official][0]);
    official.add(name);
  }
  drawSolo();
}

function draw() {
  $("schools").replaceChildren(...schools.map(schoolRow));
  const practising = [...new Set(schools.filter((school) => school.table === "practice").map((school) => school.division))];
  show($("practising"), practising, () => practising.length ? ["The practice strip is made up by us, not the printed one. Copy yours once, in two minutes: ", ...practising.map((division) => h("a", { href: `/strips?division=${division}` }, `division ${division}`))] : []);
  $("colours").replaceChildren(h("datalist", { id: "known-colours" }, choices.known.map((name) => h("option", { value: name }))), ...colours.map(colourRow));
  const most = $("house-rules").querySelector("[name='seats.max']").value === "5" ? 5 : 4;
  $("add-school").disabled = schools.length >= most;
  drawSolo();
}

function add(name = "") {
  schools.push({ name, division: "D", table: usualSource("D") });
}

function trouble(sentence) {
  $("trouble").textContent = sentence;
  if (sentence) $("trouble").scrollIntoView({ block: "center" });
}

async function submit(event) {
  event.preventDefault();
  trouble("");
  const names = schools.map((school) => school.name.trim());
  if (names.some((name) => !name)) return trouble("Every school needs a name. The game was not started. Type the missing one.");
  const solo = schools.length === 1;
  if (solo && official.size !== 2) return trouble("A school alone needs its two official colours. The game was not started. Tap two of them.");
  const rules = {};
  for (const select of $("house-rules").querySelectorAll("select")) {
    if (select.selectedIndex > 0) rules[select.name] = select.name === "seats.max" ? Number(select.value) : select.value;
  }
  $("start").disabled = true;
  const wanted = colours.map((colour) => colour.name);
  if (JSON.stringify(wanted) !== JSON.stringify(choices.colours) || colours.some((colour) => colour.own)) {
    const kept = await act("/api/colours", { colours: wanted, tints: Object.fromEntries(colours.map(({ name, tint }) => [name, tint])) });
    if (!kept.ok) { $("start").disabled = false; return trouble(kept.body?.error?.message || ""); }
  }
  const setup = {
    players: schools.map(({ division, table }, at) => ({ name: names[at], division, table })),
    colours: wanted,
    house_rules: rules,
    ...(solo ? { solo: { colours: [...official] } } : {}),
  };
  const answer = await act("/api/games", { game: "carnavalesco", setup, abandon });
  $("start").disabled = false;
  if (answer.ok) location.assign("/?new");
  else trouble(answer.body?.error?.message || "");
  return undefined;
}

function openGame(state) {
  show($("open-game"), [state.game?.id, state.game?.view.phase, abandon], () => {
    if (!state.game || state.game.view.phase === "finished" || abandon) return [abandon && h("p", { className: "card notice small" }, "The game that is open will be put away when the new one starts. You can take it on again under “Games played”.")];
    return [
      h(
        "div",
        { className: "card notice" },
        h("p", {}, `A game is being played: ${state.game.seats.join(", ")}, round ${state.game.view.round} of ${state.game.view.rounds}.`),
        h("p", { className: "row" }, h("a", { className: "button", href: "/" }, "Back to it"), twice("Put it away for a new one", "Really put it away?", async () => { abandon = true; openGame(now()); })),
      ),
    ];
  });
}

for (const name of choices.names.length ? choices.names.slice(0, 4) : ["", ""]) add(name);
$("add-school").addEventListener("click", () => { add(); draw(); $("schools").lastElementChild.querySelector("input").focus(); });
$("house-rules").addEventListener("change", draw);
$("new").addEventListener("submit", submit);
draw();
subscribe(openGame);
start();
