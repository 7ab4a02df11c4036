// A new game: the schools, the colours of the dice, the house rules.

import { die } from "../../die.js";
import { $, h, show } from "../../dom.js";
import { field, nameRow, trouble } from "../../form.js";
import { chosenRules, openGame, warnOfOpenGame } from "../../open_game.js";
import { act, start, state as now } from "../../state.js";
import { t } from "../../words.js";
import * as solo from "./solo_form.js";

const choices = JSON.parse($("choices").textContent);
const schools = [];
const colours = choices.colours.map((name) => ({ name, tint: choices.tints[name] || "#8a6fb0", own: false }));

const option = (value, words, chosen) => h("option", { value, selected: value === chosen }, words);
const usualSource = (division) => (choices.strips.includes(division) ? "user" : "practice");

function sourceWords(key, division) {
  if (key === "user" && !choices.strips.includes(division)) return t("Our strip (copy it later)");
  return choices.sources[key];
}

const schoolName = (at) =>
  nameRow(schools, at, {
    few: 1,
    called: t("school {number}", { number: at + 1 }),
    words: at === 0 ? t("First player’s school") : t("School {number}", { number: at + 1 }),
    draw,
  });

function schoolCard(school, at) {
  const setDivision = (event) => {
    school.division = event.target.value;
    school.table = usualSource(school.division);
    draw();
  };
  const setSource = (event) => {
    school.table = event.target.value;
    draw();
  };
  const divisions = Object.entries(choices.divisions).map(([key, words]) => option(key, words, school.division));
  const source = (key) => option(key, sourceWords(key, school.division), school.table);
  const sources = Object.keys(choices.sources).map(source);
  return h(
    "div",
    { className: "card stack", "data-school": at },
    schoolName(at),
    field(t("Division"), h("select", { "data-division": at, onchange: setDivision }, divisions)),
    field(t("Base marks from"), h("select", { "data-source": at, onchange: setSource }, sources)),
  );
}

// People read and type a colour's word in their language; the table knows it by its name.
const wordOf = (name) => now().table.palette[name]?.word || name.replace(/_/g, " ");

function nameOf(typed) {
  const name = typed.trim().toLowerCase().replace(/\s+/g, "_");
  return choices.known.find((known) => wordOf(known).toLowerCase() === typed.trim().toLowerCase()) || name;
}

// Only this row changes: the others may have the focus by now.
function rename(colour, input) {
  colour.name = nameOf(input.value);
  input.value = wordOf(colour.name);
  if (choices.tints[colour.name] && !colour.own) colour.tint = choices.tints[colour.name];
  input.closest(".row").querySelector("[data-tint]").value = colour.tint;
  drawLooks();
  drawSolo();
}

// Beside each name the die as every page will draw it, with its letter and its pattern.
function drawLooks() {
  const palette = looks();
  for (const place of document.querySelectorAll("[data-look]")) {
    const { name } = colours[place.dataset.look];
    place.replaceChildren(die(palette, { colour: name }, { label: false, blank: true }));
  }
}

function colourRow(colour, at) {
  const tint = (event) => {
    colour.tint = event.target.value;
    colour.own = true;
    drawLooks();
    drawSolo();
  };
  const typed = (event) => rename(colour, event.target);
  const value = wordOf(colour.name);
  const name = { type: "text", value, maxlength: 24, list: "known-colours", "data-colour-name": at };
  return h(
    "div",
    { className: "row" },
    h("span", { "data-look": at }),
    h("input", {
      type: "color",
      value: colour.tint,
      "aria-label": t("Tint of {name}", { name: value }),
      "data-tint": at,
      oninput: tint,
    }),
    h(
      "label",
      { className: "grow" },
      h("span", { className: "unseen" }, t("Colour {number}", { number: at + 1 })),
      h("input", { ...name, onchange: typed }),
    ),
  );
}

// How each colour looks by now: as it is tinted here, where it is one of the six.
function looks() {
  const { palette } = now().table;
  const own = ({ name, tint }) => {
    const known = palette[name] || { ink: "#FFFFFF", letter: "", pattern: "plain", word: name.replace(/_/g, " ") };
    return [name, { ...known, fill: tint }];
  };
  return { ...palette, ...Object.fromEntries(colours.map(own)) };
}

