"""Pieces of games and of sewing boxes that are mistaken for dice: each kind as people lay it, many of one look.

A kind, called once, settles a set's look; what it returns makes one piece after another of that set, about the origin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.looks import Colour, brightness, coded, draw_colour, linear
from vision.rendering.numerals import PIPS, FontBook, Mask, built_in_fonts
from vision.rendering.prints import STUFFS, Stuff, Tile, any_colour, blank, discs, painted, stamp
from vision.rendering.thing import Profile, Thing, box, circle

Rng = np.random.Generator
Picture = NDArray[np.float32]
Maker = Callable[[Rng], Thing]

_ROUND_EDGE: Profile = ((0.96, 0.0), (1.0, 0.12), (1.0, 0.82), (0.96, 1.0))
_CHAMFERED: Profile = ((1.0, 0.0), (1.0, 0.85), (0.97, 1.0))
_BLACK, _PALE = linear((0.04, 0.04, 0.05)), linear((0.94, 0.93, 0.9))
_PIP_COLOURS = (
    (0.15, 0.5, 0.85),
    (0.1, 0.5, 0.2),
    (0.8, 0.1, 0.1),
    (0.45, 0.25, 0.1),
    (0.3, 0.3, 0.6),
    (0.6, 0.5, 0.1),
)
"""Viewer's RGB of the pips 1..6 of dominoes whose pips are coloured."""
_TILE_INKS = ((0.8, 0.08, 0.08), (0.08, 0.2, 0.65), (0.05, 0.05, 0.06), (0.9, 0.45, 0.05), (0.1, 0.45, 0.2))


def _body(rng: Rng) -> tuple[Colour, Stuff]:
    """Return the colour and stuff of a set: mostly ivory, white, black or wood, as such sets are."""
    fate = rng.random()
    if fate < 0.4:
        return draw_colour(rng, "ivory" if rng.random() < 0.6 else "white"), _plain(rng)
    if fate < 0.55:
        return draw_colour(rng, "black"), _plain(rng)
    if fate < 0.72:
        return _wood(rng), "wood"
    return any_colour(rng), STUFFS[int(rng.choice([0, 2, 3]))]


def _wood(rng: Rng) -> Colour:
    red, green, blue = (np.array([0.78, 0.6, 0.4]) + rng.uniform(-0.08, 0.08, 3)) * rng.uniform(0.35, 1.1)
    return linear((float(red), float(green), float(blue)))


def _plain(rng: Rng) -> Stuff:
    return "plain" if rng.random() < 0.75 else "worn"


def _ink_on(rng: Rng, colour: Colour) -> Colour:
    """Return an ink that stands out on `colour`: dark on pale, pale on dark, now and then a bold one."""
    dark = brightness(colour) < 0.2
    if rng.random() < 0.3:
        bold = any_colour(rng)
        if abs(brightness(bold) - brightness(colour)) > 0.15:
            return bold
    return _PALE if dark else _BLACK


def _dented(masks: list[Mask], depth: float) -> Picture | None:
    """Return the relief in which what the masks show is `depth` mm deep."""
    if not depth:
        return None
    return -np.float32(depth / 255) * cv2.GaussianBlur(np.maximum.reduce(masks), (0, 0), 1.5).astype(np.float32)


def dominoes(rng: Rng, fonts: FontBook) -> Maker:
    """Twice as long as wide, a bar between two halves of 0 to 6 pips."""
    wide = float(rng.uniform(12, 27))
    thick = wide * float(rng.uniform(0.2, 0.34))
    body, stuff = _body(rng)
    ink = _ink_on(rng, body)
    coloured = rng.random() < 0.25 and brightness(body) > 0.3
    radius, spread, lying = rng.uniform(0.07, 0.11), rng.uniform(0.25, 0.3), rng.random() < 0.5
    bar, margin, stud = rng.uniform(1.5, 5), rng.uniform(0.04, 0.16), rng.random() < 0.3
    depth = float(rng.choice([0.0, 0.3, 0.7]))
    corner, gloss = wide * float(rng.uniform(0.03, 0.14)), float(rng.uniform(0.1, 1))
    half, middle = 88, 87.5

    def piece(rng: Rng) -> Thing:
        tile = blank(rng, body, 2 * half, half, stuff)
        masks = []
        for side, value in enumerate(rng.integers(0, 7, 2)):
            if not value:
                continue
            pips = np.array(PIPS[int(value)], float) * spread * half
            pips = pips[:, ::-1] if lying else pips
            mask = discs(tile.shape[:2], pips + np.array([half * (side + 0.5), half / 2]), radius * half)
            shade = linear(_PIP_COLOURS[value - 1]) if coloured else ink
            masks.append(painted(tile, mask, coded(shade)))
        line = np.zeros(tile.shape[:2], np.uint8)
        ends = round(margin * half), round((1 - margin) * half)
        edges = round((middle - bar / 2) * 16), round((middle + bar / 2) * 16)
        cv2.rectangle(line, (edges[0], ends[0] * 16), (edges[1], ends[1] * 16), 255, -1, cv2.LINE_AA, 4)
        masks.append(painted(tile, line, coded(ink)))
        if stud:
            painted(tile, discs(tile.shape[:2], np.array([[middle, half / 2]]), 5.0), (90, 170, 200))
        outline = box(2 * wide, wide, corner)
        return Thing(outline, 0.0, thick, body, tile, gloss=gloss, relief=_dented(masks, depth),
                     profile=_CHAMFERED, whole=True)  # fmt: skip

    return piece


