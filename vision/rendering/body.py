"""A die's body cast ray by ray: which pixel sees which face, its normal, its ink, its light; returns a sprite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.dice import Shape
from vision.rendering.faces import HALF, face_picture
from vision.rendering.lights import DOME, Lighting
from vision.rendering.looks import Colour, Look
from vision.rendering.noise import noise_tile
from vision.rendering.numerals import TILE, FontBook
from vision.rendering.polyhedra import D10_STEEPNESS
from vision.rendering.solid import PlacedDie, edges
from vision.rendering.view import View

Rows = NDArray[np.float32]
"""Values for every lit sample: (N,) or (3, N); colours as linear B, G, R."""

SAMPLES = 120
"""Rough number of samples across a die; small dice get up to three a pixel and direction."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A part of the picture with its corner at (x, y): premultiplied linear BGR (h,w,3) and coverage (h,w)."""

    x: int
    y: int
    colour: NDArray[np.float32]
    cover: NDArray[np.float32]

    @classmethod
    def shrunk(
        cls, x: int, y: int, size: tuple[int, int], colour: NDArray[np.float32], cover: NDArray[np.float32]
    ) -> Sprite:
        """Return the sprite of `size` (width, height) that is the average of finer samples."""
        small = (cv2.resize(finer, size, interpolation=cv2.INTER_AREA) for finer in (colour, cover))
        return cls(x, y, *(np.asarray(part, dtype=np.float32) for part in small))

    def paint(self, picture: NDArray[np.float32]) -> tuple[slice, slice]:
        """Paint the sprite into `picture`, and return which part of it that is."""
        height, width = self.cover.shape
        part = (slice(self.y, self.y + height), slice(self.x, self.x + width))
        picture[part] = picture[part] * (1 - self.cover[..., None]) + self.colour
        return part


def draw_die(
    placed: PlacedDie,
    view: View,
    light: Lighting,
    ground: Colour,
    fonts: FontBook,
    others: Sequence[PlacedDie] = (),
) -> Sprite | None:
    """Return the die as the view sees it, lit, shadowed by `others` near it; None when it lies outside the picture."""
    frame = _frame(placed, view)
    if frame is None:
        return None
    x, y, width, height = frame
    sampling = float(np.clip(SAMPLES / max(width, height), 1.0, 3.0))
    columns, rows = round(width * sampling), round(height * sampling)
    xs = x + (np.arange(columns, dtype=np.float32) + 0.5) * (width / columns) - 0.5
    ys = y + (np.arange(rows, dtype=np.float32) + 0.5) * (height / rows) - 0.5
    near, hit = _cast(placed, view, xs, ys)
    index = np.flatnonzero(hit)
    if index.size < 4:
        return None
    sample = _Samples(placed, view, xs, ys, index, near.ravel()[index], (rows, columns))
    lit = _shade(sample, light, ground, fonts, others)
    colour = np.zeros((rows * columns, 3), np.float32)
    colour[index] = lit.T
    cover = hit.astype(np.float32)
    return Sprite.shrunk(x, y, (width, height), colour.reshape(rows, columns, 3), cover)


def _frame(placed: PlacedDie, view: View) -> tuple[int, int, int, int] | None:
    pixels = view.project(placed.vertices)
    low = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, (view.width, view.height))
    if (high - low < 3).any():
        return None
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _planes(placed: PlacedDie) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return normals (P,3) and distances (P,) in the die's own axes: its faces, then the cut edges of rounded dice."""
    solid, look = placed.solid, placed.look
    normals, distances = solid.normals, np.full(len(solid.normals), solid.distance)
    if look.bevel < 0.06 or solid.shape.faces > 8:
        return normals, distances
    pairs = np.array(edges(solid.shape, D10_STEEPNESS))
    sums = solid.normals[pairs[:, 0]] + solid.normals[pairs[:, 1]]
    lengths = np.linalg.norm(sums, axis=1)
    cut = look.bevel * solid.faces[0].inradius * 0.55
    return (
        np.vstack([normals, sums / lengths[:, None]]),
        np.concatenate([distances, (2 * solid.distance - cut) / lengths]),
    )


