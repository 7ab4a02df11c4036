"""The Pi's own camera through picamera2 (libcamera): one configuration that runs all the time.

picamera2 raises bare `RuntimeError`s and can block for ever; both end here, in `CameraError`s and deadlines. It is
imported when the camera is opened, since only a Raspberry Pi has it.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from device.camera.base import (
    PATIENCE,
    BadPicture,
    Camera,
    CameraBusy,
    CameraError,
    CameraHung,
    CameraMissing,
    CameraTimeout,
    Frame,
    Glance,
    Held,
    Settling,
)
from device.camera.holding import camera_devices, holder_of
from engine.words import say, say_many

log = logging.getLogger(__name__)

BGR_IN_MEMORY = "RGB888"
"""picamera2's name for three bytes a pixel that lie blue, green, red in memory, as OpenCV has them."""

SIZE = (2304, 1296)
"""The whole field of a Camera Module 3, two by two pixels binned."""

FRAME_MICROSECONDS = (33_333, 100_000)
"""10 to 30 frames a second: in a dim room a frame may be exposed for up to a tenth of a second."""

SMALL = (320, 240)
"""The second, small stream, in which one sees whether anything moves; its height follows the sensor's."""

LOGGED = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition", "FocusFoM", "Lux", "SensorTemperature")
"""What the log keeps of each capture, so that a change of light or lens can be found later."""

HELD = {"focus": ("LensPosition",), "light": ("ExposureTime", "AnalogueGain", "ColourGains")}
"""The controls that hold what was found. With all of the second, nothing is metered any more."""

SETTLES = 1.5
"""Seconds that brightness and white balance need at least until they stand."""

_MANUAL, _AUTO, _START, _FOCUSED, _FAILED = 0, 1, 0, 2, 3
"""libcamera's AfMode Manual and Auto, AfTrigger Start, AfState Focused and Failed."""

LAG = 0.15
"""Seconds between exposure and delivery, assumed at most, of a camera that does not stamp its frames."""

CLOSING = 2.0
"""Seconds that stopping may take; after a frontend timeout libcamera's `stop` can block for ever."""

_closing: list[threading.Thread] = []
"""Those that were left behind closing a camera; while one lives, this process still has that camera."""

_CURE_NUMPY = say("Run in Jurado's environment: pip install --force-reinstall simplejpeg; then try again")


