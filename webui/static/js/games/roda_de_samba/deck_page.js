// The deck editor: a list of the cards that are known, one of them open for changes.

import { $, button, h, say, show } from "../../dom.js";
import { twice } from "../../log.js";
import { send } from "../../net.js";
import { act, ofTable, start, state as now, subscribe } from "../../state.js";
import { capital, n, t } from "../../words.js";
import { WORDS, choice, colourWord, colours, field, number, numbers, same, text } from "./fields.js";

let deck = JSON.parse($("deck").textContent);
// {kind, was, card, number, seen}: the card that is being changed; `was` is its old name, null for a new one; `number`
// tells one such change from the next, `seen` counts what was changed and is to be seen.
let open = null;
let opened = 0;
let version = ofTable(now().version);

async function keep(next) {
  const answer = await act("/api/deck", { deck: next });
  if (!answer.ok) return false;
  await load();
  return true;
}

async function load() {
  const answer = await send("/api/deck", {});
  if (!answer.ok) return;
  version = ofTable(now().version);
  deck = answer.body.deck;
  $("notes").replaceChildren(...answer.body.notes.map((note) => h("li", {}, note)));
  draw();
}

function replaced(kind, was, card) {
  const others = deck[kind];
  const at = was === null ? -1 : others.findIndex((one) => one.name === was);
  const list = at < 0 ? [...others, card] : others.map((one, index) => (index === at ? card : one));
  return { ...deck, [kind]: card ? list : others.filter((one) => one.name !== was) };
}

// Close the editor, unless another card has been opened meanwhile.
function close(card) {
  if (open === card) open = null;
  draw();
}

async function save() {
  const kept = open;
  const { kind, was, card } = kept;
  if (!card.name.trim()) {
    say(t("The card needs a name. Nothing was kept. Type it."), "bad");
    return;
  }
  if (await keep(replaced(kind, was, { ...card, name: card.name.trim() }))) {
    say(t("{name} is kept.", card));
    close(kept);
  }
}

async function remove() {
  const gone = open;
  if (await keep(replaced(gone.kind, gone.was, null))) close(gone);
}

// A card that an open game knows cannot be taken out of it.
const playing = () => now().game?.key === "roda_de_samba";

const change = (news, again = true) => {
  Object.assign(open.card, news);
  if (!again) return;
  open.seen += 1;
  draw();
};

function instrumentFields(card) {
  return [
    field(t("Name"), text(card.name, (name) => change({ name }, false), { id: "card-name", "data-key": "card-name" })),
    field(t("Colour"), choice(card.colour, colours(deck), (colour) => change({ colour }, false), { id: "card-colour" })),
    h("span", { className: "small muted" }, t("Numbers on its cards")),
    numbers(card.numbers, (some) => change({ numbers: some }), "card-number"),
  ];
}

function needFields(card) {
  const needs = card.needs || [];
  const asks = Object.fromEntries(Object.entries(colours(deck)).map(([colour, words]) => [`?${colour}`, t("any in {colour}", { colour: words })]));
  const names = Object.fromEntries(deck.instruments.map(({ name }) => [name, name]));
  const set = (at) => (need) => {
    const all = [0, 1, 2, 3].map((index) => (index === at ? need : needs[index])).filter(Boolean);
    change({ needs: all.length ? all : null });
  };
  const one = (_, at) =>
    field(t("Needs {number}", { number: at + 1 }), choice(needs[at], { ...names, ...asks }, set(at), { "data-need": at }));
  return h("div", { className: "row two" }, Array.from({ length: 4 }, one));
}

function sambistFields(card) {
  const bonuses = [card.colour_bonus ?? []].flat();
  const woman = card.woman === null ? null : card.woman ? "yes" : "no";
  const brings = typeof card.brings === "string" ? card.brings : (card.brings?.instrument ?? null);
  const names = Object.fromEntries(deck.instruments.map(({ name }) => [name, name]));
  const setBonus = (at, news) => {
    const all = [...bonuses];
    all[at] = news && { per: "card", points: 1, ...all[at], ...news };
    const some = all.filter(Boolean);
    change({ colour_bonus: some.length > 1 ? some : (some[0] ?? null) });
  };
  // The bonuses of the card, and an empty one that can be filled in.
  const bonusFields = (bonus, at) =>
    h(
      "div",
      { className: "row two" },
      field(
        t("Bonus for a colour"),
        choice(bonus?.colour, colours(deck), (colour) => setBonus(at, colour && { colour }), { id: at ? `card-bonus-${at}` : "card-bonus" }, t("none")),
      ),
      bonus && field(t("Points"), number(bonus.points, (points) => setBonus(at, { points: points ?? 0 }))),
      bonus && field(t("Counted"), choice(bonus.per, WORDS.per, (per) => setBonus(at, { per }), {}, null)),
    );
  return [
    field(t("Name"), text(card.name, (name) => change({ name }, false), { id: "card-name", "data-key": "card-name" })),
    h(
      "div",
      { className: "row two" },
      field(t("Stars"), number(card.stars, (stars) => change({ stars }, false), { id: "card-stars" })),
      field(
        t("A woman"),
        choice(woman, { yes: t("Yes"), no: t("No") }, (said) => change({ woman: said === null ? null : said === "yes" })),
      ),
    ),
    needFields(card),
    [...bonuses, null].map(bonusFields),
    h(
      "div",
      { className: "row two" },
      field(t("Brings"), choice(brings, names, (value) => change({ brings: value }), {}, t("nothing"))),
      field(t("At once"), choice(card.action, WORDS.actions, (action) => change({ action }), {}, t("nothing"))),
      field(t("Helps"), choice(card.helps, WORDS.helps, (helps) => change({ helps }), {}, t("nobody"))),
    ),
  ];
}

