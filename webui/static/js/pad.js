// The pad that says what a die is: its shape where there is a choice, its value, its colour.

import { die, look } from "./die.js";
import { button, h } from "./dom.js";
import { t } from "./words.js";

const group = (words, keys) => h("div", { className: "pad", role: "group", "aria-label": words }, keys);

// `picked` is told {shape}, {value} or {colour}.
export function pad(state, one, colours, shapes, picked) {
  const { palette } = state.table;
  const faces = Number((one.shape || "d6").slice(1));
  const shapeKey = (shape) =>
    button(
      { className: "tint", "aria-pressed": String(shape === one.shape), onclick: () => picked({ shape }) },
      die(palette, { ...one, shape, state: null }, { label: false }),
      shape,
    );
  const valueKey = (_, at) => {
    const value = at + 1;
    const pressed = String(value === one.value);
    const key = { "data-key": `value-${value}`, "data-value": value, "aria-pressed": pressed };
    return button({ ...key, onclick: () => picked({ value }) }, String(value));
  };
  const colourKey = (colour) => {
    const pressed = String(colour === one.colour);
    const key = { "data-key": `colour-${colour}`, "data-colour": colour, "aria-pressed": pressed };
    return button(
      { className: "tint", ...key, onclick: () => picked({ colour }) },
      die(palette, { ...one, colour, state: null }, { label: false }),
      h("span", { className: "wrap" }, look(palette, colour).word),
    );
  };
  return [
    shapes.length > 1 && group(t("Shape"), shapes.map(shapeKey)),
    group(t("Value"), Array.from({ length: faces }, valueKey)),
    group(t("Colour"), colours.map(colourKey)),
  ];
}
