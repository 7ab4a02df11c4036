// Taking dice: tap a die of the roll, tap an element of the own board; nothing counts before it is confirmed.

import { die, dieWords } from "./die.js";
import { button, h } from "./dom.js";
import { act } from "./state.js";
import { ELEMENTS, capital, n, numberWord, t } from "./words.js";

let turn = ""; // the pick that the half-made choice belongs to
let picks = []; // {die, element}, in the order in which they were put down
let chosen = null; // the die of the roll that waits for its element
let sending = false;

// Forget the half-made choice when its pick is over, keep it through everything else.
export function keepUp(state, seat) {
  const { id, view } = state.game;
  const roll = view.roll.map((one) => [one.colour, one.value]);
  const now = JSON.stringify([id, view.round, view.picks.length, seat, roll]);
  if (now !== turn) {
    turn = now;
    picks = [];
    chosen = null;
  }
  picks = picks.filter((pick) => view.roll[pick.die] && view.roll[pick.die].taken_by === null);
}

export const drafting = () => ({ picks, chosen, sending });
export const needed = (state) => state.game.view.take || 2;

function free(state, seat, element) {
  const there = state.game.view.players[seat].elements[element].length;
  return 4 - there - picks.filter((pick) => pick.element === element).length;
}

export const ghosts = (state) => picks.map((pick) => ({ ...state.game.view.roll[pick.die], element: pick.element }));
export const mayGo = (state, seat) => (element) => chosen !== null && free(state, seat, element) > 0;

function tapDie(state, at, changed) {
  const placed = picks.findIndex((pick) => pick.die === at);
  if (placed >= 0) picks.splice(placed, 1);
  else chosen = chosen === at ? null : at;
  if (chosen !== null && picks.length >= needed(state)) chosen = null;
  changed();
}

export function tapElement(state, seat, element, changed) {
  if (chosen === null || free(state, seat, element) <= 0) return;
  picks.push({ die: chosen, element });
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
        "aria-pressed": String(mine && (chosen === at || Boolean(pick))),
        "aria-label": chipWords(state, one, pick),
        disabled: !mine || taken || shut || sending,
        onclick: () => tapDie(state, at, changed),
      },
      die(state.table.palette, one, { label: false }),
      taken && h("span", { className: "tag" }, seats[one.taken_by]),
      pick && h("span", { className: "tag" }, ELEMENTS[pick.element].short),
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
    const places = picks.map((pick) => ({ die: pick.die, element: pick.element }));
    await act("/api/moves", { move: { move: "take", seat, places } });
    sending = false;
    changed();
  };
  return [
    charges(state),
    button({ className: "main", id: "take", "data-key": "take", disabled, onclick: confirm }, barWords(wanted)),
  ];
}
