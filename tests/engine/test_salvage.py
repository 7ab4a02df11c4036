"""What is left of a journal that SQLite can no longer open, page by page."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from engine.journal import Event, Journal, read_events
from engine.salvage import rows

PAGE = 4096
ROOTS, LEAF, INNER = 1, 13, 5
"""The number of the page in which SQLite looks first, and the first bytes of pages with rows and with ways to them."""


def opened(path: Path) -> Journal:
    return Journal(path, now=lambda: "2026-11-29T20:00:00+00:00")


def written(path: Path, count: int = 600) -> list[Event]:
    """Write a journal whose rows are short, and now and then longer than several pages; return its events."""
    with opened(path) as journal:
        for number in range(count):
            text = "Olá " * (4000 if number % 50 == 7 else 30)
            journal.append("note", {"n": number, "text": text}, game_id="g" if number % 3 else None)
        return list(journal.events())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.sqlite3"


def pages_of(content: bytes, kind: int) -> list[int]:
    return [at for at in range(PAGE, len(content), PAGE) if content[at] == kind]


@pytest.mark.parametrize("lost", ["the first page", "every way to the rows", "both"])
def test_a_journal_that_sqlite_cannot_find_its_way_through_loses_nothing(path: Path, lost: str) -> None:
    events = written(path)
    content = bytearray(path.read_bytes())
    ways = pages_of(content, INNER)
    assert ways
    for at in {"the first page": [0], "every way to the rows": ways, "both": [0, *ways]}[lost]:
        content[at : at + PAGE] = random.Random(at).randbytes(PAGE)
    path.write_bytes(content)
    with opened(path) as journal:
        assert list(journal.events()) == events
        assert "600 events of it could be saved, as far as can be told all" in str(journal.notice)
        assert journal.moved_aside is not None
        assert journal.moved_aside.read_bytes() == bytes(content)


def test_what_is_still_in_the_log_beside_the_file_is_saved_as_well(path: Path, tmp_path: Path) -> None:
    with opened(path) as journal:
        for number in range(30):
            journal.append("note", {"n": number})
        events = list(journal.events())
        # As it lies on the disk after a power cut, before SQLite has moved anything from the log into the file.
        cut = tmp_path / "cut" / path.name
        cut.parent.mkdir()
        for ending in ("", "-wal"):
            shutil.copy(path.with_name(path.name + ending), cut.with_name(cut.name + ending))
    assert cut.stat().st_size < PAGE * 3, "the file itself holds none of them"
    assert {row[0] for row in rows(cut) if len(row) == 10} == {event.seq for event in events}


def test_a_damaged_file_is_kept_as_it_is_with_the_log_beside_it(path: Path, tmp_path: Path) -> None:
    written(path)
    with opened(path) as journal:
        for number in range(20):
            journal.append("note", {"n": 600 + number})
        events = list(journal.events())
        cut = tmp_path / "cut" / path.name
        cut.parent.mkdir()
        for name in (path.name, f"{path.name}-wal", path.with_suffix(".mark").name):
            shutil.copy(path.with_name(name), cut.with_name(name))
    content = bytearray(cut.read_bytes())
    lost = pages_of(content, LEAF)[-2]
    content[lost : lost + PAGE] = random.Random(0).randbytes(PAGE)
    cut.write_bytes(content)
    log = cut.with_name(cut.name + "-wal").read_bytes()
    with opened(cut) as journal:
        left = list(journal.events())
        assert left == events[: len(left)]
        assert f"{620 - len(left)} events after it are lost" in str(journal.notice)
        aside = journal.moved_aside
        assert aside is not None
        assert aside.read_bytes() == bytes(content)
        assert aside.with_name(aside.name + "-wal").read_bytes() == log


def test_rows_after_a_lost_one_are_told_as_lost_with_the_moment_up_to_which_all_is_there(path: Path) -> None:
    events = written(path)
    content = bytearray(path.read_bytes())
    lost = pages_of(content, LEAF)[-2]
    content[lost : lost + PAGE] = bytes(PAGE)
    path.write_bytes(content)
    with opened(path) as journal:
        left = list(journal.events())
        assert 0 < len(left) < 600
        assert left == events[: len(left)]
        notice = str(journal.notice)
        assert "What was written up to 2026-11-29 " in notice
        assert f"{600 - len(left)} events after it are lost" in notice


@pytest.mark.parametrize("seed", range(40))
def test_no_damage_makes_up_an_event(path: Path, seed: int) -> None:
    """Whatever is written over a file, what comes back is what was there, or nothing."""
    events = written(path, 60)
    chance, content = random.Random(seed), bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 10, 200))):
        at = chance.randrange(len(content))
        some = chance.choice((1, 8, 500))
        content[at : at + some] = chance.choice((bytes(some), chance.randbytes(some), b"\xff" * some))
    path.write_bytes(content)
    with opened(path) as journal:
        left = list(journal.events())
        assert left == events[: len(left)]


def test_a_file_that_is_no_database_has_no_rows(tmp_path: Path) -> None:
    for number in range(30):
        path = tmp_path / f"{number}.sqlite3"
        content = bytearray(random.Random(number).randbytes(3 * PAGE))
        content[PAGE] = LEAF
        path.write_bytes(content)
        assert not [row for row in rows(path) if len(row) == 10]


def test_the_first_release_is_read_as_well(tmp_path: Path) -> None:
    first = tmp_path / "first.sqlite3"
    shutil.copy(Path(__file__).parent / "journals" / first.name, first)
    assert {row[0] for row in rows(first) if len(row) == 9} == {event.seq for event in read_events(first)}
