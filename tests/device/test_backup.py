"""A table into a file and back, while it is played, onto a stick; and whatever else a file may be."""

from __future__ import annotations

import io
import itertools
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from device.backup import JOURNAL, MANIFEST, Elsewhere, back_up, restore
from device.cli import main
from engine.game import GameError, InvalidInput
from engine.journal import Journal, JournalBusy, JournalError, read_events
from engine.table import Table

TWO = {"players": [{"name": "Ana"}, {"name": "Bia"}]}


def opened(home: Path, **how: Any) -> Journal:
    ticks = itertools.count()
    return Journal(home / JOURNAL, now=lambda: f"2026-11-30T20:00:{next(ticks) % 60:02d}+00:00", **how)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A table with a game, settings, a camera, a taught die and a photograph."""
    home = tmp_path / "home"
    with opened(home) as journal:
        Table(journal).open_game("carnavalesco", TWO)
    (home / "settings.toml").write_text("[web]\nport = 9000\n")
    for folder, name in (("cameras", "one.json"), ("dice", "abc.npz"), ("photos", "000001-0123abcd.jpg")):
        (home / folder).mkdir()
        (home / folder / name).write_bytes(b"{}")
    (home / "keys.json").write_text("{}")
    return home


def test_a_table_comes_back_as_it_was_also_elsewhere(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.zip"
    with opened(home) as journal:
        events = back_up(home, file)
        assert events == len(list(journal.events())), "while the table runs"
    other = tmp_path / "other"
    assert restore(other, file) == (events, None)
    assert read_events(other / JOURNAL) == read_events(home / JOURNAL)
    assert (other / "settings.toml").read_text() == "[web]\nport = 9000\n"
    assert (other / "cameras" / "one.json").exists()
    assert (other / "dice" / "abc.npz").exists()
    assert not (other / "photos").exists()
    assert not (other / "keys.json").exists(), "keys are not carried about"
    with opened(other) as journal:
        assert journal.notice is None
        assert Table(journal).now().game is not None


def test_photographs_come_along_where_they_are_wanted(home: Path, tmp_path: Path) -> None:
    back_up(home, tmp_path / "table.zip", photos=True)
    restore(tmp_path / "other", tmp_path / "table.zip")
    assert (tmp_path / "other" / "photos" / "000001-0123abcd.jpg").exists()


def test_what_was_there_is_kept_aside_and_the_copies_of_its_course_with_it(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.zip"
    back_up(home, file)
    with opened(home) as journal:
        table = Table(journal)
        table.open_game("carnavalesco", TWO, abandon=True)
        journal.backup()
        later = len(list(journal.events()))
    events, aside = restore(home, file)
    assert events < later
    assert aside == home / "before-restore-1"
    assert len(read_events(aside / JOURNAL)) == later
    assert (aside / "backups").is_dir()
    with opened(home) as journal:
        assert journal.notice is None, "the mark of the other course does not count here"
        assert len(list(journal.events())) == events
    assert restore(home, file)[1] == home / "before-restore-2"
    assert [path.name for path in home.glob(".restoring-*")] == []


def test_a_running_table_is_left_alone(home: Path, tmp_path: Path) -> None:
    back_up(home, tmp_path / "table.zip")
    with opened(home) as journal:
        with pytest.raises(JournalBusy):
            restore(home, tmp_path / "table.zip")
        journal.append("note", {})
    assert not (home / "before-restore-1").exists()


def packed(**files: bytes | str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        for name, content in files.items():
            file.writestr(name, content)
    return held.getvalue()


ABOUT = json.dumps({"version": 1})


@pytest.mark.parametrize(
    "content",
    [
        b"no archive",
        packed(readme="hello"),
        packed(**{MANIFEST: "[]"}),
        packed(**{MANIFEST: json.dumps({"version": 2}), JOURNAL: b""}),
        packed(**{MANIFEST: ABOUT}),
        packed(**{MANIFEST: ABOUT, JOURNAL: b"damage " * 100}),
        packed(**{MANIFEST: ABOUT, JOURNAL: b"", "../secret": b"x"}),
        packed(**{MANIFEST: ABOUT, JOURNAL: b"", "keys.json": b"{}"}),
        packed(**{MANIFEST: ABOUT, JOURNAL: b"", "dice/../keys.npz": b"{}"}),
    ],
)
def test_what_is_no_backup_changes_nothing(home: Path, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "odd.zip"
    file.write_bytes(content)
    before = read_events(home / JOURNAL)
    with pytest.raises(InvalidInput, match="Nothing was changed"):
        restore(home, file)
    assert read_events(home / JOURNAL) == before
    assert not (home / "before-restore-1").exists()
    assert [path.name for path in home.glob(".restoring-*")] == []


def test_what_is_no_backup_leaves_no_new_folder_and_no_lock(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    for folder in (tmp_path / "new" / "table", there):
        with pytest.raises(InvalidInput, match="Nothing was changed"):
            restore(folder, tmp_path / "nowhere.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    assert list(there.iterdir()) == []
    (there / "file").write_bytes(b"")
    with pytest.raises(GameError, match="could not be put back"):
        restore(there / "file" / "table", tmp_path / "nowhere.zip")


def test_a_backup_that_cannot_be_written_is_said(home: Path, tmp_path: Path) -> None:
    with pytest.raises(GameError, match="could not be written"):
        back_up(home, tmp_path / "nowhere" / "table.zip")
    with pytest.raises(JournalError):
        back_up(tmp_path / "empty", tmp_path / "table.zip")


def test_each_copy_goes_onto_the_stick_as_well_and_the_oldest_go(home: Path, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    with opened(home, backups=2) as journal:
        journal.after_backup = Elsewhere(stick, 2).copy
        for _ in range(3):
            journal.append("note", {})
            journal.backup()
        assert len(list(stick.iterdir())) == len(list((home / "backups").iterdir())) == 2
        newest = max(stick.iterdir())
        assert len(read_events(newest)) == journal.last_seq
        stick.rename(tmp_path / "pulled")
        with pytest.raises(JournalError, match="Put the stick in"):
            journal.backup()
        assert len(read_events(max((home / "backups").iterdir()))) == journal.last_seq, "its own copy is made"


def test_the_commands(home: Path, tmp_path: Path) -> None:
    def jurado(*arguments: object) -> Any:
        return CliRunner().invoke(main, [*map(str, arguments)], catch_exceptions=False)

    file = tmp_path / "table.zip"
    done = jurado("backup", file, "--home", home)
    assert done.exit_code == 0
    assert f"{file}: 1 event." in done.output
    done = jurado("restore", file, "--home", home)
    assert done.exit_code == 0
    assert "1 event is back" in done.output
    assert "before-restore-1" in done.output
    refused = jurado("restore", tmp_path / "gone.zip", "--home", home)
    assert refused.exit_code == 2
    assert "no backup that can be put back" in refused.output


@pytest.mark.parametrize("name", ["sheet.pdf", "sheet.png"])
def test_the_sheet_is_written(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    assert CliRunner().invoke(main, ["markers", str(file)], catch_exceptions=False).exit_code == 0
    assert file.read_bytes().startswith((b"%PDF", b"\x89PNG"))
    assert CliRunner().invoke(main, ["markers", str(tmp_path / "sheet.doc")]).exit_code == 2


def test_a_hotspot_is_told_with_its_two_codes() -> None:
    told = CliRunner().invoke(main, ["hotspot", "--name", "Bar da Ana", "--password", "cachaça"])
    assert told.exit_code == 2
    told = CliRunner().invoke(main, ["hotspot", "--name", "Bar da Ana", "--password", "a good one", "--country", "br"])
    assert told.exit_code == 0
    assert "do_wifi_country BR" in told.output
    assert "ssid 'Bar da Ana'" in told.output
    assert "wifi-sec.psk 'a good one'" in told.output
    assert "wifi-sec.proto rsn" in told.output
    assert "http://10.42.0.1:8080" in told.output
    assert told.output.count("█") > 100
    assert CliRunner().invoke(main, ["hotspot", "--country", "Brazil"]).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("frame", "--corners", "0.1,0.1 abc", "--size", "300x200"), "'abc' in --corners is not two numbers"),
        (("frame", "--corners", "0.1,0.1 0.9,0.1", "--size", "300x200"), "A frame has four corners"),
        (("frame", "--corners", "0,0 1,0 1,1 0,1", "--size", "300"), "'300' in --size is not two numbers"),
        (("frame", "--corners", "0,0 1,0 1,1 0,1", "--size", "3x2"), "two lengths of 20 to 3000 mm"),
        (("empty", "--size", "300x200"), "go with the step “frame” alone"),
        (("frame", "--corners", "0,0 1,0 1,1 0,1", "--size", "300x200"), "no camera to set up"),
    ],
)
def test_words_are_looked_at_before_the_camera(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    done = CliRunner().invoke(main, ["calibrate", *arguments, "--home", str(tmp_path)], catch_exceptions=False)
    assert done.exit_code == 2
    assert words in done.stderr


def test_calibrate_works_through_a_camera_that_a_table_does_not_have(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text('[camera]\nbackend = "rendered"\n')
    corners = "0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9"

    def calibrate(*arguments: str) -> Any:
        return CliRunner().invoke(main, ["calibrate", *arguments, "--home", str(home)], catch_exceptions=False)

    assert "Nothing was set up yet" in calibrate().output
    done = calibrate("frame", "--corners", corners, "--size", "300x200", "--json")
    assert done.exit_code == 0
    assert json.loads(done.output)["size"] == [300, 200]
    assert "frame" in calibrate().output
    with opened(home):
        assert "The table is running" in calibrate("empty").output
    (home / "settings.toml").write_text(f'[camera]\nbackend = "folder"\nfolder = "{tmp_path / "nowhere"}"\n')
    failed = calibrate("empty")
    assert failed.exit_code == 2
    assert "Nothing was changed." in failed.output
    assert "turn" not in failed.output, "there is none while a camera is set up"
    (home / "settings.toml").unlink()
    assert "This table has no camera to set up." in calibrate().output


@pytest.mark.parametrize(
    "arguments",
    [
        ["backup", "FILE", "--home", "HOME"],
        ["doctor", "--zip", "FILE", "--home", "HOME"],
        ["markers", "FILE"],
        ["bench", "--report", "FILE", "--home", "HOME"],
    ],
)
def test_a_file_that_is_there_is_never_overwritten(home: Path, tmp_path: Path, arguments: list[str]) -> None:
    file = tmp_path / "precious.pdf"
    file.write_text("not to be lost")
    places = {"FILE": str(file), "HOME": str(home)}
    told = CliRunner().invoke(main, [places.get(one, one) for one in arguments], catch_exceptions=False)
    assert told.exit_code == 2
    assert f"{file} is there already. Nothing was written." in told.output
    assert file.read_text() == "not to be lost"


def test_a_new_folder_of_games_is_nobody_elses(tmp_path: Path) -> None:
    with opened(tmp_path / "new"):
        assert (tmp_path / "new").stat().st_mode & 0o007 == 0
