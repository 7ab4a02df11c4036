"""Teaching at the table: rolls that people have confirmed become lessons, and the reader knows them from then on."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.loading import LoadingReader
from device.naming import known_names
from device.photos import PHOTO_URL
from device.proposal import Proposal, ProposedDie
from device.taught import TaughtDice, fits_words, told_dice
from engine.dice import DieState
from engine.game import GameError, IllegalMove
from engine.words import Sentence, say, say_many

if TYPE_CHECKING:
    from vision.enrol import Which

log = logging.getLogger(__name__)

PATIENCE = 30.0
"""Seconds that the end of teaching is waited for."""
ENOUGH = 3
"""Pictures of a face from which on a roll that was read without a correction teaches nothing more."""


class Teaching:
    """Keeps the table's lessons in `folder` and hands them to the reader.

    `photos` is the folder of the kept photographs, `tints` returns the fills that the table gave its colours;
    `corrections`: every confirmed roll teaches. Safe for threads. What takes long and nobody waits for (`later`)
    runs on a thread of its own, so that the next roll is read meanwhile.
    """

    def __init__(
        self,
        folder: Path,
        reader: LoadingReader,
        photos: Path,
        tints: Callable[[], Mapping[str, str]],
        *,
        corrections: bool = False,
    ) -> None:
        self.corrections = corrections
        self.taught = TaughtDice(folder, self._classifier)
        self._reader = reader
        self._photos = photos
        self._tints = tints
        self._lock = threading.Lock()
        self._applying = threading.Lock()
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self.notice: Sentence | str | None = None
        """What became of the last roll that was to be taught."""
        self.busy = False
        """Whether a roll waits to be taught."""
        reader.subscribe(self.apply)

    def apply(self) -> None:
        """Let the reader know what is taught by now; nothing happens where there is no reader."""
        reader = self._reader.loaded
        if reader is None or not hasattr(reader, "teach"):
            return
        with self._applying:
            try:
                lessons = self.taught.lessons
                colours = {one.which.colour for one in lessons}
                reader.teach(lessons, known_names(colours, self._tints()))
            except Exception:
                log.exception("what the table was taught could not be used; dice are read as before")

    @property
    def colours(self) -> frozenset[str]:
        """The colours that the reader knows from lessons."""
        reader = self._reader.loaded
        taught = getattr(reader, "taught", None)
        return frozenset() if taught is None else frozenset(taught.colours)

    def told(self) -> dict[str, Any]:
        """Return what is known, for the page: each die with its faces and pictures, and what is doubtful."""
        reader = self._reader.loaded
        taught = getattr(reader, "taught", None)
        doubtful = {one.lesson.id: one for one in taught.doubtful} if taught is not None else {}
        dice = []
        for which, some in told_dice(self.taught.lessons):
            shown = [one for one in some if one.value is not None]
            faces = {
                value: [one.id for one in shown if one.value == value] for value in range(1, which.shape.faces + 1)
            }
            dice.append(
                {
                    "die": str(which),
                    "shape": which.shape.value,
                    "colour": which.colour,
                    "name": which.name,
                    "faces": faces if shown else {},
                    "missing": [value for value, ids in faces.items() if not ids] if shown else [],
                    "colour_only": [one.id for one in some if one.value is None],
                    "doubtful": [one.id for one in some if one.id in doubtful],
                }
            )
        return {
            "dice": dice,
            "damaged": list(self.taught.damaged),
            "corrections": self.corrections,
            "busy": self.busy,
            "notice": self.notice,
        }

    def picture(self, name: str) -> bytes | None:
        """Return the JPEG of the lesson with this id, None when there is none."""
        return next((one.picture for one in self.taught.lessons if one.id == name), None)

    def forget(self, words: str) -> int:
        """Forget a die, one lesson or all (`fits_words`); return how many lessons there were. Raises `GameError`."""
        count = self.taught.forget(fits_words(words))
        self.apply()
        return count

    def import_from(self, content: bytes) -> int:
        """Add the lessons of a file that was exported; return how many are new. Raises `GameError`."""
        count = self.taught.import_from(content)
        self.apply()
        return count

    @staticmethod
    def teachable(proposal: Proposal) -> None:
        """Raise `IllegalMove` unless this roll can be taught: photographed, and nothing in it doubtful."""
        if proposal.photo is None or not any(die.box for die in proposal.dice):
            raise IllegalMove(
                "no_photo", say("These dice were not photographed, so nothing can be learned. Photograph them first.")
            )
        if proposal.doubtful or not all(die.complete for die in proposal.dice):
            raise IllegalMove(
                "doubtful_dice",
                say("Some dice are still doubtful. Nothing was taught. Tap them to say what they are, then teach."),
                "proposal",
            )

    def learn(self, proposal: Proposal, *, colours_only: bool = False, names: Mapping[int, str] | None = None) -> int:
        """Make lessons of all dice of a roll; return how many are new. `names` names dice by their index.

        Raises `GameError`.
        """
        self.teachable(proposal)
        return self._learn(proposal, [die for die in proposal.dice if die.box], colours_only, names or {}, False)

    def later(self, proposal: Proposal, **how: Any) -> None:
        """Teach a roll that can be taught, on the thread; `notice` says what became of it, `busy` when."""
        self.teachable(proposal)
        self.busy = True
        self._do(lambda: self._noted(proposal, **how))

    def confirmed(self, proposal: Proposal) -> None:
        """Learn from a confirmed roll on the thread, where that is wanted."""
        if self.corrections and proposal.photo is not None:
            self._do(lambda: self.learn_confirmed(proposal))

    def close(self) -> None:
        """Stop once what was begun is done."""
        if self._thread is not None:
            self._work.put(None)
            self._thread.join(PATIENCE)

    def _do(self, work: Callable[[], None]) -> None:
        self._work.put(work)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="teaching", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            try:
                work()
            except Exception:
                log.exception("teaching stumbled and goes on")

    def learn_confirmed(self, proposal: Proposal) -> None:
        """Make lessons of what a confirmed roll has to tell; whatever fails, the game goes on."""
        from vision.enrol import Which

        counts: dict[tuple[Which, int | None], int] = {}
        for one in self.taught.lessons:
            counts[one.face] = counts.get(one.face, 0) + 1
        telling = [
            die
            for die in proposal.dice
            if die.box and die.complete and _tells(die, counts.get((Which(die.shape, str(die.colour)), die.value), 0))
        ]
        if telling:
            try:
                self._learn(proposal, telling, False, {}, True)
            except GameError as error:
                log.warning("a confirmed roll taught nothing: %s", error.message)

    def _learn(
        self,
        proposal: Proposal,
        dice: Sequence[ProposedDie],
        colours_only: bool,
        names: Mapping[int, str],
        corrected: bool,
    ) -> int:
        from vision.enrol import EnrolError, Which, lesson
        from vision.photo import PhotoError, load_photo

        assert proposal.photo is not None
        try:
            image, _ = load_photo(self._photos / proposal.photo.removeprefix(PHOTO_URL))
            # The kept photograph may be smaller than the one that was read.
            scale = image.shape[1] / max(proposal.width, 1)
            boxes = {die.index: tuple(edge * scale for edge in die.box) for die in proposal.dice if die.box}
            leans = dict(zip(boxes, self._classifier().leans(image, list(boxes.values())), strict=True))
            lessons = []
            for die in dice:
                which = Which(die.shape, str(die.colour), names.get(die.index, ""))
                value = None if colours_only else die.value
                box, lean = boxes[die.index], leans[die.index]
                lessons.append(lesson(self._classifier(), image, box, which, value, corrected=corrected, lean=lean))
        except PhotoError as error:
            raise GameError("bad_photo", error.message) from error
        except EnrolError as error:
            raise GameError(error.code, error.message) from error
        count = self.taught.add(lessons)
        self.apply()
        return count

    def _noted(self, proposal: Proposal, **how: Any) -> None:
        """Teach a roll and say in `notice` what became of it."""
        try:
            count = self.learn(proposal, **how)
            self.notice = say_many("{count} picture of a die is new.", "{count} pictures of dice are new.", count)
        except GameError as error:
            self.notice = error.message
        finally:
            self.busy = False

    def _classifier(self) -> Any:
        reader = self._reader.loaded
        classifier = getattr(reader, "classifier", None)
        if classifier is None:
            raise GameError(
                "model_missing",
                say(
                    "The models that read dice are not loaded yet. Nothing was taught. Wait a moment, then do it again."
                ),
            )
        return classifier


def _tells(die: ProposedDie, known: int) -> bool:
    """Return whether a confirmed die says something new: it was put right, or its face is hardly known yet."""
    if die.state is DieState.CORRECTED:
        return True
    return die.state is DieState.READ and known < ENOUGH
