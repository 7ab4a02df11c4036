// What this game plays by, where it is not the usual.

import { h } from "./dom.js";
import { n, t } from "./words.js";

// The house rules of which another reading than the usual is played.
export function houseRules({ game }) {
  if (!game?.rules.length) return null;
  const count = n(game.rules.length, "{count} house rule in force", "{count} house rules in force");
  const about = h("summary", { className: "small" }, count);
  const lines = game.rules.map((rule) => h("li", {}, t("{title}: {words}", rule)));
  return h("details", { className: "card" }, about, h("ul", { className: "small" }, lines));
}
