// A malandro's action: whom it charms, from the table or from the top of the deck, and who is opened in that place.

import { button, h } from "../../dom.js";
import { t } from "../../words.js";
import { nameField } from "./fields.js";

// `untold`: one of the table whose card nobody has told yet, so that its name is typed.
export const NOBODY = { from: null, sambist: "", opened: "", untold: false };

export const sambistNames = (state) => state.game.view.deck.sambists.map(({ name }) => name);

// Nobody knows who lies on top of the sambists' deck, and there is one.
export const topUntold = ({ game: { view } }) => !view.top_sambist && view.sambists_left !== 0;

// `tell(news, seen)` changes `value`; `seen` draws the form anew. `gone` is a sambist who leaves the table just before,
// `come` who is opened there.
export function charmForm(state, seat, value, tell, { gone = "", come = "" } = {}) {
  const { view } = state.game;
  const before = view.players[seat].charmed?.name;
  const swaps = before && before !== gone;
  const key = (from, sambist, words) => {
    const on = value.from === from && !value.untold && (from !== "table" || value.sambist === sambist);
    const tap = () => tell({ ...NOBODY, from, sambist }, true);
    return button({ "data-charm": sambist || from || "nobody", "data-key": `charm-${from}-${sambist}`, "aria-pressed": String(on), onclick: tap }, words);
  };
  const lie = view.open.filter((one) => one && one.name !== gone).map(({ name }) => name);
  const untold = () => tell({ ...NOBODY, untold: true, from: "table" }, true);
  const type = (name) => (typed) => tell({ [name]: typed }, false);
  return [
    h(
      "div",
      { className: "kinds", role: "group", "aria-label": t("Whom it charms") },
      key(null, "", t("Nobody")),
      [...lie, ...(come ? [come] : [])].map((name) => key("table", name, name)),
      view.open.includes(null) &&
        button({ "data-charm": "untold", "aria-pressed": String(value.untold), onclick: untold }, t("Another one, not entered yet")),
      view.sambists_left !== 0 && key("deck", "", t("The top of the deck")),
    ),
    value.untold && nameField(t("Which sambist?"), value.sambist, type("sambist"), sambistNames(state), { id: "charm-sambist" }),
    value.from === "deck" &&
      (view.top_sambist && !gone
        ? h("p", { className: "small muted" }, t("{name} lies on top.", { name: view.top_sambist }))
        : nameField(t("Who lay on top?"), value.sambist, type("sambist"), sambistNames(state), { id: "charm-sambist" })),
    value.from === "table" &&
      !swaps &&
      topUntold(state) &&
      nameField(t("Who is opened in that place (if you like)"), value.opened, type("opened"), sambistNames(state), { id: "charm-opened" }),
    value.from && swaps && h("p", { className: "small muted" }, t("{name} goes where that card was.", { name: before })),
  ];
}

// The action as a move has it; nothing when nobody is charmed.
export function charmed({ from, sambist, opened }) {
  if (!from) return {};
  const told = { sambist: sambist.trim(), opened: opened.trim() };
  const some = Object.fromEntries(Object.entries(told).filter(([, name]) => name));
  return { charm: { from, ...some } };
}
