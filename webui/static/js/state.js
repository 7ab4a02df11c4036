// The newest state of the table: conditional polling underneath, a live stream on top, both giving whole states.

import { $, h, say, unsay } from "./dom.js";
import { newId, post, send } from "./net.js";
import { pageLanguage, t } from "./words.js";

const POLL = 1500;
const POLL_HIDDEN = 15000;
const POLL_FULL = 400; // where too many phones have a stream for this one to get any
const LATE = 5000; // a timer that comes so late was held up by sleep
const PATIENCE = 5000; // for an answer to a poll: a phone that wakes may still have a dead connection
const SILENT = 25000; // a stream that says nothing for so long is dead; it beats every 15 s
const STREAM_AGAIN = 30000;

// One stream a tab: the next page of this tab takes the place of the last one's stream, which the table cannot see die.
// Only a page that is left hands its id on, so that a tab opened from this one, with a copy of its storage, has its own.
const LEFT = "jurado.left";
const tab = sessionStorage.getItem(LEFT) || newId();
sessionStorage.removeItem(LEFT);
const listeners = new Set();
const lies = $("state");
let current = lies ? JSON.parse(lies.textContent) : null;
let begun = 0; // when the newest accepted answer was asked for
let unsure = 0; // since when another answer may tell who this phone is by now
let taken = 0; // when the current state came, by whichever way
let stream = null;
let heard = 0;
let streamAfter = 0;
let full = false;
let timer = null;
let misses = 0;

export const state = () => current;

export function subscribe(listener) {
  listeners.add(listener);
  listener(current);
}

function offline(yes) {
  misses = yes ? misses + 1 : 0;
  const banner = $("offline");
  if (banner) banner.hidden = misses < 2;
}

// What is wrong with the table itself: everybody is told, above whatever page is open.
function troubles(sentences) {
  $("troubles")?.replaceChildren(...sentences.map((sentence) => h("p", { className: "banner bad" }, sentence)));
}

function take(next) {
  // Somebody chose another language, for this phone on another page or for the whole table.
  if (next.language !== pageLanguage()) location.reload();
  const changed = !current || JSON.stringify(next) !== JSON.stringify(current);
  current = next;
  taken = performance.now();
  if (!changed) return;
  troubles(current.table.trouble);
  for (const listener of listeners) listener(current);
}

// An answer to something asked at `asked`. Versions grow while the table runs, so a higher one is newer. An equal one
// may still tell who `you` are by now. A lower one is an answer that was overtaken on its way, unless it was asked for
// after everything else that is known: then the table was started again.
function accept(next, asked) {
  const ahead = next.version - (current?.version ?? -1);
  if (ahead < 0 && asked <= taken) return;
  if (ahead === 0 && asked < begun) return;
  begun = Math.max(begun, asked);
  take(next);
}

async function poll() {
  const asked = performance.now();
  const since = current && begun >= unsure ? `?since=${current.version}` : "";
  const answer = await send(`/api/state${since}`, { once: true, signal: AbortSignal.timeout?.(PATIENCE) });
  offline(answer.status === 0);
  if (answer.ok && answer.body) accept(answer.body, asked);
}

const pause = () => (document.hidden ? POLL_HIDDEN : full ? POLL_FULL : POLL);

function again() {
  clearTimeout(timer);
  const due = Date.now() + pause();
  timer = setTimeout(async () => {
    if (Date.now() > due + LATE) drop(0);
    if (stream && performance.now() - heard > SILENT) drop(STREAM_AGAIN);
    if (!stream) {
      await poll();
      open();
    }
    again();
  }, pause());
}

function drop(wait) {
  stream?.close();
  stream = null;
  streamAfter = performance.now() + wait;
  document.documentElement.dataset.live = "poll";
}

function open() {
  if (stream || document.hidden || !window.EventSource || performance.now() < streamAfter) return;
  if (new URLSearchParams(location.search).get("live") === "0") return;
  const mine = new EventSource(`/api/live?client=${tab}`);
  stream = mine;
  const asked = performance.now();
  heard = asked;
  let first = true;
  mine.addEventListener("state", (event) => {
    if (stream !== mine) return;
    heard = performance.now();
    document.documentElement.dataset.live = "stream";
    full = false;
    offline(false);
    const next = JSON.parse(event.data);
    // A stream knows who this phone was when it was opened: its first state answers that as a poll does.
    if (first) accept(next, asked);
    else if (next.version > current.version) take(next);
    first = false;
  });
  mine.addEventListener("alive", () => {
    heard = performance.now();
  });
  // A stream that breaks or is refused (too many phones) is not tried again at once: polling goes on meanwhile.
  mine.onerror = () => {
    if (stream !== mine) return;
    full = mine.readyState === EventSource.CLOSED;
    drop(full ? STREAM_AGAIN : 3000);
  };
}

// A phone that slept has a dead stream and an old state, and knows neither.
async function wake() {
  await refresh();
  again();
}

function turned() {
  if (!document.hidden) wake();
  else {
    drop(0);
    again();
  }
}

export async function refresh() {
  unsure = performance.now();
  drop(0);
  await poll();
  open();
}

export function start() {
  document.addEventListener("visibilitychange", turned);
  document.addEventListener("resume", wake);
  window.addEventListener("pagehide", () => sessionStorage.setItem(LEFT, tab));
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    sessionStorage.removeItem(LEFT);
    wake();
  });
  window.addEventListener("online", wake);
  window.addEventListener("offline", () => {
    drop(0);
    misses = 1;
    offline(true);
  });
  open();
  again();
}

// The last act that got no answer: done again on the same table, it is the same act, and the table does it once.
let lost = null;
export const ofTable = (version) => Math.floor(version / 1_000_000);

// A move that is on its way. Tapped again before the answer is here, it is the same tap, and not one that came too late.
let moving = null;

// Do something at the table; what comes back is the newer state, or a sentence that says why not. `calm` may turn a
// refusal into a sentence that is no complaint, or into none.
export function act(path, body = {}, calm = () => null) {
  if (path !== "/api/moves") return done(path, body, calm);
  const what = JSON.stringify([body, ofTable(current?.version ?? 0)]);
  if (moving?.what === what) return moving.answer;
  const mine = { what, answer: done(path, body, calm) };
  moving = mine;
  const over = () => {
    if (moving === mine) moving = null;
  };
  mine.answer.then(over, over);
  return mine.answer;
}

async function done(path, body, calm) {
  const asked = performance.now();
  const version = current?.version ?? 0;
  const what = JSON.stringify([path, body, ofTable(version)]);
  const id = lost?.what === what ? lost.id : newId();
  const answer = await post(path, { version, id, ...body });
  if (answer.status === 0) lost = { what, id };
  else lost = null;
  return settle(answer, asked, calm);
}

export function settle(answer, asked, calm = () => null) {
  if (answer.status === 0) {
    offline(true);
    say(t("No answer came. Look whether it was done; it is safe to press again."), "bad");
    return answer;
  }
  offline(false);
  if (answer.body?.state) accept(answer.body.state, asked);
  if (answer.ok) unsay();
  else if (calm(answer) !== null) say(calm(answer));
  else {
    const strange = t("The table gave no answer that makes sense. Look whether it was done, then try again.");
    say(answer.body?.error?.message || strange, "bad");
  }
  return answer;
}
