// What a school that plays alone settles before its first parade: its two official colours, its flag, its career.

import { die } from "../../die.js";
import { $, button, h, show } from "../../dom.js";
import { t } from "../../words.js";
import { flag } from "./flag.js";

const ORDERS = {
  2: [[0, 1], [1, 0]],
  3: [[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]],
};

const official = []; // at most two names, in the order in which they were tapped
let layout = "";
let third = ""; // the colour of a flag that has one more
let order = 0; // which part of the flag has which colour
let length = "championship"; // of the career; or `several` parades, or `one`
let parades = 3;

function pick(name) {
  const at = official.indexOf(name);
  if (at >= 0) official.splice(at, 1);
  else official.push(name);
  if (official.length > 2) official.shift();
}

// A colour to tap: pictured, and named.
function tint(looks, name, chosen, choose) {
  return button(
    { className: "tint", "data-key": `tint-${name}`, ...choose, "aria-pressed": String(chosen) },
    die(looks, { colour: name }, { label: false, blank: true }),
    h("span", { className: "wrap" }, looks[name].word),
  );
}

function colours(count) {
  const three = [...official, third].slice(0, count);
  return ORDERS[count][order % ORDERS[count].length].map((at) => three[at]);
}

function flags(choices, looks, again) {
  if (official.length < 2) return h("p", { className: "small muted" }, t("Tap two colours, then choose a flag."));
  const free = choices.known.filter((name) => !official.includes(name));
  if (!free.includes(third)) third = free.includes("white") ? "white" : free[0];
  const set = (does) => () => {
    does();
    again();
  };
  const one = ([key, { colours: count, text }]) => {
    const choose = set(() => {
      layout = key;
    });
    const what = { "data-flag": key, "data-key": `flag-${key}`, "aria-label": text, onclick: choose };
    const cloth = flag(looks, { layout: key, colours: colours(count) });
    return button({ className: "cloth", ...what, "aria-pressed": String(layout === key) }, cloth);
  };
  const turn = set(() => {
    order += 1;
  });
  const another = (name) => {
    const choose = set(() => {
      third = name;
    });
    return tint(looks, name, name === third, { "data-third": name, onclick: choose });
  };
  return [
    h("div", { className: "flags", role: "group", "aria-label": t("Flag") }, Object.entries(choices.flags).map(one)),
    button({ id: "turn-flag", "data-key": "turn-flag", onclick: turn }, t("Change the order of the colours")),
    choices.flags[layout].colours > 2 && [
      h("p", { className: "small muted" }, t("The third colour of the flag:")),
      h("div", { className: "pad" }, free.map(another)),
    ],
  ];
}

function career(choices, again) {
  const option = (value, words) => h("option", { value, selected: value === length }, words);
  const choose = (event) => {
    length = event.target.value;
    again();
  };
  const count = (event) => {
    parades = Number(event.target.value);
  };
  const most = choices.most_parades;
  const number = { type: "number", id: "parades", min: 2, max: most, inputmode: "numeric", value: parades };
  return h(
    "div",
    { className: "row two" },
    h(
      "label",
      { className: "field" },
      h("span", { className: "small muted" }, t("How many parades")),
      h("select", { id: "career-length", "data-key": "career-length", onchange: choose }, [
        option("championship", t("Until champion of {last}", { last: Object.keys(choices.divisions).at(-1) })),
        option("several", t("So many:")),
        option("one", t("One parade")),
      ]),
    ),
    length === "several" &&
      h(
        "label",
        { className: "field" },
        h("span", { className: "small muted" }, t("Parades")),
        h("input", { ...number, oninput: count }),
      ),
  );
}

// Draw the part of the form; `looks` says how each colour looks by now, `names` are the six of the dice.
export function draw(choices, names, looks) {
  const again = () => draw(choices, names, looks);
  for (const name of [...official]) if (!names.includes(name)) pick(name);
  layout ||= Object.keys(choices.flags)[0];
  const choose = (name) => ({
    "data-official": name,
    onclick: () => {
      pick(name);
      again();
    },
  });
  const seen = [names, looks, official];
  show($("solo-colours"), seen, () => names.map((name) => tint(looks, name, official.includes(name), choose(name))));
  show($("solo-flag"), [seen, layout, third, order], () => [flags(choices, looks, again)]);
  show($("solo-career"), length, () => [career(choices, again)]);
}

// What is missing: a sentence, or nothing.
export const lacking = () =>
  official.length === 2
    ? null
    : t("A school alone needs its two official colours. The game was not started. Tap two of them.");

// What goes into the setup.
export const read = (choices) => ({
  colours: [...official],
  flag: { layout, colours: colours(choices.flags[layout].colours) },
  career: length === "one" ? null : { parades: length === "several" ? parades : null },
});

// The control that a complaint's field belongs to.
export const control = (field) => (field.startsWith("solo.career") ? $("parades") : null);
