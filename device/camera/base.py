"""What every camera is: something that gives a frame exposed after a given instant, or says in words why it cannot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.words import say

Image = NDArray[np.uint8]
"""A picture, height x width x 3, blue-green-red order, 0..255."""

PATIENCE = 3.0
"""Seconds a person waits for a capture before being told what is wrong."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture and the instant of its exposure (`time.monotonic` seconds).

    `source` names the picture where it has a name (a file of a folder); `metadata` is what the camera says about it.
    """

    image: Image
    exposed_at: float
    source: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


class CameraError(Exception):
    """A camera that gives no picture.

    `happened` is a sentence; `advice` is what to do first, without a full stop: "Check the ribbon cable". The
    message says in between what it means for the game, and ends with the way that is always left.
    """

    code: ClassVar[str] = "camera_failed"

    def __init__(self, happened: str, advice: str = say("Try again")) -> None:
        self.happened = happened
        self.advice = advice
        self.message = say(
            "{happened} The turn is still open and nothing was lost. {advice}, or enter the dice by hand.",
            happened=happened,
            advice=advice,
        )
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


class CameraMissing(CameraError, FileNotFoundError):
    """No such camera, or it was unplugged."""

    code = "camera_missing"


class CameraBusy(CameraError, OSError):
    """Another program holds the camera."""

    code = "camera_busy"


class CameraTimeout(CameraError, TimeoutError):
    """The camera did not answer in time."""

    code = "camera_timeout"


class BadPicture(CameraError, ValueError):
    """The camera answered, but not with a picture."""

    code = "bad_picture"


class Camera(ABC):
    """A camera over the table. Not thread-safe: one thread opens, captures and closes (`Watched` sees to that)."""

    name: str
    """What people call it, for pages and messages: "Pi camera", "USB camera 0"."""
    demo: bool = False
    """Whether the dice in its pictures were thrown by nobody at this table."""

    @abstractmethod
    def open(self) -> None:
        """Take hold of the camera and start it. Raises `CameraMissing`, `CameraBusy` or `CameraError`."""

    @abstractmethod
    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        """Return a frame whose exposure began after `after` (`time.monotonic` seconds).

        Raises `CameraTimeout` when there is none within `timeout` seconds, `CameraMissing` when the camera was
        unplugged, `BadPicture` when what came is no picture.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of the camera; safe to call twice, and on a camera that was never opened."""

    def __enter__(self) -> Camera:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
