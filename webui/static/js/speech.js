// The roll read aloud on request, by the browser's own voice; nothing where it has none.

import { dieWords, look } from "./die.js";
import { button } from "./dom.js";
import { t } from "./words.js";

const LANGUAGES = { en: "en", pt: "pt-BR", es: "es" };
const voice = () => window.speechSynthesis;

// A roll as one says it: colour by colour, or die by die where their shapes differ.
export function rollWords(palette, dice) {
  const known = dice.filter(({ value }) => value);
  if (new Set(known.map(({ shape }) => shape || "d6")).size > 1) {
    return known.map((one) => `${dieWords(palette, one, true)}.`).join(" ");
  }
  const colours = [...new Set(known.map(({ colour }) => colour))];
  const of = (colour) => known.filter((one) => one.colour === colour).map(({ value }) => value).sort();
  return colours.map((colour) => `${look(palette, colour).word}: ${of(colour).join(", ")}.`).join(" ");
}

// A button that reads `words()` aloud; tapped again, it is silent.
export function aloud(words) {
  if (!voice() || !window.SpeechSynthesisUtterance) return null;
  const speak = () => {
    if (voice().speaking || voice().pending) {
      voice().cancel();
      return;
    }
    const said = new SpeechSynthesisUtterance(words());
    const { lang } = document.documentElement;
    said.lang = LANGUAGES[lang.slice(0, 2)] || lang;
    said.voice = voice().getVoices().find((one) => one.lang.replace("_", "-").startsWith(said.lang)) || null;
    voice().speak(said);
  };
  return button({ className: "plain", "data-key": "aloud", onclick: speak }, t("Read it aloud"));
}
