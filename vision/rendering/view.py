"""The camera's view: where it stands, what it sees of the table. World: millimetres, z up, the table at z = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """A pinhole camera: picture size and focal length in pixels, eye in mm, rows of `axes` = right, down, forward."""

    width: int
    height: int
    focal: float
    eye: Array
    axes: Array
    middle: tuple[float, float]

    def project(self, points: Array) -> Array:
        """Return the pixels (N,2) of world points (N,3)."""
        seen = (np.atleast_2d(points) - self.eye) @ self.axes.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + np.array(self.middle), dtype=np.float64)

    def ray_steps(self) -> tuple[Array, Array, Array]:
        """Return world vectors (origin, per pixel right, per pixel down) with ray(x, y) = origin + x*right + y*down."""
        right, down = self.axes[0] / self.focal, self.axes[1] / self.focal
        return self.axes[2] - self.middle[0] * right - self.middle[1] * down, right, down

    def ground(self) -> Array:
        """Return the homography from table millimetres (X, Y, 1) to pixels."""
        lens = np.array([[self.focal, 0, self.middle[0]], [0, self.focal, self.middle[1]], [0, 0, 1]])
        return lens @ np.column_stack([self.axes[:, 0], self.axes[:, 1], -self.axes @ self.eye])

    def on_table(self, pixels: Array, height: float = 0.0) -> Array:
        """Return world points (N,3) at `height` mm that are seen at `pixels` (N,2)."""
        origin, right, down = self.ray_steps()
        rays = origin + pixels[:, :1] * right + pixels[:, 1:] * down
        reach = (height - self.eye[2]) / rays[:, 2:]
        return np.asarray(self.eye + rays * reach, dtype=np.float64)

    def moved(self, x: float, y: float) -> View:
        """Return the same camera with its picture shifted by (x, y) pixels."""
        return View(self.width, self.height, self.focal, self.eye, self.axes, (self.middle[0] + x, self.middle[1] + y))


def look_at(
    width: int,
    height: int,
    *,
    target: Array,
    distance: float,
    tilt: float,
    azimuth: float,
    roll: float,
    scale: float,
) -> View:
    """Return a view of `target` from `distance` mm.

    `tilt` is degrees away from straight down, `azimuth` and `roll` radians, `scale` pixels a millimetre at the target.
    """
    lean = math.radians(tilt)
    back = np.array([math.sin(lean) * math.cos(azimuth), math.sin(lean) * math.sin(azimuth), math.cos(lean)])
    right = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    down = np.cross(-back, right)
    cos, sin = math.cos(roll), math.sin(roll)
    axes = np.array([cos * right + sin * down, cos * down - sin * right, -back])
    return View(width, height, scale * distance, target + back * distance, axes, (width / 2, height / 2))
