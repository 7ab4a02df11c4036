"""What dice lie on: cloth, wood, felt, paper, leather, stone, printed boards; each a seamless square of linear BGR."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.looks import Colour, linear
from vision.rendering.noise import SIZE, noise_tile

Kind = Literal["felt", "wood", "cloth", "paper", "leather", "stone", "board", "plain"]
Tile = NDArray[np.uint8]
"""SIZE square of gamma-coded BGR."""

KINDS: tuple[Kind, ...] = ("felt", "wood", "cloth", "paper", "leather", "stone", "board", "plain")
CALM_KINDS: tuple[Kind, ...] = ("felt", "leather", "wood", "plain", "paper")
LOUD = 0.38
"""The span between a ground's strongest and weakest colour, as a viewer sees them, that a calm table stays under."""
_BANK = 12
"""Different tiles a kind has; turns, tints and scales make more of them."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A table top: `tile`, its levels times `gain`, spans `span` mm.

    `mean` is its average linear BGR, `shine` 0..1 how much it mirrors.
    """

    kind: Kind
    tile: Tile
    gain: Colour
    span: float
    mean: Colour
    shine: float


def draw_ground(rng: np.random.Generator, *, calm: bool = False) -> Ground:
    """Return a random table top; `calm` keeps to what people put under dice on purpose."""
    kinds = CALM_KINDS if calm else KINDS
    chances = [0.35, 0.2, 0.2, 0.15, 0.1] if calm else [0.14, 0.17, 0.12, 0.08, 0.1, 0.08, 0.23, 0.08]
    while True:
        kind = kinds[int(rng.choice(len(kinds), p=chances))]
        tile = _tile(kind, int(rng.integers(_BANK)))
        if not calm or np.ptp(_mean(tile) ** (1 / 2.2)) < LOUD:
            break
    gain = (rng.uniform(0.8, 1.15) * rng.uniform(0.96, 1.04, 3)).astype(np.float32)
    span = float(rng.uniform(90, 260))
    shine = {"wood": 0.4, "board": 0.5, "stone": 0.5, "plain": 0.4}.get(kind, 0.0) * rng.random()
    return Ground(kind, tile, gain, span, _mean(tile) * gain**2.2, float(shine))


def _mean(tile: Tile) -> Colour:
    small = cv2.resize(tile, (32, 32), interpolation=cv2.INTER_AREA) / np.float32(255)
    return np.asarray((small**2.2).mean(axis=(0, 1)), dtype=np.float32)


@lru_cache(maxsize=len(KINDS) * _BANK)
def _tile(kind: Kind, number: int) -> Tile:
    rng = np.random.default_rng((number, KINDS.index(kind), 77))
    shade = _PAINTERS[kind](rng)
    return np.asarray((255 * np.clip(shade, 0, 1) ** (1 / 2.2)), dtype=np.uint8)


def _hue(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    return linear(colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value)))


def _noise(kind: Literal["swirl", "fleck", "grain", "cloud", "white"], rng: np.random.Generator) -> NDArray[np.float32]:
    return noise_tile(kind, int(rng.integers(8)))[..., None]


def _blurred_white(rng: np.random.Generator, sigma: float, aspect: float = 1.0) -> NDArray[np.float32]:
    """Return seamless noise around 0 of deviation 1, stretched by `aspect` downwards."""
    white = np.pad(_noise("white", rng)[..., 0], 32, mode="wrap")
    soft = cv2.GaussianBlur(white, (0, 0), sigma, sigmaY=sigma * aspect)[32:-32, 32:-32]
    return np.asarray(((soft - soft.mean()) / soft.std())[..., None], dtype=np.float32)


def _felt(rng: np.random.Generator) -> NDArray[np.float32]:
    base = _hue(rng, (0.35, 0.95), (0.12, 0.6)) if rng.random() < 0.75 else _hue(rng, (0, 0.1), (0.05, 0.5))
    fibres = 0.10 * _blurred_white(rng, 0.8) + 0.07 * _blurred_white(rng, 2.5)
    return np.asarray(base * (1 + fibres) * (0.85 + 0.3 * _noise("cloud", rng)), dtype=np.float32)


def _leather(rng: np.random.Generator) -> NDArray[np.float32]:
    warm = linear(colorsys.hsv_to_rgb(rng.uniform(0.02, 0.1), rng.uniform(0.3, 0.8), rng.uniform(0.15, 0.7)))
    base = warm if rng.random() < 0.5 else _hue(rng, (0.3, 0.9), (0.08, 0.6))
    grain = np.clip(_blurred_white(rng, 2.2), -1.5, 0.5)
    return base * (1 + 0.10 * grain + 0.03 * _blurred_white(rng, 0.7)) * (0.8 + 0.4 * _noise("cloud", rng))


