"""Training the colour network on dice whose colour people have named, and on renders."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from vision.colour import FILL, NAMES, SIDE
from vision.training.crops import Sample
from vision.training.learning import normalised, run
from vision.training.networks import ColourNet
from vision.training.pace import Pace


def allowed(colours: Sequence[str]) -> np.ndarray:
    """Return a mask over `NAMES` of the names that are right for a die that people call any of `colours`."""
    return np.array([name in colours for name in NAMES], np.float32)


def turned(rng: np.random.Generator, sample: Sample) -> np.ndarray:
    """Return the die turned, mirrored and scaled as it may lie, in light that has changed a little."""
    cx, cy, w, h = sample.box
    angle, step = rng.uniform(0, 2 * math.pi), max(w, h) / (SIDE * FILL) * math.exp(rng.normal(0, 0.12))
    cos, sin = math.cos(angle), math.sin(angle)
    back = step * np.array([[cos, -sin], [sin, cos]]) @ np.diag([rng.choice([-1.0, 1.0]), 1.0])
    offset = np.array([cx, cy]) - 0.5 + rng.normal(0, 0.05 * max(w, h), 2)
    corner = offset - back @ np.array([SIDE / 2 - 0.5, SIDE / 2 - 0.5])
    pixels, warp = sample.pixels, np.column_stack([back, corner])
    if step > 1.4:
        shrink = 1.2 / step
        pixels = cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        warp = warp * shrink
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpAffine(pixels, warp, (SIDE, SIDE), flags=way, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    crop *= np.exp(rng.normal(0, 0.06, 3)) * math.exp(rng.normal(0, 0.13))
    crop = 255 * np.clip(crop / 255, 0, 1) ** math.exp(rng.normal(0, 0.12))
    crop += rng.normal(0, rng.uniform(0, 5), crop.shape)
    return np.clip(crop, 0, 255).astype(np.uint8)


def train(samples: Sequence[Sample], path: Path, *, pace: Pace, seed: int = 4) -> Path:
    """Train the colour network at `pace` and return the checkpoint."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    pools: dict[str, dict[tuple[str, ...], list[Sample]]] = {}
    for sample in samples:
        if allowed(sample.colours).any():
            pools.setdefault(sample.source, {}).setdefault(sample.colours, []).append(sample)
    weights = {"byler_d6": 3.0, "roboflow_dice": 2.0, "lurig": 1.0, "matteop65_d6": 0.5, "rendered": 4.0}
    sources = list(pools)
    odds = np.array([weights.get(source, 1.0) for source in sources])
    odds = odds / odds.sum()
    network = ColourNet(len(NAMES)).to(memory_format=torch.channels_last)

    def draw() -> Sample:
        pool = pools[sources[rng.choice(len(sources), p=odds)]]
        kinds = list(pool)
        of_kind = pool[kinds[rng.integers(len(kinds))]]
        return of_kind[rng.integers(len(of_kind))]

    def step() -> Tensor:
        drawn = [draw() for _ in range(128)]
        out = network(normalised(np.stack([turned(rng, sample) for sample in drawn])))
        right = torch.from_numpy(np.stack([allowed(sample.colours) for sample in drawn]))
        chances = F.softmax(out, 1)
        return -torch.log((chances * right).sum(1).clamp(min=1e-6)).mean() + 0.02 * (out**2).mean()

    return run(network, step, path, pace)
