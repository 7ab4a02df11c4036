// A reading before it counts: the photograph with its dice ringed, a chip for each die, the one editor, the problems.

import { die, dieWords, look } from "./die.js";
import { h, plural, s } from "./dom.js";
import { act } from "./state.js";
import { capital } from "./words.js";

let chosen = null; // index of the die in the editor; null: the first that needs it
let shown = ""; // the proposal that `chosen` belongs to
let busy = false;

const doubtful = (one) => one.state === "unsure" || one.state === "cocked";
const unknown = (one) => one.colour === null || one.value === null;

export function keepUp(state) {
  const id = state.proposal?.id || "";
  if (id !== shown) {
    shown = id;
    chosen = null;
  }
  if (chosen !== null && !state.proposal?.dice.some((one) => one.index === chosen)) chosen = null;
}

const inEditor = (proposal) => {
  if (chosen === -1) return null;
  if (chosen !== null) return proposal.dice.find((one) => one.index === chosen);
  return proposal.dice.find((one) => doubtful(one) && !unknown(one)) || null;
};

export const key = () => [chosen, busy];

async function change(state, changed, body) {
  busy = true;
  changed();
  const answer = await act("/api/proposal/dice", { proposal: state.proposal.id, ...body });
  busy = false;
  changed();
  return answer.ok;
}

let picture = null; // the photograph, kept so that a change of a die does not load it anew

function kept(href, width, height) {
  if (picture?.getAttribute("href") !== href) picture = s("image", { href, x: 0, y: 0, width, height, preserveAspectRatio: "none" });
  return picture;
}

