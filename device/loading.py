"""A reader of dice that is there at once and loads its models on a thread of its own: the first page need not wait."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from device.camera.base import Image
from engine.game import Expectation
from engine.words import say
from vision.reading import ReadDie, Reading

if TYPE_CHECKING:
    from vision.geometry import CameraPose

log = logging.getLogger(__name__)

PATIENCE = 60.0
"""Seconds that a reading waits for the models; on a small Pi from a cold SD card they take many."""


class Reads(Protocol):
    """Anything that finds and reads the dice in a picture."""

    def read(
        self,
        image: Image,
        *,
        expects: Expectation | None = None,
        again: Sequence[Image] = (),
        camera: CameraPose | None = None,
    ) -> Reading:
        """Return the dice in a blue-green-red picture; `again` and `camera` as in `vision.reader.Reader.read`."""
        ...

    def look(
        self,
        image: Image,
        at: tuple[float, float],
        side: float,
        *,
        expects: Expectation | None = None,
        camera: CameraPose | None = None,
    ) -> ReadDie:
        """Return what is read of the die that a person says lies `at` (x, y), about `side` pixels wide."""
        ...


class ReaderMissing(RuntimeError):
    """There is no reader: its models or its libraries cannot be loaded."""

    code = "model_missing"

    def __init__(self, message: str, *, unknown: bool = False) -> None:
        self.message = message
        self.unknown = unknown
        super().__init__(message)

    @classmethod
    def because(cls, why: str) -> ReaderMissing:
        """Return the error with a reason that is no sentence for people yet."""
        return cls(
            say(
                "The models that read dice cannot be loaded ({why}). The turn is still open and nothing was lost. "
                "Enter the dice by hand, and install Jurado again to read photographs.",
                why=why,
            ),
            unknown=True,
        )


class LoadingReader:
    """A reader that loads in the background; `read` waits for it. `make` builds the real one."""

    def __init__(self, make: Callable[[], Reads]) -> None:
        self._make = make
        self._loaded = threading.Event()
        self._reader: Reads | None = None
        self._error: ReaderMissing | None = None
        self._listeners: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._load, name="reader loading", daemon=True)

    def start(self) -> None:
        """Begin to load."""
        self._thread.start()

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Have `listener` called once loading has ended, one way or the other."""
        self._listeners.append(listener)

    @property
    def loading(self) -> bool:
        """Whether a reading would have to wait."""
        return not self._loaded.is_set()

    @property
    def loaded(self) -> Reads | None:
        """The reader itself, None while it loads and where there is none."""
        return self._reader

    @property
    def error(self) -> ReaderMissing | None:
        """Why there is no reader; None while it loads and once it is there."""
        return self._error

    def close(self) -> None:
        """Wait for a loading that is under way: Python cannot end well while native code still starts up."""
        if self._thread.is_alive():
            self._thread.join(PATIENCE)

    def read(
        self,
        image: Image,
        *,
        expects: Expectation | None = None,
        again: Sequence[Image] = (),
        camera: CameraPose | None = None,
    ) -> Reading:
        """Return the dice in a picture. Raises `ReaderMissing`."""
        return self._awaited().read(image, expects=expects, again=again, camera=camera)

    def look(
        self,
        image: Image,
        at: tuple[float, float],
        side: float,
        *,
        expects: Expectation | None = None,
        camera: CameraPose | None = None,
    ) -> ReadDie:
        """Return the die that lies `at` a place. Raises `ReaderMissing`."""
        return self._awaited().look(image, at, side, expects=expects, camera=camera)

    def _awaited(self) -> Reads:
        if not self._loaded.wait(PATIENCE):
            raise ReaderMissing.because(say("they have not loaded within {seconds} s", seconds=f"{PATIENCE:g}"))
        if self._reader is None:
            raise self._error or ReaderMissing.because(say("the reason is not known"))
        return self._reader

    def _load(self) -> None:
        try:
            self._reader = self._make()
        except Exception as error:
            self._error = _in_words(error)
            if self._error.unknown:
                log.error("the models could not be loaded", exc_info=error)
        finally:
            self._loaded.set()
        for listener in tuple(self._listeners):
            listener()


def _in_words(error: Exception) -> ReaderMissing:
    try:
        from vision.detect import ModelError
    except ImportError:
        return ReaderMissing.because(str(error) or type(error).__name__)
    if isinstance(error, ModelError):
        # It says by itself what is wrong and what to do.
        return ReaderMissing(error.args[0])
    return ReaderMissing.because(str(error) or type(error).__name__)
