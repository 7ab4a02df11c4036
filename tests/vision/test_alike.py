"""Dice of one colour look alike: a doubtful one is settled by its like, and nobody else."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dice import Die, DieState, Shape
from engine.game import Expectation
from vision.alike import alike, looks_of
from vision.colour import crops_of, looks
from vision.detect import Found
from vision.reading import Confidence, Reading
from vision.rendering import render_scene
from vision.resolve import resolve
from vision.seen import MOST_FACES, SHAPES, Needs, SeenDie

BLUE, DARK_BLUE, BLACK = (np.array(look, float) for look in ((30, 5, -45), (28, 6, -42), (8, 0, 0)))


def chances(blue: float) -> dict[str, float]:
    return {"blue": blue, "black": 1 - blue}


def test_a_doubtful_die_beside_sure_ones_of_its_look_becomes_sure() -> None:
    settled = alike([BLUE, BLUE, DARK_BLUE, BLUE], [chances(0.995)] * 3 + [chances(0.6)])
    assert settled[3]["blue"] > 0.985


def test_a_die_of_another_look_gains_nothing_from_them() -> None:
    settled = alike([BLUE, BLUE, BLUE, BLACK], [chances(0.995)] * 3 + [chances(0.6)])
    assert settled[3]["blue"] < 0.6


def test_two_that_hardly_know_do_not_talk_each_other_into_being_sure() -> None:
    settled = alike([BLUE, BLUE], [chances(0.8)] * 2)
    assert 0.8 <= settled[0]["blue"] < 0.9


def test_dice_of_one_look_that_contradict_each_other_stay_as_they_are() -> None:
    settled = alike([BLUE, DARK_BLUE], [chances(0.99), chances(0.02)])
    assert settled[0]["blue"] == pytest.approx(0.99, abs=1e-3)
    assert settled[1]["blue"] == pytest.approx(0.02, abs=1e-3)


def test_dice_without_a_picture_stay_as_they_are() -> None:
    assert alike([None, BLUE, None], [chances(0.7)] * 3) == [chances(0.7)] * 3
    assert alike([], []) == []


def test_chances_stay_chances() -> None:
    rng = np.random.default_rng(1)
    names = ("red", "blue", "green", "black")
    spreads = [dict(zip(names, map(float, rng.dirichlet([0.3] * 4)), strict=True)) for _ in range(36)]
    for spread in alike([rng.uniform(-40, 60, 3) for _ in range(36)], spreads):
        assert sum(spread.values()) == pytest.approx(1)
        assert all(0 <= chance <= 1 for chance in spread.values())


def test_the_look_of_a_die_is_its_bodys_not_its_pips() -> None:
    crop = np.full((32, 32, 3), (200, 40, 20), np.uint8)
    plain = looks_of(crop[None], 0.8)[0]
    crop[12:16, 12:16] = crop[18:22, 18:22] = 255
    assert np.linalg.norm(looks_of(crop[None], 0.8)[0] - plain) < 1


def test_rendered_dice_of_one_colour_look_alike_and_others_do_not() -> None:
    rng = np.random.default_rng(4)
    dice = [Die(colour, 1 + number) for number in range(3) for colour in ("red", "blue")]
    scene = render_scene(rng, dice, width=640, height=480, calm=True, clutter=0, die_pixels=(44, 60))
    seen = looks(crops_of(scene.image, [Found(die.box, 1.0) for die in scene.dice]))
    red = [look for look, die in zip(seen, scene.dice, strict=True) if die.die.colour == "red"]
    blue = [look for look, die in zip(seen, scene.dice, strict=True) if die.die.colour == "blue"]
    assert all(np.linalg.norm(one - other) > 30 for one in red for other in blue)


def test_the_roll_is_resolved_with_the_looks_of_its_dice() -> None:
    def die(blue: float, look: np.ndarray) -> SeenDie:
        values = np.zeros((6, MOST_FACES))
        values[:, 2] = 1.0
        shapes = np.array([float(shape is Shape.D6) for shape in SHAPES])
        return SeenDie(
            Shape.D6, "blue", 3, DieState.READ, (0, 0, 9, 9), Confidence(1, blue, 1),
            1.0, 0.0, shapes, values, chances(blue), Needs(0.9, 0.9, 0.98), look=look,
        )  # fmt: skip

    roll = Reading(64, 48, (*(die(0.995, BLUE) for _ in range(3)), die(0.6, DARK_BLUE)))
    result = resolve(roll, Expectation({Shape.D6: 4}, {"blue": 9, "black": 9}))
    assert [one.state for one in result.dice] == [DieState.READ] * 4
    assert result.notes == ()
