// The door lives: when a game begins, or its schools change, the seats are those of the new one.

import { start, state, subscribe } from "./state.js";

const seats = ({ game, you }) => JSON.stringify([game?.id, game?.seats, you.joined]);
const shown = seats(state());

// Not `reload`: the page may be the answer to a form.
subscribe((next) => {
  if (next.you.joined && seats(next) !== shown) location.assign("/join");
});
start();