def _wood(rng: np.random.Generator) -> NDArray[np.float32]:
    hue = rng.uniform(0.05, 0.11)
    base = linear(colorsys.hsv_to_rgb(hue, rng.uniform(0.15, 0.7), rng.uniform(0.25, 0.88)))
    rings = int(rng.integers(5, 18))
    across = np.linspace(0, 2 * np.pi * rings, SIZE, endpoint=False, dtype=np.float32)[None, :, None]
    bend = cv2.resize(_noise("cloud", rng)[:, :, 0], (SIZE, SIZE))[..., None]
    # stretched along the grain: sampled eight times coarser downwards
    stretched = cv2.resize(bend[: SIZE // 8], (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)[..., None]
    stretched = (stretched + stretched[::-1]) / 2
    wave = np.sin(across + 9 * stretched) + 0.5 * np.sin(2.3 * across + 14 * stretched)
    pores = np.minimum(_blurred_white(rng, 0.6, 14), 0)
    shade = 1 + rng.uniform(0.04, 0.16) * wave + rng.uniform(0.03, 0.12) * pores
    if rng.random() < 0.4:  # planks
        shade[:, :: SIZE // int(rng.choice([2, 4]))] *= 0.45
    return np.asarray(base * shade, dtype=np.float32)


def _cloth(rng: np.random.Generator) -> NDArray[np.float32]:
    base = _hue(rng, (0, 0.8), (0.2, 0.95))
    shade = np.ones((SIZE, SIZE, 1), np.float32) * base
    if rng.random() < 0.6:  # checks or stripes
        other = _hue(rng, (0, 0.9), (0.15, 0.95))
        period = SIZE // int(rng.choice([4, 8, 16, 32]))
        band = ((np.arange(SIZE) // (period // 2)) % 2).astype(np.float32)
        mixed = band[None, :] if rng.random() < 0.4 else (band[None, :] + band[:, None]) / 2
        shade = shade + (other - shade) * mixed[..., None]
    step = int(rng.choice([2, 4, 8]))
    thread = np.sin(np.arange(SIZE) * 2 * np.pi / step).astype(np.float32)
    weave = (thread[None, :] * thread[:, None])[..., None]
    return shade * (1 + 0.08 * weave + 0.05 * _blurred_white(rng, 0.8))


def _paper(rng: np.random.Generator) -> NDArray[np.float32]:
    shade = linear((0.9, 0.9, 0.88)) * (0.9 + 0.12 * _noise("cloud", rng)) * (1 + 0.012 * _blurred_white(rng, 0.7))
    kind = rng.random()
    if kind < 0.5:
        period = SIZE // int(rng.choice([16, 32]))
        rule = np.zeros((SIZE, SIZE, 1), np.float32)
        rule[::period] = 1
        if kind < 0.25:
            rule[:, ::period] = 1
        shade = shade * (1 - 0.35 * rule * np.array([0.3, 0.7, 1.0], np.float32))
    return np.asarray(shade, dtype=np.float32)


def _stone(rng: np.random.Generator) -> NDArray[np.float32]:
    base, other = _hue(rng, (0, 0.15), (0.2, 0.85)), _hue(rng, (0, 0.3), (0.1, 0.9))
    if rng.random() < 0.5:
        return base + (other - base) * _noise("swirl", rng) * 0.6
    shade = base + (other - base) * _noise("fleck", rng)
    third = _hue(rng, (0, 0.2), (0.05, 0.95))
    return np.asarray(shade + (third - shade) * np.roll(_noise("fleck", rng), 131, axis=1) * 0.8, dtype=np.float32)


def _plain(rng: np.random.Generator) -> NDArray[np.float32]:
    base = _hue(rng, (0, 0.2), (0.3, 0.95)) if rng.random() < 0.6 else _hue(rng, (0.3, 1), (0.15, 0.9))
    return np.asarray(
        base * (0.94 + 0.1 * _noise("cloud", rng)) * (1 + 0.01 * _blurred_white(rng, 0.7)), dtype=np.float32
    )


def _board(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a printed game board: fields, circles, lines, words, numbers, drawn pips; nothing of it is a die."""
    canvas = np.zeros((SIZE, SIZE, 3), np.uint8)
    canvas[:] = (_hue(rng, (0, 0.7), (0.2, 0.95)) ** (1 / 2.2) * 255).astype(np.uint8)
    for _ in range(int(rng.integers(12, 70))):
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))
        x, y = (int(v) for v in rng.integers(-40, SIZE, 2))
        width, height = (int(v) for v in rng.integers(6, 150, 2))
        what = rng.integers(8)
        line = int(rng.integers(1, 6)) if rng.random() < 0.5 else -1
        if what <= 1:
            cv2.rectangle(canvas, (x, y), (x + width, y + height), ink, line, cv2.LINE_AA)
        elif what == 2:
            cv2.circle(canvas, (x, y), width // 2, ink, line, cv2.LINE_AA)
        elif what == 3:
            points = np.array([x, y]) + rng.integers(-70, 70, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(canvas, [points.astype(np.int32)], ink, cv2.LINE_AA)
        elif what == 4:
            cv2.line(canvas, (x, y), (x + width * 2 - 150, y + height * 2 - 150), ink, abs(line), cv2.LINE_AA)
        elif what == 5:
            words = "".join(chr(c) for c in rng.integers(97, 123, int(rng.integers(3, 9)))).title()
            cv2.putText(canvas, words, (x, y), 2, float(rng.uniform(0.3, 1.4)), ink, 1, cv2.LINE_AA)
        elif what == 6:
            number = str(rng.integers(1, 21))
            cv2.putText(canvas, number, (x, y), 0, float(rng.uniform(0.5, 2.5)), ink, 3, cv2.LINE_AA)
        else:
            step = int(rng.integers(8, 24))
            for dx in range(int(rng.integers(1, 4))):
                for dy in range(int(rng.integers(1, 4))):
                    cv2.circle(canvas, (x + dx * step, y + dy * step), step // 4, ink, -1, cv2.LINE_AA)
    return ((canvas / np.float32(255)) ** 2.2).astype(np.float32)


_PAINTERS = {
    "felt": _felt,
    "wood": _wood,
    "cloth": _cloth,
    "paper": _paper,
    "leather": _leather,
    "stone": _stone,
    "board": _board,
    "plain": _plain,
}
