"""The append-only log of a table in one SQLite file: what it holds survives a pulled plug."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from engine.game import GameError, InvalidInput, canonical_json
from engine.salvage import rows
from engine.words import say, say_many

SCHEMA_VERSION = 1
LOCK = "jurado.lock"
"""File by which a process holds the folder that it lies in."""

BACKUPS_KEPT = 5
_ROOM_TO_OPEN = 200_000
"""Bytes that SQLite may need beside the journal to open it."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    table_id TEXT NOT NULL,
    game_id TEXT,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    client_id TEXT UNIQUE,
    payload TEXT NOT NULL,
    sum INTEGER
);
CREATE INDEX IF NOT EXISTS events_of_game ON events (game_id, seq);
CREATE INDEX IF NOT EXISTS events_of_kind ON events (kind, seq);
CREATE TRIGGER IF NOT EXISTS events_never_change BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS events_never_go BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
_COLUMNS = "seq, id, table_id, game_id, at, kind, client_id, payload"
_INSERT = f"INSERT INTO events ({_COLUMNS}, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_WITH_SUMS = f"SELECT {_COLUMNS}, sum FROM events"
_WITHOUT_SUMS = f"SELECT {_COLUMNS}, NULL FROM events"
"""The journals of the first tables have no sums."""


class JournalError(GameError):
    """The journal cannot be opened or written; the game stays as it was."""


class JournalBusy(JournalError, BlockingIOError):
    """Another process has this folder."""


class JournalFull(JournalError, OSError):
    """There is no room left to write the event."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: `seq` counts from 1, `id` is unique over all tables, `at` is ISO 8601 text."""

    seq: int
    id: str
    table_id: str
    game_id: str | None
    at: str
    kind: str
    client_id: str | None
    payload: dict[str, Any]


