"""The darkroom: one thread that takes photographs, has them read, keeps them, and says at each step how far it is."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from device.burst import Burst
from device.camera.base import PATIENCE, Camera, CameraError, Frame, Image
from device.loading import Reads
from device.photos import PHOTO_URL, PhotoRing, stem_of
from device.problems import Problem, rest
from device.proposal import Proposal, ProposalState, ProposedDie, Source, as_read, from_reading
from engine.game import Expectation
from engine.journal import Event
from engine.words import say

if TYPE_CHECKING:
    from vision.geometry import CameraPose
    from vision.reading import Box

log = logging.getLogger(__name__)

WAITING = say("Waiting for the dice to rest.")
LOADING = say("The models that read dice are still loading. This photograph is read as soon as they are there.")


@dataclass(frozen=True, slots=True)
class Order:
    """A photograph to take, or one that is there (`image`, opened in `load_ms`), for the proposal with this id.

    `kept` is the stem of one that is kept already; `source` is whose camera took it.
    """

    proposal: str
    pressed_at: float
    image: Image | None = None
    load_ms: float = 0.0
    kept: str | None = None
    source: Source = Source.CAMERA


@dataclass(frozen=True, slots=True)
class Shooting:
    """How photographs are taken: `frames` of each press, and `rest_s`, the most seconds that one waits for rest."""

    frames: int = 1
    rest_s: float = 0.0


class Knows(Protocol):
    """What is known of how the camera stands."""

    @property
    def pose(self) -> CameraPose | None: ...

    def note(self, image: Image) -> tuple[str, ...]:
        """Look whether a photograph was taken from where the camera stood, and in the light, when it was set up; return
        what is to be said about it."""
        ...

    def covered(self, image: Image, boxes: Sequence[Box]) -> tuple[str, ...]:
        """Look whether something beside the dice in `boxes` (pixels) lies over the table; return what is to be said."""
        ...


class Show(Protocol):
    """Changes fields of the proposal with an id; returns False when it is no longer waited for."""

    def __call__(self, proposal: str, **changes: Any) -> bool: ...


class Darkroom:
    """Works off orders one after another; `show` takes what comes of each. `clock` returns `time.monotonic` seconds.

    `learn` is given each confirmed roll once its photograph is filed. `knows` tells how the camera stands.
    """

    def __init__(
        self,
        camera: Camera,
        reader: Reads,
        photos: PhotoRing,
        *,
        expects: Callable[[], Expectation | None],
        show: Show,
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE,
        learn: Callable[[Proposal], None] | None = None,
        shooting: Shooting = Shooting(),
        knows: Knows | None = None,
    ) -> None:
        self.camera = camera
        self.reader = reader
        self.photos = photos
        self.patience = patience
        self._expects = expects
        self._show = show
        self._learn = learn
        self._shooting = shooting
        self._knows = knows
        self._clock = clock
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._beat = clock()
        self._thread = threading.Thread(target=self._run, name="darkroom", daemon=True)
        self._thread.start()

    @property
    def silent_for(self) -> float:
        """Seconds since the thread last showed that it lives; at work it does so at each step."""
        return self._clock() - self._beat if self._thread.is_alive() else float("inf")

    def develop(self, order: Order) -> None:
        """Take the photograph, unless the order brings one, and have it read."""
        self._work.put(lambda: self._develop(order))

    def look(self, standing: Proposal, die: ProposedDie, done: Callable[[str, ProposedDie], None]) -> None:
        """Have the reader look where `die` was added to the picture; `done` is given what it is then."""
        self._work.put(lambda: self._look(standing, die, done))

    def file(self, ended: Proposal, event: Event, done: Callable[[], None], *, counts: bool = True) -> None:
        """Put a proposal's photograph to the event that it became; `done` is called once it can be found there.

        `counts`: the roll was confirmed, so that the reader may learn from it.
        """
        self._work.put(lambda: self._file(ended, event, done, counts))

    def close(self) -> None:
        """Stop once all orders are worked off."""
        self._work.put(None)
        self._thread.join(self.patience + 2.0)

    def _run(self) -> None:
        while True:
            self._beat = self._clock()
            try:
                work = self._work.get(timeout=2.0)
            except queue.Empty:
                continue
            if work is None:
                return
            try:
                work()
            except Exception:
                log.exception("the darkroom stumbled and goes on")
            del work  # it holds a photograph, which may be large

    def _develop(self, order: Order) -> None:
        if order.image is not None:
            self._read(order, order.image, {"load": order.load_ms})
            return
        try:
            frame, moving = self._photograph(order)
            if frame is None:
                return
        except CameraError as error:
            self._fail(order, error.code, error.message)
        except Exception as error:
            log.exception("the camera failed in an unknown way")
            self._fail(order, CameraError.code, CameraError(say("The camera failed ({why}).", why=_why(error))).message)
        else:
            took = {"camera": (self._clock() - order.pressed_at) * 1000}
            more: Sequence[Image] = ()
            if self._shooting.frames > 1:
                more = Burst(self.camera, frame, self._shooting.frames - 1, timeout=self.patience)
            known = () if self._knows is None else self._knows.note(frame.image)
            self._read(order, frame.image, took, (*moving, *known), more)

    def _photograph(self, order: Order) -> tuple[Frame | None, tuple[str, ...]]:
        """Return a frame of dice that lie still and what is to be said about it; no frame when nobody waits any more.

        The first frame after the press is that already where nothing moves right after it.
        """
        frame = self.camera.capture(order.pressed_at, timeout=self.patience)
        if not self._shooting.rest_s:
            return frame, ()
        from device.camera.rest import Rest, small

        rest, last, told = Rest(), frame.exposed_at, False
        rest.see(small(frame.image), last)
        while not rest.still:
            self._beat = self._clock()
            glance = self.camera.glance(last, timeout=self.patience)
            if glance is None:
                return frame, ()
            last = glance.exposed_at
            rest.see(glance.picture, last)
            if rest.moved and not told:
                told = True
                if not self._show(order.proposal, notice=WAITING):
                    return None, ()
            if last - order.pressed_at > self._shooting.rest_s and not rest.still:
                said = say(
                    "The dice still moved after {seconds} s and were photographed all the same. Look at them closely, "
                    "or photograph again.",
                    seconds=f"{self._shooting.rest_s:g}",
                )
                return self.camera.capture(last, timeout=self.patience), (said,)
        return (self.camera.capture(last, timeout=self.patience) if rest.moved else frame), ()

    def _read(
        self,
        order: Order,
        image: Image,
        took: dict[str, float],
        warnings: tuple[str, ...] = (),
        more: Sequence[Image] = (),
    ) -> None:
        stem, unkept = self._keep(image) if order.kept is None else (order.kept, ())
        shown = self._show(
            order.proposal,
            photo=None if stem is None else f"{PHOTO_URL}{stem}.jpg",
            height=image.shape[0],
            width=image.shape[1],
            notice=LOADING if getattr(self.reader, "loading", False) else None,
        )
        if not shown:
            return
        self._beat = self._clock()
        try:
            reading = self.reader.read(image, expects=self._expects(), again=more, camera=self._pose(order.source))
        except Exception as error:
            self._fail(order, *_in_words(error))
            return
        self._beat = self._clock()
        crops: list[str | None] = [None] * len(reading.dice)
        if stem is not None:
            names = self.photos.keep_dice(stem, image, [die.box for die in reading.dice])
            crops = [None if name is None else PHOTO_URL + name for name in names]
        dice, order_of_chips = from_reading(reading, crops)
        # OpenCV takes long to load, and the first page need not wait for it.
        from device.camera.sight import warnings as spoilt

        boxes = [die.box for die in reading.dice]
        if self._knows is not None and order.source is Source.CAMERA:
            warnings = (*warnings, *self._knows.covered(image, boxes))
        self._show(
            order.proposal,
            state=ProposalState.READY,
            width=reading.width,
            height=reading.height,
            dice=dice,
            order=order_of_chips,
            notes=(*reading.notes, *unkept),
            warnings=(*warnings, *spoilt(image, boxes)),
            milliseconds={
                **reading.milliseconds,
                **took,
                "press": (self._clock() - order.pressed_at) * 1000,
            },
            notice=None,
        )

    def _look(self, standing: Proposal, die: ProposedDie, done: Callable[[str, ProposedDie], None]) -> None:
        assert standing.photo is not None
        assert die.box is not None
        looked = replace(die, looking=False)
        stem = stem_of(standing.photo)
        image = self.photos.image(stem)
        if image is not None:
            # The kept photograph may be smaller than the one that the boxes count in.
            scale = image.shape[1] / standing.width
            x, y, width, height = (edge * scale for edge in die.box)
            try:
                seen = self.reader.look(
                    image,
                    (x + width / 2, y + height / 2),
                    max(width, height),
                    expects=rest(standing.dice, self._expects()),
                    camera=self._pose(standing.source),
                )
            except Exception:
                log.exception("a die that somebody pointed at could not be read; it can be typed")
            else:
                (name,) = self.photos.keep_dice(stem, image, [seen.box])
                crop = None if name is None else PHOTO_URL + name
                x, y, width, height = (edge / scale for edge in seen.box)
                looked = replace(as_read(die.index, seen, crop), box=(x, y, width, height))
        done(standing.id, looked)

    def _pose(self, source: Source) -> CameraPose | None:
        """Return how the camera stood that a picture is from; a phone is held somehow."""
        return self._knows.pose if self._knows is not None and source is Source.CAMERA else None

    def _keep(self, image: Image) -> tuple[str | None, tuple[str, ...]]:
        """Return the kept photograph's stem and nothing to say, or None and why it is not kept."""
        try:
            return self.photos.keep(image), ()
        except (OSError, ValueError) as error:
            if isinstance(error, ValueError):  # what the disk refuses is told by the health of the table
                log.warning("a photograph could not be kept: %s", error)
            return None, (
                say(
                    "This photograph could not be kept ({why}). The roll can be confirmed all the same.",
                    why=_why(error),
                ),
            )

    def _fail(self, order: Order, code: str, message: str) -> None:
        self._show(order.proposal, state=ProposalState.FAILED, error=Problem(code, message), notice=None)

    def _file(self, ended: Proposal, event: Event, done: Callable[[], None], counts: bool) -> None:
        if ended.photo is None:
            return
        stem = stem_of(ended.photo)
        facts = {"game_id": event.game_id, "event": event.id, "dice": [die.as_json() for die in ended.dice]}
        try:
            self.photos.link(stem, event.seq, facts)
        except OSError as error:
            log.warning("the photograph of turn %d could not be linked: %s", event.seq, error)
        else:
            done()
        if counts and self._learn is not None:
            self._learn(ended)


def _in_words(error: Exception) -> tuple[str, str]:
    """Return the code and the sentence of an error of the reader."""
    code, message = getattr(error, "code", None), getattr(error, "message", None)
    if isinstance(code, str) and isinstance(message, str):
        return code, message
    log.error("the reader failed", exc_info=error)
    return "reading_failed", say(
        "The photograph could not be read ({why}). The turn is still open and nothing was lost. "
        "Photograph again, or enter the dice by hand.",
        why=_why(error),
    )


def _why(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error or type(error).__name__).rstrip(".")