function drawSolo() {
  const alone = schools.length === 1;
  $("solo-part").hidden = !alone;
  $("alone").hidden = alone;
  if (alone) solo.draw(choices, colours.map(({ name }) => name), looks());
}

function practiceWords(divisions) {
  if (!divisions.length) return [];
  const link = (division) => h("a", { href: `/strips?division=${division}` }, t("division {division}", { division }));
  return [
    t("The practice strip is made up by us, not the printed one. Copy yours once, in two minutes:"),
    divisions.map((division) => [" ", link(division)]),
  ];
}

function draw() {
  const known = h("datalist", { id: "known-colours" }, choices.known.map((name) => h("option", { value: wordOf(name) })));
  const practising = schools.filter((school) => school.table === "practice").map((school) => school.division);
  const most = $("house-rules").querySelector("[name='seats.max']").value === "5" ? 5 : 4;
  $("schools").replaceChildren(...schools.map(schoolCard));
  $("colours").replaceChildren(known, ...colours.map(colourRow));
  $("add-school").disabled = schools.length >= most;
  const divisions = [...new Set(practising)];
  show($("practising"), divisions, () => practiceWords(divisions));
  drawLooks();
  drawSolo();
}

function add(name = "") {
  schools.push({ name, division: "D", table: usualSource("D") });
}

// The control that a complaint's field belongs to: `players[1].name`, `colours[3]`.
function control(field) {
  if (field?.startsWith("solo")) return solo.control(field);
  const [, what, at] = /(players|colours)\[(\d+)\]/.exec(field || "") || [];
  if (!what) return null;
  if (what === "colours") return document.querySelector(`[data-colour-name="${at}"]`);
  const part = field.endsWith("division") ? "data-division" : field.endsWith("table") ? "data-source" : "data-name";
  return document.querySelector(`[${part}="${at}"]`);
}

// What concerns all colours is said above the button, beside the colours laid open.
function complain(sentence, where) {
  if (sentence && where?.startsWith("colours") && !control(where)) $("colours").closest("details").open = true;
  trouble(sentence, control(where));
}

// Returns what is missing: a sentence and the field, or nothing.
function lacking() {
  const nameless = schools.findIndex((school) => !school.name.trim());
  if (nameless >= 0) {
    const words = t("Every school needs a name. The game was not started. Type the missing one.");
    return [words, `players[${nameless}].name`];
  }
  const colourless = colours.findIndex((colour) => !colour.name);
  if (colourless >= 0) {
    const words = t("Every colour needs a name. The game was not started. Type the missing one.");
    return [words, `colours[${colourless}]`];
  }
  const names = colours.map((colour) => colour.name);
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (twice >= 0) {
    return [t("Two colours have one name. The game was not started. Rename one."), `colours[${twice}]`];
  }
  const alone = schools.length === 1 && solo.lacking();
  return alone ? [alone, "solo"] : [];
}

async function keepColours(names) {
  const same = names.every((name, at) => name === choices.colours[at]) && !colours.some((colour) => colour.own);
  if (same) return { ok: true };
  const tints = Object.fromEntries(colours.map(({ name, tint }) => [name, tint]));
  return act("/api/colours", { colours: names, tints }, () => "");
}

async function open() {
  const names = colours.map((colour) => colour.name);
  const kept = await keepColours(names);
  if (!kept.ok) return kept;
  const players = schools.map(({ name, division, table }) => ({ name: name.trim(), division, table }));
  const setup = { players, colours: names, house_rules: chosenRules() };
  if (players.length === 1) setup.solo = solo.read(choices);
  return openGame("carnavalesco", setup);
}

async function submit(event) {
  event.preventDefault();
  const [missing, where] = lacking();
  complain(missing, where);
  if (missing) return;
  $("start").disabled = true;
  const answer = await open();
  $("start").disabled = false;
  if (answer.ok) location.assign("/?new");
  else if (answer.body?.error) {
    const { message, field: at } = answer.body.error;
    complain(message.includes("not started") ? message : t("{message} No game was started.", { message }), at);
  }
}

for (const name of choices.names.length ? choices.names : ["", ""]) add(name);
$("add-school").addEventListener("click", () => {
  add();
  draw();
  $("schools").lastElementChild.querySelector("input").focus();
});
$("alone").addEventListener("click", () => {
  schools.splice(1);
  draw();
});
$("house-rules").addEventListener("change", draw);
$("new").addEventListener("submit", submit);
draw();
warnOfOpenGame();
start();
