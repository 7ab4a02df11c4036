// The one big thing: what to do now, then why; `yours` when this phone should do it.

import { needed } from "./draft.js";
import { revealed } from "./reveal.js";
import { everySeat, mayPlay } from "./seat.js";
import { numberWord, t } from "./words.js";

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

function aboutTurn(game, you) {
  const { prompt, seats } = game;
  const acting = you.role === "player" && prompt.seat !== null && you.acting === prompt.seat;
  const yours = acting || everySeat(you) || (prompt.seat === null && mayPlay(you));
  const who = you.acting === you.seat ? t("Your turn") : seats[prompt.seat];
  const words = { who, number: numberWord(needed({ game })), count: game.expects?.count };
  let { text } = prompt;
  if (acting && prompt.action === "take") text = t("{who}: take {number} dice.", words);
  if (acting && prompt.action === "roll") text = t("{who}: draw {count} dice and roll them.", words);
  return { text, why: prompt.why, yours };
}

export function promptWords({ game, proposal, you }) {
  if (!game) {
    const why = you.joined ? t("Start one, and name the schools.") : t("Join the table to start one.");
    return { text: t("No game is open."), why, yours: you.joined };
  }
  if (proposal) return aboutReading(proposal, mayPlay(you));
  if (game.view.phase !== "finished") return aboutTurn(game, you);
  if (revealed({ game })) return { text: game.outcome.text, why: t("The marks can be heard again."), yours: false };
  const why = t("Gather round, then hear the marks one by one.");
  return { text: t("The parades are over. The judges are ready."), why, yours: true };
}
