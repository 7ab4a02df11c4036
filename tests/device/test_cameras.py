"""The cameras: a folder of pictures, a USB camera (a film stands in), and the guard round any of them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera import (
    PATIENCE,
    BadPicture,
    Camera,
    CameraBusy,
    CameraError,
    CameraMissing,
    CameraTimeout,
    Frame,
    usb,
)
from device.camera.choice import NoCamera, camera_for
from device.camera.folder import FolderCamera
from device.camera.holding import device_path, holder_of
from device.camera.usb import UsbCamera
from device.camera.watched import _TELLING, MOST_LOST, RESTS, CameraState, CameraStatus, Watched
from device.config import CameraConfig
from engine.words import told
from tests.waiting import until

SOON = 0.4
"""Seconds that a capture may take in these tests."""


def test_every_error_says_what_it_means_for_the_game_and_what_to_do() -> None:
    for kind, also in (
        (CameraMissing, FileNotFoundError),
        (CameraBusy, OSError),
        (CameraTimeout, TimeoutError),
        (BadPicture, ValueError),
    ):
        error = kind("The camera did something.", "Check its cable")
        assert isinstance(error, CameraError)
        assert isinstance(error, also)
        assert (
            str(error)
            == error.message
            == (
                "The camera did something. The turn is still open and nothing was lost. "
                "Check its cable, or enter the dice by hand."
            )
        )


# The guard


class Gadget(Camera):
    """A camera that hangs, fails or works as its test says. A hang is a wait that no exception can end."""

    name = "gadget"

    def __init__(self) -> None:
        self.hang = threading.Event()
        self.hang_opening = threading.Event()
        self.hang_closing = threading.Event()
        self.release = threading.Event()
        self.fault: Exception | None = None
        self.opened = self.closed = 0
        self.timeouts: list[float] = []

    def _maybe_hang(self, hangs: threading.Event) -> None:
        if hangs.is_set():
            self.release.wait(60)

    def open(self) -> None:
        self._maybe_hang(self.hang_opening)
        if self.fault is not None:
            raise self.fault
        self.opened += 1

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        self.timeouts.append(timeout)
        self._maybe_hang(self.hang)
        if self.fault is not None:
            raise self.fault
        return Frame(np.zeros((4, 4, 3), np.uint8), after + 0.001)

    def close(self) -> None:
        self._maybe_hang(self.hang_closing)
        self.closed += 1


@pytest.fixture
def gadget() -> Iterator[Gadget]:
    gadget = Gadget()
    yield gadget
    gadget.release.set()


@pytest.fixture
def watch() -> Iterator[Callable[..., Watched]]:
    """Make guards with short pauses, and close them at the end."""
    made: list[Watched] = []

    def make(*cameras: Camera, pace: float = 0.01, open_patience: float = 20.0) -> Watched:
        supply = iter(cameras)
        watched = Watched(lambda: next(supply, cameras[-1]), name="The camera", pace=pace, open_patience=open_patience)
        made.append(watched)
        watched.open()
        return watched

    yield make
    for watched in made:
        watched.close()


def ready(watched: Watched) -> Watched:
    until(lambda: watched.status.state is CameraState.READY, "the camera being ready")
    return watched


def test_a_capture_passes_through_and_leaves_the_camera_time_to_speak_first(watch, gadget: Gadget) -> None:
    frame = ready(watch(gadget)).capture(5.0, timeout=2.0)
    assert frame.exposed_at > 5.0
    assert gadget.timeouts[0] < 2.0 * _TELLING


def test_a_camera_that_hangs_gives_an_error_in_time_and_is_opened_anew(watch, gadget: Gadget) -> None:
    fresh = Gadget()
    watched = ready(watch(gadget, fresh))
    gadget.hang.set()
    with pytest.raises(CameraTimeout, match=r"The camera did not answer within 0\.4 s\. The turn is still open"):
        watched.capture(time.monotonic(), timeout=SOON)
    assert watched.status.state in (CameraState.FAULT, CameraState.READY)
    ready(watched)
    assert watched.capture(7.0, timeout=SOON).exposed_at > 7.0
    assert (fresh.opened, gadget.closed) == (1, 0)
    gadget.release.set()
    until(lambda: gadget.closed == 1, "the late camera being closed")


def test_a_fault_stays_said_until_the_camera_works_again(watch, gadget: Gadget) -> None:
    watched = ready(watch(gadget, pace=1000))
    gadget.hang.set()
    with pytest.raises(CameraTimeout):
        watched.capture(time.monotonic(), timeout=SOON)
    assert watched.status.state is CameraState.FAULT
    assert "did not answer" in watched.status.message


def test_a_press_opens_a_faulty_camera_at_once(watch, gadget: Gadget) -> None:
    gadget.fault = CameraMissing("No camera.", "Plug it in")
    watched = watch(gadget, pace=1000)
    until(lambda: watched.status.state is CameraState.FAULT)
    with pytest.raises(CameraMissing):
        watched.capture(1.0, timeout=SOON)
    gadget.fault = None
    assert watched.capture(1.0, timeout=2.0).exposed_at > 1.0
    assert watched.status.state is CameraState.READY


def test_while_a_faulty_camera_is_tried_again_its_fault_is_what_people_hear(watch, gadget: Gadget) -> None:
    gadget.fault = CameraBusy("The camera is in use by cheese.", "Close that program")
    watched = watch(gadget, pace=1000)
    until(lambda: watched.status.state is CameraState.FAULT)
    gadget.hang_opening.set()
    with pytest.raises(CameraBusy, match="cheese"):
        watched.capture(1.0, timeout=0.2)


def test_a_camera_that_is_unplugged_while_it_runs_comes_back(watch, gadget: Gadget) -> None:
    watched = ready(watch(gadget))
    gadget.fault = CameraMissing("The camera was unplugged.", "Plug it in again")
    with pytest.raises(CameraMissing, match="unplugged"):
        watched.capture(1.0, timeout=2.0)
    gadget.fault = None
    ready(watched)
    assert gadget.closed >= 1
    assert watched.capture(1.0, timeout=2.0)


def test_a_camera_that_takes_long_to_fail_is_left_alone_for_longer(watch, gadget: Gadget) -> None:
    class Silent(Gadget):
        def open(self) -> None:
            self.opened += 1
            time.sleep(0.2)
            raise CameraTimeout("The camera did not answer.", "Check its cable")

    silent = Silent()
    watched = watch(silent)
    until(lambda: watched._keeper is not None and watched._keeper.pause >= 0.2 * RESTS, "the longer pause")
    assert silent.opened == 2, "the first attempt may be slow for other reasons"
    watched._make = lambda: gadget
    assert watched.capture(1.0, timeout=2.0), "a press does not wait for its end"


def test_a_bad_picture_is_no_fault_of_the_camera(watch, gadget: Gadget) -> None:
    watched = ready(watch(gadget))
    gadget.fault = BadPicture("b.jpg cannot be shown.", "Capture again")
    with pytest.raises(BadPicture):
        watched.capture(1.0, timeout=2.0)
    gadget.fault = None
    assert watched.status.state is CameraState.READY
    assert gadget.closed == 0
    assert watched.capture(1.0, timeout=2.0)


@pytest.mark.parametrize("raised", [RuntimeError("libcamera says no"), ImportError("no driver"), KeyError("x")])
def test_whatever_a_driver_raises_becomes_a_camera_error(watch, gadget: Gadget, raised: Exception) -> None:
    gadget.fault = raised
    watched = watch(gadget)
    with pytest.raises(CameraError, match=r"The camera failed: .*nothing was lost"):
        watched.capture(1.0, timeout=2.0)


def test_a_camera_that_hangs_while_opening_is_starting_and_then_faulty(watch, gadget: Gadget) -> None:
    gadget.hang_opening.set()
    fresh = Gadget()
    watched = watch(gadget, fresh, open_patience=1.5)
    until(lambda: watched.status.state is CameraState.STARTING)
    with pytest.raises(CameraTimeout, match="still starting"):
        watched.capture(1.0, timeout=0.1)
    until(lambda: watched.status.state is CameraState.FAULT)
    assert "has not started" in watched.status.message
    with pytest.raises(CameraTimeout, match="has not started"):
        watched.capture(1.0, timeout=0.1)
    ready(watched)
    assert fresh.opened == 1


def test_a_camera_that_hangs_for_good_does_not_eat_up_threads(watch) -> None:
    gadgets = [Gadget() for _ in range(MOST_LOST + 2)]
    for gadget in gadgets:
        gadget.hang.set()
    watched = watch(*gadgets)
    messages = []
    for _ in range(MOST_LOST + 2):
        with pytest.raises(CameraTimeout) as raised:
            watched.capture(1.0, timeout=0.3)
        messages.append(raised.value.message)
    assert "restart Jurado" in messages[-1]
    assert sum(gadget.opened for gadget in gadgets) <= MOST_LOST
    assert watched.status.state is CameraState.FAULT
    for gadget in gadgets:
        gadget.hang.clear()
        gadget.release.set()
    until(lambda: not any(keeper.is_alive() for keeper in watched._lost))
    assert watched.capture(1.0, timeout=2.0), "once they let go it is tried again"


def test_a_hung_keeper_is_not_mistaken_for_another_program(watch, gadget: Gadget) -> None:
    second = Gadget()
    second.fault = CameraBusy("The camera is in use by another program.", "Close it")
    watched = ready(watch(gadget, second))
    gadget.hang.set()
    with pytest.raises(CameraTimeout):
        watched.capture(1.0, timeout=0.3)
    until(lambda: "stopped answering" in watched.status.message)
    until(lambda: watched.lost, "it being given up: nothing but a new process helps")
    second.fault = None
    ready(watched)
    assert not watched.lost


def test_closing_does_not_wait_for_a_camera_that_hangs(watch, gadget: Gadget) -> None:
    watched = ready(watch(gadget))
    gadget.hang_closing.set()
    watched.close()
    assert watched.status.state is CameraState.CLOSED
    with pytest.raises(CameraError, match="switched off"):
        watched.capture(1.0)


def test_listeners_hear_how_the_camera_stands(gadget: Gadget) -> None:
    watched = Watched(lambda: gadget, name="The camera")
    seen = []
    watched.subscribe(lambda: seen.append(watched.status.state))
    watched.open()
    until(lambda: CameraState.READY in seen)
    watched.close()


def test_a_table_without_a_camera_says_so() -> None:
    camera = camera_for(CameraConfig(), lambda: None)
    assert isinstance(camera, NoCamera)
    camera.open()
    with pytest.raises(CameraMissing, match="no camera"):
        camera.capture(1.0)
    assert camera.status.state is CameraState.NONE
    camera.close()


def test_a_picture_that_is_drawn_may_take_longer_than_a_camera() -> None:
    with camera_for(CameraConfig(backend="rendered"), lambda: None) as camera:
        assert camera.capture(time.monotonic(), timeout=1e-6).image.shape == (960, 1280, 3)


def test_a_camera_is_named_in_the_language_of_the_page() -> None:
    for backend, name in (("usb", "Câmera USB 7"), ("picamera", "Câmera do Pi 7"), ("rendered", "A mesa desenhada")):
        camera = camera_for(CameraConfig(backend=backend, device="7"), lambda: None)
        assert told(camera.name, "pt") == name
        assert told(CameraStatus(camera.name, CameraState.STARTING).message, "pt").startswith(name)


# A folder of pictures


def picture(path: Path, brightness: int) -> None:
    assert cv2.imwrite(str(path), np.full((20, 30, 3), brightness, np.uint8))


def shown(camera: Camera) -> str:
    pressed_at = time.monotonic()
    frame = camera.capture(pressed_at)
    assert frame.exposed_at > pressed_at
    assert frame.image.dtype == np.uint8
    return frame.source


def test_a_folder_is_shown_in_order_and_again_from_the_start(tmp_path: Path) -> None:
    for number, name in enumerate(("b.png", "a.jpg", "c.JPG")):
        picture(tmp_path / name, 50 * number)
    (tmp_path / "notes.txt").write_text("no picture")
    with FolderCamera(tmp_path) as camera:
        assert [shown(camera) for _ in range(4)] == ["a.jpg", "b.png", "c.JPG", "a.jpg"]
        picture(tmp_path / "aa.png", 9)
        assert [shown(camera) for _ in range(2)] == ["aa.png", "b.png"]


def test_an_unreadable_picture_is_named_and_the_next_one_follows(tmp_path: Path) -> None:
    picture(tmp_path / "a.jpg", 10)
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff nonsense")
    picture(tmp_path / "c.jpg", 10)
    with FolderCamera(tmp_path) as camera:
        assert shown(camera) == "a.jpg"
        with pytest.raises(BadPicture, match=r"b\.jpg"):
            camera.capture(time.monotonic())
        assert shown(camera) == "c.jpg"


def test_a_folder_that_is_missing_or_empty_is_a_missing_camera(tmp_path: Path) -> None:
    with pytest.raises(CameraMissing, match="no pictures"):
        FolderCamera(tmp_path).open()
    with pytest.raises(CameraMissing, match="no folder"):
        FolderCamera(tmp_path / "nowhere").open()


# A USB camera: OpenCV's VideoCapture plays a film through the same code


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Thirty frames a second for four seconds; each frame is blue, and its green says its number."""
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (64, 48))
    for number in range(120):
        writer.write(np.full((48, 64, 3), (200, number * 2, 0), np.uint8))
    writer.release()
    return path


