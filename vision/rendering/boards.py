"""Printed boards and charts: scattered fields, tracks of squares, maps with harbours, star charts; linear BGR."""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.looks import Ink, coded
from vision.rendering.materials import any_hue, fibres, grown_noise
from vision.rendering.noise import SIZE

Canvas = NDArray[np.uint8]
Picture = NDArray[np.float32]
Rng = np.random.Generator


def scattered(rng: Rng) -> Picture:
    """Return a printed game board: fields, circles, lines, words, numbers, drawn pips; nothing of it is a die."""
    canvas = np.zeros((SIZE, SIZE, 3), np.uint8)
    canvas[:] = (any_hue(rng, (0, 0.7), (0.2, 0.95)) ** (1 / 2.2) * 255).astype(np.uint8)
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


def squares(rng: Rng) -> Picture:
    """Return a board of squares: chequered, or a track with numbers, dots, discs and arrows in its fields."""
    count = int(rng.choice([2, 4, 6, 8, 10]))
    step = SIZE / count
    palette = [coded(any_hue(rng, (0, 0.8), (0.15, 0.95))) for _ in range(int(rng.integers(2, 6)))]
    canvas = np.zeros((SIZE, SIZE, 3), np.uint8)
    chequered, line = rng.random() < 0.5, int(rng.integers(0, 5))
    ink, disc = (coded(any_hue(rng, (0, 1), value)) for value in ((0.02, 0.3), (0.6, 1)))
    marks, share = int(rng.integers(6)), rng.uniform(0.3, 1)
    for row in range(count):
        for column in range(count):
            fill = palette[(row + column) % 2] if chequered else palette[int(rng.integers(len(palette)))]
            low = np.array([column, row]) * step
            corners = np.round([low, low + step]).astype(int).tolist()
            cv2.rectangle(canvas, corners[0], corners[1], fill, -1)
            if line:
                cv2.rectangle(canvas, corners[0], corners[1], ink, line, cv2.LINE_AA)
            if rng.random() < share:
                _mark(rng, canvas, marks, low + step / 2, step, ink, disc)
    return _on_card(rng, canvas)