class Journal:
    """The one writer of a table's log.

    `now` returns the present moment as ISO 8601 text. A file that fails its check, or lacks what was written last, is
    moved aside, what can still be read of it and of the backups is taken over, and `notice` says so. Raises
    `JournalBusy` when another process has the folder. `backups` is how many are kept; `after_backup` is handed each
    new one, and may raise `JournalError`.
    """

    def __init__(
        self, path: Path, table_id: str | None = None, *, now: Callable[[], str], backups: int = BACKUPS_KEPT
    ) -> None:
        self.path = Path(path)
        self.after_backup: Callable[[Path], None] = lambda _: None
        self._kept = backups
        self.notice: str | None = None
        self.problem: str | None = None
        """Why the last event could not be written; None once one was."""
        self.moved_aside: Path | None = None
        self._now = now
        self._write = threading.Lock()
        self._read = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
            self._lock_file = hold_folder(self.path.parent)
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(
                "journal_unwritable",
                say(
                    "The folder {folder} cannot be used ({why}). No game can be kept there. "
                    "Make it writable, or name another folder with JURADO_HOME.",
                    folder=self.path.parent,
                    why=error.strerror,
                ),
            ) from error
        try:
            self._db, self.table_id, self.last_seq, self.newest_at = self._open(table_id)
            # Whoever reads need not wait for the disk that an event is being written to.
            self._reading = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
            self._reading.execute("PRAGMA query_only = 1")
            self._mark = _Mark(self.path)
            self._mark.put(self.table_id, self.last_seq)
        except BaseException:
            self._lock_file.close()
            raise

    def append(
        self, kind: str, payload: Mapping[str, Any], *, game_id: str | None = None, client_id: str | None = None
    ) -> Event:
        """Return the event, once it is on the disk. Raises `JournalFull`, and then nothing was written."""
        text = as_text(payload)
        with self._write:
            seq, event_id = self.last_seq + 1, self.fresh_id()
            event = Event(seq, event_id, self.table_id, game_id, self._now(), kind, client_id, json.loads(text))
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute(_INSERT, _row(event))
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                unwritten = self._unwritten(error)
                self.problem = unwritten.message
                raise unwritten from error
            self.problem = None
            self.last_seq = event.seq
            self.newest_at = max(self.newest_at, event.at)
            self._mark.put(self.table_id, event.seq)
            return event

    def events(self, game_id: str | None = None, *, kinds: tuple[str, ...] = ()) -> Iterator[Event]:
        """Yield the events in order: all, one game's, or those of some kinds."""
        where, values = "1", []
        if game_id is not None:
            where, values = "game_id = ?", [game_id]
        if kinds:
            where += f" AND kind IN ({', '.join('?' * len(kinds))})"
            values += kinds
        return iter(self._rows(f"{where} ORDER BY seq", values))

    def last_of(self, game_id: str) -> int:
        """Return the number of a game's last event, 0 where there is none."""
        return max((event.seq for event in self._rows("game_id = ? ORDER BY seq DESC LIMIT 1", [game_id])), default=0)

    def of_client(self, client_id: str) -> Event | None:
        """Return the event that a client asked for under its own `client_id`, or None."""
        return next(iter(self._rows("client_id = ?", [client_id])), None)

    def fresh_id(self) -> str:
        """Return an id that no table has used: this table's id, the next place in its log, and chance."""
        return f"{self.table_id}-{self.last_seq + 1}-{secrets.token_hex(4)}"

    def backup(self) -> Path:
        """Return a whole copy of the journal, written beside it in `backups/`; the newest few are kept.

        Raises `JournalError`; the journal itself is not touched, and can be written meanwhile.
        """
        folder = self.path.parent / "backups"
        target = folder / f"journal-{self.last_seq:08d}.sqlite3"
        half = target.with_suffix(".half")
        try:
            folder.mkdir(exist_ok=True)
            half.unlink(missing_ok=True)
            source = sqlite3.connect(self.path)
            try:
                source.execute("VACUUM INTO ?", (str(half),))
            finally:
                source.close()
            _to_disk(half)
            half.replace(target)
            for old in self._backups()[self._kept :]:
                old.unlink()
        except (sqlite3.Error, OSError) as error:
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)
            raise JournalError(
                "backup_failed",
                say(
                    "The backup in {folder} could not be written ({why}). The game itself is safe in the journal. "
                    "Free some space there.",
                    folder=folder,
                    why=error,
                ),
            ) from error
        self.after_backup(target)
        return target

    def close(self) -> None:
        """Let go of the file and the folder."""
        with self._write, self._read:
            self._reading.close()
            self._db.close()
            self._mark.close()
            self._lock_file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _rows(self, where: str, values: list[str]) -> list[Event]:
        try:
            with self._read:
                rows = self._reading.execute(f"{_WITH_SUMS} WHERE {where}", values).fetchall()
            return [_event(row) for row in rows]
        except (sqlite3.Error, ValueError) as error:
            raise JournalError(
                "journal_unreadable",
                say(
                    "The journal {path} cannot be read any more ({why}). What is in play goes on. "
                    "Start Jurado again: it saves what can be read.",
                    path=self.path,
                    why=error,
                ),
            ) from error

    def _open(self, table_id: str | None) -> tuple[sqlite3.Connection, str, int, str]:
        """Return the open file, the table's id, the number of the last event, and the latest time in it."""
        saved = self.path.with_suffix(".saved")
        if not self.path.exists() and saved.exists():
            saved.replace(self.path)  # power went between the two moves below
        try:
            written = _Mark.read(self.path)
            lost = not self.path.exists() or self.path.stat().st_size == 0
            if self._backups() if lost else not _is_sound(self.path, written):
                self._rescue(saved, written)
            db = _prepared(self.path, table_id)
            ((known,),) = db.execute("SELECT value FROM about WHERE key = 'table_id'")
            ((last, newest),) = db.execute("SELECT coalesce(max(seq), 0), coalesce(max(at), '') FROM events")
        except sqlite3.Error as error:
            raise self._unopened(error) from error
        return db, str(known), int(last), str(newest)

    def _backups(self) -> list[Path]:
        """Return the backups, the newest first."""
        return sorted((self.path.parent / "backups").glob("journal-*.sqlite3"), reverse=True)

    def _rescue(self, saved: Path, written: tuple[str, int] | None) -> None:
        """Put what can be read of a damaged file and of the backups in its place; the file itself is kept."""
        found: dict[int, Event] = {}
        for path in (self.path, *self._backups()):
            for seq, event in _salvaged(path).items():
                if not found or event.table_id == next(iter(found.values())).table_id:
                    found.setdefault(seq, event)
        events = _unbroken(found)
        there = max([*found, written[1] if written and events and written[0] == events[0].table_id else 0])
        saved.unlink(missing_ok=True)
        db = _prepared(saved, events[-1].table_id if events else None)
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN IMMEDIATE")
        db.executemany(_INSERT, map(_row, events))
        db.execute("COMMIT")
        db.close()
        self.moved_aside = self._move_aside()
        saved.replace(self.path)
        self.notice = self._rescued(events, max(0, there - len(events)))

    def _rescued(self, events: Sequence[Event], missing: int) -> str:
        count, last = len(events), events[-1].at if events else ""
        said = {"path": self.moved_aside, "moment": _as_people_say(last)}
        if not count:
            return say(
                "The journal was damaged, and nothing of it could be saved: this table begins anew. "
                "The damaged file is kept as {path}. Is there a copy? “jurado restore” puts it back.",
                **said,
            )
        if not missing:
            return say_many(
                "The journal was damaged, and {count} event of it could be saved, as far as can be told all. "
                "Compare the log with the table. The damaged file is kept as {path}.",
                "The journal was damaged, and {count} events of it could be saved, as far as can be told all. "
                "Compare the log with the table. The damaged file is kept as {path}.",
                count,
                **said,
            )
        return say_many(
            "The journal was damaged. What was written up to {moment} is saved; {count} event after it is lost. "
            "Compare the log with the table, and enter again what is missing. The damaged file is kept as {path}.",
            "The journal was damaged. What was written up to {moment} is saved; {count} events after it are lost. "
            "Compare the log with the table, and enter again what is missing. The damaged file is kept as {path}.",
            missing,
            **said,
        )

    def _move_aside(self) -> Path:
        number = 1
        while (aside := self.path.with_name(f"{self.path.stem}-damaged-{number}.sqlite3")).exists():
            number += 1
        for ending in ("", "-wal", "-shm"):
            part = self.path.with_name(self.path.name + ending)
            if part.exists():
                part.replace(aside.with_name(aside.name + ending))
        return aside

    def _roll_back(self) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            pass  # closed, or SQLite has rolled back by itself: either way nothing was written

    def _unopened(self, error: sqlite3.Error) -> JournalError:
        folder = self.path.parent
        if _is_full(error) or shutil.disk_usage(folder).free < _ROOM_TO_OPEN:
            return JournalFull(
                "disk_full",
                say(
                    "The disk is full, so the table was not started. Its games are kept as they were. "
                    "Free some space at {folder}, then start it again.",
                    folder=folder,
                ),
            )
        return JournalError(
            "journal_unopened",
            say(
                "The journal {path} could not be opened ({why}), so the table was not started. "
                "Its games are kept as they were. Check the disk and the rights of the folder, then start it again.",
                path=self.path,
                why=error,
            ),
        )

    def _unwritten(self, error: sqlite3.Error) -> JournalError:
        if _is_full(error):
            return JournalFull(
                "disk_full",
                say(
                    "The disk is full, so this was not written down and does not count. The game stays as it was. "
                    "Free some space at {folder} and do it again.",
                    folder=self.path.parent,
                ),
            )
        return JournalError(
            "journal_failed",
            say(
                "The journal could not be written ({why}), so this does not count. The game stays as it was. "
                "Check the disk that holds {path}, then do it again.",
                why=error,
                path=self.path,
            ),
        )


