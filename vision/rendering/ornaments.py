"""Ornate dice: frames, scrolls, leaves and knots round the numerals, printed or left blank on an inked ground."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.uint8]
Rng = np.random.Generator
Edging = Literal["line", "double", "beads", "teeth", "rope"]
Motif = Literal["scrolls", "leaves", "sticks", "knot", "dots", "rays", "scales", "splinters", "bare"]

_EDGINGS: tuple[Edging, ...] = ("line", "double", "beads", "teeth", "rope")
_MOTIFS: tuple[Motif, ...] = ("scrolls", "leaves", "sticks", "knot", "dots", "rays", "scales", "splinters", "bare")
_FINE = 4
"""Bits of a fraction with which OpenCV draws."""


@dataclass(frozen=True, slots=True)
class Ornament:
    """How the faces of an ornate set are filled; lengths are in inradii of the face."""

    edgings: tuple[Edging, ...]
    rim: float
    """How far the outermost edging lies inside the face's edge."""
    motif: Motif
    thickness: float
    density: float
    """How many figures there are, 0.5 few .. 1.5 many."""
    halo: float
    """Width of the clear rim round a numeral."""
    medal: float
    """Radius of a clear disc under the numeral, 0 for none."""
    inked: bool
    """Whether the ground is inked, and numeral and ornament are left in the die's own colour."""
    alike: bool
    """Whether all faces bear the same figures."""
    mirrored: bool


def draw_ornament(rng: Rng) -> Ornament:
    """Return the ornament of a random ornate set."""
    count = int(rng.choice([0, 1, 2], p=[0.1, 0.6, 0.3]))
    return Ornament(
        edgings=tuple(_EDGINGS[i] for i in rng.choice(len(_EDGINGS), count, p=[0.5, 0.2, 0.1, 0.1, 0.1])),
        rim=float(rng.uniform(0.03, 0.2)),
        motif=_MOTIFS[int(rng.choice(len(_MOTIFS), p=[0.2, 0.13, 0.17, 0.1, 0.06, 0.08, 0.06, 0.12, 0.08]))],
        thickness=float(rng.uniform(0.04, 0.11)),
        density=float(rng.uniform(0.5, 1.5)),
        halo=float(rng.uniform(0.05, 0.16)),
        medal=0.0 if rng.random() < 0.7 else float(rng.uniform(0.5, 0.72)),
        inked=bool(rng.random() < 0.4),
        alike=bool(rng.random() < 0.5),
        mirrored=bool(rng.random() < 0.5),
    )


def adorn(tile: Mask, outline: Array, unit: float, ornament: Ornament, seed: int) -> Mask:
    """Return `tile` (a face's ink, 0..255) with `ornament` round what stands on it.

    `outline` (V,2) are the face's corners from its centre, right and down in inradii; `unit` is an inradius in pixels.
    """
    rng = np.random.default_rng(seed)
    canvas = _Canvas(tile.shape[0], unit)
    within = 1 - ornament.rim
    for edging in ornament.edgings:
        within = _edge(canvas, outline * within, edging, ornament.thickness, rng) * within
    frame = canvas.ink.copy()
    canvas.ink[:] = 0
    _MAKERS[ornament.motif](canvas, outline, ornament, rng)
    inside = canvas.filled(outline * within)
    art = np.minimum(canvas.ink, inside)
    clear = cv2.dilate(tile, _disc(ornament.halo * unit))
    if ornament.medal:
        art = cv2.subtract(art, canvas.circle(ornament.medal))
        art = np.maximum(art, np.minimum(canvas.circle(ornament.medal, ornament.thickness), inside))
    art = np.maximum(cv2.subtract(art, clear), cv2.subtract(frame, clear))
    if not ornament.inked:
        return np.asarray(np.maximum(art, tile), dtype=np.uint8)
    ground = canvas.filled(outline * (1 - 0.5 * ornament.rim))
    return np.asarray(cv2.subtract(ground, np.maximum(art, tile)), dtype=np.uint8)


