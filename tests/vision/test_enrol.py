"""Teaching the table's own dice: what was shown is read better, what was not is read as before, and files are safe."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from engine.dice import Die, DieState, Shape
from vision.classify import Classifier
from vision.enrol import (
    MOST_A_COLOUR,
    MOST_A_FACE,
    EnrolError,
    Lesson,
    Which,
    checked,
    faces_known,
    fit_in,
    lesson,
    pixels_of,
)
from vision.enrol_compare import Comparison
from vision.enrol_file import bundle, packed, unbundle, unpacked
from vision.reader import Reader
from vision.rendering import Scene, render_scene


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(threads=1)


@pytest.fixture
def untaught(reader: Reader) -> Reader:
    reader.teach(())
    return reader


def roll(seed: int, *dice: Die) -> Scene:
    """Return a rendered roll of dice with pips on a calm table."""
    return render_scene(
        np.random.default_rng(seed), list(dice), width=960, height=720, calm=True, clutter=0, die_pixels=(48, 58)
    )


def logo(number: int) -> np.ndarray:
    """Return a sign that is no number: bars, a cross, an angle or a wedge, black on white, 120 pixels square."""
    sign = np.full((120, 120, 3), 235, np.uint8)
    ink = (40, 30, 25)
    if number == 0:
        for x in (30, 52, 74):
            cv2.rectangle(sign, (x, 24), (x + 10, 96), ink, -1)
    elif number == 1:
        cv2.rectangle(sign, (52, 20), (68, 100), ink, -1)
        cv2.rectangle(sign, (20, 52), (100, 68), ink, -1)
    elif number == 2:
        cv2.rectangle(sign, (30, 22), (46, 98), ink, -1)
        cv2.rectangle(sign, (30, 82), (92, 98), ink, -1)
    else:
        cv2.fillPoly(sign, [np.array([[60, 18], [102, 96], [18, 96]])], ink)
    return sign


def table_with(signs: list[int], seed: int) -> tuple[np.ndarray, list[tuple[float, float, float, float]]]:
    """Return a picture of white dice that bear `signs`, each turned by chance, on a green cloth, and their boxes.

    The camera sees them a little from one side: beside the up-face a darker flank shows, and corners are rounded.
    """
    rng = np.random.default_rng(seed)
    image = np.full((360, 150 * len(signs) + 60, 3), (70, 110, 60), np.uint8)
    image = (image + rng.normal(0, 4, image.shape)).clip(0, 255).astype(np.uint8)
    boxes = []
    for place, sign in enumerate(signs):
        side = float(rng.uniform(52, 64))
        middle = (100 + 150 * place + rng.uniform(-15, 15), 180 + rng.uniform(-60, 60))
        way = cv2.getRotationMatrix2D((59.5, 59.5), float(rng.uniform(0, 360)), side / 120)
        way[:, 2] += np.array(middle) - 59.5
        size = (image.shape[1], image.shape[0])
        face = cv2.warpAffine(logo(sign), way, size, flags=cv2.INTER_AREA)
        rounded = np.zeros((120, 120), np.uint8)
        cv2.rectangle(rounded, (16, 16), (103, 103), 255, -1)
        rounded = cv2.dilate(rounded, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (33, 33)))
        top = cv2.warpAffine(rounded, way, size)
        mask = top.copy()
        for step in range(1, 15):
            mask = np.maximum(mask, np.roll(top, (step, step // 3), (0, 1)))
        face = np.where(top[..., None] > 127, face, 150)
        shadow = cv2.GaussianBlur(np.roll(mask, (5, 4), (0, 1)), (0, 0), 4)[..., None] / 255
        image = (image * (1 - 0.45 * shadow)).astype(np.uint8)
        image = np.where(mask[..., None] > 127, face, image)
        ys, xs = np.nonzero(mask > 127)
        boxes.append((float(xs.min()), float(ys.min()), float(np.ptp(xs) + 1), float(np.ptp(ys) + 1)))
    light = rng.uniform(0.85, 1.05)
    return (cv2.GaussianBlur(image, (3, 3), 0.6) * light).clip(0, 255).astype(np.uint8), boxes


SIGNS = Which(Shape.D6, "white", "signs")


@cache
def signs(seed: int) -> tuple[np.ndarray, list[tuple[float, float, float, float]]]:
    return table_with([0, 1, 2, 3], seed)


@cache
def lesson_of_sign(classifier: Classifier, seed: int, value: int) -> Lesson:
    image, boxes = signs(seed)
    return lesson(classifier, image, boxes[value - 1], SIGNS, value)


def lessons_of_signs(classifier: Classifier, *seeds: int) -> list[Lesson]:
    return [lesson_of_sign(classifier, seed, value) for seed in seeds for value in range(1, 5)]


def values_of_signs(reader: Reader, *seeds: int) -> list[bool]:
    """Return for each sign of new pictures whether it is read as what it was taught to be."""
    right = []
    for seed in seeds:
        image, boxes = signs(seed)
        reading = reader.read(image)
        for place, (x, y, w, h) in enumerate(boxes):
            near = [
                d for d in reading.dice if x < d.box[0] + d.box[2] / 2 < x + w and y < d.box[1] + d.box[3] / 2 < y + h
            ]
            right.append(bool(near) and near[0].value == place + 1 and near[0].shape is Shape.D6)
    return right


def test_faces_that_are_signs_are_read_once_they_were_taught(untaught: Reader) -> None:
    trials = range(50, 56)
    before = values_of_signs(untaught, *trials)
    untaught.teach(lessons_of_signs(untaught.classifier, 1, 2, 3))
    after = values_of_signs(untaught, *trials)
    assert sum(after) >= 0.75 * len(after)
    assert sum(before) <= 0.35 * len(before)


def test_a_faint_find_that_is_surely_a_taught_die_is_one_and_no_other_is(
    untaught: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, boxes = signs(51)
    plain = roll(3, Die("red", 2), Die("blue", 5)).image
    monkeypatch.setattr(untaught.detector, "threshold", 0.995)
    assert not untaught.read(image).dice
    assert not untaught.read(plain).dice
    untaught.teach(lessons_of_signs(untaught.classifier, 1, 2, 3))
    assert len(untaught.read(image).dice) >= len(boxes) - 1
    assert not untaught.read(plain).dice, "none that was taught"


def test_a_die_that_looks_like_no_taught_one_is_read_as_before(untaught: Reader) -> None:
    scene = roll(3, Die("red", 2), Die("blue", 5), Die("black", 3), Die("green", 6))
    before = untaught.read(scene.image)
    untaught.teach(lessons_of_signs(untaught.classifier, 1, 2, 3))
    after = untaught.read(scene.image)
    assert [(die.shape, die.value) for die in after.dice] == [(die.shape, die.value) for die in before.dice]
    assert all(
        abs(one.confidence.value - other.confidence.value) < 0.2
        for one, other in zip(before.dice, after.dice, strict=True)
    )


def test_what_is_taught_once_alone_is_seldom_called_sure(reader: Reader) -> None:
    some = lessons_of_signs(reader.classifier, 1)
    assert Comparison(some, reader.classifier.calibration).strict >= 0.99
    assert Comparison(lessons_of_signs(reader.classifier, 1, 2, 3), reader.classifier.calibration).strict < 0.99


def test_a_picture_told_wrongly_is_pointed_out(reader: Reader) -> None:
    some = lessons_of_signs(reader.classifier, 1, 2, 3, 4)
    wrong = replace(some[0], id="f" * 16, value=3)
    doubtful = Comparison([*some[1:], wrong], reader.classifier.calibration).doubtful
    assert [one.lesson.id for one in doubtful] == ["f" * 16]
    assert doubtful[0].seems == (SIGNS, 1)


def test_colours_that_were_taught_come_before_the_network(untaught: Reader) -> None:
    scene = roll(4, Die("red", 2), Die("blue", 5))
    which = {die.die.colour: Which(Shape.D6, {"red": "flamingo", "blue": "blue"}[die.die.colour]) for die in scene.dice}
    untaught.teach(
        [lesson(untaught.classifier, scene.image, die.box, which[die.die.colour], None) for die in scene.dice],
        {"flamingo": "pink"},
    )
    again = untaught.read(roll(4, Die("red", 4), Die("blue", 1)).image)
    assert sorted(die.colour for die in again.dice) == ["blue", "flamingo"]


def test_of_one_face_the_picture_most_like_another_makes_room(reader: Reader) -> None:
    first = [lesson_of_sign(reader.classifier, seed, 1) for seed in range(1, MOST_A_FACE + 3)]
    twin = replace(first[0], id="a" * 16, corrected=True)
    kept = fit_in([*first[:MOST_A_FACE], twin])
    assert len(kept) == MOST_A_FACE
    assert twin.id not in {one.id for one in kept}
    colours = [replace(first[0], id=f"{number:016x}", value=None) for number in range(MOST_A_COLOUR + 4)]
    assert len(fit_in(colours)) == MOST_A_COLOUR
    assert faces_known(kept) == {SIGNS: {1: MOST_A_FACE}}


def test_a_lesson_comes_back_from_its_file_as_it_was(reader: Reader) -> None:
    one = lessons_of_signs(reader.classifier, 1)[2]
    again, anew = unpacked(packed(one), reader.classifier)
    assert not anew
    assert (again.id, again.which, again.value, again.picture) == (one.id, one.which, one.value, one.picture)
    assert np.abs(again.traits.marks.astype(float) - one.traits.marks).max() < np.abs(one.traits.marks).max() / 100
    assert packed(again)[:2] == b"PK"


def test_how_the_table_leant_under_a_lesson_is_kept_and_places_its_up_face(reader: Reader) -> None:
    scene = roll(4, *(Die("red", value) for value in (1, 2, 3, 5, 6)))
    boxes = [die.box for die in scene.dice]
    lean = reader.classifier.leans(scene.image, boxes)[0]
    assert lean is not None
    which = Which(Shape.D6, "red")
    known = lesson(reader.classifier, scene.image, boxes[0], which, 1, lean=lean)
    alone = lesson(reader.classifier, scene.image, boxes[0], which, 1)
    assert known.id == alone.id
    assert not np.array_equal(known.traits.marks, alone.traits.marks)
    again, anew = unpacked(packed(known), reader.classifier)
    assert not anew
    assert again.lean == pytest.approx(lean, abs=1e-4)
    foreign = replace(known, traits=replace(known.traits, models="other"))
    again, anew = unpacked(packed(foreign), reader.classifier)
    assert anew
    assert np.allclose(again.traits.marks, known.traits.marks, atol=0.05)
    steep = replace(known, lean=np.array([3.0, 0.0]))
    with pytest.raises(EnrolError, match="no lesson"):
        unpacked(packed(steep), reader.classifier)


def test_what_other_models_made_of_a_picture_is_made_anew(reader: Reader) -> None:
    one = lessons_of_signs(reader.classifier, 1)[1]
    foreign = replace(one, traits=replace(one.traits, models="other.models", marks=one.traits.marks[:, :7]))
    again, anew = unpacked(packed(foreign), reader.classifier)
    assert anew
    assert again.traits.models == reader.classifier.digest
    assert np.allclose(again.traits.marks.astype(float), one.traits.marks, atol=1e-2)


def test_all_lessons_go_into_one_file_and_come_back(reader: Reader) -> None:
    some = lessons_of_signs(reader.classifier, 1)
    content = bundle(some, reader.classifier.digest)
    assert content == bundle(some, reader.classifier.digest)
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        head = json.loads(file.read("jurado-dice.json"))
    assert (head["format"], head["version"], head["models"]) == ("jurado-dice", 1, reader.classifier.digest)
    assert [one.id for one in unbundle(content, reader.classifier)] == [one.id for one in some]


def bomb(size: int) -> bytes:
    """Return an archive whose head unpacks to `size` bytes of a list that never ends."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("jurado-dice.json", b'{"format": "jurado-dice", "version": 1, "lessons": [' + b"1," * (size // 2))
    return out.getvalue()