def number_tiles(rng: Rng, fonts: FontBook) -> Maker:
    """Thin and upright, a large numeral with a ring or dot below it."""
    wide = float(rng.uniform(13, 27))
    high, thick = wide * float(rng.uniform(1.25, 1.5)), wide * float(rng.uniform(0.1, 0.2))
    body, stuff = _body(rng)
    dark = brightness(body) < 0.25
    font, weight, size = int(rng.integers(len(fonts))), int(rng.integers(3, 9)) * 100, rng.uniform(0.36, 0.5)
    ring = rng.random() < 0.6
    depth, gloss = float(rng.choice([0.0, 0.4])), float(rng.uniform(0.1, 1))

    def piece(rng: Rng) -> Thing:
        tile = blank(rng, body, 96, round(96 * high / wide), stuff)
        ink = _PALE if dark else linear(_TILE_INKS[int(rng.integers(len(_TILE_INKS)))])
        glyph = fonts.numeral(str(rng.integers(1, 14)), font, weight)
        tall = tile.shape[0]
        masks = [stamp(tile, glyph, (47.5, 0.36 * tall), size * tall, coded(ink), 74)]
        mark = discs(tile.shape[:2], np.array([[47.5, 0.79 * tall]]), 13)
        if ring:
            mark -= discs(tile.shape[:2], np.array([[47.5, 0.79 * tall]]), 9)
        masks.append(painted(tile, mark, coded(ink)))
        outline = box(wide, high, 0.08 * wide)
        return Thing(outline, 0.0, thick, body, tile, gloss=gloss, relief=_dented(masks, depth), profile=_CHAMFERED)

    return piece


def letter_tiles(rng: Rng, fonts: FontBook) -> Maker:
    """Thin and nearly square, a letter with a small number at its foot, or a framed number past any d6's."""
    wide = float(rng.uniform(13, 23))
    high, thick = wide * float(rng.uniform(0.95, 1.15)), wide * float(rng.uniform(0.08, 0.24))
    body, stuff = _body(rng)
    ink = coded(_ink_on(rng, body))
    book = built_in_fonts()
    font, weight = int(rng.integers(len(book))), int(rng.integers(3, 9)) * 100
    numbered, framed = rng.random() < 0.35, rng.random() < 0.4
    depth, gloss = float(rng.choice([0.0, 0.3])), float(rng.uniform(0.05, 0.8))

    def piece(rng: Rng) -> Thing:
        tile = blank(rng, body, 96, 96, stuff)
        if numbered:
            masks = [stamp(tile, fonts.numeral(str(rng.integers(7, 100)), font, weight), (47.5, 47.5), 44, ink, 62)]
        else:
            letter = chr(int(rng.integers(65, 91)))
            masks = [
                stamp(tile, book.numeral(letter, font, weight), (44, 44), 52, ink, 56),
                stamp(tile, book.numeral(str(rng.choice([1, 2, 3, 4, 5, 8, 10])), font, 400), (79, 78), 19, ink, 22),
            ]
        if numbered or framed:
            cv2.rectangle(tile, (5, 5), (90, 90), ink, 3, cv2.LINE_AA)
        outline = box(wide, high, 0.07 * wide)
        return Thing(outline, 0.0, thick, body, tile, gloss=gloss, relief=_dented(masks, depth), profile=_CHAMFERED)

    return piece


@lru_cache(maxsize=1)
def _from_middle() -> Picture:
    """Return how far each point of a 128 px square lies from its middle, 1 at the edges' middles."""
    axis = (np.arange(128, dtype=np.float32) - 63.5) / 63.5
    return np.asarray(np.hypot(axis[None, :], axis[:, None]), dtype=np.float32)


