"""A tray or mat that dice are rolled into: a floor of its own, walls that lean outwards, a rim."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.grounds import Ground, draw_ground
from vision.rendering.lights import Lighting
from vision.rendering.looks import Colour
from vision.rendering.noise import noise_tile
from vision.rendering.view import View

Array = NDArray[np.float64]
Picture = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tray:
    """A floor (N,2) in mm, counter-clockwise; `rim` is the walls' upper edge, `height` mm up; a mat has height 0."""

    floor: Array
    rim: Array
    height: float
    ground: Ground
    wall: Colour
    edge: Colour
    thickness: float
    """Width of the rim in mm."""

    def holds(self, outline: Array, margin: float = 1.0) -> bool:
        """Return whether a footprint (M,2) lies wholly on the floor, `margin` mm from its walls."""
        return float((self._insides(outline)).min()) > margin

    def crosses(self, outline: Array) -> bool:
        """Return whether a footprint lies neither wholly on the floor nor wholly outside the rim."""
        if self.holds(outline):
            return False
        reach = np.linalg.norm(outline - outline.mean(axis=0), axis=1).max()
        return bool(self._insides(outline.mean(axis=0)[None]).min() > -reach - self.height - self.thickness)

    def _insides(self, points: Array) -> Array:
        """Return how far inside each wall each point lies (M,N), in mm."""
        side = np.roll(self.floor, -1, axis=0) - self.floor
        normal = np.stack([-side[:, 1], side[:, 0]], axis=1) / np.linalg.norm(side, axis=1, keepdims=True)
        return np.asarray(points @ normal.T - (self.floor * normal).sum(axis=1), dtype=np.float64)

    def outside(self) -> Array:
        """Return the corners of the whole tray in the world, for the shadow that it throws."""
        grown = self._grown(self.rim, self.thickness)
        return np.vstack([_lifted(grown, 0), _lifted(grown, self.height)])

    def _grown(self, outline: Array, by: float) -> Array:
        middle = outline.mean(axis=0)
        arms = outline - middle
        return np.asarray(middle + arms * (1 + by / np.linalg.norm(arms, axis=1, keepdims=True)), dtype=np.float64)

    def floor_mask(self, view: View) -> Picture:
        """Return 1 where the view sees the floor, 0 elsewhere, soft at the edge by a pixel."""
        return _filled(view, [_lifted(self.floor, 0.0)])

    def inner_shadow(self, view: View, light: Lighting) -> Picture:
        """Return how much of the key light the walls let onto the floor, 0..1."""
        slide = light.towards[:2] / max(light.towards[2], 0.25) * self.height
        quads = []
        for i in range(len(self.floor)):
            j = (i + 1) % len(self.floor)
            thrown = self.rim[[j, i]] - slide
            quads.append(_lifted(np.vstack([self.floor[[i, j]], thrown]), 0.0))
        shadow = _filled(view, quads)
        scale = view.focal / float(np.linalg.norm(view.eye))
        return np.asarray(1 - coarse_blur(shadow, light.softness * self.height * 0.5 * scale), dtype=np.float32)

    def draw_walls(self, picture: Picture, view: View, light: Lighting) -> None:
        """Paint walls and rim into `picture`; the floor is painted before, what lies on it after."""
        if not self.height:
            return
        grown = self._grown(self.rim, self.thickness)
        order = sorted(range(len(self.floor)), key=lambda i: -float(np.linalg.norm(self.rim[i] - view.eye[:2])))
        for i in order:
            j = (i + 1) % len(self.floor)
            inner = np.vstack([_lifted(self.floor[[i, j]], 0), _lifted(self.rim[[j, i]], self.height)])
            outer = np.vstack([_lifted(grown[[j, i]], 0), _lifted(grown[[i, j]], self.height)])
            for quad in (inner, outer):
                _paint_quad(picture, view, quad, self._shade(quad, self.wall, light, view))
        for i in order:
            j = (i + 1) % len(self.floor)
            top = np.vstack([_lifted(self.rim[[i, j]], self.height), _lifted(grown[[j, i]], self.height)])
            shade = self.edge * (light.glow + light.key * np.float32(light.towards[2]))
            _paint_quad(picture, view, top, shade)

    def _shade(self, quad: Array, colour: Colour, light: Lighting, view: View) -> Colour | None:
        normal = np.cross(quad[1] - quad[0], quad[2] - quad[1])
        normal /= max(float(np.linalg.norm(normal)), 1e-9)
        if normal @ (view.eye - quad.mean(axis=0)) <= 0:
            return None
        facing = np.float32(max(float(normal @ light.towards), 0.0))
        return (colour * (light.glow * np.float32(0.45 + 0.4 * abs(normal[2])) + light.key * facing)).astype(np.float32)


