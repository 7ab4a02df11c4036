"""Rendered rolls one after another through the whole way: camera, reader, proposal, confirm, photograph filed.

Drawing a picture takes longer than reading it, so a pool of pictures is drawn once and shown again and again, with
grain of its own each time: what may leak is in the reading and the filing, not in the drawing.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from device import memory
from device.camera.base import PATIENCE, Camera, Frame
from device.photos import PhotoRing
from device.service import reader_maker
from device.station import Station
from engine.dice import Die, DieState
from engine.journal import Journal
from engine.table import Table
from tests.endurance.running import Run, left_behind, percentile, resident_mb
from tests.waiting import until
from vision.rendering import RolledTable, Scene

POOL = 120
"""Pictures that are drawn, of as many rolls."""
TABLES = 12
STEP = 50
"""Rolls after which a step is noted."""
WARM = 0.2
"""Share of the steps of one process after which its memory is held to be what it stays."""
FEWEST = 10
"""Steps in one process from which its memory can be judged."""
SETUP = {"players": [{"name": name, "table": "practice"} for name in ("Ana", "Bia")]}


@dataclass
class Pool(Camera):
    """A camera that shows the pictures of a pool in turn, each with fresh grain."""

    scenes: Sequence[Scene]
    rng: np.random.Generator
    name = "a pool of pictures"
    demo = True
    shown: int = -1

    @property
    def megabytes(self) -> float:
        """What the pictures hold of this process's memory."""
        return sum(scene.image.nbytes for scene in self.scenes) / 1024 / 1024

    def open(self) -> None: ...

    def close(self) -> None: ...

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        self.shown = (self.shown + 1) % len(self.scenes)
        image = self.scenes[self.shown].image
        grain = self.rng.integers(-3, 4, image.shape, np.int16)
        return Frame(np.clip(image + grain, 0, 255).astype(np.uint8), time.monotonic())


