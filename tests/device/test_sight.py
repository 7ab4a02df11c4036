"""What a camera check says of real pictures: rendered rolls, blurred, darkened, burnt out, reduced."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from device.camera.base import Image
from device.camera.choice import LYING
from device.camera.sight import Verdict, judged
from vision.reader import Reader
from vision.reading import Box
from vision.rendering import RolledTable


@pytest.fixture(scope="module")
def roll() -> tuple[Image, list[Box]]:
    """A photograph of three dice, and where the reader finds them."""
    table = RolledTable(np.random.default_rng(3))
    table.roll(LYING)
    image = table.scene().image
    return image, [die.box for die in Reader().read(image).dice]


def verdicts(image: Image, boxes: list[Box]) -> dict[str, Verdict]:
    return {seen.key: seen.verdict for seen in judged(image, boxes)}


def test_a_good_picture_is_good_in_every_way(roll: tuple[Image, list[Box]]) -> None:
    image, boxes = roll
    assert len(boxes) == 3, "all of the roll"
    assert set(verdicts(image, boxes).values()) == {Verdict.GOOD}
    assert not any(seen.advice for seen in judged(image, boxes)), "nothing needs doing"


def test_the_more_it_is_blurred_the_worse_is_the_focus(roll: tuple[Image, list[Box]]) -> None:
    image, boxes = roll
    side = float(np.median([max(box[2:]) for box in boxes]))
    focus = [
        verdicts(image if not share else cv2.GaussianBlur(image, (0, 0), share * side), boxes)["focus"]
        for share in (0, 0.01, 0.04, 0.1)
    ]
    assert focus == [Verdict.GOOD, Verdict.GOOD, Verdict.DOUBT, Verdict.BAD]


def test_too_dark_and_too_bright_are_told_apart(roll: tuple[Image, list[Box]]) -> None:
    image, boxes = roll
    darkened = [verdicts((image * share).astype(np.uint8), boxes)["light"] for share in (0.9, 0.5, 0.3)]
    assert darkened == [Verdict.GOOD, Verdict.DOUBT, Verdict.BAD]
    assert verdicts((image * 0.2).astype(np.uint8), [])["light"] is Verdict.BAD, "that may be why no die is seen"
    glared = image.copy()
    glared[: image.shape[0] // 6] = 255
    assert verdicts(glared, boxes)["light"] is Verdict.DOUBT
    glared[: image.shape[0] // 2] = 255
    assert verdicts(glared, boxes)["light"] is Verdict.BAD


@pytest.mark.parametrize(("side", "verdict"), [(80, "good"), (35, "doubt"), (20, "bad"), (400, "doubt")])
def test_dice_can_be_too_small_and_too_large(side: float, verdict: str) -> None:
    image = np.full((960, 1280, 3), 120, np.uint8)
    assert verdicts(image, [(100.0, 100.0, side, side)])["size"] == verdict


def test_in_a_large_photograph_a_die_must_be_larger(roll: tuple[Image, list[Box]]) -> None:
    large = np.full((2160, 3840, 3), 120, np.uint8)
    assert verdicts(large, [(100.0, 100.0, 80.0, 80.0)])["size"] is Verdict.BAD


def test_without_a_die_it_says_to_lay_some_there(roll: tuple[Image, list[Box]]) -> None:
    said = {seen.key: seen for seen in judged(roll[0], [])}
    assert {seen.verdict for seen in said.values()} == {Verdict.UNKNOWN}
    assert "Lay three dice" in said["focus"].advice