class PiCamera(Camera):
    """The camera number `number` on the Pi's ribbon connectors (or any that libcamera knows).

    `held` returns the controls to hold, by libcamera's names (`LensPosition`, `ExposureTime`, `ColourGains`…), for the
    camera's id. They ride in the configuration, for later changes take frames to arrive; those that this camera does
    not have are left out. A ribbon camera shows its sensor's whole field, two by two pixels binned, so the height of
    its picture follows from the width. `mains` is the frequency in Hz at which lamps flicker.
    """

    def __init__(
        self,
        number: int = 0,
        *,
        size: tuple[int, int] = SIZE,
        held: Held = lambda _: {},
        buffers: int = 3,
        mains: int = 50,
    ) -> None:
        self.number = number
        self.size = size
        self.buffers = buffers
        self.mains = mains
        self.name = say("Pi camera {number}", number=number)
        self._held = held
        self._id = ""
        self._picamera: Any = None
        self._small: tuple[int, int] | None = None
        self._stamped_exposure = False

    @property
    def identity(self) -> str:
        return self._id or self.name

    def open(self) -> None:
        picamera2 = _imported()
        with self._in_words(say("be started")):
            known = picamera2.Picamera2.global_camera_info()
        if self.number >= len(known):
            there = say_many("libcamera sees {count} camera", "libcamera sees {count} cameras", len(known))
            raise CameraMissing(
                say(
                    "{camera} is not there: {there}.",
                    camera=self.name,
                    there=there if known else say("libcamera sees no camera"),
                ),
                say("Check the ribbon cable and restart the Pi"),
            )
        self._id = str(known[self.number].get("Id") or self.name)
        with self._in_words(say("be started")):
            self._picamera = picamera2.Picamera2(self.number)
        try:
            with self._in_words(say("be started")):
                self._configure(self._picamera)
                self._picamera.start()
        except CameraError:
            self.close()
            raise

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        if self._picamera is None:
            raise CameraMissing(say("{camera} is not open.", camera=self.name))
        with self._in_words(say("take a picture")):
            request = self._request_after(after, timeout)
            try:
                metadata = request.get_metadata()
                image = request.make_array("main")
            finally:
                request.release()
        if image.ndim != 3 or image.shape[2] != 3:
            raise BadPicture(
                say("{camera} sent a picture of another kind ({shape}).", camera=self.name, shape=image.shape),
                say("Capture again"),
            )
        began = _exposure_began(metadata)
        if told := {name: metadata[name] for name in LOGGED if name in metadata}:
            log.info("%s: %s", self.name, told)
        return Frame(image, began if began is not None else time.monotonic(), metadata=metadata)

    def glance(self, after: float, *, timeout: float = PATIENCE) -> Glance | None:
        if self._small is None or self._picamera is None:
            return super().glance(after, timeout=timeout)
        width, height = self._small
        with self._in_words(say("take a picture")):
            request = self._request_after(after, timeout)
            try:
                # Brightness lies before the colours; rows may be longer than the picture is wide.
                picture = request.make_array("lores")[:height, :width].copy()
                began = _exposure_began(request.get_metadata())
            finally:
                request.release()
        return Glance(picture, began if began is not None else time.monotonic())

    def settle(self, what: Settling, *, timeout: float) -> Mapping[str, Any]:
        if self._picamera is None:
            raise CameraMissing(say("{camera} is not open.", camera=self.name))
        has = set(self._picamera.camera_controls)
        names = [name for name in HELD[what] if name in has]
        if not names or (what == "focus" and "AfMode" not in has):
            return {}
        began = time.monotonic()
        with self._in_words(say("take a picture")):
            if what == "focus":
                self._picamera.set_controls({"AfMode": _AUTO, "AfTrigger": _START})
            else:
                self._picamera.set_controls({name: True for name in ("AeEnable", "AwbEnable") if name in has})
            while True:
                if (left := began + timeout - time.monotonic()) <= 0:
                    raise TimeoutError
                request = self._picamera.capture_request(wait=left)
                metadata = request.get_metadata()
                request.release()
                if what == "focus" and metadata.get("AfState") == _FAILED:
                    raise CameraError(
                        say("{camera} found nothing to focus on.", camera=self.name),
                        say("Lay something with edges under it, dice or print, and try again"),
                    )
                found = metadata.get("AfState") == _FOCUSED if what == "focus" else True
                if found and time.monotonic() - began >= SETTLES:
                    break
        held = {name: metadata[name] for name in names if name in metadata}
        return _without_flicker(held, self.mains) if what == "light" else held

    def close(self) -> None:
        picamera, self._picamera = self._picamera, None
        if picamera is None:
            return
        with contextlib.suppress(Exception):
            # What still waits for a frame would keep `stop` from ever being served.
            picamera.cancel_all_and_flush()
        if not _within(CLOSING, picamera.close):
            log.warning("%s did not close within %g s; it is left to itself", self.name, CLOSING)

    def _configure(self, picamera: Any) -> None:
        has = set(picamera.camera_controls)
        # What was kept as JSON has lists where libcamera wants tuples.
        kept = self._held(self._id).items()
        held = {name: tuple(value) if isinstance(value, list) else value for name, value in kept}
        wanted = {"FrameDurationLimits": FRAME_MICROSECONDS, **held}
        if "AfMode" in has and "LensPosition" in held:
            # A lens position counts only while nothing else moves the lens.
            wanted.setdefault("AfMode", _MANUAL)
        controls = {name: value for name, value in wanted.items() if name in has}
        if left_out := sorted(set(held) - has):
            log.warning("%s has no control %s; left out", self.name, ", ".join(left_out))
        # A camera behind libcamera's USB part has one stream, no modes of its sensor to choose from, and no controls.
        ribbon = "ExposureTime" in has
        size, more = self.size, {}
        if ribbon:
            sensor = picamera.camera_properties.get("PixelArraySize") or self.size
            size = _in_shape(min(self.size[0], sensor[0]), sensor)
            more = {
                "lores": {"format": "YUV420", "size": _in_shape(SMALL[0], sensor)},
                "sensor": {"output_size": (sensor[0] // 2, sensor[1] // 2)},
            }
        configuration = picamera.create_video_configuration(
            main={"format": BGR_IN_MEMORY, "size": size},
            buffer_count=self.buffers,
            queue=False,
            controls=controls,
            **more,
        )
        picamera.configure(configuration)
        given = picamera.camera_configuration()["main"]
        if given["format"] != BGR_IN_MEMORY:
            raise CameraError(
                say(
                    "{camera} cannot give {wanted} pictures, only {given}.",
                    camera=self.name,
                    wanted=BGR_IN_MEMORY,
                    given=given["format"],
                ),
                say("Try another") if ribbon else say('A USB camera: set backend = "usb" under [camera]'),
            )
        self._small = picamera.camera_configuration()["lores"]["size"] if ribbon else None
        self._stamped_exposure = ribbon
        log.info("%s gives %s x %s pixels, holding %s", self.name, *given["size"], held or "nothing")

    def _request_after(self, after: float, timeout: float) -> Any:
        """Return a completed request whose exposure began after `after`; the caller releases it."""
        if self._stamped_exposure:
            return self._picamera.capture_request(wait=max(timeout, 0.05), flush=int(after * 1e9))
        # picamera2's flush reckons with the exposure time, which a USB camera behind libcamera does not tell.
        deadline = time.monotonic() + timeout
        while (left := deadline - time.monotonic()) > 0.01:
            asked_at = time.monotonic()
            request = self._picamera.capture_request(wait=left)
            stamp = request.get_metadata().get("SensorTimestamp")
            exposed_at = asked_at - LAG if stamp is None else stamp / 1e9
            if exposed_at > after:
                return request
            request.release()
        raise TimeoutError

    @contextlib.contextmanager
    def _in_words(self, what: str) -> Iterator[None]:
        """Turn whatever picamera2 raises into a `CameraError`."""
        try:
            yield
        except CameraError:
            raise
        except TimeoutError as error:
            raise CameraTimeout(
                say("{camera} did not answer in time.", camera=self.name),
                say("Check the ribbon cable at both ends and try again"),
            ) from error
        except Exception as error:
            text = str(error) or type(error).__name__
            if _means_busy(error):
                if any(thread.is_alive() for thread in _closing):
                    raise CameraHung(self.name) from error
                holder = holder_of(*camera_devices())
                if holder is not None:
                    raise CameraBusy(
                        say("{camera} is in use by {holder}.", camera=self.name, holder=holder),
                        say("Close that program"),
                    ) from error
                raise CameraBusy(
                    say("{camera} is in use by another program.", camera=self.name),
                    say("Close that program (sudo fuser -v /dev/media* /dev/video* names it)"),
                ) from error
            if isinstance(error, IndexError) or "not found" in text.lower():
                raise CameraMissing(
                    say("{camera} is not there.", camera=self.name), say("Check the ribbon cable and restart the Pi")
                ) from error
            happened = say("{camera} cannot {what}: {why}.", camera=self.name, what=what, why=text.rstrip("."))
            raise CameraError(happened, say("Check the ribbon cable")) from error


def _imported() -> Any:
    try:
        import picamera2
    except ImportError as error:
        raise CameraMissing(
            say(
                "The Pi camera cannot be used, since {library} is not installed.",
                library=error.name or say("a library"),
            ),
            say("On a Raspberry Pi install it with: sudo apt install python3-picamera2 --no-install-recommends"),
        ) from error
    except ValueError as error:
        # "numpy.dtype size changed": apt's simplejpeg was built for another numpy than the one in this environment.
        raise CameraError(
            say("The Pi camera's library does not fit this numpy ({why}).", why=error), _CURE_NUMPY
        ) from error
    return picamera2


def _means_busy(error: BaseException) -> bool:
    """Whether the camera is somebody else's; picamera2 hides the reason behind a general sentence."""
    while True:
        text = str(error).lower()
        if any(sign in text for sign in ("busy", "in use", "failed to acquire")):
            return True
        nested = error.__cause__ or error.__context__
        if nested is None:
            return False
        error = nested


def _exposure_began(metadata: Mapping[str, Any]) -> float | None:
    """Return when the exposure began (`time.monotonic` seconds), None when the camera does not stamp its frames."""
    stamp = metadata.get("SensorTimestamp")
    if stamp is None:
        return None
    return float(stamp) / 1e9 - float(metadata.get("ExposureTime", 0)) / 1e6


def _in_shape(width: int, sensor: tuple[int, int]) -> tuple[int, int]:
    """Return a picture of that width in the sensor's own proportions, in even numbers."""
    return width // 2 * 2, round(width * sensor[1] / sensor[0] / 2) * 2


def _without_flicker(held: Mapping[str, Any], mains: int) -> dict[str, Any]:
    """Return exposure and gain such that whole flashes of lamps are exposed, where it is long enough for one."""
    flash = 1_000_000 / (2 * mains)
    exposure = held.get("ExposureTime", 0)
    whole = int(exposure // flash * flash)
    if not whole or "AnalogueGain" not in held:
        return dict(held)
    return {**held, "ExposureTime": whole, "AnalogueGain": held["AnalogueGain"] * exposure / whole}


def _within(seconds: float, close: Callable[[], None]) -> bool:
    """Return whether `close` ended in time; otherwise it goes on by itself, as one of `_closing`."""

    def quietly() -> None:
        with contextlib.suppress(Exception):
            close()

    thread = threading.Thread(target=quietly, name="closing", daemon=True)
    thread.start()
    thread.join(seconds)
    _closing[:] = [one for one in (*_closing, thread) if one.is_alive()]
    return thread not in _closing
