// Wrath's throw: which dice it knocked, and which fell off the table, before they are read.

import { button, h } from "../../dom.js";
import { act } from "../../state.js";
import { n, t } from "../../words.js";
import { dieName } from "./words.js";

let fallen = null; // the die that fell, while it is asked what it shows
let moment = "";

export const local = () => fallen;

export function keepUp(state) {
  const { id, view } = state.game;
  const now = JSON.stringify([id, view.round, view.phase, view.fallen]);
  if (now !== moment) fallen = null;
  moment = now;
}

const short = (die) => (die === "white" ? t("white") : die);

export function forms(state, changed) {
  const { view } = state.game;
  const names = view.dice.map((one) => one.die);
  const knock = (die) =>
    button({ "data-knock": die, "data-key": `knock-${die}`, onclick: () => act("/api/moves", { move: { move: "knock", die } }) }, short(die));
  const fell = (die, value) => act("/api/moves", { move: { move: "fall", die, ...(value ? { value } : {}) } });
  const shown = view.house_rules["wrath.fallen"] !== "before";
  const fall = (die) => {
    const tap = () => {
      if (!shown) return fell(die);
      fallen = fallen === die ? null : die;
      return changed();
    };
    return button({ "data-fall": die, "data-key": `fall-${die}`, "aria-pressed": String(fallen === die), onclick: tap }, short(die));
  };
  const faces = fallen && (fallen === "white" ? 6 : Number(fallen.slice(1)));
  const still = names.filter((die) => !view.roll.includes(die));
  const lying = names.filter((die) => !view.fallen.includes(die));
  return h(
    "section",
    { className: "card stack", id: "throw" },
    h("strong", {}, t("Did the throw knock others?")),
    still.length ? h("div", { className: "kinds" }, still.map(knock)) : null,
    h("strong", {}, t("Did one fall off the table?")),
    view.fallen.length > 0 && h("p", { className: "small" }, n(view.fallen.length, "Fallen: {dice}.", "Fallen: {dice}.", { dice: view.fallen.map(dieName).join(", ") })),
    h("div", { className: "kinds" }, lying.map(fall)),
    fallen && h("p", { className: "small muted" }, t("What does {die} show where it lies?", { die: dieName(fallen) })),
    fallen &&
      h(
        "div",
        { className: "pad" },
        Array.from({ length: faces }, (_, at) => button({ "data-fell": at + 1, onclick: () => fell(fallen, at + 1) }, String(at + 1))),
      ),
    fallen && button({ onclick: () => fell(fallen) }, t("It cannot be read")),
  );
}