def test_a_usb_camera_gives_a_frame_from_after_the_press_however_long_it_ran_before(film: Path) -> None:
    camera = UsbCamera(str(film))
    camera.open()
    numbers = []
    for _ in range(3):
        pressed_at = time.monotonic()
        frame = camera.capture(pressed_at, timeout=2.0)
        assert frame.exposed_at > pressed_at
        blue, green, red = frame.image.reshape(-1, 3).mean(axis=0)
        assert blue > 150
        assert red < 60
        numbers.append(green)
        time.sleep(0.2)
    camera.close()
    camera.close()
    assert numbers == sorted(numbers)
    assert numbers[2] - numbers[0] > 4, "the camera went on while nobody asked"


def test_a_usb_camera_that_stops_is_said_to_be_unplugged(tmp_path: Path) -> None:
    path = tmp_path / "short.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (64, 48))
    for _ in range(3):
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    camera = UsbCamera(str(path))
    camera.open()
    # The last frames may still be asked for; then the film is over.
    until(lambda: camera._grabber is not None and camera._grabber._error is not None)
    with pytest.raises(CameraMissing, match="unplugged"):
        camera.capture(time.monotonic(), timeout=5.0)
    camera.close()


def test_a_usb_camera_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CameraMissing, match="is not there"):
        UsbCamera(97).open()
    with pytest.raises(CameraMissing, match="not open"):
        UsbCamera(97).capture(1.0)
    broken = tmp_path / "broken.avi"
    broken.write_bytes(b"no film")
    with pytest.raises(CameraMissing, match="cannot be opened"):
        UsbCamera(str(broken)).open()


