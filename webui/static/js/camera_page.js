// Setting the camera up: its picture with the tray's four corners to be moved, and the steps, each to be done alone.

import { $, button, h, s } from "./dom.js";
import { post, send } from "./net.js";
import { n, t } from "./words.js";

let known = JSON.parse($("known").textContent);
let corners = known.corners || [
  [0.15, 0.15],
  [0.85, 0.15],
  [0.85, 0.85],
  [0.15, 0.85],
];
let size = known.size || [300, 200];
let busy = null; // the step that is being done
let trouble = null; // the step that failed, and why

const CORNERS = () => [t("Upper left corner"), t("Upper right corner"), t("Lower right corner"), t("Lower left corner")];

const held = (one) => (one.holds ? t("The camera holds it from now on.") : t("This camera has nothing to hold; nothing is lost."));
const STEPS = [
  {
    key: "frame",
    title: () => t("Frame the tray"),
    what: () => t("Move the four handles onto the corners of the tray’s floor, and say how long its sides are. Or lay the printed sheet of markers under the camera, or its pieces into the corners, and let them be found."),
    found: (one) => t("Kept. The camera looks down at {tilt}° from straight.", { tilt: one.tilt }),
  },
  {
    key: "empty",
    title: () => t("Empty tray"),
    what: () => t("Take all dice out. Later pictures are held against this one, to see whether camera or light has changed."),
    act: () => t("The tray is empty"),
    found: (one) =>
      one.tells
        ? t("Kept (brightness {level} of 255).", { level: one.brightness })
        : t("Kept. But the picture has nothing that stands out, so a moved camera will not be noticed: let the tray’s corners or the markers be seen in it."),
  },
  {
    key: "focus",
    title: () => t("Focus"),
    what: () => t("Lay some dice or a printed page into the tray. The camera looks for the sharpest picture, and stays there."),
    act: () => t("Focus now"),
    found: (one) => `${t("Edges are {width} pixels wide.", { width: one.edge })} ${held(one)}`,
  },
  {
    key: "white",
    title: () => t("White sheet"),
    what: () => t("Lay a white sheet of paper into the middle, under the lamp that you play by."),
    act: () => t("The sheet is there"),
    found: (one) => `${t("White is white (brightness {level} of 255).", { level: one.brightness })} ${held(one)}`,
  },
  {
    key: "dice",
    title: () => t("Known dice"),
    what: () => t("Lay some dice down and compare what is read."),
    act: () => t("Read them"),
    found: (one) => `${n(one.read.length, "{count} die read", "{count} dice read")}: ${one.read.join(", ")}. ${t("{sure} surely.", { sure: one.sure })}`,
  },
];

// The corners

function polygon() {
  return corners.map(([x, y]) => `${x * 100},${y * 100}`).join(" ");
}

function place(handle, at) {
  handle.style.left = `${corners[at][0] * 100}%`;
  handle.style.top = `${corners[at][1] * 100}%`;
}

function move(at, x, y) {
  corners[at] = [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];
  place($("frame").querySelector(`[data-corner="${at}"]`), at);
  $("frame").querySelector("polygon").setAttribute("points", polygon());
}

function handle(words, at) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const press = (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    const by = event.shiftKey ? 0.02 : 0.004;
    move(at, corners[at][0] + step[0] * by, corners[at][1] + step[1] * by);
  };
  const drag = (event) => {
    if (!event.target.hasPointerCapture(event.pointerId)) return;
    const box = $("frame").getBoundingClientRect();
    move(at, (event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
  };
  const grip = button({
    className: "corner",
    "data-corner": at,
    "aria-label": words,
    title: t("Drag it, or move it with the arrow keys"),
    onpointerdown: (event) => event.target.setPointerCapture(event.pointerId),
    onpointermove: drag,
    onkeydown: press,
  });
  place(grip, at);
  return grip;
}

function draw({ picture, width, height }) {
  $("frame").replaceChildren(
    h("img", { src: picture, alt: t("The table as the camera sees it"), width, height, draggable: "false" }),
    s("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, s("polygon", { points: polygon(), class: "tray" })),
    ...CORNERS().map(handle),
  );
}

async function look() {
  $("again").disabled = true;
  const answer = await send("/api/setup/camera", { once: true });
  $("again").disabled = false;
  $("sight").removeAttribute("aria-busy");
  const fault = answer.ok ? "" : answer.body?.error?.message || t("The table cannot be reached. It is tried again.");
  $("fault").hidden = !fault;
  $("fault").textContent = fault;
  if (!answer.ok) return;
  draw(answer.body);
  $("seen").textContent = n(answer.body.dice.length, "{count} die is seen.", "{count} dice are seen.");
}

// The steps

async function act(step, given = {}) {
  busy = step;
  trouble = null;
  list();
  const answer = await post("/api/camera", { step, ...given });
  busy = null;
  if (answer.ok) {
    known = answer.body;
    if (step === "markers" || step === "forget") corners = known.corners || corners;
    size = known.size || size;
    $("message").hidden = !known.message;
    $("message").textContent = known.message;
  } else {
    trouble = { step: step === "markers" ? "frame" : step, words: answer.body?.error?.message || t("The table cannot be reached. Try again.") };
  }
  list();
  await look();
}

function length(at, words) {
  const type = (event) => {
    size[at] = Number(event.target.value);
  };
  return h(
    "label",
    { className: "field" },
    h("span", { className: "small muted" }, words),
    h("input", { type: "number", inputmode: "numeric", min: 20, max: 3000, value: size[at], "data-size": at, oninput: type }),
  );
}

function framing() {
  return [
    h("div", { className: "row sides" }, length(0, t("From the upper left to the upper right (mm)")), length(1, t("From top to bottom (mm)"))),
    h(
      "div",
      { className: "row" },
      button({ disabled: busy !== null, "data-step": "frame", onclick: () => act("frame", { corners, size }) }, t("Keep this frame")),
      button({ disabled: busy !== null, "data-step": "markers", onclick: () => act("markers") }, t("Find the markers")),
    ),
  ];
}

function part({ key, title, what, act: words, found }) {
  const one = known.done[key];
  const doing = busy === key || (key === "frame" && busy === "markers");
  return h(
    "li",
    { className: `card stack${one ? " done" : ""}`, "data-done": key in known.done ? key : null },
    h("h2", {}, h("span", { className: "mark", "aria-hidden": "true" }, one ? "✓ " : "○ "), title(), one && h("span", { className: "unseen" }, ` (${t("done")})`)),
    h("p", { className: "small muted" }, what()),
    key === "frame" ? framing() : h("div", { className: "row" }, button({ disabled: busy !== null, "data-step": key, onclick: () => act(key) }, words())),
    h("p", { className: "small", role: "status" }, doing ? t("The camera looks…") : one ? found(one) : ""),
    trouble?.step === key && h("p", { className: "bad", role: "alert" }, trouble.words),
  );
}

function list() {
  const focused = document.activeElement?.dataset.step;
  $("steps").replaceChildren(...STEPS.map(part));
  if (focused) $("steps").querySelector(`[data-step="${focused}"]`)?.focus();
}

$("again").addEventListener("click", look);
$("forget").addEventListener("click", () => {
  if (confirm(t("Forget how this camera stands, its focus and its white balance?"))) act("forget");
});
list();
look();
