"""The detector: how pictures are reduced for it, and which sizes of dice it finds."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from engine.dice import Die
from vision.classify import Classifier
from vision.detect import PLAIN, WORTH_A_LOOK, Detector, Found, reduced
from vision.rendering import render_scene
from vision.training import pictures
from vision.verify import Verifier, beside


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(verify=Verifier(Classifier()).weigh)


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


def test_what_is_printed_or_woven_is_no_die_at_a_second_look_and_dice_stay_dice(detector: Detector) -> None:
    alone, level = Detector(), detector.threshold
    tables = [pictures.ground(np.random.default_rng([9, seed]), 480) for seed in range(40)]
    falser = sum(len(alone.find(table, threshold=level)) for table in tables)
    assert falser >= 20
    assert sum(len(detector.find(table)) for table in tables) <= falser / 2
    scenes = [
        render_scene(np.random.default_rng([9, seed]), [Die("white", 3), Die("red", 6), Die("blue", 1)], clutter=0)
        for seed in range(12)
    ]
    hit = [sum(_is_seen(die.box, one.find(scene.image, threshold=level)) for scene in scenes for die in scene.dice)
           for one in (alone, detector)]  # fmt: skip
    assert hit[0] >= 30
    assert hit[1] >= hit[0] - 1


def _is_seen(box: tuple[float, float, float, float], found: Sequence[Found]) -> bool:
    x, y, w, h = box
    return any(abs(one.centre[0] - x - w / 2) < 0.3 * w and abs(one.centre[1] - y - h / 2) < 0.3 * h for one in found)


def test_only_doubtful_finds_are_asked_about_and_the_second_opinion_moves_their_score() -> None:
    scene = render_scene(np.random.default_rng(6), [Die("blue", 2)] * 6, width=640, height=480)
    alone = {die.box: die.score for die in Detector().find(scene.image, threshold=0.06)}
    asked: list[Found] = []

    def never(image: np.ndarray, found: Sequence[Found], plain: Sequence[Found]) -> list[Found]:
        assert image is scene.image
        assert all(die.score >= PLAIN for die in plain)
        asked.extend(found)
        return [Found(die.box, 0.0) for die in found]

    left = Detector(verify=never).find(scene.image, threshold=0.06)
    doubtful = {box for box, score in alone.items() if WORTH_A_LOOK <= score < PLAIN}
    assert {die.box for die in asked} >= doubtful != set()
    assert all(WORTH_A_LOOK <= die.score < PLAIN for die in asked)
    assert {die.box: die.score for die in left} == {box: alone[box] for box in alone.keys() - doubtful}


def test_a_find_is_measured_by_the_plain_dice_beside_it_where_there_are_two() -> None:
    found = [Found((0, 0, side, 10), 0.4) for side in (20, 40, 10, 400)]
    plain = [Found((0, 0, side, side), 0.97) for side in (36, 40, 90)]
    assert beside(found, plain).tolist() == [-1, 0, -2, 2]
    assert beside(found, plain[:1]).tolist() == [0] * 4


def test_what_is_far_too_small_beside_three_dice_is_none_unless_it_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    detector, picture = Detector(), np.zeros((400, 576, 3), np.uint8)
    dice = [Found((100.0 * n, 50, 40, 40), 0.9) for n in range(3)]
    small, plain, fair = (
        Found((x, 300, side, side), score) for x, side, score in ((30, 16, 0.7), (90, 16, 0.97), (300, 19, 0.5))
    )
    seen = [plain, *dice, small, fair]
    monkeypatch.setattr(detector, "_suppose", lambda *_: seen)
    assert detector.find(picture, threshold=0.1) == [plain, *dice, fair]
    del seen[1:3]
    assert small in detector.find(picture, threshold=0.1)


def test_fainter_finds_are_given_to_who_asks_for_them(detector: Detector) -> None:
    scene = render_scene(np.random.default_rng(6), [Die("blue", 2)] * 6, width=640, height=480)
    plain, all_ = detector.find(scene.image), detector.find(scene.image, threshold=0.05)
    assert len(all_) >= len(plain)
    assert all(die.score >= 0.05 for die in all_)
    assert [die.score for die in all_] == sorted((die.score for die in all_), reverse=True)
