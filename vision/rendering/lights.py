"""The light over the table: a key lamp, the room's glow, and the reflections of windows and lamps."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]

DOME = 64
"""Pixels across the picture of the upper half of the room, in stereographic projection."""


@dataclass(frozen=True, slots=True)
class Lighting:
    """Light in linear BGR: `key` from direction `towards` (unit vector to the lamp), `glow` from everywhere.

    `softness` 0.02..0.5 is the lamp's size in radians; `dome` and `soft_dome` picture what glossy and dull dice mirror.
    """

    towards: NDArray[np.float64]
    key: Picture
    glow: Picture
    softness: float
    dome: Picture
    soft_dome: Picture


def warmth(kelvin: float) -> Picture:
    """Return the linear BGR tint of a lamp, green = 1; 2700 is a warm bulb, 6500 daylight, 8000 a cold LED."""
    off = math.log(kelvin / 5500)
    return np.array([math.exp(0.9 * off), 1.0, math.exp(-0.75 * off)], dtype=np.float32)


def draw_lighting(rng: np.random.Generator, *, calm: bool = False) -> Lighting:
    """Return random light; `calm` keeps to one soft lamp of nearly neutral colour, as over a well-lit table."""
    height = rng.uniform(0.75, 1.45) if calm else rng.uniform(0.45, 1.5)
    side = rng.uniform(0, 2 * math.pi)
    towards = np.array([math.cos(side) * math.cos(height), math.sin(side) * math.cos(height), math.sin(height)])
    tint = warmth(float(rng.uniform(4600, 6400) if calm else rng.uniform(2700, 8000)))
    white = tint**0.35  # the camera's white balance takes most of a lamp's colour away
    share = rng.uniform(0.35, 0.6) if calm else rng.uniform(0.15, 0.85)
    softness = float(rng.uniform(0.1, 0.35) if calm else rng.choice([0.03, 0.08, 0.2, 0.45]))
    other = warmth(float(rng.uniform(3500, 7500))) ** 0.2
    dome = _dome(rng, towards, softness, share)
    return Lighting(
        towards,
        (white * share).astype(np.float32),
        (other * (1 - share)).astype(np.float32),
        softness,
        dome,
        np.asarray(cv2.GaussianBlur(dome, (0, 0), 7.0), dtype=np.float32),
    )


def _dome(rng: np.random.Generator, towards: NDArray[np.float64], softness: float, share: float) -> Picture:
    axis = (np.arange(DOME, dtype=np.float32) + 0.5) / DOME * 2 - 1
    x, y = np.meshgrid(axis, axis)
    slope = rng.uniform(-0.3, 0.3, 2)
    dome = np.full((DOME, DOME), rng.uniform(0.15, 0.7), np.float32) * (1 + slope[0] * x + slope[1] * y)
    for _ in range(int(rng.integers(0, 4))):
        centre = rng.uniform(-0.8, 0.8, 2) * DOME / 2 + DOME / 2
        size = rng.uniform(3, 16, 2)
        corners = cv2.boxPoints((centre.tolist(), size.tolist(), float(rng.uniform(0, 180))))
        pane = np.zeros((DOME, DOME), np.float32)
        cv2.fillConvexPoly(pane, np.round(corners * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
        dome += pane * float(rng.uniform(1, 6))
    spot = towards[:2] / (1 + towards[2])
    width = max(softness * 0.5, 0.03)
    dome += share * 5 * np.exp(-((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / (2 * width**2)) / max(width * 8, 0.4)
    tint = (1 + rng.uniform(-0.06, 0.06, 3)).astype(np.float32)
    return np.ascontiguousarray(dome[..., None] * tint, dtype=np.float32)
