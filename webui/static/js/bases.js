// Base marks that no strip gives: typed by hand, element by element, before the judges can speak.

import { h } from "./dom.js";
import { act } from "./state.js";
import { elementName } from "./words.js";

function choice(state, seat, key, mark, may) {
  const typed = state.game.view.players[seat].bases?.[key];
  const options = [h("option", { value: "" }, "–"), ...Array.from({ length: 11 }, (_, base) => h("option", { value: base, selected: base === typed }, String(base)))];
  const id = `base-${seat}-${key}`;
  return h(
    "tr",
    {},
    h("td", {}, h("label", { for: id }, elementName(key))),
    h("td", { className: "number" }, `sum ${mark.sum}`),
    h(
      "td",
      { className: "number" },
      h("select", {
        id, "data-key": id, disabled: !may, "aria-label": `Base of ${state.game.seats[seat]} in ${elementName(key)}`,
        onchange: (event) => act("/api/moves", { move: { move: "base", seat, element: key, base: event.target.value === "" ? null : Number(event.target.value) } }),
      }, options),
    ),
  );
}

export function missing(state, may) {
  return state.game.seats.map((name, seat) => {
    const marks = state.game.scoreboard.players[seat].elements;
    const player = state.game.view.players[seat];
    const rows = Object.entries(marks).filter(([key, mark]) => (mark.complete && mark.score === null) || player.bases?.[key] !== undefined);
    if (!rows.length) return null;
    return h(
      "section",
      { className: "card" },
      h("h2", { className: "wrap" }, `${name}, division ${player.division}`),
      h("p", { className: "small muted" }, "Read each base off the printed strip: find the sum, type the number under it. Or ", h("a", { href: `/strips?division=${player.division}` }, "copy the whole strip once"), "."),
      h("table", {}, h("tbody", {}, rows.map(([key, mark]) => choice(state, seat, key, mark, may)))),
    );
  });
}