def coarse_blur(mask: Picture, sigma: float) -> Picture:
    """Return a wide blur, computed on a quarter of the pixels a side."""
    small = cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), max(sigma / 4, 0.5))
    return np.asarray(cv2.resize(soft, mask.shape[::-1], interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def _lifted(outline: Array, height: float) -> Array:
    return np.column_stack([outline, np.full(len(outline), height)])


def _pixels(view: View, points: Array) -> NDArray[np.int32]:
    return np.round(np.clip(view.project(points), -3000, 6000) * 16).astype(np.int32)


def _filled(view: View, polygons: list[Array]) -> Picture:
    mask = np.zeros((view.height, view.width), np.uint8)
    for polygon in polygons:
        cv2.fillConvexPoly(mask, cv2.convexHull(_pixels(view, polygon)), 255, cv2.LINE_AA, 4)
    return mask.astype(np.float32) * np.float32(1 / 255)


def _paint_quad(picture: Picture, view: View, quad: Array, shade: Colour | None) -> None:
    if shade is None:
        return
    pixels = _pixels(view, quad)
    x, y, width, height = cv2.boundingRect(pixels)
    left, top = max(x // 16, 0), max(y // 16, 0)
    right, bottom = min((x + width) // 16 + 2, view.width), min((y + height) // 16 + 2, view.height)
    if right - left < 1 or bottom - top < 1:
        return
    part = picture[top:bottom, left:right]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, pixels - np.array([left, top]) * 16, 255, cv2.LINE_8, 4)
    tile = noise_tile("cloud", 3)
    rows, columns = np.arange(top, bottom) % len(tile), np.arange(left, right) % len(tile)
    mottled = shade * (0.85 + 0.3 * tile[rows][:, columns, None])
    part[mask > 0] = mottled[mask > 0]


def draw_tray(rng: np.random.Generator, view: View, *, calm: bool = False) -> Tray:
    """Return a random tray, or a mat without walls, that fills most of what the view sees."""
    corners = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]], float)
    seen = view.on_table(corners)[:, :2]
    middle = seen.mean(axis=0)
    half = np.linalg.norm(seen - middle, axis=1).min()
    sides = int(rng.choice([4, 4, 6, 8, 28]))
    reach = half * float(rng.uniform(0.85, 1.25) if sides > 4 else rng.uniform(0.95, 1.5))
    angle = np.linspace(0, 2 * math.pi, sides, endpoint=False) + rng.uniform(0, 2 * math.pi)
    if sides == 4:  # a rectangle along the picture
        along = math.atan2(float(view.axes[0, 1]), float(view.axes[0, 0])) + rng.normal(0, 0.12)
        ratio = math.atan(rng.uniform(0.55, 1.0))
        angle = along + np.array([ratio, math.pi - ratio, math.pi + ratio, -ratio])
    floor = middle + reach * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    height = 0.0 if rng.random() < 0.25 else float(rng.uniform(15, 45))
    spread = height * float(rng.uniform(0.05, 0.9))
    rim = middle + (floor - middle) * (1 + spread / reach)
    ground = draw_ground(rng, calm=True)
    wall = ground.mean if rng.random() < 0.6 else draw_ground(rng, calm=calm).mean
    edge = np.clip(wall * rng.uniform(0.5, 1.6), 0, 1).astype(np.float32)
    return Tray(floor, rim, height, ground, wall, edge, float(rng.uniform(1.5, 12)))
