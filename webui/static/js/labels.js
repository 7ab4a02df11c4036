// Where the values of dice stand in their photograph: beside each die, over no other die and over no other value.

const TURNS = 16; // directions round a die in which there may be room
const FARTHER = [0, 0.3, 0.7, 1.2, 1.8, 2.5, 3.3]; // widths of a die between it and its value
const STEPS = 12; // points of a way at which it is looked whether a die lies there

const middle = ([x, y, w, tall]) => [x + w / 2, y + tall / 2];
const inside = ([x, y], [left, top, w, tall]) => x > left && x < left + w && y > top && y < top + tall;
const within = (value, least, most) => Math.max(least, Math.min(value, Math.max(least, most)));

function shared([x, y, w, tall], [left, top, wide, high]) {
  const across = Math.min(x + w, left + wide) - Math.max(x, left);
  const along = Math.min(y + tall, top + high) - Math.max(y, top);
  return across > 0 && along > 0 ? across * along : 0;
}

// How much of the way from the middle of a die to a place goes over other dice, 0 to 1.
function crossing(from, to, others) {
  let over = 0;
  for (let step = 1; step <= STEPS; step += 1) {
    const at = from.map((edge, axis) => edge + ((to[axis] - edge) * step) / STEPS);
    if (others.some((box) => inside(at, box))) over += 1;
  }
  return over / STEPS;
}

const away = (place, box) => Math.hypot(...middle(place).map((edge, axis) => (edge - middle(box)[axis]) / box[axis + 2]));

// Whether who looks at a place would take it for that of another die.
export const misleads = (place, box, others) => others.some((other) => away(place, other) < away(place, box));

function best(box, [wide, tall], view, others, taken) {
  const [x, y] = middle(box);
  const [left, top, across, along] = view;
  const reach = [(box[2] + wide) / 2, (box[3] + tall) / 2];
  const side = Math.max(box[2], box[3]);
  let least = Infinity;
  let place = null;
  for (const far of FARTHER) {
    for (let turn = 0; turn < TURNS; turn += 1) {
      // From the upper right on, where there is most room beside what is seen aslant from below.
      const angle = ((turn - 2) * 2 * Math.PI) / TURNS;
      const way = [Math.cos(angle), Math.sin(angle)];
      const apart = Math.min(...way.map((share, axis) => reach[axis] / Math.max(Math.abs(share), 1e-6))) + far * side;
      const at = [
        within(x + way[0] * apart - wide / 2, left, left + across - wide),
        within(y + way[1] * apart - tall / 2, top, top + along - tall),
        wide,
        tall,
      ];
      const covered = [...others, ...taken, box].reduce((sum, other) => sum + shared(at, other), 0) / (wide * tall);
      const cost =
        10 * covered +
        0.6 * crossing([x, y], middle(at), others) +
        0.2 * misleads(at, box, others) +
        0.3 * far +
        0.001 * turn;
      if (cost < least) [least, place] = [cost, at];
    }
  }
  return place;
}

// Places [x, y, width, height] of labels of `sizes` [width, height], one beside each box of `boxes`, within `view`.
export function places(boxes, sizes, view) {
  const near = boxes.map((box) => {
    const [x, y] = middle(box);
    return boxes.filter((other) => Math.hypot(middle(other)[0] - x, middle(other)[1] - y) < 3 * box[2]).length;
  });
  const found = [];
  // Those in the thick of it choose first.
  const order = boxes.map((_, at) => at).sort((one, other) => near[other] - near[one]);
  for (const at of order) {
    const others = boxes.filter((_, other) => other !== at);
    found[at] = best(boxes[at], sizes[at], view, others, Object.values(found));
  }
  return found;
}
