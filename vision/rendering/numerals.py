"""Numerals and pips as grey masks (uint8, 0..255): what is printed on a die's face, upright, centred."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.looks import Look

Mask = NDArray[np.uint8]

TILE = 96
"""Side of a face's picture in pixels."""
GLYPH = 64
"""Height of a numeral in its own mask, in pixels."""

PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
"""Where the pips of each value stand, right and down of the face's middle."""
_HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
)
_BUILT_IN = ("sans", "italic") if hasattr(cv2, "FontFace") else ()


class FontBook:
    """The typefaces at hand: those inside OpenCV, and for training any folder of .ttf and .otf files."""

    def __init__(self, folder: Path | None = None) -> None:
        files: list[Path] = []
        if folder is not None:
            files = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".ttf", ".otf"))
        self._files = tuple(p for p in files if _has_digits(p))
        # The built-in faces are counted more than once: their weights make them a family each.
        self._faces: tuple[str | int | Path, ...] = (
            *(_BUILT_IN * 3),
            *_HERSHEY[:: 2 if _BUILT_IN else 1],
            *self._files,
        )

    def __len__(self) -> int:
        return len(self._faces)

    def numeral(self, text: str, font: int, weight: int) -> Mask:
        """Return `text` in face number `font` (modulo their number), GLYPH pixels high, cropped to its ink."""
        face = self._faces[font % len(self._faces)]
        return _numeral(text, face, 400 if isinstance(face, Path) else weight)


@lru_cache(maxsize=1)
def _book() -> FontBook:
    return FontBook()


def built_in_fonts() -> FontBook:
    """Return the typefaces that need no file."""
    return _book()


def _has_digits(path: Path) -> bool:
    """Return whether a file's digits are digits, each its own, and thick enough to be printed on a die."""
    try:
        shapes = _digits(path)
    except (ValueError, OSError, cv2.error):
        return False
    differ = all(np.abs(shapes[a] - shapes[b]).mean() > 6 for a in range(10) for b in range(a))
    alike = [
        np.corrcoef(mine.ravel(), known.ravel())[0, 1] for mine, known in zip(shapes, _digits(_HERSHEY[1]), strict=True)
    ]
    return differ and float(np.mean(alike)) > 0.25 and float(np.mean(shapes)) > 45


def _digits(face: str | int | Path) -> NDArray[np.float32]:
    """Return the ten digits, each stretched to a square, (10,24,24) of 0..255."""
    squares = [cv2.resize(_numeral(str(d), face, 400), (24, 24), interpolation=cv2.INTER_AREA) for d in range(10)]
    return np.array(squares, dtype=np.float32)


