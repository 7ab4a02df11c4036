"""The Pi's camera, on a stand-in for picamera2 that has the real one's names, arguments, blocking and bare errors."""

from __future__ import annotations

import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from device.camera import BadPicture, CameraBusy, CameraError, CameraMissing, CameraTimeout
from device.camera import picamera as under_test
from device.camera.picamera import BGR_IN_MEMORY, PiCamera
from device.camera.watched import CameraState, Watched
from tests.waiting import until

PERIOD = 0.02
"""Seconds between the stand-in's frames."""


class StandInRequest:
    """One completed frame, counted until it is released."""

    def __init__(self, camera: StandIn, began: float) -> None:
        self.camera = camera
        self.began = began
        self.released = False
        camera.held += 1

    def get_metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = {"FocusFoM": 812, "ColourGains": (1.9, 1.6), "AnalogueGain": 2.0}
        if self.camera.asked:
            metadata |= {"AfState": self.camera.focuses, "LensPosition": 9.5}
        if self.camera.stamps:
            metadata["SensorTimestamp"] = int((self.began + self.camera.exposure) * 1e9)
        if "ExposureTime" in self.camera.camera_controls:
            metadata["ExposureTime"] = int(self.camera.exposure * 1e6)
        return metadata

    def make_array(self, name: str) -> np.ndarray:
        if name == "lores":
            width, height = self.camera.configured["lores"]["size"]
            # Brightness, then the colours, and rows that are longer than the picture is wide.
            return np.vstack(
                [np.full((height, width + 64), 90, np.uint8), np.zeros((height // 2, width + 64), np.uint8)]
            )
        assert name == "main"
        if self.camera.array_fault is not None:
            raise self.camera.array_fault
        width, height = self.camera.configured["main"]["size"]
        image = np.zeros((height, width, self.camera.channels), np.uint8)
        # A red scene: "RGB888" is blue, green, red in memory, "BGR888" the other way round.
        red = 2 if self.camera.configured["main"]["format"] == "RGB888" else 0
        image[:, :, red] = 255
        return image

    def release(self) -> None:
        assert not self.released, "released twice"
        self.released = True
        self.camera.held -= 1


class StandIn:
    """What `Picamera2` does as far as Jurado uses it; the class attributes are what a test may change."""

    cameras: list[dict[str, Any]]
    camera_controls: dict[str, Any]
    opening_fault: BaseException | None
    starting_fault: Exception | None
    array_fault: Exception | None
    silent: bool
    stamps: bool
    channels: int
    exposure = 0.005
    focuses = 2
    gives: str | None = None
    close_hangs: threading.Event | None
    made: list[StandIn]

    def __init__(self, camera_num: int = 0) -> None:
        if type(self).opening_fault is not None:
            try:
                raise type(self).opening_fault
            except BaseException:
                # The real one swallows the reason into this sentence, with the reason as its context.
                raise RuntimeError("Camera __init__ sequence did not complete.")  # noqa: B904
        self.number = camera_num
        self.held = 0
        self.started = self.closed = self.cancelled = False
        self.configured: dict[str, Any] = {}
        self.configurations = 0
        self.asked: list[dict[str, Any]] = []
        self.camera_properties = {"PixelArraySize": (4608, 2592)}
        type(self).made.append(self)

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return cls.cameras

    def create_video_configuration(
        self,
        main: dict[str, Any],
        lores: dict[str, Any] | None = None,
        *,
        buffer_count: int,
        queue: bool,
        controls: dict[str, Any],
        sensor: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        return {
            "main": {**main, "size": tuple(main["size"])},
            "lores": lores,
            "sensor": sensor,
            "buffer_count": buffer_count,
            "queue": queue,
            "controls": controls,
        }

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.asked.append(controls)

    def configure(self, configuration: dict[str, Any]) -> None:
        for name in configuration["controls"]:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.configured = configuration
        self.configurations += 1

    def camera_configuration(self) -> dict[str, Any]:
        main = self.configured["main"]
        return {**self.configured, "main": {**main, "format": type(self).gives or main["format"]}}

    def start(self) -> None:
        if type(self).starting_fault is not None:
            raise type(self).starting_fault
        self.started = True

    def capture_request(
        self, wait: float | None = None, signal_function: Callable[..., None] | None = None, flush: int | None = None
    ) -> StandInRequest:
        assert self.started
        assert isinstance(wait, float), "anything else can block for ever"
        assert wait > 0
        deadline = time.monotonic() + wait
        while True:
            if type(self).silent or time.monotonic() + PERIOD > deadline:
                time.sleep(max(0.0, deadline - time.monotonic()))
                raise TimeoutError
            began = time.monotonic() - self.exposure
            time.sleep(PERIOD)
            request = StandInRequest(self, began)
            if flush is None:
                return request
            metadata = request.get_metadata()
            if metadata["SensorTimestamp"] - 1000 * metadata["ExposureTime"] >= flush:
                return request
            request.release()

    def cancel_all_and_flush(self) -> None:
        self.cancelled = True

    def close(self) -> None:
        if type(self).close_hangs is not None:
            type(self).close_hangs.wait(30)
        self.closed = True


@pytest.fixture
def picamera2(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[StandIn]]:
    class Fresh(StandIn):
        cameras = [{"Model": "imx708", "Location": 2, "Rotation": 180, "Id": "/base/soc/i2c0mux/imx708@1a", "Num": 0}]  # noqa: RUF012
        camera_controls = {  # noqa: RUF012
            "ExposureTime": (1, 66666, 20000),
            "AnalogueGain": (1.0, 16.0, 1.0),
            "ColourGains": (0.0, 32.0, None),
            "FrameDurationLimits": (33333, 120000, None),
            "AfMode": (0, 2, 0),
            "LensPosition": (0.0, 15.0, 1.0),
        }
        opening_fault = starting_fault = array_fault = close_hangs = None
        silent = False
        stamps = True
        channels = 3
        made = []  # noqa: RUF012

    module = types.ModuleType("picamera2")
    module.Picamera2 = Fresh  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", module)
    yield Fresh
    if Fresh.close_hangs is not None:
        Fresh.close_hangs.set()


def test_one_configuration_runs_and_every_frame_is_from_after_the_press(picamera2: type[StandIn]) -> None:
    camera = PiCamera(size=(640, 480))
    camera.open()
    for _ in range(3):
        pressed_at = time.monotonic()
        frame = camera.capture(pressed_at, timeout=2.0)
        assert frame.exposed_at >= pressed_at
        assert frame.metadata["FocusFoM"] == 812
    real = picamera2.made[0]
    assert real.configurations == 1
    assert real.configured["queue"] is False
    assert real.configured["sensor"] == {"output_size": (2304, 1296)}, "the whole field, two by two pixels binned"
    assert real.configured["main"]["size"] == (640, 360), "in the sensor's own proportions"
    assert real.held == 0, "every request was given back"
    camera.close()
    camera.close()
    assert real.closed
    assert real.cancelled


def test_a_red_scene_is_red_in_opencv_s_order(picamera2: type[StandIn]) -> None:
    with PiCamera(size=(64, 36)) as camera:
        image = camera.capture(time.monotonic(), timeout=2.0).image
    assert image.shape == (36, 64, 3)
    assert tuple(image[0, 0]) == (0, 0, 255)
    assert BGR_IN_MEMORY == "RGB888"


def test_controls_ride_in_the_configuration_and_those_the_camera_lacks_are_left_out(
    picamera2: type[StandIn],
) -> None:
    controls = {"LensPosition": 9.5, "ColourGains": [1.8, 1.7], "NoiseReductionMode": 2}
    with PiCamera(held={"/base/soc/i2c0mux/imx708@1a": controls}.__getitem__):
        given = picamera2.made[0].configured["controls"]
    assert given["LensPosition"] == 9.5
    assert given["AfMode"] == 0, "a lens position counts only with the focus in manual mode"
    assert given["ColourGains"] == (1.8, 1.7)
    assert "FrameDurationLimits" in given
    assert "NoiseReductionMode" not in given


@pytest.mark.parametrize("stamps", [True, False])
def test_a_camera_without_any_controls_works_too(picamera2: type[StandIn], stamps: bool) -> None:
    picamera2.camera_controls = {}
    picamera2.stamps = stamps
    camera = PiCamera(size=(64, 48), held=lambda _: {"LensPosition": 9.5})
    camera.open()
    real = picamera2.made[0]
    assert real.configured["controls"] == {}
    assert real.configured["main"]["size"] == (64, 48)
    assert real.configured["lores"] is None, "one stream is all that such a camera has"
    glance = camera.glance(time.monotonic(), timeout=3.0)
    assert glance is not None
    assert glance.picture.shape == (48, 64)
    assert camera.settle("focus", timeout=1.0) == camera.settle("light", timeout=1.0) == {}
    pressed_at = time.monotonic()
    camera.capture(pressed_at, timeout=3.0)
    assert real.held == 0
    camera.close()


def test_a_usb_camera_without_plain_pictures_is_sent_to_the_driver_that_reads_it(picamera2: type[StandIn]) -> None:
    picamera2.camera_controls, picamera2.gives = {}, "MJPEG"
    with pytest.raises(CameraError, match="only MJPEG") as refused:
        PiCamera().open()
    assert 'backend = "usb"' in refused.value.message


def test_a_glance_is_the_brightness_of_the_small_stream(picamera2: type[StandIn]) -> None:
    with PiCamera() as camera:
        assert camera.identity == "/base/soc/i2c0mux/imx708@1a"
        glanced_at = time.monotonic()
        glance = camera.glance(glanced_at, timeout=2.0)
        assert picamera2.made[0].held == 0
    assert glance is not None
    assert glance.picture.shape == (180, 320)
    assert (glance.picture == 90).all()
    assert glance.exposed_at >= glanced_at


def test_what_a_camera_finds_by_itself_is_what_it_can_hold(
    picamera2: type[StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(under_test, "SETTLES", 0.05)
    picamera2.exposure = 0.025
    with PiCamera(mains=50) as camera:
        assert camera.settle("focus", timeout=2.0) == {"LensPosition": 9.5}
        held = camera.settle("light", timeout=2.0)
        picamera2.focuses = 3
        with pytest.raises(CameraError, match="nothing to focus on"):
            camera.settle("focus", timeout=2.0)
        assert picamera2.made[0].held == 0
        assert picamera2.made[0].asked[:2] == [{"AfMode": 1, "AfTrigger": 0}, {}]
    # Two whole flashes of a lamp at 50 Hz instead of two and a half, and as much brighter.
    assert held == {"ExposureTime": 20_000, "AnalogueGain": 2.5, "ColourGains": (1.9, 1.6)}


def test_focus_that_never_comes_is_a_timeout(picamera2: type[StandIn]) -> None:
    picamera2.focuses = 1
    with PiCamera() as camera, pytest.raises(CameraTimeout):
        camera.settle("focus", timeout=0.2)


def test_a_camera_that_hangs_is_opened_again_by_its_guard(picamera2: type[StandIn]) -> None:
    watched = Watched(lambda: PiCamera(size=(64, 36)), name="Pi camera 0", pace=0.01)
    watched.open()
    assert watched.capture(time.monotonic(), timeout=2.0).image.shape == (36, 64, 3)
    picamera2.silent = True  # the cable is pulled: no frame, and no error either
    with pytest.raises(CameraTimeout):
        watched.capture(time.monotonic(), timeout=0.5)
    picamera2.cameras = []
    until(lambda: isinstance(watched.status.error, CameraMissing))
    picamera2.silent = False
    picamera2.cameras = [{"Num": 0, "Id": "/base/soc/i2c0mux/imx708@1a"}]
    until(lambda: watched.status.state is CameraState.READY)
    assert watched.capture(time.monotonic(), timeout=2.0).image.shape == (36, 64, 3)
    assert picamera2.made[0].closed
    watched.close()


def test_a_camera_that_is_opened_anew_holds_what_was_found_meanwhile(picamera2: type[StandIn]) -> None:
    held: dict[str, Any] = {}
    watched = Watched(lambda: PiCamera(size=(64, 36), held=lambda _: held), name="Pi camera 0")
    watched.open()
    watched.capture(time.monotonic(), timeout=2.0)
    held["LensPosition"] = 4.0
    watched.reopen()
    watched.capture(time.monotonic(), timeout=2.0)
    assert [one.configured["controls"].get("LensPosition") for one in picamera2.made] == [None, 4.0]
    assert picamera2.made[0].closed
    watched.close()


def test_a_camera_that_gives_no_frames_is_a_timeout(picamera2: type[StandIn]) -> None:
    picamera2.silent = True
    with PiCamera() as camera, pytest.raises(CameraTimeout, match="ribbon cable"):
        camera.capture(time.monotonic(), timeout=0.2)


def test_no_camera_on_the_ribbon(picamera2: type[StandIn]) -> None:
    picamera2.cameras = []
    with pytest.raises(CameraMissing, match="libcamera sees no camera"):
        PiCamera().open()
    picamera2.cameras = [{"Num": 0}]
    with pytest.raises(CameraMissing, match="Pi camera 1 is not there"):
        PiCamera(1).open()


@pytest.mark.parametrize(
    "reason",
    [
        RuntimeError("Failed to acquire camera: Device or resource busy"),
        RuntimeError("Pipeline handler in use by another process"),
    ],
)
def test_a_camera_that_another_program_has_is_busy(
    picamera2: type[StandIn], reason: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(under_test, "holder_of", lambda *_: None)
    picamera2.opening_fault = reason
    with pytest.raises(CameraBusy, match="fuser"):
        PiCamera().open()
    monkeypatch.setattr(under_test, "holder_of", lambda *_: "rpicam-vid (process 812)")
    with pytest.raises(CameraBusy, match=r"in use by rpicam-vid \(process 812\)"):
        PiCamera().open()


def test_any_other_error_of_picamera2_is_put_in_words(picamera2: type[StandIn]) -> None:
    picamera2.starting_fault = RuntimeError("Failed to start camera.")
    camera = PiCamera()
    with pytest.raises(CameraError, match=r"cannot be started: Failed to start camera\. The turn is still open"):
        camera.open()
    assert picamera2.made[0].closed, "a camera that half opened is let go"
    with pytest.raises(CameraMissing, match="not open"):
        camera.capture(1.0)


def test_a_request_is_given_back_also_when_its_picture_cannot_be_read(picamera2: type[StandIn]) -> None:
    picamera2.array_fault = RuntimeError("Stream 'main' is not defined")
    with PiCamera() as camera:
        with pytest.raises(CameraError, match="cannot take a picture"):
            camera.capture(time.monotonic(), timeout=2.0)
        assert picamera2.made[0].held == 0


def test_a_picture_of_another_kind_is_refused(picamera2: type[StandIn]) -> None:
    picamera2.channels = 4
    with PiCamera(size=(64, 36)) as camera, pytest.raises(BadPicture):
        camera.capture(time.monotonic(), timeout=2.0)


def test_closing_has_a_deadline(picamera2: type[StandIn], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "CLOSING", 0.05)
    picamera2.close_hangs = threading.Event()
    camera = PiCamera()
    camera.open()
    camera.close()
    assert not picamera2.made[0].closed


def test_a_camera_that_never_closed_is_not_taken_for_another_program_s_and_is_given_up(
    picamera2: type[StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(under_test, "CLOSING", 0.05)
    picamera2.close_hangs = threading.Event()
    watched = Watched(PiCamera, name="Pi camera 0", pace=0.02)
    watched.open()
    until(lambda: watched.status.state is CameraState.READY, "the camera being ready")
    # The frontend's timeout: no frame comes, `stop` does not return, and libcamera says that the camera is taken.
    picamera2.silent = True
    picamera2.opening_fault = RuntimeError("Failed to acquire camera: Device or resource busy")
    with pytest.raises(CameraTimeout):
        watched.capture(time.monotonic(), timeout=0.5)
    until(lambda: "stopped answering" in watched.status.message, "the sentence")
    until(lambda: watched.lost, "it being given up")
    picamera2.close_hangs.set()
    picamera2.silent, picamera2.opening_fault = False, None
    until(lambda: watched.status.state is CameraState.READY, "the camera, once it was let go after all")
    assert not watched.lost
    watched.close()


def test_without_picamera2_the_way_to_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraMissing, match="apt install python3-picamera2"):
        PiCamera().open()


def test_a_numpy_that_does_not_fit_is_named_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Finder:
        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> None:
            if name == "picamera2":
                raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])
    with pytest.raises(CameraError, match="simplejpeg"):
        PiCamera().open()
