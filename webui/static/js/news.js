// What changed since this phone was last looked at: a strip that says it and can be put away.

import { button, h } from "./dom.js";
import { leader } from "./standing.js";
import { n, t } from "./words.js";

const LOOKED = "jurado.looked";
const WAKING = 4000; // milliseconds in which a phone that wakes gets its news
const TOLD = 3;

let since = null; // what was known when the phone was put down; null: nothing to compare with
let waking = 0; // until when what comes is news
let news = null; // {lines, more, ahead}
let latest = null;

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(LOOKED));
  } catch {
    return null;
  }
}

const remember = () => latest && localStorage.setItem(LOOKED, JSON.stringify(latest));

function wake() {
  since = remembered();
  waking = Date.now() + WAKING;
}

// Lines after `seq`, oldest first; what was done and taken back meanwhile never happened for who comes back.
function after(log, seq) {
  const fresh = log.filter((entry) => entry.seq > seq && !entry.undone);
  return fresh.filter(({ turns }) => !turns?.length || turns.some((turn) => turn <= seq)).reverse();
}

// Look at a state that is drawn; `totals` are the scores of all seats, null while they are a secret.
export function keepUp({ game, log }, totals) {
  if (document.hidden) return;
  latest = { game: game?.id ?? null, seq: log[0]?.seq ?? 0, ahead: leader(totals) };
  if (Date.now() > waking) {
    remember();
    return;
  }
  if (!game || since?.game !== game.id) {
    news = null;
    return;
  }
  // What comes while they are read happens under one's eyes; a longer strip would move what is about to be tapped.
  const lines = news ? [] : after(log, since.seq);
  if (!lines.length) return;
  const ahead = latest.ahead !== since.ahead ? latest.ahead : null;
  news = { lines: lines.slice(-TOLD).map(({ text }) => text), more: Math.max(0, lines.length - TOLD), ahead };
}

export const key = () => news;

export function strip({ game }, changed) {
  if (!news || !game) return null;
  const away = () => {
    news = null;
    since = null;
    waking = 0;
    remember();
    changed();
  };
  const { lines, more, ahead } = news;
  return h(
    "section",
    { className: "news", id: "news", "aria-label": t("Since you looked") },
    h(
      "div",
      {},
      h("strong", {}, t("Since you looked")),
      more > 0 && h("p", { className: "small" }, h("a", { href: "/log" }, n(more, "{count} more turn", "{count} more turns"))),
      lines.map((line) => h("p", {}, line)),
      ahead !== null && h("p", {}, t("{name} leads.", { name: game.seats[ahead] })),
    ),
    button({ className: "plain close", "data-key": "news-away", "aria-label": t("Put this away"), onclick: away }, "×"),
  );
}

wake();
// What is done on this phone is no news to it.
document.addEventListener("click", () => {
  waking = 0;
});
document.addEventListener("visibilitychange", () => (document.hidden ? remember() : wake()));
window.addEventListener("pagehide", remember);
window.addEventListener("pageshow", (event) => event.persisted && wake());