function editor() {
  const { kind, was, card } = open;
  return h(
    "section",
    { className: "card stack", id: "card-editor" },
    kind === "instruments" ? instrumentFields(card) : sambistFields(card),
    h(
      "div",
      { className: "row" },
      button({ className: "grow", id: "card-keep", onclick: save }, t("Keep this card")),
      was !== null && !playing() && twice(t("Remove"), t("Really remove it?"), remove, { className: "danger" }),
      button({ className: "plain", onclick: () => close(open) }, t("Close")),
    ),
  );
}

const NEW = {
  instruments: { name: "", colour: null, numbers: [1, 2, 3, 4] },
  sambists: { name: "", stars: null, needs: null, woman: null, colour_bonus: null, brings: null, action: null, helps: null },
};

function edit(kind, was) {
  const card = was === null ? NEW[kind] : deck[kind].find((one) => one.name === was);
  opened += 1;
  open = { kind, was, card: structuredClone(card), seen: 0, number: opened };
  draw();
  $("card-name")?.focus();
}

function about(kind, one) {
  if (kind === "instruments") return [one.colour ? capital(colourWord(one.colour)) : t("colour not known"), one.numbers.join(" ")];
  const needs = one.needs ? n(one.needs.length, "needs {count}", "needs {count}") : t("needs not known");
  return [one.stars === null ? t("stars not known") : `★ ${one.stars}`, needs];
}

function list(kind, words, add) {
  const line = (one) => {
    if (open?.kind === kind && open.was !== null && same(open.was, one.name)) return h("li", {}, editor());
    const told = h("span", { className: "muted small" }, about(kind, one).filter(Boolean).join(" · "));
    const what = { className: "wrap", "data-card": one.name, onclick: () => edit(kind, one.name) };
    return h("li", {}, button(what, h("strong", {}, one.name), told));
  };
  return [
    h("h2", {}, `${words} (${deck[kind].length})`),
    h("ul", { className: "choices bare" }, deck[kind].map(line)),
    open?.kind === kind && open.was === null
      ? editor()
      : button({ "data-add": kind, onclick: () => edit(kind, null) }, add),
  ];
}

function whole() {
  const complete = (event) => keep({ ...deck, complete: event.target.checked });
  const count = (malandros) => {
    deck = { ...deck, malandros };
  };
  return [
    field(t("How many malandros there are"), number(deck.malandros, count, { id: "malandros", onchange: () => keep(deck) })),
    h(
      "label",
      { className: "check" },
      h("input", { type: "checkbox", checked: deck.complete, onchange: complete }),
      t("These are all the cards of the box: copies can be counted"),
    ),
  ];
}

// A card that somebody is typing in stays as it is while others are kept.
function draw() {
  const editing = (kind) => open?.kind === kind && [open.number, open.seen, playing()];
  show($("instruments"), [deck.instruments, editing("instruments")], () => list("instruments", t("Instruments"), t("Add an instrument")));
  show($("sambists"), [deck.sambists, editing("sambists")], () => list("sambists", t("Sambists"), t("Add a sambist")));
  show($("whole"), [deck.malandros, deck.complete], whole);
}

// Bytes of a deck file; a box with every card told has some ten thousand.
const MOST = 100_000;

// The text of a deck file, or null once it is said why there is none.
async function textOf(file) {
  if (file.size > MOST) {
    say(t("This file is too large for a deck: it has more than {most} kB. The cards stay as they were. Choose another file.", { most: MOST / 1000 }), "bad");
    return null;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    say(t("This file is not text in UTF-8. The cards stay as they were. Save it as UTF-8 in your editor, then choose it again."), "bad");
    return null;
  }
}

$("deck-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  const toml = await textOf(file);
  if (toml === null) return;
  const answer = await act("/api/deck", { toml });
  if (!answer.ok) return;
  open = null;
  await load();
  say(t("The deck was taken from the file."));
});
draw();
// Cards that were told at the table appear here, unless one is being changed.
subscribe((state) => {
  if (ofTable(state.version) !== version && !open) load();
});
start();
