"""What every training here shares: how pictures go in, the average that is kept, and the loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from vision.training.pace import Pace


def normalised(images: np.ndarray) -> Tensor:
    """Return pictures (N, H, W, 3 BGR uint8) as the networks take them: (N, 3, H, W), about -2..2."""
    pixels = torch.from_numpy(images).permute(0, 3, 1, 2).float()
    return ((pixels - 115.0) / 64.0).contiguous(memory_format=torch.channels_last)


class Average:
    """An exponential moving average of a network's weights: what is kept and shipped."""

    def __init__(self, network: nn.Module, keep: float = 0.998) -> None:
        self.keep = keep
        self.steps = 0
        self.weights = {name: value.clone() for name, value in network.state_dict().items()}

    def update(self, network: nn.Module) -> None:
        self.steps += 1
        keep = min(self.keep, (1 + self.steps) / (10 + self.steps))
        for name, value in network.state_dict().items():
            if value.dtype.is_floating_point:
                self.weights[name].mul_(keep).add_(value.detach(), alpha=1 - keep)
            else:
                self.weights[name].copy_(value)


def run(network: nn.Module, step: Callable[[], Tensor], path: Path, pace: Pace) -> Path:
    """Train `network` by the losses that `step` returns, and write the averaged weights to `path`."""
    average = Average(network)
    optimizer = torch.optim.AdamW(network.parameters(), pace.rate, weight_decay=0.03)
    print(f"{sum(weights.numel() for weights in network.parameters())} parameters", flush=True)
    while pace.share < 1:
        for group in optimizer.param_groups:
            group["lr"] = pace.now
        loss = step()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        average.update(network)
        if pace.step(loss.item()):
            torch.save(average.weights, path)
    torch.save(average.weights, path)
    return path
