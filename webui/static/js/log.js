// The log: every turn in words, newest first; undo, and the correction of a die in a past roll.

import { die, dieWords } from "./die.js";
import { h, plural, say } from "./dom.js";
import { pad } from "./proposal.js";
import { act } from "./state.js";

const clock = (at) => {
  const when = new Date(at);
  return Number.isNaN(when.getTime()) ? at : when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
};

function byWhom(state, entry) {
  const names = state.game?.seats || [];
  if (typeof entry.by === "number") return names[entry.by] ? ` · by ${names[entry.by]}` : "";
  return { host: " · at the table", shared: " · shared phone", panel: " · by button" }[entry.by] || "";
}

// A button that asks once more before it does something that people would miss.
export function twice(words, question, does, attributes = {}) {
  let armed = null;
  const button = h("button", {
    type: "button", ...attributes,
    onclick: async () => {
      if (armed === null) {
        button.textContent = question;
        button.classList.add("danger");
        armed = setTimeout(() => { armed = null; button.textContent = words; button.classList.remove("danger"); }, 4000);
        return;
      }
      clearTimeout(armed);
      armed = null;
      button.disabled = true;
      await does();
      button.disabled = false;
      button.textContent = words;
      button.classList.remove("danger");
    },
  }, words);
  return button;
}

export const isTurn = (entry) => entry.kind === "move" && !entry.undone;

export function undoLast(state, words = "Undo the last turn") {
  if (!state.log.some(isTurn)) return null;
  return twice(words, "Really undo?", () => act("/api/undo", { count: 1 }), { id: "undo", "data-key": "undo" });
}

// `tool` is a control beside an entry, `more` what lies under it.
export function lines(state, entries, { tool = () => null, more = () => null } = {}) {
  return h(
    "ol",
    { className: "log" },
    entries.map((entry) =>
      h(
        "li",
        { className: entry.undone ? "undone" : "", "data-seq": entry.seq },
        h(
          "div",
          { className: tool(entry) ? "entry" : "" },
          h(
            "div",
            {},
            h("span", { className: "text" }, entry.text),
            h(
              "div",
              { className: "row" },
              h("time", {}, `${clock(entry.at)}${byWhom(state, entry)}`),
              entry.undone && h("span", { className: "badge" }, "undone"),
              entry.corrected && h("span", { className: "badge" }, "corrected"),
            ),
          ),
          tool(entry),
        ),
        more(entry),
      ),
    ),
  );
}

// The dice of a past roll, one of them open for correction.
export function rollOf(state, entry, chosen, choose, may) {
  const dice = entry.move.dice;
  const one = chosen === null ? null : dice[chosen];
  const correct = async (said) => {
    const to = { colour: one.colour, value: one.value, shape: one.shape || "d6", ...said };
    const answer = await act("/api/correct", { seq: entry.seq, die: chosen, to });
    if (answer.ok) {
      choose(null);
      say("Corrected. Everything after it was computed again.");
    }
  };
  return [
    entry.photo && h("img", { className: "photo", src: entry.photo, alt: "The photograph of this roll", loading: "lazy" }),
    h(
      "div",
      { className: "dice" },
      dice.map((other, at) =>
        h("button", { type: "button", className: "chip", "data-key": `past-${entry.seq}-${at}`, "data-past": at, disabled: !may, "aria-pressed": String(at === chosen), "aria-label": `${dieWords(state.table.palette, other)}. Tap to correct`, onclick: () => choose(at === chosen ? null : at) }, die(state.table.palette, other, { label: false })),
      ),
    ),
    one && h("div", { className: "card editor", id: "past-editor" }, h("strong", {}, `Die ${chosen + 1} was read as ${dieWords(state.table.palette, one)}. It was:`), pad(state, one, state.game.view.colours, ["d6"], correct)),
  ];
}

export const countTurns = (entries) => entries.filter(isTurn).length;
export const turns = (count) => plural(count, "turn", "turns");
