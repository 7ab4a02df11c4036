// Revealing a sin: tap the sin, then its dice where there is a choice, then confirm. Pride takes its dice at the end.

import { button, h, say } from "../../dom.js";
import { twice } from "../../log.js";
import { send } from "../../net.js";
import { everySeat } from "../../seat.js";
import { act } from "../../state.js";
import { t } from "../../words.js";
import { dieName, sinWords } from "./words.js";

let sin = null;
let chosen = []; // dice, by name
let moment = "";
let again = false; // the dice of the roll are offered to be rolled again
let hand = null; // the choices of a hand that was opened on the phone that all share
let agreed = false; // the table sees it otherwise than the rules: the sin's dice are tapped freely

// How many dice lie on a sin, where the table may agree to others than the rules say.
const HOLDS = { greed: 2, gluttony: 1, lust: 2, sloth: 1 };

export const local = () => [sin, chosen, again, hand, agreed];

export function keepUp(state, mine) {
  const { id, view } = state.game;
  const now = JSON.stringify([id, view.round, view.phase, view.plays.length, mine]);
  if (now !== moment) {
    sin = null;
    chosen = [];
    again = false;
    hand = null;
    agreed = false;
  }
  moment = now;
}

const choices = ({ game }) => hand || game.view.choices;
const offer = (state) => choices(state).find((one) => one.sin === sin);
const fits = (option) => chosen.every((die) => option.includes(die));

// The dice that may still be added to those chosen.
function open(state) {
  if (state.game.view.phase === "pride") return state.game.view.dice.filter((one) => one.locked_by === null && one.die !== "white").map((one) => one.die);
  if (agreed) return loose(state);
  return (offer(state)?.dice || []).filter(fits).flat();
}

// Unlocked dice, and for Lust one that is locked: a die lies in one place, whatever the table agrees to.
function loose({ game: { view } }) {
  if (chosen.length === HOLDS[sin]) return [];
  const locked = (one) => one.locked_by !== null;
  const robs = sin === "lust" && !view.dice.some((one) => locked(one) && chosen.includes(one.die));
  return view.dice.filter((one) => one.die !== "white" && (robs || !locked(one))).map((one) => one.die);
}

// Whether the dice that are chosen are all that the sin takes.
function whole(state) {
  if (agreed) return [0, HOLDS[sin]].includes(chosen.length);
  return (offer(state)?.dice || []).some((option) => option.length === chosen.length && fits(option));
}

export const dieTap = (state, mine, changed) => (one) => {
  const may = open(state);
  if (!chosen.includes(one.die) && !may.includes(one.die)) return null;
  const onclick = () => {
    const pride = state.game.view.phase === "pride";
    if (chosen.includes(one.die)) chosen = chosen.filter((die) => die !== one.die);
    else chosen = pride ? [one.die] : [...chosen, one.die];
    changed();
  };
  return { onclick, pressed: chosen.includes(one.die) };
};

function choose(state, key, changed) {
  sin = sin === key ? null : key;
  agreed = false;
  // Where there is no choice, the dice are those that must be taken.
  const options = offer(state)?.dice || [];
  chosen = options.length === 1 ? [...options[0]] : [];
  changed();
}

// Which sins are left in a hand is its holder's secret. The table tells them to the seat's own phone; a phone that all
// share asks after a tap, once the player holds it; one that acts for somebody else is told of every sin. In the first
// round every hand is whole.
const closed = ({ game: { view }, you }) =>
  everySeat(you) && hand === null && view.phase === "reveal" && view.round > 1 && view.house_rules["memory.aid"] === "off";

async function openHand(seat, changed) {
  const asked = moment;
  const answer = await send(`/api/own?seat=${seat}`, {});
  if (moment !== asked) return;
  if (answer.ok) hand = answer.body.view.choices;
  else say(answer.body?.error?.message || t("No answer came. Try again."), "bad");
  changed();
}

function closeHand(changed) {
  hand = null;
  sin = null;
  chosen = [];
  changed();
}

// Before the first sin is revealed, a roll that went wrong is made again.
export function rollAgain({ game: { view } }, changed) {
  if (view.phase !== "reveal" || view.plays.length) return null;
  const make = (die) => act("/api/moves", { move: { move: "again", ...(die ? { die } : {}) } });
  const toggle = (event) => {
    if (event.target.open === again) return;
    again = event.target.open;
    changed();
  };
  return h(
    "details",
    { className: "card", open: again, ontoggle: toggle },
    h("summary", { className: "small" }, t("A die fell, or lies unclear")),
    h("p", {}, twice(t("One fell off: roll all again"), t("Really roll all again?"), () => make(null), { id: "again-all" })),
    h("p", { className: "small muted" }, t("One lies unclear: which?")),
    h("div", { className: "kinds" }, ["d4", "d6", "d8", "d10", "d12", "d20", "white"].map((die) => button({ "data-again": die, onclick: () => make(die) }, die === "white" ? t("white") : die))),
  );
}

