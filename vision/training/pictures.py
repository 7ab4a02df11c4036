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
    mix = np.eye(3)
    if rng.random() < 0.8:
        mix *= np.exp(rng.normal(0, 0.10 * colour, 3))[:, None]
    if rng.random() < 0.5 * colour:
        grey = np.tile(np.array([0.114, 0.587, 0.299]) @ mix, (3, 1))
        keep = 0.0 if rng.random() < 0.15 * colour else rng.uniform(0.4, 1.5)
        mix = grey + (mix - grey) * keep
    if rng.random() < 0.12 * colour:
        mix = mix[rng.permutation(3)]
    light = 255 * np.linspace(0, 1, 256) ** float(np.exp(rng.normal(0, 0.28)))
    light = (light - 110) * rng.uniform(0.65, 1.2) + 110 + rng.normal(0, 14)
    image = cv2.LUT(cv2.transform(image, mix), np.clip(light, 0, 255).astype(np.uint8))
    kind = rng.random()
    if kind < 0.18:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, blur))
    elif kind < 0.26:
        image = cv2.filter2D(image, -1, _streak(rng))
    elif kind < 0.34:
        image = cv2.addWeighted(image, 1.7, cv2.GaussianBlur(image, (0, 0), 1.0), -0.7, 0)
    if rng.random() < 0.5:
        noise = rng.standard_normal((*image.shape[:2], 3 if rng.random() < 0.6 else 1), np.float32)
        image = np.clip(image + noise * np.float32(rng.uniform(0, 1) ** 2 * grain), 0, 255).astype(np.uint8)
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
    """Return a made-up table top, `size` pixels square: mottled, grained, striped, woven, tiled or printed."""
    picture = np.full((size, size, 3), any_colour(rng), np.float32)
    for cells in (int(rng.integers(2, 8)), int(rng.integers(10, 60)), int(rng.integers(60, size))):
        grain = rng.random((cells, max(2, int(cells * rng.choice([1, 1, 0.2])))), np.float32) - 0.5
        grain = cv2.resize(grain, (size, size), interpolation=cv2.INTER_LINEAR)
        picture += grain[..., None] * (rng.uniform(0, 45) * rng.uniform(0.6, 1.0, 3)).astype(np.float32)
    fate = rng.random()
    if fate < 0.15:
        step, along = int(rng.integers(8, 90)), rng.uniform(0, math.pi)
        rows, columns = np.mgrid[:size, :size]
        wave = np.sin((columns * math.cos(along) + rows * math.sin(along)) * 2 * math.pi / step)
        if rng.random() < 0.5:
            wave = wave * np.sin((rows * math.cos(along) - columns * math.sin(along)) * 2 * math.pi / step)
        picture += (wave > rng.uniform(-0.5, 0.9))[..., None] * rng.uniform(-50, 50, 3)
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    if 0.15 <= fate < 0.4:
        picture = _leaning(rng, _woven(rng, picture))
    elif 0.4 <= fate < 0.6:
        picture = _leaning(rng, _tiled(rng, picture))
    elif 0.6 <= fate < 0.68:
        strew(rng, picture, int(rng.integers(20, 90)))
    return picture


def _leaning(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """Return `picture` turned, nearer or farther, and as if seen askew; what lies beyond is mirrored."""
    size = picture.shape[0]
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), float(np.exp(rng.uniform(-0.9, 0.5))))
    lean = np.vstack([turn, [*(rng.normal(0, 0.25, 2) / size), 1]])
    return cv2.warpPerspective(picture, lean, (size, size), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)


