// The table's own dice: teach the roll that lies there, forget, and take in a file.

import { $, say } from "./dom.js";
import { post, send } from "./net.js";
import { start, state, subscribe } from "./state.js";
import { t } from "./words.js";

const wrong = (answer) => say(answer.body?.error?.message ?? t("The table cannot be reached. Nothing was changed."), "bad");

// Teaching goes on after the answer: the page waits for its end, then shows what is known by then.
async function settled() {
  for (;;) {
    await new Promise((after) => setTimeout(after, 500));
    const answer = await send("/api/dice");
    if (answer.ok && !answer.body.busy) return location.reload();
  }
}

let teaching = Boolean($("teach").dataset.busy);

async function teach(button) {
  teaching = true;
  button.disabled = true;
  $("taught-notice").textContent = t("Learning these dice…");
  const answer = await post("/api/dice/teach", {
    proposal: button.dataset.teach,
    colours_only: "colours" in button.dataset,
  });
  if (answer.ok) return settled();
  $("taught-notice").textContent = "";
  teaching = false;
  button.disabled = false;
  return wrong(answer);
}

async function forget(button) {
  const which = button.dataset.forget;
  // One picture is shown again in a moment; a whole die takes minutes.
  const whole = !/^[0-9a-f]{16}$/.test(which);
  const question = which === "all" ? t("Forget all dice that were taught?") : t("Forget this die and all its pictures?");
  if (whole && !confirm(question)) return;
  const answer = await post("/api/dice/forget", { die: which });
  if (answer.ok) location.reload();
  else wrong(answer);
}

async function take(input) {
  const file = input.files[0];
  if (!file) return;
  const answer = await send("/api/dice/import", {
    method: "POST",
    headers: { "Content-Type": "application/zip" },
    body: file,
    once: true,
  });
  input.value = "";
  if (answer.ok) location.reload();
  else wrong(answer);
}

for (const button of document.querySelectorAll("[data-teach]")) button.addEventListener("click", () => teach(button));
for (const button of document.querySelectorAll("[data-forget]")) button.addEventListener("click", () => forget(button));
$("import")?.addEventListener("change", (event) => take(event.target));
if (teaching) settled();

// The roll that lies there as the page shows it; the page is drawn anew when another one does, or it is read otherwise.
const lying = ({ proposal }) => JSON.stringify(proposal?.state === "ready" ? [proposal.id, proposal.dice] : null);
const shown = lying(state());
subscribe((next) => {
  if (!teaching && lying(next) !== shown) location.reload();
});
start();
