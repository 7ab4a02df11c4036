"""The words every room shares: the shape of a die, its colour, a die lying on the table."""

from __future__ import annotations

import re
from enum import StrEnum
from operator import attrgetter
from typing import NamedTuple, Self

from engine.words import quoted, say

COLOURS = ("white", "black", "grey", "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown")
"""The colour names that Jurado knows by itself; a table may name others (ivory, maroon, glitter) by showing a die."""

TINTS = {
    "white": "#F7F4EC",
    "black": "#22202B",
    "grey": "#6E717C",
    "red": "#D02438",
    "orange": "#E8621A",
    "yellow": "#F2B705",
    "green": "#158466",
    "blue": "#2E5EAA",
    "purple": "#7B3FA0",
    "pink": "#F19CBB",
    "brown": "#7A4E2D",
}
"""How a die of each known colour looks, as #rrggbb: pages fill their dice with it."""

COLOUR_WORDS = {
    "white": ("branco", "blanco"),
    "black": ("preto", "negro"),
    "grey": ("cinza", "cinzento", "gris", "gray"),
    "red": ("vermelho", "rojo"),
    "orange": ("laranja", "naranja", "anaranjado"),
    "yellow": ("amarelo", "amarillo"),
    "green": ("verde",),
    "blue": ("azul",),
    "purple": ("roxo", "púrpura", "morado", "violeta", "violet"),
    "pink": ("rosa", "rosado", "cor-de-rosa"),
    "brown": ("marrom", "castanho", "marrón", "café"),
}
"""Colour words of Portuguese and Spanish (and some more of English) for each known colour."""

_KNOWN = {word: name for name, words in COLOUR_WORDS.items() for word in words} | {name: name for name in COLOURS}

_TINT = re.compile(r"#[0-9a-fA-F]{6}")
_COLOUR_NAME = re.compile(r"[^\W\d_][\w-]{0,23}")


class DiceError(ValueError):
    """A die that cannot be: an unknown shape, a bad colour name, a value over its faces."""


class Shape(StrEnum):
    """The shape of a die; `faces` is the number of its faces."""

    D4 = "d4"
    D6 = "d6"
    D8 = "d8"
    D10 = "d10"
    D12 = "d12"
    D20 = "d20"

    @property
    def faces(self) -> int:
        return int(self.value[1:])


class DieState(StrEnum):
    """How far a value can be trusted: `read` is sure, `unsure` asks, `cocked` lies on no face."""

    READ = "read"
    UNSURE = "unsure"
    COCKED = "cocked"
    CORRECTED = "corrected"


def check_colour(name: str) -> str:
    """Return `name` when it can be a colour's name, else raise `DiceError`.

    It begins with a letter of any language and holds small letters, digits, - and _, at most 24 in all.
    """
    if not isinstance(name, str) or not _COLOUR_NAME.fullmatch(name) or name != name.lower():
        raise DiceError(
            say(
                "{name} cannot be a colour's name. It takes up to 24 small letters, digits, - or _, and begins with a "
                "letter, for instance red or sky_blue.",
                name=quoted(name),
            )
        )
    return name


def known_colour(name: str) -> str | None:
    """Return the known colour that a table's own name says in words (azul, azul_escuro, light-blue), or None."""
    if name in _KNOWN:
        return _KNOWN[name]
    said = {_KNOWN[word] for word in re.split("[_-]", name) if word in _KNOWN}
    return said.pop() if len(said) == 1 else None


def one_spelling(name: str) -> str:
    """Return the known colour of which `name` is the word in another language (amarelo, gris), else `name` itself."""
    return _KNOWN.get(name, name)


def is_tint(text: object) -> bool:
    """Tell whether `text` is a colour as #rrggbb."""
    return isinstance(text, str) and _TINT.fullmatch(text) is not None


def linear_light(tint: str) -> tuple[float, float, float]:
    """Return the red, green and blue light of #rrggbb, each in 0..1 (IEC 61966-2-1, sRGB)."""
    red, green, blue = (int(tint[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


class _Face(NamedTuple):
    colour: str
    value: int
    shape: Shape


class Die(_Face):
    """One die lying on a face: its colour, its upward value in 1..faces (a d10's 0 is 10) and its shape.

    A tuple, and no dataclass, because judges compare dice by the hundred, and tuples are compared and hashed in C.
    """

    __slots__ = ()

    def __new__(cls, colour: str, value: int, shape: Shape = Shape.D6) -> Self:
        check_colour(colour)
        if isinstance(value, bool) or not isinstance(value, int):
            raise DiceError(say("{value} is no value of a die. It must be a whole number.", value=quoted(value)))
        if not 1 <= value <= shape.faces:
            raise DiceError(
                say(
                    "A {shape} has no face {value}. Its values are 1 to {faces}.",
                    shape=shape.value,
                    value=quoted(value),
                    faces=shape.faces,
                )
            )
        return super().__new__(cls, colour, value, shape)

    def __str__(self) -> str:
        return f"{self.colour} {self.shape} showing {self.value}"


colour_of, value_of = attrgetter("colour"), attrgetter("value")
"""A die's colour and its value, for `map`: over a few dice that is cheaper than a comprehension."""
