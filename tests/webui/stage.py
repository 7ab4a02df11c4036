"""A real table, journal and station behind the pages; only the camera and the reader are played."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from flask import Flask
from gpiozero.pins.mock import MockFactory

from device.camera.base import Camera, CameraMissing, Frame
from device.config import PanelConfig
from device.keys import Keys
from device.loading import LoadingReader
from device.panel import Panel
from device.photos import PhotoRing
from device.station import Station
from device.trial import Trial
from engine.dice import Die, DieState, Shape
from engine.game import Expectation
from engine.journal import Journal
from engine.table import Table
from vision.reading import Box, Confidence, ReadDie, Reading
from vision.seen import with_chances
from webui import WebSettings, create_app

CODE = "SAMBA7"
COLOURS = ("red", "yellow", "green", "blue", "white", "black")
TWO = {"players": [{"name": "Ana", "table": "practice"}, {"name": "Bia", "table": "practice"}]}


class PlayedCamera(Camera):
    """A camera that shows a plain green cloth, or is missing."""

    name = "played camera"

    def __init__(self) -> None:
        self.missing = False
        self.may_look = threading.Event()
        self.may_look.set()

    def open(self) -> None: ...

    def close(self) -> None: ...

    def capture(self, after: float, *, timeout: float = 3.0) -> Frame:
        self.may_look.wait(timeout)
        if self.missing:
            raise CameraMissing("The played camera is not there.", "Plug it in")
        image = np.full((480, 640, 3), (70, 110, 60), np.uint8)
        return Frame(image, exposed_at=time.monotonic())


class PlayedReader:
    """A reader that sees what it is told: dice, the indices of those it doubts, and the one that it overlooks.

    `rows` says how many dice lie beside one another, and how far apart their middles are, in pixels.
    """

    def __init__(self) -> None:
        self.rows = (6, 95.0, 150.0)
        self.dice: Sequence[Die] = ()
        self.doubts: set[int] = set()
        self.overlooked = Die("green", 2)

    def read(self, image: Any, *, expects: Expectation | None = None, **more: Any) -> Reading:
        height, width = image.shape[:2]
        many, across, along = self.rows
        found = tuple(
            self._seen(die, (40.0 + across * (at % many), 100.0 + along * (at // many), 60.0, 60.0), at in self.doubts)
            for at, die in enumerate(self.dice)
        )
        return Reading(width, height, found, (), {"load": 1.0, "detect": 2.0, "read": 3.0, "total": 6.0})

    def look(
        self, image: Any, at: tuple[float, float], side: float, *, expects: Expectation | None = None, **more: Any
    ) -> ReadDie:
        """Return the die that was overlooked, where it was pointed at."""
        return self._seen(self.overlooked, (at[0] - side / 2, at[1] - side / 2, side, side), doubtful=True)

    @staticmethod
    def _seen(die: Die, box: Box, doubtful: bool) -> ReadDie:
        state = DieState.UNSURE if doubtful else DieState.READ
        sure = Confidence(0.99, 0.98, 0.5 if doubtful else 0.99)
        return with_chances(ReadDie(die.shape, die.colour, die.value, state, box, sure))


class Stage:
    """One table with everything that its pages need, in a folder of its own."""

    def __init__(self, home: Path, **settings: Any) -> None:
        ticks = itertools.count()
        self.journal = Journal(home / "journal.sqlite3", now=lambda: f"2026-11-30T20:00:{next(ticks) % 60:02d}+00:00")
        self.table = Table(self.journal)
        self.camera = PlayedCamera()
        self.reader = PlayedReader()
        self.photos = PhotoRing(home / "photos")
        self.station = Station(self.table, self.camera, self.reader, self.photos)
        self.loading = LoadingReader(lambda: self.reader)
        self.loading.start()
        self.pins = MockFactory()
        self.panel = Panel(self.station, PanelConfig(driver="mock"), pin_factory=self.pins)
        self.panel.open()
        self.keys = Keys(home, fixed_code=CODE)
        self.seconds = 1000.0
        self.app: Flask = create_app(
            table=self.table,
            station=self.station,
            settings=WebSettings(**settings),
            health=lambda: {"ok": True, "camera": {"ok": True, "state": "ready", "message": "Ready."}},
            photos=self.photos.folder,
            keys=self.keys,
            trial=Trial(self.camera, self.loading, self.panel),
            secret=b"a secret for tests, nothing more",
            addresses=lambda: ["http://192.168.1.20:8080"],
            clock=lambda: self.seconds,
        )
        self._ids = itertools.count(1)

    def close(self) -> None:
        self.app.extensions["jurado"].streams.close()
        self.app.extensions["jurado"].snapshot.touch()
        self.panel.close()
        self.station.close()
        self.journal.close()

    def sent(self, **more: Any) -> dict[str, Any]:
        """Return the body of an act that was decided on the table as it is."""
        version = self.app.extensions["jurado"].snapshot.version
        return {"version": version, "id": f"test-{next(self._ids)}", **more}

    def open_game(self, setup: dict[str, Any] | None = None) -> None:
        self.table.open_game("carnavalesco", setup or TWO)

    def roll(self, dice: Sequence[Die] | None = None) -> None:
        dice = dice or some_dice(self.expected())
        now = self.table.now()
        assert now.game is not None
        self.table.apply(now.game.roll_move(now.state, dice))

    def expected(self) -> int:
        now = self.table.now()
        assert now.game is not None
        expects = now.game.expects(now.state)
        assert expects is not None
        return expects.count

    def take(self) -> None:
        """Let whoever's turn it is take the first legal dice."""
        now = self.table.now()
        assert now.game is not None
        self.table.apply(next(iter(now.game.legal_moves(now.state))))

    def play_to_the_end(self) -> None:
        """Play the open game to its last mark."""
        while self.table.outcome is None:
            now = self.table.now()
            assert now.game is not None
            if now.game.expects(now.state) is not None:
                self.roll(some_dice(self.expected(), int(self.table.version)))
            else:
                self.take()


def some_dice(count: int, shift: int = 0) -> list[Die]:
    """Return `count` dice of all colours and values; `shift` gives others."""
    return [Die(COLOURS[(at + shift) % 6], (at * 5 + at // 6 + shift) % 6 + 1, Shape.D6) for at in range(count)]


class Served:
    """The app of a stage behind a real waitress, on a free port unless it is said which."""

    def __init__(self, stage: Stage, threads: int = 12, *, port: int = 0) -> None:
        from waitress.server import create_server

        self.stage = stage
        self._server: Any = create_server(stage.app, host="127.0.0.1", port=port, threads=threads)
        self.url = f"http://127.0.0.1:{self._server.effective_port}"
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.stage.app.extensions["jurado"].streams.close()
        self.stage.app.extensions["jurado"].snapshot.touch()
        self._server.task_dispatcher.shutdown(timeout=2)
        # On the server's own thread: closing a socket that it waits on breaks its loop.
        # It may already be awake and end before it is woken: then there is nothing left to wake.
        with contextlib.suppress(OSError):
            self._server.trigger.pull_trigger(self._end)
        self._thread.join(5)

    def _end(self) -> None:
        for channel in list(self._server.active_channels.values()):
            channel.handle_close()
        self._server.close()