class Knobs:
    """A capture with the switches and values of a USB camera, as OpenCV hands them on; 0 or -1: it has none."""

    def __init__(self, **values: float) -> None:
        self.values = {getattr(cv2, f"CAP_PROP_{name}"): value for name, value in values.items()}

    def get(self, number: int) -> float:
        return self.values.get(number, -1.0)

    def set(self, number: int, value: float) -> bool:
        if number not in self.values:
            return False
        self.values[number] = value
        return True


def test_what_a_usb_camera_finds_by_itself_it_is_told_to_hold() -> None:
    camera = Knobs(AUTOFOCUS=0, FOCUS=120, AUTO_WB=0, WB_TEMPERATURE=4100, AUTO_EXPOSURE=1, EXPOSURE=156, GAIN=0)
    usb._let(camera, "focus")
    assert camera.get(cv2.CAP_PROP_AUTOFOCUS) == 1
    assert usb._found(camera, "focus") == {"FOCUS": 120}
    assert camera.get(cv2.CAP_PROP_AUTOFOCUS) == 0, "and held there"
    usb._let(camera, "light")
    assert camera.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3, "V4L2's word for by itself"
    assert usb._found(camera, "light") == {"WB_TEMPERATURE": 4100, "EXPOSURE": 156}
    assert camera.get(cv2.CAP_PROP_AUTO_WB) == 0
    fresh = Knobs(AUTOFOCUS=1, FOCUS=0, AUTO_WB=1, WB_TEMPERATURE=0)
    usb._hold(fresh, {"FOCUS": 120})
    assert (fresh.get(cv2.CAP_PROP_AUTOFOCUS), fresh.get(cv2.CAP_PROP_FOCUS)) == (0, 120)
    assert fresh.get(cv2.CAP_PROP_AUTO_WB) == 1, "what nobody set up goes on by itself"
    assert usb._found(Knobs(), "light") == {}, "a camera without any"


