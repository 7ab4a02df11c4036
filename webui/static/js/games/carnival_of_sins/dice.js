// The seven dice as they lie: those on the table, and those locked on somebody's sin.

import { die, dieWords } from "../../die.js";
import { button, h } from "../../dom.js";
import { number, t } from "../../words.js";
import { devil, sinWords } from "./words.js";

// The order in which sins are revealed, the Devil first: who has done so, and whose turn it is.
export function order({ game: { view, seats } }) {
  if (["roll", "finished"].includes(view.phase)) return null;
  const done = view.plays.map(({ seat }) => seat);
  const one = (seat) => {
    const what = { className: done.includes(seat) ? "done" : "", "aria-current": seat === view.turn ? "step" : null };
    return h("li", what, h("span", { className: "name" }, seats[seat]), seat === view.devil && devil(), done.includes(seat) && h("span", { role: "img", "aria-label": t("revealed") }, "✓"));
  };
  return h("ol", { className: "order", "aria-label": t("The order in which sins are revealed") }, view.order.map(one));
}

// `tap(one)` says whether a die can be tapped now: {onclick, pressed}, or null.
export function dice(state, tap = () => null) {
  const { view, seats } = state.game;
  if (!view.dice.length) return null;
  const { palette } = state.table;
  const chip = (one) => {
    const can = tap(one);
    const rolling = view.roll.includes(one.die);
    const what = {
      className: `chip ${rolling ? "doubtful" : ""}`,
      "data-die": one.die,
      "data-key": `die-${one.die}`,
      "aria-pressed": can ? String(can.pressed) : null,
      disabled: !can,
      onclick: can?.onclick,
    };
    return button(what, die(palette, rolling ? { ...one, value: null } : one, { label: dieWords(palette, one) }));
  };
  const group = (words, some, more = null, owned = "owned") =>
    h(
      "section",
      { className: `lying ${owned}` },
      h("h2", {}, words, more && [" ", more].flat()),
      some.length ? h("div", { className: "dice" }, some.map(chip)) : h("p", { className: "muted small" }, t("No dice.")),
    );
  const free = view.dice.filter(({ locked_by: by, die: name }) => by === null && name !== "white");
  const white = view.dice.filter(({ die: name }) => name === "white");
  const lowest = view.plays.length > 1 ? Math.min(...view.plays.map(({ points }) => points)) : null;
  const owned = view.plays.map(({ seat, sin, penalty, points }) => {
    const some = view.dice.filter(({ locked_by: by }) => by === seat);
    const about = [
      some.length > 0 && t("locked"),
      penalty > 0 && t("−{penalty} for fallen dice", { penalty }),
      points === lowest && t("lowest so far: gets the white die"),
    ].filter(Boolean);
    const more = [h("strong", { className: "points", "data-points": seat }, number(points)), h("span", { className: "muted small" }, " ", about.join(", "))];
    return group(t("{name}: {sin}", { name: seats[seat], sin: sinWords(sin) }), some, more);
  });
  return h(
    "div",
    { id: "lying" },
    group(t("On the table"), [...free, ...white], h("span", { className: "muted small" }, t("The white die is for the lowest score.")), ""),
    owned,
    view.notes.map((note) => h("p", { className: "small" }, note)),
  );
}
