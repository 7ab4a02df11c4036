// Taking dice: tap a die of the roll, tap an element of the own board; nothing counts before it is confirmed.

import { die, dieWords } from "../../die.js";
import { $, button, h, say } from "../../dom.js";
import { act } from "../../state.js";
import { capital, n, numberWord, shortNames, t } from "../../words.js";
import { ELEMENTS } from "./elements.js";

const STORE = "jurado.draft";
const kept = JSON.parse(sessionStorage.getItem(STORE) || "{}"); // outlives a look at another page

let turn = kept.turn || ""; // the pick that the half-made choice belongs to
let picks = kept.picks || []; // {die, colour, value, element, space?}, in the order in which they were put down
let chosen = kept.chosen || null; // {die, colour, value}: the die of the roll that waits for its element
let sending = false;

const keep = () => sessionStorage.setItem(STORE, JSON.stringify({ turn, picks, chosen }));

// Whether a die of the choice lies there as it did.
function lies(view, one) {
  const die = view.roll[one.die];
  return die?.taken_by === null && die.colour === one.colour && die.value === one.value;
}

// Forget the half-made choice when its pick is over; keep what still fits through everything else.
export function keepUp(state, seat) {
  if (seat === null) return;
  const { id, view } = state.game;
  const roll = state.log.find((entry) => entry.move?.move === "roll" && !entry.undone)?.seq;
  const now = JSON.stringify([id, view.round, view.picks.length, seat, roll]);
  const had = picks;
  const moved = now !== turn;
  turn = now;
  picks = [];
  for (const one of moved ? [] : had) {
    if (lies(view, one) && isFree(state, seat, one.element, one.space)) picks.push(one);
  }
  if (moved || (chosen && !lies(view, chosen))) chosen = null;
  keep();
  const gone = had.length - picks.length;
  // A choice that was confirmed is not lost: its dice are taken.
  if (!gone || sending || (moved && !had.every((one) => lies(view, one)))) return;
  const readAnew = t("A die that you chose was read differently, so it was let go.");
  say(moved ? t("Your choice was let go: the table has moved on.") : readAnew);
}

export const drafting = () => ({ picks, chosen, sending });
export const needed = (state) => state.game.view.take || 2;

// Under this house rule it matters in which space a die of Progression lies, so the space is tapped.
export const bySpace = (state, element) =>
  element === "progression" && state.game.view.house_rules?.["progression.ordered_spaces"] === "on";

function free(state, seat, element) {
  const there = state.game.view.players[seat].elements[element].length;
  return 4 - there - picks.filter((pick) => pick.element === element).length;
}

function isFree(state, seat, element, space) {
  if (free(state, seat, element) <= 0) return false;
  if (space === undefined) return true;
  const here = picks.filter((pick) => pick.element === element).map((pick) => pick.space);
  const there = state.game.view.players[seat].elements[element].map((one, at) => one.space ?? at);
  return ![...here, ...there].includes(space);
}

export const ghosts = () => picks;
export const mayGo = (state, seat) => (element) => chosen !== null && free(state, seat, element) > 0;

function tapDie(state, at, changed) {
  const placed = picks.findIndex((pick) => pick.die === at);
  const { colour, value } = state.game.view.roll[at];
  if (placed >= 0) picks.splice(placed, 1);
  else chosen = chosen?.die === at ? null : { die: at, colour, value };
  if (chosen !== null && picks.length >= needed(state)) chosen = null;
  changed();
}

// `space` is given where it matters.
export function tapElement(state, seat, element, changed, space) {
  if (chosen === null || !isFree(state, seat, element, space)) return;
  picks.push({ ...chosen, element, space });
  chosen = null;
  changed();
}

function chipWords(state, one, pick) {
  const words = dieWords(state.table.palette, one);
  if (one.taken_by !== null) return t("{die}, taken by {name}", { die: words, name: state.game.seats[one.taken_by] });
  if (!pick) return words;
  return t("{die}, for {element}. Tap to take it back", { die: words, element: ELEMENTS[pick.element].name });
}

// The roll's dice as chips; those taken stay where they lie, with who took them.
export function roll(state, mine, changed) {
  const { view, seats } = state.game;
  const full = picks.length >= needed(state);
  const names = shortNames(seats);
  const chip = (one, at) => {
    const pick = mine ? picks.find((other) => other.die === at) : null;
    const taken = one.taken_by !== null;
    const shut = mine && full && !pick && !taken;
    const kind = `chip ${taken ? "gone" : ""} ${pick ? "placed" : ""} ${shut ? "shut" : ""}`;
    return button(
      {
        className: kind,
        "data-key": `roll-${at}`,
        "data-die": at,
        "aria-pressed": String(mine && (chosen?.die === at || Boolean(pick))),
        disabled: !mine || taken || shut || sending,
        onclick: () => tapDie(state, at, changed),
      },
      die(state.table.palette, one, { label: chipWords(state, one, pick) }),
      taken && h("span", { className: "tag", "aria-hidden": "true" }, names[one.taken_by]),
      pick && h("span", { className: "tag", "aria-hidden": "true" }, ELEMENTS[pick.element].tag),
    );
  };
  return h("div", { className: "dice", role: "group", "aria-label": t("The roll") }, view.roll.map(chip));
}

// What solo play charges for this choice, before it is confirmed.
function charges(state) {
  if (!state.game.view.solo || picks.length < 3) return null;
  const most = (things) => Math.max(...things.map((thing) => things.filter((other) => other === thing).length));
  const dice = picks.map((pick) => state.game.view.roll[pick.die]);
  const broken = [
    most(dice.map((one) => one.value)) > 2 && t("more than two of one value"),
    most(dice.map((one) => one.colour)) > 2 && t("more than two of one colour"),
    most(picks.map((pick) => pick.element)) > 2 && t("more than two in one element"),
  ].filter(Boolean);
  if (!broken.length) return null;
  const count = n(broken.length, "{count} counter of −1:", "{count} counters of −1:");
  return h("p", { className: "doubt small" }, `${count} ${broken.join(", ")}.`);
}

function barWords(wanted) {
  const left = wanted - picks.length;
  if (sending) return t("Writing it down …");
  if (chosen !== null) return t("Now tap an element");
  if (left === 0) return t("Confirm {number} dice", { number: numberWord(wanted) });
  if (picks.length) return t("{number} more: tap a die", { number: capital(numberWord(left)) });
  return t("Tap a die, then an element");
}

export function bar(state, seat, changed) {
  const wanted = needed(state);
  const disabled = picks.length !== wanted || sending;
  const confirm = async () => {
    sending = true;
    changed();
    // A space that was not chosen is left out of the JSON.
    const places = picks.map(({ die: at, element, space }) => ({ die: at, element, space }));
    const answer = await act("/api/moves", { move: { move: "take", seat, places } });
    if (answer.ok) picks = [];
    sending = false;
    changed();
    if (answer.ok) $("prompt").focus({ preventScroll: true });
  };
  return [
    charges(state),
    button({ className: "main", id: "take", "data-key": "take", disabled, onclick: confirm }, barWords(wanted)),
  ];
}
