"""Training the detector: `train` makes a checkpoint, from photographs, cut-outs and renders."""

from __future__ import annotations

import math
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from vision.training import scenes
from vision.training.networks import Average, DetectorNet
from vision.training.photos import photographs

SIDE = 320
"""The side in pixels of a training picture."""


def normalised(images: np.ndarray) -> Tensor:
    """Return pictures (N, H, W, 3 BGR uint8) as the networks take them: (N, 3, H, W), about -2..2."""
    pixels = torch.from_numpy(images).permute(0, 3, 1, 2).float()
    return ((pixels - 115.0) / 64.0).contiguous(memory_format=torch.channels_last)


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
    work: Path,
    *,
    seconds: float,
    seed: int = 1,
    rate: float = 2.5e-3,
    batch: int = 12,
    start: Path | None = None,
    renders: Path | None = None,
) -> Path:
    """Train for `seconds` and return the checkpoint, `work/detector.pt`; `start` is a checkpoint to go on from."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    photos = scenes.load(photographs(folder, part="train"))
    cuts = [cut for photo in photos for cut in scenes.cut_out(photo)]
    rendered = scenes.load_renders(renders) if renders else []
    maker = scenes.SceneMaker(photos, cuts, rendered, SIDE, rng)
    network = DetectorNet().to(memory_format=torch.channels_last)
    if start:
        network.load_state_dict(torch.load(start))
    average = Average(network)
    optimizer = torch.optim.AdamW(network.parameters(), rate, weight_decay=0.02)
    count = sum(weights.numel() for weights in network.parameters())
    print(f"{len(photos)} photographs, {len(cuts)} cut-outs, {len(rendered)} renders, {count} parameters", flush=True)
    began = said = time.time()
    seen, level = 0, float("nan")
    while (share := (time.time() - began) / seconds) < 1:
        for group in optimizer.param_groups:
            group["lr"] = rate * (share / 0.03 if share < 0.03 else 0.5 * (1 + math.cos(math.pi * share))) + 1e-5
        made = [maker.scene() for _ in range(batch)]
        wanted = [torch.from_numpy(np.stack(part)) for part in zip(*map(scenes.targets, made), strict=True)]
        loss = loss_of(network(normalised(np.stack([scene.image for scene in made]))), *wanted)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        average.update(network)
        seen += batch
        level = loss.item() if math.isnan(level) else 0.98 * level + 0.02 * loss.item()
        if time.time() - said > 30:
            said = time.time()
            print(f"{said - began:.0f} s, {seen} pictures, loss {level:.3f}", flush=True)
            torch.save(average.weights, work / "detector.pt")
    torch.save(average.weights, work / "detector.pt")
    return work / "detector.pt"
