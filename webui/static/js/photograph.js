// The photograph of a roll with its dice ringed; a tap on a ring opens that die.

import { s } from "./dom.js";
import { n, t } from "./words.js";

let picture = null; // kept, so that a change of a die does not load it anew

function kept(href, width, height) {
  if (picture?.getAttribute("href") !== href) {
    picture = s("image", { href, x: 0, y: 0, width, height, preserveAspectRatio: "none" });
  }
  return picture;
}

function ring(one, width, { doubtful, chosen, tapped }) {
  const [x, y, w, tall] = one.box;
  const place = { cx: x + w / 2, cy: y + tall / 2, rx: w * 0.62, ry: tall * 0.62 };
  const kind = `ring ${doubtful ? "doubtful" : ""} ${chosen ? "chosen" : ""}`;
  // The value stands beside the die, and inside the picture.
  const size = width / 16;
  const at = [Math.min(x + w * 1.02, width - size * 0.6), Math.max(y + tall * 0.12, size * 0.7)];
  const words = doubtful ? `${one.value ?? ""}?` : String(one.value ?? "?");
  return s(
    "g",
    {},
    s("ellipse", { ...place, class: "ring-back" }),
    s("ellipse", { ...place, class: kind, onclick: tapped }),
    s(
      "g",
      { transform: `translate(${at.join(" ")}) scale(${size / 130})` },
      s("text", { class: "ring-text" }, words),
    ),
  );
}

// `doubts` and `chosen` tell of a die, `tapped` is told its index.
export function photograph(proposal, { doubts, chosen, tapped }) {
  const { width, height, photo, dice } = proposal;
  if (!photo || !width) return null;
  const ringed = dice.filter((one) => one.box);
  const rings = ringed.map((one) =>
    ring(one, width, {
      doubtful: doubts(one),
      chosen: one.index === chosen,
      tapped: () => tapped(one.index),
    }),
  );
  const found = n(ringed.length, "{count} die found", "{count} dice found");
  const label = t("Photograph of the roll, {found}", { found });
  return s(
    "svg",
    { className: "photo", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    kept(photo, width, height),
    rings,
  );
}
