// A control that is tapped, or held: by a finger, a mouse, or the keys (the menu key holds).

const HOLD = 450; // milliseconds
const SLOP = 10; // pixels that a finger may slip
const LATE = 400; // milliseconds after a finger is lifted in which the browser may still call it a click

const release = () => document.removeEventListener("click", swallow, true);

// A click that a finger made; one that is made otherwise (a screen reader, a script) is meant.
function swallow(event) {
  if (!event.isTrusted) return;
  event.stopPropagation();
  event.preventDefault();
  release();
}

// Attributes for an element: `tap` is told the event of a short press and where a finger or a mouse came down for it,
// [x, y] or null; `hold` is called for a long one.
export function press(tap, hold) {
  let timer = null;
  let from = null;
  const stop = () => clearTimeout(timer);
  const held = () => {
    // What is held may be drawn anew under the finger; lifting it is no tap then.
    document.addEventListener("click", swallow, true);
    const lifted = () => setTimeout(release, LATE);
    document.addEventListener("pointerup", lifted, { capture: true, once: true });
    document.addEventListener("pointercancel", lifted, { capture: true, once: true });
    document.addEventListener("pointerdown", release, { capture: true, once: true });
    hold();
  };
  return {
    onpointerdown: (event) => {
      stop();
      if (event.button > 0) return;
      from = [event.clientX, event.clientY];
      timer = setTimeout(held, HOLD);
    },
    onpointermove: (event) => {
      if (from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > SLOP) stop();
    },
    onpointerup: stop,
    onpointercancel: stop,
    onpointerleave: stop,
    onclick: (event) => {
      stop();
      event.stopPropagation();
      tap(event, from);
      from = null;
    },
    oncontextmenu: (event) => {
      event.preventDefault();
      stop();
      hold();
    },
  };
}