@lru_cache(maxsize=8192)
def _numeral(text: str, face: str | int | Path, weight: int) -> Mask:
    size = int(GLYPH * 1.6)
    canvas = np.zeros((size * 2, size * (1 + len(text))), np.uint8)
    if isinstance(face, Path):
        _draw_file(canvas, text, face, size)
    elif isinstance(face, str):
        cv2.putText(canvas, text, (size // 3, int(size * 1.5)), (255, 255, 255), _face(face), size, weight)
    else:
        thickness = 2 + weight // 120
        cv2.putText(canvas, text, (size // 3, int(size * 1.5)), face, size / 28, 255, thickness, cv2.LINE_AA)
    x, y, width, height = cv2.boundingRect((canvas > 40).astype(np.uint8))
    if height < 8:
        raise ValueError(f"The typeface {face} has no numeral {text}.")
    cropped = canvas[y : y + height, x : x + width]
    return np.asarray(
        cv2.resize(cropped, (max(4, round(width * GLYPH / height)), GLYPH), interpolation=cv2.INTER_AREA),
        dtype=np.uint8,
    )


@cache
def _face(name: str) -> cv2.FontFace:
    # never let go: OpenCV knows a face by its address, and would draw a later one at that address with its glyphs
    return cv2.FontFace(name)


def _draw_file(canvas: Mask, text: str, path: Path, size: int) -> None:
    from PIL import Image, ImageDraw, ImageFont  # training alone; at the table there are no font files

    picture = Image.fromarray(canvas)
    ImageDraw.Draw(picture).text((size // 3, size // 3), text, 255, ImageFont.truetype(str(path), size))
    canvas[:] = np.asarray(picture)


def pip_tile(value: int, look: Look, half: float) -> Mask:
    """Return the pips of `value` in a TILE square that spans `half` inradii to each side of the face's centre."""
    tile = np.zeros((TILE, TILE), np.uint8)
    unit = TILE / (2 * half)
    spread = look.pip_spread * unit
    radius = look.pip_radius * unit * (look.one_scale if value == 1 else 1.0)
    for x, y in PIPS[value]:
        if look.mirrored and value in (2, 3):
            x = -x
        if look.tall_two and value == 2:
            x = 0.0
        if value == 6:
            x *= look.six_squeeze
        centre = (TILE / 2 + x * spread - 0.5, TILE / 2 + y * spread - 0.5)
        _pip(tile, centre, radius, look)
    return tile


def _pip(tile: Mask, centre: tuple[float, float], radius: float, look: Look) -> None:
    at = (round(centre[0] * 16), round(centre[1] * 16))
    if look.pip_kind == "square":
        low = (round((centre[0] - radius * 0.9) * 16), round((centre[1] - radius * 0.9) * 16))
        high = (round((centre[0] + radius * 0.9) * 16), round((centre[1] + radius * 0.9) * 16))
        cv2.rectangle(tile, low, high, 255, -1, cv2.LINE_AA, 4)
    elif look.pip_kind == "oval":
        cv2.ellipse(tile, at, (round(radius * 16), round(radius * 12)), 30.0, 0.0, 360.0, 255, -1, cv2.LINE_AA, 4)
    else:
        cv2.circle(tile, at, round(radius * 16), 255, -1, cv2.LINE_AA, 4)
        if look.pip_kind == "ring":
            cv2.circle(tile, at, round(radius * 8), 90, -1, cv2.LINE_AA, 4)


_HEIGHT = {4: 0.72, 6: 1.15, 8: 1.1, 10: 1.08, 12: 1.0, 20: 1.0}
"""Height of a numeral in inradii of the face, by the number of faces."""


def numeral_tile(
    text: str,
    look: Look,
    fonts: FontBook,
    *,
    faces: int,
    half: float,
    offset: tuple[float, float] = (0, 0),
    turn: float = 0,
) -> Mask:
    """Return a numeral in a TILE square; `offset` (right, down; inradii) comes before `turn` (radians, clockwise)."""
    glyph = fonts.numeral(text, look.font, look.weight)
    unit = TILE / (2 * half)
    height = _HEIGHT[faces] * look.size * (0.82 if len(text) > 1 else 1.0)
    stretch = look.stretch
    widest = {4: 0.8, 6: 1.4, 8: 1.2, 10: 1.3, 12: 1.45, 20: 1.25}[faces]
    if glyph.shape[1] / GLYPH * height * stretch > widest:
        stretch = widest / (glyph.shape[1] / GLYPH * height)
    marked = _with_mark(glyph, text, look, faces)
    down = unit * height / GLYPH
    across = down * stretch
    cos, sin = math.cos(turn), math.sin(turn)
    spin = np.array([[cos, -sin], [sin, cos]])
    scale = spin @ np.diag([across, down])
    middle = np.array([marked[1] - 0.5, GLYPH / 2 - 0.5])
    place = np.array([TILE / 2 - 0.5, TILE / 2 - 0.5]) + spin @ np.array(offset) * unit - scale @ middle
    return np.asarray(
        cv2.warpAffine(
            marked[0],
            np.column_stack([scale, place]),
            (TILE, TILE),
            flags=cv2.INTER_LINEAR if down > 0.5 else cv2.INTER_AREA,
        ),
        dtype=np.uint8,
    )


def _with_mark(glyph: Mask, text: str, look: Look, faces: int) -> tuple[Mask, float]:
    """Return the numeral with its bar or dot, and the x of the numeral's own middle."""
    width = glyph.shape[1]
    doubtful = text in ("6", "9") or (text in ("16", "19", "66", "99") and look.seed % 4 == 0)
    if look.mark == "none" or not doubtful or faces == 4 or (faces in (6, 8) and look.seed % 2):
        return glyph, width / 2
    if look.mark == "bar":
        grown = cv2.copyMakeBorder(glyph, 0, 20, 4, 4, cv2.BORDER_CONSTANT, value=0)
        cv2.rectangle(grown, (5, GLYPH + 9), (width + 2, GLYPH + 15), 255, -1)
        return np.asarray(grown, dtype=np.uint8), width / 2 + 4
    grown = cv2.copyMakeBorder(glyph, 0, 4, 0, 22, cv2.BORDER_CONSTANT, value=0)
    cv2.circle(grown, (width + 11, GLYPH - 6), 7, 255, -1, cv2.LINE_AA)
    return np.asarray(grown, dtype=np.uint8), width / 2
