"""How a set of dice looks: its colour as people name it, stuff, pattern, ink, roundness, pips or numerals."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.dice import Shape
from vision.rendering.ornaments import Ornament

Colour = NDArray[np.float32]
"""Linear BGR, 0..1."""
Ink = tuple[int, int, int]
"""BGR as OpenCV draws it: gamma-coded, 0..255."""
Pattern = Literal["plain", "marble", "speckle", "glitter", "layers", "pearl"]
PipKind = Literal["round", "square", "ring", "oval"]
SixNineMark = Literal["bar", "dot", "none"]

_PATTERNS: tuple[Pattern, ...] = ("plain", "marble", "speckle", "glitter", "layers", "pearl")
_PIP_KINDS: tuple[PipKind, ...] = ("round", "square", "ring", "oval")
_MARKS: tuple[SixNineMark, ...] = ("bar", "dot", "none")

_Choice = TypeVar("_Choice")

# hue in degrees, saturation and value as a viewer's colour picker shows them: (h, h, s, s, v, v)
_RANGES: dict[str, tuple[tuple[float, float, float, float, float, float], ...]] = {
    "white": ((0, 360, 0.0, 0.04, 0.86, 1.0), (30, 55, 0.03, 0.17, 0.86, 1.0)),
    "black": ((0, 360, 0.0, 0.35, 0.03, 0.17),),
    "grey": ((0, 360, 0.0, 0.09, 0.36, 0.66),),
    "red": ((-8, 7, 0.75, 1.0, 0.5, 0.92), (-6, 4, 0.75, 1.0, 0.36, 0.5)),
    "orange": ((15, 31, 0.78, 1.0, 0.84, 1.0),),
    "yellow": ((45, 61, 0.65, 1.0, 0.8, 1.0),),
    "green": ((82, 162, 0.5, 1.0, 0.28, 0.85),),
    "blue": ((196, 242, 0.55, 1.0, 0.38, 0.92),),
    "purple": ((262, 296, 0.5, 0.9, 0.3, 0.66),),
    "pink": ((318, 350, 0.28, 0.62, 0.85, 1.0), (318, 336, 0.6, 0.85, 0.82, 1.0)),
    "brown": ((12, 30, 0.5, 0.82, 0.24, 0.48),),
}
COLOUR_NAMES = tuple(_RANGES)
_FURTHER: dict[str, tuple[tuple[float, float, float, float, float, float], ...]] = {
    "ivory": ((36, 52, 0.14, 0.4, 0.8, 0.97),),
    "maroon": ((-12, 6, 0.6, 1.0, 0.26, 0.44),),
    "turquoise": ((170, 188, 0.5, 1.0, 0.5, 0.9),),
}
"""Colours that a table may name, beside those that Jurado knows by itself."""

_INKS = {
    "white": (0.93, 0.93, 0.9),
    "black": (0.05, 0.05, 0.06),
    "gold": (0.85, 0.66, 0.25),
    "silver": (0.72, 0.72, 0.75),
    "red": (0.75, 0.06, 0.06),
    "blue": (0.1, 0.15, 0.6),
    "yellow": (0.95, 0.8, 0.15),
    "green": (0.1, 0.45, 0.15),
}
_INK_CHANCES = np.array([9, 7, 3, 1, 1.5, 1, 1.5, 0.7])


def linear(rgb: tuple[float, float, float]) -> Colour:
    """Return a viewer's RGB (0..1) as linear BGR."""
    return np.array(rgb[::-1], dtype=np.float32) ** 2.2


def coded(colour: Colour) -> Ink:
    """Return a linear BGR as OpenCV draws it."""
    blue, green, red = (int(255 * v) for v in np.clip(colour, 0, 1) ** (1 / 2.2))
    return blue, green, red


def brightness(colour: Colour) -> float:
    """Return the luminance of a linear BGR colour."""
    return float(colour @ np.array([0.0722, 0.7152, 0.2126], np.float32))


