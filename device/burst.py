"""More frames of one roll, taken while the first is being read: nobody waits for them unless a die is doubtful."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import overload

from device.camera.base import Camera, CameraError, Frame, Image

log = logging.getLogger(__name__)


class Burst(Sequence[Image]):
    """Up to `count` frames exposed right after `first`, on a thread of their own; whoever asks waits for all of them.

    Frames in which something has moved since, or that do not come within `timeout` seconds, are left out. What a
    demo's camera shows does not go away, so its frames are taken only when they are asked for.
    """

    def __init__(self, camera: Camera, first: Frame, count: int, *, timeout: float) -> None:
        self._camera = camera
        self._first = first
        self._count = count
        self._timeout = timeout
        self._images: tuple[Image, ...] = ()
        self._thread = threading.Thread(target=self._take, name="burst", daemon=True)
        if not camera.demo:
            self._thread.start()

    def __len__(self) -> int:
        return len(self._taken())

    @overload
    def __getitem__(self, at: int) -> Image: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Image]: ...

    def __getitem__(self, at: int | slice) -> Image | Sequence[Image]:
        return self._taken()[at]

    def _taken(self) -> tuple[Image, ...]:
        if self._thread.ident is None:
            self._thread.start()
        self._thread.join()
        return self._images

    def _take(self) -> None:
        from device.camera.rest import changed, small

        try:
            more = self._camera.follow(self._first, self._count, timeout=self._timeout)
        except CameraError as error:
            log.info("no further frames of this roll: %s", error.happened)
            return
        shape, lying = self._first.image.shape, small(self._first.image)
        self._images = tuple(
            frame.image for frame in more if frame.image.shape == shape and not changed(lying, small(frame.image))
        )
        log.info("%d more frames of this roll, %d of them the same", len(more), len(self._images))
