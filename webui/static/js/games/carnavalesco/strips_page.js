// Copying a printed strip: 21 numbers, jumping on by itself; strange numbers are warned of, never refused.

import { $, h, say } from "../../dom.js";
import { post } from "../../net.js";
import { act, start } from "../../state.js";
import { t } from "../../words.js";

const form = $("strip");
const fields = [...form.querySelectorAll("[data-sum]")];
const { division } = form.dataset;

const wrong = (field) => !/^(10|[0-9])$/.test(field.value.trim());
const numbers = () => Object.fromEntries(fields.map((field) => [field.dataset.sum, Number(field.value.trim())]));
const warn = (warnings) => $("warnings").replaceChildren(...(warnings || []).map((warning) => h("li", {}, warning)));

async function check() {
  for (const field of fields) field.classList.toggle("odd", field.value.trim() !== "" && wrong(field));
  if (fields.some(wrong)) return;
  const answer = await post("/api/strips/check", { division, numbers: numbers() });
  if (answer.ok) warn(answer.body.warnings);
}

fields.forEach((field, at) => {
  field.addEventListener("input", () => {
    const text = field.value.trim();
    // A 1 may become 10, every other digit is whole.
    if (text.length === 2 || (text.length === 1 && text !== "1")) fields[at + 1]?.focus();
    // The last field has no next one to jump to, so nothing would look the strip over before it is kept.
    if (at === fields.length - 1) check();
  });
  field.addEventListener("change", check);
  field.addEventListener("focus", () => field.select());
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  $("trouble").textContent = "";
  const bad = fields.filter(wrong);
  if (bad.length) {
    const sums = bad.map((field) => field.dataset.sum).join(", ");
    const words = t("Each sum needs a number from 0 to 10. Nothing was kept. Look at sum {sums}.", { sums });
    $("trouble").textContent = words;
    check();
    bad[0].focus();
    return;
  }
  $("keep").disabled = true;
  const answer = await act("/api/strips", { division, numbers: numbers() });
  $("keep").disabled = false;
  if (!answer.ok) return;
  warn(answer.body.warnings);
  const kept = t("The strip of division {division} is kept for this table.", { division });
  say(answer.body.warnings.length ? t("Kept, but look at the warnings.") : kept);
  $("warnings").scrollIntoView({ block: "nearest" });
});

start();
