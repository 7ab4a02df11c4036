"""Where dice come to lie: at random, never inside one another, sometimes touching; a few cocked or half hidden."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.dice import Die, Shape
from vision.rendering.clutter import draw_cover
from vision.rendering.looks import RADIUS_MM, Look
from vision.rendering.solid import PlacedDie, place_die
from vision.rendering.thing import Thing, overlap
from vision.rendering.tray import Tray
from vision.rendering.view import View

Array = NDArray[np.float64]

TOUCHING = 0.15
"""Share of dice that come to lie against another one."""


def lay_out(
    rng: np.random.Generator,
    dice: Sequence[Die],
    looks: Sequence[Look],
    view: View,
    things: Sequence[Thing],
    *,
    tray: Tray | None = None,
    hard: float = 0.0,
    touching: float = TOUCHING,
) -> tuple[list[PlacedDie], list[Thing]]:
    """Return every die placed where the view sees it, and the things on the table: those that were there, and others
    that hide parts of some dice.

    A table too full for the dice makes them smaller, not fewer; where they would become half as large, solid things
    are cleared away, and a tray that still has no room for them is left empty. `touching` is the share of dice that
    come to lie against another one.
    """
    shrink = 1.0
    obstacles = np.array([(*thing.middle, thing.reach) for thing in things if thing.solid]).reshape(-1, 3)
    while True:
        if shrink < 0.5:
            things = [thing for thing in things if not thing.solid]
            obstacles = obstacles[:0]
        if shrink < 0.1:
            tray = None
        placed: list[PlacedDie] = []
        for die, look in zip(dice, looks, strict=True):
            fitted = look if shrink == 1 else replace(look, radius=look.radius * shrink)
            found = _find_place(rng, die, fitted, view, placed, obstacles, tray, hard, touching)
            if found is None:
                break
            placed.append(found)
        if len(placed) == len(dice):
            break
        shrink *= 0.8
    covers = [draw_cover(rng, die.place, die.radius, view.eye) for die in placed if rng.random() < hard * 0.5]
    return placed, [*things, *covers]


def lay_in_rows(
    rng: np.random.Generator, dice: Sequence[Die], looks: Sequence[Look], view: View, columns: int
) -> list[PlacedDie]:
    """Return d6 laid face to face in rows of `columns`, as people who sort them do; those out of sight are left out.

    The looks are all of one size.
    """
    heading = rng.uniform(0, 2 * math.pi)
    edge = RADIUS_MM[Shape.D6] * max(look.radius for look in looks) * 2 / math.sqrt(3)
    step = edge * float(rng.choice([1.005, 1.03, 1.12]))
    along = np.array([math.cos(heading), math.sin(heading)])
    across = np.array([-along[1], along[0]])
    rows = -(-len(dice) // columns)
    placed = []
    for number, (die, look) in enumerate(zip(dice, looks, strict=True)):
        row, column = divmod(number, columns)
        place = (column - (columns - 1) / 2) * step * along + (row - (rows - 1) / 2) * step * across
        turned = (
            heading + int(rng.integers(4)) * math.pi / 2 - _lie_of_edges(place_die(rng, die, look, 0, 0, heading=0))
        )
        placed.append(place_die(rng, die, look, float(place[0]), float(place[1]), heading=turned))
    return [die for die in placed if _in_sight(die, view)]


def _lie_of_edges(die: PlacedDie) -> float:
    """Return in which direction (radians) the first edge of the die's upper face runs."""
    start, end = die.vertices[list(die.solid.faces[die.up].corners[:2])]
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _find_place(
    rng: np.random.Generator,
    die: Die,
    look: Look,
    view: View,
    placed: Sequence[PlacedDie],
    obstacles: Array,
    tray: Tray | None,
    hard: float,
    touching: float,
) -> PlacedDie | None:
    cocked = rng.random() < hard * 0.5
    for _ in range(60):
        flat = place_die(rng, die, look, 0.0, 0.0)
        if cocked:
            lean = math.degrees(flat.solid.neighbour_angle) * float(rng.uniform(0.18, 0.5))
            flat = place_die(rng, die, look, 0.0, 0.0, lean=lean)
        if placed and (cocked or rng.random() < touching):
            spot = _beside(rng, flat, placed[int(rng.integers(len(placed)))])
        else:
            margin = 0.05
            pixel = rng.uniform(margin, 1 - margin, 2) * [view.width, view.height]
            spot = view.on_table(pixel[None], flat.place[2])[0, :2]
        moved = replace(flat, place=np.array([spot[0], spot[1], flat.place[2]]))
        if tray is not None and not tray.holds(footprint(moved)):
            continue
        if _in_sight(moved, view) and not _collides(moved, placed, obstacles):
            return moved
    return None


def _beside(rng: np.random.Generator, die: PlacedDie, other: PlacedDie) -> Array:
    """Return where `die` just touches `other`, coming from a random side."""
    angle = rng.uniform(0, 2 * math.pi)
    away = np.array([math.cos(angle), math.sin(angle)])
    gap = die.radius + other.radius
    outline, obstacle = footprint(die) - die.place[:2], footprint(other)
    while gap > 1 and not overlap(outline + other.place[:2] + away * gap, obstacle):
        gap -= 0.4
    return other.place[:2] + away * (gap + 0.5)


def footprint(die: PlacedDie) -> Array:
    """Return the outline (N,2) in mm of the die seen from straight above."""
    return cv2.convexHull(die.vertices[:, :2].astype(np.float32))[:, 0].astype(float)


def _in_sight(die: PlacedDie, view: View) -> bool:
    pixels = view.project(die.vertices)
    return bool((pixels > 3).all() and (pixels < [view.width - 3, view.height - 3]).all())


def _collides(die: PlacedDie, placed: Sequence[PlacedDie], obstacles: Array) -> bool:
    """Return whether the die lies inside another one, or within a circle (N,3: middle, reach) of the obstacles."""
    if (np.hypot(*(obstacles[:, :2] - die.place[:2]).T) < obstacles[:, 2] + die.radius).any():
        return True
    outline = footprint(die)
    for other in placed:
        near = np.linalg.norm(die.place[:2] - other.place[:2]) < die.radius + other.radius
        if near and overlap(outline, footprint(other)):
            return True
    return False