def _woven(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """Return a cloth: coloured bands that run both ways and are darkest, or hatched, where they cross."""
    size = picture.shape[0]
    cloth = picture.astype(np.float32)
    step = rng.uniform(20, 110)
    bands = [
        (
            any_colour(rng),
            rng.uniform(0, step),
            float(np.exp(rng.uniform(0.8, math.log(step / 2)))),
            rng.uniform(0.3, 1),
        )
        for _ in range(int(rng.integers(1, 5)))
    ]
    place = np.arange(size, dtype=np.float32)
    hatch = np.sin(np.add.outer(place, place) * (2 * math.pi / rng.uniform(2.5, 6))) > 0
    hatched = rng.random() < 0.6
    for axis in (0, 1):
        for colour, start, wide, strength in bands:
            period = step if rng.random() < 0.8 else step * 2
            on = ((place - start) % period < wide).astype(np.float32) * np.float32(strength)
            share = on[:, None] * np.ones(size, np.float32) if axis else np.ones((size, 1), np.float32) * on
            if hatched and axis:
                share = share * np.where(hatch, 1.0, 0.35).astype(np.float32)
            cloth += (np.array(colour, np.float32) - cloth) * share[..., None]
    return cloth.astype(np.uint8)


def _tiled(rng: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """Return a printed board: squares or hexagons in a few colours, with discs, numbers and small pictures on them."""
    size = picture.shape[0]
    palette = [any_colour(rng) for _ in range(int(rng.integers(2, 6)))]
    line, disc, ink = any_colour(rng), any_colour(rng), any_colour(rng)
    wide = rng.uniform(18, 110)
    sides = 4 if rng.random() < 0.5 else 6
    high = wide if sides == 4 else wide * 0.866
    edge = int(rng.integers(0, 4))
    turn = math.pi / 4 if sides == 4 else math.pi / 6
    radius = wide / (math.sqrt(2) if sides == 4 else math.sqrt(3))
    numbered, discs, marked = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5
    chequered = rng.random() < 0.3
    angles = turn + np.arange(sides) * 2 * math.pi / sides
    for row in range(int(size / high) + 2):
        for column in range(int(size / wide) + 2):
            x, y = (column + (0.5 * (row % 2) if sides == 6 else 0)) * wide, row * high
            corners = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], 1).astype(np.int32)
            fill = palette[(row + column) % 2] if chequered else palette[rng.integers(len(palette))]
            if chequered or rng.random() < 0.8:
                cv2.fillConvexPoly(picture, corners, fill, cv2.LINE_AA)
            if edge:
                cv2.polylines(picture, [corners], True, line, edge, cv2.LINE_AA)
            where = int(x), int(y)
            if discs and rng.random() < 0.8:
                cv2.circle(picture, where, max(3, int(wide * 0.2)), disc, -1, cv2.LINE_AA)
            if numbered and rng.random() < 0.8:
                text = str(rng.integers(1, 21))
                size_of = wide / 90
                cv2.putText(picture, text, (where[0] - int(9 * size_of * len(text)), where[1] + int(9 * size_of)), 0,
                            size_of, ink, max(1, round(wide / 40)), cv2.LINE_AA)  # fmt: skip
            if marked and rng.random() < 0.4:
                _icon(rng, picture, x + rng.normal(0, wide / 4), y + rng.normal(0, wide / 4), wide * 0.18)
    return picture


def _icon(rng: np.random.Generator, image: np.ndarray, x: float, y: float, radius: float) -> None:
    """Draw a small printed picture: a light or dark shape of any outline with a few strokes and dots in it."""
    count = int(rng.integers(3, 9))
    angles = np.sort(rng.uniform(0, 2 * math.pi, count))
    reach = radius * rng.uniform(0.5, 1.3, count)
    outline = np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], 1).astype(np.int32)
    cv2.fillPoly(image, [outline], any_colour(rng), cv2.LINE_AA)
    for _ in range(int(rng.integers(1, 5))):
        begin, end = (rng.normal((x, y), radius * 0.45).astype(int) for _ in range(2))
        cv2.line(
            image, tuple(map(int, begin)), tuple(map(int, end)), any_colour(rng), int(rng.integers(1, 4)), cv2.LINE_AA
        )


