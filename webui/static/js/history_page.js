// Games played: take one that was put away on again.

import { revealed } from "./reveal.js";
import { act, start, state } from "./state.js";
import { locale } from "./words.js";

for (const button of document.querySelectorAll("[data-reopen]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const answer = await act(`/api/games/${encodeURIComponent(button.dataset.reopen)}/reopen`);
    button.disabled = false;
    if (answer.ok) location.assign("/");
  });
}

// Who has heard the marks of the open game need not be asked again.
for (const secret of document.querySelectorAll("details[data-result]")) secret.open = revealed(state());

// The journal keeps universal time; people read their own.
for (const time of document.querySelectorAll("time[datetime]")) {
  const when = new Date(time.dateTime);
  const style = { dateStyle: "medium", timeStyle: "short" };
  if (!Number.isNaN(when.getTime())) time.textContent = when.toLocaleString(locale(), style);
}

start();
