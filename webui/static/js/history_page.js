// Games played: notes, a rematch, taking on again what was put away, the bin and back.

import { $, button, h, say } from "./dom.js";
import { twice } from "./log.js";
import { load } from "./part.js";
import { revealed } from "./reveal.js";
import { act, start, state } from "./state.js";
import { n, read, t } from "./words.js";

const every = (selector, does) => document.querySelectorAll(selector).forEach(does);
const of = (id, what) => `/api/games/${encodeURIComponent(id)}/${what}`;

// Do it once, and go where one sees that it is done.
async function then(path, body, where) {
  const answer = await act(path, body);
  if (answer.ok) location.assign(where);
  return answer.ok;
}

function onTap(selector, does) {
  every(selector, (key) =>
    key.addEventListener("click", async () => {
      key.disabled = true;
      if (!(await does(key.dataset))) key.disabled = false;
    }),
  );
}

// Whether starting another game puts away one that is being played.
const playing = () => Boolean(state().game && !state().game.outcome);

onTap("[data-reopen]", ({ reopen }) => then(of(reopen, "reopen"), {}, "/"));
onTap("[data-restore]", ({ restore }) => then(of(restore, "restore"), {}, "/history"));

every("[data-delete]", (host) => {
  const { delete: id, played } = host.dataset;
  const question = played ? t("It is being played. Really put it into the bin?") : t("Really put it into the bin?");
  const does = () => then(of(id, "delete"), { abandon: Boolean(played) }, "/history/bin");
  host.append(twice(t("Delete this game"), question, does, { id: "delete" }));
});

every("[data-empty]", (host) => {
  const count = Number(host.dataset.empty);
  const question = n(count, "Really let {count} game go for good?", "Really let {count} games go for good?");
  host.append(twice(t("Empty the bin"), question, () => then("/api/bin/empty", {}, "/history"), { id: "empty-bin" }));
});

// The game that this page shows, as its part of the pages knows games.
async function rematch(host) {
  const game = read("past");
  const part = await load(game.key);
  const other = part.rematch({ ...state(), game });
  const words = other?.words || t("Again, the same people");
  if (other?.href) {
    host.append(h("a", { className: "button main", id: "rematch", href: other.href }, words));
    return;
  }
  const begin = () => {
    const body = { rematch: true, of: game.id, setup: other?.setup || {}, abandon: playing() };
    return then("/api/games", body, "/?new");
  };
  const attributes = { className: "main", id: "rematch" };
  const away = t("The open game is put away. Really begin?");
  host.append(playing() ? twice(words, away, begin, attributes) : button({ ...attributes, onclick: begin }, words));
}
every("[data-rematch]", rematch);

// Notes: what was typed is kept on this phone until the table has it.
const notes = $("notes");
const field = $("note");

async function keep(text) {
  const { notes: id, edits } = notes.dataset;
  const answer = await act(of(id, "notes"), { text, edits: Number(edits) });
  if (!answer.ok) return false;
  sessionStorage.removeItem(`jurado.note.${id}`);
  location.reload();
  return true;
}

if (field) {
  const kept = field.value;
  const draft = `jurado.note.${notes.dataset.notes}`;
  const typed = sessionStorage.getItem(draft);
  const changed = () => {
    const same = field.value.trim() === kept.trim();
    $("keep-notes").disabled = same;
    if (same) sessionStorage.removeItem(draft);
    else sessionStorage.setItem(draft, field.value);
  };
  if (typed !== null && typed !== kept) {
    field.value = typed;
    say(t("What you had typed is still here. It is not kept yet."));
  }
  field.addEventListener("input", changed);
  changed();
  onTap("#keep-notes", () => keep(field.value));
  onTap("[data-put-back]", ({ putBack }) => keep(putBack));
}

// Who has heard the marks of the open game need not be asked again.
every("details[data-result]", (secret) => {
  secret.open = revealed(state());
});

start();
