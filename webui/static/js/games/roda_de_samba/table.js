// What lies between the players: the sambists who could be invited, and the discard piles.

import { look } from "../../die.js";
import { button, h } from "../../dom.js";
import { act } from "../../state.js";
import { n, t } from "../../words.js";
import { colourWord, text } from "./fields.js";

const ask = (need) => (need.startsWith("?") ? t("any {colour}", { colour: colourWord(need.slice(1)) }) : need);

function card(one, answer, more) {
  const stars = one.stars === null ? "★ ?" : `★ ${one.stars}`;
  const needs = one.needs ? one.needs.map(ask).join(", ") : t("needs not known");
  const kind = answer?.met ? "good" : "muted";
  return h(
    "li",
    { className: "card sambist" },
    h("div", { className: "row spread" }, h("strong", { className: "wrap" }, one.name), h("span", {}, stars)),
    h("div", { className: "small needs-words" }, needs),
    answer && h("div", { className: `small ${kind}` }, answer.met ? `✓ ${answer.why}` : answer.why),
    more,
  );
}

const opening = {}; // place → the name that is being typed for its card, which nobody has told yet

function untold(state, slot, may) {
  const names = state.game.view.deck.sambists.map(({ name }) => h("option", { value: name }));
  const tell = async () => {
    const answer = await act("/api/moves", { move: { move: "open", slot, sambist: (opening[slot] || "").trim() } });
    if (answer.ok) delete opening[slot];
  };
  const type = (value) => {
    opening[slot] = value;
  };
  return h(
    "li",
    { className: "card sambist" },
    h("span", { className: "small muted" }, t("Place {number}: which sambist lies there?", { number: slot + 1 })),
    may &&
      h(
        "div",
        { className: "row nowrap" },
        text(opening[slot], type, { list: `sambists-${slot}`, "data-open-slot": slot, "data-key": `open-${slot}`, "aria-label": t("Sambist in place {number}", { number: slot + 1 }) }),
        h("datalist", { id: `sambists-${slot}` }, names),
        button({ className: "low", "data-tell": slot, onclick: tell }, "✓"),
      ),
  );
}

// Every sambist that `seat` could invite, each with the answer; the own charmed one first, then those that lie open, in
// the order in which they would come: now, perhaps, not yet.
export function guests({ game: { view } }, seat) {
  const { charmed } = view.players[seat];
  const lie = view.open.filter(Boolean).map((one) => ({ ...one, answer: one.for[seat], mine: false }));
  const rank = ({ answer: { met } }) => [true, null, false].indexOf(met);
  return (charmed ? [{ ...charmed, mine: true }, ...lie] : lie).sort((one, other) => rank(one) - rank(other));
}

export function sambists(state, seat, changed, may) {
  const { view, seats } = state.game;
  const player = view.players[seat];
  const name = seats[seat];
  const over = view.phase === "finished";
  const all = guests(state, seat);
  const mine = h("div", { className: "small" }, t("Charmed: only {name} can invite this one.", { name }));
  const cards = (some) => h("ul", { className: "bare sambists" }, some.map((one) => card(one, over ? null : one.answer, one.mine && mine.cloneNode(true))));
  const now = all.filter(({ answer }) => answer.met);
  const later = all.filter(({ answer }) => !answer.met);
  const places = view.open.map((one, slot) => (one || over ? null : untold(state, slot, may)));
  return [
    over && all.length > 0 && [h("h2", {}, t("Sambists on the table")), cards(all)],
    !over && now.length > 0 && [h("h2", {}, t("{name} could invite now", { name })), cards(now)],
    !over && later.length > 0 && [h("h2", {}, now.length ? t("Not yet, and why") : t("{name} can invite nobody yet, and why", { name })), cards(later)],
    places.some(Boolean) && h("ul", { className: "bare stack" }, places),
    player.sambists.length > 0 &&
      h(
        "details",
        { className: "card" },
        h("summary", {}, n(player.sambists.length, "{count} sambist invited", "{count} sambists invited")),
        h("ul", { className: "bare stack" }, player.sambists.map((one) => card(one))),
      ),
  ];
}

// The sambists that lie open, for everybody: each with the names of those who could invite it now.
export function lying({ game: { view, seats } }) {
  const told = view.open.filter(Boolean);
  if (!told.length || view.house_rules["entry.detail"] === "final") return null;
  const whose = (one) => {
    const names = seats.filter((_, seat) => one.for[seat].met).join(", ");
    return names && h("div", { className: "small good" }, t("✓ would come to {names}", { names }));
  };
  return [h("h2", {}, t("Sambists on the table")), h("ul", { className: "bare sambists" }, told.map((one) => card(one, null, whose(one))))];
}

export function piles(state) {
  const { view } = state.game;
  if (view.house_rules["entry.detail"] !== "moves") return null;
  const { palette } = state.table;
  const pile = ({ colour, cards }) => {
    const { fill, ink, word } = look(palette, colour);
    const lie = cards.map((one) => (one.malandro ? t("malandro") : `${one.instrument} ${one.number}`)).join(", ");
    const badge = h("span", { className: "pile" }, word);
    badge.style.background = fill;
    badge.style.color = ink;
    return h("li", {}, badge, " ", h("span", { className: "small" }, lie));
  };
  const left = view.cards_left === null ? null : n(view.cards_left, "{count} card in the deck.", "{count} cards in the deck.");
  return h(
    "section",
    { className: "piles" },
    h("h2", {}, t("Discard piles")),
    view.piles.length ? h("ul", { className: "bare stack" }, view.piles.map(pile)) : h("p", { className: "muted small" }, t("None lies there.")),
    left && h("p", { className: "muted small" }, left),
  );
}