def _mark(rng: Rng, canvas: Canvas, kind: int, middle: NDArray[np.float64], step: float, ink: Ink, disc: Ink) -> None:
    """Print a field's mark: nothing, a number, a disc with one, a dot, a ring of dots, or an arrow."""
    x, y = (int(v) for v in middle)
    radius = int(step * 0.3)
    if kind in (2, 5):
        cv2.circle(canvas, (x, y), radius, disc, -1, cv2.LINE_AA)
        cv2.circle(canvas, (x, y), radius, ink, 2, cv2.LINE_AA)
    if kind in (1, 2):
        _label(canvas, str(rng.integers(1, 100)), x, y, step * 0.3, ink)
    elif kind == 3:
        cv2.circle(canvas, (x, y), max(3, radius // 3), ink, -1, cv2.LINE_AA)
    elif kind == 4:
        for turn in np.arange(8) * (math.pi / 4):
            spot = round(x + radius * math.cos(turn)), round(y + radius * math.sin(turn))
            cv2.circle(canvas, spot, max(2, radius // 6), ink, -1, cv2.LINE_AA)
    elif kind == 5:
        turn = rng.uniform(0, 2 * math.pi)
        end = round(x + radius * math.cos(turn)), round(y + radius * math.sin(turn))
        cv2.arrowedLine(canvas, (x, y), end, ink, 2, cv2.LINE_AA, 0, 0.5)


def sea_map(rng: Rng) -> Picture:
    """Return a map: islands in a sea, coasts, harbours on them, routes of dots, names, now and then fields of six."""
    height = grown_noise("cloud", rng)[..., 0]
    level = float(np.quantile(height, rng.uniform(0.35, 0.75)))
    sea, land, hill = (any_hue(rng, (0.1, 0.8), value) for value in ((0.3, 0.9), (0.4, 0.95), (0.3, 0.8)))
    canvas = np.zeros((SIZE, SIZE, 3), np.uint8)
    canvas[:] = coded(sea)
    shore = (height > level).astype(np.uint8)
    canvas[shore > 0] = coded(land)
    canvas[height > level + 0.15] = coded(hill)
    ink = coded(any_hue(rng, (0, 0.8), (0.02, 0.35)))
    coasts, _ = cv2.findContours(shore, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    cv2.drawContours(canvas, coasts, -1, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    if rng.random() < 0.5:
        _six_sided(rng, canvas, ink)
    elif rng.random() < 0.6:
        for at in range(0, SIZE, SIZE // int(rng.choice([4, 8]))):
            cv2.line(canvas, (at, 0), (at, SIZE), ink, 1, cv2.LINE_AA)
            cv2.line(canvas, (0, at), (SIZE, at), ink, 1, cv2.LINE_AA)
    harbours = [tuple(int(v) for v in coast[rng.integers(len(coast)), 0]) for coast in coasts if len(coast) > 20]
    for x, y in harbours[:14]:
        _harbour(rng, canvas, x, y, ink)
    for (x, y), (u, v) in pairwise(harbours):
        for share in np.linspace(0, 1, max(2, int(math.hypot(u - x, v - y) / 9))):
            spot = round(x + (u - x) * share), round(y + (v - y) * share)
            cv2.circle(canvas, spot, 2, ink, -1, cv2.LINE_AA)
    return _on_card(rng, canvas)


def _harbour(rng: Rng, canvas: Canvas, x: int, y: int, ink: Ink) -> None:
    """Draw a harbour's disc with an anchor or a rate of exchange, or a town's dots and its name."""
    if rng.random() < 0.5:
        radius = int(rng.integers(9, 22))
        cv2.circle(canvas, (x, y), radius, (225, 238, 242), -1, cv2.LINE_AA)
        cv2.circle(canvas, (x, y), radius, ink, 2, cv2.LINE_AA)
        if rng.random() < 0.5:
            _label(canvas, f"{rng.integers(2, 5)}:1", x, y, radius * 0.7, ink)
        else:
            cv2.line(canvas, (x, y - radius // 2), (x, y + radius // 2), ink, 2, cv2.LINE_AA)
            cv2.ellipse(canvas, (x, y), (radius // 2, radius // 2), 0, 20, 160, ink, 2, cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(1, 5))):
            spot = x + int(rng.integers(-14, 15)), y + int(rng.integers(-14, 15))
            cv2.circle(canvas, spot, int(rng.integers(3, 6)), ink, -1, cv2.LINE_AA)
        words = "".join(rng.choice(list("aeiourstlnm"), int(rng.integers(4, 9)))).title()
        cv2.putText(canvas, words, (x + 12, y), 2, float(rng.uniform(0.35, 0.6)), ink, 1, cv2.LINE_AA)


def _six_sided(rng: Rng, canvas: Canvas, ink: Ink) -> None:
    """Draw a net of hexagons, some filled, some with a numbered disc and its dots; it repeats itself."""
    columns, rows = ((5, 6), (7, 8), (9, 10))[int(rng.integers(3))]
    wide, high = SIZE / columns, SIZE / rows
    angle = math.pi / 6 + np.arange(6) * (math.pi / 3)
    rim = np.stack([np.cos(angle) * wide / math.sqrt(3), np.sin(angle) * high / 1.5], axis=1)
    fills = [coded(any_hue(rng, (0.2, 0.8), (0.3, 0.9))) for _ in range(5)]
    kinds = rng.integers(0, 10, (rows, columns))
    numbers = rng.choice([0, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12], (rows, columns))
    for row, column in np.ndindex(rows + 2, columns + 2):
        kind, number = kinds[row % rows, column % columns], int(numbers[row % rows, column % columns])
        x, y = (column - 0.5 * (row % 2)) * wide, row * high
        corners = np.round(rim + np.array([x, y])).astype(np.int32)
        if kind < len(fills):
            cv2.fillConvexPoly(canvas, corners, fills[kind], cv2.LINE_AA)
        cv2.polylines(canvas, [corners], True, ink, 2, cv2.LINE_AA)
        if number and kind % 2:
            _numbered_disc(canvas, round(x), round(y), wide, number, ink)


def _numbered_disc(canvas: Canvas, x: int, y: int, wide: float, number: int, ink: Ink) -> None:
    """Print a disc with a number and, below it, a dot for each way in which two dice give it."""
    cv2.circle(canvas, (x, y), int(wide * 0.2), (200, 230, 240), -1, cv2.LINE_AA)
    _label(canvas, str(number), x, y - int(wide * 0.03), wide * 0.15, ink)
    dots = 6 - abs(7 - number)
    for k in range(dots):
        spot = round(x + (k - (dots - 1) / 2) * wide * 0.05), y + int(wide * 0.12)
        cv2.circle(canvas, spot, max(1, round(wide * 0.018)), ink, -1, cv2.LINE_AA)


def star_chart(rng: Rng) -> Picture:
    """Return a chart of stars: dots of many sizes, figures drawn between them, circles, a net, letters."""
    night = rng.random() < 0.75
    sky, light = any_hue(rng, (0.3, 0.9), (0.04, 0.35)), any_hue(rng, (0, 0.3), (0.8, 1))
    paper, star = (sky, light) if night else (light, sky)
    canvas = np.zeros((SIZE, SIZE, 3), np.uint8)
    canvas[:] = coded(paper)
    faint, ink = coded(paper + 0.35 * (star - paper)), coded(star)
    middle = rng.integers(0, SIZE, 2).tolist()
    for radius in range(60, 700, int(rng.integers(50, 130))):
        cv2.circle(canvas, middle, radius, faint, 1, cv2.LINE_AA)
    for turn in np.arange(12) * (math.pi / 6):
        end = round(middle[0] + 800 * math.cos(turn)), round(middle[1] + 800 * math.sin(turn))
        cv2.line(canvas, middle, end, faint, 1, cv2.LINE_AA)
    for _ in range(int(rng.integers(6, 16))):
        figure = rng.uniform(0, SIZE, 2) + rng.normal(0, 45, (int(rng.integers(3, 8)), 2))
        cv2.polylines(canvas, [figure.astype(np.int32)], False, faint, 1, cv2.LINE_AA)
        for x, y in figure.astype(int):
            cv2.circle(canvas, (int(x), int(y)), int(rng.integers(3, 9)), ink, -1, cv2.LINE_AA)
        label = "".join(rng.choice(list("abcdelmnorstu"), int(rng.integers(1, 9)))).title()
        where = figure[0].astype(int) + 8
        cv2.putText(canvas, label, where.tolist(), 0, float(rng.uniform(0.35, 0.6)), ink, 1, cv2.LINE_AA)
    for x, y in rng.integers(0, SIZE, (int(rng.integers(60, 260)), 2)):
        radius = round(1.2 + rng.pareto(2.5) * 1.5)
        cv2.circle(canvas, (int(x), int(y)), min(radius, 9), ink, -1, cv2.LINE_AA)
    return _on_card(rng, canvas)


def _label(canvas: Canvas, text: str, x: int, y: int, high: float, ink: Ink) -> None:
    """Write `text` about (x, y), `high` pixels high."""
    size, bold = high / 21, max(1, round(high / 8))
    (width, height), _ = cv2.getTextSize(text, 0, size, bold)
    cv2.putText(canvas, text, (x - width // 2, y + height // 2), 0, size, ink, bold, cv2.LINE_AA)


def _on_card(rng: Rng, canvas: Canvas) -> Picture:
    """Return the print on card: a little mottled, with the card's grain."""
    mottled = (0.93 + 0.12 * grown_noise("cloud", rng)) * (1 + 0.015 * fibres(rng, 0.8))
    return np.asarray((canvas / np.float32(255)) ** 2.2 * mottled, dtype=np.float32)
