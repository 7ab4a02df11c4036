"""`jurado enrol` and the station's teaching, on rendered photographs and a real folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from device.cli import main
from device.enrolling import parsed
from device.loading import LoadingReader
from device.naming import NamingReader
from device.photos import PHOTO_URL, PhotoRing
from device.proposal import Proposal, ProposalState, ProposedDie, Source
from device.taught import TaughtDice, fits_words
from device.teaching import Teaching
from engine.dice import DieState, Shape
from engine.game import Expectation, GameError, InvalidInput
from engine.journal import Journal
from engine.table import Table
from tests.two_dice import two_dice
from tests.waiting import until
from vision.enrol import Which
from vision.reader import Reader
from vision.rendering import Scene


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(threads=1)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return two_dice()


@pytest.fixture
def photo(scene: Scene, tmp_path: Path) -> Path:
    path = tmp_path / "roll.png"
    cv2.imwrite(str(path), scene.image)
    return path


def enrol(home: Path, *arguments: object, status: int = 0) -> Any:
    result = CliRunner().invoke(main, ["enrol", "--json", "--home", str(home), *map(str, arguments)])
    assert result.exit_code == status, result.output
    return json.loads(result.output)


def in_order(scene: Scene) -> list[str]:
    """Return what `--die` says of the scene's dice, from left to right."""
    left_to_right = sorted(scene.dice, key=lambda die: die.box[0] + die.box[2] / 2)
    return [part for die in left_to_right for part in ("--die", f"{die.die.colour} d6 {die.die.value}")]


