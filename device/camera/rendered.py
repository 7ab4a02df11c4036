"""A camera over a table that is not there: each capture is a photograph, of a roll of the dice awaited."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from device.camera.base import PATIENCE, Camera, CameraError, Frame
from engine.dice import COLOURS, Die, Shape
from engine.game import Expectation
from vision.rendering import Look, Stage, draw_look, draw_stage, render_scene

WIDTH, HEIGHT = 1280, 960


class RenderedCamera(Camera):
    """Shows a fresh random roll of what `expects()` names, on one table that stays the same while the camera is open.

    When nothing is waited for, the last roll still lies there; before the first roll the table is empty. `hard`
    0..1 is the share of dice that lean cocked or lie half hidden. The same `seed` gives the same rolls.
    """

    name = "rendered table"

    def __init__(
        self, expects: Callable[[], Expectation | None], seed: int | None = None, *, hard: float = 0.0
    ) -> None:
        self._expects = expects
        self._rng = np.random.default_rng(seed)
        self._hard = hard
        self._stage: Stage | None = None
        self._looks: dict[tuple[str, Shape], Look] = {}
        self._lying: tuple[int, list[Die]] | None = None

    def open(self) -> None:
        if self._stage is None:
            self._stage = draw_stage(self._rng, WIDTH, HEIGHT, calm=True, die_pixels=(56, 80))

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        if self._stage is None:
            raise CameraError("The rendered table is not set up.", "Start Jurado again")
        exposed_at = max(time.monotonic(), np.nextafter(after, np.inf))
        expected = self._expects()
        if expected is not None:
            self._lying = (int(self._rng.integers(2**63)), roll(self._rng, expected))
        seed, dice = self._lying if self._lying is not None else (0, [])
        scene = render_scene(
            np.random.default_rng(seed),
            dice,
            looks=[self._look(die) for die in dice],
            stage=self._stage,
            clutter=0,
            hard=self._hard,
        )
        return Frame(scene.image, float(exposed_at), source="rendered")

    def close(self) -> None:
        self._stage = None

    def _look(self, die: Die) -> Look:
        """Return the look of the table's dice of this colour and shape: one set for as long as the table stands."""
        key = (die.colour, die.shape)
        if key not in self._looks:
            pips = die.shape is Shape.D6
            self._looks[key] = draw_look(self._rng, die.colour, pips=pips, plain=True)
        return self._looks[key]


def roll(rng: np.random.Generator, expected: Expectation) -> list[Die]:
    """Return a random roll of the dice waited for: colours drawn as from a bag, never more of one than there are.

    A bag with too few dice gives all that it has.
    """
    shapes = [shape for shape, count in expected.shapes.items() for _ in range(count)]
    if expected.colours is None:
        bag = [str(colour) for colour in rng.choice(COLOURS, len(shapes))]
    else:
        bag = [colour for colour, count in expected.colours.items() for _ in range(count)]
    drawn = [bag[i] for i in rng.permutation(len(bag))[: len(shapes)]]
    return [
        Die(colour, int(rng.integers(1, shape.faces + 1)), shape) for shape, colour in zip(shapes, drawn, strict=False)
    ]
