"""A table on which the dice of one box are rolled again and again: what the demo's camera looks at."""

from __future__ import annotations

import numpy as np

from engine.dice import COLOURS, Die, Shape
from engine.game import Expectation
from vision.rendering.layout import TOUCHING
from vision.rendering.looks import Look, draw_look
from vision.rendering.scene import Scene, Stage, draw_stage, render_scene

WIDTH, HEIGHT = 1280, 960


class RolledTable:
    """One table and one box of dice, drawn by chance from `rng`.

    `hard` 0..1 is the share of cocked or hidden dice, `touching` of those that lie against another one.
    """

    def __init__(self, rng: np.random.Generator, *, hard: float = 0.0, touching: float = TOUCHING) -> None:
        self._rng = rng
        self._hard, self._touching = hard, touching
        self._stage: Stage = draw_stage(rng, WIDTH, HEIGHT, calm=True, die_pixels=(56, 80))
        self._looks: dict[tuple[str, Shape], Look] = {}
        self._lying: tuple[int, list[Die]] = (0, [])

    def roll(self, expected: Expectation) -> None:
        """Roll the dice that are waited for."""
        self._lying = (int(self._rng.integers(2**63)), rolled(self._rng, expected))

    def scene(self, *, again: int = 0) -> Scene:
        """Return the table as it lies there: the same picture until the next roll; empty before the first.

        `again` is how many more photographs of it are taken.
        """
        seed, dice = self._lying
        return render_scene(
            np.random.default_rng(seed),
            dice,
            looks=[self._look(die) for die in dice],
            stage=self._stage,
            clutter=0,
            hard=self._hard,
            touching=self._touching,
            again=again,
        )

    def _look(self, die: Die) -> Look:
        """Return the look of the table's dice of this colour and shape: one set for as long as the table stands."""
        key = (die.colour, die.shape)
        if key not in self._looks:
            pips = die.shape is Shape.D6
            self._looks[key] = draw_look(self._rng, die.colour, pips=pips, plain=True)
        return self._looks[key]


def rolled(rng: np.random.Generator, expected: Expectation) -> list[Die]:
    """Return a random roll of the dice waited for: colours drawn as from a bag, never more of one than there are.

    A bag with too few dice gives all that it has.
    """
    if expected.dice is not None:
        return [Die(colour, int(rng.integers(1, shape.faces + 1)), shape) for shape, colour in expected.dice]
    shapes = [shape for shape, count in expected.shapes.items() for _ in range(count)]
    if expected.colours is None:
        bag = [str(colour) for colour in rng.choice(COLOURS, len(shapes))]
    else:
        bag = [colour for colour, count in expected.colours.items() for _ in range(count)]
    drawn = [bag[i] for i in rng.permutation(len(bag))[: len(shapes)]]
    return [
        Die(colour, int(rng.integers(1, shape.faces + 1)), shape) for shape, colour in zip(shapes, drawn, strict=False)
    ]
