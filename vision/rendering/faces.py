"""What stands on each face of a die: the arrangement of the values, which way is up, and the printed picture."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.dice import Shape
from vision.rendering.looks import Look
from vision.rendering.numerals import TILE, FontBook, Mask, numeral_tile, pip_tile
from vision.rendering.ornaments import adorn
from vision.rendering.polyhedra import Polyhedron, polyhedron

Array = NDArray[np.float64]

HALF: dict[Shape, float] = {
    Shape.D4: 2.05,
    Shape.D6: 1.2,
    Shape.D8: 1.45,
    Shape.D10: 1.4,
    Shape.D12: 1.35,
    Shape.D20: 1.45,
}
"""Half the side of a face's picture, in inradii of the face."""
D4_POINT, D4_BASE = 0.78, -0.5
"""How far a d4's numerals lie from the face's centre towards their corner, in inradii."""
D4_NUMERAL = 0.72
"""Height of a d4's numeral in inradii."""


@dataclass(frozen=True, slots=True)
class FacePrint:
    """The printed faces of one die in its own axes (circumradius 1).

    `values[i]` stands on face i (a d4: on vertex i); `right[i]`, `down[i]` are unit vectors of the upright print.
    """

    values: tuple[int, ...]
    right: Array
    down: Array


def arrange(solid: Polyhedron, look: Look) -> FacePrint:
    """Return the arrangement of a look's set: opposite faces sum to faces + 1 (a d10's to 9, with 0 for 10)."""
    rng = np.random.default_rng(look.seed)
    count = solid.shape.faces
    if solid.shape is Shape.D4:
        values = [int(v) for v in rng.permutation(4) + 1]
    else:
        values = [0] * count
        pairs = _pairs(solid.shape, rng)
        for one, other in enumerate(solid.opposite):
            if values[one] == 0:
                values[one], values[other] = pairs.pop()
    ups = _ups(solid.shape, solid.steepness, look.point_up)
    pick = rng.integers(ups.shape[1], size=count)
    down = -ups[np.arange(count), pick]
    return FacePrint(tuple(values), _cross(solid.normals, down), down)


def _cross(one: Array, two: Array) -> Array:
    x, y, z = one.T
    u, v, w = two.T
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)


def _pairs(shape: Shape, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return the values of opposite faces; a d10 keeps the odd ones round one point, as real ones do."""
    if shape is Shape.D10:
        odd = [(odd, (9 - odd) or 10) for odd in (1, 3, 5, 7, 9)]
        order = [odd[i] for i in rng.permutation(5)]
        return order if rng.random() < 0.5 else [(even, odd) for odd, even in order]
    count = shape.faces
    low = [int(v) for v in rng.permutation(count // 2) + 1]
    return [(v, count + 1 - v) if rng.random() < 0.5 else (count + 1 - v, v) for v in low]


@lru_cache(maxsize=64)
def _ups(shape: Shape, steepness: float, point_up: bool) -> Array:
    """Return, for each face, the unit vectors (F,K,3) that the print's upper side may turn to."""
    solid = polyhedron(shape, steepness)
    ups = []
    for face, normal in zip(solid.faces, solid.normals, strict=True):
        corners = solid.vertices[list(face.corners)]
        points = corners
        if shape is Shape.D6:
            points = face.middles
        elif shape is Shape.D10:
            pole = corners[np.argmax(np.abs(corners[:, 2]))]
            points = (pole if point_up else 2 * face.centre - pole)[None]
        elif shape is Shape.D12 and not point_up:
            points = face.middles
        elif shape is Shape.D4:
            points = corners[:1]
        arms = points - face.centre
        arms -= (arms @ normal)[:, None] * normal
        ups.append(arms / np.linalg.norm(arms, axis=1, keepdims=True))
    return np.array(ups)


def numeral_of(shape: Shape, value: int, look: Look) -> str:
    """Return what is printed for a value: a d10's ten is a 0 on most sets."""
    if shape is Shape.D10 and value == 10 and not look.ten:
        return "0"
    return str(value)


def face_picture(solid: Polyhedron, index: int, prints: FacePrint, look: Look, fonts: FontBook) -> Mask:
    """Return the ink of face `index` as a TILE square that spans HALF inradii to each side of its centre."""
    shape = solid.shape
    half = HALF[shape]
    if shape is Shape.D6 and look.pips:
        tile = pip_tile(prints.values[index], look, half)
    elif shape is Shape.D4:
        tile = _d4_picture(solid, index, prints, look, fonts)
    else:
        text = numeral_of(shape, prints.values[index], look)
        drop = ((look.seed >> 4) % 16 - 7.5) / 150
        tile = numeral_tile(text, look, fonts, faces=shape.faces, half=half, offset=(0.0, drop))
    if shape is Shape.D6 and look.pips:
        return tile
    if look.frame:
        _draw_frame(tile, solid, index, prints, look)
    if look.ornament is not None:
        seed = look.seed if look.ornament.alike else look.seed + index
        return adorn(tile, _outline(solid, index, prints), TILE / (2 * half), look.ornament, seed)
    return tile


def _d4_picture(solid: Polyhedron, index: int, prints: FacePrint, look: Look, fonts: FontBook) -> Mask:
    tile = np.zeros((TILE, TILE), np.uint8)
    for corner, turn in d4_turns(solid, index, prints):
        offset = (0.0, -(D4_BASE if look.d4_base else D4_POINT))
        text = str(prints.values[corner])
        numeral = numeral_tile(text, look, fonts, faces=4, half=HALF[Shape.D4], offset=offset, turn=turn)
        np.maximum(tile, numeral, out=tile)
    return tile


def d4_turns(solid: Polyhedron, index: int, prints: FacePrint) -> list[tuple[int, float]]:
    """Return, for each corner of a d4's face, its vertex and the clockwise turn of the numeral that points to it."""
    face = solid.faces[index]
    turns = []
    for corner in face.corners:
        arm = solid.vertices[corner] - face.centre
        turns.append((corner, math.atan2(float(arm @ prints.right[index]), -float(arm @ prints.down[index]))))
    return turns


def _outline(solid: Polyhedron, index: int, prints: FacePrint) -> Array:
    """Return a face's corners (V,2) from its centre, right and down of the upright print, in inradii."""
    face = solid.faces[index]
    arms = (solid.vertices[list(face.corners)] - face.centre) / face.inradius
    return np.stack([arms @ prints.right[index], arms @ prints.down[index]], axis=1)


def _draw_frame(tile: Mask, solid: Polyhedron, index: int, prints: FacePrint, look: Look) -> None:
    flat = 0.86 * _outline(solid, index, prints)
    outline = np.round((flat / HALF[solid.shape] + 1) / 2 * TILE * 16).astype(np.int32)
    cv2.polylines(tile, [outline], True, 255, max(1, round(look.frame * TILE / 2)), cv2.LINE_AA, 4)