class _Canvas:
    """Draws on a square mask in units of a face's inradius from its centre, right and down."""

    def __init__(self, side: int, unit: float) -> None:
        self.ink = np.zeros((side, side), np.uint8)
        self.side, self.unit = side, unit

    def _at(self, points: Array) -> NDArray[np.int32]:
        fine = np.round((points * self.unit + self.side / 2 - 0.5) * 2**_FINE)
        return np.asarray(fine, dtype=np.int32)

    def _wide(self, width: float) -> int:
        return max(1, round(width * self.unit))

    def line(self, points: Array, width: float, *, closed: bool = False) -> None:
        cv2.polylines(self.ink, [self._at(points)], closed, 255, self._wide(width), cv2.LINE_AA, _FINE)

    def shape(self, points: Array) -> None:
        cv2.fillPoly(self.ink, [self._at(points)], 255, cv2.LINE_AA, _FINE)

    def dot(self, at: Array, radius: float) -> None:
        x, y = self._at(at)
        cv2.circle(self.ink, (int(x), int(y)), round(radius * self.unit * 2**_FINE), 255, -1, cv2.LINE_AA, _FINE)

    def filled(self, points: Array) -> Mask:
        mask = np.zeros_like(self.ink)
        cv2.fillPoly(mask, [self._at(points)], 255, cv2.LINE_AA, _FINE)
        return mask

    def circle(self, radius: float, width: float = 0.0) -> Mask:
        mask = np.zeros_like(self.ink)
        x, y = self._at(np.zeros(2))
        wide = self._wide(width) if width else -1
        cv2.circle(mask, (int(x), int(y)), round(radius * self.unit * 2**_FINE), 255, wide, cv2.LINE_AA, _FINE)
        return mask


def _disc(radius: float) -> Mask:
    side = 2 * max(1, round(radius)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), dtype=np.uint8)


def _edge(canvas: _Canvas, outline: Array, edging: Edging, thickness: float, rng: Rng) -> float:
    """Draw one edging along `outline`, and return how much of the face's size is left within it."""
    if edging in ("line", "double"):
        canvas.line(outline, thickness, closed=True)
        if edging == "double":
            canvas.line(outline * (1 - 2.2 * thickness), 0.6 * thickness, closed=True)
        return 1 - (3.4 if edging == "double" else 1.4) * thickness
    size = thickness * float(rng.uniform(0.8, 1.4))
    walk = _along(outline * (1 - size), 2.4 * size)
    for place, towards in walk:
        inward = -place / max(float(np.linalg.norm(place)), 1e-6)
        if edging == "beads":
            canvas.dot(place, 0.8 * size)
        elif edging == "teeth":
            canvas.shape(np.array([place - towards * size, place + towards * size, place + inward * 2 * size]))
        else:
            canvas.line(
                np.array([place - towards * size - inward * size, place + towards * size + inward * size]), size
            )
    return 1 - 3 * size


def _along(outline: Array, step: float) -> list[tuple[Array, Array]]:
    """Return points (x, y) every `step` along a closed outline, each with the direction in which it goes on."""
    walk = []
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        length = float(np.linalg.norm(end - start))
        towards = (end - start) / max(length, 1e-6)
        walk += [(start + towards * (k + 0.5) * step, towards) for k in range(int(length / step))]
    return walk


Figure = Callable[[Rng, float], Array]


def _strewn(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng, figure: Figure, size: float) -> None:
    """Lay figures over the face, turned round it as often as it has corners, now and then mirrored."""
    fold = len(outline) if rng.random() < 0.8 else 1
    count = max(1, round(ornament.density * 22 / fold))
    reach = float(np.linalg.norm(outline, axis=1).max())
    for _ in range(count):
        far, way = reach * math.sqrt(rng.uniform(0.05, 0.9)), rng.uniform(0, 2 * math.pi / fold)
        own = figure(rng, size * float(rng.uniform(0.7, 1.4)))
        place = np.array([math.cos(way), math.sin(way)]) * far
        for turn in range(fold):
            spin = _spin(turn * 2 * math.pi / fold)
            points = (own + place) @ spin.T
            canvas.line(points, ornament.thickness * (0.7 if len(own) > 6 else 1.0))
            if ornament.mirrored:
                canvas.line(points * [-1, 1], ornament.thickness * (0.7 if len(own) > 6 else 1.0))


def _spin(angle: float) -> Array:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])


def _scroll(rng: Rng, size: float) -> Array:
    """Return a spiral that runs out into a tail."""
    turns, start = rng.uniform(0.8, 2.0), rng.uniform(0, 2 * math.pi)
    share = np.linspace(0, 1, 24)
    angle = start + share * turns * 2 * math.pi * rng.choice([-1, 1])
    radius = size * (0.15 + 0.85 * share**1.3)
    return np.stack([np.cos(angle) * radius, np.sin(angle) * radius], axis=1)


def _stick(rng: Rng, size: float) -> Array:
    """Return two to four straight strokes, as runes and splinters have them."""
    ways = rng.integers(0, 8, int(rng.integers(2, 5))) * math.pi / 4
    steps = np.stack([np.cos(ways), np.sin(ways)], axis=1) * size * rng.uniform(0.4, 1.1, (len(ways), 1))
    return np.asarray(np.cumsum(np.vstack([np.zeros(2), steps]), axis=0) - steps.sum(axis=0) / 2, dtype=np.float64)


