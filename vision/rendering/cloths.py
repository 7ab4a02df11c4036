"""Patterned table cloths: dots, checks, gingham, tartan, chequers, stripes, printed flowers and stars; seamless."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.looks import Colour, brightness, linear
from vision.rendering.materials import any_hue, fibres, grown_noise
from vision.rendering.noise import SIZE

Picture = NDArray[np.float32]
Rng = np.random.Generator

_STEPS = (4, 6, 8, 10, 12, 16, 20, 26)
"""How often a motif comes across the cloth; all even, so that rows can be set off by half a step."""


def pattern(rng: Rng) -> Picture:
    """Return a cloth in two or three colours, woven and a little creased."""
    base, other = _pair(rng)
    mask = _MASKS[int(rng.choice(len(_MASKS), p=_SHARES))](rng)
    shade = base + (other - base) * mask[..., None]
    if rng.random() < 0.3:
        third = _pair(rng)[0]
        shade = shade + (third - shade) * _dots(rng)[..., None]
    step = int(rng.choice([2, 4]))
    thread = np.sin(np.arange(SIZE) * 2 * np.pi / step + 0.7).astype(np.float32)
    weave = (thread[None, :] * thread[:, None])[..., None]
    creased = (0.9 + 0.2 * grown_noise("cloud", rng)) * (1 + rng.uniform(0.02, 0.09) * weave)
    return np.asarray(shade * creased * (1 + 0.04 * fibres(rng, 0.8)), dtype=np.float32)


def _pair(rng: Rng) -> tuple[Colour, Colour]:
    """Return two colours that differ well: white and a colour more often than not."""
    white = linear((0.94, 0.93, 0.9)) * np.float32(rng.uniform(0.8, 1.0))
    black = linear((0.06, 0.06, 0.07))
    while True:
        one = any_hue(rng, (0.4, 1), (0.25, 0.9))
        fate = rng.random()
        two = white if fate < 0.55 else black if fate < 0.7 else any_hue(rng, (0, 1), (0.15, 0.95))
        if abs(brightness(one) ** 0.45 - brightness(two) ** 0.45) > 0.18:
            return (one, two) if rng.random() < 0.5 else (two, one)


def _dots(rng: Rng) -> Picture:
    """Return polka dots, straight or set off, sometimes rings."""
    count = int(rng.choice(_STEPS))
    step = SIZE / count
    radius = step * rng.uniform(0.1, 0.36)
    set_off = rng.random() < 0.6
    ring = rng.random() < 0.15
    mask = np.zeros((SIZE, SIZE), np.uint8)
    for row in range(-1, count + 2):
        for column in range(-1, count + 2):
            x, y = (column + (0.5 if set_off and row % 2 else 0.0)) * step, row * step
            cv2.circle(mask, (round(x * 16), round(y * 16)), round(radius * 16), 255, -1, cv2.LINE_AA, 4)
            if ring:
                cv2.circle(mask, (round(x * 16), round(y * 16)), round(radius * 9), 0, -1, cv2.LINE_AA, 4)
    return mask.astype(np.float32) / np.float32(255)


def _bands(rng: Rng, step: float) -> Picture:
    """Return stripes (SIZE,): 1 on a band, 0 beside it."""
    share = float(rng.choice([0.5, 0.5, 0.3, 0.15, 0.06]))
    return ((np.arange(SIZE) / step + 1e-6) % 1 < share).astype(np.float32)


def _gingham(rng: Rng) -> Picture:
    """Return bands both ways, full where they cross, hatched or half as strong where there is one."""
    step = SIZE / int(rng.choice(_STEPS))
    band = _bands(rng, step)
    both = (band[None, :] + band[:, None]) / 2
    if rng.random() < 0.5:
        place = np.arange(SIZE)
        hatch = ((place[None, :] + place[:, None]) // 2 % 2).astype(np.float32)
        both = np.where(both == 0.5, 0.25 + 0.5 * hatch, both)
    return np.asarray(both, dtype=np.float32)


def _tartan(rng: Rng) -> Picture:
    """Return bands of several widths both ways."""
    step = SIZE / int(rng.choice(_STEPS[:4]))
    total = np.zeros((SIZE, SIZE), np.float32)
    for _ in range(int(rng.integers(2, 5))):
        band = np.roll(_bands(rng, step), int(rng.integers(SIZE)))
        strength = rng.uniform(0.15, 0.6)
        total += strength * (band[None, :] + (band[:, None] if rng.random() < 0.85 else 0))
    return np.clip(total, 0, 1)


def _chequers(rng: Rng) -> Picture:
    """Return squares in two colours, some with a dot or a smaller square in their middle."""
    count = int(rng.choice(_STEPS))
    place = np.arange(SIZE) * count // SIZE
    mask = ((place[None, :] + place[:, None]) % 2).astype(np.float32)
    inner = rng.random()
    if inner < 0.5:
        off = np.abs((np.arange(SIZE) + 0.5) * count / SIZE % 1 - 0.5)
        away = np.hypot(off[None, :], off[:, None]) if inner < 0.25 else np.maximum(off[None, :], off[:, None])
        mask = np.where(away < rng.uniform(0.08, 0.3), 1 - mask, mask)
    return mask.astype(np.float32)


def _stripes(rng: Rng) -> Picture:
    band = _bands(rng, SIZE / int(rng.choice(_STEPS)))
    return np.tile(band[None, :], (SIZE, 1))


def _motifs(rng: Rng) -> Picture:
    """Return flowers, stars, leaves or crosses, in rows or strewn."""
    count = int(rng.choice(_STEPS[:6]))
    step = SIZE / count
    petals, depth = int(rng.integers(2, 9)), rng.uniform(0.2, 0.7)
    angle = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    reach = step * rng.uniform(0.2, 0.42) * (1 - depth + depth * np.abs(np.cos(angle * petals / 2)))
    shape = np.stack([reach * np.cos(angle), reach * np.sin(angle)], axis=1)
    eye, strewn = rng.random() < 0.5, rng.random() < 0.4
    mask = np.zeros((SIZE, SIZE), np.uint8)
    for row in range(count):
        for column in range(count):
            middle = np.array([column + 0.5 * (row % 2), row]) * step + (rng.normal(0, 0.2, 2) * step if strewn else 0)
            turn = rng.uniform(0, 2 * math.pi) if strewn else 0.0
            spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
            for shift in np.ndindex(3, 3):
                around = middle + (np.array(shift) - 1) * SIZE
                if (around < -step).any() or (around > SIZE + step).any():
                    continue
                cv2.fillPoly(mask, [np.round((shape @ spin + around) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
                if eye:
                    cv2.circle(mask, np.round(around * 16).astype(int).tolist(), round(step), 0, -1, cv2.LINE_AA, 4)
    return mask.astype(np.float32) / np.float32(255)


_MASKS: tuple[Callable[[Rng], Picture], ...] = (_dots, _gingham, _tartan, _chequers, _stripes, _motifs)
_SHARES = (0.3, 0.22, 0.1, 0.14, 0.06, 0.18)
