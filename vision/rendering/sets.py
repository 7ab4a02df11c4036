"""Sets of pieces as people lay them: alone, in rows, in chains, strewn, in heaps, in stacks."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from vision.rendering.numerals import FontBook
from vision.rendering.pieces import KINDS, Maker
from vision.rendering.thing import Thing, overlap

Array = NDArray[np.float64]
Rng = np.random.Generator

HIGHEST = 2.2
"""How many pieces of a heap may lie on one another."""


def draw_set(rng: Rng, area: float, fonts: FontBook) -> list[Thing]:
    """Return pieces of one look laid about the origin in one of the ways of their kind, covering at most `area` mm²."""
    kinds = list(KINDS)
    shares = np.array([share for share, _ in KINDS.values()])
    kind = kinds[int(rng.choice(len(kinds), p=shares / shares.sum()))]
    maker = kind(rng, fonts)
    ways = KINDS[kind][1]
    way = WAYS[ways[int(rng.integers(len(ways)))]]
    room = max(1, int(area / (math.pi * maker(rng).reach ** 2)))
    return way(rng, maker, np.zeros(2), min(int(rng.integers(2, 15)), room))


def _size(piece: Thing) -> Array:
    return np.asarray(np.ptp(piece.outline, axis=0), dtype=np.float64)


def _alone(rng: Rng, maker: Maker, at: Array, count: int) -> list[Thing]:
    return [maker(rng).moved(at, rng.uniform(0, 2 * math.pi), among=at)]


def _row(rng: Rng, maker: Maker, at: Array, count: int) -> list[Thing]:
    """Lay them in a grid of a few rows, nearly straight."""
    columns = max(1, min(count, int(rng.integers(1, 8))))
    rows = max(1, count // columns)
    gap = float(rng.choice([0.2, 1.5, 5.0]))
    turn, unevenness = rng.uniform(0, 2 * math.pi), float(rng.choice([0.0, 0.3, 1.0])) * min(gap, 1.5)
    spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    step = _size(maker(rng)) + gap
    laid = []
    for place in np.ndindex(columns, rows):
        off = (np.array(place) - [(columns - 1) / 2, (rows - 1) / 2]) * step + rng.normal(0, 1, 2) * unevenness / 4
        lean = rng.normal(0, 0.02) * unevenness
        laid.append(maker(rng).moved(at + off @ spin, turn + lean, among=at))
    return laid


def _chain(rng: Rng, maker: Maker, at: Array, count: int) -> list[Thing]:
    """Lay them end to end, with a bend now and then, as dominoes are played."""
    long, wide = _size(maker(rng))
    turn = rng.uniform(0, 2 * math.pi)
    bend, gap = float(rng.choice([0.1, 0.25])), float(rng.choice([0.3, 1.5]))
    laid: list[Thing] = []
    end = np.asarray(at, dtype=np.float64)
    for _ in range(count):
        turned = turn + (rng.choice([-1, 1]) * math.pi / 2 if laid and rng.random() < bend else 0.0)
        before, after = (np.array([math.cos(a), math.sin(a)]) for a in (turn, turned))
        # round a bend, the next piece lies beside the end of the last one
        corner = end + before * (wide / 2 + gap) - after * (wide / 2 + gap) if turned != turn else end
        piece = maker(rng).moved(corner + after * (long / 2 + gap), turned + rng.normal(0, 0.015), among=at)
        if any(overlap(_shrunk(piece.outline), other.outline) for other in laid):
            break
        laid.append(piece)
        end, turn = corner + after * (long + gap), turned
    return laid


def _shrunk(outline: Array) -> Array:
    middle = outline.mean(axis=0)
    return np.asarray(middle + (outline - middle) * 0.93, dtype=np.float64)


def _strewn(rng: Rng, maker: Maker, at: Array, count: int) -> list[Thing]:
    """Lay them apart, each turned its own way."""
    return [piece for piece in _thrown(rng, maker, at, count, wide=2.2) if not piece.low]


def _heap(rng: Rng, maker: Maker, at: Array, count: int) -> list[Thing]:
    """Throw them onto one another."""
    return _thrown(rng, maker, at, count, wide=0.85)


def _thrown(rng: Rng, maker: Maker, at: Array, count: int, wide: float) -> list[Thing]:
    laid: list[Thing] = []
    spots = np.zeros((0, 2))
    reach = maker(rng).reach
    for _ in range(count):
        spot = rng.normal(0, reach * wide * math.sqrt(count) * 0.7, 2)
        flat = maker(rng).moved(at + spot, rng.uniform(0, 2 * math.pi), among=at)
        near = np.flatnonzero(np.hypot(*(spots - spot).T) < 2 * reach)
        low = max((laid[i].high for i in near if overlap(flat.outline, laid[i].outline)), default=0.0)
        if low < HIGHEST * flat.high:
            laid.append(flat.moved(np.zeros(2), 0.0, low=low, among=at))
            spots = np.vstack([spots, spot])
    return laid


def _stack(rng: Rng, maker: Maker, at: Array, count: int) -> list[Thing]:
    """Put up to eight of them on one another."""
    laid: list[Thing] = []
    for _ in range(int(rng.integers(2, 9))):
        low = laid[-1].high if laid else 0.0
        laid.append(maker(rng).moved(at + rng.normal(0, 0.5, 2), rng.uniform(0, 2 * math.pi), low=low, among=at))
    return laid


WAYS: dict[str, Callable[[Rng, Maker, Array, int], list[Thing]]] = {
    "alone": _alone,
    "row": _row,
    "chain": _chain,
    "strewn": _strewn,
    "heap": _heap,
    "stack": _stack,
}
