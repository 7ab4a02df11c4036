"""A roll keeps how it came in, and its photograph goes when it is to be forgotten."""

from __future__ import annotations

import json
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera.choice import camera_for
from device.config import CameraConfig
from device.photos import PhotoRing
from device.station import Station
from engine.table import Table
from tests.device.conftest import CARNAVALESCO_DICE, ScriptedCamera
from tests.waiting import until


@pytest.mark.parametrize("demo", [False, True])
def test_a_photographed_roll_says_whether_its_dice_were_thrown(
    station: Station, table: Table, camera: ScriptedCamera, demo: bool
) -> None:
    camera.demo = demo
    assert station.press(time.monotonic())
    until(lambda: station.state == "proposal")
    station.confirm()
    (roll,) = table.rolls()
    assert (roll.source, roll.seat, roll.pictured) == ("demo" if demo else "camera", 0, True)
    assert Table(table.journal).rolls() == [roll]


def test_a_phones_photograph_and_a_typed_roll_say_so(station: Station, table: Table, camera: ScriptedCamera) -> None:
    camera.demo = True
    done, coded = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))
    assert done
    station.photo(coded.tobytes())
    until(lambda: station.state == "proposal")
    station.confirm()
    table.undo()
    station.by_hand()
    for index, die in enumerate(CARNAVALESCO_DICE):
        station.edit(index, colour=die.colour, value=die.value)
    station.confirm()
    assert [(roll.source, roll.undone, roll.again) for roll in table.rolls()] == [
        ("phone", True, True),
        ("hand", False, False),
    ]


@pytest.mark.parametrize("backend", ["rendered", "folder", "usb", "picamera", "none"])
def test_only_cameras_that_show_other_pictures_are_for_the_demo(backend: str) -> None:
    assert camera_for(CameraConfig(backend=backend), lambda: None).demo == (backend in ("rendered", "folder"))


def test_photographs_are_forgotten_with_their_dice(tmp_path: Path) -> None:
    ring = PhotoRing(tmp_path)
    image = np.full((240, 320, 3), 90, np.uint8)
    first, second = ring.keep(image), ring.keep(image)
    ring.keep_dice(first, image, [(10.0, 10.0, 40.0, 40.0)])
    ring.link(first, 7, {})
    ring.link(second, 9, {})
    ring.forget([7, 8])
    assert (ring.of_turn(7), ring.of_turn(9)) == (None, f"{second}.jpg")
    assert {path.stem.split("-")[0] for path in tmp_path.iterdir()} == {second.split("-")[0]}
    assert PhotoRing(tmp_path).of_turn(7) is None
    assert json.loads((tmp_path / f"{second}.json").read_text())["turn"] == 9
