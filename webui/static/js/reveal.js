// Whether this phone has heard the marks: until then the end of a game stays a secret on every page.

const KEY = "jurado.revealed";

export const over = (state) => Boolean(state?.game?.outcome);
export const revealed = (state) => over(state) && localStorage.getItem(KEY) === state.game.id;
export const secret = (state) => over(state) && !revealed(state);
export const reveal = (state) => localStorage.setItem(KEY, state.game.id);