def test_a_running_usb_camera_is_set_up_between_its_frames(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usb, "SETTLES", 0.05)
    with UsbCamera(str(film)) as camera:
        assert camera.identity == str(film)
        assert camera.settle("focus", timeout=2.0) == {}, "a film has no lens"
        assert camera.capture(time.monotonic(), timeout=2.0).image.shape == (48, 64, 3)
    with pytest.raises(CameraMissing, match="not open"):
        camera.settle("focus", timeout=1.0)


def test_a_number_means_a_video_device() -> None:
    assert device_path(2) == device_path("2") == Path("/dev/video2")
    assert device_path("/dev/v4l/by-id/cam") == Path("/dev/v4l/by-id/cam")


@pytest.fixture
def devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, int], None]:
    """Return what lists a video device as Linux does: its name, its driver, its index."""
    monkeypatch.setattr(usb, "VIDEO", tmp_path)

    def there(name: str, driver: str, index: int) -> None:
        (tmp_path / name / "device").mkdir(parents=True)
        (tmp_path / name / "device/driver").symlink_to(f"../../../drivers/{driver}")
        (tmp_path / name / "index").write_text(f"{index}\n")

    return there


def test_a_camera_that_came_back_under_another_number_is_the_one(devices) -> None:
    assert usb._device(90) == Path("/dev/video90")
    devices("video91", "uvcvideo", 0)
    devices("video92", "uvcvideo", 1)
    devices("video93", "bcm2835-codec", 0)
    assert usb._device(90) == usb._device("90") == Path("/dev/video91")
    assert usb._device("/dev/video90") == Path("/dev/video90")
    with pytest.raises(CameraMissing, match="USB camera 90 is not there"):
        UsbCamera(90).open()


def test_where_two_cameras_are_there_none_is_taken_for_the_one_that_is_gone(devices) -> None:
    devices("video91", "uvcvideo", 0)
    devices("video93", "uvcvideo", 0)
    assert usb._device(90) == Path("/dev/video90")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc here to look into")
def test_the_program_that_holds_a_camera_is_named(film: Path) -> None:
    assert holder_of(film) is None
    script = "import sys; f = open(sys.argv[1], 'rb'); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(film)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        holder = holder_of(film)
        assert holder is not None
        assert str(other.pid) in holder
        assert other.stdin is not None
        other.stdin.close()
    assert os.getpid() != other.pid


def test_a_usb_camera_under_guard_is_unplugged_and_comes_back(film: Path) -> None:
    away = film.with_suffix(".away")
    film.rename(away)
    watched = camera_for(CameraConfig(backend="usb", device=str(film)), lambda: None)
    assert isinstance(watched, Watched)
    watched.open()
    until(lambda: watched.status.state is CameraState.FAULT)
    with pytest.raises(CameraMissing):
        watched.capture(time.monotonic())
    away.rename(film)
    assert watched.capture(time.monotonic()).image.shape == (48, 64, 3)
    watched.close()
