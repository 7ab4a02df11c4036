// Whether this phone has heard the marks: where they are read aloud, they stay a secret on every page until then.
// Judged is a game that is over, or a part of it that has its marks and is followed by more (`scoreboard.reveal`).

const KEY = "jurado.revealed";

export const over = (state) => Boolean(state?.game?.outcome);
export const judged = (state) => over(state) || Boolean(state?.game?.scoreboard?.reveal);

// What there is to hear, as a key for what this phone remembers of it.
export const hearing = ({ game }) => `${game.id} ${game.ceremony}`;

export const revealed = (state) =>
  judged(state) && (!state.game.ceremony || localStorage.getItem(KEY) === hearing(state));
export const secret = (state) => judged(state) && !revealed(state);
export const reveal = (state) => localStorage.setItem(KEY, hearing(state));