def _cast(placed: PlacedDie, view: View, xs: Rows, ys: Rows) -> tuple[Rows, NDArray[np.bool_]]:
    """Return 1/depth of the first hit (rows, columns), and where there is one.

    With the eye at 0, 1/depth of a plane is linear in the pixel: the body is what lies behind all planes that face
    the eye and before all that do not.
    """
    own_normals, distances = _planes(placed)
    normals = own_normals @ placed.turn.T
    offset = distances * placed.radius + normals @ (placed.place - view.eye)
    steps = np.stack([normals @ step for step in view.ray_steps()]) / offset
    start, right, down = steps.astype(np.float32)
    front = offset < 0

    def inverse_depth(planes: NDArray[np.bool_]) -> Rows:
        across = start[planes, None] + right[planes, None] * xs
        return np.asarray(across[:, None, :] + (down[planes, None] * ys)[:, :, None], dtype=np.float32)

    near = inverse_depth(front).min(axis=0)
    far = np.maximum(inverse_depth(~front).max(axis=0), 1e-9)
    hit = near > far
    if placed.look.ball < 0.999:
        origin, east, south = view.ray_steps()
        centre = placed.place - view.eye
        reach = placed.ball * placed.radius
        # |ray|^2 and ray.centre are polynomials of the pixel
        along = (origin @ centre + east @ centre * xs)[None, :] + (south @ centre * ys)[:, None]
        length = (
            (origin @ origin + 2 * (origin @ east) * xs + east @ east * xs**2)[None, :]
            + (2 * (origin @ south) * ys + south @ south * ys**2)[:, None]
            + 2 * (east @ south) * ys[:, None] * xs[None, :]
        )
        inner = along**2 - length * (centre @ centre - reach**2)
        root = np.sqrt(np.maximum(inner, 0))
        near = np.minimum(near, length / (along - root))
        far = np.maximum(far, length / (along + root))
        hit = (inner > 0) & (near > far)
    return near.astype(np.float32), hit


