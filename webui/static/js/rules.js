// What this game plays by, where it is not the usual: a solo school's official colours, the house rules.

import { die, look } from "./die.js";
import { h } from "./dom.js";
import { HOUSE_RULES, n, t } from "./words.js";

export function officialColours({ game: { view }, table: { palette } }) {
  if (!view.solo) return null;
  const one = (colour) => [die(palette, { colour }, { label: false, blank: true }), look(palette, colour).word];
  const words = h("span", { className: "muted small" }, t("Official colours:"));
  return h("p", { className: "row official" }, words, view.solo.colours.map(one));
}

// The house rules of which another reading than the usual (the first) is played.
export function houseRules({ game }) {
  const played = game?.view.house_rules || {};
  const lines = [];
  for (const { key, title, options } of HOUSE_RULES) {
    const [, words] = options.slice(1).find(([value]) => value === played[key]) || [];
    if (words) lines.push(h("li", {}, t("{title}: {words}", { title, words })));
  }
  if (!lines.length) return null;
  const count = n(lines.length, "{count} house rule in force", "{count} house rules in force");
  const about = h("summary", { className: "small" }, count);
  return h("details", { className: "card" }, about, h("ul", { className: "small" }, lines));
}
