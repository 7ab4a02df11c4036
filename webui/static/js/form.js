// What forms for a new game share: a field under its words, a row for a name, a complaint where it belongs.

import { $, button, h } from "./dom.js";
import { t } from "./words.js";

export const field = (words, control) =>
  h("label", { className: "field" }, h("span", { className: "small muted" }, words), control);

// The row of the name of `people[at]`: typed, moved up, removed while more than `few` are left. `called` is what it goes
// by without a name, `words` stand over it; `typed` is told at every letter, `draw` when the order or the number changes.
export function nameRow(people, at, { few, called, words, typed = () => {}, draw }) {
  const person = people[at];
  const names = { called: person.name || called };
  const type = (event) => {
    person.name = event.target.value;
    typed();
  };
  const up = () => {
    people.splice(at - 1, 0, ...people.splice(at, 1));
    draw();
  };
  const remove = () => {
    people.splice(at, 1);
    draw();
  };
  const input = { type: "text", value: person.name, maxlength: 40, list: "known-names", "data-name": at };
  return h(
    "div",
    { className: "row nowrap" },
    field(words, h("input", { ...input, oninput: type })),
    at > 0 && button({ className: "low", "aria-label": t("Move {called} up", names), onclick: up }, "↑"),
    people.length > few && button({ className: "low", "aria-label": t("Remove {called}", names), onclick: remove }, "✕"),
  );
}

// Say what is wrong where it is wrong: beside `control`, else above the button. Without a sentence all is right again.
export function trouble(sentence, control = null) {
  for (const old of document.querySelectorAll(".wrong")) old.remove();
  for (const old of document.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
  $("trouble").textContent = sentence || "";
  if (!sentence) return;
  if (!control) {
    $("trouble").scrollIntoView({ block: "center" });
    return;
  }
  if (control.closest("details")) control.closest("details").open = true;
  $("trouble").textContent = t("No game was started: look at what is marked above.");
  const id = `wrong-${control.dataset.name ?? control.dataset.colourName ?? "field"}`;
  control.closest(".row").after(h("p", { className: "wrong bad small", id }, sentence));
  control.setAttribute("aria-invalid", "true");
  control.setAttribute("aria-describedby", id);
  control.scrollIntoView({ block: "center" });
  control.focus({ preventScroll: true });
}
