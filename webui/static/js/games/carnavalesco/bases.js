// Base marks that no strip gives: typed by hand, element by element, before the judges can speak.

import { h } from "../../dom.js";
import { act } from "../../state.js";
import { t } from "../../words.js";
import { elementName } from "./elements.js";

function choice(state, seat, key, mark, may) {
  // A base typed for another sum holds no more, and is asked for again.
  const typed = mark.score === null ? undefined : state.game.view.players[seat].bases?.[key];
  const option = (_, base) => h("option", { value: base, selected: base === typed }, String(base));
  const id = `base-${seat}-${key}`;
  const type = (event) => {
    const base = event.target.value === "" ? null : Number(event.target.value);
    const sum = base === null ? {} : { sum: mark.sum };
    act("/api/moves", { move: { move: "base", seat, element: key, base, ...sum } });
  };
  return h(
    "tr",
    {},
    h("td", {}, h("label", { for: id }, elementName(key))),
    h("td", { className: "number" }, t("sum {sum}", mark)),
    h(
      "td",
      { className: "choice" },
      h(
        "select",
        { id, "data-key": id, disabled: !may, onchange: type },
        h("option", { value: "" }, "–"),
        Array.from({ length: 11 }, option),
      ),
    ),
  );
}

export function missing(state, may) {
  return state.game.seats.map((name, seat) => {
    const marks = state.game.scoreboard.players[seat].elements;
    const player = state.game.view.players[seat];
    const waits = ([key, mark]) => (mark.complete && mark.score === null) || player.bases?.[key] !== undefined;
    const rows = Object.entries(marks).filter(waits);
    if (!rows.length) return null;
    return h(
      "section",
      { className: "card" },
      h("h2", { className: "wrap" }, t("{name}, division {division}", player)),
      h(
        "p",
        { className: "small muted" },
        t("Read each base off the printed strip: find the sum, type the number under it."),
        " ",
        h("a", { href: `/strips?division=${player.division}` }, t("Or copy the whole strip once.")),
      ),
      h("table", {}, h("tbody", {}, rows.map(([key, mark]) => choice(state, seat, key, mark, may)))),
    );
  });
}
