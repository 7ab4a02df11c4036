// What is still possible in an element, and what a die that is on offer would change: asked of the table once a turn.

import { die } from "../../die.js";
import { h } from "../../dom.js";
import { send } from "../../net.js";
import { ofTable } from "../../state.js";
import { t } from "../../words.js";
import { ELEMENTS } from "./elements.js";

const PERFECT = 10;

let asked = ""; // game, version of the table, seat and choice that `found` is, or will be, the answer for
let found = null;

// What each die would change on that board, by element and by the die's number in the roll; null until it is known.
// `picks` are dice that were put on it but not confirmed.
export function outlook(state, seat, picks, changed) {
  const { game, version } = state;
  if (game.view.phase !== "take") return null;
  const put = picks.map((one) => `&put=${[one.die, one.element, one.space].filter((part) => part !== undefined).join("-")}`);
  const now = JSON.stringify([game.id, ofTable(version), seat, put]);
  if (asked !== now) {
    asked = now;
    found = null;
    send(`/api/outlook?seat=${seat}${put.join("")}`, {}).then((answer) => {
      if (asked !== now) return;
      if (answer.ok) found = answer.body.elements;
      else asked = "";
      changed();
    });
  }
  return found;
}

export const known = () => [asked, Boolean(found)];

// A row in a few signs, for a glance: a hollow star while a perfect 10 can still come.
export function rowSign(row) {
  if (row === PERFECT) return "☆";
  return row ? `+${row}` : "–";
}

export function rowWords(row) {
  if (row === PERFECT) return t("a perfect 10 is possible");
  return row ? t("at best +{row}", { row }) : t("no bonus any more");
}

const markWords = (mark) => (mark.score === null ? t("+{bonus} on the base", mark) : t("mark {score}", mark));

// What comes of an element with that die: the mark where it is full then, else what is still possible.
export function changeSign({ best, mark }) {
  if (!mark) return [rowSign(best), rowWords(best)];
  if (mark.perfect) return ["10 ★", t("a perfect 10")];
  return [mark.score === null ? `+${mark.bonus}` : String(mark.score), markWords(mark)];
}

// Other elements that gain or lose by that die, in a few words; those of the last places first.
export function alsoWords({ also }) {
  const one = ([key, [before, after]]) => `${ELEMENTS[key].short} ${rowSign(before)} → ${rowSign(after)}`;
  return Object.entries(also).map(one).join(", ");
}

// How good a change is, to put the best first: marks before hopes.
const rank = ({ best, mark }) => (mark ? [mark.perfect ? PERFECT : mark.bonus, mark.score ?? 0] : [best, 0]);

// Every die on offer under what it would make of the element, the best first; alike dice stand once.
export function offers(state, changes) {
  const { roll } = state.game.view;
  const groups = new Map();
  const dice = Object.entries(changes).sort(([, one], [, other]) => rank(other)[0] - rank(one)[0] || rank(other)[1] - rank(one)[1]);
  for (const [at, change] of dice) {
    const words = changeSign(change)[1];
    const group = groups.get(words) || groups.set(words, new Map()).get(words);
    const { colour, value } = roll[at];
    group.set(`${colour} ${value}`, die(state.table.palette, { colour, value }));
  }
  const line = ([words, some]) =>
    h("li", {}, h("span", {}, `${words}:`), h("span", { className: "row" }, [...some.values()]));
  return [h("p", {}, h("strong", {}, t("One more die would make of it:"))), h("ul", { className: "offers" }, [...groups].map(line))];
}
