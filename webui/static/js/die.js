// A die drawn in its own outline, known without its colour: pattern, letter, value. Outlines lie in the page's sprite.

import { s } from "./dom.js";
import { t } from "./words.js";

const CENTRES = { d4: 64, d10: 54, d12: 54 };
const UNKNOWN = { fill: "#E4DCCB", ink: "#1D1B2E", letter: "", pattern: "plain" };

export function look(palette, colour) {
  if (palette[colour]) return palette[colour];
  return { ...UNKNOWN, word: colour || t("unknown colour"), letter: (colour || "").slice(0, 1).toUpperCase() };
}

// `shaped`: the dice around it differ in shape, so its own is named.
export function dieWords(palette, { shape = "d6", colour, value }, shaped = false) {
  const { word } = look(palette, colour);
  if (!value) return t("{colour} {shape}, no value yet", { colour: word, shape });
  if (shaped) return t("{colour} {shape} showing {value}", { colour: word, shape, value });
  return t("{colour} {value}", { colour: word, value });
}

// `label`: whether the die is named, or the words to name it by, as in a button; `blank`: only the colour is meant.
export function die(palette, one, { label = true, extra = "", blank = false } = {}) {
  const { shape = "d6", colour, value, state } = one;
  const { fill, ink, letter, pattern } = look(palette, colour);
  const centre = CENTRES[shape] || 50;
  const tone = ink === "#FFFFFF" ? "white" : "ink";
  const told = label ? { role: "img", "aria-label": label === true ? dieWords(palette, one) : label } : { "aria-hidden": "true" };
  const tilted = state === "cocked" ? "tilted" : "";
  return s(
    "svg",
    { className: `die ${extra} ${tilted}`, viewBox: "0 0 100 100", ...told },
    s("use", { href: `#die-${shape}`, fill, class: "die-face" }),
    pattern !== "plain" && s("use", { href: `#die-${shape}`, fill: `url(#pattern-${pattern}-${tone})` }),
    s("circle", { cx: 50, cy: centre, r: 27, fill }),
    !blank && s("text", { x: 50, y: centre + 19, class: "die-value", fill: ink }, value ? String(value) : "?"),
    letter && s("circle", { cx: 78, cy: 80, r: 13, fill }),
    letter && s("text", { x: 78, y: 88, class: "die-letter", fill: ink }, letter),
  );
}
