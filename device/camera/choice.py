"""Which camera the settings ask for, under its guard; and the camera of a table that has none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from device.camera.base import PATIENCE, Camera, CameraMissing, Frame, Held
from device.camera.watched import CameraState, CameraStatus, Watched
from device.config import CameraConfig
from engine.dice import Shape
from engine.game import Expectation
from engine.words import say

DRAWING = 20.0
"""Seconds that a rendered picture may take on a slow or busy machine: drawing cannot hang as a device does."""

LYING = Expectation({Shape.D6: 3}, {"red": 1, "white": 1, "blue": 1})
"""The dice on the rendered table before the first game, so that the camera can be tried out."""


class NoCamera(Camera):
    """A table without a camera: phones send photographs, or people enter the dice."""

    name = say("no camera")

    def __init__(self) -> None:
        self.status = CameraStatus(self.name, CameraState.NONE)
        self.lost = False

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Its status never changes."""

    def open(self) -> None:
        pass

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        raise CameraMissing(
            say("This table has no camera."),
            say("Send a photograph from a phone, or set camera.backend in the settings"),
        )

    def reopen(self) -> None:
        """There is nothing to open."""

    def close(self) -> None:
        pass


def camera_for(
    settings: CameraConfig, expects: Callable[[], Expectation | None], held: Held = lambda _: {}
) -> Watched | NoCamera:
    """Return the camera that `settings` name, not yet opened. Drivers are imported when it opens.

    `expects` returns the dice that are waited for; the rendered camera throws those. `held` returns the controls that a
    camera of this identity is to hold, as `Camera.settle` found them.
    """
    if settings.backend == "none":
        return NoCamera()
    size = (settings.width, settings.height)
    device = settings.device

    def make() -> Camera:
        if settings.backend == "folder":
            from device.camera.folder import FolderCamera

            return FolderCamera(Path(settings.folder).expanduser())
        if settings.backend == "usb":
            from device.camera.usb import UsbCamera

            return UsbCamera(int(device) if device.isdigit() else device, size=size, held=held)
        if settings.backend == "picamera":
            from device.camera.picamera import PiCamera

            return PiCamera(int(device) if device.isdigit() else 0, size=size, held=held, mains=settings.mains_hz)
        from device.camera.rendered import RenderedCamera

        return RenderedCamera(expects, lying=LYING)

    names = {
        "folder": say("The folder {folder}", folder=Path(settings.folder).name),
        "usb": say("USB camera {source}", source=device),
        "picamera": say("Pi camera {number}", number=device),
        "rendered": say("The rendered table"),
    }
    return Watched(
        make,
        name=names[settings.backend],
        demo=settings.backend in ("rendered", "folder"),
        patience=DRAWING if settings.backend == "rendered" else 0.0,
    )
