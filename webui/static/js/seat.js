// Who holds this phone: the own seat, whom it acts for, and what that allows.

import { button, h } from "./dom.js";
import { act, refresh } from "./state.js";
import { t } from "./words.js";

export const everySeat = (you) => you.role === "host" || you.role === "shared";
export const mayPlay = (you) => everySeat(you) || you.role === "player";

// The seat that this phone may act for now, given whose turn it is; null when none.
export function actingSeat(state, turn) {
  const { you } = state;
  if (everySeat(you)) return turn;
  return you.role === "player" ? you.acting : null;
}

// The stream knows who this phone was when it was opened, so a new one is opened.
const switchTo = (seat) => async () => {
  const answer = await act("/api/acting", { seat });
  if (answer.ok) refresh();
};

// A line for those who act for another seat, or only look; nothing for everybody else.
export function seatLine(state) {
  const { you } = state;
  const names = state.game?.seats || [];
  if (you.role === "player" && you.acting !== you.seat) {
    return h(
      "div",
      { className: "you acting" },
      h("span", { className: "name" }, t("You are acting for {name}.", { name: names[you.acting] })),
      button(
        { className: "plain", onclick: switchTo(null), "data-key": "own" },
        t("Back to {name}", { name: names[you.seat] }),
      ),
    );
  }
  if (!["watcher", "guest"].includes(you.role)) return null;
  const outside = you.role === "guest";
  return h(
    "div",
    { className: "you" },
    h("span", { className: "name" }, outside ? t("You are watching from outside.") : t("You are watching.")),
    h("a", { className: "button plain", href: "/join" }, outside ? t("Join") : t("Take a seat")),
  );
}

// Who this phone is, in the fewest words, for the top of the page.
export function whoWords(state) {
  const { you } = state;
  if (you.role === "player") return state.game?.seats[you.seat] || "";
  return { shared: t("Shared phone"), watcher: t("Watching") }[you.role] || "";
}

// For somebody who waits for the seat `turn`: whom one waits for, and the way to act for them on this phone.
export function waiting(state, turn) {
  const { you, game } = state;
  if (you.role !== "player" || turn === null || turn === you.acting) return null;
  const name = game.seats[turn];
  if (turn === you.seat) {
    return button(
      { className: "main", id: "act-own", onclick: switchTo(null) },
      t("Your turn: back to {name}", { name }),
    );
  }
  return h(
    "div",
    { className: "row spread" },
    h("span", { className: "muted name" }, t("Waiting for {name}.", { name })),
    button({ id: "act-for", "data-key": "act", onclick: switchTo(turn) }, t("Act for {name}", { name })),
  );
}
