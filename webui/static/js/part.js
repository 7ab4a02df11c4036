// A game's part of the pages, found by its key: `games/<key>.js`, or what suits every game where there is none.

import { generic } from "./generic.js";
import { read } from "./words.js";

const scripted = read("games");
const found = {};

// The part for the open game; null while its script is on its way, and then `changed` is called.
export function partOf(state, changed) {
  const key = state?.game?.key;
  if (!key || ![scripted].flat().includes(key)) return generic;
  if (found[key]) return found[key];
  load(key).then(changed);
  return null;
}

export async function load(key) {
  if (![scripted].flat().includes(key)) return generic;
  const { default: own } = await import(`./games/${key}.js`);
  found[key] = { ...generic, ...own };
  return found[key];
}
