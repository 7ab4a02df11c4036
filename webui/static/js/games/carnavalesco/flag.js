// A school's flag in its colours: a small picture beside its name. The layouts are the rules' own list.

import { look } from "../../die.js";
import { s } from "../../dom.js";
import { t } from "../../words.js";

const [WIDE, HIGH] = [150, 100];
const box = (x, y, width, height) => `M${x} ${y}h${width}v${height}h${-width}z`;

// Eight rays from the middle; what sticks out of the flag is cut off by its frame.
function rays() {
  const corner = (at) => {
    const angle = ((at + 0.5) * Math.PI) / 8;
    return `${(WIDE / 2 + 100 * Math.cos(angle)).toFixed(1)} ${(HIGH / 2 + 100 * Math.sin(angle)).toFixed(1)}`;
  };
  const wedge = (at) => `M${WIDE / 2} ${HIGH / 2}L${corner(2 * at)} ${corner(2 * at + 1)}z`;
  return Array.from({ length: 8 }, (_, at) => wedge(at)).join("");
}

// What is painted over the whole field, which has the first colour: [number of the colour, path].
const PAINT = {
  rays: [[1, rays()]],
  halves: [[1, box(WIDE / 2, 0, WIDE / 2, HIGH)]],
  diagonal: [[1, `M0 ${HIGH}L${WIDE} 0V${HIGH}z`]],
  quarters: [[1, box(WIDE / 2, 0, WIDE / 2, HIGH / 2) + box(0, HIGH / 2, WIDE / 2, HIGH / 2)]],
  disc: [[1, "M75 20a30 30 0 1 1-.1 0z"]],
  bands: [
    [1, box(0, 33, WIDE, 34)],
    [2, box(0, 67, WIDE, 33)],
  ],
  cross: [
    [1, box(57, 0, 36, HIGH) + box(0, 32, WIDE, 36)],
    [2, box(66, 0, 18, HIGH) + box(0, 41, WIDE, 18)],
  ],
};

// `name`: whose flag it is, said aloud; without it the flag stands beside words that say as much.
export function flag(palette, { layout, colours }, name = "") {
  const looks = colours.map((colour) => look(palette, colour));
  const words = t("Flag of {name}: {colours}", { name, colours: looks.map(({ word }) => word).join(", ") });
  const told = name ? { role: "img", "aria-label": words } : { "aria-hidden": "true" };
  const parts = [[0, box(0, 0, WIDE, HIGH)], ...PAINT[layout]].map(([number, d]) => {
    const { fill, ink, pattern } = looks[number];
    const over = `url(#pattern-${pattern}-${ink === "#FFFFFF" ? "white" : "ink"})`;
    return [s("path", { d, fill }), pattern !== "plain" && s("path", { d, fill: over })];
  });
  return s("svg", { class: "flag", viewBox: `0 0 ${WIDE} ${HIGH}`, ...told }, parts);
}

// The flag of the school that plays alone: the one it chose, else its two official colours; null for several schools.
export function flagOf({ game: { view }, table: { palette } }, name = "") {
  if (!view.solo) return null;
  return flag(palette, view.solo.flag || { layout: "halves", colours: view.solo.colours }, name);
}
