// Whether the marks were heard: where they are read aloud, they stay a secret on every page until then. The table reads
// them on all pages at once; a phone may look at the result before, for itself.
// Judged is a game that is over, or a part of it that has its marks and is followed by more (`scoreboard.reveal`).

const KEY = "jurado.revealed";

export const over = (state) => Boolean(state?.game?.outcome);
export const judged = (state) => over(state) || Boolean(state?.game?.scoreboard?.reveal);

// What there is to hear, as a key for what this phone remembers of it.
const hearing = ({ game }) => `${game.id} ${game.ceremony}`;

const heard = ({ game: { heard: { step, marks } } }) => step > marks;
const looked = (state) => localStorage.getItem(KEY) === hearing(state);

export const revealed = (state) => judged(state) && (!state.game.heard || heard(state) || looked(state));
export const secret = (state) => judged(state) && !revealed(state);

// Show the result on this phone, whatever the others have heard.
export const reveal = (state) => localStorage.setItem(KEY, hearing(state));
