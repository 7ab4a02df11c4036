// A tapped die turns to its next likely value: shown at once, told to the table when the taps have ended.

import { act } from "./state.js";

const CALM = 600; // milliseconds without a tap

let turning = null; // {proposal, index, value}
let timer = null;
let telling = null; // the answer that is on its way

export const unknown = (one) => one.colour === null || one.value === null;
export const doubts = (one) => !unknown(one) && (one.state === "unsure" || one.state === "cocked");

export const turned = () => turning;

// The proposal as it will be once the table knows.
export function asTurned(proposal) {
  if (!turning || turning.proposal !== proposal?.id) return proposal;
  const { index, value } = turning;
  const dice = proposal.dice.map((one) => (one.index === index ? { ...one, value, state: "corrected" } : one));
  return { ...proposal, dice, doubtful: dice.filter(doubts).length };
}

// The values of a die: first those that it may well show, the likeliest first.
function values(one) {
  const likely = one.guesses.filter(({ shape }) => shape === one.shape).map(({ value }) => value);
  const all = Array.from({ length: Number(one.shape.slice(1)) }, (_, at) => at + 1);
  return [...new Set([...likely, ...all])];
}

export function turn(proposal, one, changed) {
  if (turning && turning.index !== one.index) settled();
  const faces = values(one);
  const value = faces[(faces.indexOf(one.value) + 1) % faces.length];
  turning = { proposal: proposal.id, index: one.index, value };
  clearTimeout(timer);
  timer = setTimeout(async () => {
    await settled();
    changed();
  }, CALM);
  changed();
}

// Tell the table now, if there is anything to tell; what comes back is whether it knows.
export async function settled() {
  clearTimeout(timer);
  if (turning) {
    const mine = turning;
    const before = telling;
    telling = (async () => {
      await before;
      const answer = await act("/api/proposal/dice", { ...mine, action: "edit" });
      if (turning === mine) turning = null;
      return answer.ok;
    })();
  }
  return (await telling) ?? true;
}
