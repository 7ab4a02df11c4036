"""The shipped reader from end to end, on rendered photographs whose truth is known."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.dice import COLOURS, Die, DieState, Shape
from engine.game import Expectation
from vision.bench import bench
from vision.classify import ANGLES, ANGLES_ALL_ROUND, BLIND, Face, Sight, all_round, fused, grown, likely_angles
from vision.reader import Reader, load_photo
from vision.rendering import RolledTable, Scene, render_scene

SIX = ("white", "red", "yellow", "green", "blue", "black")


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(threads=1)


def roll(seed: int, count: int = 12, **options: object) -> Scene:
    """Return a rendered roll of `count` six-sided dice with pips in six colours, on a table set up with care."""
    rng = np.random.default_rng(seed)
    dice = [Die(SIX[n % 6], int(rng.integers(1, 7))) for n in range(count)]
    return render_scene(rng, dice, width=960, height=720, calm=True, clutter=0, **{"die_pixels": (44, 60), **options})


@pytest.fixture(scope="module")
def rolls() -> list[Scene]:
    return [roll(seed) for seed in range(1, 6)]


def test_a_rendered_roll_is_read_as_the_game_expects_it(reader: Reader, rolls: list[Scene]) -> None:
    expected = Expectation({Shape.D6: 12}, dict.fromkeys(SIX, 25))
    right = total = 0
    for scene in rolls:
        reading = reader.read(scene.image, expects=expected)
        left = [die.die for die in scene.dice]
        total += len(left)
        for die in reading.dice:
            if die.die in left:
                left.remove(die.die)
                right += 1
    assert right >= 0.95 * total


def test_a_reading_is_whole_and_in_its_contract(reader: Reader, rolls: list[Scene]) -> None:
    reading = reader.read(rolls[0].image)
    assert (reading.width, reading.height) == (960, 720)
    assert set(reading.milliseconds) == {"load", "detect", "read", "total"}
    assert reading.milliseconds["total"] >= reading.milliseconds["detect"] > 0
    for die in reading.dice:
        x, y, w, h = die.box
        assert x >= 0
        assert y >= 0
        assert w > 0
        assert h > 0
        assert x + w <= 960.5
        assert y + h <= 720.5
        assert 1 <= die.value <= die.shape.faces
        for chance in (die.confidence.shape, die.confidence.colour, die.confidence.value):
            assert 0 <= chance <= 1
    lefts = [die.box[0] + die.box[2] / 2 for die in reading.dice]
    assert lefts == sorted(lefts)
    json.dumps(reading.as_json())


def test_the_same_picture_is_read_the_same_twice(reader: Reader, rolls: list[Scene]) -> None:
    first, second = reader.read(rolls[1].image), reader.read(rolls[1].image)
    assert [die.as_json() for die in first.dice] == [die.as_json() for die in second.dice]


def test_an_empty_table_has_no_dice_and_says_so(reader: Reader) -> None:
    scene = render_scene(np.random.default_rng(3), [], width=640, height=480, calm=True, clutter=0)
    reading = reader.read(scene.image)
    assert reading.dice == ()
    assert "No dice" in reading.notes[0]


@pytest.mark.parametrize(("width", "height"), [(1, 1), (7, 900), (33, 31), (2000, 40)])
def test_a_picture_of_any_size_is_read(reader: Reader, width: int, height: int) -> None:
    reading = reader.read(np.full((height, width, 3), 127, np.uint8))
    assert (reading.width, reading.height) == (width, height)


@pytest.mark.parametrize("image", [np.zeros((9, 9), np.uint8), np.zeros((9, 9, 3), np.float32)])
def test_what_is_no_colour_picture_is_refused(reader: Reader, image: np.ndarray) -> None:
    with pytest.raises(ValueError, match="height x width x 3"):
        reader.read(image)


def test_a_missing_die_is_told_to_the_table(reader: Reader) -> None:
    scene = roll(8, 11)
    reading = reader.read(scene.image, expects=Expectation({Shape.D6: 12}, dict.fromkeys(SIX, 25)))
    assert 9 <= len(reading.dice) <= 11
    assert any(note.startswith(f"{len(reading.dice)} of 12 dice seen") for note in reading.notes)


def test_shipped_colours_include_every_name_the_rooms_share(reader: Reader) -> None:
    assert set(COLOURS) <= set(reader.namer.names)


def test_the_bench_measures_the_shipped_reader(reader: Reader, rolls: list[Scene], tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    with (tmp_path / "labels.csv").open("w", newline="") as lines:
        rows = csv.writer(lines)
        rows.writerow(["image", "x", "y", "w", "h", "shape", "value", "colour"])
        for number, scene in enumerate(rolls[:3]):
            cv2.imwrite(str(tmp_path / "images" / f"{number}.png"), scene.image)
            for die in scene.dice:
                rows.writerow([f"{number}.png", *die.box, die.die.shape, die.die.value, die.die.colour])
    result = bench(tmp_path)
    assert (result["photos"], result["dice"], result["threads"]) == (3, 36, 1)
    assert result["found"] >= 0.95
    assert result["value_right"] >= 0.9
    assert result["wrong_but_sure"] <= 0.03
    assert result["milliseconds_per_photo"]["median"] > 0


def test_a_photograph_file_is_read_as_the_picture_in_it(reader: Reader, rolls: list[Scene], tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "roll.png"), rolls[2].image)
    image, _ = load_photo(tmp_path / "roll.png")
    assert [die.as_json() for die in reader.read(image).dice] == [
        die.as_json() for die in reader.read(rolls[2].image).dice
    ]


def test_a_sure_die_is_one_whose_chances_reach_the_cards_limits(reader: Reader, rolls: list[Scene]) -> None:
    for die in reader.read(rolls[3].image).dice:
        if die.state is DieState.READ:
            assert die.confidence.value >= min(reader.doubt["pips_value"], reader.doubt["numeral_value"])


def test_no_turn_of_a_numeral_is_overlooked() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        chances = rng.dirichlet(np.full(ANGLES, 0.1))
        likely, angles = likely_angles(chances), all_round(chances)
        assert angles[: len(likely)] == likely
        assert len(angles) <= max(ANGLES_ALL_ROUND, len(likely))
        ring = np.linspace(0, 2 * np.pi, 72)
        apart = np.abs(np.angle(np.exp(1j * (ring[:, None] - [angle for angle, _ in angles])))).min(axis=1)
        assert len(angles) == ANGLES_ALL_ROUND or apart.max() < BLIND + np.pi / ANGLES


def test_dice_that_show_their_pips_plainly_are_looked_at_once(reader: Reader, rolls: list[Scene]) -> None:
    sights = reader.classifier.see(rolls[0].image, [die.box for die in rolls[0].dice])
    looks = [len(sight.weights) for sight in sights]
    assert set(looks) <= {1, 3}
    assert looks.count(1) >= 8


def face_of(value: int, chance: float) -> Face:
    """Return a face that is a d6 with `value` at `chance`, and any other shape and value at what is left."""
    shapes, values = np.full(6, 0.02), np.zeros((6, 20))
    shapes[1] = 0.9
    for place, shape in enumerate(Shape):
        values[place, : shape.faces] = 1 / shape.faces
    values[1, :6] = (1 - chance) / 5
    values[1, value - 1] = chance
    return Face(shapes, values, 0.1, 0.2)


def test_pictures_that_agree_make_nothing_surer_and_those_that_differ_nothing_sure() -> None:
    agreed, torn = fused([face_of(3, 0.9)] * 3), fused([face_of(3, 0.97), face_of(3, 0.97), face_of(5, 0.97)])
    assert agreed.value(1) == (3, pytest.approx(0.9, abs=1e-4))
    assert torn.value(1)[0] == 3
    assert torn.value(1)[1] < 0.93
    for face in (agreed, torn):
        assert face.shapes.sum() == pytest.approx(1)
        assert face.values.sum(axis=1) == pytest.approx(1)
        assert not face.values[1, 6:].any()


def test_only_doubtful_dice_are_looked_at_again_from_nearer_and_farther(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(31)
    dice = [Die(SIX[n % 6], int(rng.integers(1, 21)), Shape.D20) for n in range(8)]
    scene = render_scene(rng, dice, width=960, height=720, clutter=0, again=2)
    asked: list[tuple[int, list[Sequence[float]]]] = []
    see = reader.classifier.see

    def noted(image: np.ndarray, boxes: Sequence[Sequence[float]], **how: Any) -> list[Sight]:
        asked.append((id(image), list(boxes)))
        return see(image, boxes, **how)

    monkeypatch.setattr(reader.classifier, "see", noted)
    readings = []
    for again in ((), scene.again):
        asked.clear()
        seen = reader.read(scene.image, again=again)
        (_, whole), *others = asked
        assert [picture for picture, _ in others] == [id(picture) for picture in again or (scene.image,) * 2]
        for (_, boxes), size in zip(others, (0.93, 1.08), strict=True):
            doubtful = [box for box in whole if grown(box, size) in boxes]
            assert 0 < len(doubtful) == len(boxes) < len(whole)
            assert all(
                die.state is not DieState.UNSURE or die.box in doubtful or not die.needs.seen for die in seen.dice
            )
        readings.append(seen.dice)
    assert [die.box for die in readings[0]] == [die.box for die in readings[1]]
    assert any(one.confidence != other.confidence for one, other in zip(*readings, strict=True))
    first_sure = [pair for pair in zip(*readings, strict=True) if pair[0].box in whole and pair[0].box not in doubtful]
    assert first_sure
    assert all(one.state is other.state and one.confidence == other.confidence for one, other in first_sure)


def test_pictures_of_one_roll_are_of_one_size(reader: Reader) -> None:
    rng = np.random.default_rng(31)
    dice = [Die(SIX[n % 6], int(rng.integers(1, 21)), Shape.D20) for n in range(8)]
    image = render_scene(rng, dice, width=960, height=720, clutter=0).image
    with pytest.raises(ValueError, match="one size"):
        reader.read(image, again=[image[:100]])


def test_the_guesses_of_a_die_begin_with_its_reading_and_go_on_by_likelihood(
    reader: Reader, rolls: list[Scene]
) -> None:
    expected = Expectation({Shape.D6: 12}, dict.fromkeys(SIX, 25))
    for die in reader.read(rolls[0].image, expects=expected).dice:
        guesses = die.guesses()
        assert len(guesses) == 4
        assert (guesses[0].shape, guesses[0].colour, guesses[0].value) == (die.shape, die.colour, die.value)
        assert len({(guess.shape, guess.colour, guess.value) for guess in guesses}) == 4
        chances = [guess.chance for guess in guesses[1:]]
        assert chances == sorted(chances, reverse=True)
        assert all(guess.colour in SIX for guess in guesses)


def test_a_die_that_is_pointed_at_is_found_and_read_there_and_never_sure(reader: Reader, rolls: list[Scene]) -> None:
    expected = Expectation({Shape.D6: 1}, dict.fromkeys(SIX, 25))
    right = total = 0
    for scene in rolls:
        for truth in scene.dice:
            x, y, width, height = truth.box
            near = (x + width * 0.4, y + height * 0.6)
            seen = reader.look(scene.image, near, 50.0, expects=expected)
            assert seen.state is not DieState.READ
            assert abs(seen.box[0] + seen.box[2] / 2 - (x + width / 2)) < width / 2, "the die itself, not the fingertip"
            total += 1
            right += seen.die == truth.die
    assert right >= 0.9 * total


@pytest.mark.parametrize("wanted", [{Shape.D6: 1}, {Shape.D12: 1, Shape.D20: 2}])
def test_bare_cloth_that_is_pointed_at_is_of_a_shape_that_the_game_waits_for(
    reader: Reader, wanted: dict[Shape, int]
) -> None:
    table = render_scene(np.random.default_rng(3), [], width=640, height=480, calm=True, clutter=0).image
    for at in ((80.0, 80.0), (320.0, 240.0), (500.0, 400.0)):
        seen = reader.look(table, at, 50.0, expects=Expectation(wanted))
        assert seen.shape in wanted
        assert {guess.shape for guess in seen.guesses()} <= set(wanted)
        assert seen.state is not DieState.READ


@pytest.mark.parametrize(("table", "rolls"), [(90_005, 1), (90_018, 3), (90_019, 1)])
def test_dice_of_one_colour_that_touch_are_told_apart_where_the_game_waits_for_both(
    reader: Reader, table: int, rolls: int
) -> None:
    expected = Expectation({Shape.D6: 12}, dict.fromkeys(("red", "yellow", "green", "blue", "white", "black"), 25))
    lying = RolledTable(np.random.default_rng(table))
    for _ in range(rolls):
        lying.roll(expected)
    scene = lying.scene()
    boxes = [die.box for die in reader.read(scene.image, expects=expected).dice]
    for truth in scene.dice:
        x, y, w, h = truth.box
        assert any(abs(a + c / 2 - x - w / 2) < w / 3 and abs(b + d / 2 - y - h / 2) < h / 3 for a, b, c, d in boxes)