def strew(rng: np.random.Generator, image: np.ndarray, pieces: int) -> None:
    """Draw `pieces` things on `image` that lie on gaming tables and are no dice: tokens, feet, cards, print, cables."""
    size = image.shape[0]
    for _ in range(pieces):
        x, y = (int(edge) for edge in rng.uniform(0, size, 2))
        radius = int(np.exp(rng.uniform(math.log(5), math.log(50))))
        colour, second = any_colour(rng), any_colour(rng)
        kind = rng.integers(0, 11)
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
        elif kind == 6:
            _icon(rng, image, x, y, radius)
        elif kind == 7:
            _key(rng, image, x, y, radius, colour, second)
        elif kind == 8:
            _card(rng, image, x, y, radius)
        elif kind == 9:
            _block(rng, image, x, y, radius, np.array(colour, float))
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


def _key(
    rng: np.random.Generator, image: np.ndarray, x: int, y: int, size: int, colour: tuple[int, int, int],
    ink: tuple[int, int, int],
) -> None:  # fmt: skip
    """Draw keys in rows, as of a keyboard or a telephone."""
    wide, gap = size * 1.5, size * rng.uniform(1.6, 2.2)
    turn = rng.uniform(0, 2 * math.pi)
    along = np.array([math.cos(turn), math.sin(turn)])
    across = np.array([-along[1], along[0]])
    for row in range(int(rng.integers(1, 4))):
        for column in range(int(rng.integers(2, 7))):
            px, py = np.array([x, y]) + along * gap * column + across * gap * row
            corners = cv2.boxPoints(((float(px), float(py)), (wide, wide * 0.95), math.degrees(turn))).astype(np.int32)
            cv2.fillConvexPoly(image, corners, colour, cv2.LINE_AA)
            if size > 7 and rng.random() < 0.9:
                _print(rng, image, int(px), int(py), size // 2, ink)


def _card(rng: np.random.Generator, image: np.ndarray, x: int, y: int, size: int) -> None:
    """Draw a playing card with its signs in two or three rows; no round ones, or it would be a die seen from above."""
    size = max(size, 12)
    high, wide = size * 4.2, size * 3.0
    turn = rng.uniform(0, 360)
    corners = cv2.boxPoints(((float(x), float(y)), (wide, high), turn)).astype(np.int32)
    light = int(rng.integers(200, 255))
    cv2.fillConvexPoly(image, corners, (light, light, light), cv2.LINE_AA)
    cv2.polylines(image, [corners], True, (90, 90, 90), 1, cv2.LINE_AA)
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    for column in (-0.25, 0.25) if rng.random() < 0.6 else (-0.28, 0.0, 0.28):
        for row in np.linspace(-0.33, 0.33, int(rng.integers(2, 5))):
            px, py = column * wide, row * high
            where = int(x + px * cos - py * sin), int(y + px * sin + py * cos)
            _icon(rng, image, *where, size * 0.3)


def _block(rng: np.random.Generator, image: np.ndarray, x: int, y: int, size: int, colour: np.ndarray) -> None:
    """Draw a long wooden block, a matchbox or a plug: a box whose three sides show, longer than a die."""
    turn = rng.uniform(0, 2 * math.pi)
    long, short = size * rng.uniform(2.2, 4.0), size * rng.uniform(0.6, 1.2)
    along = np.array([math.cos(turn), math.sin(turn)]) * long
    across = np.array([-math.sin(turn), math.cos(turn)]) * short
    up = np.array([rng.normal(0, 0.2), -1.0]) * size * rng.uniform(0.3, 0.9)
    base = np.array([x, y], float)
    for one, other, origin in ((along, across, base + up), (along, up, base), (across, up, base)):
        shade = np.clip(colour * rng.uniform(0.55, 1.15), 0, 255)
        corners = np.stack([origin, origin + one, origin + one + other, origin + other]).astype(np.int32)
        cv2.fillConvexPoly(image, corners, tuple(map(float, shade)), cv2.LINE_AA)
