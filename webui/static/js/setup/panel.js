// The panel tried out: every button lights up here while it is pressed, and the lamp shows what one taps.

import { $, button, h } from "../dom.js";
import { post } from "../net.js";
import { t } from "../words.js";

const AGAIN = 300;
const BUTTONS = {
  capture: () => [t("Capture"), t("photographs the dice")],
  confirm: () => [t("Confirm"), t("puts the roll into the game")],
  undo: () => [t("Undo"), t("throws a reading away, or undoes a turn")],
};
const GESTURES = {
  press: () => "",
  short: () => t("short press: photographs, then confirms"),
  long: () => t("long press: throws the reading away"),
};
const LAMP = {
  ready: () => [t("A short flash now and then"), t("green"), t("ready, nothing to do")],
  looking: () => [t("Slow"), t("blue"), t("the dice are being read")],
  sure: () => [t("Steady"), t("green"), t("a roll waits to be confirmed")],
  doubtful: () => [t("Two flashes at a time"), t("yellow"), t("a die is doubtful; the phones say which")],
  confirmed: () => [t("Three flashes"), t("white"), t("the roll counts")],
  fault: () => [t("Fast"), t("red"), t("something is in the way; the phones say what")],
  leaving: () => [t("Three flashes at a time"), t("violet"), t("held on, the machine is switched off; let go, nothing happens")],
  closing: () => [t("Long flashes"), t("violet"), t("the machine is being switched off")],
  off: () => [t("Dark"), "", t("switched off")],
};

let ask = null; // what the lamp is to show from the next question on
let before = "";
let counted = {}; // how often each was pressed when last asked

function trial({ name, gesture, pin, count, closed }) {
  const [title, does] = BUTTONS[name]();
  const key = `${name}-${gesture}`;
  const fresh = count > (counted[key] || 0);
  counted[key] = count;
  const stuck = closed && !count;
  return h(
    "li",
    { className: `press${closed ? " down" : ""}${count ? " pressed" : ""}${fresh ? " fresh" : ""}`, "data-button": key },
    h("span", { className: "mark", "aria-hidden": "true" }, count ? "✓" : "○"),
    h(
      "div",
      {},
      h("strong", {}, title),
      " ",
      h("span", { className: "small muted" }, t("pin {pin}", { pin })),
      h("p", { className: "small" }, GESTURES[gesture]() || does),
      count > 0 && h("p", { className: "small good" }, t("It works.")),
      stuck && h("p", { className: "small doubt" }, t("Held down all the time? Let go; if nobody holds it, look at its wires.")),
    ),
  );
}

function lampPart(lamp) {
  if (!lamp) return h("p", { className: "muted small" }, t("No lamp is set up. Nothing depends on it."));
  const option = ([key, words]) => {
    const [pattern, colour, means] = words();
    const title = lamp.colours && colour ? `${pattern}, ${colour}` : pattern;
    const choose = () => {
      ask = key;
    };
    return button(
      { className: "choice", "aria-pressed": String(lamp.shown === key), "data-lamp": key, onclick: choose },
      h("span", { className: `lamp lamp-${key}`, "aria-hidden": "true" }),
      h("span", {}, h("strong", {}, title), " ", h("span", { className: "small muted" }, means)),
    );
  };
  return [
    h("h2", {}, t("The lamp")),
    h("p", { className: "small muted" }, t("Tap a state and look whether the lamp shows it (pin {pin}).", { pin: lamp.pin })),
    h("div", { className: lamp.colours ? "choices colours" : "choices" }, Object.entries(LAMP).map(option)),
  ];
}

function draw(panel) {
  const text = JSON.stringify(panel);
  if (text === before) return;
  before = text;
  const focused = document.activeElement?.dataset.lamp;
  const tried = panel.buttons.map(trial);
  const works = panel.buttons.some(({ count }) => count);
  $("panel").replaceChildren(
    ...[
      panel.problem && h("p", { className: "card notice" }, panel.problem),
      !panel.problem && h("p", { className: "muted" }, t("While this page is open they only light up here; nothing is photographed.")),
      tried.length > 0 && h("ul", { className: "presses" }, tried),
      !panel.problem && lampPart(panel.lamp),
    ]
      .flat()
      .filter(Boolean),
  );
  if (focused) document.querySelector(`[data-lamp="${focused}"]`)?.focus();
  $("use").hidden = !works;
  $("without").classList.toggle("main", !works);
  document.querySelector("h1").textContent = panel.problem ? t("No buttons at this table") : t("Press each button once");
}

async function watch() {
  if (!document.hidden) {
    const lamp = ask;
    ask = null;
    const answer = await post("/api/setup/panel", lamp ? { lamp } : {});
    $("panel").removeAttribute("aria-busy");
    if (answer.ok) draw(answer.body);
    else if (answer.status !== 0) {
      const words = answer.body?.error?.message || t("The table cannot be reached. It is tried again.");
      $("panel").replaceChildren(h("p", { className: "card bad", role: "alert" }, words));
    }
  }
  setTimeout(watch, AGAIN);
}

watch();