def _is_full(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "") == "SQLITE_FULL"


def read_events(path: Path, game_id: str | None = None) -> list[Event]:
    """Return the events of a journal, or of one of its games, also while it is written. Raises `JournalError`."""
    try:
        db = _looked_into(path)
        try:
            where = "" if game_id is None else " WHERE game_id = ?"
            values = () if game_id is None else (game_id,)
            return [_event(row) for row in db.execute(f"{_rows_of(db)}{where} ORDER BY seq", values)]
        finally:
            db.close()
    except (sqlite3.Error, ValueError) as error:
        raise JournalError(
            "journal_unreadable",
            say(
                "There is no readable journal at {path} ({why}). No game can be shown. "
                "Name the table's folder with --home or with JURADO_HOME.",
                path=path,
                why=error,
            ),
        ) from error


def _looked_into(path: Path) -> sqlite3.Connection:
    """Open a file that is not to be changed."""
    return sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)


def as_text(payload: Mapping[str, Any], field: str | None = None) -> str:
    """Return `payload`, which came as `field`, as one line of JSON.

    Raises `InvalidInput` when it cannot be written as JSON or as UTF-8.
    """
    try:
        text = canonical_json(payload)
        json.dumps(payload, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            "not_json",
            say(
                "This cannot be written down. Nothing was changed. "
                "Send plain JSON: objects, lists, UTF-8 texts, finite numbers, true, false and null."
            ),
            field,
        ) from error
    return text


