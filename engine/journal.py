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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.game import GameError, InvalidInput, canonical_json
from engine.words import say, say_many

SCHEMA_VERSION = 1
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
    payload TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS events_of_game ON events (game_id, seq);
CREATE INDEX IF NOT EXISTS events_of_kind ON events (kind, seq);
CREATE TRIGGER IF NOT EXISTS events_never_change BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS events_never_go BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
_COLUMNS = "seq, id, table_id, game_id, at, kind, client_id, payload"
_UNREADABLE_ROWS = "SELECT count(*) FROM events WHERE NOT json_valid(payload)"
_INSERT = f"INSERT INTO events ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


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

    `now` returns the present moment as ISO 8601 text. A file that fails its check is moved aside, what can still be
    read of it (or of the newest backup) is taken over, and `notice` says so. Raises `JournalBusy` when another
    process has the folder.
    """

    def __init__(self, path: Path, table_id: str | None = None, *, now: Callable[[], str]) -> None:
        self.path = Path(path)
        self.notice: str | None = None
        self.moved_aside: Path | None = None
        self._now = now
        self._write = threading.Lock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock_file = _lock(self.path.parent)
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
            self._db = self._open(table_id)
            self.table_id = str(self._about("table_id"))
            self.last_seq = int(self._db.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0])
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
                raise self._unwritten(error) from error
            self.last_seq = event.seq
            return event

    def events(self, game_id: str | None = None, *, kinds: tuple[str, ...] = ()) -> Iterator[Event]:
        """Yield the events in order: all, one game's, or those of some kinds."""
        where, values = "1", []
        if game_id is not None:
            where, values = "game_id = ?", [game_id]
        if kinds:
            where += f" AND kind IN ({', '.join('?' * len(kinds))})"
            values += kinds
        return map(_event, self._rows(f"{where} ORDER BY seq", values))

    def last_of(self, game_id: str) -> int:
        """Return the number of a game's last event, 0 where there is none."""
        return max((row[0] for row in self._rows("game_id = ? ORDER BY seq DESC LIMIT 1", [game_id])), default=0)

    def of_client(self, client_id: str) -> Event | None:
        """Return the event that a client asked for under its own `client_id`, or None."""
        return next(map(_event, self._rows("client_id = ?", [client_id])), None)

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
            for old in self._backups()[BACKUPS_KEPT:]:
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
        return target

    def close(self) -> None:
        """Let go of the file and the folder."""
        with self._write:
            self._db.close()
            self._lock_file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _rows(self, where: str, values: list[str]) -> list[tuple[Any, ...]]:
        try:
            with self._write:
                return self._db.execute(f"SELECT {_COLUMNS} FROM events WHERE {where}", values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(
                "journal_unreadable",
                say(
                    "The journal {path} cannot be read any more ({why}). What is in play goes on. "
                    "Start Jurado again: it saves what can be read.",
                    path=self.path,
                    why=error,
                ),
            ) from error

    def _open(self, table_id: str | None) -> sqlite3.Connection:
        saved = self.path.with_suffix(".saved")
        if not self.path.exists() and saved.exists():
            saved.replace(self.path)  # power went between the two moves below
        try:
            lost = not self.path.exists() or self.path.stat().st_size == 0
            if self._backups() if lost else not _is_sound(self.path):
                self._rescue(saved)
            return _prepared(self.path, table_id)
        except sqlite3.Error as error:
            raise self._unopened(error) from error

    def _backups(self) -> list[Path]:
        """Return the backups, the newest first."""
        return sorted((self.path.parent / "backups").glob("journal-*.sqlite3"), reverse=True)

    def _rescue(self, saved: Path) -> None:
        """Put what can be read of a damaged file, or of the best backup, in its place; the file itself is kept."""
        events = max(map(_readable, [self.path, *self._backups()]), key=len)
        saved.unlink(missing_ok=True)
        db = _prepared(saved, events[-1].table_id if events else None)
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN IMMEDIATE")
        db.executemany(_INSERT, map(_row, events))
        db.execute("COMMIT")
        db.close()
        self.moved_aside = self._move_aside()
        saved.replace(self.path)
        self.notice = say_many(
            "The journal was damaged, and {count} event of it could be saved. "
            "The last moves may be missing: compare the log with the table. The damaged file is kept as {path}.",
            "The journal was damaged, and {count} events of it could be saved. "
            "The last moves may be missing: compare the log with the table. The damaged file is kept as {path}.",
            len(events),
            path=self.moved_aside,
        )

    def _about(self, key: str) -> Any:
        return self._db.execute("SELECT value FROM about WHERE key = ?", (key,)).fetchone()[0]

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
        db = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
        try:
            where = "" if game_id is None else " WHERE game_id = ?"
            values = () if game_id is None else (game_id,)
            return [_event(row) for row in db.execute(f"SELECT {_COLUMNS} FROM events{where} ORDER BY seq", values)]
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
    return (*plain, canonical_json(payload))


def _event(row: tuple[Any, ...]) -> Event:
    seq, id, table_id, game_id, at, kind, client_id, text = row
    return Event(seq, id, table_id, game_id, at, kind, client_id, json.loads(text))


def _lock(folder: Path) -> Any:
    """Hold the folder until the file returned is closed or the process dies, however it dies."""
    file = open(folder / "jurado.lock", "a+", encoding="ascii")  # noqa: SIM115  (held open on purpose)
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


def _is_sound(path: Path) -> bool:
    try:
        db = sqlite3.connect(path)
        try:
            if db.execute("PRAGMA quick_check").fetchone() != ("ok",):
                return False
            if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'events'").fetchone() is None:
                return True
            return bool(db.execute(_UNREADABLE_ROWS).fetchone() == (0,))
        finally:
            db.close()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return False
        raise


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
    db.execute("INSERT OR IGNORE INTO about VALUES ('table_id', ?)", (table_id or secrets.token_hex(6),))
    return db


def _readable(path: Path) -> list[Event]:
    """Return the unbroken first events of a file, as far as it can be read; the file stays as it is."""
    found: list[Event] = []
    ids: set[str | None] = set()
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            for row in db.execute(f"SELECT {_COLUMNS} FROM events ORDER BY seq"):
                event = _event(row)
                fresh = ids.isdisjoint({event.id, event.client_id} - {None})
                if event.seq != len(found) + 1 or not fresh or not isinstance(event.payload, dict):
                    break
                ids |= {event.id, event.client_id}
                found.append(event)
        finally:
            db.close()
    except (sqlite3.Error, ValueError):
        pass  # what was read before the damage is what there is
    return found


def _to_disk(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())
