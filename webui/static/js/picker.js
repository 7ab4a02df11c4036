// The legal moves as buttons, for any game: a kind of move, then field by field, then the sentence that is meant.

import { button, h } from "./dom.js";
import { send } from "./net.js";
import { everySeat, mayPlay } from "./seat.js";
import { act, ofTable } from "./state.js";
import { capital, n, t } from "./words.js";

let wanted = {}; // field → value as JSON; `move` is the kind
let answer = null; // what the table said about the moves that fit
let asking = ""; // the game and the version of the table that are asked about
let asked = ""; // the question that `answer` is, or will be, the answer to
let answered = ""; // the question that it is the answer to
let busy = false;

const readable = (text) => String(text).replace(/_/g, " ");

export const picked = () => [wanted, answered === asked, answered, busy];

// Keep the answer to the question that is open now; `changed` is told when it has come.
async function ask(state, changed) {
  const moment = JSON.stringify([state.game?.id, ofTable(state.version)]);
  // What was chosen half is let go when the table has moved on.
  if (moment !== asking) wanted = {};
  asking = moment;
  const question = JSON.stringify([moment, wanted]);
  if (question === asked) return;
  asked = question;
  const reply = await send(`/api/moves?${new URLSearchParams(wanted)}`, {});
  if (asked !== question) return;
  if (!reply.ok) {
    asked = "";
    return;
  }
  answer = reply.body;
  answered = question;
  changed();
}

function want(name, value, changed) {
  wanted = { ...wanted, [name]: value };
  if (value === "") delete wanted[name];
  changed();
}

function words(state, name, value) {
  if (name === "seat") return state.game.seats[value] ?? String(value);
  if (Array.isArray(value)) return value.map(readable).join(", ") || t("none");
  if (value === null || value === undefined) return t("none");
  return typeof value === "object" ? Object.values(value).map(readable).join(", ") : readable(value);
}

function kinds(changed, names) {
  if (answer.groups.length < 2) return null;
  const tab = ({ move }) => {
    const key = JSON.stringify(move);
    const on = wanted.move === key;
    const choose = () => {
      wanted = {};
      want("move", on ? "" : key, changed);
    };
    const what = { "data-kind": move, "data-key": `kind-${move}`, "aria-pressed": String(on), onclick: choose };
    return button(what, names[move] || capital(readable(move)));
  };
  return h("div", { className: "kinds", role: "group", "aria-label": t("Kinds of moves") }, answer.groups.map(tab));
}

function narrow(state, changed, fieldWords, names) {
  if (!wanted.move && answer.groups.length > 1) return null;
  const select = ({ name, values }) => {
    const option = ({ key, value }) =>
      h("option", { value: key, selected: wanted[name] === key }, fieldWords(name, value) ?? words(state, name, value));
    const choose = (event) => want(name, event.target.value, changed);
    const what = { "data-field": name, "data-key": `field-${name}`, onchange: choose };
    return h(
      "label",
      { className: "field" },
      h("span", { className: "small muted" }, names[name] || capital(readable(name))),
      h("select", what, h("option", { value: "" }, t("any")), values.map(option)),
    );
  };
  const fields = answer.fields.filter(({ name }) => name !== "move");
  const many = answer.count > 3 || fields.some(({ name }) => wanted[name]);
  return fields.length > 0 && many && h("div", { className: "row two" }, fields.map(select));
}

// May this phone make a move of that seat?
const mayMake = (you, seat) => mayPlay(you) && (seat === null || everySeat(you) || you.acting === seat);

function moves(state, changed) {
  const one = ({ move, seat, text }, at) => {
    const make = async () => {
      busy = true;
      changed();
      const done = await act("/api/moves", { move });
      busy = false;
      if (done.ok) wanted = {};
      changed();
    };
    const disabled = busy || answered !== asked || !mayMake(state.you, seat);
    return button({ className: "wrap", "data-choice": at, "data-key": `choice-${at}`, disabled, onclick: make }, text);
  };
  const more = answer.count - answer.moves.length;
  return [
    h("div", { className: "choices" }, answer.moves.map(one)),
    more > 0 && h("p", { className: "muted small" }, n(more, "{count} more: choose above.", "{count} more: choose above.")),
  ];
}

// `fieldWords(name, value)` may say a field's value better than it says itself; without it it returns null. `names` are
// words for kinds of moves and for fields.
export function picker(state, changed, { title = t("What you can do"), fieldWords = () => null, names = {} } = {}) {
  ask(state, changed);
  if (!answer?.groups.length || !mayPlay(state.you)) return null;
  return h(
    "section",
    { className: "card stack", id: "picker" },
    title && h("strong", {}, title),
    kinds(changed, names),
    narrow(state, changed, fieldWords, names),
    moves(state, changed),
  );
}
