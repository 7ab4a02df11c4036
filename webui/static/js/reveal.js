// Whether this phone has heard the end: where it is read aloud, it stays a secret on every page until then.

const KEY = "jurado.revealed";

export const over = (state) => Boolean(state?.game?.outcome);
export const revealed = (state) => over(state) && (!state.game.ceremony || localStorage.getItem(KEY) === state.game.id);
export const secret = (state) => over(state) && !revealed(state);
export const reveal = (state) => localStorage.setItem(KEY, state.game.id);
