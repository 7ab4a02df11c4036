"""A camera over a table that is not there: each capture is a photograph, of a roll of the dice awaited."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from device.camera.base import PATIENCE, Camera, CameraError, Frame
from engine.game import Expectation
from engine.words import say
from vision.rendering import RolledTable


class RenderedCamera(Camera):
    """Shows a fresh random roll of what `expects()` names, on one table that stays the same while the camera is open.

    When nothing is waited for, the last roll still lies there; before the first roll what `lying` names, else nothing.
    `hard` 0..1 is the share of dice that lean cocked or lie half hidden. The same `seed` gives the same rolls.
    """

    name = say("The rendered table")

    def __init__(
        self,
        expects: Callable[[], Expectation | None],
        seed: int | None = None,
        *,
        hard: float = 0.0,
        lying: Expectation | None = None,
    ) -> None:
        self._expects = expects
        self._rng = np.random.default_rng(seed)
        self._hard = hard
        self._lying = lying
        self._table: RolledTable | None = None

    def open(self) -> None:
        if self._table is None:
            self._table = RolledTable(self._rng, hard=self._hard)
            if self._lying is not None:
                self._table.roll(self._lying)

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        if self._table is None:
            raise CameraError(say("The rendered table is not set up."), say("Start Jurado again"))
        exposed_at = max(time.monotonic(), np.nextafter(after, np.inf))
        if (expected := self._expects()) is not None:
            self._table.roll(expected)
        return Frame(self._table.scene().image, float(exposed_at), source="rendered")

    def follow(self, first: Frame, count: int, *, timeout: float = PATIENCE) -> list[Frame]:
        if self._table is None:
            return []
        more = self._table.scene(again=count).again
        return [Frame(image, float(np.nextafter(first.exposed_at, np.inf)), source="rendered") for image in more]

    def glance(self, after: float, *, timeout: float = PATIENCE) -> None:
        """Nothing moves on a table that is not there."""

    def close(self) -> None:
        self._table = None
