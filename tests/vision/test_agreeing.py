"""How a camera stands, as the dice of one photograph agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.dice import Shape
from vision.agreeing import ENOUGH, Seats, agreed
from vision.geometry import CameraPose, seated

SIZE = (1280, 960)
SHAPES = (Shape.D6, Shape.D8, Shape.D10, Shape.D12, Shape.D20, Shape.D6, Shape.D8)


def camera_of(tilt: float, focal: float) -> CameraPose:
    angle = np.radians(tilt)
    return CameraPose((0.0, -float(np.sin(angle)), -float(np.cos(angle))), focal)


def seats_of(camera: CameraPose, shapes: Sequence[Shape] = SHAPES) -> Seats:
    """Return dice all over the picture, their up-faces where they lie by `camera`."""
    rng = np.random.default_rng(5)
    middles = rng.uniform((150, 150), (1130, 810), (len(shapes), 2))
    centres, inradii = [], []
    for shape, middle, lean in zip(shapes, middles, camera.leans(middles, SIZE), strict=True):
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        centre, face = (middle, turn) if shape is Shape.D4 else seated(middle, lean, shape, 20.0, turn, middle)
        centres.append(centre)
        inradii.append(float(np.sqrt(abs(np.linalg.det(face)))))
    return Seats(shapes, middles, np.array(centres), np.array(inradii))


def moved(seats: Seats, by: np.ndarray) -> Seats:
    return replace(seats, centres=seats.centres + by)


def off_by(found: CameraPose | None, camera: CameraPose, seats: Seats) -> float:
    """Return how far the leans of two cameras lie apart at the dice, at most."""
    assert found is not None
    return float(np.abs(found.leans(seats.middles, SIZE) - camera.leans(seats.middles, SIZE)).max())


@pytest.mark.parametrize("focal", [0.75, 1.4])
@pytest.mark.parametrize("tilt", [0, 20, 50])
def test_dice_tell_how_the_camera_stands(tilt: float, focal: float) -> None:
    camera = camera_of(tilt, focal)
    seats = seats_of(camera)
    assert off_by(agreed(seats, SIZE), camera, seats) < 0.08


def test_a_die_whose_neighbouring_face_was_taken_is_outvoted() -> None:
    camera = camera_of(35, 1.0)
    seats = seats_of(camera)
    by = np.zeros((len(SHAPES), 2))
    by[4] = 25.0, -10.0
    assert off_by(agreed(moved(seats, by), SIZE), camera, seats) < 0.08


def test_too_few_dice_tell_nothing() -> None:
    assert agreed(seats_of(camera_of(35, 1.0), SHAPES[: ENOUGH - 1]), SIZE) is None
    assert agreed(seats_of(camera_of(35, 1.0), []), SIZE) is None
    aside = seats_of(camera_of(35, 1.0), [Shape.D10] * 8 + [Shape.D4] * 8)
    assert agreed(aside, SIZE) is None


def test_dice_that_do_not_agree_tell_nothing() -> None:
    camera = camera_of(35, 1.0)
    rng = np.random.default_rng(7)
    seats = moved(seats_of(camera, [Shape.D6] * 8), rng.normal(0, 25, (8, 2)))
    assert agreed(seats, SIZE) is None
