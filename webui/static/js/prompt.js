// The one big thing: what to do now, then why; `yours` when this phone should do it.

import { over, secret } from "./reveal.js";
import { everySeat, mayPlay } from "./seat.js";
import { t } from "./words.js";

function aboutReading(reading, may) {
  if (reading.state === "capturing") {
    const why = reading.notice || t("Hands off the dice for a moment.");
    return { text: t("Reading the dice …"), why, yours: false };
  }
  if (reading.state === "failed") {
    return { text: t("The dice could not be read."), why: reading.error?.message, yours: may };
  }
  if (reading.source === "hand") {
    return { text: t("Type the roll."), why: t("One tap a die. Tap a die that is wrong to correct it."), yours: may };
  }
  const why = t("Compare the dice with the table, tap one that is wrong, then confirm.");
  return { text: t("Is this the roll?"), why, yours: may };
}

function aboutTurn(state, part) {
  const { prompt, seats } = state.game;
  const { you } = state;
  const acting = you.role === "player" && prompt.seat !== null && you.acting === prompt.seat;
  const yours = acting || everySeat(you) || (prompt.seat === null && mayPlay(you));
  const who = you.acting === you.seat ? t("Your turn") : seats[prompt.seat];
  const text = (acting && part.promptText(state, who)) || prompt.text;
  return { text, why: prompt.why, yours };
}

// Said while the marks are a secret.
export const readyWords = (state) =>
  over(state) ? t("The game is over. The judges are ready.") : t("The judges are ready.");

// `part` is the game's own part of the pages.
export function promptWords(state, part) {
  const { game, proposal, you } = state;
  if (!game) {
    const why = you.joined ? t("Start one, and name the players.") : t("Join the table to start one.");
    return { text: t("No game is open."), why, yours: you.joined };
  }
  if (proposal) return aboutReading(proposal, mayPlay(you));
  if (secret(state)) {
    const why = t("Gather round, then hear the marks one by one.");
    return { text: readyWords(state), why, yours: true };
  }
  if (!over(state)) return aboutTurn(state, part);
  const why = game.ceremony ? t("The marks can be heard again.") : t("Every point has its reason below.");
  return { text: game.outcome.text, why, yours: false };
}
