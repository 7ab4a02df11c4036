// The log in words, newest first; undo, and the correction of a die in a past roll.

import { die, dieWords } from "./die.js";
import { button, h, say } from "./dom.js";
import { pad } from "./pad.js";
import { act } from "./state.js";
import { locale, t } from "./words.js";

function clock(at) {
  const when = new Date(at);
  return Number.isNaN(when.getTime()) ? at : when.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" });
}

function byWhom(state, entry) {
  const name = typeof entry.by === "number" ? state.game?.seats[entry.by] : null;
  if (name) return t(" · by {name}", { name });
  return { host: t(" · at the table"), shared: t(" · shared phone"), panel: t(" · by button") }[entry.by] || "";
}

// A button that asks once more before it does something that people would miss.
export function twice(words, question, does, attributes = {}) {
  let armed = null;
  const calm = () => {
    armed = null;
    key.textContent = words;
    key.classList.remove("danger");
  };
  const tapped = async () => {
    if (armed === null) {
      key.textContent = question;
      key.classList.add("danger");
      armed = setTimeout(calm, 4000);
      return;
    }
    clearTimeout(armed);
    key.disabled = true;
    await does();
    key.disabled = false;
    calm();
  };
  const key = button({ ...attributes, onclick: tapped }, words);
  return key;
}

// Whether dice were rolled in that move, so that one of them may have been read wrong.
export const hasDice = ({ move }) => Array.isArray(move?.dice) && move.dice.every((one) => one?.value);
export const isTurn = (entry) => entry.kind === "move" && !entry.undone;

export function undoLast(state, words = t("Undo the last turn")) {
  if (!state.log.some(isTurn)) return null;
  const undo = () => act("/api/undo", { count: 1 });
  return twice(words, t("Really undo?"), undo, { id: "undo", "data-key": "undo" });
}

// A turn of which the table keeps to itself what it was.
const untold = (entry) => entry.kind === "move" && entry.move === null;

// `tool` is a control beside an entry, `more` what lies under it. With `unfolded`, the keys of the runs that are open,
// turns in a row that are not told share one line, which opens.
export function lines(state, entries, { tool = () => null, more = () => null, unfolded = null } = {}) {
  const line = (entry) => {
    const beside = tool(entry);
    const about = h(
      "div",
      {},
      h("span", { className: "text" }, entry.text),
      h(
        "div",
        { className: "row" },
        h("time", { datetime: entry.at }, `${clock(entry.at)}${byWhom(state, entry)}`),
        entry.undone && h("span", { className: "badge" }, t("undone")),
        entry.corrected && h("span", { className: "badge" }, t("corrected")),
      ),
    );
    return h(
      "li",
      { className: entry.undone ? "undone" : "", "data-seq": entry.seq },
      h("div", { className: beside ? "entry" : "" }, about, beside),
      more(entry),
    );
  };
  // The oldest turn of a run is its key: newer ones join it.
  const run = (folded) => {
    if (folded.length === 1) return line(folded[0]);
    const key = folded.at(-1).seq;
    const ontoggle = ({ target }) => (target.open ? unfolded.add(key) : unfolded.delete(key));
    const summary = h("summary", {}, t("{count} turns of an earlier round", { count: folded.length }));
    const all = h("ol", { className: "log" }, folded.map(line));
    return h("li", {}, h("details", { "data-run": key, open: unfolded.has(key), ontoggle }, summary, all));
  };
  const runs = [];
  for (const entry of entries) {
    if (unfolded && untold(entry) && runs.length && untold(runs.at(-1)[0])) runs.at(-1).push(entry);
    else runs.push([entry]);
  }
  return h("ol", { className: "log" }, runs.map(run));
}

// The dice of a past roll, one of them open for correction.
export function rollOf(state, entry, chosen, choose, may) {
  const { palette } = state.table;
  const { dice } = entry.move;
  const one = chosen === null ? null : dice[chosen];
  const shaped = new Set(dice.map((other) => other.shape || "d6")).size > 1;
  const correct = async (said) => {
    const to = { colour: one.colour, value: one.value, shape: one.shape || "d6", ...said };
    const answer = await act("/api/correct", { seq: entry.seq, die: chosen, to });
    if (!answer.ok) return;
    choose(null);
    say(t("Corrected. Everything after it was computed again."));
  };
  const chip = (other, at) =>
    button(
      {
        className: "chip",
        "data-key": `past-${entry.seq}-${at}`,
        "data-past": at,
        disabled: !may,
        "aria-pressed": String(at === chosen),
        onclick: () => choose(at === chosen ? null : at),
      },
      die(palette, other, { label: t("{die}. Tap to correct", { die: dieWords(palette, other, shaped) }) }),
    );
  const { colours = [...new Set(dice.map((other) => other.colour))] } = state.game.view;
  const question = () =>
    t("Die {number} was read as {die}. It was:", { number: chosen + 1, die: dieWords(palette, one, shaped) });
  return [
    entry.photo && h("img", { className: "photo", src: entry.photo, alt: t("The photograph of this roll") }),
    h("div", { className: "dice" }, dice.map(chip)),
    one &&
      h(
        "div",
        { className: "card editor", id: "past-editor" },
        h("strong", {}, question()),
        pad(state, one, colours, [one.shape || "d6"], correct),
      ),
  ];
}
