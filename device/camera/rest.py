"""Whether what a camera sees has come to rest: small grey pictures and their times in, an answer out."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.base import Image

Grey = NDArray[np.uint8]
"""A small picture, height x width, 0..255."""

SMALL = 320
"""Pixels of the longer side of the pictures that are compared: a die is some ten of them wide."""

QUIET = 0.05
"""Seconds without a change after which dice lie that were never seen to move."""

SETTLED = 0.3
"""The same once something was seen to move: a die that stands on its edge may pause before it falls."""

LEAST_STEP = 10.0
"""Grey levels by which a place must change at least; noise of the picture itself raises it."""

LEAST_AREA = 8
"""Places that must change: a quarter of a die's outline."""

MOSTLY = 0.4
"""Share of the picture that changes at once when it is the light or the camera, and no die."""


class Rest:
    """Compares pictures of one scene as they come. Pure; times are `time.monotonic` seconds.

    What has changed is measured against the picture in which the present calm began, so that slow movement counts too.
    """

    def __init__(self, *, quiet: float = QUIET, settled: float = SETTLED) -> None:
        self.quiet = quiet
        self.settled = settled
        self.moved = False
        """Whether anything was seen to move so far."""
        self._calm: Grey | None = None
        self._since = 0.0
        self._last = 0.0

    def see(self, picture: Grey, at: float) -> None:
        """Take the next picture, exposed `at`."""
        if self._calm is None or self._calm.shape != picture.shape:
            self._calm, self._since = picture, at
        elif changed(self._calm, picture):
            self.moved = True
            self._calm, self._since = picture, at
        self._last = at

    @property
    def still(self) -> bool:
        """Whether nothing has moved for long enough."""
        return self._last - self._since >= (self.settled if self.moved else self.quiet)


def changed(before: Grey, now: Grey) -> bool:
    """Return whether something has moved between two small pictures of the same size.

    Lamps that flicker lighten and darken whole rows, and noise is everywhere: neither is movement.
    """
    old, new = _smooth(before), _smooth(now)
    step = new * (np.median(old, axis=1, keepdims=True) + 1) / (np.median(new, axis=1, keepdims=True) + 1) - old
    noise = float(np.median(np.abs(step))) / 0.6745
    places = np.abs(step) > max(LEAST_STEP, 6 * noise)
    return bool(LEAST_AREA <= int(places.sum()) <= MOSTLY * places.size)


def small(image: Image) -> Grey:
    """Return a picture (BGR) as a small grey one."""
    scale = SMALL / max(image.shape[:2])
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _smooth(picture: Grey) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(picture.astype(np.float32), (3, 3)), np.float32)
