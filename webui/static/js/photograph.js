// The photograph of a roll, zoomed to its dice; each is ringed. A tap beside the rings says that a die was missed.

import { button, h, s } from "./dom.js";
import { misleads, places } from "./labels.js";
import { press } from "./press.js";
import { n, t } from "./words.js";

const MARGIN = 0.9; // widths of a die around the outermost
const TALLEST = 1; // height of the part that is shown, as a share of its width
const FLATTEST = 0.5;
const RING = 0.62; // the ring's radii, in widths and heights of the die
const LETTERS = 16; // how often a label's height goes into the width that is shown
const LEADS = 1.2; // radii of the ring from which on a label is led to its die
const WORTH = 0.75; // a part that is wider than this share of the picture is shown as the whole

let picture = null; // kept, so that a change of a die does not load it anew
let whole = { of: "", shown: false }; // whether the whole picture is shown, of the proposal with this id

function kept(href, width, height) {
  if (picture?.getAttribute("href") !== href) {
    picture = s("image", { href, x: 0, y: 0, width, height, preserveAspectRatio: "none" });
  }
  return picture;
}

export const zoomKey = () => whole;

// The part of the picture with all dice in it: [x, y, width, height]; null where that is about all of it.
function part({ width, height, dice }) {
  const boxes = dice.filter((one) => one.box).map((one) => one.box);
  if (!boxes.length) return null;
  const die = Math.max(...boxes.map(([, , w, tall]) => Math.max(w, tall)));
  const left = Math.min(...boxes.map(([x]) => x)) - die * MARGIN;
  const top = Math.min(...boxes.map(([, y]) => y)) - die * MARGIN;
  const right = Math.max(...boxes.map(([x, , w]) => x + w)) + die * MARGIN;
  const bottom = Math.max(...boxes.map(([, y, , tall]) => y + tall)) + die * MARGIN;
  const wide = Math.min(width, Math.max(right - left, (bottom - top) / TALLEST));
  const tall = Math.min(height, Math.max(bottom - top, wide * FLATTEST));
  if (wide > width * WORTH) return null;
  const x = Math.max(0, Math.min((left + right - wide) / 2, width - wide));
  const y = Math.max(0, Math.min((top + bottom - tall) / 2, height - tall));
  return [x, y, wide, tall];
}

function ring(one, { doubtful, chosen, lacking, hands }) {
  const [x, y, w, tall] = one.box;
  const place = { cx: x + w / 2, cy: y + tall / 2, rx: w * RING, ry: tall * RING };
  const kind = `ring ${doubtful ? "doubtful" : ""} ${chosen ? "chosen" : ""}`;
  // A browser moves a finger's tap onto the nearest ring. Where a die is missing, the finger may have meant that one.
  const tapped = ({ currentTarget: drawn }, from) => {
    const point = from && pointOf(drawn.ownerSVGElement, from);
    if (lacking && point && !drawn.isPointInFill(point) && !drawn.isPointInStroke(point)) hands.add(rounded(point));
    else hands.tap(one);
  };
  const gestures = hands ? press(tapped, () => hands.hold(one)) : {};
  return s(
    "g",
    { "data-ring": one.index },
    s("ellipse", { ...place, class: "ring-back" }),
    s("ellipse", { ...place, class: kind, ...gestures }),
  );
}

const words = ({ value }, doubtful) => `${value ?? (doubtful ? "" : "?")}${doubtful ? "?" : ""}`;

// The values beside their dice, in letters that are as large on the screen in every part of the picture; a line leads
// to a die from afar. A tap on a value is one on its die, but where a die is missing, which may lie there.
function labels(dice, view, { doubts, hands }) {
  const size = view[2] / LETTERS;
  const told = dice.map((one) => words(one, doubts(one)));
  const sizes = told.map((text) => [size * (0.2 + 0.5 * text.length), size * 0.8]);
  const boxes = dice.map((one) => one.box);
  const found = places(boxes, sizes, view);
  const leads = boxes.map((box, at) =>
    lead(box, found[at], misleads(found[at], box, boxes.filter((other) => other !== box)) ? 1 : LEADS),
  );
  const texts = found.map(([x, y, wide, tall], at) => {
    const place = `translate(${x + wide / 2} ${y + tall - size * 0.12}) scale(${size / 130})`;
    const gestures = hands ? press(() => hands.tap(dice[at]), () => hands.hold(dice[at])) : {};
    const kind = `ring-text ${hands ? "touch" : ""}`;
    return s("g", { transform: place, "data-label": dice[at].index }, s("text", { class: kind, ...gestures }, told[at]));
  });
  return [leads, texts];
}

