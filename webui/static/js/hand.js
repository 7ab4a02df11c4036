// A roll typed by hand, one tap a die: on a grid of colours and values, or die by die where each is another one.

import { die, look } from "./die.js";
import { button, h } from "./dom.js";
import { act, state as now } from "./state.js";
import { n, t } from "./words.js";

const queue = []; // taps that the table has not answered yet
let sending = false;

const empty = (one) => one.colour === null || one.value === null;

// Send the taps one after the other: each goes to its own die, or to the first that is still empty by then.
async function work(changed) {
  if (sending) return;
  sending = true;
  while (queue.length) {
    const { proposal } = now();
    const { proposal: meant, index, ...said } = queue[0];
    let ok = false;
    if (proposal?.id === meant) {
      const place = index ?? proposal.dice.find(empty)?.index;
      const how = place === undefined ? { action: "add" } : { action: "edit", index: place };
      ({ ok } = await act("/api/proposal/dice", { proposal: meant, ...how, ...said }));
    }
    queue.shift();
    if (!ok) queue.length = 0;
    changed();
  }
  sending = false;
}

export const pending = () => queue.length;

const tell = (changed, said) => {
  queue.push(said);
  changed();
  work(changed);
};

const allIn = () => h("p", {}, t("All dice are in. Compare them with the table."));

// The dice are all different: one after the other, each with its own faces.
function oneByOne(state, changed) {
  const { proposal, table } = state;
  const waits = (one) => empty(one) && !queue.some(({ index }) => index === one.index);
  const next = proposal.dice.find(waits);
  const about = { className: "card editor", "aria-label": t("Type the roll") };
  if (!next) return h("section", about, allIn());
  const { shape, colour, index } = next;
  const left = proposal.dice.filter(waits).length;
  const key = (_, at) => {
    const value = at + 1;
    const what = { "data-key": `hand-${value}`, "data-face": value };
    return button({ ...what, onclick: () => tell(changed, { proposal: proposal.id, index, value }) }, String(value));
  };
  const words = t("What does the {colour} {shape} show?", { colour: look(table.palette, colour).word, shape });
  return h(
    "section",
    { ...about, "data-typing": `${colour}-${shape}` },
    h(
      "div",
      { className: "seen" },
      die(table.palette, { shape, colour, value: null }, { label: false }),
      h("div", {}, h("strong", {}, words), h("p", { className: "small muted" }, n(left, "{count} die to go.", "{count} dice to go."))),
    ),
    h("div", { className: "pad" }, Array.from({ length: Number(shape.slice(1)) }, key)),
    shape === "d10" && h("p", { className: "small muted" }, t("A 0 counts 10.")),
  );
}

export function grid(state, changed) {
  const { proposal, game, table } = state;
  if (game.expects?.dice) return oneByOne(state, changed);
  const colours = game.expects?.colours ? Object.keys(game.expects.colours) : game.view.colours;
  const left = proposal.dice.filter(empty).length - queue.length;
  const key = (colour, value) =>
    button(
      {
        "data-key": `hand-${colour}-${value}`,
        "data-hand": `${colour}-${value}`,
        disabled: left <= 0,
        onclick: () => tell(changed, { proposal: proposal.id, colour, value }),
      },
      die(table.palette, { colour, value }, {
        label: t("Add {colour} {value}", { colour: look(table.palette, colour).word, value }),
      }),
    );
  const words =
    left > 0
      ? n(left, "Tap each die that lies there: {count} to go.", "Tap each die that lies there: {count} to go.")
      : t("All dice are in. Compare them with the table.");
  return h(
    "section",
    { className: "card", "aria-label": t("Type the roll") },
    h("p", {}, words),
    h("div", { className: "grid36" }, colours.map((colour) => [1, 2, 3, 4, 5, 6].map((value) => key(colour, value)))),
  );
}
