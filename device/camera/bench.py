"""What waiting for rest, further photographs and the look at camera and light cost: `python -m device.camera.bench`.

The reader is the real one; the camera hands out rendered photographs of one roll at 30 frames a second, so that what is
measured beside the reader is the table's own work and the waiting for frames.
"""

from __future__ import annotations

import itertools
import queue
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from device.calibration import Calibrations
from device.calibrator import Calibrator
from device.camera.base import PATIENCE, Camera, Frame, Glance, Image
from device.camera.choice import NoCamera
from device.camera.rest import small
from device.darkroom import Darkroom, Order, Shooting
from device.loading import LoadingReader
from device.photos import PhotoRing
from device.proposal import ProposalState
from device.service import reader_maker
from engine.dice import COLOURS, Die, Shape
from engine.game import Expectation

FRAME = 1 / 30
ROUNDS = 15
TWELVE = Expectation({Shape.D6: 12})

WAYS = {
    "one photograph": (Shooting(), False),
    "waiting for rest": (Shooting(rest_s=4.0), False),
    "three photographs": (Shooting(frames=3), False),
    "held against the empty tray": (Shooting(), True),
    "all of it": (Shooting(frames=3, rest_s=4.0), True),
}
"""The ways of photographing, each with whether the photograph is held against that of the empty tray."""


class _Film(Camera):
    """Hands out photographs of one roll, one every thirtieth of a second."""

    name = "film"

    def __init__(self, images: Sequence[Image]) -> None:
        self._images = itertools.cycle(images)
        self._smalls = itertools.cycle([small(image) for image in images])

    def open(self) -> None: ...

    def close(self) -> None: ...

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        return Frame(next(self._images), self._next(after))

    def glance(self, after: float, *, timeout: float = PATIENCE) -> Glance:
        return Glance(next(self._smalls), self._next(after))

    def _next(self, after: float) -> float:
        at = max(time.monotonic(), after + FRAME)
        time.sleep(max(0.0, at - time.monotonic()))
        return at


def roll(seed: int) -> tuple[list[Image], Image]:
    """Return three photographs of twelve dice on a table, and one of the table without."""
    from vision.rendering.scene import draw_stage, render_scene

    rng = np.random.default_rng(seed)
    stage = draw_stage(rng, 2304, 1296, calm=True, die_pixels=(70, 90), tray=True)
    dice = [Die(COLOURS[at % 6], 1 + at % 6, Shape.D6) for at in range(12)]
    scene = render_scene(rng, dice, stage=stage, clutter=0, again=2)
    return [scene.image, *scene.again], render_scene(rng, [], stage=stage, clutter=0).image


@dataclass(frozen=True, slots=True)
class Press:
    """One press: until its proposal stood, the work of all threads, the parts that the proposal tells, all in
    milliseconds; and how many dice were read."""

    milliseconds: float
    cpu: float
    parts: Mapping[str, float]
    dice: int


def measure(
    *, rounds: int = ROUNDS, threads: int = 2, progress: Callable[[int, int], None] | None = None
) -> dict[str, list[Press]]:
    """Return `rounds` presses for each way of photographing; `progress` is told those done and those in all."""
    images, empty = roll(7)
    reader = LoadingReader(reader_maker(threads))
    reader.start()
    took: dict[str, list[Press]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        known = Calibrator(Calibrations(Path(folder)), NoCamera(), reader, now=lambda: "now")
        known.learn_empty(empty)
        # Way after way in each round, for the machine may have other work; the first round only warms up.
        for number, (name, (shooting, held)) in itertools.product(range(1 + rounds), WAYS.items()):
            press = _press(_Film(images), reader, Path(folder) / f"{name}-{number}", shooting, known if held else None)
            if number:
                took[name].append(press)
            if progress:
                progress(sum(map(len, took.values())), rounds * len(WAYS))
    reader.close()
    return took


def _press(camera: Camera, reader: LoadingReader, folder: Path, shooting: Shooting, knows: Calibrator | None) -> Press:
    shown: queue.SimpleQueue[tuple[float, Mapping[str, Any]]] = queue.SimpleQueue()

    def show(proposal: str, **changes: Any) -> bool:
        if changes.get("state") in (ProposalState.READY, ProposalState.FAILED):
            shown.put((time.monotonic(), changes))
        return True

    darkroom = Darkroom(
        camera, reader, PhotoRing(folder), expects=lambda: TWELVE, show=show, shooting=shooting, knows=knows
    )
    pressed, worked = time.monotonic(), time.process_time()
    darkroom.develop(Order("one", pressed))
    ready, changes = shown.get()
    darkroom.close()
    cpu = (time.process_time() - worked) * 1000
    return Press((ready - pressed) * 1000, cpu, changes.get("milliseconds", {}), len(changes.get("dice", ())))


if __name__ == "__main__":
    for way, presses in measure().items():
        walls, works = [press.milliseconds for press in presses], [press.cpu for press in presses]
        middle = statistics.median(walls)
        print(f"{way:<30}{min(walls):6.0f} ms at least, {middle:.0f} in the middle; {min(works):.0f} ms of CPU")