def buttons(rng: Rng, fonts: FontBook) -> Maker:
    """Round with a rim and two or four holes that show what lies below."""
    radius = float(rng.uniform(5, 14))
    thick = radius * float(rng.uniform(0.2, 0.38))
    holes = 4 if rng.random() < 0.65 else 2
    size, spread = radius * float(rng.uniform(0.1, 0.17)), radius * float(rng.uniform(0.26, 0.36))
    rim, dish = float(rng.uniform(0.66, 0.85)), radius * float(rng.uniform(0.05, 0.14))
    away = _from_middle()
    # a rim, then a dish in which the holes are
    relief = dish * (np.clip((away - rim + 0.08) / 0.08, 0, 1) - 0.5 * np.clip((away - 0.92) / 0.08, 0, 1))
    body, stuff = any_colour(rng), STUFFS[int(rng.choice([0, 2, 3], p=[0.5, 0.35, 0.15]))]
    if rng.random() < 0.15:
        body, stuff = _wood(rng), "wood"
    other, gloss, mixed = any_colour(rng), float(rng.uniform(0.2, 1)), rng.random() < 0.25
    angle = np.arange(holes) * (2 * math.pi / holes) + math.pi / 4
    middles = spread * np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def piece(rng: Rng) -> Thing:
        own = any_colour(rng) if mixed else body
        tile = blank(rng, own, 128, 128, stuff)
        if mixed or rng.random() < 0.1:
            cv2.circle(tile, (64, 64), round(64 * rim), coded(other), 3, cv2.LINE_AA)
        return Thing(circle(radius), 0.0, thick, own, tile, gloss=gloss, relief=relief.astype(np.float32),
                     profile=_ROUND_EDGE, holes=tuple(circle(size, 14) + at for at in middles))  # fmt: skip

    return piece


def counters(rng: Rng, fonts: FontBook) -> Maker:
    """Round, flat: a numeral with dots below it, dots round the rim, or a coin's metal."""
    radius = float(rng.uniform(7, 16))
    thick = float(rng.uniform(1.2, 3.5))
    body, stuff = _body(rng)
    coin = rng.random() < 0.35
    if coin:
        metal = ((0.72, 0.6, 0.35), (0.7, 0.7, 0.68), (0.65, 0.42, 0.28))[int(rng.integers(3))]
        body, stuff = linear(metal) * np.float32(rng.uniform(0.5, 1.1)), "worn"
    ink = _ink_on(rng, body) if not coin else (body * rng.uniform(0.4, 0.7)).astype(np.float32)
    font, weight = int(rng.integers(len(fonts))), int(rng.integers(3, 9)) * 100
    style = rng.integers(3)
    depth = -0.35 if coin else float(rng.choice([0.0, 0.2]))
    rim = int(rng.integers(8, 40))
    gloss = 1.0 if coin else float(rng.uniform(0, 0.8))

    def piece(rng: Rng) -> Thing:
        tile = blank(rng, body, 128, 128, stuff)
        number = int(rng.choice([2, 3, 4, 5, 6, 8, 9, 10, 11, 12]))
        shade = coded(linear((0.75, 0.1, 0.1)) if number in (6, 8) and not coin and style == 0 else ink)
        masks = []
        if style != 1:
            glyph = fonts.numeral(str(number), font, weight)
            masks.append(stamp(tile, glyph, (63.5, 55 if style == 0 else 63.5), 46, shade, 70))
        if style == 0:
            count = 6 - abs(7 - number)
            row = np.column_stack([63.5 + (np.arange(count) - (count - 1) / 2) * 12, np.full(count, 94.0)])
            masks.append(painted(tile, discs((128, 128), row, 4), shade))
        else:
            angle = np.arange(rim) * (2 * math.pi / rim)
            ring = 63.5 + 54 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
            masks.append(painted(tile, discs((128, 128), ring, min(120 / rim, 5)), shade))
        if style == 1:
            spots = [[63.5, 63.5]] if number % 2 else [[63.5, 43.5], [63.5, 83.5]]
            masks.append(painted(tile, discs((128, 128), np.array(spots), 11), shade))
        cv2.circle(tile, (64, 64), 61, coded(body * np.float32(0.6)), 2, cv2.LINE_AA)
        return Thing(circle(radius), 0.0, thick, body, tile, gloss=gloss, relief=_dented(masks, depth))

    return piece


