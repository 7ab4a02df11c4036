// The nine elements of a parade, in the order in which they are judged, with their words; and the ladder's figures.

import { wordsOf } from "../../words.js";

export const { elements: ELEMENTS, ladder: LADDER, results: RESULTS } = wordsOf("carnavalesco");
export const elementName = (key) => ELEMENTS[key]?.name || key;
