"""What is printed on flat things: stuffs, numerals, pips, scrawls, pages of a rulebook, score sheets, receipts."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.grounds import VARIANTS, ground_tile
from vision.rendering.looks import COLOUR_NAMES, Colour, Ink, coded, draw_colour, linear
from vision.rendering.noise import SIZE, noise_tile
from vision.rendering.numerals import PIPS, Mask

Tile = NDArray[np.uint8]
Stuff = Literal["plain", "wood", "marble", "worn"]

STUFFS: tuple[Stuff, ...] = ("plain", "wood", "marble", "worn")
PAGES = 30
"""Different pages there are; each is drawn once."""
_PAGE = (424, 600)
"""Width and height of a page in pixels."""


def any_colour(rng: np.random.Generator) -> Colour:
    """Return a linear BGR of any name."""
    return draw_colour(rng, COLOUR_NAMES[int(rng.integers(len(COLOUR_NAMES)))])


def blank(rng: np.random.Generator, colour: Colour, width: int, height: int, stuff: Stuff = "plain") -> Tile:
    """Return a tile without print, of a stuff in a colour."""
    top, left = int(rng.integers(SIZE - height)), int(rng.integers(SIZE - width))
    part = (slice(top, top + height), slice(left, left + width))
    number = int(rng.integers(8))
    if stuff == "wood":
        grain = (ground_tile("wood", int(rng.integers(VARIANTS["wood"])))[part] / np.float32(255)) ** 2.2
        shade = colour * grain / grain.mean(axis=(0, 1))
    elif stuff == "marble":
        other = np.clip(colour * 1.4 + 0.08, 0, 1) if rng.random() < 0.6 else colour * 0.4
        shade = colour + (other - colour) * noise_tile("swirl", number)[part][..., None]
    else:
        light = 1.03 - 0.1 * noise_tile("cloud", number)[part]
        if stuff == "worn":
            light = light * (1 - np.float32(rng.uniform(0.15, 0.45)) * noise_tile("fleck", number)[part])
        coded_light = light[..., None] ** (1 / 2.2)
        return np.asarray(255 * np.clip(colour ** (1 / 2.2) * coded_light, 0, 1), dtype=np.uint8)
    return np.asarray(255 * np.clip(shade, 0, 1) ** (1 / 2.2), dtype=np.uint8)


def stamp(tile: Tile, mask: Mask, middle: tuple[float, float], height: float, ink: Ink, widest: float = 1e9) -> Mask:
    """Lay `mask` over `tile`, `height` pixels high and no wider than `widest`; return where it lies (0..255)."""
    zoom = min(height / mask.shape[0], widest / mask.shape[1])
    small = cv2.resize(mask, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA) if zoom < 0.7 else mask
    zoom = zoom * mask.shape[0] / small.shape[0]
    shift = np.array(middle) - zoom * (np.array(small.shape[::-1]) - 1) / 2
    share = cv2.warpAffine(small, np.column_stack([np.eye(2) * zoom, shift]), tile.shape[1::-1], flags=cv2.INTER_LINEAR)
    return painted(tile, np.asarray(share, dtype=np.uint8), ink)


def painted(tile: Tile, share: Mask, ink: Ink) -> Mask:
    """Paint `ink` where `share` (0..255) says; return `share`."""
    x, y, width, height = cv2.boundingRect(share)
    under, part = tile[y : y + height, x : x + width], share[y : y + height, x : x + width, None] * np.float32(1 / 255)
    under[:] = (under * (1 - part) + np.array(ink, np.float32) * part).astype(np.uint8)
    return share


def discs(shape: tuple[int, int], middles: NDArray[np.float64], radius: float) -> Mask:
    """Return the mask (height, width) of discs about `middles` (N,2), in pixels."""
    mask = np.zeros(shape, np.uint8)
    for x, y in np.round(middles * 16).astype(int):
        cv2.circle(mask, (int(x), int(y)), round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    return mask


def scrawl(rng: np.random.Generator, base: Colour) -> Tile:
    """Return a printed square: numbers, pips, rings, words, pictures; it looks like much, but is flat."""
    tile = np.zeros((96, 96, 3), np.uint8)
    tile[:] = base ** (1 / 2.2) * 255
    for _ in range(int(rng.integers(1, 5))):
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))
        x, y = (int(v) for v in rng.integers(10, 86, 2))
        what = rng.integers(6)
        if what == 0:
            cv2.putText(
                tile, str(rng.integers(0, 21)), (x - 25, y + 15), 2, float(rng.uniform(0.6, 2)), ink, 2, cv2.LINE_AA
            )
        elif what == 1:
            cv2.circle(tile, (48, 48), int(rng.integers(8, 46)), ink, int(rng.integers(1, 8)), cv2.LINE_AA)
        elif what == 2:
            step = int(rng.integers(10, 22))
            for dx, dy in rng.integers(-1, 2, (int(rng.integers(1, 7)), 2)):
                cv2.circle(tile, (48 + int(dx) * step, 48 + int(dy) * step), step // 3, ink, -1, cv2.LINE_AA)
        elif what == 3:
            cv2.rectangle(tile, (x - 30, y - 20), (x + 20, y + 25), ink, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
        elif what == 4:
            words = "".join(chr(c) for c in rng.integers(97, 123, int(rng.integers(3, 8))))
            cv2.putText(tile, words, (4, y), 0, float(rng.uniform(0.4, 0.9)), ink, 1, cv2.LINE_AA)
        else:
            points = np.array([x, y]) + rng.integers(-35, 35, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(tile, [points.astype(np.int32)], ink, cv2.LINE_AA)
    return tile


@lru_cache(maxsize=PAGES)
def page(number: int) -> Tile:
    """Return page `number` (0..PAGES - 1): a rulebook's, a score sheet, a table of numbers, or a receipt."""
    rng = np.random.default_rng((number, 78))
    paper = linear((0.93, 0.92, rng.uniform(0.8, 0.92))) if rng.random() < 0.8 else np.clip(any_colour(rng) + 0.5, 0, 1)
    sheet = blank(rng, np.asarray(paper, dtype=np.float32), SIZE - 1, SIZE - 1)
    leaf = np.asarray(cv2.resize(sheet, _PAGE, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    dark = (20, 20, 22) if rng.random() < 0.7 else coded(any_colour(rng) * 0.4)
    (_rules, _score_sheet, _receipt)[number % 3](rng, leaf, dark)
    return leaf


def _words(rng: np.random.Generator, most: int) -> str:
    text = ""
    while len(text) < most:
        text += "".join(rng.choice(list("aeiourstlnmdpc"), int(rng.integers(2, 9)))) + " "
        if rng.random() < 0.12:
            text += f"{rng.integers(1, 21)} "
    return text[:most].strip()


def _write(leaf: Tile, text: str, x: float, y: float, size: float, ink: Ink, bold: int = 1) -> None:
    cv2.putText(leaf, text, (round(x), round(y)), 0, size / 22, ink, bold, cv2.LINE_AA)


def _rules(rng: np.random.Generator, leaf: Tile, dark: Ink) -> None:
    """Draw headings, columns of text, rows of drawn dice, a picture or two."""
    width, height = _PAGE
    columns = int(rng.integers(1, 3))
    wide = (width - 40) / columns
    accent = coded(any_colour(rng))
    for column in range(columns):
        x, y = 26 + column * wide, float(rng.uniform(30, 60))
        while y < height - 30:
            kind = rng.random()
            if kind < 0.15:
                _write(leaf, _words(rng, 14).title(), x, y + 10, 17, accent, 2)
                y += 26
            elif kind < 0.35:
                side = float(rng.uniform(13, 24))
                for k in range(int(rng.integers(2, max(3, int((wide - 30) / (side * 1.5)))))):
                    draw_die_icon(rng, leaf, x + side / 2 + k * side * 1.5, y + side / 2, side, dark)
                y += side * 1.6
            elif kind < 0.45:
                high = float(rng.uniform(30, 70))
                corner = (round(x), round(y)), (round(x + wide * rng.uniform(0.3, 0.9)), round(y + high))
                cv2.rectangle(leaf, *corner, coded(any_colour(rng)), int(rng.choice([-1, 2])), cv2.LINE_AA)
                _write(leaf, str(rng.integers(1, 100)), x + 10, y + high * 0.7, high * 0.5, dark, 2)
                y += high + 12
            else:
                for _ in range(int(rng.integers(2, 8))):
                    _write(leaf, _words(rng, int(wide / 6.6)), x, y + 8, 8.5, dark)
                    y += 12
                y += 8


def _score_sheet(rng: np.random.Generator, leaf: Tile, dark: Ink) -> None:
    """Draw a ruled table: names or drawn dice at the left, small numbers in its fields, some by hand."""
    width, height = _PAGE
    rows, columns = int(rng.integers(8, 22)), int(rng.integers(3, 9))
    first, line = 90, coded(any_colour(rng) * 0.6)
    pencil = (110, 90, 80) if rng.random() < 0.6 else (150, 60, 30)
    high, wide = (height - 90) / rows, (width - 50 - first) / columns
    _write(leaf, _words(rng, 16).title(), 30, 42, 22, dark, 2)
    drawn = rng.random() < 0.5
    for row in range(rows):
        y = 60 + row * high
        cv2.line(leaf, (24, round(y)), (width - 26, round(y)), line, 1, cv2.LINE_AA)
        if drawn and row < 6:
            draw_die_icon(rng, leaf, 40, y + high / 2, min(high * 0.75, 24), dark, row + 1)
        else:
            _write(leaf, _words(rng, 8), 28, y + high * 0.65, 9, dark)
        for column in range(columns):
            if rng.random() < 0.55:
                spot = 24 + first + (column + 0.25) * wide, y + high * 0.75
                _write(leaf, str(rng.integers(0, 60)), *spot, min(high * 0.6, 17), pencil)
    for column in range(columns + 1):
        x = round(24 + first + column * wide)
        cv2.line(leaf, (x, 60), (x, height - 30), line, 1, cv2.LINE_AA)


def _receipt(rng: np.random.Generator, leaf: Tile, dark: Ink) -> None:
    """Draw lines of large print and numbers, as on a receipt, a shopping list, a calendar."""
    size = float(rng.uniform(12, 40))
    y = size * 1.5
    while y < _PAGE[1]:
        price = f"{rng.integers(1, 20)} x {rng.integers(1, 90)}.{rng.integers(10, 99)}"
        text = _words(rng, 12) if rng.random() < 0.4 else f"{_words(rng, 7)} {price}"
        _write(leaf, text, 20, y, size, dark, max(1, round(size / 12)))
        y += size * 1.7


def draw_die_icon(
    rng: np.random.Generator, leaf: Tile, x: float, y: float, side: float, dark: Ink, value: int | None = None
) -> None:
    """Draw a small printed picture of a d6 about (x, y): in outline, filled, or as a cube in three lines."""
    shown = PIPS[int(rng.integers(1, 7)) if value is None else value]
    half = side / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]]) + np.array([x, y])
    filled = rng.random() < 0.35
    if rng.random() < 0.25:
        back = square + np.array([0.3, -0.3]) * side
        for one, other in ((0, 0), (1, 1), (2, 2)):
            ends = np.round([square[one], back[other]]).astype(int).tolist()
            cv2.line(leaf, ends[0], ends[1], dark, 1, cv2.LINE_AA)
        cv2.polylines(leaf, [np.round(back[:3]).astype(np.int32)], False, dark, 1, cv2.LINE_AA)
    corners = np.round(square * 16).astype(np.int32)
    if filled:
        cv2.fillConvexPoly(leaf, corners, dark, cv2.LINE_AA, 4)
    else:
        cv2.polylines(leaf, [corners], True, dark, 1, cv2.LINE_AA, 4)
    for dx, dy in shown:
        spot = (round((x + dx * side * 0.27) * 16), round((y + dy * side * 0.27) * 16))
        cv2.circle(leaf, spot, round(side * 1.5), (240, 240, 240) if filled else dark, -1, cv2.LINE_AA, 4)