def draw_colour(rng: np.random.Generator, name: str, *, typical: bool = False) -> Colour:
    """Return one linear BGR that people call `name`, the plainest of it when `typical`.

    A name that Jurado doesn't know by itself gives grey.
    """
    ranges = _RANGES.get(name) or _FURTHER.get(name, _RANGES["grey"])
    low = ranges[0] if typical or rng.random() < 0.5 else ranges[int(rng.integers(len(ranges)))]
    hue, saturation, value = (rng.uniform(low[k], low[k + 1]) for k in (0, 2, 4))
    return linear(colorsys.hsv_to_rgb((hue % 360) / 360, saturation, value))


@dataclass(frozen=True, slots=True)
class Look:
    """The look of one die, or of a whole set; lengths are in inradii of the face unless said otherwise."""

    colour: str
    base: Colour
    second: Colour
    ink: Colour
    one_ink: Colour
    pattern: Pattern
    pattern_scale: float
    clear: float
    """0 opaque .. 1 like coloured glass."""
    shine: float
    """Strength of mirror reflections, 0..1.5; `polish` 0..1 says how sharp they are."""
    polish: float
    bevel: float
    """Width of the rounded edge."""
    ball: float
    """How little the corners are rounded: 1 is sharp, 0 a ball."""
    pips: bool
    pip_radius: float
    pip_spread: float
    pip_kind: PipKind
    one_scale: float
    mirrored: bool
    """Whether 2 and 3 run along the other diagonal; `tall_two` and `tall_three` set them upright, as in Asia."""
    tall_two: bool
    six_squeeze: float
    depth: float
    """How deep pips and numerals are cut, 0 printed .. 1.5."""
    wear: float
    font: int
    weight: int
    size: float
    stretch: float
    mark: SixNineMark
    point_up: bool
    d4_base: bool
    ten: bool
    """Whether a d10 shows 10 rather than 0."""
    frame: float
    """Width of a printed frame round each face, 0 for none."""
    steepness: float
    radius: float
    """Size of the set: 1 is the common 16 mm d6."""
    seed: int
    """Settles what varies from face to face: arrangement of the values, turns, pattern."""
    ornament: Ornament | None = None
    """What fills the faces of an ornate die round its numerals."""


def _one_of(rng: np.random.Generator, choices: Sequence[_Choice], chances: Sequence[float] | None = None) -> _Choice:
    return choices[int(rng.choice(len(choices), p=chances))]


