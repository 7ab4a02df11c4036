"""What dice lie on: felt, wood, cloth, paper, leather, stone, boards, maps; each a square that repeats itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.rendering import boards, cloths, materials
from vision.rendering.looks import Colour

Kind = Literal[
    "felt", "wood", "cloth", "paper", "leather", "stone", "board", "plain", "pattern", "squares", "map", "stars"
]
Tile = NDArray[np.uint8]
"""SIZE square of gamma-coded BGR."""

_PAINTERS: dict[Kind, Callable[[np.random.Generator], NDArray[np.float32]]] = {
    "felt": materials.felt,
    "wood": materials.wood,
    "cloth": materials.cloth,
    "paper": materials.paper,
    "leather": materials.leather,
    "stone": materials.stone,
    "board": boards.scattered,
    "plain": materials.plain,
    "pattern": cloths.pattern,
    "squares": boards.squares,
    "map": boards.sea_map,
    "stars": boards.star_chart,
}
KINDS: tuple[Kind, ...] = tuple(_PAINTERS)
_CHANCES = (0.12, 0.14, 0.08, 0.07, 0.08, 0.06, 0.12, 0.07, 0.13, 0.06, 0.04, 0.03)
CALM_KINDS: tuple[Kind, ...] = ("felt", "leather", "wood", "plain", "paper")
LOUD = 0.38
"""The span between a ground's strongest and weakest colour, as a viewer sees them, that a calm table stays under."""
VARIANTS: dict[Kind, int] = {**dict.fromkeys(KINDS, 12), "pattern": 60, "squares": 24}
"""How many different tiles each kind has; turns, tints and scales make more of them."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A table top: `tile`, its levels times `gain`, spans `span` mm.

    `mean` is its average linear BGR, `shine` 0..1 how much it mirrors.
    """

    kind: Kind
    tile: Tile
    gain: Colour
    span: float
    mean: Colour
    shine: float


def draw_ground(rng: np.random.Generator, *, calm: bool = False) -> Ground:
    """Return a random table top; `calm` keeps to what people put under dice on purpose."""
    kinds = CALM_KINDS if calm else KINDS
    chances = (0.35, 0.2, 0.2, 0.15, 0.1) if calm else _CHANCES
    while True:
        kind = kinds[int(rng.choice(len(kinds), p=chances))]
        tile = ground_tile(kind, int(rng.integers(VARIANTS[kind])))
        if not calm or np.ptp(_mean(tile) ** (1 / 2.2)) < LOUD:
            break
    gain = (rng.uniform(0.8, 1.15) * rng.uniform(0.96, 1.04, 3)).astype(np.float32)
    span = float(rng.uniform(90, 260))
    shine = {"wood": 0.4, "board": 0.5, "stone": 0.5, "plain": 0.4, "squares": 0.5, "map": 0.3, "stars": 0.3}.get(
        kind, 0.0
    ) * rng.random()
    return Ground(kind, tile, gain, span, _mean(tile) * gain**2.2, float(shine))


def _mean(tile: Tile) -> Colour:
    small = cv2.resize(tile, (32, 32), interpolation=cv2.INTER_AREA) / np.float32(255)
    return np.asarray((small**2.2).mean(axis=(0, 1)), dtype=np.float32)


@lru_cache(maxsize=sum(VARIANTS.values()))
def ground_tile(kind: Kind, number: int) -> Tile:
    """Return tile `number` of a kind, 0..VARIANTS[kind] - 1, drawn once."""
    rng = np.random.default_rng((number, KINDS.index(kind), 77))
    shade = _PAINTERS[kind](rng)
    return np.asarray((255 * np.clip(shade, 0, 1) ** (1 / 2.2)), dtype=np.uint8)
