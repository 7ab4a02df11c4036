"""What was read, as pictures: the overlay, the explanation of a die, and the bench's tables."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.dice import Die, DieState, Shape
from vision.bench import LabelledDie, judge, tables
from vision.confusion import as_lines, mistakes, reliability, tally
from vision.explaining import explain, write_document, write_explained, write_picture
from vision.overlay import INKS, draw_overlay
from vision.plots import draw_tables
from vision.reader import Reader
from vision.reading import Confidence, ReadDie, Reading
from vision.rendering import render_scene


def die(x: float, state: DieState = DieState.READ, value: int = 3, sure: float = 0.99, colour: str = "red") -> ReadDie:
    return ReadDie(Shape.D6, colour, value, state, (x, 80, 40, 40), Confidence(sure, sure, sure))


def inked(picture: np.ndarray, state: DieState) -> int:
    return int((np.abs(picture.astype(int) - INKS[state]).max(axis=2) <= 3).sum())


def drawn(*dice: ReadDie, width: int = 1200, height: int = 900) -> np.ndarray:
    return draw_overlay(np.full((height, width, 3), 127, np.uint8), Reading(width, height, dice))


def test_each_state_has_its_own_ink_and_its_own_form() -> None:
    pictures = {state: drawn(die(200, state)) for state in DieState}
    for state, picture in pictures.items():
        assert inked(picture, state) > 100
        assert all(inked(picture, other) == 0 for other in DieState if other is not state)
    grey = {state: picture.mean(axis=2) > 160 for state, picture in pictures.items()}
    assert (grey[DieState.READ] != grey[DieState.UNSURE]).sum() > 300
    assert (grey[DieState.UNSURE] != grey[DieState.COCKED]).sum() > 300


def test_the_photograph_is_not_drawn_on_and_a_small_one_is_enlarged() -> None:
    image = np.full((60, 90, 3), 127, np.uint8)
    picture = draw_overlay(image, Reading(90, 60, (die(20),)))
    assert (image == 127).all()
    assert picture.shape[1] == 1000


@pytest.mark.parametrize(("width", "height"), [(1, 1), (900, 7), (7, 900), (3000, 40)])
def test_a_picture_of_any_size_can_be_drawn_on(width: int, height: int) -> None:
    assert drawn(die(0), width=width, height=height).ndim == 3
    assert drawn(width=width, height=height).ndim == 3


def test_forty_dice_and_names_with_accents_can_be_drawn() -> None:
    assert drawn(*(die(30 * number, colour="âmbar") for number in range(40))).shape[0] > 900


def test_an_explanation_holds_pictures_and_the_three_likeliest_readings(tmp_path: Path) -> None:
    reader = Reader()
    rng = np.random.default_rng(3)
    scene = render_scene(
        rng, [Die("red", 2), Die("blue", 5)], width=640, height=480, calm=True, clutter=0, die_pixels=(50, 60)
    )
    reading = reader.read(scene.image)
    entry = write_explained(tmp_path, "roll", explain(scene.image, reading, reader.classifier))
    write_document(tmp_path, [{"photo": "roll.jpg", **entry}])
    (told,) = json.loads((tmp_path / "explain.json").read_text())["photos"]
    assert len(told["dice"]) == len(reading.dice) > 0
    for one, seen in zip(told["dice"], reading.dice, strict=True):
        assert (one["guesses"][0]["shape"], one["guesses"][0]["value"]) == (seen.shape.value, seen.value)
        chances = [guess["probability"] for guess in one["guesses"]]
        assert chances == sorted(chances, reverse=True)
        assert len(chances) == len(one["colours"]) == 3
        assert cv2.imread(str(tmp_path / one["crop"])).shape == (192, 192, 3)
        assert all(cv2.imread(str(tmp_path / patch["picture"])).shape == (40, 40, 3) for patch in one["patches"])
    assert cv2.imread(str(tmp_path / told["sheet"])).shape[0] == 224 * len(reading.dice)


def test_a_photograph_without_dice_has_no_sheet(tmp_path: Path) -> None:
    assert write_explained(tmp_path, "empty", []) == {"sheet": None, "dice": []}


def test_a_picture_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot be written"):
        write_picture(tmp_path / "picture.zzz", np.zeros((4, 4, 3), np.uint8))


def test_confusions_count_what_is_taken_for_what_and_the_missed_last() -> None:
    table = tally([("10", "9"), ("2", "2"), ("2", "missed"), ("2", "10"), ("10", "9")])
    assert list(table) == ["2", "10"]
    assert list(table["2"]) == ["2", "10", "missed"]
    assert mistakes(table) == [("10", "9", 2), ("2", "10", 1)]


def test_reliability_holds_confidence_against_truth() -> None:
    judged = [(die(0, sure=0.96), {"value": True}), (die(0, sure=0.97), {"value": False}), (die(0, sure=1.0), {})]
    bins = reliability(judged)
    assert bins["value"] == [{"from": 0.95, "to": 0.98, "dice": 2, "confidence": 0.965, "right": 0.5}]
    assert bins["colour"] == []


def test_the_tables_are_said_in_words_and_drawn(tmp_path: Path) -> None:
    labels = [LabelledDie((0, 80, 40, 40), "d6", 3, ("maroon", "red")), LabelledDie((200, 80, 40, 40), "d8", 7, ())]
    figures = tables([judge("a", labels, [die(0, value=5)], None)])
    assert figures["confusion"]["value"] == {"d6": {"3": {"5": 1}}, "d8": {"7": {"missed": 1}}}
    assert figures["confusion"]["colour"] == {"maroon": {"maroon": 1}}
    said = "\n".join(as_lines(figures["confusion"], figures["reliability"]))
    assert "3 taken for 5: 1 of 1" in said
    names = {path.name for path in draw_tables(tmp_path / "new", figures)}
    assert names == {
        "confusion-shape.png", "confusion-colour.png", "confusion-value-d6.png", "confusion-value-d8.png",
        "reliability.png",
    }  # fmt: skip
    assert all(cv2.imread(str(tmp_path / "new" / name)) is not None for name in names)


def test_nothing_measured_draws_nothing(tmp_path: Path) -> None:
    assert draw_tables(tmp_path, tables([])) == []
