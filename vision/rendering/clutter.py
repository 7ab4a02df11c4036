"""Things on a table that are no dice: tokens, coins, wooden cubes, meeples, cards, pens, feet, beads, fingers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.body import Sprite
from vision.rendering.lights import Lighting
from vision.rendering.looks import COLOUR_NAMES, Colour, draw_colour
from vision.rendering.view import View

Array = NDArray[np.float64]
Tile = NDArray[np.uint8]

SAMPLING = 2
"""Samples a pixel and direction."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A flat-topped thing: its outline (N,2) in mm, from `low` to `high` mm over the table, its colours.

    `print` is a picture stretched over its top, or None. `solid` things keep dice away, cards lie under them.
    """

    outline: Array
    low: float
    high: float
    colour: Colour
    print: Tile | None = None
    solid: bool = True
    gloss: float = 0.2

    @property
    def middle(self) -> Array:
        """Its middle in mm."""
        return np.asarray(self.outline.mean(axis=0), dtype=np.float64)

    @property
    def reach(self) -> float:
        """How far it reaches from its middle in mm."""
        return float(np.linalg.norm(self.outline - self.middle, axis=1).max())

    def corners(self) -> Array:
        """Return its corners in the world (2N,3)."""
        low = np.column_stack([self.outline, np.full(len(self.outline), self.low)])
        high = np.column_stack([self.outline, np.full(len(self.outline), self.high)])
        return np.vstack([low, high])

    def depth(self, eye: Array) -> float:
        """Return its distance from the eye; what lies flat is painted before what stands on it."""
        flat = 1e5 if not self.solid else 0.0
        return flat + float(np.linalg.norm(np.append(self.middle, self.high) - eye))

    def draw(self, view: View, light: Lighting, ground: Colour) -> Sprite | None:
        """Return the thing as the view sees it."""
        corners = view.project(self.corners())
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 2, (view.width, view.height))
        if (high - low < 2).any():
            return None
        width, height = (int(v) for v in high - low)
        count = len(self.outline)
        points = np.round(((corners - low) * SAMPLING + (SAMPLING - 1) / 2) * 16).astype(np.int32)
        canvas = np.zeros((height * SAMPLING, width * SAMPLING, 3), np.float32)
        cover = np.zeros(canvas.shape[:2], np.float32)
        bottom, top = points[:count], points[count:]
        if self.high > self.low:
            self._draw_sides(canvas, cover, bottom, top, light, ground)
        lit = light.glow + light.key * np.float32(light.towards[2])
        shade = self.colour * lit
        if self.print is None:
            cv2.fillPoly(canvas, [top], shade.tolist(), cv2.LINE_8, 4)
        else:
            self._draw_print(canvas, top, corners[count:] - low, lit)
        cv2.fillPoly(cover, [top], 1.0, cv2.LINE_8, 4)
        canvas += cover[..., None] * np.float32(self.gloss * 0.05)
        return Sprite.shrunk(int(low[0]), int(low[1]), (width, height), canvas, cover)

    def _draw_sides(
        self,
        canvas: NDArray[np.float32],
        cover: NDArray[np.float32],
        bottom: NDArray[np.int32],
        top: NDArray[np.int32],
        light: Lighting,
        ground: Colour,
    ) -> None:
        sides = np.roll(self.outline, -1, axis=0) - self.outline
        normals = np.stack([sides[:, 1], -sides[:, 0]], axis=1) / np.linalg.norm(sides, axis=1, keepdims=True)
        for i, normal in enumerate(normals):
            j = (i + 1) % len(normals)
            quad = np.array([bottom[i], bottom[j], top[j], top[i]])
            facing = max(float(normal @ light.towards[:2]), 0.0)
            shade = self.colour * (light.glow * 0.45 + light.key * facing + 0.25 * ground)
            cv2.fillConvexPoly(canvas, quad, shade.tolist(), cv2.LINE_8, 4)
            cv2.fillConvexPoly(cover, quad, 1.0, cv2.LINE_8, 4)

    def _draw_print(self, canvas: NDArray[np.float32], top: NDArray[np.int32], pixels: Array, lit: Colour) -> None:
        assert self.print is not None
        rows, columns = self.print.shape[:2]
        # the print's square is laid over the outline's own axes
        axis = self.outline[1] - self.outline[0]
        axis = axis / np.linalg.norm(axis)
        flat = (self.outline - self.middle) @ np.stack([axis, [axis[1], -axis[0]]], axis=1)
        low, high = flat.min(axis=0), flat.max(axis=0)
        source = ((flat - low) / (high - low) * [columns - 1, rows - 1]).astype(np.float32)
        target = (pixels * SAMPLING).astype(np.float32)
        warp, _ = cv2.findHomography(source, target, 0)
        if warp is None:
            return
        warped = cv2.warpPerspective(self.print, warp, canvas.shape[1::-1], flags=cv2.INTER_AREA)
        mask = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillPoly(mask, [top], 255, cv2.LINE_8, 4)
        inked = (warped / np.float32(255)) ** 2.2 * lit
        canvas[mask > 0] = inked[mask > 0]


def _round(radius: float, count: int = 28) -> Array:
    angle = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius


def _box(width: float, height: float) -> Array:
    return np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2


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


def _printed(rng: np.random.Generator, base: Colour) -> Tile:
    """Return a printed square: numbers, pips, rings, words, pictures of dice; it looks like much, but is flat."""
    tile = np.zeros((96, 96, 3), np.uint8)
    tile[:] = base ** (1 / 2.2) * 255
    for _ in range(int(rng.integers(1, 5))):
        ink = tuple(int(v) for v in rng.integers(0, 256, 3))
        x, y = (int(v) for v in rng.integers(10, 86, 2))
        what = rng.integers(6)
        if what == 0:
            cv2.putText(
                tile, str(rng.integers(0, 21)), (x - 25, y + 15), 2, float(rng.uniform(0.6, 2)), ink, 2, cv2.LINE_AA
            )
        elif what == 1:
            cv2.circle(tile, (48, 48), int(rng.integers(8, 46)), ink, int(rng.integers(1, 8)), cv2.LINE_AA)
        elif what == 2:
            step = int(rng.integers(10, 22))
            for dx, dy in rng.integers(-1, 2, (int(rng.integers(1, 7)), 2)):
                cv2.circle(tile, (48 + int(dx) * step, 48 + int(dy) * step), step // 3, ink, -1, cv2.LINE_AA)
        elif what == 3:
            cv2.rectangle(tile, (x - 30, y - 20), (x + 20, y + 25), ink, int(rng.choice([-1, 2, 4])), cv2.LINE_AA)
        elif what == 4:
            words = "".join(chr(c) for c in rng.integers(97, 123, int(rng.integers(3, 8))))
            cv2.putText(tile, words, (4, y), 0, float(rng.uniform(0.4, 0.9)), ink, 1, cv2.LINE_AA)
        else:
            points = np.array([x, y]) + rng.integers(-35, 35, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(tile, [points.astype(np.int32)], ink, cv2.LINE_AA)
    return tile


def draw_thing(rng: np.random.Generator, x: float, y: float) -> Thing:
    """Return a random thing with its middle at (x, y) mm."""
    colour = draw_colour(rng, COLOUR_NAMES[int(rng.integers(len(COLOUR_NAMES)))])
    kind = rng.integers(11)
    picture: Tile | None = None
    solid, low, gloss = True, 0.0, float(rng.uniform(0, 1))
    if kind == 0:  # coin
        metal = np.array([(0.25, 0.45, 0.55), (0.45, 0.45, 0.45), (0.15, 0.25, 0.5)], np.float32)[rng.integers(3)]
        colour = metal * np.float32(rng.uniform(0.5, 1.3))
        outline, high = _round(rng.uniform(8, 13)), 2.0
        picture = _printed(rng, colour) if rng.random() < 0.5 else None
    elif kind == 1:  # token of card or wood
        outline, high = _round(rng.uniform(5, 16), int(rng.choice([6, 8, 28]))), rng.uniform(2, 5)
        picture = _printed(rng, colour) if rng.random() < 0.7 else None
    elif kind == 2:  # wooden cube, blank
        edge = rng.uniform(7, 16)
        outline, high = _box(edge, edge), edge
    elif kind == 3:  # meeple lying flat
        outline, high = _meeple() * rng.uniform(0.9, 1.4), rng.uniform(6, 9)
    elif kind == 4:  # rubber foot or bottle top
        colour = np.full(3, rng.uniform(0.02, 0.3), np.float32)
        outline, high = _round(rng.uniform(4, 12)), rng.uniform(1.5, 6)
    elif kind == 5:  # card
        outline, high, solid = _box(57, 87) * rng.uniform(0.7, 1.1), 0.4, False
        picture = _printed(rng, np.clip(colour + 0.3, 0, 1))
    elif kind == 6:  # pen, stick, ruler
        outline, high = _box(rng.uniform(90, 170), rng.uniform(5, 12)), rng.uniform(3, 9)
    elif kind == 7:  # finger or hand's edge
        skin = np.array((0.28, 0.4, 0.65), np.float32) * np.float32(rng.uniform(0.25, 1.1))
        colour = skin
        outline, high = _finger(rng.uniform(60, 110), rng.uniform(6, 9)), rng.uniform(8, 16)
    elif kind == 8:  # paper strip with print
        outline, high, solid = _box(rng.uniform(20, 70), rng.uniform(15, 60)), 0.2, False
        picture = _printed(rng, np.full(3, 0.8, np.float32))
    elif kind == 9:  # printed square the size of a die
        edge = rng.uniform(11, 24)
        outline, high, solid = _box(edge, edge), rng.uniform(0.2, 2.5), False
        picture = _printed(rng, colour)
    else:  # pebble, bead, shell: an irregular lump
        lump = _round(rng.uniform(4, 9), 10)
        hull = cv2.convexHull((lump * rng.uniform(0.7, 1.1, (10, 1))).astype(np.float32))
        outline, high = np.asarray(hull[:, 0], dtype=np.float64), 5.0
    if cv2.contourArea(outline.astype(np.float32), oriented=True) < 0:
        outline = outline[::-1]
    angle = rng.uniform(0, 2 * math.pi)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return Thing(outline @ turn.T + [x, y], low, float(high), colour, picture, solid, gloss)


def draw_things(rng: np.random.Generator, view: View, count: int) -> list[Thing]:
    """Return `count` things lying where the view sees the table; solid ones keep clear of one another."""
    things: list[Thing] = []
    for _ in range(count):
        for _ in range(8):
            pixel = rng.uniform(-0.02, 1.02, 2) * [view.width, view.height]
            x, y = view.on_table(pixel[None])[0, :2]
            thing = draw_thing(rng, float(x), float(y))
            clear = all(
                not (thing.solid and other.solid)
                or np.linalg.norm(thing.middle - other.middle) > thing.reach + other.reach
                for other in things
            )
            if clear:
                things.append(thing)
                break
    return things


def draw_cover(rng: np.random.Generator, place: Array, radius: float, eye: Array) -> Thing:
    """Return a card or finger held over a part of the die at `place`."""
    high = float(place[2] + radius * rng.uniform(1.1, 2.5))
    angle = rng.uniform(0, 2 * math.pi)
    away = np.array([math.cos(angle), math.sin(angle)])
    # seen from the eye, the cover's near edge lies this far from the die's middle
    aim = place + (eye - place) * ((high - place[2]) / (eye[2] - place[2]))
    if rng.random() < 0.5:
        outline = _box(57, 87)
        colour = draw_colour(rng, COLOUR_NAMES[int(rng.integers(len(COLOUR_NAMES)))])
        span = 28.5
    else:
        outline = _finger(85, 8.5)[::-1] * [-1, 1]
        colour = np.array((0.28, 0.4, 0.65), np.float32) * np.float32(rng.uniform(0.3, 1.1))
        span = 42.5
    turn = np.array([[away[0], -away[1]], [away[1], away[0]]])
    centre = aim[:2] + away * (span + radius * rng.uniform(-0.35, 0.25))
    return Thing(outline @ turn.T + centre, high - 0.5, high, colour, None, True)
