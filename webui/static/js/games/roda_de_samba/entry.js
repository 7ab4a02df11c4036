// One turn as it is entered: draw, play, invite, discard, each in a few taps, for cards that are known and for new ones.

import { button, h } from "../../dom.js";
import { twice } from "../../log.js";
import { act } from "../../state.js";
import { t } from "../../words.js";
import { NOBODY, charmForm, charmed, sambistNames, topUntold } from "./charm.js";
import { choice, colourWord, colours, field, inner, instruments, known, nameField, numbers, numbersOf, same } from "./fields.js";
import { guests } from "./table.js";

const NOTHING = { instrument: "", colour: null, numbers: [], space: null, pile: null, guest: null, opened: "", acts: false, malandro: false, charm: NOBODY };

let told = { ...NOTHING };
let drawn = 0; // grows with everything told that is to be seen
let moment = "";
let picking = false; // the list of legal moves is open

export const pickerOpen = () => picking;
export const local = () => [drawn, picking];

export function openPicker(yes, changed) {
  if (yes === picking) return;
  picking = yes;
  changed();
}

// What was half told is let go when the turn has moved on.
export function keepUp(state) {
  const { view, id } = state.game;
  const now = JSON.stringify([id, view.turn, view.phase, view.round, view.invited]);
  if (now !== moment) told = { ...NOTHING };
  moment = now;
}

// Without `changed` the form stays as it is: somebody types.
function tell(news, changed = null) {
  told = { ...told, ...news };
  if (!changed) return;
  drawn += 1;
  changed();
}

const make = (move) => act("/api/moves", { move });
const pressed = (yes) => ({ "aria-pressed": String(yes) });

function draw(state, seat) {
  const { view } = state.game;
  const base = { move: "draw", seat };
  return [
    view.cards_left !== 0 && button({ className: "wide", "data-draw": "deck", onclick: () => make({ ...base, from: "deck" }) }, t("Two cards from the deck")),
    view.cards_left === null &&
      button({ onclick: () => make({ ...base, from: "deck", last: true }) }, t("From the deck: these were its last")),
    view.piles.map(({ colour, cards }) =>
      button({ "data-draw": colour, onclick: () => make({ ...base, from: "pile", colour }) }, t("The pile in {colour} ({count})", { colour: colourWord(colour), count: cards.length })),
    ),
    view.cards_left === 0 && button({ onclick: () => make({ ...base, from: "nothing" }) }, t("Nothing")),
  ];
}

// An instrument with what is asked about it: `rest()` is drawn anew at each letter of its name.
function card(state, changed, rest) {
  const [host, again] = inner(rest);
  const meant = (name, tapped) => {
    tell({ instrument: name }, tapped && changed);
    if (!tapped) again();
  };
  return [instruments(state, told.instrument, meant, { id: "entry-instrument" }), host];
}

function colourOf(state, changed) {
  const { deck } = state.game.view;
  if (!told.instrument.trim() || known(deck, told.instrument)?.colour) return null;
  const set = (colour) => tell({ colour }, changed);
  return field(t("Its colour (once)"), choice(told.colour, colours(deck), set, { id: "entry-colour", "data-key": "entry-colour" }));
}

const colourTold = (state) => (known(state.game.view.deck, told.instrument)?.colour ? {} : { colour: told.colour });
const numberKeys = (state, changed) =>
  numbers(told.numbers, (some) => tell({ numbers: some }, changed), "entry-number", numbersOf(state.game.view.deck, told.instrument));

