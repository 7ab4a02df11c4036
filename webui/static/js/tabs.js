// One button a seat, to look at its board.

import { button, h } from "./dom.js";
import { t } from "./words.js";

// `seat` is the one shown, `turn` the one that is to act.
export function tabs(state, seat, turn, choose) {
  const { seats } = state.game;
  if (seats.length < 2) return null;
  const tab = (name, at) =>
    button(
      { "aria-pressed": String(at === seat), "data-key": `tab-${at}`, "data-seat": at, onclick: () => choose(at) },
      h("span", { className: "name", title: name }, name),
      turn === at && h("span", { className: "on-turn", role: "img", "aria-label": t("on turn") }, "●"),
    );
  return h("div", { className: "tabs", role: "group", "aria-label": t("Whose board") }, seats.map(tab));
}
