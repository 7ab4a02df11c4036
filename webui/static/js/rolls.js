// The last roll, which stays visible; and the photographs of the roll that is waited for which do not count.

import { die } from "./die.js";
import { button, h } from "./dom.js";
import { over } from "./reveal.js";
import { aloud, rollWords } from "./speech.js";
import { act } from "./state.js";
import { whyWords } from "./void.js";
import { n, t } from "./words.js";

const row = (palette, dice, words) =>
  h(
    "div",
    { className: "small-dice", role: "group", "aria-label": words },
    dice.map((one) => die(palette, one)),
  );

let opened = null; // the address of the photograph that is open

// The photograph is fetched when somebody opens it.
function folded(photo, changed) {
  const ontoggle = ({ target }) => {
    const now = target.open ? photo : null;
    if (now === opened) return;
    opened = now;
    changed();
  };
  const open = opened === photo;
  return h(
    "details",
    { open, ontoggle, "data-photo": photo },
    h("summary", {}, t("The photograph")),
    open && h("img", { className: "photo", src: photo, alt: t("The photograph of this roll") }),
  );
}

export const openedPhoto = () => opened;

export function lastRoll(state, changed) {
  const { last } = state.roll;
  if (!last || !state.game) return null;
  const { palette } = state.table;
  // While its dice are shared out, the roll lies at the top of the page.
  const lies = !state.game.expects && !over(state);
  const words = lies ? t("The roll") : t("The last roll");
  return h(
    "section",
    { className: "last-roll", id: "last-roll", "data-seq": last.seq },
    h("div", { className: "row spread" }, h("h2", {}, words), aloud(() => rollWords(palette, last.dice))),
    !lies && row(palette, last.dice, words),
    last.photo && folded(last.photo, changed),
  );
}

export function earlier(state, may) {
  const { roll, table, proposal } = state;
  if (!roll.earlier.length) return null;
  const one = ({ photo, dice, why }) => {
    const take = () => act("/api/proposal/reread", { photo, ...(proposal ? { proposal: proposal.id } : {}) });
    return h(
      "li",
      {},
      h("a", { href: photo }, h("img", { src: photo, alt: t("An earlier photograph of this roll"), loading: "lazy" })),
      h(
        "div",
        {},
        h("p", { className: "small" }, t("Does not count: {why}.", { why: whyWords(why) })),
        row(table.palette, dice, t("The dice that were read")),
        may && button({ className: "plain", "data-earlier": photo, onclick: take }, t("Take this one after all")),
      ),
    );
  };
  const { length } = roll.earlier;
  return h(
    "section",
    { className: "earlier", id: "earlier" },
    h("h2", {}, n(length, "{count} earlier photograph of this roll", "{count} earlier photographs of this roll")),
    h("ul", {}, [...roll.earlier].reverse().map(one)),
  );
}