class _Samples:
    """The samples of one die that hit it: where they are, in world and in the die's own axes."""

    def __init__(
        self,
        placed: PlacedDie,
        view: View,
        xs: Rows,
        ys: Rows,
        index: NDArray[np.intp],
        near: Rows,
        shape: tuple[int, int],
    ) -> None:
        self.placed, self.view, self.index, self.shape = placed, view, index, shape
        origin, right, down = (step.astype(np.float32)[:, None] for step in view.ray_steps())
        rays = origin + right * xs[index % shape[1]] + down * ys[index // shape[1]]
        self.sight = rays / np.sqrt((rays * rays).sum(axis=0))
        centre = (placed.place - view.eye).astype(np.float32)[:, None]
        around = rays / near - centre
        self.world = around + placed.place.astype(np.float32)[:, None]
        self.turn = placed.turn.astype(np.float32)
        self.own = self.turn.T @ around / np.float32(placed.radius)

    def picture(self, values: Rows) -> Rows:
        """Return samples laid back into the sampled picture."""
        flat = np.zeros(self.shape[0] * self.shape[1], np.float32)
        flat[self.index] = values
        return flat.reshape(self.shape)

    def surface(self, tilted: NDArray[np.bool_]) -> tuple[NDArray[np.intp], Rows]:
        """Return the face of every sample among those `tilted` to the eye, and its rounded normal in own axes."""
        solid, look = self.placed.solid, self.placed.look
        candidates = np.flatnonzero(tilted)
        normals = solid.normals.astype(np.float32)
        depth = np.float32(solid.distance) - normals @ self.own
        face = candidates[depth[candidates].argmin(axis=0)]
        bevel = np.float32(look.bevel * solid.faces[0].inradius)
        weight = np.maximum(1 - np.maximum(depth, 0) / bevel, 0) ** 2
        rounded = normals.T @ weight
        if look.ball < 0.999:
            out = np.sqrt((self.own**2).sum(axis=0))
            pull = np.maximum(1 - np.maximum(self.placed.ball - out, 0) / (0.5 * bevel), 0) ** 2
            rounded += self.own / out * pull
        rounded += normals[face].T * 1e-4
        return face, rounded / np.sqrt((rounded**2).sum(axis=0))


def _ink_of(sample: _Samples, own: Rows, face: NDArray[np.intp], fonts: FontBook) -> NDArray[np.float32]:
    """Return the printed ink (0..1) as a sampled picture for points `own` on `face`."""
    placed = sample.placed
    solid, prints, look = placed.solid, placed.prints, placed.look
    shown = np.unique(face)
    atlas = np.vstack([face_picture(solid, int(i), prints, look, fonts) for i in shown])
    slot = np.zeros(len(solid.faces), np.float32)
    slot[shown] = np.arange(len(shown)) * TILE
    inradius = np.array([f.inradius for f in solid.faces])
    centres = np.array([f.centre for f in solid.faces])
    scale = (TILE / (2 * HALF[solid.shape]) / inradius)[:, None]
    maps = []
    for steps in (prints.right, prints.down):
        axis = (steps * scale).astype(np.float32)
        shift = (-(centres * steps).sum(axis=1) * scale[:, 0] + TILE / 2 - 0.5).astype(np.float32)
        maps.append(np.clip((axis[face].T * own).sum(axis=0) + shift[face], 0, TILE - 1))
    maps[1] += slot[face]
    return cv2.remap(
        atlas, sample.picture(maps[0]), sample.picture(maps[1]), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(np.float32) * np.float32(1 / 255)


def _pattern(sample: _Samples, look: Look) -> Rows | None:
    """Return how much of the second colour every sample has, 0..1."""
    if look.pattern == "plain":
        return None
    own = sample.own
    if look.pattern == "layers":
        axis = np.random.default_rng(look.seed).normal(size=3).astype(np.float32)
        return np.asarray(np.clip(axis @ own * 1.6 / np.linalg.norm(axis) + 0.5, 0, 1), dtype=np.float32)
    kind = {"marble": "swirl", "pearl": "swirl", "speckle": "fleck", "glitter": "grain"}[look.pattern]
    tile = noise_tile(kind, look.seed % 8)
    size = tile.shape[0]
    scale = np.float32(size * 0.16 * look.pattern_scale)
    shift = (look.seed % 997, look.seed % 991)
    across = (own[0] + 0.71 * own[2]) * scale + shift[0]
    along = (own[1] - 0.53 * own[2]) * scale + shift[1]
    value = cv2.remap(tile, sample.picture(across), sample.picture(along), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return np.asarray(value.ravel()[sample.index], dtype=np.float32)


def _shade(sample: _Samples, light: Lighting, ground: Colour, fonts: FontBook, others: Sequence[PlacedDie]) -> Rows:
    placed, look, view = sample.placed, sample.placed.look, sample.view
    facing = (placed.solid.normals @ placed.turn.T) @ (view.eye - placed.place) > placed.solid.distance * placed.radius
    face, own_normal = sample.surface(facing)
    normal = sample.turn @ own_normal
    ink_picture = _ink_of(sample, sample.own, face, fonts)
    ink = ink_picture.ravel()[sample.index]
    if look.wear:
        worn = noise_tile("fleck", look.seed % 5)
        patch = cv2.resize(np.roll(worn, look.seed % 200, axis=0)[:128, :128], sample.shape[::-1])
        ink = ink * (1 - look.wear * patch.ravel()[sample.index])
    albedo = np.repeat(look.base[:, None], ink.size, axis=1)
    mixed = _pattern(sample, look)
    if mixed is not None:
        albedo += (look.second - look.base)[:, None] * mixed
    inks = np.where((np.array(placed.prints.values) == 1)[face] & (placed.solid.shape is Shape.D6), 1, 0)
    ink_colour = np.stack([look.ink, look.one_ink], axis=1)[:, inks]

    if look.depth:
        normal = _dented(sample, normal, ink_picture, look.depth)
    towards = light.towards.astype(np.float32)
    lit = np.maximum((towards @ normal + 0.12) / 1.12, 0) * _unshadowed(sample.world, light, others, placed)
    height = np.clip(sample.world[2] / (placed.radius * 0.9), 0, 1)
    open_sky = 0.5 + 0.5 * normal[2]
    closed = 1 - 0.55 * (1 - height) ** 2 * (1 - open_sky)
    bounce = (0.8 * ground + 0.04)[:, None] * ((light.glow + light.key) * 0.8)[:, None]
    glow = (light.glow[:, None] * open_sky + bounce * (1 - open_sky)) * closed
    irradiance = glow + light.key[:, None] * lit

    body = albedo * irradiance
    if look.clear:
        body = body * (1 - look.clear) + look.clear * _seen_through(sample, normal, light, ground, fonts)
    colour = body + (ink_colour * irradiance - body) * ink
    return np.asarray(colour + _mirrored(sample, normal, light, ground, look) * (1 - 0.6 * ink), dtype=np.float32)


def _dented(sample: _Samples, normal: Rows, ink: NDArray[np.float32], depth: float) -> Rows:
    """Return the normals with pips and numerals cut into the faces like shallow bowls."""
    bowl = cv2.blur(ink, (9, 9))
    slope = [cv2.Sobel(bowl, cv2.CV_32F, x, y, scale=0.125).ravel()[sample.index] for x, y in ((1, 0), (0, 1))]
    right, down = (axis.astype(np.float32)[:, None] for axis in sample.view.axes[:2])
    dented = normal + np.float32(4.0 * depth) * (right * slope[0] + down * slope[1])
    return np.asarray(dented / np.sqrt((dented**2).sum(axis=0)), dtype=np.float32)


def _unshadowed(world: Rows, light: Lighting, others: Sequence[PlacedDie], me: PlacedDie) -> NDArray[Any] | float:
    """Return 0..1, how much of the key light gets past the other dice, taken as balls."""
    open_way: NDArray[Any] | float = 1.0
    towards = light.towards.astype(np.float32)
    for other in others:
        gap = float(np.linalg.norm(other.place - me.place))
        if other is me or gap > 4 * (other.radius + me.radius):
            continue
        arm = other.place.astype(np.float32)[:, None] - world
        along = towards @ arm
        aside = np.sqrt(np.maximum((arm**2).sum(axis=0) - along**2, 0))
        edge = np.float32(other.radius * (0.12 + light.softness))
        passed = np.clip((aside - 0.82 * other.radius) / edge + 0.5, 0, 1)
        open_way = open_way * np.where(along > 0, np.maximum(passed, 0.5 * other.look.clear), 1.0)
    return open_way


def _mirrored(sample: _Samples, normal: Rows, light: Lighting, ground: Colour, look: Look) -> Rows:
    """Return the light mirrored by the polished surface (Schlick's Fresnel)."""
    cosine = np.clip(-(normal * sample.sight).sum(axis=0), 0, 1)
    bounced = sample.sight + 2 * cosine * normal
    fresnel = (0.04 + 0.96 * (1 - cosine) ** 5) * look.shine
    if look.pattern == "pearl":
        fresnel += 0.05
    reach = (DOME / 2) / (1 + np.abs(bounced[2]))
    across, along = bounced[0] * reach + DOME / 2 - 0.5, bounced[1] * reach + DOME / 2 - 0.5
    mixed = light.dome * look.polish + light.soft_dome * (1 - look.polish)
    sky = (
        cv2.remap(
            mixed, sample.picture(across), sample.picture(along), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        .reshape(-1, 3)[sample.index]
        .T
    )
    floor = (ground * (light.glow + light.key) * 0.7)[:, None]
    above = np.clip(bounced[2] * 6 + 0.5, 0, 1)
    return np.asarray(fresnel * (sky * above + floor * (1 - above)), dtype=np.float32)


def _seen_through(sample: _Samples, normal: Rows, light: Lighting, ground: Colour, fonts: FontBook) -> Rows:
    """Return what a clear die shows: the far faces' ink and the light behind, through its own colour."""
    placed, look = sample.placed, sample.placed.look
    ratio = np.float32(1 / 1.45)
    cosine = np.clip(-(normal * sample.sight).sum(axis=0), 0, 1)
    bent = ratio * sample.sight + (ratio * cosine - np.sqrt(1 - ratio**2 * (1 - cosine**2))) * normal
    way = sample.turn.T @ bent
    normals = placed.solid.normals.astype(np.float32)
    speed = normals @ way
    room = np.float32(placed.solid.distance) - normals @ sample.own
    far = np.where(speed > 1e-4, np.maximum(room, 0) / np.maximum(speed, 1e-4), np.inf)
    exit_face = far.argmin(axis=0)
    length = np.minimum(far.min(axis=0), 2.0)
    leaving = sample.own + way * length
    ink = _ink_of(sample, leaving, exit_face, fonts).ravel()[sample.index]
    down = np.clip(-bent[2] * 1.5, 0, 1)
    total = (light.glow + light.key)[:, None]
    behind = (ground[:, None] * 0.75 * down + 0.6 * (1 - down)) * total
    tint = np.clip(look.base * 1.25 + 0.02, 0.01, 0.98)[:, None]
    through = behind * tint ** (0.25 + 0.75 * length) + 0.25 * look.base[:, None] * total
    facet = 0.75 + 0.5 * np.abs(speed[exit_face, np.arange(exit_face.size)])
    dim = look.ink[:, None] * 0.4 * total
    return np.asarray(through * facet + (dim - through * facet) * (0.7 * ink), dtype=np.float32)
