"""How the camera of a photograph stands, as the dice in it agree: where nobody has told, one table is under them all.

Each die's up-face, as the pose network sees it, tells the camera's angle a little wrongly. What all agree on is so much
better that it tells in turn where each up-face must lie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.dice import Shape
from vision.geometry import ASIDE, RISE, STEEPEST, Array, CameraPose, leans_of

USUALLY_OFF = {Shape.D6: 0.07, Shape.D8: 0.08, Shape.D10: 0.12, Shape.D12: 0.05, Shape.D20: 0.11}
"""How far the lean that one die tells is usually off, on rendered tables: half of them are nearer."""
FARTHEST = 3.0
"""What is off by more times that counts as no farther: it is a neighbour of the up-face, or the die isn't flat."""
ENOUGH = 3
"""So many dice, beside those with their numerals aside, must tell."""
FOCALS = (0.75, 1.0, 1.4, 2.0)
"""Focal lengths in longer sides of the picture: of telephones and Pi cameras, and what is cut out of their pictures."""
WIDE: Array = np.linspace(-0.9, 0.9, 13)
NEAR: Array = np.linspace(-0.15, 0.15, 7)
"""The places of the search, first anywhere, then near the best, in the x and y of the table's normal."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A die of a `shape`, the `middle` (x, y) of its box, its up-face's `centre` (x, y) and `inradius`, in pixels.

    The inradius is that of a circle of the area in which the face's own inscribed circle is seen.
    """

    shape: Shape
    middle: Array
    centre: Array
    inradius: float

    def lean(self) -> Array:
        """Return the lean (x, y; as `CameraPose.leans`) at which this up-face would lie right above the middle."""
        away: Array = (self.centre - self.middle) / (RISE[self.shape] * self.inradius)
        far = float(away @ away) ** 2
        # The face's own inradius is seen as inradius / (1 - lean^2)^(1/4), so lean^4 = far (1 - lean^2).
        size = math.sqrt((math.sqrt(far * far + 4 * far) - far) / 2)
        lean: Array = away * (min(size, STEEPEST) / max(far**0.25, 1e-9))
        return lean


def agreed(seats: Sequence[Seat], picture: tuple[int, int]) -> CameraPose | None:
    """Return how the camera stands by which the dice of a `picture` (width, height; pixels) are least off.

    None where too few dice tell, or where they do not agree.
    """
    telling = [seat for seat in seats if seat.shape in USUALLY_OFF]
    if sum(seat.shape not in ASIDE for seat in telling) < ENOUGH:
        return None
    middles = np.array([seat.middle for seat in telling])
    told = np.array([seat.lean() for seat in telling])
    off = np.array([USUALLY_OFF[seat.shape] for seat in telling])
    # Where a numeral stands beside the middle, on which side isn't known: only how far.
    aside = np.array([ASIDE.get(seat.shape, 0.0) / RISE[seat.shape] for seat in telling])

    def least(across: Array, down: Array) -> tuple[float, CameraPose]:
        x, y, focal = (one.ravel() for one in np.meshgrid(across, down, FOCALS))
        inside = x * x + y * y < STEEPEST**2
        x, y, focal = x[inside], y[inside], focal[inside]
        normals = np.stack([x, y, -np.sqrt(1 - x * x - y * y)], 1)
        gaps = np.linalg.norm(leans_of(normals, focal, middles, picture) - told, axis=2)
        costs = np.minimum(np.abs(gaps - aside) / off, FARTHEST).mean(axis=1)
        best = int(costs.argmin())
        return float(costs[best]), CameraPose(tuple(normals[best].tolist()), float(focal[best]))

    _, near = least(WIDE, WIDE)
    cost, found = least(near.normal[0] + NEAR, near.normal[1] + NEAR)
    return found if cost < AGREED else None


AGREED = 2.0
"""Where the dice are off by so much of what is usual, one table doesn't do for them."""