def _scrolls(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    _strewn(canvas, outline, ornament, rng, _scroll, 0.24)


def _sticks(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    _strewn(canvas, outline, ornament, rng, _stick, 0.3)


def _leaves(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    """Draw twigs with leaves that come out of the corners, or grow round the face."""
    long, wide = rng.uniform(0.18, 0.34), rng.uniform(0.3, 0.5)
    round_it = rng.random() < 0.5
    for corner, after in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        begin, end = (corner * 0.78, after * 0.78) if round_it else (corner * 0.95, corner * 0.25)
        stem = end - begin
        canvas.line(np.array([begin, end]), 0.5 * ornament.thickness)
        towards = stem / max(float(np.linalg.norm(stem)), 1e-6)
        for share in np.linspace(0.1, 0.9, max(2, round(4 * ornament.density))):
            for side in (-1, 1):
                canvas.shape(begin + stem * share + _leaf(long, wide) @ _spin(side * 0.9).T @ _towards(towards).T)


def _leaf(long: float, wide: float) -> Array:
    share = np.linspace(0, 1, 9)
    bulge = np.sin(share * math.pi) * long * wide / 2
    return np.vstack([np.stack([share * long, bulge], axis=1), np.stack([share * long, -bulge], axis=1)[::-1]])


def _towards(way: Array) -> Array:
    return np.array([[way[0], -way[1]], [way[1], way[0]]])


def _knot(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    """Draw two strands that wind round each other along the edge."""
    waves, swing, far = float(rng.integers(3, 7)), rng.uniform(0.06, 0.14), rng.uniform(0.66, 0.8)
    closed = np.vstack([outline, outline[:1]]) * far
    share = np.linspace(0, 1, 30)
    for phase in (0.0, math.pi):
        for start, end in itertools.pairwise(closed):
            across = _towards((end - start) / np.linalg.norm(end - start)) @ np.array([0.0, 1.0])
            wave = np.sin(share * waves * math.pi + phase) * swing
            canvas.line(start + (end - start) * share[:, None] + across * wave[:, None], 0.8 * ornament.thickness)


def _dots(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    for ring in np.arange(0.35, 1.1, rng.uniform(0.16, 0.28)):
        for place, _ in _along(outline * ring, ring and rng.uniform(0.18, 0.34) / ornament.density):
            canvas.dot(place, ornament.thickness * rng.uniform(0.4, 1.0))


def _rays(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    """Draw rays from the middle, straight or wedged, and a ring across them now and then."""
    reach = float(np.linalg.norm(outline, axis=1).max())
    count = len(outline) * int(rng.integers(2, 8))
    turn = rng.uniform(0, 2 * math.pi)
    wedged = rng.random() < 0.5
    for way in turn + np.arange(count) * 2 * math.pi / count:
        towards = np.array([math.cos(way), math.sin(way)])
        if wedged:
            side = np.array([-towards[1], towards[0]]) * reach * math.pi / count * 0.45
            canvas.shape(np.array([towards * 0.3, towards * reach + side, towards * reach - side]))
        else:
            canvas.line(np.array([towards * 0.3, towards * reach]), 0.8 * ornament.thickness)
    if rng.random() < 0.4:
        np.maximum(canvas.ink, canvas.circle(rng.uniform(0.7, 0.95), ornament.thickness), out=canvas.ink)


def _scales(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    """Draw rows of arcs, as a dragon's hide or roof tiles have them."""
    size = rng.uniform(0.2, 0.36)
    arc = np.linspace(0, math.pi, 9)
    bow = np.stack([np.cos(arc), np.sin(arc)], axis=1) * size / 2
    reach = float(np.abs(outline).max()) + size
    for row, y in enumerate(np.arange(-reach, reach, size / 2)):
        for x in np.arange(-reach, reach, size) + (row % 2) * size / 2:
            canvas.line(bow + np.array([x, y]), 0.6 * ornament.thickness)


def _splinters(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    """Cover the face with irregular polygons, as cut or broken stone."""
    for _ in range(max(4, round(24 * ornament.density))):
        count = int(rng.integers(3, 6))
        ways = np.sort(rng.uniform(0, 2 * math.pi, count))
        own = np.stack([np.cos(ways), np.sin(ways)], axis=1) * rng.uniform(0.1, 0.3, (count, 1))
        canvas.shape(own + _within(outline, rng))


def _within(outline: Array, rng: Rng) -> Array:
    shares = rng.dirichlet(np.full(len(outline), 0.7))
    return np.asarray(shares @ outline, dtype=np.float64)


def _bare(canvas: _Canvas, outline: Array, ornament: Ornament, rng: Rng) -> None:
    """Leave the ground as it is: the frame, or the ink, is all there is."""


_MAKERS: dict[Motif, Callable[[_Canvas, Array, Ornament, Rng], None]] = {
    "scrolls": _scrolls,
    "leaves": _leaves,
    "sticks": _sticks,
    "knot": _knot,
    "dots": _dots,
    "rays": _rays,
    "scales": _scales,
    "splinters": _splinters,
    "bare": _bare,
}