function play(state, seat, changed) {
  const { circle } = state.game.view.players[seat];
  const rest = () => {
    const lies = circle.findIndex((one) => one && same(one.instrument, told.instrument));
    const space = lies >= 0 ? lies : told.space;
    const key = (at) => button({ "data-space": at, "data-key": `entry-space-${at}`, ...pressed(at === space), onclick: () => tell({ space: at }, changed) }, String(at + 1));
    const free = circle.map((one, at) => (one ? null : at)).filter((at) => at !== null);
    const send = () => make({ move: "play", seat, instrument: told.instrument.trim(), numbers: told.numbers, ...colourTold(state), space });
    const disabled = !told.instrument.trim() || !told.numbers.length || space === null;
    return [
      colourOf(state, changed),
      h("span", { className: "small muted" }, t("Numbers of the cards")),
      numberKeys(state, changed),
      lies >= 0
        ? h("p", { className: "small muted" }, t("It goes onto the others in space {space}.", { space: lies + 1 }))
        : [h("span", { className: "small muted" }, t("Into which space")), h("div", { className: "pad five", role: "group", "aria-label": t("Space") }, free.map(key))],
      button({ className: "main", id: "entry-play", disabled, onclick: send }, t("Play")),
    ];
  };
  return [h("strong", {}, t("Play an instrument")), card(state, changed, rest)];
}

function invite(state, seat, changed) {
  const { view } = state.game;
  if (view.invited || !view.played) return null;
  const all = guests(state, seat);
  const untold = view.open.includes(null);
  if (!all.length && !untold) return null;
  const choose = (guest) => tell({ guest: told.guest === guest ? null : guest, opened: "", acts: false, charm: NOBODY }, changed);
  const marks = { true: "✓ ", false: "✗ ", null: "" };
  const unjudged = h("span", { className: "small muted" }, t("what it needs is not entered"));
  const key = ({ name, answer }) =>
    button({ "data-invite": name, "data-key": `invite-${name}`, ...pressed(told.guest === name), onclick: () => choose(name) }, marks[answer.met], name, answer.met === null && [" ", unjudged.cloneNode(true)]);
  return [
    h("strong", {}, t("Invite one sambist")),
    h(
      "div",
      { className: "kinds", role: "group", "aria-label": t("Invite one sambist") },
      all.map(key),
      untold && button({ "data-invite": "", ...pressed(told.guest === ""), onclick: () => choose("") }, t("Another one, not entered yet")),
    ),
    told.guest !== null && invited(state, seat, changed, all.find(({ name }) => name === told.guest)),
  ];
}

// What is asked about the guest that is chosen; `guest` is undefined for one that nobody has told.
function invited(state, seat, changed, guest) {
  const typed = { name: "" };
  const met = guest?.answer.met ?? null;
  const action = guest?.action ?? null;
  const acts = action === "malandro" || (action === null && told.acts);
  const change = (news, seen) => tell({ charm: { ...told.charm, ...news } }, seen ? changed : null);
  const gone = guest?.name ?? "";
  const send = () => {
    const opened = !guest?.mine && told.opened.trim() ? { opened: told.opened.trim() } : {};
    const agreed = met === false ? { agreed: true } : {};
    make({ move: "invite", seat, sambist: guest ? guest.name : typed.name.trim(), ...opened, ...agreed, ...(acts ? charmed(told.charm) : {}) });
  };
  const type = (name) => {
    typed.name = name;
  };
  return [
    !guest && nameField(t("Which sambist?"), "", type, sambistNames(state), { id: "entry-guest" }),
    guest && h("p", { className: `small ${met === false ? "bad" : "muted"}` }, guest.answer.why),
    met === false && h("p", { className: "small muted" }, t("Invite all the same only if the whole table agrees; the log will say so.")),
    !guest?.mine && topUntold(state) && nameField(t("Who is opened in that place (if you like)"), told.opened, (opened) => tell({ opened }), sambistNames(state), { id: "entry-opened" }),
    action === null &&
      !state.game.view.deck.complete &&
      h(
        "label",
        { className: "check" },
        h("input", { type: "checkbox", id: "entry-acts", checked: told.acts, onchange: (event) => tell({ acts: event.target.checked }, changed) }),
        t("The card acts as a malandro at once"),
      ),
    acts && [h("span", { className: "small muted" }, t("Whom it charms")), charmForm(state, seat, told.charm, change, { gone, come: told.opened.trim() })],
    button(
      { className: met === false ? "wide danger" : "main", id: "entry-invite", onclick: send },
      met === false ? t("The table agrees: invite {name}", guest) : guest ? t("Invite {name}", guest) : t("Invite"),
    ),
  ];
}

