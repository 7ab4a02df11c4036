// The words for elements, handed over by the page.

import { $ } from "./dom.js";

const lies = $("words");
export const ELEMENTS = lies ? JSON.parse(lies.textContent) : {};
export const NUMBERS = ["no", "one", "two", "three", "four", "five", "six"];
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const elementName = (key) => ELEMENTS[key]?.name || key;
