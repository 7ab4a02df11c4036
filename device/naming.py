"""The table's own colour names beside those that the reader knows: vermelho, or a tint called flamingo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from device.camera.base import Image
from device.loading import Reads
from engine.dice import TINTS, DieState, known_colour, linear_light
from engine.game import Expectation
from vision.reading import ReadDie, Reading
from vision.seen import SeenDie

if TYPE_CHECKING:
    from vision.geometry import CameraPose


def known_names(colours: Iterable[str], tints: Mapping[str, str], taught: Collection[str] = ()) -> dict[str, str]:
    """Return, for each of the table's `colours`, the name that the reader would give it: its own where it was taught.

    A known word counts first, then the known colour nearest to the tint that the table gave it (#rrggbb). A name with
    neither stays as it is: the reader has never heard of it, and asks.
    """
    return {
        colour: colour
        if colour in taught
        else known_colour(colour) or (_nearest(tints[colour]) if colour in tints else colour)
        for colour in colours
    }


def to_known(expects: Expectation | None, tints: Mapping[str, str], taught: Collection[str] = ()) -> Expectation | None:
    """Return the expectation in the reader's own colour names; those that it was `taught` are the table's."""
    if expects is None or expects.colours is None:
        return expects
    counts: Counter[str] = Counter()
    for colour, name in known_names(expects.colours, tints, taught).items():
        counts[name] += expects.colours[colour]
    return replace(expects, colours=dict(counts))


def to_own(
    reading: Reading, expects: Expectation | None, tints: Mapping[str, str], taught: Collection[str] = ()
) -> Reading:
    """Return the reading in the table's colour names; a die that could be two of them is doubtful."""
    if expects is None or expects.colours is None:
        return reading
    own: dict[str, list[str]] = {}
    for colour, name in known_names(expects.colours, tints, taught).items():
        own.setdefault(name, []).append(colour)
    dice = []
    for die in reading.dice:
        colours = own.get(die.colour, [die.colour])
        doubt = len(colours) > 1 and die.state is DieState.READ
        die = replace(die, colour=colours[0], state=DieState.UNSURE if doubt else die.state)
        if isinstance(die, SeenDie):
            spread = {name: sure for known, sure in die.colours.items() for name in own.get(known, [known])}
            die = replace(die, colours=spread)
        dice.append(die)
    return replace(reading, dice=tuple(dice))


class NamingReader:
    """A reader that answers in the table's own colour names; `tints` returns the fills that the table gave them.

    `taught` returns the colours that the reader knows by the table's own names.
    """

    def __init__(
        self,
        reader: Reads,
        tints: Callable[[], Mapping[str, str]],
        taught: Callable[[], Collection[str]] = frozenset,
    ) -> None:
        self._reader = reader
        self._tints = tints
        self._taught = taught

    @property
    def loading(self) -> bool:
        """Whether the reader is still being loaded."""
        return bool(getattr(self._reader, "loading", False))

    def read(
        self,
        image: Image,
        *,
        expects: Expectation | None = None,
        again: Sequence[Image] = (),
        camera: CameraPose | None = None,
    ) -> Reading:
        tints, taught = self._tints(), self._taught()
        known = to_known(expects, tints, taught)
        return to_own(self._reader.read(image, expects=known, again=again, camera=camera), expects, tints, taught)

    def look(
        self,
        image: Image,
        at: tuple[float, float],
        side: float,
        *,
        expects: Expectation | None = None,
        camera: CameraPose | None = None,
    ) -> ReadDie:
        tints, taught = self._tints(), self._taught()
        die = self._reader.look(image, at, side, expects=to_known(expects, tints, taught), camera=camera)
        height, width = image.shape[:2]
        return to_own(Reading(width, height, (die,)), expects, tints, taught).dice[0]


def _nearest(tint: str) -> str:
    return min(TINTS, key=lambda name: float(np.linalg.norm(_lab(TINTS[name]) - _lab(tint))))


def _lab(tint: str) -> np.ndarray:
    """Return #rrggbb in CIE L*a*b* (D65), where distances are about what eyes see."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ linear_light(tint) / (0.9505, 1.0, 1.089))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