// A line from a place to its die, where it is farther than `most` radii of the ring.
function lead([x, y, w, tall], [left, top, wide, high], most) {
  const from = [x + w / 2, y + tall / 2];
  const to = [Math.max(left, Math.min(from[0], left + wide)), Math.max(top, Math.min(from[1], top + high))];
  const way = to.map((edge, axis) => edge - from[axis]);
  const far = Math.hypot(way[0] / (w * RING), way[1] / (tall * RING));
  if (far < most) return null;
  const begin = from.map((edge, axis) => edge + way[axis] / far);
  const line = `M${begin.join(" ")}L${to.join(" ")}`;
  return [s("path", { d: line, class: "lead-back" }), s("path", { d: line, class: "lead" })];
}

function crossed(one, restore) {
  const [x, y, w, tall] = one.box;
  const stroke = `M${x} ${y}L${x + w} ${y + tall}M${x + w} ${y}L${x} ${y + tall}`;
  const tapped = (event) => {
    event.stopPropagation();
    restore(one.index);
  };
  return s(
    "g",
    { "data-crossed": one.index, onclick: tapped },
    s("rect", { x, y, width: w, height: tall, class: "crossed-place" }),
    s("path", { d: stroke, class: "ring-back" }),
    s("path", { d: stroke, class: "crossed" }),
  );
}

// Where in the picture a place on the screen is.
const pointOf = (svg, [x, y]) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM().inverse());
const rounded = ({ x, y }) => [Math.round(x), Math.round(y)];

// `doubts` and `chosen` tell of a die. With `hands`, {tap, hold, add, restore, changed}, it can be worked on.
export function photograph(proposal, { doubts, chosen, hands = null }) {
  const { width, height, photo, dice, id } = proposal;
  if (!photo || !width) return null;
  const lacking = proposal.missing.length > 0;
  // Where a die is missing, it may lie where no other does.
  if (whole.of !== id) whole = { of: id, shown: lacking };
  const zoom = part(proposal);
  const view = (!whole.shown && zoom) || [0, 0, width, height];
  const ringed = dice.filter((one) => one.box);
  const rings = ringed.map((one) =>
    ring(one, {
      doubtful: doubts(one),
      chosen: one.index === chosen,
      lacking,
      hands,
    }),
  );
  // After all rings, so that none covers a neighbour's value.
  const values = labels(ringed, view, { doubts, hands: lacking ? null : hands });
  const found = n(ringed.length, "{count} die found", "{count} dice found");
  const about = {
    className: `photo ${hands ? "touch" : ""}`,
    viewBox: view.join(" "),
    role: "img",
    "aria-label": t("Photograph of the roll, {found}", { found }),
    onclick: hands && ((event) => hands.add(rounded(pointOf(event.currentTarget, [event.clientX, event.clientY])))),
  };
  const gone = hands ? proposal.removed.filter((one) => one.box).map((one) => crossed(one, hands.restore)) : [];
  const toggle = () => {
    whole = { of: id, shown: !whole.shown };
    hands.changed();
  };
  return [
    s("svg", about, kept(photo, width, height), gone, rings, values),
    hands &&
      h(
        "div",
        { className: "under" },
        h("p", { className: "muted small" }, t("Tap a die for its next likeliest value, hold it for all. One without a ring: tap it.")),
        zoom &&
          button(
            { className: "plain", "data-key": "zoom", onclick: toggle },
            whole.shown ? t("Zoom to the dice") : t("The whole picture"),
          ),
      ),
  ];
}
