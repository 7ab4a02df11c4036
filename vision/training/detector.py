"""Training the detector: `train` makes a checkpoint, from photographs, cut-outs and renders."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from vision.training import scenes
from vision.training.learning import normalised, quick, run, start_from
from vision.training.networks import DetectorNet
from vision.training.pace import Pace
from vision.training.photos import photographs

SIDE = 320
"""The side in pixels of a training picture."""


def loss_of(out: Tensor, heat: Tensor, weight: Tensor, numbers: Tensor, learn: Tensor) -> Tensor:
    """Return the focal loss of the centres and the L1 loss of the boxes, for each die."""
    logit = out[:, 0]
    chance = torch.sigmoid(logit).clamp(1e-5, 1 - 1e-5)
    hit = (heat > 0.999).float()
    found = -hit * (1 - chance) ** 2 * torch.log(chance)
    false = -(1 - hit) * (1 - heat) ** 4 * chance**2 * torch.log(1 - chance)
    dice = hit.sum().clamp(min=1)
    focal = ((found + false) * weight).sum() / dice
    scale = torch.tensor([0.12, 0.12, 1.0, 1.0]).view(1, 4, 1, 1)
    gap = F.smooth_l1_loss(out[:, 1:], numbers, reduction="none", beta=0.1) * scale
    boxes = (gap.sum(1) * learn * weight).sum() / learn.sum().clamp(min=1)
    return focal + 2.0 * boxes


def train(
    folder: Path,
    path: Path,
    *,
    pace: Pace,
    seed: int = 1,
    batch: int = 12,
    fresh: int = 3,
    start: Path | None = None,
    renders: Path | None = None,
) -> Path:
    """Train at `pace` and return the checkpoint, `path`; `start` is a checkpoint to go on from."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    photos = scenes.load(photographs(folder, part="train"))
    cuts = scenes.kept_cuts(photos, path.with_name("cuts.npz"))
    rendered = scenes.load_renders(renders) if renders else []
    print(f"{len(photos)} photographs, {len(cuts)} cut-outs, {len(rendered)} renders", flush=True)
    stock = scenes.Stock(scenes.SceneMaker(photos, cuts, rendered, SIDE, rng), batch=batch, fresh=fresh)
    network = DetectorNet().to(memory_format=torch.channels_last)
    if start:
        start_from(network, start, takes_bytes=True)

    def step() -> Tensor:
        made = stock.draw()
        wanted = [torch.from_numpy(np.stack(part)) for part in zip(*map(scenes.targets, made), strict=True)]
        pixels = normalised(np.stack([scene.image for scene in made]))
        with quick():
            out = network(pixels)
        return loss_of(out.float(), *wanted)

    return run(network, step, path, pace)