def drawn(run: Run, table: Table) -> list[Scene]:
    """Return the pool: rolls that the game waits for, on several tables."""
    expects = table.now().game.expects(table.state)  # type: ignore[union-attr]
    assert expects is not None
    scenes = []
    for at in range(min(POOL, max(4, run.size))):
        if at % max(1, POOL // TABLES) == 0:
            rolled = RolledTable(np.random.default_rng([run.seed, at]), hard=0.05)
            run.say(f"drawing {at + 1} of {POOL}")
        rolled.roll(expects)
        scenes.append(rolled.scene())
    return scenes


def wrong_but_sure(proposal: dict[str, Any], truth: Sequence[Any]) -> tuple[int, int]:
    """Return how many dice were read surely, and how many of those wrongly, by where they lie."""
    sure = wrong = 0
    for die in proposal["dice"]:
        if die["state"] != DieState.READ.value:
            continue
        sure += 1
        x, y, width, height = die["box"]
        there = (x + width / 2, y + height / 2)
        near = min(truth, key=lambda one: np.hypot(*np.subtract(there, _middle(one.box))))
        lies = np.hypot(*np.subtract(there, _middle(near.box))) < max(width, height) / 2
        known: Die = near.die
        wrong += not (
            lies and (die["shape"], die["colour"], die["value"]) == (known.shape.value, known.colour, known.value)
        )
    return sure, wrong


def _middle(box: Sequence[float]) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def rolls(run: Run) -> dict[str, Any]:
    """Read `run.size` rolls; return the figures. Every second one is put right and confirmed, the others discarded."""
    memory.begin()
    done = sum(step["rolls"] for step in run.done)
    with Journal(run.folder / "journal.sqlite3", now=lambda: "2026-11-30T20:00:00+00:00") as journal:
        table = Table(journal)
        table.open_game("carnavalesco", SETUP, abandon=True)
        photos = PhotoRing(run.folder / "photos", megabytes=20)
        if done < run.size:
            camera = Pool(drawn(run, table), np.random.default_rng([run.seed, done]))
            station = Station(table, camera, reader_maker(2)(), photos)
            while done < run.size:
                # A game remembers each roll that was taken back; none is played on for thousands of them.
                table.open_game("carnavalesco", SETUP, abandon=True)
                step = _step(station, table, camera, min(STEP, run.size - done))
                run.note(step)
                done += step["rolls"]
                sure, wrong = (sum(one[key] for one in run.done) for key in ("sure", "wrong"))
                run.say(f"{done}/{run.size}: {sure} dice sure, {wrong} of them wrong, {step['memory']:.0f} MB")
            station.close()
    return figures(run, photos)


def _step(station: Station, table: Table, camera: Pool, count: int) -> dict[str, Any]:
    """Read `count` rolls; return what came of them."""
    sure = wrong = confirmed = 0
    took: list[float] = []
    for number in range(count):
        began = time.monotonic()
        until(station.press, "a press that is taken")
        until(lambda: station.state == "proposal", "the reading")
        took.append(round(time.monotonic() - began, 3))
        proposal = station.proposal
        assert proposal is not None
        assert proposal["state"] == "ready", proposal["error"]
        some, bad = wrong_but_sure(proposal, camera.scenes[camera.shown].dice)
        sure, wrong = sure + some, wrong + bad
        if number % 2:
            confirmed += _confirmed(station, table, proposal, camera.scenes[camera.shown])
        else:
            station.discard()
    counted = {"rolls": count, "sure": sure, "wrong": wrong, "confirmed": confirmed}
    held = resident_mb(os.getpid()) - camera.megabytes
    return {**counted, "took": took, "memory": round(held, 1), "process": os.getpid()}


def figures(run: Run, photos: PhotoRing) -> dict[str, Any]:
    total = Counter({key: sum(step[key] for step in run.done) for key in ("rolls", "confirmed", "sure", "wrong")})
    took = [seconds for step in run.done for seconds in step["took"]]
    by_process: dict[int, list[float]] = {}
    for step in run.done:
        by_process.setdefault(step["process"], []).append(step["memory"])
    long = [held for held in by_process.values() if len(held) >= FEWEST]
    kept = sum(file.stat().st_size for file in photos.folder.iterdir())
    faults = [f"{path} was left." for path in left_behind(run.folder)]
    faults += [] if kept <= photos.bytes else [f"{kept} bytes of photographs are kept, {photos.bytes} are allowed."]
    grew = [(last / first - 1) * 100 for first, last in map(first_and_last, long)]
    faults += [f"Memory grew by {percent:.1f} %." for percent in grew if percent > 5]
    return {
        "rolls": total["rolls"],
        "pictures": min(POOL, max(4, run.size)),
        "confirmed": total["confirmed"],
        "dice read surely": total["sure"],
        "of them wrong": total["wrong"],
        "press to proposal, median s": round(percentile(took, 0.5), 2),
        "press to proposal, p95 s": round(percentile(took, 0.95), 2),
        "rolls in one process": [len(held) * STEP for held in by_process.values()],
        "memory beside the pictures, after the first fifth and at the end, MB": [
            tuple(map(round, first_and_last(one))) for one in long
        ],
        "memory grew, %": [round(percent, 1) for percent in grew],
        "photographs kept, MB": round(kept / 1e6, 1),
        "wrong": faults,
    }


def first_and_last(held: list[float]) -> tuple[float, float]:
    """Return the megabytes that a process held once it was warm, and at its end."""
    settled = held[int(len(held) * WARM) :]
    tenth = max(1, len(settled) // 10)
    return float(np.median(settled[:tenth])), float(np.median(settled[-tenth:]))


def _confirmed(station: Station, table: Table, proposal: dict[str, Any], scene: Scene) -> bool:
    """Put the roll right and confirm it, then take it back, so that the game waits for the next; False when the dice
    seen are not as many as lie there."""
    if len(proposal["dice"]) != len(scene.dice):
        station.discard()
        return False
    left = list(scene.dice)
    for die in proposal["dice"]:
        x, y, width, height = die["box"]
        there = (x + width / 2, y + height / 2)
        near = min(left, key=lambda one: np.hypot(*np.subtract(there, _middle(one.box))))
        left.remove(near)
        station.edit(die["index"], shape=near.die.shape.value, colour=near.die.colour, value=near.die.value)
    event = station.confirm()
    table.undo(seq=event.seq)
    return True
