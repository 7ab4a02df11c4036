"""The bench's arithmetic, on a hand-made folder whose every figure can be told in one's head."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.dice import DieState, Shape
from vision.bench import BenchError, LabelledDie, bench, match, read_labels
from vision.reading import Confidence, ReadDie, Reading

HEAD = "image,x,y,w,h,shape,value,colour,colour_also,note\n"


def seen(
    x: float, y: float, *, shape: str = "d6", value: int = 1, colour: str = "red", state: str = "read", side: float = 20
) -> ReadDie:
    """Return a die read with its centre at `x`, `y`."""
    box = (x - side / 2, y - side / 2, side, side)
    return ReadDie(Shape(shape), colour, value, DieState(state), box, Confidence(1, 1, 1))


class Script:
    """Reads each picture as it was told to; the picture's first blue pixel says which."""

    def __init__(self, *dice: list[ReadDie]) -> None:
        self.dice = dice

    def read(self, image: np.ndarray) -> Reading:
        number = int(image[0, 0, 0])
        return Reading(image.shape[1], image.shape[0], tuple(self.dice[number]), (), {"total": 10.0 + number})


def folder_of(tmp_path: Path, rows: str, photos: int) -> Path:
    (tmp_path / "images").mkdir()
    for number in range(photos):
        image = np.full((200, 200, 3), number, np.uint8)
        cv2.imwrite(str(tmp_path / "images" / f"p{number}.png"), image)
    (tmp_path / "labels.csv").write_text(HEAD + rows)
    return tmp_path


def test_a_folder_read_without_a_fault_is_right_in_every_figure(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "p0.png,10,10,20,20,d6,4,red,,\np0.png,100,100,20,20,d8,7,blue,,\n", 1)
    result = bench(folder, reader=Script([seen(20, 20, value=4), seen(110, 110, shape="d8", value=7, colour="blue")]))
    assert result == {
        "photos": 1,
        "dice": 2,
        "found": 1.0,
        "extra_per_photo": 0.0,
        "shape_right": 1.0,
        "value_right": 1.0,
        "colour_right": 1.0,
        "sure": 1.0,
        "wrong_but_sure": 0.0,
        "photo_exact": 1.0,
        "milliseconds_per_photo": {"median": 10.0, "p95": 10.0},
        "threads": 1,
        "confusion": {
            "shape": {"d6": {"d6": 1}, "d8": {"d8": 1}},
            "value": {"d6": {"4": {"4": 1}}, "d8": {"7": {"7": 1}}},
            "colour": {"blue": {"blue": 1}, "red": {"red": 1}},
        },
        "reliability": {
            field: [{"from": 0.99, "to": 1.0, "dice": 2, "confidence": 1.0, "right": 1.0}]
            for field in ("shape", "value", "colour")
        },
    }


def test_a_missed_die_counts_as_wrong_in_each_field_it_carries(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "p0.png,10,10,20,20,d6,4,red,,\np0.png,100,100,20,20,d6,2,,,\n", 1)
    result = bench(folder, reader=Script([seen(20, 20, value=4)]))
    assert (result["found"], result["shape_right"], result["value_right"]) == (0.5, 0.5, 0.5)
    assert result["colour_right"] == 1.0
    assert (result["sure"], result["photo_exact"]) == (1.0, 0.0)


def test_a_die_too_many_spoils_the_photograph_and_nothing_else(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "p0.png,10,10,20,20,d6,4,,,\n", 1)
    result = bench(folder, reader=Script([seen(20, 20, value=4), seen(150, 150)]))
    assert (result["extra_per_photo"], result["photo_exact"], result["value_right"]) == (1.0, 0.0, 1.0)
    assert result["wrong_but_sure"] == 0.0


def test_wrong_but_sure_is_a_share_of_all_labelled_dice_and_forgives_colours(tmp_path: Path) -> None:
    rows = "".join(f"p0.png,{40 * i},10,20,20,d6,3,green,,\n" for i in range(4))
    dice = [
        seen(10, 20, value=5),
        seen(50, 20, value=5, state="unsure"),
        seen(90, 20, value=3, colour="blue"),
        seen(130, 20, value=3, shape="d8", colour="green"),
    ]
    result = bench(folder_of(tmp_path, rows, 1), reader=Script(dice))
    assert result["wrong_but_sure"] == 0.5
    assert result["sure"] == 0.75
    assert result["colour_right"] == 0.25


def test_a_colour_is_right_by_any_name_a_fair_judge_accepts(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "p0.png,10,10,20,20,d6,4,maroon,red|brown,\n", 1)
    assert bench(folder, reader=Script([seen(20, 20, value=4, colour="brown")]))["photo_exact"] == 1.0