// What a sin would bring now, in two words, for a choice at a glance.
function brings({ game: { view, seats } }, { sin: key, dice }) {
  const words = { envy: t("like {name}", { name: seats[view.devil] }), pride: t("what is left"), wrath: t("throws one") };
  if (words[key]) return words[key];
  const worth = (option) => option.reduce((sum, name) => sum + view.dice.find((one) => one.die === name).value, 0);
  const all = dice.filter((option) => option.length).map(worth);
  if (!all.length) return t("no dice");
  return all.length === 1 ? t("takes {points}", { points: all[0] }) : t("up to {points}", { points: Math.max(...all) });
}

// What the table did stands, also where the rules say otherwise.
function otherwise(changed) {
  const toggle = () => {
    agreed = !agreed;
    chosen = [];
    changed();
  };
  return button({ className: "plain small", id: "agreed", "data-key": "agreed", "aria-pressed": String(agreed), onclick: toggle }, t("The table sees it otherwise"));
}

export function forms(state, mine, changed) {
  const { view } = state.game;
  if (view.phase !== "reveal") return null;
  if (closed(state)) {
    const words = t("{name}, take this phone: which sins you still have is for your eyes alone.", { name: state.game.seats[mine] });
    return h("section", { className: "card", id: "closed-hand" }, h("p", {}, words));
  }
  const key = (one) =>
    button(
      { "data-sin": one.sin, "data-key": `sin-${one.sin}`, "aria-pressed": String(one.sin === sin), onclick: () => choose(state, one.sin, changed) },
      sinWords(one.sin),
      h("small", { className: "muted" }, brings(state, one)),
    );
  const told = offer(state);
  const near = told?.distances && Object.entries(told.distances).sort(([, one], [, other]) => one - other);
  return h(
    "section",
    { className: "card stack", id: "sins" },
    h("div", { className: "sins", role: "group", "aria-label": t("Sins") }, choices(state).map(key)),
    hand && button({ className: "plain", id: "close-hand", "data-key": "close-hand", onclick: () => closeHand(changed) }, t("Close the hand again")),
    told && h("p", { className: "small muted" }, told.rule),
    near?.length > 0 && h("p", { className: "small muted" }, t("Nearest by the picture: {dice}.", { dice: near.slice(0, 3).map(([die]) => dieName(die)).join(", ") })),
    told && sin in HOLDS && otherwise(changed),
  );
}

function barWords(state) {
  if (!sin) return t("Tap a sin");
  const name = sinWords(sin);
  if (!whole(state)) return chosen.length ? t("{sin}: one more die", { sin: name }) : t("{sin}: tap its dice", { sin: name });
  if (!chosen.length) return sin === "pride" || sin === "envy" ? t("Reveal {sin}", { sin: name }) : t("Reveal {sin}, no dice", { sin: name });
  const dice = chosen.map(dieName).join(", ");
  return sin === "wrath" ? t("Wrath: throw {dice}", { dice }) : t("{sin}: take {dice}", { sin: name, dice });
}

export function bar(state, mine, changed) {
  if (closed(state)) {
    return [button({ className: "main", id: "show-hand", "data-key": "show-hand", onclick: () => openHand(mine, changed) }, t("Show the sins of {name}", { name: state.game.seats[mine] }))];
  }
  if (state.game.view.phase === "pride") {
    const [die] = chosen;
    const take = () => act("/api/moves", { move: { move: "pride", seat: mine, die } });
    const words = die ? t("Pride: take {die}", { die: dieName(die) }) : t("Tap a die that is left");
    return [button({ className: "main", id: "reveal", "data-key": "reveal", disabled: !die, onclick: take }, words)];
  }
  const make = async () => {
    const answer = await act("/api/moves", { move: { move: "reveal", seat: mine, sin, dice: chosen, ...(agreed ? { agreed } : {}) } });
    if (answer.ok) window.scrollTo({ top: 0 });
    changed();
  };
  return [button({ className: "main", id: "reveal", "data-key": "reveal", disabled: !sin || !whole(state), onclick: make }, barWords(state))];
}
