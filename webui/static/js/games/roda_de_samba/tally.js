// The end scoring, typed from the cards: stars, colour bonus, crossed sambas; all players on one sheet, sent with one tap.

import { button, h, say } from "../../dom.js";
import { twice } from "../../log.js";
import { act } from "../../state.js";
import { number as minus, t } from "../../words.js";
import { field, names, number, text } from "./fields.js";
import * as whole from "./whole.js";

// Each figure with its name over a narrow column.
const FIGURES = () => ({ stars: t("Stars"), colour_bonus: t("Bonus"), crossed: t("Crossed"), instruments: t("Cards") });

let typed = {}; // seat → figures that are not sent yet
let game = null;
let drawn = 0;
let counting = false; // the way to enter circles instead is open
let correcting = false; // the figures that go before what the cards give are open

export const local = () => [game, drawn, counting, correcting];

// What stands in a player's line: what is typed now, before what was sent.
const figures = (player, seat) => ({ ...player.typed, ...typed[seat] });
const whatIsTyped = () => Object.keys(typed).map(Number).sort();

// Enter goes on to the next field, as the keys of a phone offer it.
function onward(event) {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const all = [...document.querySelectorAll("[data-tally]")];
  (all[all.indexOf(event.target) + 1] || document.getElementById("tally-enter")).focus();
}

// A `details` that stays open when the page is drawn anew.
function opened(id, words, open, set, changed, ...parts) {
  const toggle = (event) => {
    if (event.target.open === open) return;
    set(event.target.open);
    changed();
  };
  return h("details", { className: "card", id, open, ontoggle: toggle }, h("summary", {}, h("strong", {}, words)), parts);
}

const CROSSED_COSTS = 2;

// What the figures in the fields come to; nothing before any is typed, or while one is no number.
function sum(player, seat) {
  const { stars, colour_bonus: bonus, crossed } = figures(player, seat);
  const all = [stars, bonus, crossed].map((one) => one ?? 0);
  if (all.every((one) => one === 0 || one === "") || all.some((one) => Number.isNaN(Number(one)))) return "";
  const [gained, more, lost] = all.map(Number);
  return `= ${minus(gained + more - CROSSED_COSTS * lost)}`;
}

function line(state, seat, may, corrections) {
  const player = state.game.view.players[seat];
  const total = !corrections && h("span", { className: "sum", "data-sum": seat }, sum(player, seat));
  const set = (name) => (value) => {
    typed[seat] = { ...typed[seat], [name]: value };
    if (total) total.textContent = sum(player, seat);
  };
  const one = (name) =>
    number(figures(player, seat)[name], set(name), {
      "data-tally": `${seat}-${name}`,
      "data-key": `tally-${seat}-${name}`,
      "aria-label": t("{name}: {what}", { name: player.name, what: names()[name] }),
      enterkeyhint: "next",
      disabled: !may,
      onkeydown: onward,
    });
  return [
    h("div", { className: "row spread whose" }, h("strong", { className: "wrap" }, player.name), total, player.told && h("span", { className: "good small" }, t("✓ entered"))),
    Object.keys(FIGURES()).map(one),
    corrections &&
      h(
        "div",
        { className: "row nowrap whose" },
        // With a minus, which a phone's keys for numbers do not have.
        field(t("Correction"), number(figures(player, seat).correction, set("correction"), { inputmode: "text", "data-key": `tally-${seat}-correction`, disabled: !may })),
        field(t("Why"), text(figures(player, seat).note, set("note"), { maxlength: 200, "data-key": `tally-${seat}-note`, disabled: !may })),
      ),
  ];
}

// Whether neither stars nor a circle say what `seat` has.
function lacksStars(player, seat) {
  const { stars = null } = figures(player, seat);
  return (stars === null || stars === "") && !player.circle.some(Boolean) && !player.sambists.length;
}

// One player after the other; who is refused stays typed, and the complaint is said. Where figures are all that is
// entered, those who have no stars yet are asked for them: an empty field is no zero.
async function send(state, changed, corrections) {
  const { players } = state.game.view;
  const lacking = corrections ? [] : whatIsTyped().filter((seat) => lacksStars(players[seat], seat));
  let refused = false;
  for (const seat of whatIsTyped().filter((one) => !lacking.includes(one))) {
    const all = Object.entries(figures(state.game.view.players[seat], seat));
    const told = Object.fromEntries(all.filter(([, value]) => value !== null && value !== ""));
    const answer = await act("/api/moves", { move: { move: "tally", seat, ...told } });
    refused = !answer.ok;
    if (refused) break;
    delete typed[seat];
  }
  if (lacking.length && !refused) {
    const names = lacking.map((seat) => players[seat].name).join(", ");
    say(t("Not entered yet: {names}. Type the stars, or 0 where there are none.", { names }), "bad");
  }
  drawn += 1;
  changed();
}

function sheet(state, changed, may, corrections = false) {
  if (state.game.id !== game) typed = {};
  game = state.game.id;
  return [
    h("p", { className: "small muted" }, t("Each crossed samba costs 2; type how many there are. Instrument cards only break a tie.")),
    h(
      "div",
      { className: "tally" },
      Object.values(FIGURES()).map((words) => h("span", { className: "small muted head" }, words)),
      state.game.seats.map((_, seat) => line(state, seat, may, corrections)),
    ),
    may && button({ className: "main", id: "tally-enter", "data-key": "tally-enter", onclick: () => send(state, changed, corrections) }, corrections ? t("Keep these figures") : t("Enter the end scoring")),
  ];
}

export function forms(state, changed, may) {
  const set = (open) => {
    counting = open;
  };
  const about = t("Enter the circle as it lies instead: its crossed sambas are found, and stars and bonus as far as the cards are told.");
  const one = (name, seat) => h("div", {}, h("strong", { className: "wrap" }, name), whole.form(state, seat, changed, may));
  return [
    h("section", { className: "card", id: "tally" }, sheet(state, changed, may)),
    may && opened("count", t("Let Jurado count a circle"), counting, set, changed, h("p", { className: "small muted" }, about), state.game.seats.map(one)),
  ];
}

// Figures that go before what the cards give: a bonus that is typed by hand, a correction with its reason.
export function byHand(state, changed, may) {
  if (!may) return null;
  const set = (open) => {
    correcting = open;
  };
  const about = t("What is typed here goes before what the cards give; an empty field leaves it to them.");
  return opened("tally", t("Figures by hand"), correcting, set, changed, h("p", { className: "small muted" }, about), correcting && sheet(state, changed, may, true));
}

export function toTheEnd(state, may) {
  if (!may) return null;
  const finish = () => act("/api/moves", { move: { move: "finish" } });
  return h("p", {}, twice(t("End the game now"), t("Really end it, as things lie?"), finish, { id: "finish", "data-key": "finish" }));
}
