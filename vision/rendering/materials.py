"""What table tops are made of: felt, leather, wood, woven cloth, paper, stone, lacquer; seamless, linear BGR."""

from __future__ import annotations

import colorsys
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.looks import Colour, linear
from vision.rendering.noise import SIZE, noise_tile


def any_hue(rng: np.random.Generator, saturation: tuple[float, float], value: tuple[float, float]) -> Colour:
    return linear(colorsys.hsv_to_rgb(rng.random(), rng.uniform(*saturation), rng.uniform(*value)))


def grown_noise(
    kind: Literal["swirl", "fleck", "grain", "cloud", "white"], rng: np.random.Generator
) -> NDArray[np.float32]:
    return noise_tile(kind, int(rng.integers(8)))[..., None]


def fibres(rng: np.random.Generator, sigma: float, aspect: float = 1.0) -> NDArray[np.float32]:
    """Return seamless noise around 0 of deviation 1, stretched by `aspect` downwards."""
    white = np.pad(grown_noise("white", rng)[..., 0], 32, mode="wrap")
    soft = cv2.GaussianBlur(white, (0, 0), sigma, sigmaY=sigma * aspect)[32:-32, 32:-32]
    return np.asarray(((soft - soft.mean()) / soft.std())[..., None], dtype=np.float32)


def felt(rng: np.random.Generator) -> NDArray[np.float32]:
    base = any_hue(rng, (0.35, 0.95), (0.12, 0.6)) if rng.random() < 0.75 else any_hue(rng, (0, 0.1), (0.05, 0.5))
    wool = 0.10 * fibres(rng, 0.8) + 0.07 * fibres(rng, 2.5)
    return np.asarray(base * (1 + wool) * (0.85 + 0.3 * grown_noise("cloud", rng)), dtype=np.float32)


def leather(rng: np.random.Generator) -> NDArray[np.float32]:
    warm = linear(colorsys.hsv_to_rgb(rng.uniform(0.02, 0.1), rng.uniform(0.3, 0.8), rng.uniform(0.15, 0.7)))
    base = warm if rng.random() < 0.5 else any_hue(rng, (0.3, 0.9), (0.08, 0.6))
    grain = np.clip(fibres(rng, 2.2), -1.5, 0.5)
    return base * (1 + 0.10 * grain + 0.03 * fibres(rng, 0.7)) * (0.8 + 0.4 * grown_noise("cloud", rng))


def wood(rng: np.random.Generator) -> NDArray[np.float32]:
    hue = rng.uniform(0.05, 0.11)
    base = linear(colorsys.hsv_to_rgb(hue, rng.uniform(0.15, 0.7), rng.uniform(0.25, 0.88)))
    rings = int(rng.integers(5, 18))
    across = np.linspace(0, 2 * np.pi * rings, SIZE, endpoint=False, dtype=np.float32)[None, :, None]
    bend = cv2.resize(grown_noise("cloud", rng)[:, :, 0], (SIZE, SIZE))[..., None]
    # stretched along the grain: sampled eight times coarser downwards
    stretched = cv2.resize(bend[: SIZE // 8], (SIZE, SIZE), interpolation=cv2.INTER_CUBIC)[..., None]
    stretched = (stretched + stretched[::-1]) / 2
    wave = np.sin(across + 9 * stretched) + 0.5 * np.sin(2.3 * across + 14 * stretched)
    pores = np.minimum(fibres(rng, 0.6, 14), 0)
    shade = 1 + rng.uniform(0.04, 0.16) * wave + rng.uniform(0.03, 0.12) * pores
    if rng.random() < 0.4:  # planks
        shade[:, :: SIZE // int(rng.choice([2, 4]))] *= 0.45
    return np.asarray(base * shade, dtype=np.float32)


def cloth(rng: np.random.Generator) -> NDArray[np.float32]:
    base = any_hue(rng, (0, 0.8), (0.2, 0.95))
    shade = np.ones((SIZE, SIZE, 1), np.float32) * base
    if rng.random() < 0.6:  # checks or stripes
        other = any_hue(rng, (0, 0.9), (0.15, 0.95))
        period = SIZE // int(rng.choice([4, 8, 16, 32]))
        band = ((np.arange(SIZE) // (period // 2)) % 2).astype(np.float32)
        mixed = band[None, :] if rng.random() < 0.4 else (band[None, :] + band[:, None]) / 2
        shade = shade + (other - shade) * mixed[..., None]
    step = int(rng.choice([2, 4, 8]))
    thread = np.sin(np.arange(SIZE) * 2 * np.pi / step).astype(np.float32)
    weave = (thread[None, :] * thread[:, None])[..., None]
    return shade * (1 + 0.08 * weave + 0.05 * fibres(rng, 0.8))


def paper(rng: np.random.Generator) -> NDArray[np.float32]:
    shade = linear((0.9, 0.9, 0.88)) * (0.9 + 0.12 * grown_noise("cloud", rng)) * (1 + 0.012 * fibres(rng, 0.7))
    kind = rng.random()
    if kind < 0.5:
        period = SIZE // int(rng.choice([16, 32]))
        rule = np.zeros((SIZE, SIZE, 1), np.float32)
        rule[::period] = 1
        if kind < 0.25:
            rule[:, ::period] = 1
        shade = shade * (1 - 0.35 * rule * np.array([0.3, 0.7, 1.0], np.float32))
    return np.asarray(shade, dtype=np.float32)


def stone(rng: np.random.Generator) -> NDArray[np.float32]:
    base, other = any_hue(rng, (0, 0.15), (0.2, 0.85)), any_hue(rng, (0, 0.3), (0.1, 0.9))
    if rng.random() < 0.5:
        return base + (other - base) * grown_noise("swirl", rng) * 0.6
    shade = base + (other - base) * grown_noise("fleck", rng)
    third = any_hue(rng, (0, 0.2), (0.05, 0.95))
    return np.asarray(shade + (third - shade) * np.roll(grown_noise("fleck", rng), 131, axis=1) * 0.8, dtype=np.float32)


def plain(rng: np.random.Generator) -> NDArray[np.float32]:
    base = any_hue(rng, (0, 0.2), (0.3, 0.95)) if rng.random() < 0.6 else any_hue(rng, (0.3, 1), (0.15, 0.9))
    return np.asarray(base * (0.94 + 0.1 * grown_noise("cloud", rng)) * (1 + 0.01 * fibres(rng, 0.7)), dtype=np.float32)
