"""The journal on real files: durable, append-only, one writer, honest about damage and a full disk."""

from __future__ import annotations

import itertools
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from engine.game import InvalidInput
from engine.journal import Event, Journal, JournalBusy, JournalError, JournalFull, read_events
from engine.table import Table

ROOT = Path(__file__).resolve().parents[2]


def clock():
    return map("2026-11-29T20:00:{:02d}Z".format, itertools.count()).__next__


def opened(path: Path, table_id: str | None = None) -> Journal:
    return Journal(path, table_id, now=clock())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.sqlite3"


def child(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_what_was_appended_is_read_again_after_closing(path: Path) -> None:
    with opened(path) as journal:
        first = journal.append("move", {"move": {"dice": [1, 2]}, "by": 0}, game_id="g", client_id="c1")
        second = journal.append("note", {"text": "Olá, São João"})
    with opened(path) as journal:
        assert list(journal.events()) == [first, second]
        assert list(journal.events("g")) == [first]
        assert list(journal.events(kinds=("note",))) == [second]
        assert journal.of_client("c1") == first
        assert journal.of_client("c2") is None
        assert (first.seq, second.seq, journal.last_seq) == (1, 2, 2)
        assert first.at == "2026-11-29T20:00:00Z"


def test_it_is_in_wal_mode_and_waits_for_the_disk(path: Path) -> None:
    with opened(path) as journal:
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_nothing_written_can_be_changed_or_taken_out(path: Path) -> None:
    with opened(path) as journal:
        journal.append("note", {})
        for statement in ("UPDATE events SET kind = 'x'", "DELETE FROM events"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                journal._db.execute(statement)


def test_ids_are_unique_over_copies_of_a_table_and_carry_its_id(tmp_path: Path) -> None:
    ids = set()
    for folder in ("a", "b"):
        with opened(tmp_path / folder / "journal.sqlite3", "table1") as journal:
            for _ in range(20):
                event = journal.append("note", {})
                assert event.id.startswith("table1-")
                assert event.table_id == "table1"
                ids.add(event.id)
    assert len(ids) == 40


def test_a_table_keeps_its_id(path: Path) -> None:
    with opened(path) as journal:
        table_id = journal.table_id
    with opened(path, "another") as journal:
        assert journal.table_id == table_id


def test_a_second_journal_on_the_folder_is_refused_until_the_first_closes(path: Path) -> None:
    with opened(path), pytest.raises(JournalBusy, match="already using") as refused:
        opened(path)
    assert f"process {os.getpid()}" in str(refused.value)
    opened(path).close()


HOLDER = """
import sys
from pathlib import Path
from engine.journal import Journal
journal = Journal(Path(sys.argv[1]), now=lambda: "now")
journal.append("note", {"n": 1})
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_second_process_is_refused_and_kill_9_frees_the_folder(path: Path) -> None:
    with child(HOLDER, path) as holder:
        assert holder.stdout.readline() == "ready\n"
        with pytest.raises(JournalBusy, match=f"process {holder.pid}"):
            opened(path)
        assert [event.payload for event in read_events(path)] == [{"n": 1}]
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with opened(path) as journal:
        assert [event.payload for event in journal.events()] == [{"n": 1}]
        assert journal.notice is None


WRITER = """
import sys
from pathlib import Path
from engine.journal import Journal
journal = Journal(Path(sys.argv[1]), now=lambda: "now")
for number in range(100_000):
    journal.append("note", {"n": number})
    print(number, flush=True)
"""


def test_every_event_that_was_confirmed_survives_kill_9_in_mid_write(path: Path) -> None:
    with child(WRITER, path) as writer:
        confirmed = -1
        for line in writer.stdout:
            confirmed = int(line)
            if confirmed == 20:
                writer.send_signal(signal.SIGKILL)
        writer.wait()
    with opened(path) as journal:
        numbers = [event.payload["n"] for event in journal.events()]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) > confirmed
        assert journal.notice is None


def test_a_full_disk_is_said_and_changes_nothing(path: Path) -> None:
    with opened(path) as journal:
        journal.append("note", {"n": 1})
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        journal._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalFull, match="The disk is full") as refused:
            journal.append("note", {"n": "x" * 20_000})
        assert refused.value.code == "disk_full"
        assert journal.last_seq == 1
        journal._db.execute("PRAGMA max_page_count = 1000000")
        event = journal.append("note", {"n": 2})
        assert event.seq == 2
    with opened(path) as journal:
        assert [event.payload["n"] for event in journal.events()] == [1, 2]


LIMITED = """
import resource, sys
from pathlib import Path
from engine.journal import Journal, JournalError
journal = Journal(Path(sys.argv[1]), now=lambda: "now")
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
written = 0
try:
    for _ in range(10_000):
        journal.append("note", {"n": written, "text": "x" * 5000})
        written += 1
except JournalError as error:
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    after = journal.append("note", {"n": written})
    print(written, journal.last_seq, after.seq, error.message)
"""


def test_a_file_that_may_not_grow_is_said_and_changes_nothing(path: Path) -> None:
    with child(LIMITED, path) as writer:
        out, err = writer.communicate()
    assert err == ""
    written, last, after, message = out.split(maxsplit=3)
    assert int(written) == int(after) - 1 == int(last) - 1
    assert "does not count" in message
    with opened(path) as journal:
        assert [event.payload["n"] for event in journal.events()] == list(range(int(written) + 1))


def fill(journal: Journal) -> None:
    for number in range(1000):
        journal.append("note", {"n": number, "text": "x" * 5000})


def filesystem_of(folder: Path, size: str) -> bool:
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    return done.returncode == 0


@pytest.mark.hardware
def test_a_file_system_with_no_room_is_said_and_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    if not filesystem_of(folder, "600k"):
        pytest.skip("needs the right to mount a tmpfs")
    try:
        with opened(folder / "journal.sqlite3") as journal:
            with pytest.raises(JournalFull, match="Free some space"):
                fill(journal)
            written = journal.last_seq
            assert 0 < written < 1000
            assert len(list(journal.events())) == written
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.hardware
def test_a_table_that_cannot_start_on_a_full_disk_says_so_and_starts_once_there_is_room(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    if not filesystem_of(folder, "600k"):
        pytest.skip("needs the right to mount a tmpfs")
    try:
        path, ballast = folder / "journal.sqlite3", folder / "ballast"
        with opened(path) as journal:
            journal.append("note", {"n": 1})
        subprocess.run(["dd", "if=/dev/zero", f"of={ballast}", "bs=4k"], capture_output=True, check=False)
        with pytest.raises(JournalFull, match="the table was not started"):
            opened(path)
        ballast.unlink()
        with opened(path) as journal:
            assert [event.payload["n"] for event in journal.events()] == [1]
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("loss", ["missing", "empty"])
def test_a_lost_journal_is_taken_from_its_newest_backup_and_said(path: Path, loss: str) -> None:
    with opened(path) as journal:
        journal.append("note", {"n": 1})
        table = journal.table_id
        journal.backup()
    path.unlink()
    if loss == "empty":
        path.touch()
    with opened(path) as journal:
        assert [event.payload["n"] for event in journal.events()] == [1]
        assert journal.table_id == table
        assert journal.notice is not None


def damaged(path: Path, offset: int, length: int) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(os.urandom(length))


def test_a_file_that_is_no_journal_is_kept_aside_and_said(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this was never a journal " * 400)
    with opened(path) as journal:
        assert journal.moved_aside == path.with_name("journal-damaged-1.sqlite3")
        assert journal.moved_aside.read_bytes().startswith(b"this was never")
        assert "damaged" in journal.notice
        assert journal.last_seq == 0
        journal.append("note", {})


def test_damage_in_the_middle_saves_the_events_before_it(path: Path) -> None:
    with opened(path) as journal:
        for number in range(300):
            journal.append("note", {"n": number, "text": "x" * 200})
        table_id = journal.table_id
    damaged(path, path.stat().st_size // 2, 4096 * 4)
    with opened(path) as journal:
        numbers = [event.payload["n"] for event in journal.events()]
        assert numbers == list(range(len(numbers)))
        assert f"{300 - len(numbers)} events after it are lost" in journal.notice
        assert journal.moved_aside.exists()
        assert journal.table_id == table_id
        assert journal.append("note", {}).seq == len(numbers) + 1


def test_a_damaged_file_is_taken_over_from_the_newest_backup(path: Path) -> None:
    with opened(path) as journal:
        first = journal.append("note", {"n": 1})
        journal.backup()
    damaged(path, 0, 8192)
    with opened(path) as journal:
        assert list(journal.events()) == [first]
        assert "1 event of it" in journal.notice


def test_a_power_cut_between_the_two_moves_of_a_rescue_loses_nothing(path: Path) -> None:
    with opened(path) as journal:
        event = journal.append("note", {"n": 1})
    path.rename(path.with_suffix(".saved"))
    with opened(path) as journal:
        assert list(journal.events()) == [event]
    assert not path.with_suffix(".saved").exists()


def test_a_damaged_row_that_sqlite_does_not_see_is_damage_too(path: Path) -> None:
    with opened(path) as journal:
        first = journal.append("note", {"n": 1})
        journal.append("note", {"n": 2, "mark": "find me"})
    content = path.read_bytes()
    assert content.count(b'"find me"') == 1
    path.write_bytes(content.replace(b'"find me"', b'"find me\x01'))
    with opened(path) as journal:
        assert list(journal.events()) == [first]
        assert journal.notice is not None


def test_a_second_damaged_file_does_not_overwrite_the_first(path: Path) -> None:
    path.parent.mkdir()
    for number in (1, 2):
        path.write_bytes(f"damage {number} ".encode() * 1000)
        with opened(path) as journal:
            assert journal.moved_aside.read_bytes().startswith(f"damage {number}".encode())
            assert journal.moved_aside.name == f"journal-damaged-{number}.sqlite3"


def test_a_journal_of_a_newer_jurado_is_left_alone(path: Path) -> None:
    with opened(path) as journal:
        journal._db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="newer Jurado"):
        opened(path)
    assert path.read_bytes() == before


def test_backups_are_whole_and_the_newest_five_are_kept(path: Path) -> None:
    with opened(path) as journal:
        for number in range(8):
            journal.append("note", {"n": number})
            newest = journal.backup()
        assert len(list((path.parent / "backups").iterdir())) == 5
        assert [event.payload["n"] for event in read_events(newest)] == list(range(8))


def test_a_backup_that_cannot_be_written_leaves_the_journal_working(path: Path) -> None:
    with opened(path) as journal:
        journal.append("note", {})
        (path.parent / "backups").write_text("in the way")
        with pytest.raises(JournalError, match="safe in the journal"):
            journal.backup()
        journal.append("note", {})


@pytest.mark.parametrize("payload", [{"x": float("nan")}, {"x": "\ud800"}, {"x": {1, 2}}, {"x": object()}])
def test_what_is_no_plain_json_is_refused(path: Path, payload: dict[str, object]) -> None:
    with opened(path) as journal, pytest.raises(InvalidInput, match="plain JSON"):
        journal.append("note", payload)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="JURADO_HOME"):
        opened(tmp_path / "file" / "journal.sqlite3")


def test_reading_a_journal_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no readable journal"):
        read_events(tmp_path / "nothing.sqlite3")
    assert not (tmp_path / "nothing.sqlite3").exists()


def told(path: Path, count: int = 300) -> list[Event]:
    """Write a journal of `count` moves and return its events."""
    with opened(path) as journal:
        for number in range(count):
            dice = [{"colour": "red", "value": number % 6 + 1}] * 4
            journal.append("move", {"move": {"move": "roll", "dice": dice}}, game_id="g", client_id=f"c{number}")
        return list(journal.events())


@pytest.mark.parametrize("damage", ["bit", "zeros", "noise", "another page", "cut"])
def test_no_damage_goes_unsaid_and_what_is_left_is_as_it_was(tmp_path: Path, damage: str) -> None:
    whole = tmp_path / "whole" / "journal.sqlite3"
    events = told(whole)
    content = whole.read_bytes()
    chance = random.Random(damage)
    saved = []
    for number in range(12):
        path = tmp_path / str(number) / "journal.sqlite3"
        path.parent.mkdir()
        harmed, page = bytearray(content), chance.randrange(1, len(content) // 4096) * 4096
        if damage == "bit":
            harmed[chance.randrange(len(harmed))] ^= 1 << chance.randrange(8)
        elif damage == "cut":
            del harmed[page:]
        else:
            other = chance.randrange(len(content) // 4096) * 4096
            new = {"zeros": bytes(4096), "noise": chance.randbytes(4096)}.get(damage, content[other : other + 4096])
            harmed[page : page + 4096] = new
        path.write_bytes(harmed)
        with opened(path) as journal:
            left = list(journal.events())
            assert left == events[: len(left)]
            if journal.notice is None:
                assert left == events
            else:
                assert journal.moved_aside is not None
                assert journal.moved_aside.read_bytes() == bytes(harmed), "the damaged file is kept as it was"
            assert all(journal.of_client(f"c{at}") == event for at, event in enumerate(left))
            assert journal.append("note", {}).seq == len(left) + 1
        saved.append(len(left))
    assert sum(saved) > 0


def test_a_changed_row_is_found_while_the_table_runs(path: Path) -> None:
    with opened(path) as journal:
        journal.append("note", {"die": 3}, client_id="c")
        db = sqlite3.connect(path)
        db.execute("DROP TRIGGER events_never_change")
        db.execute("""UPDATE events SET payload = '{"die":4}'""")
        db.commit()
        db.close()
        with pytest.raises(JournalError, match="cannot be read any more"):
            journal.of_client("c")


def test_the_end_of_a_journal_that_is_cut_off_is_missed(path: Path) -> None:
    events = told(path, 5)
    older = path.with_name("older")
    shutil.copy(path, older)
    with opened(path) as journal:
        journal.append("note", {"n": 6})
    shutil.copy(older, path)  # as when the log beside the file is lost: SQLite alone sees nothing wrong
    with opened(path) as journal:
        assert list(journal.events()) == events
        assert "1 event after it is lost. Compare the log with the table" in journal.notice
        assert journal.moved_aside is not None
    with opened(path) as journal:
        assert journal.notice is None, "it is said once, at the start that found it"


def test_another_tables_journal_put_in_its_place_is_none_that_was_cut(path: Path, tmp_path: Path) -> None:
    told(path, 5)
    other = tmp_path / "other" / "journal.sqlite3"
    told(other, 2)
    shutil.copy(other, path)
    with opened(path) as journal:
        assert journal.notice is None
        assert journal.last_seq == 2


def test_a_backup_fills_the_gap_that_damage_left(path: Path) -> None:
    with opened(path) as journal:
        for number in range(200):
            journal.append("note", {"n": number, "text": "x" * 300})
        journal.backup()
        for number in range(200, 400):
            journal.append("note", {"n": number, "text": "x" * 300})
        events = list(journal.events())
    content = bytearray(path.read_bytes())
    at = content.index(b'"n":100,')
    content[at] ^= 1
    path.write_bytes(content)
    with opened(path) as journal:
        assert list(journal.events()) == events
        assert "400 events of it could be saved, as far as can be told all" in journal.notice


FIRST = Path(__file__).parent / "journals" / "first.sqlite3"
"""A journal that the first Jurado wrote (commit 24b8974): one whole game of Carnavalesco, and one that is open."""


def test_a_journal_of_the_first_release_is_played_on(path: Path) -> None:
    path.parent.mkdir()
    shutil.copy(FIRST, path)
    known = read_events(path)
    with opened(path) as journal:
        assert list(journal.events()) == known
        table = Table(journal)
        assert (table.notice, table.version) == (None, len(known))
        open_game, finished = table.games()
        assert (open_game["status"], finished["status"]) == ("open", "finished")
        assert finished["result"]["ranking"]
        assert table.game is not None
        table.apply(next(iter(table.game.legal_moves(table.state))))
        version, state = table.version, table.game.dump(table.state)
    with opened(path) as journal:
        again = Table(journal)
        assert again.game is not None
        assert (again.version, again.game.dump(again.state)) == (version, state)
        assert journal.notice is None
