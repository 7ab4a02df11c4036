"""How the camera stands over the table, and where a die's up-face must therefore lie: geometry, no guessing.

A die lies flat, so its up-face is as level as the table, right above the die's middle. Where the table's normal is
known in the camera's axes, box and shape of a die settle its up-face's centre and tilt; its turn is left to be read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.dice import Shape

Array = NDArray[np.float64]

GOLDEN = (1 + math.sqrt(5)) / 2
RISE = {Shape.D6: 1.0, Shape.D8: math.sqrt(2), Shape.D10: 1.50, Shape.D12: GOLDEN, Shape.D20: GOLDEN**2}
"""How far the up-face lies above the die's middle, in inradii of the face. A d4 has no up-face."""
ASIDE = {Shape.D10: 0.67}
"""How far the middle of a d10's kite lies from right above the die's middle, in inradii, along the numeral's height.

It lies below on dice whose numerals stand towards the point, above on the others.
"""

FOCAL = 0.8
"""The focal length of a common camera (60 to 70 degrees), in longer sides of its picture."""
STEEPEST = 0.94
"""The sine of the greatest angle at which a table is seen: farther down, no number on an up-face can be read."""


@dataclass(frozen=True, slots=True)
class CameraPose:
    """How a camera sees a table: the table's `normal` in the camera's axes (x right, y down, z forward; unit length,
    z < 0: it points to the camera's side), and the `focal` length in longer sides of its picture.
    """

    normal: tuple[float, float, float]
    focal: float = FOCAL

    def leans(self, places: Array, picture: tuple[int, int]) -> Array:
        """Return, for `places` (N, 2) in a `picture` (width, height; pixels), what a step up from the table looks like.

        The unit of the answer (N, 2) is what a level step across the lean looks like there: its length is the sine of
        the angle at which the table is seen, 0 where the camera looks straight down on it.
        """
        leans: Array = leans_of(np.array([self.normal]), np.array([self.focal]), places, picture)[0]
        return leans

    @property
    def tilt(self) -> float:
        """The angle in degrees between the camera's axis and straight down."""
        return math.degrees(math.acos(max(-1.0, min(1.0, -self.normal[2]))))

    def as_json(self) -> dict[str, Any]:
        return {"normal": list(self.normal), "focal": self.focal}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> CameraPose:
        """Return what `as_json` made; raises KeyError, TypeError or ValueError for anything else."""
        x, y, z = (float(one) for one in stored["normal"])
        focal = float(stored["focal"])
        if not (0.1 < focal < 20 and z < 0 and abs(x * x + y * y + z * z - 1) < 1e-3):
            raise ValueError("This is no camera's pose.")
        return cls((x, y, z), focal)

    @classmethod
    def of_tray(cls, corners: Array, size: tuple[float, float], picture: tuple[int, int]) -> CameraPose:
        """Return how a camera stands that sees the corners of a rectangle on the table at `corners` (4, 2; pixels).

        The corners go round the rectangle, its first side being `size[0]` long, the next `size[1]`, in any unit;
        `picture` is the photograph's width and height in pixels. Raises ValueError where the four go round no
        rectangle. The focal length follows from the perspective (Zhang 2000, section 3.1; square pixels, known middle);
        where there is too little of it, a common camera's is taken.
        """
        points = np.asarray(corners, np.float32).reshape(4, 2)
        if not cv2.isContourConvex(points[:, None]) or cv2.contourArea(points) < 0.005 * picture[0] * picture[1]:
            raise ValueError("The four corners must go round the tray, one after the other.")
        wide, deep = size
        table = np.array([[0, 0], [wide, 0], [wide, deep], [0, deep]], np.float32)
        seen = (points - _middle(picture)) / max(picture)
        mapped = cv2.getPerspectiveTransform(table / wide, seen.astype(np.float32)).astype(float)
        focal = _focal(mapped)
        across, along = (np.diag([1 / focal, 1 / focal, 1.0]) @ mapped)[:, :2].T
        normal = np.cross(across, along)
        x, y, z = normal / np.linalg.norm(normal) * (1 if normal[2] < 0 else -1)
        return cls((float(x), float(y), float(z)), focal)


def leans_of(normals: Array, focals: Array, places: Array, picture: tuple[int, int]) -> Array:
    """Return what `CameraPose.leans` does for each of K cameras, `normals` (K, 3) and `focals` (K): (K, N, 2)."""
    # Axis by axis: sums over an axis of two are slow, and a reading waits for this.
    x, y, z = (part[:, None] for part in normals.T)
    right, down = (np.asarray(places, float) - _middle(picture)).T / max(picture)
    right, down = right / focals[:, None], down / focals[:, None]
    far = np.sqrt(1 + right**2 + down**2)
    across, along = (x - right * z) / far, (y - down * z) / far
    shorter = np.minimum(1.0, STEEPEST / np.maximum(np.hypot(across, along), 1e-9))
    return np.stack([across * shorter, along * shorter], axis=2)


def _middle(picture: tuple[int, int]) -> Array:
    return np.array(picture) / 2 - 0.5


def _focal(mapped: Array) -> float:
    """Return the focal length, in longer sides, that a homography (3, 3) from a flat square's units tells, if any."""
    (a, d), (b, e), (c, f) = mapped[:, :2]
    size = a * a + b * b + d * d + e * e
    # The table's two axes stand at a right angle, and are of one length.
    told = [(-(a * d + b * e), c * f), (d * d + e * e - a * a - b * b, c * c - f * f)]
    plain = [(abs(below), above / below) for above, below in told if abs(below) * FOCAL**2 > 0.006 * size]
    squares = [square for _, square in sorted(plain, reverse=True) if square > 0]
    return float(np.clip(math.sqrt(squares[0]), 0.4, 4.0)) if squares else FOCAL


def tilted(lean: Array, inradius: float) -> Array:
    """Return the symmetric 2x2 map from a level face (unit: its inradius) to pixels, where the table leans so."""
    squash = float(lean @ lean)
    if squash < 1e-12:
        return inradius * np.eye(2)
    along = np.outer(lean, lean) / squash
    return inradius * (np.eye(2) - (1 - math.sqrt(1 - squash)) * along)


def seated(
    box_middle: Array, lean: Array, shape: Shape, inradius: float, turn: Array, guess: Array
) -> tuple[Array, Array]:
    """Return the up-face's centre (x, y) and map (2x2), if its numeral is turned by `turn` (2x2 rotation).

    `inradius` is that of the up-face in pixels, `box_middle` the middle of the die's box; of two centres that there can
    be, the one nearer to `guess` (x, y) is taken. Raises KeyError for a d4.
    """
    face = tilted(lean, inradius) @ turn
    above = box_middle + lean * (RISE[shape] * inradius)
    beside = face @ np.array([0.0, ASIDE.get(shape, 0.0)])
    return min((above + beside, above - beside), key=lambda place: float(np.hypot(*(place - guess)))), face
