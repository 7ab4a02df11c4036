"""A table's games, settings, taught dice and cameras in one file, and back again; the old ones are never lost."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from device.calibration import FOLDER as CAMERAS
from device.config import FILE_NAME
from device.taught import FOLDER as DICE
from engine.game import GameError, InvalidInput
from engine.journal import LOCK, JournalBusy, JournalError, hold_folder, read_events
from engine.words import say

MANIFEST = "jurado-backup.json"
JOURNAL = "journal.sqlite3"
PHOTOS = "photos"
VERSION = 1

MOST = 20_000_000_000
"""Bytes that a backup may unfold to."""


class Elsewhere:
    """Copies each backup of the journal into another folder, such as a USB stick's, and keeps the newest `keep`."""

    def __init__(self, folder: Path, keep: int) -> None:
        self.folder = folder
        self.keep = keep

    def copy(self, backup: Path) -> None:
        """Copy one. Raises `JournalError` where the folder cannot be written to."""
        target = self.folder / f"jurado-{backup.name}"
        half = target.with_suffix(".half")
        try:
            shutil.copyfile(backup, half)
            with half.open("rb") as file:
                os.fsync(file.fileno())
            half.replace(target)
            for old in sorted(self.folder.glob("jurado-journal-*.sqlite3"), reverse=True)[self.keep :]:
                old.unlink()
        except OSError as error:
            with contextlib.suppress(OSError):
                half.unlink(missing_ok=True)
            raise JournalError(
                "backup_failed",
                say(
                    "The copy in {folder} could not be written ({why}). The game itself is safe, and so is its copy "
                    "beside it. Put the stick in, or free some space there.",
                    folder=self.folder,
                    why=error.strerror,
                ),
            ) from error


def back_up(home: Path, target: Path, *, photos: bool = False) -> int:
    """Write all of a table but its keys into the file `target`, also while it is played; return how many events.

    Raises `GameError`; an old file of that name stays as it was then.
    """
    events = len(read_events(home / JOURNAL))
    half = target.with_name(f".{target.name}.half")
    try:
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as file:
            about = {"version": VERSION, "made": datetime.now(UTC).isoformat(timespec="seconds"), "events": events}
            file.writestr(MANIFEST, json.dumps(about, indent=1))
            with _copied(home / JOURNAL) as journal:
                file.write(journal, JOURNAL)
            for path in _others(home, photos=photos):
                file.write(path, path.relative_to(home).as_posix())
        with half.open("rb") as written:
            os.fsync(written.fileno())
        half.replace(target)
    except (OSError, sqlite3.Error) as error:
        with contextlib.suppress(OSError):
            half.unlink(missing_ok=True)
        raise GameError(
            "backup_failed",
            say(
                "The backup {file} could not be written ({why}). Nothing was changed. Free some space, or name another "
                "place.",
                file=target,
                why=getattr(error, "strerror", None) or error,
            ),
        ) from error
    return events


def restore(home: Path, source: Path) -> tuple[int, Path | None]:
    """Put a backup in the place of what is in `home`; return how many events it holds, and where the old things are.

    Raises `JournalBusy` while a table runs there, `InvalidInput` for what is no backup; nothing has changed then.
    """
    try:
        with _held(home):
            fresh = Path(tempfile.mkdtemp(prefix=".restoring-", dir=home))
            try:
                names = _unfolded(source, fresh)
                try:
                    events = len(read_events(fresh / JOURNAL))
                except JournalError as error:
                    raise _no_backup(source, error.message) from error
                aside = _set_aside(home, names)
                for name in names:
                    (fresh / name).replace(home / name)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
    except JournalBusy:
        raise
    except OSError as error:
        raise GameError(
            "restore_failed",
            say(
                "The backup could not be put back ({why}). What was there is still there, or in a folder beside it.",
                why=error.strerror,
            ),
        ) from error
    return events, aside


@contextlib.contextmanager
def _held(home: Path) -> Iterator[None]:
    """Hold the folder, which is made where there is none; where something fails, no new one is left, nor a new lock."""
    made = [folder for folder in (home, *home.parents) if not folder.exists()]
    locked = (home / LOCK).exists()
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o750)
        held = hold_folder(home)
        try:
            yield
        except BaseException:
            if not locked:
                (home / LOCK).unlink(missing_ok=True)
            raise
        finally:
            held.close()
    except BaseException:
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def _unfolded(source: Path, folder: Path) -> list[str]:
    """Unfold a backup into `folder`; return the names at its top. Raises `InvalidInput`."""
    try:
        with zipfile.ZipFile(source) as file:
            about: Any = json.loads(file.read(MANIFEST))
            if about.get("version") != VERSION:
                raise _no_backup(source, say("it is of a newer Jurado"))
            parts = [part for part in file.infolist() if part.filename != MANIFEST]
            if sum(part.file_size for part in parts) > MOST or not all(_belongs(part.filename) for part in parts):
                raise _no_backup(source, say("it holds what no backup holds"))
            for part in parts:
                file.extract(part, folder)
    except InvalidInput:
        raise
    except (OSError, ValueError, KeyError, AttributeError, RuntimeError, zipfile.BadZipFile) as error:
        raise _no_backup(source, getattr(error, "strerror", None) or error) from error
    return sorted({PurePosixPath(part.filename).parts[0] for part in parts})


def _belongs(name: str) -> bool:
    """Return whether a file of this name may be in a backup."""
    parts = PurePosixPath(name).parts
    if len(parts) == 1:
        return name in (JOURNAL, FILE_NAME)
    endings = {CAMERAS: (".json",), DICE: (".npz",), PHOTOS: (".jpg", ".json")}
    return len(parts) == 2 and parts[1] != ".." and parts[1].endswith(endings.get(parts[0], ()))


def _set_aside(home: Path, names: list[str]) -> Path | None:
    """Move what a backup will replace into a folder of its own; return that, None where there was nothing."""
    there = [home / name for name in names if (home / name).exists()]
    # What belongs to the journal that goes: its tail, how far it was written, and the copies of its further course.
    beside = (f"{JOURNAL}-wal", f"{JOURNAL}-shm", "journal.mark", "backups")
    there += [home / name for name in beside if (home / name).exists()]
    if not there:
        return None
    number = 1
    while (aside := home / f"before-restore-{number}").exists():
        number += 1
    aside.mkdir()
    for path in there:
        path.replace(aside / path.name)
    return aside


def _others(home: Path, *, photos: bool) -> list[Path]:
    kinds = [(CAMERAS, "*.json"), (DICE, "*.npz"), *([(PHOTOS, "*.jpg"), (PHOTOS, "*.json")] if photos else [])]
    settings = home / FILE_NAME
    found = [path for folder, kind in kinds for path in sorted((home / folder).glob(kind))]
    return [settings, *found] if settings.exists() else found


@contextlib.contextmanager
def _copied(journal: Path) -> Iterator[Path]:
    """Have a whole copy of a journal that may be written meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / JOURNAL
        db = sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)
        try:
            db.execute("VACUUM INTO ?", (str(copy),))
        finally:
            db.close()
        yield copy


def _no_backup(source: Path, why: object) -> InvalidInput:
    message = say(
        "{file} is no backup that can be put back ({why}). Nothing was changed. "
        "Take one that “jurado backup” has made.",
        file=source,
        why=str(why).rstrip("."),
    )
    return InvalidInput("bad_backup", message, "file")
