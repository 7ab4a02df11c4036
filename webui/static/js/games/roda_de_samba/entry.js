// One turn as it is entered: draw, play, invite, discard, each in a few taps, for cards that are known and for new ones.

import { button, h } from "../../dom.js";
import { act } from "../../state.js";
import { t } from "../../words.js";
import { choice, colours, field, known, numbers, same, text } from "./fields.js";

const NOTHING = { instrument: "", colour: null, numbers: [], space: null, opened: "", pile: null };

let told = { ...NOTHING };
let moment = "";
let picking = false; // the list of legal moves is open

export const pickerOpen = () => picking;
export const local = () => [told, picking];

export function openPicker(yes, changed) {
  if (yes === picking) return;
  picking = yes;
  changed();
}

// What was half told is let go when the turn has moved on.
export function keepUp(state) {
  const { view, id } = state.game;
  const now = JSON.stringify([id, view.turn, view.phase, view.round]);
  if (now !== moment) told = { ...NOTHING };
  moment = now;
}

const make = (move) => act("/api/moves", { move });

function draw(state, seat) {
  const { view } = state.game;
  const base = { move: "draw", seat };
  return [
    view.cards_left !== 0 && button({ className: "wide", "data-draw": "deck", onclick: () => make({ ...base, from: "deck" }) }, t("Two cards from the deck")),
    view.cards_left === null &&
      button({ onclick: () => make({ ...base, from: "deck", last: true }) }, t("From the deck, and it is empty now")),
    view.piles.map(({ colour, cards }) =>
      button({ "data-draw": colour, onclick: () => make({ ...base, from: "pile", colour }) }, t("The pile in {colour} ({count})", { colour: colour.replace(/_/g, " "), count: cards.length })),
    ),
    view.cards_left === 0 && button({ onclick: () => make({ ...base, from: "nothing" }) }, t("Nothing")),
  ];
}

function instrument(state, changed) {
  const { deck } = state.game.view;
  // Only on leaving the field, so that it is not drawn anew under the fingers.
  const type = (event) => {
    told = { ...told, instrument: event.target.value };
    changed();
  };
  return [
    field(t("Instrument"), text(told.instrument, () => {}, { list: "instruments-known", id: "entry-instrument", "data-key": "entry-instrument", onchange: type })),
    h("datalist", { id: "instruments-known" }, deck.instruments.map(({ name }) => h("option", { value: name }))),
  ];
}

function colourOf(state, changed) {
  const { deck } = state.game.view;
  if (!told.instrument || known(deck, told.instrument)?.colour) return null;
  const set = (colour) => {
    told = { ...told, colour };
    changed();
  };
  return field(t("Its colour (once)"), choice(told.colour, colours(deck), set, { id: "entry-colour", "data-key": "entry-colour" }));
}

const colourTold = (state) => (known(state.game.view.deck, told.instrument)?.colour ? {} : { colour: told.colour });
const setNumbers = (changed) => (some) => {
  told = { ...told, numbers: some };
  changed();
};

function play(state, seat, changed) {
  const circle = state.game.view.players[seat].circle;
  const lies = circle.findIndex((one) => one && same(one.instrument, told.instrument));
  const free = circle.map((one, space) => (one ? null : space)).filter((space) => space !== null);
  const space = lies >= 0 ? lies : told.space;
  const spaces = Object.fromEntries(free.map((at) => [at, String(at + 1)]));
  const setSpace = (value) => {
    told = { ...told, space: value === null ? null : Number(value) };
    changed();
  };
  const send = () => {
    const { instrument: name, numbers: some } = told;
    const place = space === null ? {} : { space };
    make({ move: "play", seat, instrument: name.trim(), numbers: some, ...colourTold(state), ...place });
  };
  const disabled = !told.instrument || !told.numbers.length || (lies < 0 && told.space === null);
  return [
    h("strong", {}, t("Play an instrument")),
    instrument(state, changed),
    colourOf(state, changed),
    h("span", { className: "small muted" }, t("Numbers of the cards")),
    numbers(told.numbers, setNumbers(changed), "entry-number"),
    lies >= 0
      ? h("p", { className: "small muted" }, t("It goes onto the others in space {space}.", { space: lies + 1 }))
      : field(t("Space"), choice(told.space, spaces, setSpace, { id: "entry-space", "data-key": "entry-space" }, t("which?"))),
    button({ className: "wide", id: "entry-play", disabled, onclick: send }, t("Play")),
  ];
}

function invite(state, seat, changed) {
  const { view } = state.game;
  if (view.invited || !view.played) return null;
  const player = view.players[seat];
  const may = [...view.open.filter(Boolean).map((one) => [one, one.for[seat]]), ...(player.charmed ? [[player.charmed, player.charmed.answer]] : [])];
  const come = may.filter(([, answer]) => answer.met !== false);
  if (!come.length) return null;
  const unknown = !view.top_sambist && view.sambists_left !== 0;
  const names = view.deck.sambists.map(({ name }) => h("option", { value: name }));
  const type = (event) => {
    told = { ...told, opened: event.target.value };
    changed();
  };
  const one = ([sambist, answer]) => {
    const opened = sambist !== player.charmed && told.opened.trim() ? { opened: told.opened.trim() } : {};
    const send = () => make({ move: "invite", seat, sambist: sambist.name, ...opened });
    return button({ "data-invite": sambist.name, onclick: send }, answer.met ? t("Invite {name}", sambist) : t("Invite {name} (needs not known)", sambist));
  };
  return [
    h("strong", {}, t("Invite one sambist")),
    unknown && field(t("Who is opened next (if you like)"), text(told.opened, () => {}, { list: "sambists-known", id: "entry-opened", "data-key": "entry-opened", onchange: type })),
    unknown && h("datalist", { id: "sambists-known" }, names),
    come.map(one),
  ];
}

function discard(state, seat, changed) {
  const { view } = state.game;
  const detail = view.house_rules["entry.detail"];
  const end = view.may_end_turn && button({ id: "end-turn", className: "wide", onclick: () => make({ move: "end_turn", seat }) }, t("End the turn"));
  if (detail !== "moves") return end;
  const [value] = told.numbers;
  const card = () => ({ instrument: told.instrument.trim(), number: value, ...colourTold(state) });
  const malandro = (colour) => make({ move: "discard", seat, card: "malandro", pile: colour });
  const disabled = !told.instrument || told.numbers.length !== 1;
  return [
    h("strong", {}, t("Discard one card")),
    instrument(state, changed),
    colourOf(state, changed),
    h("span", { className: "small muted" }, t("Its number")),
    numbers(told.numbers, setNumbers(changed), "entry-number"),
    button({ className: "wide", id: "entry-discard", disabled, onclick: () => make({ move: "discard", seat, card: card() }) }, t("Discard it")),
    view.piles.map(({ colour }) =>
      button({ "data-malandro": colour, onclick: () => malandro(colour) }, t("A malandro onto {colour}, nobody charmed", { colour: colour.replace(/_/g, " ") })),
    ),
    end,
  ];
}

export function forms(state, seat, changed) {
  const { phase } = state.game.view;
  const parts =
    phase === "draw"
      ? [[h("strong", {}, t("Draw")), draw(state, seat)]]
      : phase === "play"
        ? [play(state, seat, changed)]
        : [invite(state, seat, changed), discard(state, seat, changed)];
  return parts.filter((part) => part && [part].flat(2).some(Boolean)).map((part) => h("section", { className: "card stack" }, part));
}
