"""The lit table top: ground seen by the camera, shadows of what stands on it, the glare of a polished top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering.grounds import Ground
from vision.rendering.lights import DOME, Lighting
from vision.rendering.noise import SIZE
from vision.rendering.thing import Thing
from vision.rendering.tray import Tray, coarse_blur
from vision.rendering.view import View

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

_NOTHING = np.zeros(3, np.float32)
_EVEN = Lighting(
    np.array([0.0, 0.0, 1.0]), _NOTHING, np.ones(3, np.float32), 0.1, *[np.zeros((1, 1, 3), np.float32)] * 2
)
"""Light in which a thing shows its own colours."""
_EDGE = 1.3
"""How soft the dark edge of a sheet on the table is, in pixels."""
_LEVELS = np.arange(256, dtype=np.float32) / 255


@dataclass(frozen=True, slots=True)
class Caster:
    """Something that throws a shadow: its corners in the world (V,3) in mm, and how much light it lets through."""

    points: Array
    clear: float = 0.0


def draw_table(
    rng: np.random.Generator,
    ground: Ground,
    view: View,
    light: Lighting,
    casters: Sequence[Caster],
    tray: Tray | None = None,
    sheets: Sequence[Thing] = (),
) -> Picture:
    """Return the table, the tray and the `sheets` on it, with nothing more on them but shadows, in linear light."""
    shown = _seen_ground(rng, ground, view)
    open_sky = _contact_map(view, casters)
    all_casters = casters if tray is None or not tray.height else [*casters, Caster(tray.outside(), 0.3)]
    open_key = _key_map(view, light, all_casters)
    shine = ground.shine
    if tray is not None:
        floor = tray.floor_mask(view)
        inside = _seen_ground(rng, tray.ground, view)
        shown = np.asarray(cv2.blendLinear(inside, shown, floor, 1 - floor), dtype=np.float32)
        shine = tray.ground.shine
        if tray.height:
            inner_key = np.minimum(_key_map(view, light, casters), tray.inner_shadow(view, light))
            open_key += (inner_key - open_key) * floor
            scale = view.focal / float(np.linalg.norm(view.eye))
            around = coarse_blur(floor, 0.5 * tray.height * scale)
            open_sky *= 1 - floor * np.clip(1 - around, 0, 0.6)
    _lay_sheets(shown, sheets, view)
    slope = rng.uniform(-0.25, 0.25, 2)
    x = np.linspace(-1, 1, view.width, dtype=np.float32) * slope[0]
    y = np.linspace(-1, 1, view.height, dtype=np.float32) * slope[1]
    open_key *= 1 + x[None, :] + y[:, None]
    key = light.key * np.float32(light.towards[2])
    lights = np.column_stack([light.glow, key]).astype(np.float32)
    shown = np.asarray(cv2.multiply(shown, cv2.transform(cv2.merge([open_sky, open_key]), lights)), dtype=np.float32)
    if tray is not None:
        tray.draw_walls(shown, view, light)
    if shine > 0.02:
        shown += _glare(view, light, shine)
    return shown


def _seen_ground(rng: np.random.Generator, ground: Ground, view: View) -> Picture:
    angle = rng.uniform(0, 2 * np.pi)
    zoom = SIZE / ground.span
    # the world's y runs up, a picture's down
    turn = np.array([[np.cos(angle), np.sin(angle)], [np.sin(angle), -np.cos(angle)]]) * zoom
    to_tile = np.eye(3)
    to_tile[:2, :2] = turn
    to_tile[:2, 2] = rng.uniform(0, SIZE, 2)
    warp = to_tile @ np.linalg.inv(view.ground())
    seen = cv2.warpPerspective(
        ground.tile,
        warp,
        (view.width, view.height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_WRAP,
    )
    linear = np.clip(_LEVELS[:, None] * ground.gain, 0, 1) ** 2.2
    return np.asarray(cv2.LUT(seen, linear.astype(np.float32).reshape(1, 256, 3)), dtype=np.float32)


def _lay_sheets(shown: Picture, sheets: Sequence[Thing], view: View) -> None:
    """Paint cards and pages into the unlit ground, so that light and shadows fall on them as on the table."""
    if not sheets:
        return
    edges = np.ones((view.height, view.width), np.float32)
    for sheet in sheets:
        _stamp(edges, _outline(sheet.corners(), view), _EDGE, 0.6)
    shown *= edges[..., None]
    for sheet in sheets:
        sprite = sheet.draw(view, _EVEN, _NOTHING)
        if sprite is not None:
            sprite.paint(shown)


def _outline(points: Array, view: View) -> NDArray[np.int32]:
    pixels = view.project(np.column_stack([points[:, :2], np.zeros(len(points))]))
    return np.asarray(cv2.convexHull(np.round(np.clip(pixels, -4000, 8000) * 16).astype(np.int32)), dtype=np.int32)


def _stamp(into: Picture, outline: NDArray[np.int32], sigma: float, strength: float) -> None:
    """Darken `into` (0..1) under an outline (1/16 px) with a soft edge; overlapping stamps do not add up."""
    margin = int(sigma * 2.5) + 2
    x, y, width, height = cv2.boundingRect(outline)
    left, top = max(x // 16 - margin, 0), max(y // 16 - margin, 0)
    right = min((x + width) // 16 + margin, into.shape[1])
    bottom = min((y + height) // 16 + margin, into.shape[0])
    if right - left < 2 or bottom - top < 2:
        return
    # wide blurs are computed on coarser pixels; drawn with a margin, so that the edge does not lighten them
    coarse = max(1, int(sigma / 2))
    wide, high = right - left, bottom - top
    size = (-(-(wide + 2 * margin) // coarse), -(-(high + 2 * margin) // coarse))
    mask = np.zeros((size[1], size[0]), np.uint8)
    shift = np.array([left - margin, top - margin], np.int32) * 16
    cv2.fillConvexPoly(mask, (outline - shift) // coarse, 255 * strength, cv2.LINE_AA, 4)
    soft: NDArray[Any] = mask
    if sigma > 0.4:
        soft = cv2.GaussianBlur(mask, (0, 0), sigma / coarse)
    if coarse > 1:
        soft = cv2.resize(soft, (size[0] * coarse, size[1] * coarse), interpolation=cv2.INTER_LINEAR)
    dark = soft[margin : margin + high, margin : margin + wide].astype(np.float32)
    part = into[top:bottom, left:right]
    np.minimum(part, 1 - dark * np.float32(1 / 255), out=part)


def _key_map(view: View, light: Lighting, casters: Sequence[Caster]) -> Picture:
    """Return how much of the key lamp reaches the table, 0..1: sharp at the foot, soft far out."""
    open_way = np.ones((view.height, view.width), np.float32)
    slide = light.towards[:2] / max(light.towards[2], 0.25)
    scale = view.focal / float(np.linalg.norm(view.eye))
    for caster in casters:
        height = np.maximum(caster.points[:, 2:], 0)
        strength = 1 - 0.65 * caster.clear
        for share in (0.45, 1.0):
            thrown = caster.points[:, :2] - slide * height * share
            both = np.vstack([caster.points[:, :2], thrown]) if share < 1 else thrown
            foot = caster.points[height[:, 0] < 1.0, :2]
            outline = _outline(np.vstack([both, foot]), view)
            sigma = light.softness * float(height.max()) * share * 0.7 * scale
            _stamp(open_way, outline, sigma, strength * (1.0 if share == 1 else 0.9))
    return open_way


def _contact_map(view: View, casters: Sequence[Caster]) -> Picture:
    """Return how much of the room's glow reaches the table, 0..1: less close to what stands on it."""
    open_sky = np.ones((view.height, view.width), np.float32)
    scale = view.focal / float(np.linalg.norm(view.eye))
    for caster in casters:
        flat = caster.points[:, :2]
        middle = flat.mean(axis=0)
        height = float(caster.points[:, 2].max())
        _stamp(open_sky, _outline(middle + (flat - middle) * 1.08, view), max(0.28 * height * scale, 1), 0.62)
    return open_sky


def _glare(view: View, light: Lighting, shine: float) -> Picture:
    """Return the room's reflection in the table top, computed coarsely."""
    columns, rows = max(view.width // 16, 4), max(view.height // 16, 4)
    origin, right, down = view.ray_steps()
    xs = (np.arange(columns) + 0.5) * view.width / columns
    ys = (np.arange(rows) + 0.5) * view.height / rows
    rays = origin + right * xs[None, :, None] + down * ys[:, None, None]
    rays /= np.linalg.norm(rays, axis=2, keepdims=True)
    cosine = np.clip(-rays[..., 2], 0.01, 1)
    reach = (DOME / 2) / (1 + cosine)
    across = (rays[..., 0] * reach + DOME / 2 - 0.5).astype(np.float32)
    along = (rays[..., 1] * reach + DOME / 2 - 0.5).astype(np.float32)
    room = cv2.remap(light.soft_dome, across, along, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    room = room * (shine * (0.04 + 0.96 * (1 - cosine) ** 5)).astype(np.float32)[..., None]
    return np.asarray(cv2.resize(room, (view.width, view.height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)
