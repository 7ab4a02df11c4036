// The nine elements of a parade, in the order in which they are judged, with their words.

import { wordsOf } from "../../words.js";

export const ELEMENTS = wordsOf("carnavalesco");
export const elementName = (key) => ELEMENTS[key]?.name || key;
