// A samba circle: ten spaces in a ring, what lies in them, and whether neighbours are in harmony.

import { look } from "../../die.js";
import { h, s } from "../../dom.js";
import { n, t } from "../../words.js";

const SPACES = 10;
const MIDDLE = 180;
const RADIUS = 142;
const INNER = 92; // where it is said what two neighbours share
const [WIDE, HIGH] = [72, 52];

const at = (space, radius) => {
  const angle = ((space - SPACES / 4) * 2 * Math.PI) / SPACES;
  return [MIDDLE + radius * Math.cos(angle), MIDDLE + radius * Math.sin(angle)];
};

// A name cut to so many letters, after a whole word where that leaves enough of it.
function short(name, most) {
  if (name.length <= most) return name;
  const words = name.slice(0, most + 1).split(" ").slice(0, -1);
  while (words.length > 1 && words.at(-1).length < 3) words.pop();
  const whole = words.join(" ");
  return whole.length >= 4 ? whole : `${name.slice(0, most - 2).trim()}…`;
}

const over = ({ ink, pattern }) => `url(#pattern-${pattern}-${ink === "#FFFFFF" ? "white" : "ink"})`;

// A card has its colour, the colour's letter, and a band with the colour's pattern.
function stack(palette, one, space, what) {
  const [x, y] = at(space, RADIUS);
  const [left, top] = [x - WIDE / 2, y - HIGH / 2];
  const place = { x: left, y: top, width: WIDE, height: HIGH, rx: 10 };
  if (!one) {
    return s(
      "g",
      what,
      s("rect", { ...place, class: "seat-empty" }),
      s("text", { x, y: y + 5, class: "seat-number" }, String(space + 1)),
    );
  }
  const looks = look(palette, one.colour);
  const { fill, ink, letter, pattern } = looks;
  return s(
    "g",
    what,
    s("rect", { ...place, fill, class: "seat-card" }),
    pattern !== "plain" && s("rect", { x: left + 8, y: top + 3, width: WIDE - 16, height: 9, rx: 4, fill: over(looks) }),
    s("text", { x, y: y + 2, fill: ink, class: "seat-name" }, short(one.instrument, 9)),
    s("text", { x, y: y + 20, fill: ink, class: "seat-values" }, `${letter} ${one.numbers.join(" ")}`),
  );
}

const crosses = (shared) => !shared.colour && !shared.numbers.length;

// The way round the ring from a space to the next one: whole where they are in harmony, broken where they cross; and on
// it what they share, the colour with its letter and pattern, else the numbers.
function link(palette, shared, space) {
  if (!shared) return null;
  const [[x1, y1], [x2, y2]] = [at(space, RADIUS), at(space + 1, RADIUS)];
  const [x, y] = at(space + 0.5, INNER);
  const bad = crosses(shared);
  const way = s("path", { d: `M${x1} ${y1}A${RADIUS} ${RADIUS} 0 0 1 ${x2} ${y2}`, class: "way" });
  const stem = s("line", { x1: x, y1: y, x2: (x1 + x2) / 2, y2: (y1 + y2) / 2, class: "way" });
  if (bad) {
    return s("g", { class: "link bad" }, way, stem, s("circle", { cx: x, cy: y, r: 13 }), s("text", { x, y: y + 6 }, "✗"));
  }
  const looks = shared.colour && look(palette, shared.colour);
  const words = looks ? looks.letter : shared.numbers.slice(0, 2).join(" ");
  return s(
    "g",
    { class: "link good" },
    way,
    stem,
    s("circle", { cx: x, cy: y, r: 13, ...(looks ? { fill: looks.fill } : {}), class: looks ? "tinted" : "" }),
    looks && looks.pattern !== "plain" && s("circle", { cx: x, cy: y, r: 13, fill: over(looks), class: "tinted" }),
    looks && s("circle", { cx: x, cy: y, r: 8.5, fill: looks.fill, class: "under" }),
    s("text", { x, y: y + 5, ...(looks ? { fill: looks.ink, class: "tinted" } : {}) }, words),
  );
}

// The ring drawn; `tap(space)` gives what makes a space a key, `within` stands in the middle.
export function ring(state, spaces, { label, tap = () => ({}), role = "img", links = null, within = null }) {
  return s(
    "svg",
    { className: "circle", viewBox: "0 0 360 360", role, "aria-label": label },
    s("circle", { cx: MIDDLE, cy: MIDDLE, r: RADIUS, class: "ring-line" }),
    links,
    spaces.map((one, space) => stack(state.table.palette, one, space, tap(space))),
    within,
  );
}

export function words(spaces) {
  const lie = spaces.map((one, space) => one && `${space + 1}: ${one.instrument} ${one.numbers.join(" ")}`).filter(Boolean);
  return lie.length ? lie.join(", ") : t("no instrument yet");
}

// What each pair of neighbours shares, in words, for those who hear the page.
function linkWords({ palette }, harmony) {
  const one = (shared, space) => {
    if (!shared) return null;
    const pair = `${space + 1}–${((space + 1) % SPACES) + 1}`;
    if (crosses(shared)) return t("{pair} crossed", { pair });
    return `${pair} ${[shared.colour && look(palette, shared.colour).word, ...shared.numbers].filter(Boolean).join(" ")}`;
  };
  return harmony.map(one).filter(Boolean).join(", ");
}

export function circle(state, seat, { few = false } = {}) {
  const player = state.game.view.players[seat];
  const crossed = player.harmony.filter((shared) => shared && crosses(shared)).length;
  const top = player.active;
  const told = { name: player.name, lie: words(player.circle), links: linkWords(state.table, player.harmony) };
  const label = told.links ? t("Circle of {name}: {lie}. Neighbours: {links}", told) : t("Circle of {name}: {lie}", told);
  const hint = state.game.view.house_rules["harmony.hint"] !== "off";
  const middle = top ? `${top.stars === null ? "★ ?" : `★ ${top.stars}`} · ${player.different}/10` : `${player.different}/10`;
  return [
    ring(state, player.circle, {
      label,
      links: player.harmony.map((shared, space) => link(state.table.palette, shared, space)),
      within: [
        top && s("text", { x: MIDDLE, y: MIDDLE - 6, class: "centre" }, short(top.name, 14)),
        s("text", { x: MIDDLE, y: MIDDLE + (top ? 20 : 7), class: "centre" }, middle),
      ],
    }),
    h(
      "p",
      { className: "small muted" },
      hint && h("span", { className: crossed ? "bad" : "good" }, crossed ? n(crossed, "{count} crossed samba: −2 at the end.", "{count} crossed sambas, −2 each at the end.") : t("All in harmony.")),
      !few && hint && ` ${t("Between neighbours stands what they share: a colour’s letter, or a number.")}`,
      few || player.hand === null ? null : ` ${n(player.hand, "{count} card in hand.", "{count} cards in hand.")}`,
    ),
  ];
}
