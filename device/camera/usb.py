"""A USB camera through OpenCV that grabs all the time, so that a capture is never a frame from before the press."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from device.camera.base import (
    PATIENCE,
    BadPicture,
    Camera,
    CameraBusy,
    CameraError,
    CameraMissing,
    CameraTimeout,
    Frame,
    Held,
    Image,
    Settling,
)
from device.camera.holding import device_path, holder_of
from engine.words import decimal, row, say

LAG = 0.15
"""Seconds between exposure and delivery, assumed at most, when the driver does not say when a frame was exposed."""

FIRST_FRAME = 5.0
"""Seconds until the first frame after opening; a USB camera that sleeps takes two or three."""


SETTLES = 2.0
"""Seconds that such a camera needs to find focus or light; nothing tells when it has."""

CONTROLS: Mapping[str, tuple[str, float, float, tuple[str, ...]]] = {
    "focus": ("AUTOFOCUS", 1, 0, ("FOCUS",)),
    "white": ("AUTO_WB", 1, 0, ("WB_TEMPERATURE",)),
    "exposure": ("AUTO_EXPOSURE", 3, 1, ("EXPOSURE", "GAIN")),
}
"""OpenCV's switch of what a camera does by itself, its values for on and off (V4L2's), and what it then turns."""

FOUND_BY: Mapping[Settling, tuple[str, ...]] = {"focus": ("focus",), "light": ("white", "exposure")}


class UsbCamera(Camera):
    """The camera `/dev/videoNUMBER`, or the device or film with a given path.

    A camera that was pulled while it was in use comes back under another number: where that of a number isn't there,
    and one USB camera is, that one is meant.
    `size` (width, height in pixels) is asked for; the camera gives the nearest it has. One thread grabs frames, for
    drivers keep several in a queue and would hand out an old one; it decodes only those that are asked for.
    """

    def __init__(
        self,
        source: int | str = 0,
        *,
        size: tuple[int, int] = (1920, 1080),
        lag: float = LAG,
        held: Held = lambda _: {},
    ) -> None:
        self.source = source
        self.size = size
        self.lag = lag
        self._held = held
        self.name = say("USB camera {source}", source=source)
        self._grabber: _Grabber | None = None

    @property
    def identity(self) -> str:
        """The name under which the system knows this very camera on whichever socket, else that of its device."""
        device = _device(self.source)
        with contextlib.suppress(OSError):
            for name in sorted(Path("/dev/v4l/by-id").iterdir()):
                if name.resolve() == device.resolve():
                    return name.name
        return str(device)

    def open(self) -> None:
        device = _device(self.source)
        if not device.exists():
            raise CameraMissing(_not_there(self.name), say("Plug it in"))
        if not os.access(device, os.R_OK):
            raise CameraError(
                say("{camera} may not be opened by this user.", camera=self.name),
                say("Add the user to the group video (sudo adduser USER video)"),
            )
        self._grabber = _Grabber(str(device), self.size, self.lag, self.name, self._held(self.identity))
        self._grabber.start()
        try:
            self._grabber.wait_for_first(FIRST_FRAME)
        except CameraError as error:
            self.close()
            holder = holder_of(device)
            if holder is not None:
                raise CameraBusy(
                    say("{camera} is in use by {holder}.", camera=self.name, holder=holder), say("Close that program")
                ) from error
            raise

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        if self._grabber is None:
            raise CameraMissing(say("{camera} is not open.", camera=self.name))
        return self._grabber.frame_after(after, timeout)

    def settle(self, what: Settling, *, timeout: float) -> Mapping[str, Any]:
        if self._grabber is None:
            raise CameraMissing(say("{camera} is not open.", camera=self.name))
        self._grabber.do(lambda capture: _let(capture, what), timeout / 4)
        time.sleep(min(SETTLES, timeout / 2))
        found: Mapping[str, float] = self._grabber.do(lambda capture: _found(capture, what), timeout / 4)
        return found

    def close(self) -> None:
        grabber, self._grabber = self._grabber, None
        if grabber is not None:
            grabber.stop()


class _Grabber(threading.Thread):
    """The one thread that touches the OpenCV capture: opens it, grabs, decodes what is asked for, releases it.

    Releasing while another thread is inside `grab` crashes some drivers; so it is done here, however late.
    """

    def __init__(self, source: str, size: tuple[int, int], lag: float, name: str, held: Mapping[str, Any]) -> None:
        super().__init__(name=name, daemon=True)
        self.held = held
        self._errand: Callable[[Any], Any] | None = None
        self._brought: Any = None
        self.source = source
        self.size = size
        self.lag = lag
        self._turn = threading.Condition()
        self._stopped = False
        self._grabbed = False
        self._error: CameraError | None = None
        self._wanted: float | None = None
        self._given: Frame | CameraError | None = None

    def wait_for_first(self, timeout: float) -> None:
        """Return once a frame has come. Raises `CameraError` when none does."""
        with self._turn:
            self._turn.wait_for(lambda: self._grabbed or self._error is not None, timeout)
            if self._error is not None:
                raise self._error
            if not self._grabbed:
                raise CameraTimeout(
                    say("{camera} gives no pictures.", camera=self.name), say("Unplug it and plug it in again")
                )

    def frame_after(self, after: float, timeout: float) -> Frame:
        """Return the first frame exposed after `after`."""
        with self._turn:
            self._given = None
            self._wanted = after
            self._turn.wait_for(lambda: self._given is not None or self._error is not None, timeout)
            self._wanted = None
            given = self._given or self._error
        if given is None:
            raise self._silent(timeout)
        if isinstance(given, CameraError):
            raise given
        return given

    def do(self, errand: Callable[[Any], Any], timeout: float) -> Any:
        """Have `errand` done to the capture between two frames, and return what it brings."""
        with self._turn:
            self._errand = errand
            done = self._turn.wait_for(lambda: self._errand is None or self._error is not None, timeout)
            if self._error is not None:
                raise self._error
            if not done:
                self._errand = None
                raise self._silent(timeout)
            return self._brought

    def stop(self) -> None:
        """End the thread; wait for it a second at most, for a driver may hang."""
        with self._turn:
            self._stopped = True
        self.join(1.0)

    def run(self) -> None:
        capture = None
        try:
            capture, film = self._opened()
            while not self._stopped:
                self._grab(capture, film)
        except CameraError as error:
            self._end(error)
        except Exception as error:
            self._end(
                CameraError(say("{camera} failed: {why}.", camera=self.name, why=str(error) or type(error).__name__))
            )
        finally:
            if capture is not None:
                with contextlib.suppress(Exception):
                    capture.release()

    def _opened(self) -> tuple[Any, float | None]:
        """Return the running capture, and seconds between frames when it is a film that must not run away."""
        import cv2

        film = Path(self.source).is_file()
        capture = cv2.VideoCapture(self.source, cv2.CAP_ANY if film else cv2.CAP_V4L2)
        if not capture.isOpened():
            raise CameraMissing(
                say("{camera} cannot be opened.", camera=self.name), say("Unplug it and plug it in again")
            )
        if film:
            rate = capture.get(cv2.CAP_PROP_FPS)
            return capture, 1 / rate if 1 <= rate <= 240 else 1 / 25
        # Motion JPEG: raw frames of this size do not fit through USB 2 at a useful rate.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self.size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self.size[1])
        _hold(capture, self.held)
        return capture, None

    def _grab(self, capture: Any, film: float | None) -> None:
        began = time.monotonic()
        if not capture.grab():
            raise CameraMissing(
                say("{camera} was unplugged or has stopped.", camera=self.name), say("Plug it in again")
            )
        exposed_at = began if film is not None else self._exposed_at(capture, began)
        with self._turn:
            if self._errand is not None:
                self._brought, self._errand = self._errand(capture), None
            self._grabbed = True
            wanted = self._wanted
            self._turn.notify_all()
        if wanted is not None and exposed_at > wanted:
            given = self._decoded(capture, exposed_at)
            with self._turn:
                if self._wanted == wanted:
                    self._given, self._wanted = given, None
                    self._turn.notify_all()
        if film is not None:
            time.sleep(max(0.0, film - (time.monotonic() - began)))

    def _silent(self, timeout: float) -> CameraTimeout:
        return CameraTimeout(
            say("{camera} did not answer within {seconds} s.", camera=self.name, seconds=decimal(timeout)),
            say("Check its cable and try again"),
        )

    def _exposed_at(self, capture: Any, began: float) -> float:
        """Return when the grabbed frame was exposed, at the earliest.

        V4L2 stamps frames by the monotonic clock, and OpenCV hands the stamp on as a position in milliseconds; a
        driver that does not gives something else there. `grab` then waited for this frame, or took one from a queue
        that was emptied a frame ago.
        """
        import cv2

        stamp = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        now = time.monotonic()
        if now - 2.0 <= stamp <= now:
            return stamp
        return began - self.lag

    def _decoded(self, capture: Any, exposed_at: float) -> Frame | CameraError:
        done, image = capture.retrieve()
        if not done or not _is_picture(image):
            return BadPicture(say("{camera} sent a broken picture.", camera=self.name), say("Capture again"))
        return Frame(image, exposed_at, metadata={"width": image.shape[1], "height": image.shape[0]})

    def _end(self, error: CameraError) -> None:
        with self._turn:
            self._error = error
            self._turn.notify_all()


def _let(capture: Any, what: Settling) -> None:
    """Let the camera find focus or light by itself."""
    for part in FOUND_BY[what]:
        switch, on, _, _ = CONTROLS[part]
        capture.set(_property(switch), on)


def _found(capture: Any, what: Settling) -> dict[str, float]:
    """Return what the camera has turned; nothing that it does not have."""
    values = {
        name: float(capture.get(_property(name)))
        for part in FOUND_BY[what]
        if capture.get(_property(CONTROLS[part][0])) > 0
        for name in CONTROLS[part][3]
    }
    held = {name: value for name, value in values.items() if value > 0}
    _hold(capture, held)
    return held


def _hold(capture: Any, held: Mapping[str, Any]) -> None:
    """Switch off what the camera does by itself wherever a value is held, and set that value."""
    for switch, _, off, names in CONTROLS.values():
        if set(names) & set(held):
            capture.set(_property(switch), off)
            for name in names:
                if name in held:
                    capture.set(_property(name), held[name])


def _property(name: str) -> int:
    import cv2

    return int(getattr(cv2, f"CAP_PROP_{name}"))


def _is_picture(image: Image | None) -> bool:
    return image is not None and image.ndim == 3 and image.shape[2] == 3 and image.size > 0


VIDEO = Path("/sys/class/video4linux")
"""Where Linux lists its video devices; of a camera's several the one with index 0 gives pictures."""


def _device(source: int | str) -> Path:
    """Return the path of the camera that `source` means, be it there or not."""
    device = device_path(source)
    if device.exists() or not str(source).isdigit():
        return device
    there = [listed.name for listed in VIDEO.glob("video*") if _gives_pictures(listed)]
    return Path("/dev") / there[0] if len(there) == 1 else device


def _gives_pictures(listed: Path) -> bool:
    """Return whether a listed video device is a USB camera, not a decoder nor a camera's second device."""
    with contextlib.suppress(OSError):
        of_usb = (listed / "device" / "driver").resolve().name == "uvcvideo"
        return of_usb and (listed / "index").read_text().strip() == "0"
    return False


def _not_there(name: str) -> str:
    there = sorted(path.name.removeprefix("video") for path in Path("/dev").glob("video[0-9]*"))
    if there:
        return say("{camera} is not there. There are: {others}.", camera=name, others=row(there))
    return say("{camera} is not there.", camera=name)