def draw_look(
    rng: np.random.Generator, colour: str, *, pips: bool | None = None, fonts: int = 1, plain: bool = False
) -> Look:
    """Return a random look of that colour.

    `pips` None leaves it to chance; `fonts` is how many faces of type there are; `plain` keeps to what is easily read:
    opaque, unworn, well-contrasted, with marks that tell 6 from 9.
    """
    base = draw_colour(rng, colour, typical=plain)
    pattern: Pattern = "plain"
    if not plain or rng.random() < 0.25:
        pattern = _one_of(rng, _PATTERNS, [0.5, 0.18, 0.1, 0.06, 0.06, 0.1])
    if plain and pattern not in ("plain", "marble"):
        pattern = "marble"
    second = _second(rng, base, pattern, plain)
    clear = 0.0
    if (
        not plain
        and pattern in ("plain", "marble", "glitter")
        and colour not in ("black", "brown")
        and rng.random() < 0.28
    ):
        clear = float(rng.uniform(0.35, 0.95))
    ink = _ink(rng, base, second, pattern, least=4.5 if plain else 1.6)
    one_ink = ink
    if rng.random() < 0.12 and brightness(base) > 0.4:
        one_ink = linear(_INKS["red"])
    corner = rng.random()
    kind = _one_of(rng, _PIP_KINDS, [0.9, 0.03, 0.04, 0.03])
    sharp = corner < 0.3
    pip_radius = float(rng.uniform(0.14, 0.2) if plain else rng.uniform(0.11, 0.24))
    pip_spread = float(rng.uniform(0.44, 0.54) if plain else rng.uniform(0.36, 0.62))
    return Look(
        colour=colour,
        base=base,
        second=second,
        ink=ink,
        one_ink=one_ink,
        pattern=pattern,
        pattern_scale=float(rng.uniform(0.6, 2.2)),
        clear=clear,
        shine=float(rng.choice([0.15, 0.5, 1.0, 1.3], p=[0.2, 0.25, 0.4, 0.15])) * (0.4 if plain else 1.0),
        polish=float(rng.uniform(0, 1)),
        bevel=float(rng.uniform(0.02, 0.08) if sharp else rng.uniform(0.08, 0.3)),
        ball=float(1.0 if sharp else rng.uniform(0.42, 0.92)),
        pips=bool(rng.random() < 0.7) if pips is None else pips,
        pip_radius=min(pip_radius, 0.45 * pip_spread),  # the three of a 6 do not run together
        pip_spread=pip_spread,
        pip_kind="round" if plain else kind,
        one_scale=float(rng.choice([1.0, 1.3, 1.6, 2.1], p=[0.72, 0.13, 0.09, 0.06])),
        mirrored=bool(rng.random() < 0.5),
        tall_two=bool(rng.random() < 0.06),
        six_squeeze=float(1.0 if rng.random() < 0.6 else rng.uniform(0.82, 1.12)),
        depth=float(rng.choice([0.0, 0.5, 1.0, 1.5], p=[0.25, 0.3, 0.3, 0.15])),
        wear=0.0 if plain or rng.random() < 0.75 else float(rng.uniform(0.1, 0.6)),
        font=int(rng.integers(fonts)),
        weight=int(rng.integers(3, 9)) * 100,
        size=float(rng.uniform(0.85, 1.05) if plain else rng.uniform(0.72, 1.18)),
        stretch=float(rng.uniform(0.85, 1.15)),
        mark=_one_of(rng, _MARKS[:2]) if plain else _one_of(rng, _MARKS, [0.5, 0.3, 0.2]),
        point_up=bool(rng.random() < 0.5),
        d4_base=bool(rng.random() < 0.35),
        ten=bool(rng.random() < 0.15),
        frame=0.0 if plain or rng.random() < 0.93 else float(rng.uniform(0.02, 0.06)),
        steepness=float(rng.choice([0.74, 0.80, 0.86, 0.92])),
        radius=float(rng.uniform(0.88, 1.12)),
        seed=int(rng.integers(2**31)),
    )


def _second(rng: np.random.Generator, base: Colour, pattern: Pattern, plain: bool) -> Colour:
    """Return the pattern's second colour; it stays close enough for the die to keep its name."""
    if pattern in ("glitter", "pearl"):
        return np.asarray(np.clip(base * 1.5 + 0.12, 0, 1), dtype=np.float32)
    if pattern == "speckle" and rng.random() < 0.6:
        return draw_colour(rng, str(rng.choice(list(_RANGES))))
    shade = rng.uniform(0.35, 0.8) if rng.random() < 0.5 else rng.uniform(1.3, 2.2)
    if plain:
        shade = rng.uniform(0.6, 0.85)
    return np.clip(base * shade + rng.uniform(0, 0.05, 3), 0, 1).astype(np.float32)


def _ink(rng: np.random.Generator, base: Colour, second: Colour, pattern: Pattern, least: float) -> Colour:
    """Return an ink whose contrast with the die (WCAG ratio) is at least `least`, or the best there is."""
    grounds = (base,) if pattern in ("plain", "glitter", "pearl") else (base, second)

    def contrast(ink: Colour) -> float:
        lum = brightness(ink) + 0.05
        return min(max(lum / g, g / lum) for g in (brightness(c) + 0.05 for c in grounds))

    names = rng.choice(list(_INKS), size=12, p=_INK_CHANCES / _INK_CHANCES.sum())
    inks = [(linear(_INKS[name]) * rng.uniform(0.85, 1.05)).astype(np.float32) for name in names]
    good = next((ink for ink in inks if contrast(ink) >= least), None)
    return good if good is not None else max(inks, key=contrast)


def resized(look: Look, radius: float) -> Look:
    """Return the same look at another size."""
    return replace(look, radius=radius)


RADIUS_MM: dict[Shape, float] = {
    Shape.D4: 12.2,
    Shape.D6: 13.2,
    Shape.D8: 11.2,
    Shape.D10: 11.6,
    Shape.D12: 11.6,
    Shape.D20: 12.2,
}
"""Circumradius of a common die of each shape in millimetres."""
