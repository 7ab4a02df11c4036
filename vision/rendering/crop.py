"""The crop of a single die, with the dice next to it and exact labels."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.dice import Die
from vision.rendering.looks import RADIUS_MM, Look, draw_look
from vision.rendering.numerals import FontBook, built_in_fonts
from vision.rendering.scene import Scene, draw_die_value, photograph, staged
from vision.rendering.solid import PlacedDie, place_die
from vision.rendering.view import View, look_at


def render_crop(
    rng: np.random.Generator,
    die: Die | None = None,
    *,
    size: int = 96,
    fonts: FontBook | None = None,
    fill: tuple[float, float] = (0.62, 0.82),
    tilt: tuple[float, float] = (0, 55),
    neighbours: int | None = None,
    hard: float = 0.08,
    coarse: float = 0.35,
    look: Look | None = None,
) -> Scene:
    """Return a square picture of one die and of what lies next to it; `dice[0]` is the die asked for.

    `fill` is the range of its share of the picture; `neighbours` None leaves their number (0..3) to chance.
    `coarse` is the share of pictures enlarged from a photograph in which the die was small.
    """
    if rng.random() < coarse:
        small = render_crop(
            rng,
            die,
            size=max(24, round(size * rng.uniform(0.3, 0.85))),
            fonts=fonts,
            fill=fill,
            tilt=tilt,
            neighbours=neighbours,
            hard=hard,
            coarse=0,
            look=look,
        )
        return _enlarged(small, size)
    book = fonts if fonts is not None else built_in_fonts()
    wanted = die if die is not None else draw_die_value(rng)
    own = look if look is not None else draw_look(rng, wanted.colour, fonts=len(book))
    count = int(rng.choice(4, p=[0.4, 0.3, 0.2, 0.1])) if neighbours is None else neighbours
    solid_mm = RADIUS_MM[wanted.shape] * own.radius * 1.75
    pixels = size * rng.uniform(*fill)
    lean = float(rng.uniform(0.15, 0.5)) if rng.random() < hard else 0.0
    placed = [_leaning(rng, wanted, own, 0.0, 0.0, lean)]
    for _ in range(count):
        other = draw_die_value(rng)
        same = rng.random() < 0.5
        other_look = own if same else draw_look(rng, other.colour, fonts=len(book))
        if same:
            other = Die(wanted.colour, other.value, other.shape)
        away, around = rng.uniform(1.0, 1.9), rng.uniform(0, 2 * math.pi)
        reach = (placed[0].radius + RADIUS_MM[other.shape] * other_look.radius) * away
        candidate = _leaning(rng, other, other_look, reach * math.cos(around), reach * math.sin(around), 0.0)
        gaps = [np.linalg.norm(p.place[:2] - candidate.place[:2]) - p.radius - candidate.radius for p in placed]
        if min(gaps) > 0:
            placed.append(candidate)
    view = look_at(
        size,
        size,
        target=placed[0].place,
        distance=float(rng.uniform(150, 700)),
        tilt=float(rng.uniform(*tilt)),
        azimuth=float(rng.uniform(0, 2 * math.pi)),
        roll=0.0,
        scale=pixels / solid_mm,
    )
    outline = view.project(placed[0].vertices)
    low, high = outline.min(axis=0), outline.max(axis=0)
    middle = size / 2 - (low + high) / 2
    zoomed = View(size, size, view.focal * pixels / float((high - low).max()), view.eye, view.axes, view.middle)
    outline = zoomed.project(placed[0].vertices)
    middle = size / 2 - (outline.min(axis=0) + outline.max(axis=0)) / 2
    stage = staged(rng, zoomed.moved(float(middle[0]), float(middle[1])), calm=False)
    return photograph(rng, stage, placed, [], book)


def _enlarged(scene: Scene, size: int) -> Scene:
    """Return a square scene at another size, its truth scaled with it."""
    zoom = size / scene.image.shape[0]
    image = np.asarray(cv2.resize(scene.image, (size, size), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    shift = (zoom - 1) / 2  # pixels are counted from the middle of the first one

    def moved(
        prints: tuple[tuple[float, float], NDArray[np.float32]],
    ) -> tuple[tuple[float, float], NDArray[np.float32]]:
        (x, y), jacobian = prints
        return (x * zoom + shift, y * zoom + shift), jacobian * np.float32(zoom)

    dice = []
    for die in scene.dice:
        prints = tuple(moved(each) for each in die.prints)
        x, y, width, height = (edge * zoom for edge in die.box)
        dice.append(replace(die, box=(x, y, width, height), centre=prints[0][0], jacobian=prints[0][1], prints=prints))
    return Scene(image, tuple(dice))


def _leaning(rng: np.random.Generator, die: Die, look: Look, x: float, y: float, share: float) -> PlacedDie:
    flat = place_die(rng, die, look, x, y)
    if not share:
        return flat
    return place_die(rng, die, look, x, y, lean=share * math.degrees(flat.solid.neighbour_angle))