def test_photographs_teach_and_the_list_says_what_is_missing(photo: Path, scene: Scene, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert enrol(home) == {"done": [], "dice": [], "doubtful": [], "damaged": []}
    taught = enrol(home, photo, *in_order(scene))
    assert taught["done"] == ["2 pictures are new."]
    red = next(die for die in taught["dice"] if die["colour"] == "red")
    assert (red["die"], red["faces"], red["missing"]) == ("red d6", {"3": 1}, [1, 2, 4, 5, 6])
    assert enrol(home, photo, *in_order(scene))["done"] == ["0 pictures are new."]
    enrol(home, photo, "--die", "blue d6")
    blue = next(die for die in enrol(home)["dice"] if die["colour"] == "blue")
    assert blue["colour_only"] == 2


def test_a_reading_knows_what_the_table_was_taught(photo: Path, scene: Scene, tmp_path: Path) -> None:
    home = tmp_path / "home"
    enrol(home, photo, "--anyway", *[word.replace("red", "flamingo") for word in in_order(scene)])
    read = CliRunner().invoke(main, ["read", "--json", "--home", str(home), str(photo)])
    assert sorted(die["colour"] for die in json.loads(read.output)["photos"][0]["dice"]) == ["blue", "flamingo"]


def test_taught_dice_go_to_another_table_in_one_file(photo: Path, scene: Scene, tmp_path: Path) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "dice.zip"
    enrol(here, photo, *in_order(scene))
    enrol(here, "--export", file)
    assert enrol(there, "--import", file)["done"] == ["2 pictures are new."]
    assert enrol(there)["dice"] == enrol(here)["dice"]
    assert enrol(there, "--forget", "red d6")["done"] == ["1 picture is forgotten."]
    assert [die["die"] for die in enrol(there)["dice"]] == ["blue d6"]
    enrol(there, "--forget", "all")
    assert list((there / "dice").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["PHOTO"], "bad_options"),
        (["PHOTO", "--die", "red d6 3", "--die", "red d6 3", "--die", "red d6 3"], "other_dice"),
        (["PHOTO", "--die", "d6"], "bad_die"),
        (["PHOTO", "--die", "red d6 7"], "bad_die"),
        (["PHOTO", "--die", "red d6 3", "--name", "x" * 31], "bad_die"),
        (["nowhere.jpg", "--die", "red d6 3"], "bad_photo"),
        (["--die", "red d6 3"], "bad_options"),
        (["--forget", "pink d6"], "unknown_die"),
        (["--forget", "all", "--export", "dice.zip"], "bad_options"),
        (["--export", "dice.zip"], "nothing_taught"),
        (["--import", "nowhere.zip"], "no_such_file"),
        (["--import", "PHOTO"], "bad_file"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    photo: Path, tmp_path: Path, arguments: list[str], code: str
) -> None:
    given = [photo if one == "PHOTO" else one for one in arguments]
    error = enrol(tmp_path / "home", *given, status=2)["error"]
    assert error["code"] == code
    assert error["message"].endswith(".")
    assert not (tmp_path / "home" / "dice").exists()


def test_a_colour_that_nobody_knows_is_asked_about(photo: Path, scene: Scene, tmp_path: Path) -> None:
    home = tmp_path / "home"
    slip = [word.replace("red", "rd") for word in in_order(scene)]
    error = enrol(home, photo, *slip, status=2)["error"]
    assert error["code"] == "unknown_colour"
    assert "No colour 'rd' is known here. Nothing was taught. Known are white, black," in error["message"]
    assert error["message"].endswith("Is it red?")
    assert not (home / "dice").exists()
    own = [word.replace("red", "flamingo") for word in in_order(scene)]
    assert enrol(home, photo, *own, status=2)["error"]["code"] == "unknown_colour"
    assert enrol(home, photo, "--anyway", *own)["done"] == ["2 pictures are new."]
    assert enrol(home, photo, *own)["done"] == ["0 pictures are new."], "it is known by now"
    enrol(home, photo, *[word.replace("red", "vermelho") for word in in_order(scene)])


def test_a_colour_that_the_table_has_named_is_known(photo: Path, scene: Scene, tmp_path: Path) -> None:
    six = ["flamingo", "yellow", "green", "blue", "white", "black"]
    journal = Journal(tmp_path / "journal.sqlite3", now=lambda: "2026-12-01T20:00:00+00:00")
    Table(journal).save_colours(six)
    journal.close()
    enrol(tmp_path, photo, *[word.replace("red", "flamingo") for word in in_order(scene)])


def test_what_plainly_lies_there_otherwise_is_not_taught_without_a_second_word(
    photo: Path, scene: Scene, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    right = in_order(scene)
    error = enrol(home, photo, *[word.replace("d6", "d8") for word in right], status=2)["error"]
    assert error["code"] == "other_dice"
    assert "from left to right, die 1 looks like a d6 and die 2 looks like a d6. Nothing" in error["message"]
    error = enrol(home, photo, "--die", "red d6 3", status=2)["error"]
    assert "looks like a 5. Nothing was taught." in error["message"]
    assert not (home / "dice").exists()
    enrol(home, photo, "--anyway", *[word.replace("d6", "d8") for word in right])
    assert [die["shape"] for die in enrol(home)["dice"]] == ["d8", "d8"]


def test_a_photograph_without_dice_and_another_number_of_them_are_told_apart(
    photo: Path, scene: Scene, tmp_path: Path
) -> None:
    bare = tmp_path / "bare.png"
    cv2.imwrite(str(bare), np.full((480, 640, 3), 120, np.uint8))
    home = tmp_path / "home"
    assert "No die is seen in" in enrol(home, bare, "--die", "red d6 3", status=2)["error"]["message"]
    said = enrol(home, photo, *in_order(scene), "--die", "red d6 3", status=2)["error"]["message"]
    assert "shows 2 dice, and 3 were told with --die. Nothing was taught." in said
    enrol(home, photo, bare, *in_order(scene), status=2)
    assert not (home / "dice").exists(), "the first photograph waits for the second"


def test_words_name_a_die() -> None:
    assert parsed("black d20 17") == (Which(Shape.D20, "black"), 17)
    assert parsed("White  D10 0", "worn") == (Which(Shape.D10, "white", "worn"), 10)
    assert parsed("red d6") == (Which(Shape.D6, "red"), None)
    with pytest.raises(InvalidInput):
        parsed("red blue d6 1")


def test_a_damaged_file_is_passed_over_and_told(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "0123456789abcdef.npz").write_bytes(b"half a file")
    taught = TaughtDice(tmp_path, lambda: reader.classifier)
    assert taught.lessons == ()
    assert taught.damaged == ("0123456789abcdef.npz",)


def test_what_another_process_taught_is_seen(reader: Reader, scene: Scene, photo: Path, tmp_path: Path) -> None:
    taught = TaughtDice(tmp_path / "dice", lambda: reader.classifier)
    assert taught.lessons == ()
    enrol(tmp_path, photo, *in_order(scene))
    assert len(taught.lessons) == 2
    assert taught.forget(fits_words("all")) == 2


@pytest.fixture
def loaded(reader: Reader) -> LoadingReader:
    reader.teach(())
    loading = LoadingReader(lambda: reader)
    loading.start()
    until(lambda: not loading.loading)
    return loading


def proposal(photos: PhotoRing, scene: Scene, **changes: Any) -> Proposal:
    """Return a roll as it stands once the scene was photographed and read rightly."""
    stem = photos.keep(scene.image)
    dice = tuple(
        ProposedDie(at, die.die.shape, die.die.colour, die.die.value, changes.get("state", DieState.READ), die.box)
        for at, die in enumerate(scene.dice)
    )
    return Proposal(
        "one", ProposalState.READY, Source.CAMERA, f"{PHOTO_URL}{stem}.jpg", 960, 720, dice, tuple(range(len(dice)))
    )


def test_a_roll_that_lies_there_teaches_the_reader_at_once(
    loaded: LoadingReader, scene: Scene, reader: Reader, tmp_path: Path
) -> None:
    photos = PhotoRing(tmp_path / "photos")
    teaching = Teaching(tmp_path / "dice", loaded, photos.folder, dict)
    roll = proposal(photos, scene)
    assert teaching.learn(roll) == 2
    assert teaching.colours == {"red", "blue"}
    assert teaching.learn(roll, colours_only=True) == 2
    told = teaching.told()
    assert [die["die"] for die in told["dice"]] == ["blue d6", "red d6"]
    lesson = told["dice"][1]["faces"][3][0]
    picture = teaching.picture(lesson)
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"
    assert teaching.forget("red d6") == 2
    assert teaching.colours == {"blue"}
    again = Teaching(tmp_path / "dice", loaded, photos.folder, dict)
    again.apply()
    assert again.colours == {"blue"}, "what was taught outlives a restart"


def test_doubtful_dice_and_dice_entered_by_hand_teach_nothing(
    loaded: LoadingReader, scene: Scene, tmp_path: Path
) -> None:
    photos = PhotoRing(tmp_path / "photos")
    teaching = Teaching(tmp_path / "dice", loaded, photos.folder, dict)
    with pytest.raises(GameError, match="doubtful"):
        teaching.learn(proposal(photos, scene, state=DieState.UNSURE))
    by_hand = Proposal("two", ProposalState.READY, Source.HAND, dice=(ProposedDie(0, Shape.D6, "red", 3),))
    with pytest.raises(GameError, match="not photographed"):
        teaching.learn(by_hand)
    gone = proposal(photos, scene)
    for picture in photos.folder.glob("*.jpg"):
        picture.unlink()
    teaching.later(gone)
    until(lambda: not teaching.busy)
    teaching.close()
    assert teaching.notice is not None
    assert "no photograph" in teaching.notice
    assert teaching.told()["dice"] == []


def test_confirmed_rolls_teach_where_it_is_wanted_and_no_more_than_they_must(
    loaded: LoadingReader, scene: Scene, tmp_path: Path
) -> None:
    photos = PhotoRing(tmp_path / "photos")
    off = Teaching(tmp_path / "off", loaded, photos.folder, dict)
    off.confirmed(proposal(photos, scene))
    off.close()
    assert off.taught.lessons == ()
    on = Teaching(tmp_path / "on", loaded, photos.folder, dict, corrections=True)
    on.learn_confirmed(proposal(photos, scene, state=DieState.UNSURE))
    assert on.taught.lessons == (), "nobody looked at these"
    on.confirmed(proposal(photos, scene, state=DieState.CORRECTED))
    on.close()
    assert [one.corrected for one in on.taught.lessons] == [True, True]


def test_a_colour_that_was_taught_keeps_the_tables_own_name(
    loaded: LoadingReader, scene: Scene, reader: Reader, tmp_path: Path
) -> None:
    photos = PhotoRing(tmp_path / "photos")
    tints = {"flamingo": "#E8557A", "lagoon": "#1F4FC4"}
    teaching = Teaching(tmp_path / "dice", loaded, photos.folder, lambda: tints)
    roll = proposal(photos, scene)
    own = {"red": "flamingo", "blue": "lagoon"}
    renamed = tuple(
        ProposedDie(die.index, die.shape, own[str(die.colour)], die.value, die.state, die.box) for die in roll.dice
    )
    from dataclasses import replace

    teaching.learn(replace(roll, dice=renamed), colours_only=True)
    naming = NamingReader(loaded, lambda: tints, lambda: teaching.colours)
    reading = naming.read(scene.image, expects=Expectation({Shape.D6: 2}, dict.fromkeys(tints, 25)))
    truth = {round(die.box[0] / 50): own[die.die.colour] for die in scene.dice}
    assert {round(die.box[0] / 50): die.colour for die in reading.dice} == truth
