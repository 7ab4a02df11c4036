"""Dice that roll are waited for: pictures of rendered dice in motion, and a camera that films them for the darkroom."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from device.burst import Burst
from device.camera import PATIENCE, Camera, CameraTimeout, Frame, Glance, Image
from device.camera.rendered import RenderedCamera
from device.camera.rest import QUIET, SETTLED, Rest, changed, small
from device.darkroom import WAITING, Shooting
from device.photos import PhotoRing
from device.station import Station
from engine.dice import Die, Shape
from engine.game import Expectation
from engine.table import Table
from tests.device.conftest import ScriptedReader
from tests.waiting import until
from vision.rendering.scene import draw_looks, draw_stage, render_scene

FRAME = 1 / 30


def exposures(seed: int, count: int, *, dice: int = 3) -> list[Image]:
    """Return photographs of one roll of dice on the stage that all calls share, each with a noise of its own."""
    stage = draw_stage(np.random.default_rng(5), 960, 720, calm=True, die_pixels=(40, 50))
    lying = [Die(colour, 1 + (seed + at) % 6, Shape.D6) for at, colour in enumerate(("red", "white", "blue")[:dice])]
    looks = draw_looks(np.random.default_rng(6), lying, plain=True)
    scene = render_scene(np.random.default_rng(seed), lying, stage=stage, looks=looks, clutter=0, again=count - 1)
    return [scene.image, *scene.again]


@pytest.fixture(scope="module")
def lying() -> list[Image]:
    return exposures(1, 6)


@pytest.fixture(scope="module")
def rolling() -> list[Image]:
    """One die that goes on from place to place."""
    return [exposures(seed, 1, dice=1)[0] for seed in range(20, 26)]


def seen(rest: Rest, images: Sequence[Image], began: float, every: float = FRAME) -> list[bool]:
    """Return after each picture whether all was still."""
    answers = []
    for number, image in enumerate(images):
        rest.see(small(image), began + number * every)
        answers.append(rest.still)
    return answers


def test_dice_that_lie_are_still_after_two_frames(lying: list[Image]) -> None:
    rest = Rest()
    assert seen(rest, lying, 10.0) == [False, False, True, True, True, True]
    assert not rest.moved
    assert 2 * FRAME > QUIET


def test_dice_that_roll_are_never_still_and_must_lie_longer_afterwards(
    rolling: list[Image], lying: list[Image]
) -> None:
    rest = Rest()
    assert not any(seen(rest, rolling, 10.0))
    assert rest.moved
    assert not any(seen(rest, lying[:3], 11.0)), "a die on its edge may pause"
    assert seen(rest, lying[3:4], 11.0 + SETTLED + 0.01) == [True]


def test_a_die_that_creeps_is_noticed_though_each_step_is_small(lying: list[Image]) -> None:
    """One die slides by half a pixel of the small picture a frame."""
    rest = Rest(quiet=1.0)
    table, die = lying[0].copy(), np.full((48, 48, 3), (0, 0, 200), np.uint8)
    for number in range(12):
        picture = table.copy()
        picture[30:78, 40 + 2 * number : 88 + 2 * number] = die
        rest.see(small(picture), number * FRAME)
    assert rest.moved


def test_lamps_that_flicker_and_clouds_that_pass_are_no_movement(lying: list[Image]) -> None:
    rows = np.arange(720)
    flicker = (1 + 0.08 * np.sin(rows / 40))[:, None, None]
    banded = np.clip(lying[1] * flicker, 0, 255).astype(np.uint8)
    darker = np.clip(lying[2] * 0.85, 0, 255).astype(np.uint8)
    assert not changed(small(lying[0]), small(banded))
    assert not changed(small(lying[0]), small(darker))


def test_one_die_that_has_turned_on_the_spot_is_movement(lying: list[Image]) -> None:
    turned = lying[1].copy()
    ys, xs = np.nonzero(np.abs(lying[0].astype(int) - exposures(1, 1, dice=1)[0]).max(axis=2) > 60)
    y, x = int(np.median(ys)), int(np.median(xs))
    turned[y - 20 : y + 20, x - 20 : x + 20] = np.rot90(turned[y - 20 : y + 20, x - 20 : x + 20])
    assert changed(small(lying[0]), small(turned))


class FilmCamera(Camera):
    """Shows `film`, a picture every thirtieth of a second from the press on, and goes on with the last one."""

    name = "film camera"

    def __init__(self, film: Sequence[Image]) -> None:
        self.film = film
        self.shown: list[int] = []
        self.glances = 0
        self.go = threading.Event()
        self.go.set()
        self.ends = False
        self._began: float | None = None

    def open(self) -> None: ...

    def close(self) -> None: ...

    def _next(self, after: float) -> tuple[int, float]:
        if self._began is None:
            self._began = after
        number = int((after - self._began) / FRAME + 1e-6) + 1
        return min(number, len(self.film) - 1), self._began + number * FRAME

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        if self.ends:
            raise CameraTimeout("The film is over.")
        number, at = self._next(after)
        self.shown.append(number)
        return Frame(self.film[number], at)

    def glance(self, after: float, *, timeout: float = PATIENCE) -> Glance | None:
        assert self.go.wait(20)
        self.glances += 1
        number, at = self._next(after)
        return Glance(small(self.film[number]), at)


def pressed(table: Table, film: FilmCamera, folder: Path, **shooting: float) -> Station:
    """Return a station whose button was pressed."""
    station = Station(table, film, ScriptedReader(), PhotoRing(folder), shooting=Shooting(**shooting))  # type: ignore[arg-type]
    assert station.press()
    return station


def test_a_press_when_dice_lie_takes_the_first_picture(table: Table, lying: list[Image], tmp_path: Path) -> None:
    film = FilmCamera(lying)
    station = pressed(table, film, tmp_path, rest_s=4.0)
    until(lambda: station.state == "proposal")
    station.close()
    assert film.shown == [1]
    assert film.glances == 2


def test_a_press_during_the_roll_waits_for_rest_and_says_so(
    table: Table, rolling: list[Image], lying: list[Image], tmp_path: Path
) -> None:
    film = FilmCamera([*rolling, *lying])
    film.go.clear()
    station = pressed(table, film, tmp_path, rest_s=4.0)
    told: list[str | None] = []
    station.subscribe(lambda: told.append((station.proposal or {}).get("notice")))
    film.go.set()
    until(lambda: station.state == "proposal")
    proposal = station.proposal
    station.close()
    assert WAITING in told
    assert film.shown == [1, len(film.film) - 1], "what was photographed first was not kept"
    assert proposal is not None
    assert proposal["notice"] is None
    assert not any("still moved" in one for one in proposal["warnings"])


def test_dice_that_never_rest_are_photographed_all_the_same_and_it_is_said(
    table: Table, rolling: list[Image], tmp_path: Path
) -> None:
    film = FilmCamera(rolling * 60)
    station = pressed(table, film, tmp_path, rest_s=0.5)
    until(lambda: station.state == "proposal")
    proposal = station.proposal
    station.close()
    assert proposal is not None
    assert proposal["state"] == "ready"
    assert any("still moved after 0.5 s" in one for one in proposal["warnings"])


def test_a_press_that_is_taken_back_while_dice_roll_takes_no_further_picture(
    table: Table, rolling: list[Image], tmp_path: Path
) -> None:
    film = FilmCamera(rolling * 60)
    film.go.clear()
    station = pressed(table, film, tmp_path, rest_s=30.0)
    until(lambda: film.shown)
    assert station.discard()
    film.go.set()
    station.close()
    assert film.shown == [1]
    assert station.state == "idle"


def test_the_reader_is_handed_more_frames_of_the_same_roll(table: Table, lying: list[Image], tmp_path: Path) -> None:
    film = FilmCamera(lying)
    station = pressed(table, film, tmp_path, frames=3)
    until(lambda: station.state == "proposal")
    reader = station._darkroom.reader
    station.close()
    assert isinstance(reader, ScriptedReader)
    assert [image.shape for image in reader.more["again"]] == [lying[0].shape] * 2
    assert film.shown == [1, 2, 3]


def test_a_frame_in_which_a_hand_has_come_in_is_left_out(lying: list[Image]) -> None:
    hand = lying[2].copy()
    hand[200:500, 300:420] = (140, 160, 200)
    film = FilmCamera([lying[0], lying[1], hand, lying[3]])
    first = film.capture(10.0)
    burst = Burst(film, first, 2, timeout=3.0)
    assert len(burst) == 1
    assert (burst[0] == lying[3]).all()


def test_a_camera_that_fails_after_the_first_frame_costs_only_the_others(lying: list[Image]) -> None:
    film = FilmCamera(lying)
    first = film.capture(10.0)
    film.ends = True
    assert list(Burst(film, first, 2, timeout=3.0)) == []


def test_frames_of_a_demo_are_taken_only_when_a_die_is_doubtful(lying: list[Image]) -> None:
    film = FilmCamera(lying)
    film.demo = True
    burst = Burst(film, film.capture(10.0), 2, timeout=3.0)
    assert film.shown == [1]
    assert len(burst) == len(burst[:]) == 2
    assert film.shown == [1, 2, 3]


def test_the_rendered_table_shows_the_same_roll_again() -> None:
    with RenderedCamera(lambda: Expectation({Shape.D6: 3}), seed=1) as camera:
        first = camera.capture(10.0)
        more = camera.follow(first, 2)
    assert len(more) == 2
    for frame in more:
        assert frame.image.shape == first.image.shape
        assert 0 < np.abs(frame.image.astype(int) - first.image).mean() < 8, "the same dice, another exposure"
        assert not changed(small(first.image), small(frame.image))
