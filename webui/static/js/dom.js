// Small ways to build the page: elements, parts that keep their focus, sentences that pass by.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name === "className" ? "class" : name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const button = (attributes, ...children) => h("button", { type: "button", ...attributes }, ...children);
export const $ = (id) => document.getElementById(id);

// Put new content into `host` only when `key` has changed; the focused control stays focused by its data-key, and in a
// field one types on where one was.
export function show(host, key, build) {
  if (!host) return;
  const text = JSON.stringify(key);
  if (host.shownKey === text) return;
  host.shownKey = text;
  const active = document.activeElement;
  const focused = host.contains(active) ? active.dataset.key : null;
  const typed = active?.type === "text" ? [active.selectionStart, active.selectionEnd] : null;
  host.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
  const again = focused && host.querySelector(`[data-key="${CSS.escape(focused)}"]`);
  again?.focus({ preventScroll: true });
  if (again?.type === "text" && typed) again.setSelectionRange(...typed);
}

// Milliseconds in which somebody at a table sees a sentence and reads it.
export const readingTime = (sentence) => 3000 + sentence.length * 40;

// A sentence above the bar; it goes away by itself or when tapped.
export function say(sentence, kind = "") {
  const host = $("says");
  if (!host || !sentence) return;
  for (const old of [...host.children]) if (old.textContent === sentence) old.remove();
  host.replaceChildren();
  const line = button({ className: kind, onclick: () => line.remove() }, sentence);
  host.append(line);
  setTimeout(() => line.remove(), readingTime(sentence));
}

// What went wrong before is over once something went right.
export function unsay() {
  for (const line of [...($("says")?.children || [])]) if (line.classList.contains("bad")) line.remove();
}

// A menu closes when something else is tapped, or by Escape, which leaves the focus on its own key.
const openMenus = () => document.querySelectorAll(".menu[open]");
document.addEventListener("click", ({ target }) => {
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener("keydown", ({ key, target }) => {
  if (key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    if (menu.contains(target)) menu.querySelector("summary").focus();
  }
});
