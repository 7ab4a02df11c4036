// One die of a reading: what the camera saw beside what it may be, and every value where that is asked for.

import { doubts, unknown } from "./cycle.js";
import { die, dieWords } from "./die.js";
import { button, h } from "./dom.js";
import { pad } from "./pad.js";
import { capital, n, t } from "./words.js";

function title(one, words) {
  if (one.looking) return t("Looking at it …");
  if (!one.colour && !one.value) return t("Its value and its colour?");
  if (!one.colour) return t("And its colour?");
  if (!one.value) return t("And its value?");
  return doubts(one) ? t("Is this a {die}?", { die: words }) : `${capital(words)}.`;
}

function why(one, left) {
  if (unknown(one)) return null;
  if (one.state === "cocked") return t("It does not lie on a face. Lay it flat, or say what counts.");
  if (left > 1 && doubts(one)) return n(left, "{count} doubtful die left.", "{count} doubtful dice left.");
  return doubts(one) ? t("It could not be read for certain. Look at the table.") : t("Tap what it really shows.");
}

const same = (one, guess) => ["shape", "colour", "value"].every((field) => one[field] === guess[field]);

// What it may be, the likeliest first, each one tap.
function guesses(palette, one, shaped, said) {
  const one_of = (guess, at) => {
    const is = same(one, guess);
    const yes = is && doubts(one);
    return button(
      {
        className: `guess ${yes ? "yes" : ""}`,
        id: yes ? "right" : null,
        "data-key": `guess-${at}`,
        "data-guess": guess.value,
        "aria-pressed": String(is),
        onclick: () => said(is ? {} : { shape: guess.shape, colour: guess.colour, value: guess.value }),
      },
      die(palette, guess, { label: dieWords(palette, guess, shaped) }),
      yes && t("Yes"),
    );
  };
  const group = { className: "guesses", role: "group", "aria-label": t("What it may be") };
  return h("div", group, one.guesses.map(one_of));
}

// `listed`: every value is shown. `left` dice are doubtful; `said` is told what the die is, {} that it is right.
export function dieCard(state, one, { colours, shapes, shaped, listed, left, said, list, remove, close }) {
  const { palette } = state.table;
  const words = dieWords(palette, one, shaped);
  const few = one.guesses.length > 1 || (one.guesses.length > 0 && doubts(one));
  const about = why(one, left);
  return h(
    "section",
    { className: "card editor", id: "editor", "aria-label": t("Correct this die") },
    h(
      "div",
      { className: "seen" },
      one.crop
        ? h("img", { className: "crop", src: one.crop, alt: t("The die in the photograph") })
        : die(palette, one, { label: false, extra: "crop" }),
      h(
        "div",
        { className: "may-be" },
        h("strong", {}, title(one, words)),
        about && h("p", { className: "muted small" }, about),
        few && guesses(palette, one, shaped, said),
      ),
    ),
    (listed || !few) && pad(state, one, colours, shapes, said),
    h(
      "div",
      { className: "row" },
      few && !listed && button({ "data-key": "list", onclick: list }, t("Every value")),
      button({ className: "danger", "data-key": "remove", onclick: remove }, t("Not a die")),
      !doubts(one) && button({ className: "plain", "data-key": "close", onclick: close }, t("Close")),
    ),
  );
}
