"""What lens, sensor and file do to a picture: vignette, blur, white balance, tone, noise, JPEG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.noise import SIZE

Picture = NDArray[np.float32]
Photo = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Lens:
    """What a camera adds: `metering` 0 exposes for the picture, 1 for the light on the table, `exposure` is stops off.

    `blur` and `smear` in pixels, `noise` in grey levels, `quality` of JPEG.
    """

    metering: float
    exposure: float
    balance: tuple[float, float, float]
    contrast: float
    saturation: float
    vignette: float
    blur: float
    smear: float
    smear_angle: float
    sharpen: float
    noise: float
    quality: int


def draw_lens(rng: np.random.Generator, *, calm: bool = False) -> Lens:
    """Return a random lens; `calm` is a camera that was set up with care."""
    if calm:
        return Lens(
            metering=float(rng.uniform(0.8, 1)),
            exposure=float(rng.normal(0, 0.1)),
            balance=(float(rng.uniform(0.96, 1.05)), 1.0, float(rng.uniform(0.96, 1.05))),
            contrast=float(rng.uniform(0.95, 1.1)),
            saturation=float(rng.uniform(0.92, 1.1)),
            vignette=float(rng.uniform(0, 0.2)),
            blur=float(rng.uniform(0.35, 0.8)),
            smear=0.0,
            smear_angle=0.0,
            sharpen=float(rng.uniform(0, 0.5)),
            noise=float(rng.uniform(1, 3.5)),
            quality=int(rng.integers(82, 96)),
        )
    return Lens(
        metering=float(rng.uniform(0, 1)),
        exposure=float(rng.normal(0, 0.4)),
        balance=(float(rng.uniform(0.82, 1.18)), 1.0, float(rng.uniform(0.82, 1.18))),
        contrast=float(rng.uniform(0.8, 1.35)),
        saturation=float(rng.uniform(0.6, 1.35)),
        vignette=float(rng.uniform(0, 0.45)),
        blur=float(rng.choice([0.3, 0.6, 1.0, 1.6], p=[0.35, 0.38, 0.2, 0.07]) * rng.uniform(0.8, 1.2)),
        smear=float(rng.uniform(1.5, 4)) if rng.random() < 0.06 else 0.0,
        smear_angle=float(rng.uniform(0, math.pi)),
        sharpen=float(rng.uniform(0, 1.2)) if rng.random() < 0.5 else 0.0,
        noise=float(rng.choice([1.0, 3.0, 6.0, 12.0], p=[0.35, 0.42, 0.18, 0.05]) * rng.uniform(0.7, 1.3)),
        quality=int(rng.integers(35, 97)),
    )


def expose(rng: np.random.Generator, picture: Picture, lens: Lens, anchor: float) -> Photo:
    """Return the 8-bit photograph of linear light; `anchor` is the brightness that becomes middle grey."""
    gain = 0.2 / max(anchor, 0.02) * 2**lens.exposure
    balance = np.diag(np.array(lens.balance) * gain)
    saturation = lens.saturation * np.eye(3) + (1 - lens.saturation) * np.array([[0.0722, 0.7152, 0.2126]] * 3)
    seen = cv2.transform(picture, (saturation @ balance).astype(np.float32))
    if lens.vignette:
        seen = cv2.multiply(seen, cv2.merge([_vignette(picture.shape[1], picture.shape[0], lens.vignette)] * 3))
    photo: NDArray[Any] = _tone_curve(lens.contrast)[cv2.multiply(seen, np.full(4, _CODES), dtype=cv2.CV_16U)]
    if lens.blur > 0.3:
        photo = cv2.GaussianBlur(photo, (0, 0), lens.blur)
    if lens.smear:
        photo = cv2.filter2D(photo, -1, _smear_kernel(lens.smear, lens.smear_angle))
    if lens.sharpen:
        photo = cv2.addWeighted(photo, 1 + lens.sharpen, cv2.GaussianBlur(photo, (0, 0), 1.2), -lens.sharpen, 0)
    photo = _grained(rng, photo, lens.noise)
    coded = cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, lens.quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)


def _vignette(width: int, height: int, strength: float) -> Picture:
    x = np.linspace(-1, 1, width, dtype=np.float32) ** 2
    y = np.linspace(-1, 1, height, dtype=np.float32) ** 2
    return (1 - strength * 0.5 * (x[None, :] + y[:, None])).astype(np.float32)


def _smear_kernel(length: float, angle: float) -> Picture:
    size = int(length) * 2 + 3
    kernel = np.zeros((size, size), np.float32)
    half = np.array([math.cos(angle), math.sin(angle)]) * length / 2
    ends = np.round(((size - 1) / 2 + np.array([-half, half])) * 16).astype(int)
    cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


_CODES = 1024.0
"""16-bit codes for the light that comes out as white, were there no shoulder."""


def _tone_curve(contrast: float) -> Photo:
    """Return the 8-bit level of every 16-bit code: gamma with a soft shoulder, then contrast."""
    levels = np.arange(4096, dtype=np.float32) / _CODES  # four times white is clipped
    soft = np.where(levels < 0.7, levels, 0.7 + 0.3 * np.tanh((levels - 0.7) / 0.45))
    toned = np.clip(0.46 + (np.clip(soft, 0, 1) ** (1 / 2.2) - 0.46) * contrast, 0, 1)
    return np.pad((toned * 255 + 0.5).astype(np.uint8), (0, 65536 - 4096), mode="edge")


def _grained(rng: np.random.Generator, photo: Photo, noise: float) -> Photo:
    height, width = photo.shape[:2]
    top, left = (int(v) for v in rng.integers(0, SIZE, 2))
    tile = _grain(int(rng.integers(4)))
    grain = tile[np.arange(top, top + height) % SIZE][:, np.arange(left, left + width) % SIZE]
    share = noise / _GRAIN
    return np.asarray(cv2.addWeighted(photo, 1.0, grain, share, -128.0 * share), dtype=np.uint8)


_GRAIN = 30.0
"""Deviation of the kept grain, in grey levels round 128."""


@lru_cache(maxsize=4)
def _grain(number: int) -> Photo:
    """Return a SIZE square of sensor noise round 128, mostly of brightness, some of colour."""
    rng = np.random.default_rng((number, 5))
    shared = rng.normal(size=(SIZE, SIZE, 1))
    own = rng.normal(size=(SIZE, SIZE, 3))
    return np.clip(128 + _GRAIN * (0.85 * shared + 0.5 * own), 0, 255).astype(np.uint8)
