"""How a colour looks and is told apart without colour: its fill, the text that reads on it, a letter, a pattern."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from engine.dice import COLOURS, TINTS, is_tint, known_colour, linear_light
from engine.words import named, told

INK = "#1D1B2E"
WHITE = "#FFFFFF"

KNOWN_PATTERNS = {
    "white": "plain",
    "black": "rings",
    "grey": "hatch",
    "red": "bars",
    "orange": "dots",
    "yellow": "slant",
    "green": "crosses",
    "blue": "zigzag",
    "purple": "checks",
    "pink": "waves",
    "brown": "bricks",
}

PATTERNS = ("plain", "bars", "dots", "zigzag", "crosses", "checks", "rings", "hatch", "slant", "bricks", "waves")

STRIKING = "JKQWXZ"
"""Letters so seldom that one of them recalls its word: the K of black, the Z of azul."""


@dataclass(frozen=True, slots=True)
class Look:
    """One colour on the page: `fill` and `ink` as #rrggbb, a capital `letter`, the name of a `pattern`, its word."""

    fill: str
    ink: str
    letter: str
    pattern: str
    word: str

    def as_json(self) -> dict[str, str]:
        return {
            "fill": self.fill,
            "ink": self.ink,
            "letter": self.letter,
            "pattern": self.pattern,
            "word": self.word,
        }


def _luminance(tint: str) -> float:
    red, green, blue = linear_light(tint)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ink_on(tint: str) -> str:
    """Return the text colour, dark ink or white, that reads better on `tint` (WCAG relative luminance)."""
    fill = _luminance(tint)
    dark = _luminance(INK)
    return WHITE if 1.05 / (fill + 0.05) >= (fill + 0.05) / (dark + 0.05) else INK


def word(colour: str) -> str:
    """Return a colour's name as people read it."""
    return colour.replace("_", " ").replace("-", " ")


def in_words(sentence: str, colours: Sequence[str]) -> str:
    """Return a sentence with the names of `colours` as people read them."""
    for colour in colours:
        if word(colour) != colour:
            sentence = re.sub(rf"(?<!\w){re.escape(colour)}(?!\w)", word(colour), sentence)
    return sentence


def plain_letters(name: str) -> str:
    """Return the letters of `name` as capitals without accents, which would be taken for the bare ones."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", name).upper() if letter.isalpha())


def free_letter(name: str, taken: Collection[str], others: Sequence[str] = ()) -> str:
    """Return a capital letter that is not `taken`: the first such of `name`, else of the alphabet.

    Where another of the names `others` begins as this one does, it is a letter that only this one has: a V would stand
    for vermelho as well as for verde.
    """
    letters, among = plain_letters(name), [plain_letters(other) for other in others]
    alike = [other for other in among if other[:1] == letters[:1]]
    apart: list[str] = []
    if alike:
        initials = {other[:1] for other in among}
        own = [letter for letter in letters if letter not in initials and not any(letter in other for other in alike)]
        apart = sorted(own, key=lambda letter: (letter not in STRIKING, letter in "AEIOU"))
    for letter in f"{''.join(apart)}{letters}{ascii_uppercase}":
        if letter not in taken:
            return letter
    return letters[:1]


def palette(colours: Sequence[str], tints: Mapping[str, str] | None = None, *, language: str = "en") -> dict[str, Look]:
    """Return the look of each of `colours`, and after them of every known colour; letters and patterns do not repeat.

    `tints` are the fills that the table gave its own colours; words, and the letters out of them, are of `language`.
    """
    looks: dict[str, Look] = {}
    names = {colour: word(told(named(colour), language)) for colour in (*colours, *COLOURS)}
    letters: set[str] = set()
    patterns: set[str] = set()
    for colour in (*colours, *(name for name in COLOURS if name not in colours)):
        if colour in looks:
            continue
        own, known = (tints or {}).get(colour), known_colour(colour) or colour
        fill = str(own) if is_tint(own) else TINTS.get(known, "#8A6FB0")
        pattern = KNOWN_PATTERNS.get(known, "")
        if not pattern or pattern in patterns:
            pattern = next((free for free in PATTERNS if free not in patterns and free != "plain"), "plain")
        name = names[colour]
        others = [names[other] for other in colours if other != colour] if colour in colours else []
        letter = free_letter(name, letters, others)
        letters.add(letter)
        patterns.add(pattern)
        looks[colour] = Look(fill, ink_on(fill), letter, pattern, name)
    return looks
