"""How the camera of a photograph stands, as the dice in it agree: where nobody has told, one table is under them all.

Each die's up-face, as the pose network sees it, tells the camera's angle a little wrongly. What all agree on is so much
better that it tells in turn where each up-face must lie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.dice import Shape
from vision.geometry import ASIDE, RISE, STEEPEST, Array, CameraPose, leans_of

USUALLY_OFF = {Shape.D6: 0.07, Shape.D8: 0.08, Shape.D10: 0.12, Shape.D12: 0.05, Shape.D20: 0.11}
"""How far the lean that one die tells is usually off, on rendered tables: half of them are nearer."""
FARTHEST = 3.0
"""What is off by more times that counts as no farther: it is a neighbour of the up-face, or the die isn't flat."""
AGREED = 2.0
"""Where the dice are off by so many times of what is usual, one table doesn't do for them."""
ENOUGH = 3
"""So many dice, beside those with their numerals aside, must tell."""
FOCALS = (0.75, 1.0, 1.4, 2.0)
"""Focal lengths in longer sides of the picture: of telephones and Pi cameras, and what is cut out of their pictures."""
WIDE: Array = np.linspace(-0.9, 0.9, 13)
NEAR: Array = np.linspace(-0.15, 0.15, 7)
"""The places of the search, first anywhere, then near the best, in the x and y of the table's normal."""


@dataclass(frozen=True, slots=True)
class Seats:
    """N dice: their `shapes`, the `middles` (N, 2) of their boxes, their up-faces' `centres` (N, 2) and `inradii` (N).

    All in pixels; an inradius is that of a circle of the area in which the face's own inscribed circle is seen.
    """

    shapes: Sequence[Shape]
    middles: Array
    centres: Array
    inradii: Array

    def telling(self) -> Seats:
        """Return those that tell anything: all but d4s, which have no up-face."""
        places = [place for place, shape in enumerate(self.shapes) if shape in USUALLY_OFF]
        shapes = [self.shapes[place] for place in places]
        return Seats(shapes, self.middles[places], self.centres[places], self.inradii[places])

    def leans(self) -> Array:
        """Return the leans (N, 2; as `CameraPose.leans`) at which the up-faces would lie right above the middles."""
        rise = self._of_shape(RISE) * self.inradii
        away: Array = (self.centres - self.middles) / rise[:, None]
        far = (away**2).sum(axis=1) ** 2
        # The face's own inradius is seen as inradius / (1 - lean^2)^(1/4), so lean^4 = far (1 - lean^2).
        size = np.sqrt((np.sqrt(far * far + 4 * far) - far) / 2)
        leans: Array = away * (np.minimum(size, STEEPEST) / np.maximum(far**0.25, 1e-9))[:, None]
        return leans

    def aside(self) -> Array:
        """Return how far (N), in leans, a numeral may stand beside the middle: on which side isn't known."""
        return np.array([ASIDE.get(shape, 0.0) for shape in self.shapes]) / self._of_shape(RISE)

    def off(self) -> Array:
        """Return how far (N) the leans are usually off."""
        return self._of_shape(USUALLY_OFF)

    def _of_shape(self, known: Mapping[Shape, float]) -> Array:
        return np.array([known[shape] for shape in self.shapes])


def agreed(seats: Seats, picture: tuple[int, int]) -> CameraPose | None:
    """Return how the camera stands by which the dice of a `picture` (width, height; pixels) are least off.

    None where too few dice tell, or where they do not agree.
    """
    telling = seats.telling()
    if sum(shape not in ASIDE for shape in telling.shapes) < ENOUGH:
        return None
    told, aside, off = telling.leans(), telling.aside(), telling.off()

    def least(across: Array, down: Array) -> tuple[float, CameraPose]:
        x, y, focal = (one.ravel() for one in np.meshgrid(across, down, FOCALS))
        inside = x * x + y * y < STEEPEST**2
        x, y, focal = x[inside], y[inside], focal[inside]
        normals = np.stack([x, y, -np.sqrt(1 - x * x - y * y)], 1)
        leans = leans_of(normals, focal, telling.middles, picture)
        gaps = np.hypot(leans[..., 0] - told[:, 0], leans[..., 1] - told[:, 1])
        costs = np.minimum(np.abs(gaps - aside) / off, FARTHEST).mean(axis=1)
        best = int(costs.argmin())
        return float(costs[best]), CameraPose(tuple(normals[best].tolist()), float(focal[best]))

    _, near = least(WIDE, WIDE)
    cost, found = least(near.normal[0] + NEAR, near.normal[1] + NEAR)
    return found if cost < AGREED else None
