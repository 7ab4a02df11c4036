"""The dice that a table was taught: a folder with one file for each lesson, written whole or not at all."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.game import GameError, InvalidInput
from engine.words import say

if TYPE_CHECKING:
    from vision.classify import Classifier
    from vision.enrol import Lesson, Which

log = logging.getLogger(__name__)

FOLDER = "dice"


class TaughtDice:
    """The lessons in `folder`, read once; `classifier` returns the networks. Safe for threads.

    A command that runs beside the table changes the same folder: `refresh` looks whether one did.
    """

    def __init__(self, folder: Path, classifier: Callable[[], Classifier]) -> None:
        self.folder = Path(folder)
        self._classifier = classifier
        self._lock = threading.RLock()
        self._known: dict[str, Lesson] = {}
        self._seen: frozenset[str] | None = None
        self.damaged: tuple[str, ...] = ()
        """Names of files in the folder that hold no lesson."""

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """All lessons, by die, value and id."""
        with self._lock:
            self.refresh()
            order = sorted(self._known.values(), key=lambda one: (one.which, one.value or 0, one.id))
        return tuple(order)

    def refresh(self) -> bool:
        """Read what has been added to the folder, let go what was taken away; return whether anything had changed."""
        from vision.enrol import EnrolError
        from vision.enrol_file import unpacked

        with self._lock:
            there = self._files()
            if there == self._seen:
                return False
            self._known = {name: one for name, one in self._known.items() if name in there}
            damaged = []
            for name in sorted(there - set(self._known)):
                path = self.folder / f"{name}.npz"
                try:
                    one, anew = unpacked(path.read_bytes(), self._classifier())
                    if one.id != name:
                        raise EnrolError(say("This file has another lesson's name."), "bad_file")
                    if anew:
                        self._write(one)
                    self._known[name] = one
                except (OSError, EnrolError, GameError) as error:
                    log.warning("a lesson could not be read (%s): %s", path, error)
                    damaged.append(path.name)
            self.damaged = tuple(damaged)
            self._seen = there
            return True

    def add(self, lessons: Iterable[Lesson]) -> int:
        """Keep `lessons` beside those that are there; return how many are new. Raises `GameError`."""
        from vision.enrol import EnrolError, fit_in

        with self._lock:
            before = {one.id: one for one in self.lessons}
            try:
                kept = {one.id: one for one in fit_in([*before.values(), *lessons])}
            except EnrolError as error:
                raise InvalidInput(error.code, error.message) from error
            fresh = [one for name, one in kept.items() if name not in before]
            for one in fresh:
                self._write(one)
            self._remove(set(before) - set(kept))
            self._known, self._seen = kept, self._files()
            return len(fresh)

    def forget(self, fits: Callable[[Lesson], bool]) -> int:
        """Forget the lessons that `fits`; return how many there were. Raises `GameError`."""
        with self._lock:
            gone = {one.id for one in self.lessons if fits(one)}
            self._remove(gone)
            self._known = {name: one for name, one in self._known.items() if name not in gone}
            self._seen = self._files()
            return len(gone)

    def exported(self) -> bytes:
        """Return all lessons as one file to carry to another table."""
        from vision.enrol_file import bundle

        return bundle(self.lessons, self._classifier().digest)

    def import_from(self, content: bytes) -> int:
        """Add the lessons of such a file; return how many are new. Raises `InvalidInput`; then nothing has changed."""
        from vision.enrol import EnrolError
        from vision.enrol_file import MOST_IN_ALL, unbundle

        if len(content) > MOST_IN_ALL:
            message = say(
                "This file is too large for taught dice. Nothing was changed. Take one that Jurado has written."
            )
            raise InvalidInput("bad_file", message, "file")
        try:
            lessons = unbundle(content, self._classifier())
        except EnrolError as error:
            raise InvalidInput(error.code, error.message, "file") from error
        return self.add(lessons)

    def _files(self) -> frozenset[str]:
        try:
            return frozenset(path.stem for path in self.folder.glob("*.npz"))
        except OSError:
            return frozenset()

    def _write(self, one: Lesson) -> None:
        from vision.enrol_file import packed

        path = self.folder / f"{one.id}.npz"
        half = path.with_suffix(".new")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with half.open("wb") as file:
                file.write(packed(one))
                file.flush()
                os.fsync(file.fileno())
            half.replace(path)
        except OSError as error:
            with contextlib.suppress(OSError):
                half.unlink()
            raise self._unwritable(error) from error

    def _remove(self, names: Iterable[str]) -> None:
        for name in names:
            try:
                (self.folder / f"{name}.npz").unlink(missing_ok=True)
            except OSError as error:
                raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> GameError:
        return GameError(
            "dice_unwritable",
            say(
                "The folder {folder} cannot be written ({why}). Not everything was kept. Free some space, or make it "
                "writable, then do it again.",
                folder=self.folder,
                why=error.strerror,
            ),
        )


def fits_words(words: str) -> Callable[[Lesson], bool]:
    """Return the test for `all`, a lesson's id, or a die: "black d20", "ivory d6 (pips)". Raises `InvalidInput`."""
    wanted = " ".join(words.split()).lower()
    if wanted == "all":
        return lambda _: True
    return lambda one: wanted in (one.id, str(one.which).lower())


def told_dice(lessons: Iterable[Lesson]) -> list[tuple[Which, list[Lesson]]]:
    """Return the lessons by die, in their order."""
    dice: dict[Which, list[Lesson]] = {}
    for one in lessons:
        dice.setdefault(one.which, []).append(one)
    return list(dice.items())
