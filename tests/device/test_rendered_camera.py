"""The demo's camera shows the dice that the game waits for, and a new roll at every capture."""

import time
from collections import Counter

import numpy as np
import pytest

from device.camera.base import Camera, CameraError
from device.camera.rendered import RenderedCamera
from engine.dice import Shape
from engine.game import Expectation
from vision.rendering import rolled

TWELVE = Expectation({Shape.D6: 12}, {"red": 2, "blue": 9, "green": 25})


def test_it_is_a_camera_and_its_frame_is_exposed_after_the_press():
    camera = RenderedCamera(lambda: TWELVE, seed=1)
    assert isinstance(camera, Camera)
    with camera:
        pressed = time.monotonic()
        frame = camera.capture(pressed)
    assert frame.exposed_at > pressed
    assert frame.image.shape == (960, 1280, 3)
    assert frame.image.dtype == np.uint8


def test_every_capture_shows_another_roll():
    with RenderedCamera(lambda: TWELVE, seed=1) as camera:
        one, two = (camera.capture(time.monotonic()).image for _ in range(2))
    assert np.abs(one.astype(int) - two).max() > 100


def test_when_no_roll_is_awaited_the_last_one_still_lies_there():
    awaited = [TWELVE, None]
    with RenderedCamera(lambda: awaited.pop(0), seed=1) as camera:
        one, two = (camera.capture(time.monotonic()).image for _ in range(2))
    assert (one == two).all()


def test_before_the_first_roll_the_table_is_empty():
    with RenderedCamera(lambda: None, seed=1) as camera:
        image = camera.capture(time.monotonic()).image
    blocks = image[:960, :1280].reshape(12, 80, 16, 80, 3).mean(axis=(1, 3, 4))
    assert np.ptp(blocks) < 70  # light falls off, but nothing lies there


def test_the_same_seed_shows_the_same_rolls():
    images = []
    for _ in range(2):
        with RenderedCamera(lambda: TWELVE, seed=4) as camera:
            images.append(camera.capture(time.monotonic()).image)
    assert (images[0] == images[1]).all()


def test_a_camera_that_was_not_opened_says_so():
    with pytest.raises(CameraError):
        RenderedCamera(lambda: TWELVE).capture(time.monotonic())


def test_closing_twice_is_safe():
    camera = RenderedCamera(lambda: TWELVE)
    camera.open()
    camera.close()
    camera.close()


def test_a_roll_keeps_within_the_colours_of_the_bag():
    rng = np.random.default_rng(3)
    for _ in range(50):
        dice = rolled(rng, TWELVE)
        assert len(dice) == 12
        assert all(die.shape is Shape.D6 for die in dice)
        counts = Counter(die.colour for die in dice)
        assert set(counts) <= {"red", "blue", "green"}
        assert counts["red"] <= 2
        assert counts["blue"] <= 9


def test_a_roll_of_mixed_shapes_has_each_shape_as_often_as_asked():
    wanted = {Shape.D4: 1, Shape.D20: 2, Shape.D6: 3}
    dice = rolled(np.random.default_rng(3), Expectation(wanted))
    assert Counter(die.shape for die in dice) == wanted


def test_a_bag_with_too_few_dice_gives_all_it_has():
    assert len(rolled(np.random.default_rng(3), Expectation({Shape.D6: 8}, {"red": 3}))) == 3
