// Who holds this phone: the own seat, whom it acts for, and what that allows.

import { h } from "./dom.js";
import { act } from "./state.js";

export const everySeat = (you) => you.role === "host" || you.role === "shared";
export const mayPlay = (you) => everySeat(you) || you.role === "player";

// The seat that this phone may act for now, given whose turn it is; null when none.
export function actingSeat(state, turn) {
  const you = state.you;
  if (everySeat(you)) return turn;
  return you.role === "player" ? you.acting : null;
}

export const mayActFor = (state, seat) => seat === null || seat === undefined ? mayPlay(state.you) : actingSeat(state, seat) === seat;

const switchTo = (seat) => () => act("/api/acting", { seat });

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
  const words = {
    player: `You are ${names[you.seat]}.`,
    shared: "This phone is for everybody.",
    host: "This is the table itself: it acts for everybody.",
    watcher: "You are watching.",
    unseated: "You have not picked a seat yet.",
    guest: "You are watching from outside.",
  };
  const turn = state.game?.prompt.seat;
  const other = you.role === "player" && turn !== null && turn !== undefined && turn !== you.seat;
  return h(
    "div",
    { className: "you" },
    h("span", { className: "name" }, words[you.role]),
    other && h("button", { type: "button", className: "plain", onclick: switchTo(turn), "data-key": "act" }, `Act for ${names[turn]}`),
    !other && h("a", { className: "button plain", href: "/join" }, you.role === "guest" ? "Join" : "Change"),
  );
}
