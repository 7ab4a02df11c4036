// The log in words, newest first; undo, and the correction of a die in a past roll.

import { die, dieWords } from "./die.js";
import { button, h, readingTime, say } from "./dom.js";
import { pad } from "./pad.js";
import { act } from "./state.js";
import { locale, n, t } from "./words.js";

function clock(at) {
  const when = new Date(at);
  return Number.isNaN(when.getTime()) ? at : when.toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" });
}

function byWhom(state, entry) {
  const name = typeof entry.by === "number" ? state.game?.seats[entry.by] : null;
  if (name) return t(" · by {name}", { name });
  return { host: t(" · at the table"), shared: t(" · shared phone"), panel: t(" · by button") }[entry.by] || "";
}

const TAPS = 800; // milliseconds in which a finger that taps again has not read the question yet

// A button that asks before it does something that people would miss; `told` is a sentence that says what that is. The
// question stands beside the button, which stays under the finger and is dead until it is answered.
export function twice(words, question, does, attributes = {}, told = "") {
  let calming = null;
  const calm = () => {
    clearTimeout(calming);
    const had = asked.contains(document.activeElement);
    asked.remove();
    key.disabled = false;
    if (had) key.focus({ preventScroll: true });
  };
  const ask = () => {
    key.disabled = true;
    yes.disabled = true;
    // Below it, or at the top of the bar.
    (key.closest(".row, p") || key).after(asked);
    asked.scrollIntoView({ block: "nearest" });
    no.focus({ preventScroll: true });
    setTimeout(() => {
      yes.disabled = false;
    }, TAPS);
    calming = setTimeout(calm, 2 * readingTime(told + question));
  };
  const agreed = async () => {
    clearTimeout(calming);
    yes.disabled = no.disabled = true;
    await does();
    no.disabled = false;
    calm();
  };
  const key = button({ ...attributes, onclick: ask }, words);
  const yes = button({ className: "danger", "data-yes": "", onclick: agreed }, t("Yes, do it"));
  const no = button({ className: "plain", "data-no": "", onclick: calm }, t("No, keep it"));
  const asked = h(
    "div",
    { className: "asked" },
    h("p", { className: "small", role: "alert" }, told && `${told} `, h("strong", {}, question)),
    h("div", { className: "row" }, yes, no),
  );
  return key;
}

// Whether dice were rolled in that move, so that one of them may have been read wrong.
export const hasDice = ({ move }) => Array.isArray(move?.dice) && move.dice.every((one) => one?.value);
export const isTurn = (entry) => entry.kind === "move" && !entry.undone;

// Undo the last `count` turns, of which `first` is the first one.
export function undoing(count, first, { words, question, ...attributes }) {
  const undo = () => act("/api/undo", { count });
  const told = n(count, "This turn is taken back: {text}", "{count} turns are taken back. The first of them: {text}", first);
  return twice(words, question, undo, attributes, told);
}

export function undoLast(state, words = t("Undo the last turn")) {
  const last = state.log.find(isTurn);
  return last ? undoing(1, last, { words, question: t("Really undo?"), id: "undo", "data-key": "undo" }) : null;
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

// The dice of a past roll. `open` is {at, to, after}: the die that is open for correction (null: none), as what it is to
// be read (null: not said yet), and how many turns came after the roll. `choose` is told another `at` and `to`.
export function rollOf(state, entry, { at: chosen, to, after }, choose, may) {
  const { palette } = state.table;
  const { dice } = entry.move;
  const one = chosen === null ? null : dice[chosen];
  const shaped = new Set(dice.map((other) => other.shape || "d6")).size > 1;
  const words = (other) => dieWords(palette, other, shaped);
  const picked = (said) => {
    const next = { ...(to || { colour: one.colour, value: one.value, shape: one.shape || "d6" }), ...said };
    choose(chosen, next.colour === one.colour && next.value === one.value ? null : next);
  };
  const correct = async () => {
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
      die(palette, other, { label: t("{die}. Tap to correct", { die: words(other) }) }),
    );
  const { colours = [...new Set(dice.map((other) => other.colour))] } = state.game.view;
  const question = () => t("Die {number} was read as {die}. It was:", { number: chosen + 1, die: words(one) });
  const change = () => {
    const named = { number: chosen + 1, was: words(one), now: words(to) };
    if (!after) return t("Die {number}: {was} becomes {now}.", named);
    return n(
      after,
      "Die {number}: {was} becomes {now}. The turn after it is computed again.",
      "Die {number}: {was} becomes {now}. The {count} turns after it are computed again.",
      named,
    );
  };
  const asked = () => [
    h("p", { role: "alert" }, change()),
    h(
      "div",
      { className: "row" },
      button({ className: "main", id: "correct", "data-key": "correct", onclick: correct }, t("Correct it")),
      button({ className: "plain", "data-key": "leave", onclick: () => choose(null) }, t("Leave it as it was")),
    ),
  ];
  return [
    entry.photo && h("img", { className: "photo", src: entry.photo, alt: t("The photograph of this roll") }),
    h("div", { className: "dice" }, dice.map(chip)),
    one &&
      h(
        "div",
        { className: "card editor", id: "past-editor" },
        h("strong", {}, question()),
        pad(state, to || one, colours, [one.shape || "d6"], picked),
        to && asked(),
      ),
  ];
}
