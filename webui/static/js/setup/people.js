// Who sits where: seats round a table drawn from above. Tapping a seat chooses it, tapping a second one swaps the two.

import { dieLook } from "./look.js";
import { $, button, h } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";

const { people: known, colours, most, longest } = JSON.parse($("seats").textContent);
const KEPT = "jurado.seats"; // what was typed and not yet sent, for a phone that slept meanwhile

function remembered() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT));
    return Array.isArray(found) && found.length ? found : null;
  } catch {
    return null;
  }
}

const people = remembered() || known.map((person) => ({ ...person }));
let chosen = null;
let swapping = false;

const called = (person, at) => person.name.trim() || t("seat {number}", { number: at + 1 });
const free = () => colours.filter((colour) => !people.some((person) => person.colour === colour));

function keep() {
  sessionStorage.setItem(KEPT, JSON.stringify(people));
  $("people-field").value = JSON.stringify(people);
}

// Seats stand on an ellipse, the first at the bottom, the others clockwise from there.
function place(seat, at) {
  const angle = Math.PI / 2 + (2 * Math.PI * at) / people.length;
  seat.style.left = `${50 + 37 * Math.cos(angle)}%`;
  seat.style.top = `${50 + 38 * Math.sin(angle)}%`;
  return seat;
}

function tap(at) {
  if (swapping && chosen !== null && chosen !== at) {
    [people[chosen], people[at]] = [people[at], people[chosen]];
    swapping = false;
    chosen = at;
  } else {
    chosen = at;
  }
  draw();
}

function seat(person, at) {
  const attributes = {
    className: "seat",
    "aria-pressed": String(at === chosen),
    "data-seat": at,
    onclick: () => tap(at),
  };
  const look = state().table.palette[person.colour];
  const which = h("span", { className: "unseen" }, t("Seat {number}, {colour}:", { number: at + 1, colour: look.word }), " ");
  return place(button(attributes, dieLook(look), which, h("span", { className: "name" }, called(person, at))), at);
}

function colourButton(colour, person) {
  const look = state().table.palette[colour];
  const taken = people.find((other) => other !== person && other.colour === colour);
  const choose = () => {
    // A colour that somebody else has is swapped, so that no two are ever alike.
    if (taken) taken.colour = person.colour;
    person.colour = colour;
    draw();
  };
  const label = taken ? t("{colour}, which {name} has", { colour: look.word, name: called(taken, people.indexOf(taken)) }) : look.word;
  return button(
    { className: "tint", "aria-label": label, title: look.word, "aria-pressed": String(person.colour === colour), "data-colour": colour, onclick: choose },
    dieLook(look),
  );
}

function add() {
  people.push({ name: "", colour: free()[0] });
  chosen = people.length - 1;
  draw();
  $("person").querySelector("input").focus();
}

function remove(at) {
  people.splice(at, 1);
  chosen = people.length ? Math.min(at, people.length - 1) : null;
  draw();
}

function drawPerson() {
  if (chosen === null) {
    $("person").replaceChildren(h("p", { className: "muted" }, people.length ? t("Tap a seat to name it.") : t("Nobody sits here yet.")));
    return;
  }
  const person = people[chosen];
  const at = chosen;
  const type = (event) => {
    person.name = event.target.value;
    drawTable();
    keep();
  };
  const swap = () => {
    swapping = !swapping;
    draw();
  };
  $("person").replaceChildren(
    h(
      "label",
      { className: "field" },
      h("span", { className: "small muted" }, t("Name at seat {number}", { number: at + 1 })),
      h("input", { type: "text", value: person.name, maxlength: longest, autocomplete: "off", autocapitalize: "words", id: "person-name", oninput: type }),
    ),
    h("div", { className: "tints", role: "group", "aria-label": t("Colour") }, colours.map((colour) => colourButton(colour, person))),
    h(
      "div",
      { className: "row" },
      people.length > 1 &&
        button({ "aria-pressed": String(swapping), id: "swap", onclick: swap }, swapping ? t("Now tap the other seat") : t("Swap with another seat")),
      button({ id: "remove", onclick: () => remove(at) }, t("Take this seat away")),
    ),
  );
}

function drawTable() {
  const more = people.length < most && button({ className: "add", id: "add", onclick: add }, h("span", { "aria-hidden": "true" }, "+"), t("Add somebody"));
  $("around").replaceChildren(h("div", { className: "top-of-table" }, more), ...people.map(seat));
  $("around").classList.toggle("swapping", swapping);
}

function draw() {
  drawTable();
  drawPerson();
  keep();
}

$("people").addEventListener("submit", (event) => {
  const nameless = people.findIndex((person) => !person.name.trim());
  const trouble = !people.length
    ? t("Nobody sits here yet. Add somebody, or skip this step.")
    : nameless >= 0 && t("Seat {number} has no name. Type it, or take the seat away.", { number: nameless + 1 });
  $("trouble").textContent = trouble || "";
  if (!trouble) {
    sessionStorage.removeItem(KEPT);
    return;
  }
  event.preventDefault();
  if (nameless >= 0) tap(nameless);
  $("person").querySelector("input")?.focus();
});
draw();
