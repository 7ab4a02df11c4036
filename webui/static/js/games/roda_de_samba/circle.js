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

const short = (name) => (name.length > 9 ? `${name.slice(0, 8)}.` : name);

function stack(palette, one, space) {
  const [x, y] = at(space, RADIUS);
  const place = { x: x - HALF, y: y - HALF * 0.72, width: HALF * 2, height: HALF * 1.44, rx: 9 };
  if (!one) {
    return s(
      "g",
      {},
      s("rect", { ...place, class: "seat-empty" }),
      s("text", { x, y: y + 5, class: "seat-number" }, String(space + 1)),
    );
  }
  const { fill, ink, letter } = look(palette, one.colour);
  return s(
    "g",
    {},
    s("rect", { ...place, fill, class: "seat-card" }),
    s("text", { x, y: y - 5, fill: ink, class: "seat-name" }, short(one.instrument)),
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

function words(player) {
  const lie = player.circle.map((one, space) => one && `${space + 1}: ${one.instrument} ${one.numbers.join(" ")}`).filter(Boolean);
  return lie.length ? lie.join(", ") : t("no instrument yet");
}

export function circle(state, seat) {
  const player = state.game.view.players[seat];
  const { palette } = state.table;
  const crossed = player.harmony.filter((good) => good === false).length;
  const top = player.active;
  const label = t("Circle of {name}: {lie}", { name: player.name, lie: words(player) });
  const hint = state.game.view.house_rules["harmony.hint"] !== "off";
  return [
    s(
      "svg",
      { className: "circle", viewBox: "0 0 320 320", role: "img", "aria-label": label },
      player.circle.map((one, space) => stack(palette, one, space)),
      player.harmony.map((_, space) => link(player.harmony, space)),
      s("text", { x: 160, y: top ? 154 : 166, class: "centre" }, top ? short(top.name) : `${player.different}/10`),
      top && s("text", { x: 160, y: 176, class: "centre" }, top.stars === null ? "★ ?" : `★ ${top.stars}`),
    ),
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
