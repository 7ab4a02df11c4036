"""What lies under the lab's camera: rendered rolls of which the dice are known, and plain colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from engine.dice import Die, DieState, Shape
from engine.game import Expectation
from vision.reader import Reader
from vision.rendering.looks import draw_look
from vision.rendering.rolling import rolled
from vision.rendering.scene import draw_stage, render_scene

WIDTH, HEIGHT = 1280, 720


@dataclass(frozen=True, slots=True)
class Roll:
    """A picture of dice as JPEG, and the dice as sorted (colour, value)."""

    jpeg: bytes
    dice: tuple[tuple[str, int], ...]


class Rolls:
    """One table and one set of dice. `next` gives roll after roll that is read rightly and surely on this computer."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._stage = draw_stage(self._rng, WIDTH, HEIGHT, calm=True, die_pixels=(60, 76))
        self._looks: dict[str, Any] = {}
        self._reader = Reader(threads=1)

    def next(self, expects: Expectation) -> Roll:
        while True:
            dice = rolled(self._rng, expects)
            jpeg, picture = self._draw(dice)
            reading = self._reader.read(picture, expects=expects)
            seen = sorted((die.colour, die.value) for die in reading.dice)
            if seen == sorted_dice(dice) and all(die.state is DieState.READ for die in reading.dice):
                return Roll(jpeg, tuple(seen))

    def empty(self) -> bytes:
        return self._draw([])[0]

    def _draw(self, dice: list[Die]) -> tuple[bytes, np.ndarray]:
        for die in dice:
            if die.colour not in self._looks:
                self._looks[die.colour] = draw_look(self._rng, die.colour, pips=die.shape is Shape.D6, plain=True)
        looks = [self._looks[die.colour] for die in dice]
        jpeg = as_jpeg(render_scene(self._rng, dice, looks=looks, stage=self._stage, clutter=0).image)
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        return jpeg, picture


def sorted_dice(dice: list[Die]) -> list[tuple[str, int]]:
    return sorted((die.colour, die.value) for die in dice)


def as_jpeg(picture: np.ndarray) -> bytes:
    done, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert done
    return bytes(coded)


def plain(blue: int, green: int, red: int) -> bytes:
    """Return a picture of one colour."""
    return as_jpeg(np.full((HEIGHT, WIDTH, 3), (blue, green, red), np.uint8))
