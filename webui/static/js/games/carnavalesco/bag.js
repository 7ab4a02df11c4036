// The bag: the dice that are still in it, and how likely the next draw holds one that is needed.

import { die, dieWords, look } from "../../die.js";
import { h, s } from "../../dom.js";
import { t } from "../../words.js";
import { ELEMENTS } from "./elements.js";

const FACES = 6;
const ACROSS = 5;
const CELL = 10;
const MOST = 4; // kinds of dice drawn beside an element

export function percent(chance) {
  if (chance === 0 || chance === 1) return t("{count} %", { count: 100 * chance });
  if (chance < 0.005) return t("< {count} %", { count: 1 });
  return chance > 0.995 ? t("> {count} %", { count: 99 }) : t("{count} %", { count: Math.round(100 * chance) });
}

// A square for each die of a colour: filled while it is in the bag.
function heap({ fill }, left, each) {
  const square = (_, at) => {
    const place = { x: (at % ACROSS) * CELL + 1, y: Math.floor(at / ACROSS) * CELL + 1 };
    const size = { width: CELL - 2, height: CELL - 2, rx: 2 };
    return s("rect", { ...place, ...size, ...(at < left ? { class: "in", fill } : { class: "out", fill: "none" }) });
  };
  const high = Math.ceil(each / ACROSS) * CELL;
  const box = { viewBox: `0 0 ${ACROSS * CELL} ${high}`, "aria-hidden": "true" };
  return s("svg", box, Array.from({ length: each }, square));
}

function heaps({ game, table: { palette } }) {
  const { left, each, draw, chances } = game.view.bag;
  const one = ([colour, count]) => {
    const chance = chances && percent(chances.colours[colour]);
    const { word } = look(palette, colour);
    const words = chance
      ? t("{word}: {count} in the bag; {chance} to draw one", { word, count, chance })
      : t("{word}: {count} in the bag", { word, count });
    return h(
      "li",
      { "data-bag": colour },
      h("span", { className: "unseen" }, words),
      heap(look(palette, colour), count, each),
      h(
        "span",
        { className: "row", "aria-hidden": "true" },
        die(palette, { colour }, { label: false, blank: true }),
        h("strong", {}, String(count)),
      ),
      chance && h("span", { className: "small muted", "aria-hidden": "true" }, chance),
    );
  };
  const about = t("Under each colour: the chance of at least one among the next {draw} dice.", { draw });
  return [
    h("ul", { className: "heaps" }, Object.entries(left).map(one)),
    chances && h("p", { className: "small muted" }, about),
  ];
}

// The dice that an element can use as few pictures: a colour of any value, or a value of any colour, is drawn once.
function kinds(dice, colours) {
  const values = Object.values(dice);
  const same = values.length === colours.length && values.every((some) => String(some) === String(values[0]));
  if (same) return values[0].length === FACES ? [] : values[0].map((value) => ({ value }));
  return Object.entries(dice).flatMap(([colour, some]) =>
    some.length === FACES ? [{ colour }] : some.map((value) => ({ colour, value })),
  );
}

function kindWords(palette, { colour, value }) {
  if (!colour) return t("any {value}", { value });
  return value ? dieWords(palette, { colour, value }) : t("any {colour}", { colour: look(palette, colour).word });
}

function needs({ game, table: { palette } }) {
  const { chances, left, draw, seat } = game.view.bag;
  const alike = { any: [], lost: [] }; // elements that need no line of their own
  const line = ([key, { dice, chance }]) => {
    const some = kinds(dice, Object.keys(left));
    if (!some.length) {
      alike[Object.keys(dice).length ? "any" : "lost"].push(ELEMENTS[key].short);
      return null;
    }
    const words = some.map((one) => kindWords(palette, one)).join(", ");
    const picture = (one) => die(palette, one, { label: false, blank: !one.value });
    const drawn = some.length > MOST ? some.slice(0, MOST - 1) : some;
    const more = some.length - drawn.length;
    return h(
      "li",
      { "data-need": key },
      h("span", { className: "title" }, ELEMENTS[key].short),
      h(
        "span",
        { className: "row nowrap" },
        h("span", { className: "unseen" }, words),
        drawn.map(picture),
        more > 0 && h("span", { className: "small muted", "aria-hidden": "true" }, `+${more}`),
      ),
      h("strong", {}, percent(chance)),
      h("span", { className: "gauge", "aria-hidden": "true" }, gauge(chance)),
    );
  };
  const lines = Object.entries(chances.elements).map(line);
  const name = game.seats[seat];
  const elements = (of) => ({ elements: alike[of].join(", ") });
  const also = [
    alike.any.length && t("Any die will do: {elements}.", elements("any")),
    alike.lost.length && t("No perfect 10 any more: {elements}.", elements("lost")),
  ].filter(Boolean);
  return [
    h("h2", {}, t("{name}: a die for a perfect 10 among the next {draw}", { name, draw })),
    h("ul", { className: "needs" }, lines),
    also.map((words) => h("p", { className: "small muted" }, words)),
  ];
}

function gauge(chance) {
  const bar = (kind, width) => s("rect", { class: kind, width, height: 4, rx: 2 });
  return s("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none" }, bar("all", 100), bar("part", 100 * chance));
}

let opened = null; // whether it was unfolded by hand; null: while a draw is waited for

// What is in the bag; while a draw is waited for, also the chances of who has the marker.
export function bag(state) {
  const { left, chances } = state.game.view.bag;
  const count = Object.values(left).reduce((sum, some) => sum + some, 0);
  const open = opened ?? Boolean(chances);
  const turn = () => {
    opened = !open;
  };
  return h(
    "details",
    { className: "card bag", id: "bag", open },
    h("summary", { onclick: turn }, h("strong", {}, t("In the bag: {count} dice", { count }))),
    heaps(state),
    chances && needs(state),
  );
}
