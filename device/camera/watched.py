"""A guard round any camera: captures end within their time, a faulty camera is opened again later, the table goes on.

Drivers hang, sometimes inside C code where no timeout reaches. So one thread of its own, the keeper, touches the
camera; whoever asks for a frame waits for the keeper only so long. A keeper that never comes back is left behind and
another takes its place.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar, cast

from device.camera.base import (
    PATIENCE,
    BadPicture,
    Camera,
    CameraBusy,
    CameraError,
    CameraHung,
    CameraTimeout,
    Frame,
    Glance,
    Settling,
)
from engine.words import say

log = logging.getLogger(__name__)

Given = TypeVar("Given")

OPEN_PATIENCE = 60.0
"""Seconds that opening may take: a small Pi that has just started imports picamera2 beside the models."""

PAUSES = (1.0, 2.0, 5.0, 10.0, 20.0)
"""Seconds before the first, second… attempt to open a faulty camera again; the last one repeats."""

RESTS = 5
"""How many times as long as an attempt that failed took the pause after it is at least, from the second on: libcamera
holds Python's lock while it asks a camera that is silent, and pages and buttons have to wait as well."""

MOST_LOST = 3
"""Keepers that may hang at the same time; each holds a thread and perhaps the camera itself."""

HUNG_S = 8.0
"""Seconds after which a camera that this process itself has and cannot open again is given up: a driver that is only
slow would have let go of it."""

_TELLING = 0.93
"""Share of the caller's time after which a silent camera is given up: the rest is for telling the phones."""

_HEADROOM = 0.25
"""Seconds by which the camera's own time is shorter than the caller's, so that its more exact words win."""


