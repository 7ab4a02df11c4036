"""Whether camera, light and what lies there are as they were: the empty tray then, and any later picture of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.base import Image
from device.camera.rest import Grey, small
from vision.reading import Box

Light = NDArray[np.float64]
"""Mean blue, green, red in each cell of a grid over the picture."""

GRID = (16, 12)
"""Cells of that grid across and down."""

EDGE = 10
"""Pixels of the small picture from its edge within which a point may leave it."""

FEWEST = 8
"""Points with a structure of their own that there must be in the empty picture for anything to be told."""

PLAIN = 5.0
"""Grey levels by which the surroundings of such a point must differ among themselves."""

HELD = 0.25
"""Share of them that must be found again as one whole; dice, hands and boxes hide the others."""

MOVED = 0.012
"""Share of the picture's width by which it may shift: a die's tenth."""

BRIGHTER, TINTED = 1.6, 0.18
"""How many times brighter or darker the light may become, and by how much its colour may change."""

HUE, LIT, SHADED = 0.06, 1.6, 0.45
"""What makes a cell another one than with the empty tray: the share of its colour that more or less light does not
explain, or how many times lighter or darker it is; a shadow is no darker than that."""

REACHING = 4
"""Cells that something must cover which reaches in: a hand with its wrist; a die that lies at the edge covers one."""


def light_of(image: Image) -> Light:
    """Return the light in a picture (BGR), cell by cell: rows x columns x 3."""
    return np.asarray(cv2.resize(image, GRID, interpolation=cv2.INTER_AREA), np.float64)


def shift_of(before: Grey, now: Image) -> float | None:
    """Return by which share of its width the view has shifted since the small picture `before`.

    None where it cannot be told; infinite where the view is another one altogether.
    """
    picture = small(now)
    if picture.shape != before.shape:
        return math.inf
    points = _holds(before)
    if len(points) < FEWEST:
        return None
    # As bright as before, for points are followed by their grey.
    brightness = float(np.median(before) + 1) / float(np.median(picture) + 1)
    picture = np.clip(picture * brightness, 0, 255).astype(np.uint8)
    follow: Any = cv2.calcOpticalFlowPyrLK
    there, found, _ = follow(before, picture, points, None, winSize=(21, 21), maxLevel=4)
    back, again, _ = follow(picture, before, there, None, winSize=(21, 21), maxLevel=4)
    same = (found & again).ravel().astype(bool) & (np.abs(back - points).reshape(-1, 2).max(axis=1) < 1)
    if same.sum() < max(4, HELD * len(points)):
        return math.inf
    whole, inside = cv2.estimateAffinePartial2D(points[same], there[same], ransacReprojThreshold=1.5)
    if whole is None or inside.sum() < HELD * len(points):
        return math.inf
    height, width = before.shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    return float(np.abs(corners @ whole[:, :2].T + whole[:, 2] - corners).max() / width)


def _holds(picture: Grey) -> NDArray[np.float32]:
    """Return the places (N, 1, 2) by which a picture can be recognised: corners that stand out, not noise or cloth."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.0)
    inside = np.zeros_like(smooth)
    inside[EDGE:-EDGE, EDGE:-EDGE] = 255
    # Harris' measure leaves straight edges out: along them a point slides.
    found = cv2.goodFeaturesToTrack(smooth, 200, 0.005, 6, mask=inside, useHarrisDetector=True)
    if found is None:
        return np.empty((0, 1, 2), np.float32)
    grey = smooth.astype(np.float32)
    spread = np.sqrt(np.maximum(cv2.blur(grey * grey, (9, 9)) - cv2.blur(grey, (9, 9)) ** 2, 0))
    across, down = found[:, 0].round().astype(int).T
    return np.asarray(found[spread[down, across] >= PLAIN], np.float32)


def moved(shift: float | None) -> bool:
    """Return whether the camera no longer stands where it stood."""
    return shift is not None and shift > MOVED


def relit(before: Light, now: Light) -> bool:
    """Return whether the light is another one: much brighter or darker, or of another colour.

    What lies in some cells does not count: the cell in the middle of all decides.
    """
    blue, green, red = np.median((now + 1) / (before + 1), axis=(0, 1))
    brighter = not 1 / BRIGHTER < green < BRIGHTER
    return bool(brighter or max(abs(red / green - 1), abs(blue / green - 1)) > TINTED)


def reaching(before: Light, now: Light, dice: Sequence[Box], corners: Sequence[Sequence[float]] | None = None) -> bool:
    """Return whether something reaches in from the edge of the picture that was not there when the tray was empty: a
    hand, a sleeve. Shadows are nothing, and what is as white as the table is not seen.

    `dice` are boxes as shares of the picture's width and height, and so are the tray's `corners`, where they are known:
    what stays outside of the tray covers no die.
    """
    now = now / np.median((now + 8) / (before + 8), axis=(0, 1))
    lit = (now * before).sum(axis=2) / ((before * before).sum(axis=2) + 1)
    hue = np.linalg.norm(now - lit[..., None] * before, axis=2) / (np.linalg.norm(now, axis=2) + 20)
    other = ((hue > HUE) | (lit > LIT) | (lit < SHADED)).astype(np.uint8)
    across, down = GRID
    counts = np.ones((down, across), np.uint8)
    if corners is not None:
        counts[:] = 0
        # Cells whose middle lies in the tray.
        cv2.fillConvexPoly(counts, np.round(np.array(corners) * GRID - 0.5).astype(np.int32), 1)
    for x, y, width, height in dice:
        counts[int(y * down) : int((y + height) * down) + 1, int(x * across) : int((x + width) * across) + 1] = 0
    _, parts = cv2.connectedComponents(other, connectivity=4)
    at_edge = np.unique(np.concatenate([parts[0], parts[-1], parts[:, 0], parts[:, -1]]))
    return any(int(counts[parts == part].sum()) >= REACHING for part in at_edge if part)
