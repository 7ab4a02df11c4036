"""Naming a die's colour as people do, from its own pixels and the table around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from engine.dice import COLOURS
from vision.alike import looks_of
from vision.classify import cut, softmax
from vision.detect import Found, card, models_folder, open_session

NAMES = (*COLOURS, "ivory")
"""The names the colour network knows: those every table knows, and ivory, which people tell from white."""

NEAREST = {"ivory": "white", "maroon": "red"}
"""What a colour is called where its own name isn't among those in question."""

SIDE = 32
"""Side in pixels of the crop that the colour network sees."""
FILL = 0.8


class ColourNamer:
    """Names dice's colours with a small network; its card holds the temperature that makes its doubt honest."""

    def __init__(self, *, threads: int = 1, models: Path | None = None) -> None:
        folder = models or models_folder()
        facts = card("colour", folder)
        self.names: tuple[str, ...] = tuple(facts["labels"])
        self.temperature = float(facts["calibration"]["temperature"])
        self._session = open_session("colour", folder, threads)

    def name(self, crops: np.ndarray) -> list[dict[str, float]]:
        """Return, for each of the `crops` (`crops_of`), the probability of each colour name."""
        if not len(crops):
            return []
        chances = softmax(self._session.run(None, {"crops": crops})[0] / self.temperature)
        return [dict(zip(self.names, map(float, row), strict=True)) for row in chances]


def crops_of(image: np.ndarray, dice: Sequence[Found]) -> np.ndarray:
    """Return `dice` in `image` (BGR uint8) as the colour network and `looks` take them: (N, 32, 32, 3) BGR uint8."""
    crops = [cut(image, die.box, SIDE, FILL).pixels for die in dice]
    return np.stack(crops) if crops else np.empty((0, SIDE, SIDE, 3), np.uint8)


def looks(crops: np.ndarray) -> list[np.ndarray]:
    """Return what the dice on the `crops` (`crops_of`) look like, for `vision.alike` to compare."""
    return list(looks_of(crops, FILL)) if len(crops) else []


def among(chances: dict[str, float], names: Sequence[str]) -> dict[str, float]:
    """Return the probabilities over `names` alone; a colour that isn't among them lends its weight to its nearest.

    Names that the network doesn't know (a table's own) get what is left over, evenly, and little of it.
    """
    weights = {name: chances.get(name, 0.0) for name in names}
    for name, nearest in NEAREST.items():
        if name not in weights and nearest in weights:
            weights[nearest] += chances.get(name, 0.0)
    floor = 1e-4
    total = sum(weights.values()) + floor * len(weights)
    return {name: (weight + floor) / total for name, weight in weights.items()}


def averaged(views: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of what several pictures say of the colour of one die."""
    return {name: sum(view[name] for view in views) / len(views) for name in views[0]}
