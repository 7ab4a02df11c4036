// A die drawn in its own outline, known without its colour: pattern, letter, value. Outlines lie in the page's sprite.

import { s } from "./dom.js";

const CENTRES = { d4: 64, d10: 54, d12: 54 };
const UNKNOWN = { fill: "#E4DCCB", ink: "#1D1B2E", letter: "", pattern: "plain", word: "unknown colour" };

export function look(palette, colour) {
  return palette[colour] || { ...UNKNOWN, word: colour || UNKNOWN.word, letter: (colour || "").slice(0, 1).toUpperCase() };
}

export function dieWords(palette, { shape = "d6", colour, value }) {
  const word = look(palette, colour).word;
  return value ? `${word} ${value}` : `${word} ${shape}, no value yet`;
}

export function die(palette, { shape = "d6", colour, value, state }, { label = true, extra = "" } = {}) {
  const { fill, ink, letter, pattern } = look(palette, colour);
  const centre = CENTRES[shape] || 50;
  const words = dieWords(palette, { shape, colour, value });
  return s(
    "svg",
    {
      className: `die ${extra} ${state === "cocked" ? "tilted" : ""}`,
      viewBox: "0 0 100 100",
      ...(label ? { role: "img", "aria-label": words } : { "aria-hidden": "true" }),
    },
    s("use", { href: `#die-${shape}`, fill, class: "die-face" }),
    pattern !== "plain" && s("use", { href: `#die-${shape}`, fill: `url(#pattern-${pattern}-${ink === "#FFFFFF" ? "white" : "ink"})` }),
    s("circle", { cx: 50, cy: centre, r: 27, fill }),
    s("text", { x: 50, y: centre + 19, class: "die-value", fill: ink }, value ? String(value) : "?"),
    letter && s("circle", { cx: 78, cy: 80, r: 13, fill }),
    letter && s("text", { x: 78, y: 88, class: "die-letter", fill: ink }, letter),
  );
}
