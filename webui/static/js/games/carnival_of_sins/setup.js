// The form for a new game: who has the Devil Card, and where people sit, so that the nearest die can be told.

import { h } from "../../dom.js";
import { field } from "../../form.js";
import { t } from "../../words.js";

let devil = "0";
const angles = {}; // seat → degrees clockwise from the picture's top edge

const SIDES = () => ({ "": t("not told"), 0: t("top"), 45: t("top right"), 90: t("right"), 135: t("bottom right"), 180: t("bottom"), 225: t("bottom left"), 270: t("left"), 315: t("top left") });

function select(value, options, changed, attributes) {
  const option = ([key, words]) => h("option", { value: key, selected: key === String(value ?? "") }, words);
  return h("select", { ...attributes, onchange: (event) => changed(event.target.value) }, options.map(option));
}

function fields(players) {
  const named = players.map(({ name }, at) => [String(at), name || t("player {number}", { number: at + 1 })]);
  const pick = (value) => {
    devil = value;
  };
  // An object would put the numbers before the empty key.
  const { "": none, ...sides } = SIDES();
  const options = [["", none], ...Object.entries(sides)];
  const sits = (seat) => (value) => {
    angles[seat] = value;
  };
  const place = ([at, words]) => field(words, select(angles[at], options, sits(at), { "data-angle": at }));
  return [
    field(t("Who has the Devil Card first"), select(devil, named, pick, { id: "devil" })),
    h(
      "details",
      { className: "card" },
      h("summary", {}, h("strong", {}, t("Where you sit"))),
      h("p", { className: "small muted" }, t("As the camera sees the table. With it Jurado offers Sloth the nearest die; without it you choose.")),
      h("div", { className: "row two" }, named.map(place)),
    ),
  ];
}

function read(players) {
  const seated = players.map((player, at) => (angles[at] ? { ...player, angle: Number(angles[at]) } : player));
  return { players: seated, devil: Math.min(Number(devil), players.length - 1) };
}

export const setup = { fields, read, lacking: () => [] };