// The photograph, each die ringed in its place; a tap on a ring opens that die.
function photograph(state, proposal, changed, may) {
  const { width, height, photo, dice } = proposal;
  if (!photo || !width) return null;
  const current = inEditor(proposal)?.index;
  const size = width / 16;
  const rings = dice.filter((one) => one.box).map((one) => {
    const [x, y, w, hh] = one.box;
    const place = { cx: x + w / 2, cy: y + hh / 2, rx: w * 0.62, ry: hh * 0.62 };
    const kind = `ring ${doubtful(one) ? "doubtful" : ""} ${one.index === current ? "chosen" : ""}`;
    return s(
      "g",
      {},
      s("ellipse", { ...place, class: "ring-back" }),
      s("ellipse", { ...place, class: kind, onclick: () => { if (may) { chosen = one.index; changed(); } } }),
      s("g", { transform: `translate(${x + w * 1.02} ${y + hh * 0.12}) scale(${size / 130})` }, s("text", { class: "ring-text" }, doubtful(one) ? `${one.value ?? ""}?` : String(one.value ?? "?"))),
    );
  });
  return s(
    "svg",
    { className: "photo", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Photograph of the roll, ${plural(dice.length, "die", "dice")} found` },
    kept(photo, width, height),
    rings,
  );
}

export function chips(state, proposal, changed, may) {
  const current = inEditor(proposal)?.index;
  return h(
    "div",
    { className: "dice", role: "group", "aria-label": "The dice that were read" },
    proposal.dice.map((one) =>
      h(
        "button",
        {
          type: "button",
          className: `chip ${doubtful(one) && !unknown(one) ? "doubtful" : ""} ${one.state === "corrected" ? "corrected" : ""}`,
          "data-key": `die-${one.index}`,
          "data-index": one.index,
          "aria-pressed": String(one.index === current),
          "aria-label": `${dieWords(state.table.palette, one)}${doubtful(one) ? ", doubtful" : ""}. Tap to correct`,
          disabled: !may,
          onclick: () => { chosen = one.index === chosen ? -1 : one.index; changed(); },
        },
        die(state.table.palette, one, { label: false }),
        doubtful(one) && !unknown(one) && h("span", { className: "mark", "aria-hidden": "true" }, "?"),
        one.state === "corrected" && proposal.source !== "hand" && h("span", { className: "mark", "aria-hidden": "true" }, "✎"),
      ),
    ),
  );
}

// Value pad and colours for one die; the same for a reading, for a die added, and for a past roll.
export function pad(state, one, colours, shapes, picked) {
  const faces = Number((one.shape || "d6").slice(1));
  return [
    shapes.length > 1 && h(
      "div",
      { className: "pad", role: "group", "aria-label": "Shape" },
      shapes.map((shape) => h("button", { type: "button", className: "tint", "aria-pressed": String(shape === one.shape), onclick: () => picked({ shape }) }, die(state.table.palette, { shape, colour: one.colour, value: one.value }, { label: false }), shape)),
    ),
    h(
      "div",
      { className: "pad", role: "group", "aria-label": "Value" },
      Array.from({ length: faces }, (_, at) => at + 1).map((value) =>
        h("button", { type: "button", "data-key": `value-${value}`, "data-value": value, "aria-pressed": String(value === one.value), onclick: () => picked({ value }) }, String(value)),
      ),
    ),
    h(
      "div",
      { className: "pad", role: "group", "aria-label": "Colour" },
      colours.map((colour) =>
        h(
          "button",
          { type: "button", className: "tint", "data-key": `colour-${colour}`, "data-colour": colour, "aria-pressed": String(colour === one.colour), onclick: () => picked({ colour }) },
          die(state.table.palette, { shape: one.shape, colour, value: one.value }, { label: false }),
          h("span", { className: "wrap" }, look(state.table.palette, colour).word),
        ),
      ),
    ),
  ];
}

function editor(state, proposal, changed) {
  const one = inEditor(proposal);
  if (!one) return null;
  const { expects } = state.game;
  const colours = expects?.colours ? Object.keys(expects.colours) : state.game.view.colours || Object.keys(state.table.palette);
  const shapes = expects ? Object.keys(expects.shapes) : [one.shape];
  const next = () => { chosen = null; };
  const edit = (said) => change(state, changed, { action: "edit", index: one.index, ...said }).then((ok) => { if (ok && said.value) { next(); changed(); } });
  const asks = doubtful(one) && !unknown(one);
  return h(
    "section",
    { className: "card editor", id: "editor", "aria-label": "Correct this die" },
    h(
      "div",
      { className: "seen" },
      one.crop && h("img", { className: "crop", src: one.crop, alt: "The die in the photograph" }),
      h(
        "div",
        {},
        h("strong", {}, asks ? `Is this a ${dieWords(state.table.palette, one)}?` : `${capital(dieWords(state.table.palette, one))}.`),
        h("p", { className: "muted small" }, one.state === "cocked" ? "It does not lie on a face. Lay it flat, or say what counts." : asks ? "It could not be read for certain. Look at the table." : "Tap what it really shows."),
      ),
    ),
    pad(state, one, colours, shapes, edit),
    h(
      "div",
      { className: "row" },
      asks && h("button", { type: "button", "data-key": "right", id: "right", onclick: () => edit({}).then(() => { next(); changed(); }) }, "Yes, it is right"),
      h("button", { type: "button", className: "danger", "data-key": "remove", onclick: () => { next(); change(state, changed, { action: "remove", index: one.index }); } }, "No die: remove"),
      !asks && h("button", { type: "button", className: "plain", "data-key": "close", onclick: () => { chosen = -1; changed(); } }, "Close"),
    ),
  );
}

export function reading(state, changed, may) {
  const { proposal } = state;
  const typing = proposal.source === "hand";
  const problems = typing && proposal.empty ? [] : proposal.problems;
  const add = h(
    "button",
    { type: "button", "data-key": "add", disabled: !may || busy, onclick: () => change(state, changed, { action: "add" }).then((ok) => { if (ok) changed(); }) },
    "Add a die",
  );
  return [
    h("ul", { className: "problems", "aria-live": "polite" }, [proposal.notice, ...problems].filter(Boolean).map((problem) => h("li", {}, problem))),
    may && editor(state, proposal, changed),
    !typing && chips(state, proposal, changed, may),
    !typing && may && h("p", {}, add),
    photograph(state, proposal, changed, may),
    proposal.notes.map((note) => h("p", { className: "notes" }, note)),
  ];
}

const act_on = (state, what, more = {}) => act(`/api/proposal/${what}`, { proposal: state.proposal.id, ...more });

export function bar(state, changed) {
  const { proposal } = state;
  const missing = proposal.problems.length > 0;
  const count = proposal.dice.length;
  let words = `Confirm ${plural(count, "die", "dice")}`;
  if (busy) words = "Writing it down …";
  else if (proposal.empty) words = `${plural(proposal.empty, "die", "dice")} to go`;
  else if (proposal.doubtful) words = `Look at ${plural(proposal.doubtful, "doubtful die", "doubtful dice")} first`;
  else if (missing) words = "Not yet: see what is missing";
  const confirm = async () => {
    busy = true;
    changed();
    await act_on(state, "confirm");
    busy = false;
    changed();
  };
  return [
    h("button", { type: "button", className: "main", id: "confirm", "data-key": "confirm", disabled: missing || busy || proposal.doubtful > 0, onclick: confirm }, words),
    h(
      "div",
      { className: "row" },
      h("button", { type: "button", id: "discard", "data-key": "discard", disabled: busy, onclick: () => act_on(state, "discard") }, "Discard"),
      proposal.source !== "hand" && h("button", { type: "button", "data-key": "again", disabled: busy, onclick: () => act("/api/capture") }, "Photograph again"),
    ),
  ];
}