function discard(state, seat, changed) {
  const rest = () => {
    const [value] = told.numbers;
    const name = told.instrument.trim();
    const send = () => make({ move: "discard", seat, card: { instrument: name, number: value, ...colourTold(state) } });
    return [
      colourOf(state, changed),
      h("span", { className: "small muted" }, t("Its number")),
      numberKeys(state, changed),
      button({ className: "main", id: "entry-discard", disabled: !name || told.numbers.length !== 1, onclick: send }, t("Discard it")),
    ];
  };
  return [h("strong", {}, t("Discard one card")), card(state, changed, rest)];
}

// A malandro goes onto a pile that lies there, and charms. Where piles are not entered, only whom it charms is told.
function malandro(state, seat, changed) {
  const { view } = state.game;
  const piles = view.house_rules["entry.detail"] === "moves" ? view.piles : null;
  if (piles && !piles.length) return null;
  const pile = told.pile ?? (piles?.length === 1 ? piles[0].colour : null);
  const onto = (colour) => button({ "data-pile": colour, "data-key": `pile-${colour}`, ...pressed(colour === pile), onclick: () => tell({ pile: colour }, changed) }, colourWord(colour));
  const change = (news, seen) => tell({ charm: { ...told.charm, ...news } }, seen ? changed : null);
  const send = () => make({ move: "discard", seat, card: "malandro", ...(piles ? { pile } : {}), ...charmed(told.charm) });
  const opens = (event) => {
    if (event.target.open !== told.malandro) tell({ malandro: event.target.open }, changed);
  };
  return h(
    "details",
    { className: "card", id: "malandro", open: told.malandro, ontoggle: opens },
    h("summary", {}, h("strong", {}, t("Discard a malandro"))),
    h(
      "div",
      { className: "stack" },
      piles && [h("span", { className: "small muted" }, t("Onto which pile")), h("div", { className: "kinds", role: "group", "aria-label": t("Onto which pile") }, piles.map(({ colour }) => onto(colour)))],
      h("span", { className: "small muted" }, t("Whom it charms")),
      charmForm(state, seat, told.charm, change),
      button({ className: "main", id: "entry-malandro", disabled: Boolean(piles) && !pile, onclick: send }, t("Discard the malandro")),
    ),
  );
}

function end(state, seat) {
  const { view } = state.game;
  const circles = view.house_rules["entry.detail"] === "circles";
  const out = () => make({ move: "deck_out" });
  return [
    view.may_end_turn && button({ id: "end-turn", className: circles && view.played ? "main" : "wide", onclick: () => make({ move: "end_turn", seat }) }, t("End the turn")),
    circles && view.cards_left === null && twice(t("The instrument deck is empty"), t("Really? The last round begins."), out, { id: "deck-out", "data-key": "deck-out" }),
  ];
}

export function forms(state, seat, changed) {
  const { phase, house_rules: rules } = state.game.view;
  const circles = rules["entry.detail"] === "circles";
  const cards = {
    draw: () => [[h("strong", {}, t("Draw")), draw(state, seat)]],
    play: () => [play(state, seat, changed)],
    discard: () => [invite(state, seat, changed), !circles && discard(state, seat, changed)],
  }[phase]();
  const card = (part) => part && h("section", { className: "card stack" }, part);
  // A turn can end before anything is played: nothing fits, or the table enters circles alone.
  return [cards.map(card), phase !== "draw" && [malandro(state, seat, changed), h("div", { className: "stack" }, end(state, seat))]];
}
