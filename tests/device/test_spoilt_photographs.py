"""A photograph that is too dark or blurred is said to be; held against what the real reader makes of rendered dice."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from device.camera.sight import warnings
from engine.dice import Die, DieState
from vision.reader import Reader
from vision.reading import Reading
from vision.rendering import Scene, render_scene

COLOURS = ("red", "yellow", "green", "blue", "white", "black")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(threads=1)


def rolled(seed: int) -> Scene:
    dice = [Die(colour, at + 1) for at, colour in enumerate(COLOURS)]
    return render_scene(np.random.default_rng(seed), dice, width=960, height=720, calm=True, die_pixels=(50, 70))


@pytest.fixture(scope="module")
def scene() -> Scene:
    return rolled(2)


def sure(reading: Reading) -> int:
    return sum(die.state is DieState.READ for die in reading.dice)


def test_a_good_photograph_needs_no_word(reader: Reader, scene: Scene) -> None:
    reading = reader.read(scene.image)
    assert sure(reading) > 0
    assert warnings(scene.image, [die.box for die in reading.dice]) == ()


@pytest.mark.parametrize("sigma", [7, 9])
def test_a_blurred_photograph_is_told_where_reading_fails(reader: Reader, scene: Scene, sigma: int) -> None:
    image = np.asarray(cv2.GaussianBlur(scene.image, (0, 0), sigma), np.uint8)
    reading = reader.read(image)
    said = warnings(image, [die.box for die in reading.dice])
    truth = {(die.die.colour, die.die.value) for die in scene.dice}
    assert {(die.colour, die.value) for die in reading.dice if die.state is DieState.READ} <= truth
    assert sure(reading) <= (sigma == 7)
    assert [one.split(":")[0] for one in said] == ["Blurred"]
    assert "Wipe the lens." in said[0]


def test_a_dark_photograph_is_told_also_when_no_die_is_seen_in_it(reader: Reader, scene: Scene) -> None:
    for share in (0.25, 0.03):
        image = np.asarray(scene.image * share, np.uint8)
        said = warnings(image, [die.box for die in reader.read(image).dice])
        assert "Too dark: colours are mistaken. Switch on a lamp beside the camera" in said[-1]


def test_a_photograph_drowned_in_light_is_told(reader: Reader, scene: Scene) -> None:
    image = scene.image.copy()
    image[:, : image.shape[1] // 3] = 255
    said = warnings(image, [die.box for die in reader.read(image).dice])
    assert any("Too bright" in one for one in said)


def test_a_camera_that_hangs_upside_down_reads_as_well(reader: Reader) -> None:
    found, asked = {"upright": 0, "turned": 0}, 0
    for seed in (2, 3, 4, 5):
        scene = rolled(seed)
        truth = {(die.die.colour, die.die.value) for die in scene.dice}
        asked += len(truth)
        for way, image in (("upright", scene.image), ("turned", np.ascontiguousarray(scene.image[::-1, ::-1]))):
            dice = reader.read(image).dice
            found[way] += len(dice)
            assert {(die.colour, die.value) for die in dice if die.state is DieState.READ} <= truth
    assert abs(found["upright"] - found["turned"]) <= 1
    assert min(found.values()) >= 0.95 * asked