def _row(event: Event) -> tuple[Any, ...]:
    *plain, payload = (getattr(event, name) for name in Event.__slots__)
    row = (*plain, canonical_json(payload))
    return (*row, _sum(row))


def _sum(row: Sequence[Any]) -> int:
    """Return the check sum (CRC-32) of a row's columns before it: SQLite has none of its own."""
    return zlib.crc32("\x1f".join("" if value is None else str(value) for value in row).encode())


def _event(row: tuple[Any, ...]) -> Event:
    """Return the event of a row and its sum. Raises `ValueError` for a row that is not as it was written."""
    *columns, known = row
    seq, id, table_id, game_id, at, kind, client_id, text = columns
    if not all(isinstance(value, str) for value in (id, table_id, at, kind, text)):
        raise ValueError(f"event {seq} is damaged")
    if known is not None and known != _sum(columns):
        raise ValueError(f"event {seq} is damaged")
    payload = json.loads(text)
    if not isinstance(payload, dict):
        raise ValueError(f"event {seq} is damaged")
    return Event(seq, id, table_id, game_id, at, kind, client_id, payload)


def _rows_of(db: sqlite3.Connection) -> str:
    """Return the query for all events of a file, which may be one of the first."""
    return (
        _WITH_SUMS if any(column[1] == "sum" for column in db.execute("PRAGMA table_info(events)")) else _WITHOUT_SUMS
    )


class _Mark:
    """How far a journal has been written, beside it: SQLite cannot tell that the end of a file was cut off.

    It is written after each event and never waited for: it may lag behind, but is never ahead of what was kept.
    """

    def __init__(self, path: Path) -> None:
        self._file: int | None = None
        with contextlib.suppress(OSError):
            self._file = os.open(path.with_suffix(".mark"), os.O_RDWR | os.O_CREAT, 0o640)

    @staticmethod
    def read(path: Path) -> tuple[str, int] | None:
        """Return the table's id and the number of the last event that was written, None where that is not known."""
        try:
            table_id, seq = path.with_suffix(".mark").read_text(encoding="ascii").split()
            return table_id, int(seq)
        except (OSError, ValueError):
            return None

    def put(self, table_id: str, seq: int) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError, UnicodeEncodeError):
                os.pwrite(self._file, f"{table_id} {seq:012d}\n".encode("ascii"), 0)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def hold_folder(folder: Path) -> Any:
    """Hold the folder until the file returned is closed or the process dies, however it dies.

    Raises `JournalBusy` when another process has it.
    """
    file = open(folder / LOCK, "a+", encoding="ascii")  # noqa: SIM115  (held open on purpose)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.seek(0)
        holder = file.read(20).strip()
        file.close()
        raise JournalBusy(
            "folder_busy",
            say(
                "Another Jurado (process {process}) is already using {folder}. "
                "Its game goes on; this one was not started. "
                "Stop the other one first, or name another folder with JURADO_HOME.",
                process=holder or "?",
                folder=folder,
            ),
        ) from error
    with contextlib.suppress(OSError):  # on a full disk the lock holds without its number
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
    return file


