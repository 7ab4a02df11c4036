// A samba circle: ten spaces in a ring, what lies in them, and whether neighbours are in harmony.

import { look } from "../../die.js";
import { h, s } from "../../dom.js";
import { n, t } from "../../words.js";

const SPACES = 10;
const RADIUS = 124;
const HALF = 33;

const at = (space, radius) => {
  const angle = ((space - SPACES / 4) * 2 * Math.PI) / SPACES;
  return [160 + radius * Math.cos(angle), 160 + radius * Math.sin(angle)];
};

// A name cut to so many letters, after a whole word where that leaves enough of it.
function short(name, most) {
  if (name.length <= most) return name;
  const words = name.slice(0, most + 1).split(" ").slice(0, -1);
  while (words.length > 1 && words.at(-1).length < 3) words.pop();
  const whole = words.join(" ");
  return whole.length >= 4 ? whole : `${name.slice(0, most - 2).trim()}…`;
}

function stack(palette, one, space, what) {
  const [x, y] = at(space, RADIUS);
  const place = { x: x - HALF, y: y - HALF * 0.72, width: HALF * 2, height: HALF * 1.44, rx: 9 };
  if (!one) {
    return s(
      "g",
      what,
      s("rect", { ...place, class: "seat-empty" }),
      s("text", { x, y: y + 5, class: "seat-number" }, String(space + 1)),
    );
  }
  const { fill, ink, letter } = look(palette, one.colour);
  return s(
    "g",
    what,
    s("rect", { ...place, fill, class: "seat-card" }),
    s("text", { x, y: y - 5, fill: ink, class: "seat-name" }, short(one.instrument, 9)),
    s("text", { x, y: y + 15, fill: ink, class: "seat-values" }, `${letter} ${one.numbers.join(" ")}`),
  );
}

// The mark between a space and the next one round the ring.
function link(harmony, space) {
  if (harmony[space] === null) return null;
  const [x, y] = at(space + 0.5, RADIUS - 46);
  const good = harmony[space];
  return s(
    "g",
    { class: good ? "link good" : "link bad" },
    s("circle", { cx: x, cy: y, r: 11 }),
    s("text", { x, y: y + 5 }, good ? "✓" : "✗"),
  );
}

// The ring drawn; `tap(space)` gives what makes a space a key, `within` stands in the middle.
export function ring(state, spaces, { label, tap = () => ({}), role = "img", links = null, within = null }) {
  return s(
    "svg",
    { className: "circle", viewBox: "0 0 320 320", role, "aria-label": label },
    spaces.map((one, space) => stack(state.table.palette, one, space, tap(space))),
    links,
    within,
  );
}

export function words(spaces) {
  const lie = spaces.map((one, space) => one && `${space + 1}: ${one.instrument} ${one.numbers.join(" ")}`).filter(Boolean);
  return lie.length ? lie.join(", ") : t("no instrument yet");
}

export function circle(state, seat) {
  const player = state.game.view.players[seat];
  const crossed = player.harmony.filter((good) => good === false).length;
  const top = player.active;
  const label = t("Circle of {name}: {lie}", { name: player.name, lie: words(player.circle) });
  const hint = state.game.view.house_rules["harmony.hint"] !== "off";
  return [
    ring(state, player.circle, {
      label,
      links: player.harmony.map((_, space) => link(player.harmony, space)),
      within: [
        s("text", { x: 160, y: top ? 154 : 166, class: "centre" }, top ? short(top.name, 14) : `${player.different}/10`),
        top && s("text", { x: 160, y: 176, class: "centre" }, top.stars === null ? "★ ?" : `★ ${top.stars}`),
      ],
    }),
    h(
      "p",
      { className: "small muted" },
      t("{different} of 10 spaces.", player),
      " ",
      hint && h("span", { className: crossed ? "bad" : "good" }, crossed ? n(crossed, "{count} crossed samba: −2 at the end.", "{count} crossed sambas, −2 each at the end.") : t("All in harmony.")),
      player.hand === null ? null : t(" {hand} cards in hand.", player),
    ),
  ];
}
