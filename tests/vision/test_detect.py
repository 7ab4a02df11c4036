"""The detector: how pictures are reduced for it, and which sizes of dice it finds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.dice import Die
from vision.detect import Detector, reduced
from vision.rendering import render_scene


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector()


@pytest.mark.parametrize(
    ("size", "becomes"),
    [
        ((960, 1280), (432, 576)),
        ((3042, 4057), (432, 576)),
        ((720, 405), (576, 324)),
        ((400, 576), (400, 576)),
        ((30, 20), (30, 20)),
        ((4000, 3), (576, 1)),
    ],
)
def test_a_picture_is_reduced_to_the_longest_side_and_never_enlarged(
    size: tuple[int, int], becomes: tuple[int, int]
) -> None:
    assert reduced(np.zeros((*size, 3), np.uint8), 576).shape == (*becomes, 3)


def test_what_lies_in_a_picture_stays_in_its_place_when_it_is_reduced() -> None:
    image = np.zeros((1501, 2003, 3), np.uint8)
    cv2.circle(image, (1600, 300), 60, (255, 255, 255), -1)
    small = reduced(image, 576)
    rows, columns = np.nonzero(small[..., 0] > 127)
    assert columns.mean() * 2003 / 576 == pytest.approx(1600, abs=4)
    assert rows.mean() * 1501 / small.shape[0] == pytest.approx(300, abs=4)


@pytest.mark.parametrize("side", [22, 40, 90, 180, 330])
def test_a_die_is_found_once_whatever_its_size(detector: Detector, side: int) -> None:
    found = 0
    for seed in range(4):
        scene = render_scene(
            np.random.default_rng(seed), [Die("red", 5)], width=576, height=432, calm=True, clutter=0,
            die_pixels=(side, side),
        )  # fmt: skip
        x, y, w, h = scene.dice[0].box
        seen = detector.find(scene.image)
        assert len(seen) <= 1
        for one in seen:
            assert one.centre == pytest.approx((x + w / 2, y + h / 2), abs=0.15 * max(w, h))
            assert one.side == pytest.approx(max(w, h), rel=0.25)
            assert 0 < one.score <= 1
        found += len(seen)
    assert found >= 3


def test_fainter_finds_are_given_to_who_asks_for_them(detector: Detector) -> None:
    scene = render_scene(np.random.default_rng(6), [Die("blue", 2)] * 6, width=640, height=480)
    plain, all_ = detector.find(scene.image), detector.find(scene.image, threshold=0.05)
    assert len(all_) >= len(plain)
    assert all(die.score >= 0.05 for die in all_)
    assert [die.score for die in all_] == sorted((die.score for die in all_), reverse=True)
