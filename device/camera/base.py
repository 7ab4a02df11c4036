"""What every camera is: something that gives a frame exposed after a given instant, or says in words why it cannot."""

from __future__ import annotations

import contextlib
import copy
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, ClassVar, Literal

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


Settling = Literal["focus", "light"]
"""What a camera can find by itself: how far its lens looks, and how bright and of which colour the light is."""

Held = Callable[[str], Mapping[str, Any]]
"""Returns the controls that a camera with this identity was told to hold."""


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

    def told_in_set_up(self) -> CameraError:
        """Return the same error, of which the message says nothing of a turn."""
        told = copy.copy(self)
        told.message = say(
            "{happened} Nothing was changed. {advice}.",
            happened=self.happened,
            advice=self.advice,
        )
        return told


@contextlib.contextmanager
def setting_up() -> Iterator[None]:
    """Have the errors of a camera say nothing of a turn: none waits for what it shows while it is set up."""
    try:
        yield
    except CameraError as error:
        raise error.told_in_set_up() from error


class CameraMissing(CameraError, FileNotFoundError):
    """No such camera, or it was unplugged."""

    code = "camera_missing"


class CameraBusy(CameraError, OSError):
    """Another program holds the camera."""

    code = "camera_busy"


class CameraTimeout(CameraError, TimeoutError):
    """The camera did not answer in time."""

    code = "camera_timeout"


class CameraHung(CameraTimeout):
    """A part of this very process that never came back still has the camera: only another process can open it."""

    def __init__(self, name: str) -> None:
        super().__init__(
            say("{camera} has stopped answering.", camera=name),
            say("Unplug it and plug it in again, or restart Jurado (sudo systemctl restart jurado)"),
        )


class BadPicture(CameraError, ValueError):
    """The camera answered, but not with a picture."""

    code = "bad_picture"


@dataclass(frozen=True, slots=True)
class Glance:
    """A small grey picture (height x width, 0..255) and the instant of its exposure (`time.monotonic` seconds)."""

    picture: NDArray[np.uint8]
    exposed_at: float


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

    @property
    def identity(self) -> str:
        """What tells this very camera from others, also after a restart; known once it is open."""
        return self.name

    def follow(self, first: Frame, count: int, *, timeout: float = PATIENCE) -> list[Frame]:
        """Return up to `count` more frames of what `first` shows, one exposed right after the other.

        Raises as `capture` does.
        """
        frames: list[Frame] = []
        until, after = time.monotonic() + timeout, first.exposed_at
        while len(frames) < count and (left := until - time.monotonic()) > 0:
            frames.append(self.capture(after, timeout=left))
            after = frames[-1].exposed_at
        return frames

    def glance(self, after: float, *, timeout: float = PATIENCE) -> Glance | None:
        """Return a small picture exposed after `after`, to see whether anything moves; None where nothing ever does.

        Raises as `capture` does.
        """
        from device.camera.rest import small

        frame = self.capture(after, timeout=timeout)
        return Glance(small(frame.image), frame.exposed_at)

    def settle(self, what: Settling, *, timeout: float) -> Mapping[str, Any]:
        """Let the camera find its focus, or the light's brightness and colour; return the controls that hold it there.

        They are this camera's own names and values, empty where it has none to hold. They count from its next opening
        on, when it is handed them. Raises as `capture` does.
        """
        return {}

    def __enter__(self) -> Camera:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
