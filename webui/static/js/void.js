// A roll that does not count: why, asked at the thumb; the log tells everybody.

import { button, h } from "./dom.js";
import { t } from "./words.js";

let asked = ""; // the id of the proposal that is asked about

export const asking = ({ id }) => asked === id;
export const key = () => asked;

export function ask(id, changed) {
  asked = id;
  changed();
}

export const whyWords = (why) =>
  ({
    again: t("photographed again"),
    discarded: t("put away"),
    unseen: t("no die is seen in it"),
    fell: t("a die fell off the table"),
    bump: t("the table or a die was bumped"),
    leaning: t("a die leaned against something"),
  })[why] || t("it did not count");

// `end` is told the reason, null when nothing was rolled at all.
export function reasons(changed, end) {
  const one = (why, words) => {
    const tell = () => {
      asked = "";
      end(why);
    };
    return button({ "data-key": `void-${why}`, "data-void": String(why), onclick: tell }, words);
  };
  return [
    h("strong", { id: "void-title" }, t("Why does it not count?")),
    h(
      "div",
      { className: "row two", role: "group", "aria-labelledby": "void-title" },
      one("fell", t("A die fell off the table")),
      one("bump", t("A bump")),
      one("leaning", t("A die leaned")),
      one("other", t("Another reason")),
      one(null, t("Nothing was rolled")),
      button({ className: "plain", "data-key": "void-back", onclick: () => ask("", changed) }, t("Back: it counts")),
    ),
  ];
}
