"""A real table in a temporary folder, a camera and a reader that do as a test says, and a way to wait."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.camera import PATIENCE, Camera, CameraError, Frame
from device.photos import PhotoRing
from device.station import Station
from engine.dice import Die, DieState, Shape
from engine.game import Expectation
from engine.journal import Journal
from engine.table import Table
from vision.reading import Confidence, ReadDie, Reading

CARNAVALESCO_DICE = tuple(
    Die(colour, value)
    for colour, value in zip(
        itertools.cycle(("red", "yellow", "green", "blue", "white", "black")), (1, 2, 3, 4, 5, 6) * 2, strict=False
    )
)
"""Twelve dice that two players of Carnavalesco may roll."""


class ScriptedCamera(Camera):
    """Gives grey pictures; `hold` makes it wait, `error` makes it fail."""

    name = "scripted camera"

    def __init__(self) -> None:
        self.error: CameraError | None = None
        self.go = threading.Event()
        self.go.set()
        self.asked: list[float] = []

    def hold(self) -> None:
        self.go.clear()

    def open(self) -> None:
        pass

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        self.asked.append(after)
        assert self.go.wait(20)
        if self.error is not None:
            raise self.error
        image = np.full((480, 640, 3), 150, np.uint8)
        image[100:140, 100:140] = (0, 0, 200)
        image[101:112, 101:112] = 255  # a pip, as light as those of a real die
        return Frame(image, after + 0.01)

    def close(self) -> None:
        pass


class ScriptedReader:
    """Reads what the test lays out, whatever the picture."""

    def __init__(self) -> None:
        self.dice: Sequence[ReadDie] = [read_die(die) for die in CARNAVALESCO_DICE]
        self.notes: tuple[str, ...] = ()
        self.error: Exception | None = None
        self.expects: Expectation | None = None
        self.more: dict[str, Any] = {}
        self.overlooked: list[ReadDie] = []
        self.looked: list[tuple[tuple[float, float], float, Expectation | None]] = []

    def read(self, image: np.ndarray, *, expects: Expectation | None = None, **more: Any) -> Reading:
        self.expects = expects
        self.more = more
        if self.error is not None:
            raise self.error
        height, width = image.shape[:2]
        return Reading(width, height, tuple(self.dice), self.notes, {"detect": 2.0, "read": 1.0, "total": 3.0})

    def look(
        self,
        image: np.ndarray,
        at: tuple[float, float],
        side: float,
        *,
        expects: Expectation | None = None,
        **more: Any,
    ) -> ReadDie:
        """Return the next of `overlooked`, as large as was said, where it was pointed at."""
        self.looked.append((at, side, expects))
        if self.error is not None:
            raise self.error
        return replace(self.overlooked.pop(0), box=(at[0] - side / 2, at[1] - side / 2, side, side))


def read_die(die: Die, state: DieState = DieState.READ, sure: float = 0.99) -> ReadDie:
    """Return `die` as a reader would give it."""
    return ReadDie(
        Shape(die.shape), die.colour, die.value, state, (100.0, 100.0, 40.0, 40.0), Confidence(sure, sure, sure)
    )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    count = itertools.count()
    with Journal(tmp_path / "journal.sqlite3", now=lambda: f"2026-11-30T20:{next(count) % 60:02d}:00+00:00") as journal:
        table = Table(journal)
        table.open_game("carnavalesco", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
        yield table


@pytest.fixture
def camera() -> ScriptedCamera:
    return ScriptedCamera()


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader()


@pytest.fixture
def station(table: Table, camera: ScriptedCamera, reader: ScriptedReader, tmp_path: Path) -> Iterator[Station]:
    station = Station(table, camera, reader, PhotoRing(tmp_path / "photos"))
    yield station
    camera.go.set()
    station.close()
