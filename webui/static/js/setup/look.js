// A colour as a small die without a value: fill, pattern and letter, known without seeing colours.

import { s } from "../dom.js";

const tone = (look) => (look.ink === "#1D1B2E" ? "ink" : "white");

export function dieLook(look) {
  return s(
    "svg",
    { viewBox: "0 0 100 100", class: "die", "aria-hidden": "true" },
    s("use", { href: "#die-d6", fill: look.fill, class: "die-face" }),
    look.pattern !== "plain" && s("use", { href: "#die-d6", fill: `url(#pattern-${look.pattern}-${tone(look)})` }),
    s("circle", { cx: 50, cy: 50, r: 27, fill: look.fill }),
    s("text", { x: 50, y: 66, class: "look-letter", fill: look.ink }, look.letter),
  );
}
