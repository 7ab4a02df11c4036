"""Tiles of noise, repeatable and seamless, drawn once and kept: swirls, flecks, grains, clouds."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Kind = Literal["swirl", "fleck", "grain", "cloud", "white"]
SIZE = 512


@lru_cache(maxsize=64)
def noise_tile(kind: Kind, number: int) -> NDArray[np.float32]:
    """Return a seamless SIZE square of values 0..1; the same kind and number give the same tile."""
    rng = np.random.default_rng((number, len(kind), ord(kind[0])))
    if kind == "white":
        return rng.random((SIZE, SIZE), dtype=np.float32)
    if kind == "grain":
        grains = _octave(rng, SIZE // 2)
        return np.asarray(np.clip((grains - 0.72) * 6, 0, 1), dtype=np.float32)
    if kind == "fleck":
        flecks = _octave(rng, 90) + 0.6 * _octave(rng, 220)
        return np.asarray(np.clip((flecks - np.quantile(flecks, 0.8)) * 14 + 0.5, 0, 1), dtype=np.float32)
    clouds = _octave(rng, 5) + 0.5 * _octave(rng, 11) + 0.25 * _octave(rng, 27) + 0.12 * _octave(rng, 60)
    clouds = (clouds - clouds.min()) / np.ptp(clouds)
    if kind == "swirl":
        bend = (_octave(rng, 4) - 0.5) * SIZE * 0.5
        axis = np.arange(SIZE, dtype=np.float32)
        bent = cv2.remap(
            clouds.astype(np.float32),
            np.ascontiguousarray(axis[None, :] + bend, dtype=np.float32),
            np.ascontiguousarray(axis[:, None] + bend.T, dtype=np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_WRAP,
        )
        return np.asarray(np.clip((bent - 0.5) * 3.2 + 0.45, 0, 1), dtype=np.float32)
    return np.asarray(clouds, dtype=np.float32)


def _octave(rng: np.random.Generator, cells: int) -> NDArray[np.float32]:
    """Return smooth seamless noise with `cells` bumps across."""
    coarse = rng.random((cells, cells), dtype=np.float32)
    padded = np.pad(coarse, 2, mode="wrap")
    step = SIZE / cells
    axis = (np.arange(SIZE, dtype=np.float32) + 0.5) / step + 1.5
    return np.asarray(
        cv2.remap(padded, np.tile(axis, (SIZE, 1)), np.tile(axis[:, None], (1, SIZE)), cv2.INTER_CUBIC),
        dtype=np.float32,
    )