class CameraState(StrEnum):
    """How a camera stands."""

    STARTING = "starting"
    READY = "ready"
    FAULT = "fault"
    CLOSED = "closed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """How a camera stands, with the error of a fault."""

    name: str
    state: CameraState
    error: CameraError | None = None

    @property
    def message(self) -> str:
        """A sentence for people; empty when there is nothing to say."""
        if self.error is not None:
            return self.error.message
        if self.state is CameraState.STARTING:
            return say("{camera} is starting.", camera=self.name)
        return ""


class _Request(Generic[Given]):
    """Something that somebody waits for: `work` gets it from the camera, in so many seconds at most."""

    def __init__(self, work: Callable[[Camera, float], Given], deadline: float) -> None:
        self.work = work
        self.deadline = deadline
        self.done = threading.Event()
        self.given: Given | None = None
        self.error: CameraError | None = None

    def give(self, given: Given) -> None:
        self.given = given
        self.done.set()

    def fail(self, error: CameraError) -> None:
        self.error = error
        self.done.set()


class _Keeper(threading.Thread):
    """The one thread that touches one camera, from opening to closing."""

    def __init__(self, watched: Watched, pause: float) -> None:
        super().__init__(name=f"camera {watched.name}", daemon=True)
        self.watched = watched
        self.pause = pause
        self.requests: queue.SimpleQueue[_Request[Any] | None] = queue.SimpleQueue()
        self.dismissed = threading.Event()
        self.opening_since: float | None = None

    def run(self) -> None:
        tries = 0
        while not self.dismissed.is_set():
            wanted = self._rest(self.pause)
            if self.dismissed.is_set():
                return
            began = time.monotonic()
            camera, error = self._open()
            if camera is None:
                assert error is not None
                # The first attempt may have had to load the driver.
                took = time.monotonic() - began if tries else 0.0
                self.pause = max(PAUSES[min(tries, len(PAUSES) - 1)] * self.watched.pace, took * RESTS)
                tries += 1
                self._turn_away(wanted, error)
                continue
            tries = 0
            error = self._serve(camera, wanted)
            with contextlib.suppress(Exception):
                camera.close()
            if error is None:
                return
            self.pause = PAUSES[0] * self.watched.pace

    def _rest(self, seconds: float) -> _Request[Any] | None:
        """Wait before the next attempt; a press ends the wait, for somebody may just have plugged the camera in."""
        if seconds <= 0:
            return None
        with contextlib.suppress(queue.Empty):
            return self.requests.get(timeout=seconds)
        return None

    def _open(self) -> tuple[Camera | None, CameraError | None]:
        self.opening_since = time.monotonic()
        camera = None
        try:
            camera = self.watched._make()
            camera.open()
        except Exception as raised:
            error = self.watched._in_words(raised)
            if camera is not None:
                with contextlib.suppress(Exception):
                    camera.close()
            self.watched._report(self, CameraState.FAULT, error)
            return None, error
        finally:
            self.opening_since = None
        self.watched._identity = camera.identity
        self.watched._report(self, CameraState.READY, None)
        return camera, None

    def _serve(self, camera: Camera, wanted: _Request[Any] | None) -> CameraError | None:
        """Answer requests until dismissed (None) or until the camera fails (its error)."""
        while not self.dismissed.is_set():
            request = wanted or self.requests.get()
            wanted = None
            if request is None:
                return None
            left = request.deadline - time.monotonic()
            if left <= 0:
                continue
            try:
                given = request.work(camera, max(left - _HEADROOM, left / 2))
            except BadPicture as error:
                request.fail(error)
            except Exception as raised:
                fault = self.watched._in_words(raised)
                self.watched._report(self, CameraState.FAULT, fault)
                request.fail(fault)
                return fault
            else:
                request.give(given)
        return None

    def _turn_away(self, wanted: _Request[Any] | None, error: CameraError) -> None:
        """Tell everybody who waits that the camera cannot be opened."""
        while True:
            if wanted is not None:
                wanted.fail(error)
            try:
                wanted = self.requests.get_nowait()
            except queue.Empty:
                return


class Watched(Camera):
    """Any camera, with a deadline on every capture and another try after every fault.

    `make` builds the camera (it may import its driver: it runs on the keeper's thread). `pace` scales the pauses
    between attempts. A capture is given at least `patience` seconds, whatever its caller says. Unlike other cameras
    this one may be used from any thread, and `open` returns at once.
    """

    def __init__(
        self,
        make: Callable[[], Camera],
        *,
        name: str,
        open_patience: float = OPEN_PATIENCE,
        patience: float = 0.0,
        pace: float = 1.0,
        demo: bool = False,
    ) -> None:
        self.name = name
        self.demo = demo
        self.open_patience = open_patience
        self.patience = patience
        self.pace = pace
        self._make = make
        self._lock = threading.Lock()
        self._keeper: _Keeper | None = None
        self._lost: list[_Keeper] = []
        self._status = CameraStatus(name, CameraState.CLOSED)
        self._listeners: list[Callable[[], None]] = []
        self._identity: str | None = None
        self._hung_since: float | None = None

    @property
    def identity(self) -> str:
        return self._identity or self.name

    @property
    def lost(self) -> bool:
        """Whether it hangs for good: only another process can have the camera again."""
        with self._lock:
            hung = self._hung_since is not None and time.monotonic() - self._hung_since >= HUNG_S * self.pace
            return hung or (self._keeper is None and len(self._lost) >= MOST_LOST)

    @property
    def status(self) -> CameraStatus:
        """How the camera stands now; an opening that takes too long counts as a fault."""
        with self._lock:
            keeper, status = self._keeper, self._status
        if keeper is not None and status.state is CameraState.STARTING and self._overdue(keeper):
            return CameraStatus(self.name, CameraState.FAULT, self._never_started())
        return status

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Have `listener` called, on the keeper's thread, after each change of `status`."""
        self._listeners.append(listener)

    def open(self) -> None:
        """Start opening the camera in the background."""
        with self._lock:
            if self._keeper is None:
                self._hire(pause=0.0)

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        """Return a frame exposed after `after`, or raise a `CameraError` within `timeout` seconds (or `patience`)."""
        return self._asked(lambda camera, left: camera.capture(after, timeout=left), timeout)

    def follow(self, first: Frame, count: int, *, timeout: float = PATIENCE) -> list[Frame]:
        return self._asked(lambda camera, left: camera.follow(first, count, timeout=left), timeout)

    def glance(self, after: float, *, timeout: float = PATIENCE) -> Glance | None:
        return self._asked(lambda camera, left: camera.glance(after, timeout=left), timeout)

    def settle(self, what: Settling, *, timeout: float) -> Mapping[str, Any]:
        return self._asked(lambda camera, left: camera.settle(what, timeout=left), timeout)

    def reopen(self) -> None:
        """Close the camera and open it again in the background, with the controls that it is to hold by now."""
        with self._lock:
            keeper, self._keeper = self._keeper, None
            if keeper is not None:
                self._dismiss(keeper)
                self._status = CameraStatus(self.name, CameraState.STARTING)
        if keeper is None:
            return
        keeper.join(2.0)
        with self._lock:
            if keeper.is_alive():
                self._lost.append(keeper)
            if self._keeper is None and self._status.state is not CameraState.CLOSED:
                self._hire(pause=0.0)
        self._tell()

    def _asked(self, work: Callable[[Camera, float], Given], timeout: float) -> Given:
        """Have the keeper do `work`, and return what comes of it, or raise a `CameraError` in time."""
        timeout = max(timeout, self.patience)
        wait = timeout * _TELLING
        request = _Request(work, time.monotonic() + wait)
        with self._lock:
            if self._status.state is CameraState.CLOSED:
                raise CameraError(say("{camera} is switched off.", camera=self.name), say("Start Jurado again"))
            if self._keeper is None and not self._hire(pause=0.0):
                raise self._status.error or self._hung(timeout)
            keeper = self._keeper
        assert keeper is not None
        keeper.requests.put(request)
        if not request.done.wait(wait):
            raise self._unanswered(keeper, timeout)
        if request.error is not None:
            raise request.error
        return cast(Given, request.given)

    def close(self) -> None:
        """Let go of the camera, waiting for it at most two seconds."""
        with self._lock:
            keeper, self._keeper = self._keeper, None
            self._status = CameraStatus(self.name, CameraState.CLOSED)
        if keeper is not None:
            self._dismiss(keeper)
            keeper.join(2.0)

    def _hire(self, *, pause: float) -> bool:
        """Start a keeper, unless too many hang already. The lock is held."""
        self._lost = [keeper for keeper in self._lost if keeper.is_alive()]
        if len(self._lost) >= MOST_LOST:
            return False
        if self._status.state is not CameraState.FAULT:
            self._status = CameraStatus(self.name, CameraState.STARTING)
        self._keeper = _Keeper(self, pause)
        self._keeper.start()
        return True

    @staticmethod
    def _dismiss(keeper: _Keeper) -> None:
        keeper.dismissed.set()
        keeper.requests.put(None)

    def _unanswered(self, keeper: _Keeper, timeout: float) -> CameraError:
        """The keeper is silent: leave it behind unless it is still starting, and say so."""
        if keeper.opening_since is not None and not self._overdue(keeper):
            with self._lock:
                known = self._status.error
            if known is not None:
                # It is being tried again, and why it failed before says more than that.
                return known
            return CameraTimeout(
                say("{camera} is still starting.", camera=self.name), say("Try again in a few seconds")
            )
        error: CameraError = self._hung(timeout) if keeper.opening_since is None else self._never_started()
        with self._lock:
            if self._keeper is keeper:
                self._dismiss(keeper)
                self._lost.append(keeper)
                self._keeper = None
                if not self._hire(pause=PAUSES[0] * self.pace):
                    error = CameraTimeout(
                        say("{camera} has stopped answering for good.", camera=self.name),
                        say("Check its cable and restart Jurado (sudo systemctl restart jurado)"),
                    )
                self._status = CameraStatus(self.name, CameraState.FAULT, error)
        self._tell()
        return error

    def _overdue(self, keeper: _Keeper) -> bool:
        since = keeper.opening_since
        return since is not None and time.monotonic() - since > self.open_patience

    def _hung(self, timeout: float) -> CameraTimeout:
        return CameraTimeout(
            say("{camera} did not answer within {seconds} s.", camera=self.name, seconds=f"{timeout:g}"),
            say("Check its cable and try again"),
        )

    def _never_started(self) -> CameraTimeout:
        return CameraTimeout(
            say("{camera} has not started within {seconds} s.", camera=self.name, seconds=f"{self.open_patience:g}"),
            say("Check its cable and try again"),
        )

    def _in_words(self, raised: Exception) -> CameraError:
        """Return whatever a camera raised as a `CameraError`."""
        if isinstance(raised, CameraBusy) and any(keeper.is_alive() for keeper in self._lost):
            # It is ourselves: the keeper that hangs still holds the camera.
            return CameraHung(self.name)
        if isinstance(raised, CameraError):
            return raised
        log.error("%s failed", self.name, exc_info=raised)
        return CameraError(say("{camera} failed: {why}.", camera=self.name, why=str(raised) or type(raised).__name__))

    def _report(self, keeper: _Keeper, state: CameraState, error: CameraError | None) -> None:
        with self._lock:
            if self._keeper is not keeper:
                return
            self._status = CameraStatus(self.name, state, error)
            if not isinstance(error, CameraHung):
                self._hung_since = None
            elif self._hung_since is None:
                self._hung_since = time.monotonic()
        self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()