def test_a_blank_field_is_not_judged(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "p0.png,10,10,20,20,d6,,,,logo face\n", 1)
    result = bench(folder, reader=Script([seen(20, 20, value=4)]))
    assert (result["value_right"], result["colour_right"], result["photo_exact"]) == (None, None, 1.0)


def test_dice_without_a_box_count_for_photo_exact_alone_by_their_values(tmp_path: Path) -> None:
    rows = "p0.png,,,,,d6,4,,,\np0.png,,,,,d6,2,,,\np1.png,,,,,d6,4,,,\np1.png,,,,,d6,2,,,\n"
    dice = [seen(20, 20, value=2), seen(90, 90, value=4)], [seen(20, 20, value=2), seen(90, 90, value=2)]
    result = bench(folder_of(tmp_path, rows, 2), reader=Script(*dice))
    assert result["photo_exact"] == 0.5
    assert (result["dice"], result["found"], result["extra_per_photo"]) == (0, None, 0.0)


def test_a_photograph_without_dice_is_right_when_none_is_seen(tmp_path: Path) -> None:
    result = bench(
        folder_of(tmp_path, "p0.png,,,,,,,,,empty\np1.png,,,,,,,,,empty\n", 2), reader=Script([], [seen(9, 9)])
    )
    assert (result["photos"], result["dice"], result["photo_exact"], result["extra_per_photo"]) == (2, 0, 0.5, 0.5)


def test_a_photograph_that_cannot_be_opened_is_read_as_empty(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "p0.png,10,10,20,20,d6,4,,,\ngone.png,10,10,20,20,d6,4,,,\n", 1)
    said: list[str] = []
    result = bench(folder, reader=Script([seen(20, 20, value=4)]), unread=said.append)
    assert (result["photos"], result["found"], result["photo_exact"]) == (2, 0.5, 0.5)
    assert len(said) == 1
    assert "gone.png" in said[0]


def test_a_photograph_without_dice_that_is_not_there_is_not_read_rightly(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "p0.png,,,,,,,,,\ngone.png,,,,,,,,,\n", 1)
    assert bench(folder, reader=Script([]))["photo_exact"] == 0.5


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("p0.png,10,10,20\n", "as many fields"),
        ("p0.png,10,10,20,,d6,4,,,\n", "all of x, y, w and h"),
        ("p0.png,nan,10,20,20,d6,4,,,\n", "made of numbers"),
        ("p0.png,10,10,20,20,d7,4,,,\n", "d7"),
        ("p0.png,10,10,20,20,d6,9,,,\n", "does not show 9"),
        (",10,10,20,20,d6,4,,,\n", "names no photograph"),
        ("", "names no photographs"),
        ("gone.png,10,10,20,20,d6,4,,,\n", "None of the photographs"),
        (f"p0.png,10,10,20,20,d6,4,,,{'x' * 200_000}\n", "field"),
    ],
)
def test_labels_that_cannot_be_understood_are_said(tmp_path: Path, rows: str, words: str) -> None:
    with pytest.raises(BenchError, match=words):
        bench(folder_of(tmp_path, rows, 1), reader=Script([]))


def test_speed_is_the_median_and_the_slow_tail(tmp_path: Path) -> None:
    rows = "".join(f"p{i}.png,10,10,20,20,d6,1,,,\n" for i in range(5))
    result = bench(folder_of(tmp_path, rows, 5), reader=Script(*[[seen(20, 20)] for _ in range(5)]), threads=2)
    assert result["milliseconds_per_photo"] == {"median": 12.0, "p95": 13.8}
    assert result["threads"] == 2


def test_dice_and_labels_pair_off_nearest_first_and_one_to_one() -> None:
    labels = [LabelledDie((0, 0, 20, 20), "d6", 1, ()), LabelledDie((12, 0, 20, 20), "d6", 1, ())]
    # The first die is nearer to the second label, though it lies in both boxes; the second die lies in both too.
    assert match(labels, [seen(17, 10), seen(13, 10)]) == {1: 0, 0: 1}


@pytest.mark.parametrize(("x", "hit"), [(20.9, True), (21.1, False), (-0.9, True), (-1.1, False)])
def test_a_die_matches_when_its_centre_lies_in_the_box_grown_by_a_tenth(x: float, hit: bool) -> None:
    assert bool(match([LabelledDie((0, 0, 20, 20), "d6", 1, ())], [seen(x, 10)])) is hit


def test_a_folder_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"labels\.csv"):
        bench(tmp_path, reader=Script())


@pytest.mark.parametrize("text", ["image,x\n", HEAD + "p0.png,10,10,20,20,d6,four,,,\n"])
def test_labels_that_cannot_be_understood_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "labels.csv").write_text(text)
    with pytest.raises(BenchError, match=r"labels\.csv"):
        read_labels(tmp_path / "labels.csv")
