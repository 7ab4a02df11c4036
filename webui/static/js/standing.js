// The scores of all seats in one line, while they are no secret.

import { h } from "./dom.js";
import { number, t } from "./words.js";

// The one seat that is ahead, or null.
export function leader(totals) {
  if (!totals || totals.length < 2) return null;
  const best = Math.max(...totals);
  return totals.filter((total) => total === best).length === 1 ? totals.indexOf(best) : null;
}

export function standing(state, totals) {
  const { seats, prompt } = state.game;
  if (!totals || seats.length < 2) return null;
  const ahead = leader(totals);
  const one = (name, seat) =>
    h(
      "li",
      { className: `${seat === ahead ? "ahead" : ""} ${seat === prompt.seat ? "acts" : ""}`, "data-score": seat },
      h("span", { className: "name" }, name),
      h("strong", {}, number(totals[seat])),
      seat === ahead && h("span", { className: "unseen" }, t("leads")),
    );
  return h("ol", { className: "standing", "aria-label": t("Scores") }, seats.map(one));
}
