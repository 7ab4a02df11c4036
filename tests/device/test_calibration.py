"""Setting the camera up, on the rendered table: markers laid into its pictures, a camera that moves, other light."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.calibration import Calibrations
from device.calibrator import Calibrator
from device.camera import PATIENCE, Camera, CameraError, Frame, Image
from device.camera.base import Settling
from device.camera.watched import Watched
from device.drift import light_of, moved, reaching, relit, shift_of
from device.loading import LoadingReader
from device.markers import BORDER_MM, MARKER_MM, PAGE_MM, SPAN_MM, framed, sheet_pdf, sheet_png
from engine.dice import Die, DieState, Shape
from engine.game import IllegalMove, InvalidInput
from tests.device.arms import TONES, with_arm
from tests.device.conftest import ScriptedReader, read_die
from tests.waiting import until
from vision.rendering.scene import Scene, Stage, draw_stage, render_scene
from vision.rendering.view import look_at

WIDTH, HEIGHT = 1280, 960


@cache
def stage() -> Stage:
    """Return the table that all tests share."""
    return draw_stage(np.random.default_rng(7), WIDTH, HEIGHT, calm=True, die_pixels=(30, 40), tray=True)


@cache
def scene(seed: int, dice: int) -> Scene:
    """Return so many dice on the table, in a picture that cannot be drawn into."""
    lying = [Die(("red", "white", "blue", "black")[at % 4], 1 + at % 6, Shape.D6) for at in range(dice)]
    made = render_scene(np.random.default_rng(seed), lying, stage=stage(), clutter=0)
    made.image.flags.writeable = False
    return made


def picture(*, seed: int = 1, dice: int = 0) -> Image:
    return scene(seed, dice).image


# The sheet


def printed(tilt: float, *, turned: float = 0.4, spread: tuple[float, float] | None = None) -> tuple[Image, Any, Any]:
    """Return a picture of the sheet, its view, and what maps mm of the page to pixels.

    `spread` (mm) are the sides of a tray into whose corners the four pieces were cut and laid.
    """
    page = cv2.imdecode(np.frombuffer(sheet_png(150), np.uint8), cv2.IMREAD_GRAYSCALE)
    mm = page.shape[1] / PAGE_MM[0]
    if spread is not None:
        page = cut_apart(page, mm, spread)
    high, wide = (edge / mm for edge in page.shape)
    view = look_at(WIDTH, HEIGHT, target=np.zeros(3), distance=900.0, tilt=tilt, azimuth=0.7, roll=turned, scale=2.0)
    # The table's second axis runs up the page.
    to_table = np.array([[1 / mm, 0, -wide / 2], [0, -1 / mm, high / 2], [0, 0, 1]])
    to_pixels = view.ground() @ to_table
    seen = cv2.warpPerspective(page, to_pixels, (WIDTH, HEIGHT), flags=cv2.INTER_AREA, borderValue=150.0)  # type: ignore[call-overload]
    return np.repeat(seen[..., None], 3, axis=2).astype(np.uint8), view, (wide, high)


def cut_apart(page: np.ndarray, mm: float, spread: tuple[float, float]) -> np.ndarray:
    """Return a grey tray with the four pieces of the page in its corners, turned and in another order."""
    side = round((MARKER_MM + 2 * BORDER_MM) * mm)
    left, top = (round((edge - span) / 2 * mm) for edge, span in zip(PAGE_MM, SPAN_MM, strict=True))
    right, bottom = left + round(SPAN_MM[0] * mm) - side, top + round(SPAN_MM[1] * mm) - side
    pieces = [page[y : y + side, x : x + side] for y, x in ((top, left), (top, right), (bottom, right), (bottom, left))]
    tray = np.full((round(spread[1] * mm), round(spread[0] * mm)), 150, np.uint8)
    for piece, turn, (down, across) in zip(pieces, (1, 0, 2, 3), ((1, 1), (0, 0), (0, 1), (1, 0)), strict=True):
        y, x = down * (tray.shape[0] - side), across * (tray.shape[1] - side)
        tray[y : y + side, x : x + side] = np.rot90(piece, turn)
    return tray


@pytest.mark.parametrize("tilt", [0.0, 25.0, 45.0])
def test_a_whole_sheet_says_how_the_camera_stands(tilt: float) -> None:
    image, view, _ = printed(tilt)
    found = framed(image)
    assert found is not None
    assert found.whole
    assert sorted(found.size) == pytest.approx(sorted(SPAN_MM), rel=0.01)
    from vision.geometry import CameraPose

    pose = CameraPose.of_tray(found.corners, found.size, (WIDTH, HEIGHT))
    upright = view.axes @ np.array([0.0, 0.0, 1.0])
    assert math.degrees(math.acos(min(1.0, float(np.dot(pose.normal, upright))))) < 2.5


@pytest.mark.parametrize("spread", [(320.0, 220.0), (250.0, 300.0)])
def test_cut_apart_they_frame_the_tray_in_any_order_and_turned(spread: tuple[float, float]) -> None:
    image, view, _ = printed(20.0, spread=spread)
    found = framed(image)
    assert found is not None
    assert not found.whole
    assert sorted(found.size) == pytest.approx(sorted(spread), rel=0.02)
    wide, deep = spread
    true = view.project(np.array([[x * wide / 2, y * deep / 2, 0.0] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]))
    for corner in true:
        assert np.linalg.norm(found.corners - corner, axis=1).min() < 4, "the outer corner of the piece"
    assert found.corners.sum(axis=1).argmin() == 0, "the first is the upper left one"


def test_a_covered_marker_is_missed() -> None:
    image, view, _ = printed(10.0)
    (x, y), *_ = view.project(np.array([[-65.0, 100.0, 0.0]]))
    cv2.circle(image, (int(x), int(y)), 90, (40, 60, 200), -1)
    assert framed(image) is None
    assert framed(np.full((480, 640, 3), 90, np.uint8)) is None


def test_the_printed_page_has_its_true_size() -> None:
    pdf = sheet_pdf()
    assert pdf.startswith(b"%PDF-1.4")
    assert b"/MediaBox [0 0 595.276 841.890]" in pdf
    start = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf[start : start + 4] == b"xref"
    first = int(pdf[start:].split(b"\n")[3].split()[0])
    assert pdf[first:].startswith(b"1 0 obj")
    png = sheet_png(200)
    at = png.index(b"pHYs")
    assert int.from_bytes(png[at + 4 : at + 8], "big") == round(200 / 0.0254)
    page = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert page.shape[1] == round(210 / 25.4 * 200)
    assert framed(page) is not None, "the page itself is a picture of the sheet, seen straight"


# Drift


def shifted(image: Image, pixels: float, degrees: float = 0.0) -> Image:
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), degrees, 1.0)
    turn[:, 2] += pixels
    return np.asarray(cv2.warpAffine(image, turn, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT), np.uint8)


def test_a_camera_that_was_pushed_is_noticed_and_dice_are_not() -> None:
    from device.camera.rest import small

    empty = picture()
    before = small(empty)
    assert not moved(shift_of(before, picture(seed=2)))
    for seed in range(3, 6):
        assert not moved(shift_of(before, picture(seed=seed, dice=12)))
    full = picture(seed=7, dice=12)
    for pixels, degrees in ((30.0, 0.0), (0.0, 3.0), (120.0, 10.0)):
        assert moved(shift_of(before, shifted(full, pixels, degrees))), (pixels, degrees)
    assert not moved(shift_of(before, shifted(full, 3.0)))
    other = draw_stage(np.random.default_rng(99), WIDTH, HEIGHT, calm=True, die_pixels=(50, 60), tray=True)
    assert moved(shift_of(before, render_scene(np.random.default_rng(1), [], stage=other, clutter=0).image))
    assert shift_of(np.full((240, 320), 90, np.uint8), empty) is None, "nothing to hold on to"


def test_other_light_is_noticed_and_dice_are_not() -> None:
    empty = light_of(picture())
    full = picture(seed=7, dice=12)
    assert not relit(empty, light_of(full))
    assert relit(empty, light_of((full * 0.5).astype(np.uint8)))
    warm = np.clip(full * np.array([0.7, 1.0, 1.15]), 0, 255).astype(np.uint8)
    assert relit(empty, light_of(warm))


def with_an_arm(image: Image, tone: str) -> Image:
    return with_arm(image, TONES[tone], at=0.3, to=0.35, reach=0.35, wide=0.1)


def scene_of(seed: int) -> tuple[Image, list[tuple[float, float, float, float]]]:
    """Return a roll of twelve dice, and their boxes as shares of the picture."""
    rolled = scene(seed, 12)
    size = np.array([WIDTH, HEIGHT, WIDTH, HEIGHT])
    return rolled.image, [tuple((np.array(die.box) / size).tolist()) for die in rolled.dice]


@pytest.mark.parametrize("tone", ["a pale arm", "a tanned arm", "a brown arm", "a blue sleeve"])
def test_an_arm_over_the_table_is_noticed_and_dice_and_shadows_are_not(tone: str) -> None:
    empty = light_of(picture())
    for seed in range(4):
        image, boxes = scene_of(seed)
        assert not reaching(empty, light_of(image), boxes)
        shadow = image.copy()
        shadow[:, : WIDTH // 3] = shadow[:, : WIDTH // 3] * 0.65
        assert not reaching(empty, light_of(cv2.GaussianBlur(shadow, (0, 0), 15).astype(np.uint8)), boxes)
        arm = with_an_arm(image, tone)
        assert reaching(empty, light_of(arm), boxes)
        assert not reaching(empty, light_of(arm), boxes, [[0.6, 0.1], [0.95, 0.1], [0.95, 0.9], [0.6, 0.9]]), (
            "beside the tray it covers no die"
        )


# The steps


class Stand(Camera):
    """A camera that shows `image`, finds what a test lays out, and notes what it holds when it is opened."""

    name = "stand"

    def __init__(self, at: Bench) -> None:
        self.at = at

    @property
    def identity(self) -> str:
        return "/base/soc/i2c0mux/imx708@1a"

    def open(self) -> None:
        self.at.opened_with.append(dict(self.at.calibrations.of(self.identity).controls))

    def close(self) -> None: ...

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        return Frame(self.at.image, after + 0.01)

    def settle(self, what: Settling, *, timeout: float) -> Mapping[str, Any]:
        if isinstance(self.at.found[what], CameraError):
            raise self.at.found[what]
        return self.at.found[what]


class Bench:
    """A calibrator with its camera and its files."""

    def __init__(self, home: Path) -> None:
        self.image: Image = np.full((HEIGHT, WIDTH, 3), 128, np.uint8)
        self.found: dict[str, Any] = {
            "focus": {"LensPosition": 9.5},
            "light": {"ExposureTime": 20_000, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.6)},
        }
        self.opened_with: list[dict[str, Any]] = []
        self.home = home
        self.calibrations = Calibrations(home)
        self.camera = Watched(lambda: Stand(self), name="stand")
        self.camera.open()
        until(lambda: self.opened_with)
        self.reader = ScriptedReader()
        self.loading = LoadingReader(lambda: self.reader)
        self.loading.start()
        self.told = 0
        self.calibrator = Calibrator(
            self.calibrations, self.camera, self.loading, now=lambda: "2026-11-30T20:00:00+00:00", changed=self._tell
        )

    def _tell(self) -> None:
        self.told += 1

    def do(self, step: str, **given: Any) -> dict[str, Any]:
        return self.calibrator.do(step, given)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    one = Bench(tmp_path)
    yield one
    one.camera.close()
    one.loading.close()


SQUARE = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]


def test_four_tapped_corners_tell_how_the_camera_stands(bench: Bench) -> None:
    assert bench.calibrator.pose is None
    known = bench.do("frame", corners=SQUARE, size=[320, 240])
    assert known["corners"] == SQUARE
    assert known["tilt"] == pytest.approx(0, abs=1)
    assert bench.calibrator.pose is not None
    again = Calibrations(bench.home).of(bench.camera.identity)
    assert again.camera_pose() == bench.calibrator.pose, "after a restart"
    assert bench.told == 1


@pytest.mark.parametrize(
    ("corners", "size", "code"),
    [
        (SQUARE[:3], [320, 240], "bad_corners"),
        ([[0.2, 0.2], [0.8, 0.8], [0.8, 0.2], [0.2, 0.8]], [320, 240], "bad_corners"),
        ([[0.5, 0.5]] * 4, [320, 240], "bad_corners"),
        ([[0.2, 0.2], [0.8, 0.2], [0.8, 1.8], [0.2, 0.8]], [320, 240], "bad_corners"),
        ("nonsense", [320, 240], "bad_corners"),
        (SQUARE, [320], "bad_size"),
        (SQUARE, [320, True], "bad_size"),
        (SQUARE, None, "bad_size"),
    ],
)
def test_corners_that_are_none_change_nothing(bench: Bench, corners: Any, size: Any, code: str) -> None:
    bench.do("frame", corners=SQUARE, size=[320, 240])
    with pytest.raises(InvalidInput) as refused:
        bench.do("frame", corners=corners, size=size)
    assert refused.value.code == code
    assert bench.calibrator.known.corners == SQUARE
    with pytest.raises(InvalidInput, match="no such step"):
        bench.do("polish")


def test_markers_frame_the_tray_and_missing_ones_change_nothing(bench: Bench) -> None:
    with pytest.raises(IllegalMove, match="not all found"):
        bench.do("markers")
    bench.image, _, _ = printed(20.0, spread=(320.0, 220.0))
    known = bench.do("markers")
    assert known["done"]["frame"]["by"] == "markers"
    assert sorted(known["size"]) == pytest.approx([220, 320], rel=0.02)
    assert known["tilt"] == pytest.approx(20, abs=2.5)


def test_focus_and_white_balance_are_held_from_the_next_opening_on(bench: Bench) -> None:
    bench.do("focus")
    assert bench.opened_with[-1] == {"LensPosition": 9.5}
    bench.image = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
    known = bench.do("white")
    assert known["done"]["white"]["holds"]
    assert bench.opened_with[-1]["ColourGains"] == [1.9, 1.6]
    assert set(bench.opened_with[-1]) == {"LensPosition", "ExposureTime", "AnalogueGain", "ColourGains"}
    (file,) = Calibrations(bench.home).all()
    assert json.loads(file.read_text())["held"]["focus"] == {"LensPosition": 9.5}
    bench.do("forget")
    assert Calibrations(bench.home).all() == []
    until(lambda: bench.opened_with[-1] == {})


@pytest.mark.parametrize("sheet", [(40, 40, 40), (255, 255, 255), (120, 190, 220)])
def test_what_is_no_white_sheet_is_not_kept(bench: Bench, sheet: tuple[int, int, int]) -> None:
    bench.image = np.full((HEIGHT, WIDTH, 3), sheet, np.uint8)
    with pytest.raises(IllegalMove, match="white sheet"):
        bench.do("white")
    assert "white" not in bench.calibrator.known.done
    until(lambda: bench.opened_with[-1] == {}, "the camera finds its own way again")


def test_a_camera_that_finds_no_focus_keeps_what_it_had(bench: Bench) -> None:
    bench.do("focus")
    bench.found["focus"] = CameraError("Nothing to focus on.")
    with pytest.raises(CameraError):
        bench.do("focus")
    assert bench.calibrator.known.held["focus"] == {"LensPosition": 9.5}


def test_a_camera_with_nothing_to_hold_is_set_up_all_the_same(bench: Bench) -> None:
    bench.found = {"focus": {}, "light": {}}
    bench.image = np.full((HEIGHT, WIDTH, 3), 200, np.uint8)
    opened = len(bench.opened_with)
    assert bench.do("focus")["done"]["focus"]["holds"] is False
    bench.do("white")
    assert len(bench.opened_with) == opened


def test_known_dice_are_read_out(bench: Bench) -> None:
    bench.reader.dice = [read_die(Die("red", 3)), read_die(Die("blue", 5), DieState.UNSURE)]
    done = bench.do("dice")["done"]["dice"]
    assert done["read"] == ["red d6 3", "blue d6 5"]
    assert done["sure"] == 1
    bench.reader.dice = []
    with pytest.raises(IllegalMove, match="No die"):
        bench.do("dice")


def test_a_moved_camera_is_doubted_at_once_told_the_second_time_and_believed_again(bench: Bench) -> None:
    bench.image = picture()
    bench.do("frame", corners=SQUARE, size=[320, 240])
    bench.do("empty")
    roll = picture(seed=3, dice=8)
    assert bench.calibrator.note(roll) == ()
    assert bench.calibrator.pose is not None
    pushed = shifted(roll, 40.0)
    assert bench.calibrator.note(pushed) == ()
    assert bench.calibrator.pose is None, "doubted"
    (said,) = bench.calibrator.note(pushed)
    assert "has moved" in said
    assert bench.calibrator.health()["state"] == "moved"
    assert not bench.calibrator.health()["ok"]
    assert bench.calibrator.note(roll) == ()
    assert bench.calibrator.pose is not None
    assert bench.calibrator.health()["ok"]


def test_what_reaches_over_the_tray_is_told_and_no_word_is_lost_on_it_without_an_empty_one(
    bench: Bench,
) -> None:
    image, boxes = scene_of(2)
    pixels = [(x * WIDTH, y * HEIGHT, w * WIDTH, h * HEIGHT) for x, y, w, h in boxes]
    arm = with_an_arm(image, "a tanned arm")
    assert bench.calibrator.covered(arm, pixels) == ()
    bench.image = picture()
    bench.do("empty")
    assert bench.calibrator.covered(image, pixels) == ()
    (said,) = bench.calibrator.covered(arm, pixels)
    assert "a hand, a sleeve, a cup? Dice under it are not seen. Take it away" in said
    bench.do("frame", corners=[[0.6, 0.1], [0.95, 0.1], [0.95, 0.9], [0.6, 0.9]], size=[320, 240])
    assert bench.calibrator.covered(arm, pixels) == (), "it lies beside the tray"


def test_other_light_is_told(bench: Bench) -> None:
    bench.image = picture()
    bench.do("empty")
    dark = (picture(seed=3, dice=8) * 0.45).astype(np.uint8)
    bench.calibrator.note(dark)
    (said,) = bench.calibrator.note(dark)
    assert "light has changed" in said
    assert bench.calibrator.health()["state"] == "relit"


def test_what_was_found_on_another_machine_is_not_held(bench: Bench) -> None:
    bench.do("frame", corners=SQUARE, size=[320, 240])
    bench.do("focus")
    (file,) = Calibrations(bench.home).all()
    stored = json.loads(file.read_text())
    stored["made_with"]["machine"] = "Raspberry Pi 4 Model B Rev 1.4"
    file.write_text(json.dumps(stored))
    known = Calibrations(bench.home).of(bench.camera.identity)
    assert known.controls == {}
    assert set(known.done) == {"frame"}
    assert known.camera_pose() is not None


@pytest.mark.parametrize("text", ["", "[]", '{"camera": "x", "poise": 1}', '{"camera": "x", "pose": {"focal": 1}}'])
def test_a_file_that_cannot_be_used_counts_as_none(bench: Bench, text: str) -> None:
    bench.do("frame", corners=SQUARE, size=[320, 240])
    (file,) = Calibrations(bench.home).all()
    file.write_text(text)
    assert Calibrations(bench.home).of(bench.camera.identity).done == {}
