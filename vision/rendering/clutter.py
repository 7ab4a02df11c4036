"""Things on a table that are no dice: coins, cubes, meeples, cards, pens, fingers, pages, and whole sets of pieces."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering import prints
from vision.rendering.numerals import FontBook, built_in_fonts
from vision.rendering.prints import any_colour, scrawl
from vision.rendering.sets import draw_set
from vision.rendering.thing import Thing, box, circle
from vision.rendering.tray import Tray
from vision.rendering.view import View

Array = NDArray[np.float64]

OFTEN_SETS = 0.45
"""How often what lies somewhere is a set of pieces (dominoes, buttons, tiles) rather than a single thing."""


def _finger(length: float, radius: float) -> Array:
    """Return a finger along x with its tip at +x, a little thinner there."""
    angle = np.linspace(-math.pi / 2, math.pi / 2, 14)
    tip = np.stack([length / 2 - radius + radius * np.cos(angle), 0.9 * radius * np.sin(angle)], axis=1)
    knuckle = [[-0.05 * length, 0.97 * radius], [-0.2 * length, 1.06 * radius], [-length / 2, 1.1 * radius]]
    upper = np.array(knuckle)
    return np.vstack([tip, upper, upper[::-1] * [1, -1]])


def _meeple() -> Array:
    half = [
        (0, 9),
        (2.2, 8.4),
        (3.0, 6.5),
        (2.2, 4.6),
        (6.5, 3.0),
        (7.2, 1.2),
        (3.8, 0.2),
        (6.2, -6.5),
        (2.0, -7.5),
        (0.6, -4),
    ]
    right = np.array(half, dtype=float)
    left = right[::-1][:-1] * [-1, 1]
    return np.vstack([right, left])[::-1]


def draw_thing(rng: np.random.Generator, x: float, y: float) -> Thing:
    """Return a random thing with its middle at (x, y) mm."""
    colour = any_colour(rng)
    kind = rng.integers(12)
    picture: NDArray[np.uint8] | None = None
    solid, low, gloss = True, 0.0, float(rng.uniform(0, 1))
    if kind == 0:  # coin
        metal = np.array([(0.25, 0.45, 0.55), (0.45, 0.45, 0.45), (0.15, 0.25, 0.5)], np.float32)[rng.integers(3)]
        colour = metal * np.float32(rng.uniform(0.5, 1.3))
        outline, high = circle(rng.uniform(8, 13)), 2.0
        picture = scrawl(rng, colour) if rng.random() < 0.5 else None
    elif kind == 1:  # token of card or wood
        outline, high = circle(rng.uniform(5, 16), int(rng.choice([6, 8, 28]))), rng.uniform(2, 5)
        picture = scrawl(rng, colour) if rng.random() < 0.7 else None
    elif kind == 2:  # wooden cube, blank
        edge = rng.uniform(7, 16)
        outline, high = box(edge, edge), edge
    elif kind == 3:  # meeple lying flat
        outline, high = _meeple() * rng.uniform(0.9, 1.4), rng.uniform(6, 9)
    elif kind == 4:  # rubber foot or bottle top
        colour = np.full(3, rng.uniform(0.02, 0.3), np.float32)
        outline, high = circle(rng.uniform(4, 12)), rng.uniform(1.5, 6)
    elif kind == 5:  # card
        outline, high, solid = box(57, 87) * rng.uniform(0.7, 1.1), 0.4, False
        picture = scrawl(rng, np.clip(colour + 0.3, 0, 1))
    elif kind == 6:  # pen, stick, ruler
        outline, high = box(rng.uniform(90, 170), rng.uniform(5, 12)), rng.uniform(3, 9)
    elif kind == 7:  # finger or hand's edge
        skin = np.array((0.28, 0.4, 0.65), np.float32) * np.float32(rng.uniform(0.25, 1.1))
        colour = skin
        outline, high = _finger(rng.uniform(60, 110), rng.uniform(6, 9)), rng.uniform(8, 16)
    elif kind == 8:  # paper strip with print
        outline, high, solid = box(rng.uniform(20, 70), rng.uniform(15, 60)), 0.2, False
        picture = scrawl(rng, np.full(3, 0.8, np.float32))
    elif kind == 9:  # printed tile the size of a die, but longer than wide
        edge = rng.uniform(11, 24)
        outline, high = box(edge, edge * rng.uniform(1.2, 1.8)), rng.uniform(0.2, 2.5)
        picture, solid = scrawl(rng, colour), high > 1
    elif kind == 10:  # page of a rulebook, score sheet
        outline, high, solid = box(148, 210) * rng.uniform(0.4, 1.1), 0.1, False
        picture, gloss = prints.page(int(rng.integers(prints.PAGES))), gloss * 0.3
    else:  # pebble, bead, shell: an irregular lump
        lump = circle(rng.uniform(4, 9), 10)
        hull = cv2.convexHull((lump * rng.uniform(0.7, 1.1, (10, 1))).astype(np.float32))
        outline, high = np.asarray(hull[:, 0], dtype=np.float64), 5.0
    if cv2.contourArea(outline.astype(np.float32), oriented=True) < 0:
        outline = outline[::-1]
    angle = rng.uniform(0, 2 * math.pi)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return Thing(outline @ turn.T + [x, y], low, float(high), colour, picture, solid, gloss)


def draw_things(
    rng: np.random.Generator,
    view: View,
    count: int,
    *,
    tray: Tray | None = None,
    room: float = 0.3,
    fonts: FontBook | None = None,
) -> list[Thing]:
    """Return what lies at `count` places where the view sees the table: single things, and sets of pieces.

    Solid things keep clear of one another but for those of one set, and lie in the `tray` or beside it. A set covers at
    most `room` of what is seen.
    """
    things: list[Thing] = []
    taken = np.zeros((0, 3))
    scale = view.focal / float(np.linalg.norm(view.eye))
    area = room * view.width * view.height / scale**2
    book = fonts if fonts is not None else built_in_fonts()
    for _ in range(count):
        lone = rng.random() >= OFTEN_SETS
        drawn = [draw_thing(rng, 0.0, 0.0)] if lone else draw_set(rng, area, book)
        circles = np.array([(*thing.middle, thing.reach) for thing in drawn if thing.solid]).reshape(-1, 3)
        for _ in range(8):
            pixel = rng.uniform(-0.02, 1.02, 2) * [view.width, view.height]
            at = view.on_table(pixel[None])[0, :2]
            room_needed = circles + np.append(at, 0.0)
            if not _clear(room_needed, taken):
                continue
            new = [thing.moved(at, 0.0, low=thing.low, among=None if lone else at) for thing in drawn]
            new = _seen_whole(new, view)
            if new and not (tray is not None and any(tray.crosses(thing.outline) for thing in new)):
                things += new
                taken = np.vstack([taken, room_needed])
                break
    return things


def _clear(circles: Array, taken: Array) -> bool:
    """Return whether no circle (N,3: middle, reach) overlaps one of those taken."""
    apart = np.hypot(*(circles[:, None, :2] - taken[None, :, :2]).transpose(2, 0, 1))
    return bool((apart > circles[:, None, 2] + taken[None, :, 2]).all())


def _seen_whole(pieces: list[Thing], view: View) -> list[Thing]:
    """Return the pieces without those that the picture's edge must not cut; of a heap, none or all."""
    kept = [piece for piece in pieces if not piece.whole or piece.in_sight(view)]
    return [] if len(kept) < len(pieces) and any(piece.low for piece in pieces) else kept


def draw_cover(rng: np.random.Generator, place: Array, radius: float, eye: Array) -> Thing:
    """Return a card or finger held over a part of the die at `place`."""
    high = float(place[2] + radius * rng.uniform(1.1, 2.5))
    angle = rng.uniform(0, 2 * math.pi)
    away = np.array([math.cos(angle), math.sin(angle)])
    # seen from the eye, the cover's near edge lies this far from the die's middle
    aim = place + (eye - place) * ((high - place[2]) / (eye[2] - place[2]))
    if rng.random() < 0.5:
        outline = box(57, 87)
        colour = any_colour(rng)
        span = 28.5
    else:
        outline = _finger(85, 8.5)[::-1] * [-1, 1]
        colour = np.array((0.28, 0.4, 0.65), np.float32) * np.float32(rng.uniform(0.3, 1.1))
        span = 42.5
    turn = np.array([[away[0], -away[1]], [away[1], away[0]]])
    centre = aim[:2] + away * (span + radius * rng.uniform(-0.35, 0.25))
    return Thing(outline @ turn.T + centre, high - 0.5, high, colour, None, True)
