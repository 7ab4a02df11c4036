// A roll typed by hand: one tap a die on a grid of colours and values; the table keeps it die by die.

import { die, look } from "./die.js";
import { button, h } from "./dom.js";
import { act, state as now } from "./state.js";
import { n, t } from "./words.js";

const queue = []; // taps that the table has not answered yet
let sending = false;

const empty = (one) => one.colour === null || one.value === null;

// Send the taps one after the other: each goes to the first die that is still empty by then.
async function work(changed) {
  if (sending) return;
  sending = true;
  while (queue.length) {
    const { proposal } = now();
    const { proposal: meant, colour, value } = queue[0];
    let ok = false;
    if (proposal?.id === meant) {
      const place = proposal.dice.find(empty);
      const how = place ? { action: "edit", index: place.index } : { action: "add" };
      ({ ok } = await act("/api/proposal/dice", { proposal: meant, ...how, colour, value }));
    }
    queue.shift();
    if (!ok) queue.length = 0;
    changed();
  }
  sending = false;
}

export const pending = () => queue.length;

export function grid(state, changed) {
  const { proposal, game, table } = state;
  const colours = game.expects?.colours ? Object.keys(game.expects.colours) : game.view.colours;
  const left = proposal.dice.filter(empty).length - queue.length;
  const key = (colour, value) =>
    button(
      {
        "data-key": `hand-${colour}-${value}`,
        "data-hand": `${colour}-${value}`,
        "aria-label": t("Add {colour} {value}", { colour: look(table.palette, colour).word, value }),
        disabled: left <= 0,
        onclick: () => {
          queue.push({ proposal: proposal.id, colour, value });
          changed();
          work(changed);
        },
      },
      die(table.palette, { colour, value }, { label: false }),
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
