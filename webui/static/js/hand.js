// A roll typed by hand: one tap a die on a grid of colours and values; the table keeps it die by die.

import { die, look } from "./die.js";
import { h } from "./dom.js";
import { act, state as now } from "./state.js";

const queue = []; // taps that the table has not answered yet
let sending = false;

const empty = (one) => one.colour === null || one.value === null;

async function work(changed) {
  if (sending) return;
  sending = true;
  while (queue.length) {
    const { proposal } = now();
    const tap = queue[0];
    const place = proposal?.id === tap.proposal ? proposal.dice.find(empty) : null;
    const body = place ? { action: "edit", index: place.index } : { action: "add" };
    const answer = proposal?.id === tap.proposal
      ? await act("/api/proposal/dice", { proposal: tap.proposal, ...body, colour: tap.colour, value: tap.value })
      : { ok: false };
    queue.shift();
    if (!answer.ok) queue.length = 0;
    changed();
  }
  sending = false;
}

export const pending = () => queue.length;

export function grid(state, changed) {
  const { proposal, game } = state;
  const colours = game.expects?.colours ? Object.keys(game.expects.colours) : game.view.colours;
  const left = proposal.dice.filter(empty).length - queue.length;
  return h(
    "section",
    { className: "card", "aria-label": "Type the roll" },
    h("p", {}, left > 0 ? `Tap each die that lies there: ${left} to go.` : "All dice are in. Compare them with the table."),
    h(
      "div",
      { className: "grid36" },
      colours.map((colour) => [
        h("span", { className: "unseen" }, look(state.table.palette, colour).word),
        [1, 2, 3, 4, 5, 6].map((value) =>
          h(
            "button",
            {
              type: "button",
              "data-key": `hand-${colour}-${value}`,
              "data-hand": `${colour}-${value}`,
              "aria-label": `Add ${look(state.table.palette, colour).word} ${value}`,
              disabled: left <= 0,
              onclick: () => {
                queue.push({ proposal: proposal.id, colour, value });
                changed();
                work(changed);
              },
            },
            die(state.table.palette, { colour, value }, { label: false }),
          ),
        ),
      ]),
    ),
  );
}
