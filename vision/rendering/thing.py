"""A thing on a table that is no die: an outline drawn up into a body, with print, relief and holes in its top."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.body import Sprite
from vision.rendering.lights import Lighting
from vision.rendering.looks import Colour
from vision.rendering.view import View

Array = NDArray[np.float64]
Pixels = NDArray[np.int32]
Picture = NDArray[np.float32]
Tile = NDArray[np.uint8]
Profile = tuple[tuple[float, float], ...]

SAMPLING = 2
"""Samples a pixel and direction."""
UPRIGHT: Profile = ((1.0, 0.0), (1.0, 1.0))
_LINEAR = ((np.arange(256, dtype=np.float32) / 255) ** 2.2).reshape(1, 256, 1)
_DIMMEST = 0.45
"""The most light that a thing takes from what it lies on: under half, or the shadow would count as the thing itself."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing of the convex or star-shaped `outline` (N,2) in mm, from `low` to `high` mm over the table.

    `print` is a picture stretched over its top, or None; `relief` the heights in mm of the same picture, dents below 0.
    What is not `solid` is a sheet that dice may lie on. `profile` gives, from the foot up, how wide the body is
    (1 = the outline) at which share of its height. `holes` are outlines (M,2) in mm that go through it; `sides` the
    colour (N,3) of each side. Things of a set may touch and lie on one another: `among` is the middle of theirs.
    A thing that must be seen `whole` is not drawn where the picture's edge would cut it: half a domino is a die's face.
    """

    outline: Array
    low: float
    high: float
    colour: Colour
    print: Tile | None = None
    solid: bool = True
    gloss: float = 0.2
    relief: Picture | None = None
    profile: Profile = UPRIGHT
    holes: tuple[Array, ...] = ()
    sides: Picture | None = None
    among: Array | None = None
    whole: bool = False

    @property
    def middle(self) -> Array:
        """Its middle in mm."""
        return np.asarray(self.outline.mean(axis=0), dtype=np.float64)

    @property
    def reach(self) -> float:
        """How far it reaches from its middle in mm."""
        return float(np.linalg.norm(self.outline - self.middle, axis=1).max())

    def corners(self) -> Array:
        """Return its corners in the world (V,3)."""
        return np.vstack([self._ring(scale, share) for scale, share in self.profile])

    def depth(self, eye: Array) -> float:
        """Return its distance from the eye; what lies on another thing of its set counts as a little nearer."""
        if self.among is not None:
            return float(np.linalg.norm(np.append(self.among, 4.0) - eye)) - 1e-3 * self.low
        held_up = self.low > 0
        return float(np.linalg.norm(np.append(self.middle, self.high if held_up else min(self.high, 8.0)) - eye))

    def moved(self, to: Array, turn: float, *, low: float = 0.0, among: Array | None = None) -> Thing:
        """Return the same thing turned (radians) about the origin and carried to `to` and `low` mm over the table."""
        spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        holes = tuple(hole @ spin + to for hole in self.holes)
        rise = low - self.low
        return replace(self, outline=self.outline @ spin + to, low=low, high=self.high + rise, holes=holes, among=among)

    def in_sight(self, view: View) -> bool:
        """Return whether the view sees all of it."""
        pixels = view.project(self.corners())
        return bool((pixels > 1).all() and (pixels < [view.width - 1, view.height - 1]).all())

    def draw(self, view: View, light: Lighting, ground: Colour) -> Sprite | None:
        """Return the thing as the view sees it, and its shadow on the things of its set below it."""
        rings = [view.project(self._ring(scale, share)) for scale, share in self.profile]
        on_others = self.among is not None and self.low > 0
        shadow = [self._thrown(view, light)] if on_others else []
        corners = np.vstack([*rings, *shadow])
        low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 2, (view.width, view.height))
        if (high - low < 2).any():
            return None
        width, height = (int(v) for v in high - low)
        canvas = np.zeros((height * SAMPLING, width * SAMPLING, 3), np.float32)
        cover = np.zeros(canvas.shape[:2], np.float32)

        def samples(points: Array) -> Pixels:
            return np.asarray(np.round(((points - low) * SAMPLING + (SAMPLING - 1) / 2) * 16), dtype=np.int32)

        if shadow:
            share = float(light.key.mean() / (light.key.mean() + light.glow.mean()))
            cv2.fillConvexPoly(cover, cv2.convexHull(samples(np.vstack([rings[0], *shadow]))), share, cv2.LINE_8, 4)
            cover = np.minimum(cv2.GaussianBlur(cover, (0, 0), 1.5 * SAMPLING), _DIMMEST).astype(np.float32)
        if self.high > self.low:
            for band in range(len(rings) - 1):
                self._draw_band(
                    canvas, cover, samples(rings[band]), samples(rings[band + 1]), band, view, light, ground
                )
        top = samples(rings[-1])
        lit = light.glow + light.key * np.float32(light.towards[2])
        sheen = light.key * self._glint(np.array([0.0, 0.0, 1.0]), view, light) + np.float32(0.05 * self.gloss)
        if self.print is None:
            cv2.fillPoly(canvas, [top], (self.colour * lit + sheen).tolist(), cv2.LINE_8, 4)
        else:
            self._draw_print(canvas, top, rings[-1] - low, light, sheen)
        cv2.fillPoly(cover, [top], 1.0, cv2.LINE_8, 4)
        for hole in self.holes:
            upper, lower = (samples(view.project(_lifted(hole, level))) for level in (self.high, self.low))
            _pierce(canvas, cover, upper, lower, self.colour * light.glow * np.float32(0.3))
        return Sprite.shrunk(int(low[0]), int(low[1]), (width, height), canvas, cover)

    def _ring(self, scale: float, share: float) -> Array:
        return _lifted(self.middle + (self.outline - self.middle) * scale, self.low + share * (self.high - self.low))

    def _thrown(self, view: View, light: Lighting) -> Array:
        """Return where the shadow of its top falls on what it lies on, in pixels."""
        slide = light.towards[:2] / max(light.towards[2], 0.25) * (self.high - self.low)
        return view.project(_lifted(self.outline - slide, self.low))

    def _glint(self, normal: Array, view: View, light: Lighting) -> np.float32:
        """Return how much of the key lamp a polished side mirrors into the eye, 0..1."""
        sight = view.eye - np.append(self.middle, self.high)
        half = light.towards + sight / np.linalg.norm(sight)
        return np.float32(0.5 * self.gloss * max(float(normal @ half) / float(np.linalg.norm(half)), 0.0) ** 50)

    def _draw_band(
        self,
        canvas: Picture,
        cover: Picture,
        lower: Pixels,
        upper: Pixels,
        band: int,
        view: View,
        light: Lighting,
        ground: Colour,
    ) -> None:
        (wide, foot), (narrow, head) = self.profile[band : band + 2]
        side = np.roll(self.outline, -1, axis=0) - self.outline
        out = np.stack([side[:, 1], -side[:, 0]], axis=1) / np.linalg.norm(side, axis=1, keepdims=True)
        away = (out * (self.outline - self.middle)).sum(axis=1)
        rise = (head - foot) * (self.high - self.low)
        normals = np.column_stack([out * rise, away * (wide - narrow)])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        ring = self._ring(wide, foot)
        for i in np.flatnonzero((normals * (view.eye - ring)).sum(axis=1) > 0):
            j, normal = (i + 1) % len(normals), normals[i]
            sky = np.float32(0.45 + 0.55 * max(normal[2], 0.6 * normal[2]))
            facing = np.float32(max(float(normal @ light.towards), 0.0))
            below = 0.25 * ground * np.float32(1 - abs(normal[2]))
            colour = self.colour if self.sides is None else self.sides[i]
            shade = colour * (light.glow * sky + light.key * facing + below)
            shade = shade + light.key * self._glint(normal, view, light) + np.float32(0.05 * self.gloss)
            quad = np.array([lower[i], lower[j], upper[j], upper[i]])
            cv2.fillConvexPoly(canvas, quad, shade.tolist(), cv2.LINE_8, 4)
            cv2.fillConvexPoly(cover, quad, 1.0, cv2.LINE_8, 4)

    def _draw_print(self, canvas: Picture, top: Pixels, pixels: Array, light: Lighting, sheen: Colour) -> None:
        assert self.print is not None
        # the print's square is laid over the outline's own axes
        axis = self.outline[1] - self.outline[0]
        axis = axis / np.linalg.norm(axis)
        axes = np.stack([axis, [axis[1], -axis[0]]], axis=1)
        flat = (self.outline - self.middle) @ axes
        least, most = flat.min(axis=0), flat.max(axis=0)
        shown: NDArray[Any] = cv2.LUT(self.print, _LINEAR) * self._light_on_print(light, axes, most - least) + sheen
        seen = math.sqrt(cv2.contourArea(pixels.astype(np.float32)) / cv2.contourArea(flat.astype(np.float32)))
        zoom = seen * SAMPLING * float((most - least).max()) / max(shown.shape[:2])
        if zoom < 0.7:
            shown = cv2.resize(shown, None, fx=max(zoom, 0.02), fy=max(zoom, 0.02), interpolation=cv2.INTER_AREA)
        rows, columns = shown.shape[:2]
        source = ((flat - least) / (most - least) * [columns - 1, rows - 1]).astype(np.float32)
        warp, _ = cv2.findHomography(source, (pixels * SAMPLING).astype(np.float32), 0)
        if warp is None:
            return
        warped = cv2.warpPerspective(shown, warp, canvas.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        mask = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillPoly(mask, [top], 255, cv2.LINE_8, 4)
        cv2.copyTo(warped, mask, canvas)

    def _light_on_print(self, light: Lighting, axes: Array, size: Array) -> Picture:
        """Return the light (3,) that the flat top takes, or that each point (H,W,3) of its relief takes."""
        if self.relief is None:
            return np.asarray(light.glow + light.key * np.float32(light.towards[2]), dtype=np.float32)
        rows, columns = self.relief.shape
        right = cv2.Sobel(self.relief, cv2.CV_32F, 1, 0, scale=0.125 * columns / size[0])
        down = cv2.Sobel(self.relief, cv2.CV_32F, 0, 1, scale=0.125 * rows / size[1])
        lean = light.towards[:2] @ axes
        facing = (light.towards[2] - lean[0] * right - lean[1] * down) / np.sqrt(1 + right**2 + down**2)
        return np.asarray(light.glow + light.key * np.maximum(facing, 0)[..., None], dtype=np.float32)


def _pierce(canvas: Picture, cover: Picture, upper: Pixels, lower: Pixels, wall: Colour) -> None:
    """Cut a hole: its wall is seen where it opens above, and nothing where it opens above and below."""
    opened, through = (np.zeros(cover.shape, np.uint8) for _ in range(2))
    cv2.fillPoly(opened, [upper], 1, cv2.LINE_8, 4)
    cv2.fillPoly(through, [lower], 1, cv2.LINE_8, 4)
    canvas[opened > 0] = wall
    through &= opened
    canvas[through > 0] = 0
    cover[through > 0] = 0


def _lifted(outline: Array, height: float) -> Array:
    return np.column_stack([outline, np.full(len(outline), height)])


def circle(radius: float, count: int = 28) -> Array:
    """Return a circle (count,2) about the origin, counter-clockwise, as every outline is."""
    angle = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius


def box(width: float, height: float, corner: float = 0.0) -> Array:
    """Return a rectangle about the origin, its `corner`s cut round; its first side runs to the right."""
    if not corner:
        return np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    angle = np.linspace(0, math.pi / 2, 4)
    bend = np.stack([np.sin(angle), 1 - np.cos(angle)], axis=1) * corner
    x, y = width / 2 - corner, height / 2
    half = np.vstack([bend + np.array([x, -y]), (bend * [1, -1])[::-1] + np.array([x, y])])
    return np.roll(np.vstack([half, -half]), 1, axis=0)


def overlap(one: Array, two: Array) -> bool:
    """Return whether two convex outlines overlap (separating axes)."""
    for outline in (one, two):
        side = np.roll(outline, -1, axis=0) - outline
        axes = np.stack([side[:, 1], -side[:, 0]], axis=1)
        first, second = one @ axes.T, two @ axes.T
        apart = (first.max(axis=0) < second.min(axis=0)) | (second.max(axis=0) < first.min(axis=0))
        if apart.any():
            return False
    return True