def later_version() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("jurado-dice.json", json.dumps({"format": "jurado-dice", "version": 2, "lessons": []}))
    return out.getvalue()


@pytest.mark.parametrize("content", [b"", b"no archive", bomb(300_000_000), later_version()])
def test_what_is_no_file_of_dice_is_refused_in_a_sentence(reader: Reader, content: bytes) -> None:
    with pytest.raises(EnrolError, match="Nothing was changed"):
        unbundle(content, reader.classifier)


def test_a_file_of_dice_with_a_part_that_is_too_long_is_refused_before_it_is_unpacked(reader: Reader) -> None:
    with pytest.raises(EnrolError, match=r"\(too long\)"):
        unbundle(bomb(10_000_000), reader.classifier)


def test_a_file_with_pickles_in_it_is_never_run(reader: Reader) -> None:
    out = io.BytesIO()
    np.savez(out, about=np.array([{"format": "jurado-dice"}], dtype=object))
    with pytest.raises(EnrolError, match="no lesson"):
        unpacked(out.getvalue(), reader.classifier)


def test_a_damaged_picture_is_refused() -> None:
    with pytest.raises(EnrolError, match="damaged"):
        pixels_of(b"\xff\xd8 not a picture")


@pytest.mark.parametrize(
    ("shape", "colour", "value", "name"),
    [("d7", "red", 1, ""), ("d6", "Red!", 1, ""), ("d6", "red", 7, ""), ("d6", "red", 1, "x" * 31)],
)
def test_a_die_that_cannot_be_is_refused(shape: str, colour: str, value: int, name: str) -> None:
    with pytest.raises(EnrolError):
        checked(shape, colour, value, name)


def test_a_taught_die_that_is_met_again_is_sure(untaught: Reader) -> None:
    untaught.teach(lessons_of_signs(untaught.classifier, 1, 2, 3, 4))
    image, _ = table_with([0, 1, 2, 3], 60)
    states = [die.state for die in untaught.read(image).dice]
    assert states.count(DieState.READ) >= 2


def test_the_picture_of_a_lesson_is_measured_before_it_is_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A PNG of a few kilobytes can unpack to more memory than a small computer has."""
    from vision.enrol import pixels_of

    bomb = cv2.imencode(".png", np.zeros((9000, 9000), np.uint8))[1].tobytes()
    decoded: list[int] = []
    monkeypatch.setattr("vision.photo.cv2.imdecode", lambda *_: decoded.append(1))
    with pytest.raises(EnrolError, match="damaged"):
        pixels_of(bomb)
    assert decoded == []
