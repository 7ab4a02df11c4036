"""Changes to a picture that a die survives (light, colour, blur, noise, JPEG); grounds with clutter that is no die."""

from __future__ import annotations

import math

import cv2
import numpy as np

SQUEEZED, OFTEN_SQUEEZED = 0.55, 0.3
"""The logarithm of how much a picture's sides may be out of proportion, and how often they are in training.

Many a picture on the web was brought to a square: a die in it is up to 1.7 times as tall as it is wide, or as wide.
"""


def shake(
    rng: np.random.Generator, image: np.ndarray, *, colour: float = 1.0, grain: float = 12.0, blur: float = 1.5
) -> np.ndarray:
    """Return `image` (BGR uint8) under other light and through another camera.

    `colour` scales the change of colour; `grain` (grey levels) and `blur` (pixels) are the most there can be of each.
    """
    pixels = image.astype(np.float32)
    if rng.random() < 0.8:
        pixels *= np.exp(rng.normal(0, 0.10 * colour, 3)).astype(np.float32)
    if rng.random() < 0.5 * colour:
        grey = pixels @ np.array([0.114, 0.587, 0.299], np.float32)
        keep = 0.0 if rng.random() < 0.15 * colour else rng.uniform(0.4, 1.5)
        pixels = grey[..., None] + (pixels - grey[..., None]) * keep
    if rng.random() < 0.12 * colour:
        pixels = pixels[..., rng.permutation(3)]
    pixels = 255 * np.clip(pixels / 255, 0, 1) ** float(np.exp(rng.normal(0, 0.28)))
    pixels = (pixels - 110) * rng.uniform(0.65, 1.2) + 110 + rng.normal(0, 14)
    image = np.clip(pixels, 0, 255).astype(np.uint8)
    kind = rng.random()
    if kind < 0.18:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, blur))
    elif kind < 0.26:
        image = cv2.filter2D(image, -1, _streak(rng))
    elif kind < 0.34:
        image = cv2.addWeighted(image, 1.7, cv2.GaussianBlur(image, (0, 0), 1.0), -0.7, 0)
    if rng.random() < 0.5:
        noise = rng.normal(0, rng.uniform(0, 1) ** 2 * grain, (*image.shape[:2], 3 if rng.random() < 0.6 else 1))
        image = np.clip(image + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.1:
        grain = rng.random(image.shape[:2])
        image[grain < 0.006] = 0
        image[grain > 0.994] = 255
    if rng.random() < 0.35:
        _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(30, 95))])
        image = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    return image


def _streak(rng: np.random.Generator) -> np.ndarray:
    size = int(rng.integers(3, 7))
    line = np.zeros((size, size), np.float32)
    line[size // 2] = 1.0
    turn = cv2.getRotationMatrix2D((size / 2 - 0.5, size / 2 - 0.5), rng.uniform(0, 180), 1)
    line = cv2.warpAffine(line, turn, (size, size))
    return line / max(float(line.sum()), 1e-3)


def any_colour(rng: np.random.Generator) -> tuple[int, int, int]:
    """Return a colour as tables, cloths and tokens have them, in BGR."""
    hue, chroma, light = rng.uniform(0, 180), rng.beta(1.2, 1.8) * 255, rng.beta(2, 1.5) * 255
    blue, green, red = cv2.cvtColor(np.uint8([[[hue, chroma, light]]]), cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def ground(rng: np.random.Generator, size: int) -> np.ndarray:
    """Return a made-up table top, `size` pixels square: a colour, mottled, grained, striped or checked."""
    picture = np.full((size, size, 3), any_colour(rng), np.float32)
    for cells in (int(rng.integers(2, 8)), int(rng.integers(10, 60)), int(rng.integers(60, size))):
        grain = rng.random((cells, max(2, int(cells * rng.choice([1, 1, 0.2])))), np.float32) - 0.5
        grain = cv2.resize(grain, (size, size), interpolation=cv2.INTER_CUBIC)
        picture += grain[..., None] * rng.uniform(0, 45) * rng.uniform(0.6, 1.0, 3)
    if rng.random() < 0.3:
        step, along = int(rng.integers(8, 90)), rng.uniform(0, math.pi)
        rows, columns = np.mgrid[:size, :size]
        wave = np.sin((columns * math.cos(along) + rows * math.sin(along)) * 2 * math.pi / step)
        if rng.random() < 0.5:
            wave = wave * np.sin((rows * math.cos(along) - columns * math.sin(along)) * 2 * math.pi / step)
        picture += (wave > rng.uniform(-0.5, 0.9))[..., None] * rng.uniform(-50, 50, 3)
    return np.clip(picture, 0, 255).astype(np.uint8)


def strew(rng: np.random.Generator, image: np.ndarray, pieces: int) -> None:
    """Draw `pieces` things on `image` that lie on gaming tables and are no dice: tokens, feet, cards, print, cables."""
    size = image.shape[0]
    for _ in range(pieces):
        x, y = (int(edge) for edge in rng.uniform(0, size, 2))
        radius = int(np.exp(rng.uniform(math.log(5), math.log(50))))
        colour, second = any_colour(rng), any_colour(rng)
        kind = rng.integers(0, 7)
        if kind <= 1:
            cv2.circle(image, (x + 2, y + 3), radius, (30, 30, 30), -1, cv2.LINE_AA)
            cv2.circle(image, (x, y), radius, colour, -1, cv2.LINE_AA)
            if rng.random() < 0.6:
                cv2.circle(image, (x, y), int(radius * 0.75), second, int(rng.integers(1, 4)), cv2.LINE_AA)
            if rng.random() < 0.5 and radius > 8:
                _print(rng, image, x, y, radius, second)
        elif kind == 2:
            corners = cv2.boxPoints(((x, y), (radius * 3, radius * rng.uniform(2, 5)), rng.uniform(0, 180)))
            cv2.fillConvexPoly(image, corners.astype(np.int32), colour, cv2.LINE_AA)
            cv2.polylines(image, [corners.astype(np.int32)], True, second, int(rng.integers(1, 4)), cv2.LINE_AA)
        elif kind == 3:
            _print(rng, image, x, y, radius, colour)
        elif kind == 4:
            points = np.cumsum(rng.normal(0, radius, (6, 2)), axis=0) + np.array([x, y])
            cv2.polylines(image, [points.astype(np.int32)], False, colour, int(rng.integers(2, 10)), cv2.LINE_AA)
        elif kind == 5:
            sides = int(rng.integers(3, 7))
            turn = rng.uniform(0, 6.28)
            angles = turn + np.arange(sides) * 2 * math.pi / sides
            corners = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], 1).astype(np.int32)
            cv2.fillConvexPoly(image, corners, colour, cv2.LINE_AA)
            if rng.random() < 0.5:
                cv2.polylines(image, [corners], True, second, 2, cv2.LINE_AA)
        else:
            for _ in range(int(rng.integers(1, 9))):
                px, py = (int(edge) for edge in rng.normal((x, y), radius))
                cv2.circle(image, (px, py), int(rng.integers(1, 5)), colour, -1, cv2.LINE_AA)


def _print(
    rng: np.random.Generator, image: np.ndarray, x: int, y: int, size: int, colour: tuple[int, int, int]
) -> None:
    text = "".join(rng.choice(list("0123456789ABCDEFabcdef-?!"), int(rng.integers(1, 8))))
    scale = size / 22
    where = (int(x - size * 0.4), int(y + size * 0.4))
    cv2.putText(image, text, where, int(rng.integers(0, 8)), scale, colour, max(1, int(scale * 2)), cv2.LINE_AA)