def chips(rng: Rng, fonts: FontBook) -> Maker:
    """Poker chips: round, marked all round their edge, a number in the middle."""
    radius, thick = float(rng.uniform(11, 20)), float(rng.uniform(2.4, 3.6))
    palette = [any_colour(rng) for _ in range(int(rng.integers(1, 4)))]
    mark = _PALE if rng.random() < 0.7 else any_colour(rng)
    marks, width, inner = int(rng.integers(4, 9)), float(rng.uniform(0.25, 0.5)), float(rng.uniform(0.55, 0.75))
    font, ringed, count = int(rng.integers(len(fonts))), rng.random() < 0.5, 32
    gloss = float(rng.uniform(0, 0.7))

    def piece(rng: Rng) -> Thing:
        body = palette[int(rng.integers(len(palette)))]
        tile = blank(rng, body, 128, 128)
        for k in range(marks):
            start = (k - width / 2) * 360 / marks
            cv2.ellipse(tile, (64, 64), (66, 66), 0, start, start + width * 360 / marks, coded(mark), -1, cv2.LINE_AA)
        cv2.circle(tile, (64, 64), round(64 * inner), coded(body), -1, cv2.LINE_AA)
        face = coded(_PALE if ringed else np.clip(body * 1.3 + 0.02, 0, 1))
        cv2.circle(tile, (64, 64), round(64 * inner * 0.85), face, -1, cv2.LINE_AA)
        value = str(rng.choice([1, 5, 10, 20, 25, 50, 100, 500]))
        stamp(tile, fonts.numeral(value, font, 600), (63.5, 63.5), 34, coded(_BLACK if ringed else mark), 52)
        # the print's first axis follows the outline's first side: its angles run against the outline's, a quarter on
        turns = 0.25 - np.arange(count) / count
        marked = ((turns * marks + width / 2) % 1.0) < width
        sides = np.where(marked[:, None], mark, body).astype(np.float32)
        return Thing(circle(radius, count), 0.0, thick, body, tile, gloss=gloss, sides=sides)

    return piece


def draughtsmen(rng: Rng, fonts: FontBook) -> Maker:
    """Round, in two colours, turned with rings in their top."""
    radius = float(rng.uniform(9, 19))
    thick = radius * float(rng.uniform(0.3, 0.6))
    away = _from_middle()
    rings = rng.uniform(1.5, 4.5)
    groove = np.cos(2 * math.pi * rings * away) * (away > rng.uniform(0, 0.4)) * (away < 0.9)
    relief = (rng.uniform(0.15, 0.5) * cv2.GaussianBlur(groove, (0, 0), 1.0)).astype(np.float32)
    pair = (draw_colour(rng, "black"), draw_colour(rng, "ivory"))
    stuff: Stuff = "plain"
    if rng.random() < 0.4:
        pair, stuff = (any_colour(rng), any_colour(rng)), STUFFS[int(rng.choice([0, 2]))]
    gloss = float(rng.uniform(0.1, 1))

    def piece(rng: Rng) -> Thing:
        body = pair[int(rng.integers(2))]
        tile: Tile = blank(rng, body, 128, 128, stuff)
        return Thing(circle(radius), 0.0, thick, body, tile, gloss=gloss, relief=relief, profile=_ROUND_EDGE)

    return piece


def pawns(rng: Rng, fonts: FontBook) -> Maker:
    """Chess pieces and pawns that stand upright, turned on a lathe: foot, waist, collar, head."""
    radius = float(rng.uniform(5.5, 12))
    head, waist = float(rng.uniform(0.42, 0.62)), float(rng.uniform(0.25, 0.4))
    ball = [(head * math.sin(a), 0.82 - 0.17 * math.cos(a)) for a in np.linspace(0.5, math.pi - 0.08, 7)]
    tower = [(head, 0.72), (head, 0.98), (head * 0.94, 1.0)]
    foot = [(1.0, 0.0), (1.0, 0.1), (0.86, 0.17), (0.6, 0.22), (waist, 0.45), (waist, 0.62), (head * 1.05, 0.66)]
    profile = (*foot, *(ball if rng.random() < 0.7 else tower))
    high = radius * float(rng.uniform(2.2, 3.8))
    pair = (draw_colour(rng, "black"), draw_colour(rng, "ivory"))
    if rng.random() < 0.5:
        pair = (any_colour(rng), any_colour(rng))
    gloss = float(rng.uniform(0.2, 1))

    def piece(rng: Rng) -> Thing:
        body = pair[int(rng.integers(2))]
        return Thing(circle(radius, 24), 0.0, high, body, gloss=gloss, profile=profile)

    return piece


KINDS: dict[Callable[[Rng, FontBook], Maker], tuple[float, tuple[str, ...]]] = {
    dominoes: (0.27, ("alone", "row", "chain", "chain", "heap", "strewn")),
    number_tiles: (0.14, ("alone", "row", "row", "heap", "strewn")),
    letter_tiles: (0.13, ("alone", "row", "row", "heap", "strewn")),
    buttons: (0.16, ("alone", "row", "heap", "strewn", "strewn")),
    counters: (0.1, ("alone", "row", "heap", "strewn", "stack")),
    chips: (0.08, ("alone", "heap", "strewn", "stack")),
    draughtsmen: (0.07, ("alone", "row", "strewn", "stack")),
    pawns: (0.05, ("alone", "row", "strewn")),
}
"""Each kind's share, and the ways its pieces are laid."""
