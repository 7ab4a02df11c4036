"""Which camera the settings ask for, under its guard; and the camera of a table that has none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from device.camera.base import PATIENCE, Camera, CameraMissing, Frame
from device.camera.watched import CameraState, CameraStatus, Watched
from device.config import CameraConfig
from engine.game import Expectation
from engine.words import say


class NoCamera(Camera):
    """A table without a camera: phones send photographs, or people enter the dice."""

    name = say("no camera")

    def __init__(self) -> None:
        self.status = CameraStatus(self.name, CameraState.NONE)

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Its status never changes."""

    def open(self) -> None:
        pass

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        raise CameraMissing(
            say("This table has no camera."),
            say("Send a photograph from a phone, or set camera.backend in the settings"),
        )

    def close(self) -> None:
        pass


def camera_for(settings: CameraConfig, expects: Callable[[], Expectation | None]) -> Watched | NoCamera:
    """Return the camera that `settings` name, not yet opened. Drivers are imported when it opens.

    `expects` returns the dice that are waited for; the rendered camera throws those.
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

            return UsbCamera(int(device) if device.isdigit() else device, size=size)
        if settings.backend == "picamera":
            from device.camera.picamera import PiCamera

            return PiCamera(int(device) if device.isdigit() else 0, size=size)
        from device.camera.rendered import RenderedCamera

        return RenderedCamera(expects)

    names = {
        "folder": f"The folder {Path(settings.folder).name}",
        "usb": f"USB camera {device}",
        "picamera": f"Pi camera {device}",
        "rendered": "The rendered table",
    }
    return Watched(make, name=names[settings.backend], demo=settings.backend in ("rendered", "folder"))