def _is_sound(path: Path, written: tuple[str, int] | None) -> bool:
    """Tell whether a file holds all that was `written` (the table's id, the last event's number), as it was."""
    try:
        # Only looked at: otherwise closing it moves what lies in the log beside the file into a file that is damaged.
        db = _looked_into(path)
        try:
            if db.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                return False
            if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone() is None:
                return True
            known = db.execute("SELECT value FROM about WHERE key = 'table_id'").fetchone()
            count = 0
            for row in db.execute(f"{_rows_of(db)} ORDER BY seq"):
                event, count = _event(row), count + 1
                if event.seq != count or known is None or event.table_id != known[0]:
                    return False
            return written is None or known is None or written[0] != known[0] or written[1] <= count
        finally:
            db.close()
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.DatabaseError) and _is_damage(error):
            return False
        raise
    except ValueError:
        return False


def _is_damage(error: sqlite3.Error) -> bool:
    """Tell whether SQLite complains of the content of a file, not of the disk or of who may use it."""
    code = getattr(error, "sqlite_errorcode", None)
    # Text that is no UTF-8 is an error of the module's own, which has no code.
    return code is None or code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def _prepared(path: Path, table_id: str | None) -> sqlite3.Connection:
    """Open a journal's file, made when it is not there yet. Raises `JournalError` when it is of a newer Jurado."""
    db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    written_by = int(db.execute("PRAGMA user_version").fetchone()[0])
    if written_by > SCHEMA_VERSION:
        db.close()
        raise JournalError(
            "journal_newer",
            say(
                "The journal {path} was written by a newer Jurado (format {format}). "
                "Nothing was changed. Update Jurado, or name another folder with JURADO_HOME.",
                path=path,
                format=written_by,
            ),
        )
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;")
    if _rows_of(db) == _WITHOUT_SUMS:
        db.execute("ALTER TABLE events ADD COLUMN sum INTEGER")
    db.execute("INSERT OR IGNORE INTO about VALUES ('table_id', ?)", (table_id or secrets.token_hex(6),))
    return db


def _salvaged(path: Path) -> dict[int, Event]:
    """Return every event of a damaged file that is still as it was written, by its number; the file stays as it is."""
    found: dict[int, Event] = {}
    with contextlib.suppress(OSError):
        for seq, *columns in rows(path):
            # The number of a row takes the place of its first column; rows of the first tables have no sum.
            if len(columns) in (8, 9) and columns[0] is None:
                with contextlib.suppress(ValueError):
                    event = _event((seq, *columns[1:], None)[:9])
                    found.setdefault(event.seq, event)
    return found


def _unbroken(found: Mapping[int, Event]) -> list[Event]:
    """Return the events from the first on, up to the first that is missing or repeats another's id."""
    events: list[Event] = []
    ids: set[str | None] = set()
    while (event := found.get(len(events) + 1)) is not None and ids.isdisjoint({event.id, event.client_id} - {None}):
        ids |= {event.id, event.client_id}
        events.append(event)
    return events


def _as_people_say(at: str) -> str:
    """Return an ISO moment in this machine's own time, to the minute; as it is where it is none."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return at


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
