// Who holds this phone: the own seat, whom it acts for, and what that allows.

import { h } from "./dom.js";
import { act, refresh } from "./state.js";

export const everySeat = (you) => you.role === "host" || you.role === "shared";
export const mayPlay = (you) => everySeat(you) || you.role === "player";

// The seat that this phone may act for now, given whose turn it is; null when none.
export function actingSeat(state, turn) {
  const you = state.you;
  if (everySeat(you)) return turn;
  return you.role === "player" ? you.acting : null;
}

export const mayActFor = (state, seat) => seat === null || seat === undefined ? mayPlay(state.you) : actingSeat(state, seat) === seat;

// The stream knows who this phone was when it was opened, so a new one is opened.
const switchTo = (seat) => async () => {
  const answer = await act("/api/acting", { seat });
  if (answer.ok) refresh();
};

export function seatLine(state) {
  const { you } = state;
  const names = state.game?.seats || [];
  if (you.role === "player" && you.acting !== you.seat) {
    return h(
      "div",
      { className: "you acting" },
      h("span", { className: "name" }, `You are acting for ${names[you.acting]}.`),
      h("button", { type: "button", className: "plain", onclick: switchTo(null), "data-key": "own" }, `Back to ${names[you.seat]}`),
    );
  }
  const words = { watcher: "You are watching.", guest: "You are watching from outside." }[you.role];
  if (!words) return null;
  return h(
    "div",
    { className: "you" },
    h("span", { className: "name" }, words),
    h("a", { className: "button plain", href: "/join" }, you.role === "guest" ? "Join" : "Take a seat"),
  );
}

// Who this phone is, in the fewest words, for the top of the page.
export function whoWords(state) {
  const { you } = state;
  return { player: state.game?.seats[you.seat], shared: "Shared phone", host: "The table", watcher: "Watching" }[you.role] || "";
}

// For somebody who waits: whom one waits for, and the way to act for them on this phone.
export function waiting(state) {
  const { you, game } = state;
  const turn = game.view.turn;
  if (you.role !== "player" || turn === null || turn === you.acting) return null;
  if (turn === you.seat) return h("button", { type: "button", className: "main", id: "act-own", onclick: switchTo(null) }, `Your turn: back to ${game.seats[turn]}`);
  return h(
    "div",
    { className: "row spread" },
    h("span", { className: "muted name" }, `Waiting for ${game.seats[turn]}.`),
    h("button", { type: "button", id: "act-for", "data-key": "act", onclick: switchTo(turn) }, `Act for ${game.seats[turn]}`),
  );
}
