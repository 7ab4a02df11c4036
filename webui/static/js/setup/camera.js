// The camera as it sees the table now: a picture every second with the dice ringed, and what is to be said about it.

import { $, h, s } from "../dom.js";
import { send } from "../net.js";
import { n, t } from "../words.js";

const AGAIN = 1000;
const AFTER_FAULT = 3000;
const MARKS = { good: "✓", doubt: "!", bad: "✗", unknown: "?" };
const TITLES = { focus: () => t("Focus"), light: () => t("Light"), size: () => t("Size of a die"), reader: () => t("Reading") };
const WORDS = { good: () => t("good"), doubt: () => t("not quite"), bad: () => t("bad"), unknown: () => t("not known yet") };

function ring([x, y, width, height]) {
  const margin = 0.12 * width;
  const corners = { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
  return s("rect", { ...corners, rx: margin, class: "ring" });
}

function check({ key, verdict, figure, message, advice }) {
  return h(
    "li",
    { className: `check-${verdict}`, "data-check": key },
    h("span", { className: "mark", "aria-hidden": "true" }, MARKS[verdict]),
    h(
      "div",
      {},
      h("strong", {}, TITLES[key]()),
      h("span", { className: "unseen" }, ` (${WORDS[verdict]()})`),
      " ",
      message,
      advice && h("p", {}, advice),
      figure && h("p", { className: "small muted" }, figure),
    ),
  );
}

let shown = ""; // what the checks say, so that a screen reader hears only what is new

function draw({ picture, width, height, dice, checks }) {
  const alt = t("The table as the camera sees it");
  $("frame").replaceChildren(
    h("img", { src: picture, alt, width, height }),
    s("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, dice.map(ring)),
  );
  const words = n(dice.length, "{count} die is seen.", "{count} dice are seen.");
  if ($("seen").textContent !== words) $("seen").textContent = words;
  const now = JSON.stringify(checks);
  if (now !== shown) $("checks").replaceChildren(...checks.map(check));
  shown = now;
}

async function look() {
  const answer = await send("/api/setup/camera", { once: true });
  const fault = answer.ok ? "" : answer.body?.error?.message || t("The table cannot be reached. It is tried again.");
  $("fault").hidden = !fault;
  if ($("fault").textContent !== fault) $("fault").textContent = fault;
  $("sight").hidden = Boolean(fault);
  $("seen").hidden = Boolean(fault);
  $("checks").hidden = Boolean(fault);
  $("sight").removeAttribute("aria-busy");
  $("use").disabled = Boolean(fault);
  document.querySelector("[value='phones']").classList.toggle("main", Boolean(fault));
  if (answer.ok) draw(answer.body);
  return answer.ok ? AGAIN : AFTER_FAULT;
}

async function watch() {
  // A page that nobody sees leaves the camera alone.
  const wait = document.hidden ? AGAIN : await look();
  setTimeout(watch, wait);
}

if ($("sight")) watch();
