// Words: every sentence of the scripts goes through `t`, so that a translation is one table handed over by the page.

export const read = (id) => {
  const lies = document.getElementById(id);
  return lies ? JSON.parse(lies.textContent) : {};
};

const catalogue = read("catalogue"); // English sentence → sentence in the page's language; empty for English

const tell = (sentence, values) =>
  (catalogue[sentence] || sentence).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

export const pageLanguage = () => document.documentElement.lang.slice(0, 2);

// What dates and times are written in: as the browser likes them, or in the page's language where that is not English.
export const locale = () => (pageLanguage() === "en" ? [] : document.documentElement.lang);

// The sentence, which is a literal, with each {name} filled in.
export const t = (sentence, values = {}) => tell(sentence, values);

// The same for a sentence that counts; `count` is filled in as well.
export const n = (count, one, many, values = {}) => tell(count === 1 ? one : many, { count, ...values });

// The words of one game, as its part of the server gives them.
export const wordsOf = (key) => read("words")[key] || {};

// Names for a tag of a few letters: the first word cut short, or the first letters where two would read the same.
export function shortNames(names) {
  const first = names.map((name) => {
    const letters = [...name.trim().split(/\s+/)[0]];
    return letters.length > 7 ? `${letters.slice(0, 6).join("")}.` : letters.join("");
  });
  const initials = (name) => name.trim().split(/\s+/).map((word) => [...word][0]).slice(0, 4).join("");
  const alike = (word) => first.filter((other) => other === word).length > 1;
  return names.map((name, at) => (alike(first[at]) ? initials(name) : first[at]));
}

const NUMBERS = () => [t("no"), t("one"), t("two"), t("three"), t("four"), t("five"), t("six")];
export const numberWord = (count) => NUMBERS()[count] ?? String(count);
// A number as people read it: in the form of their language, with a minus, not a hyphen.
const form = new Intl.NumberFormat(document.documentElement.lang);
export const number = (value) => (typeof value === "number" ? form.format(value) : String(value)).replace("-", "−");
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
