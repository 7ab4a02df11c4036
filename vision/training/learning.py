"""What every training here shares: how pictures go in, the average that is kept, and the loop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from vision.training.pace import Pace

MEAN, SPREAD = 115.0, 64.0
"""What is taken from a picture's bytes before a network sees them, and what they are divided by."""


def normalised(images: np.ndarray) -> Tensor:
    """Return pictures (N, H, W, 3 BGR uint8) as the networks take them: (N, 3, H, W), about -2..2."""
    pixels = torch.from_numpy(images).permute(0, 3, 1, 2).float()
    return ((pixels - MEAN) / SPREAD).contiguous(memory_format=torch.channels_last)


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


def start_from(network: nn.Module, path: Path, *, takes_bytes: bool = False) -> None:
    """Load into `network` a checkpoint, or the weights of a model that was shipped (an .onnx), to train on from there.

    A shipped model has its batch normalisations folded into the convolutions; they are unfolded by the first batch.
    One whose first convolution `takes_bytes` has `MEAN` and `SPREAD` folded into it too.
    """
    if path.suffix != ".onnx":
        network.load_state_dict(torch.load(path))
        return
    import onnx
    from onnx import numpy_helper

    stored = {
        one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in onnx.load(path).graph.initializer
    }
    folded = [tensor for name, tensor in stored.items() if name.startswith("onnx::Conv")]
    convolutions = [one for one in network.modules() if isinstance(one, nn.Conv2d) and one.bias is None]
    norms = [one for one in network.modules() if isinstance(one, nn.BatchNorm2d)]
    if len(folded) != 2 * len(convolutions) or len(norms) != len(convolutions):
        raise ValueError(f"{path} is not a {type(network).__name__}: its convolutions are others.")
    for at, (convolution, norm) in enumerate(zip(convolutions, norms, strict=True)):
        weight, bias = folded[2 * at], folded[2 * at + 1]
        if takes_bytes and at == 0:
            weight, bias = weight * SPREAD, bias + weight.sum((1, 2, 3)) * MEAN
        convolution.weight.data.copy_(weight)
        _unfold(norm, bias)
    plain = {name.replace("network.", ""): tensor for name, tensor in stored.items()}
    for name, weights in network.named_parameters():
        if name in plain:
            weights.data.copy_(plain[name])


def average(start: Path, path: Path) -> None:
    """Give the checkpoint at `path` weights halfway between its own and those of `start`, which it was trained from.

    Each of the two has forgotten a little of what the other knows (Wortsman and others 2022, "Model soups").
    """
    before, after = torch.load(start), torch.load(path)
    both = {
        name: (before[name] + weights) / 2 if weights.is_floating_point() else weights
        for name, weights in after.items()
    }
    torch.save(both, path)


QUICK = torch.backends.cpu.get_cpu_capability() == "AVX512" and torch.cpu._is_amx_tile_supported()
"""Whether this processor multiplies in bfloat16 more quickly than in float32."""


def quick() -> torch.autocast:
    """Return the context in which a network is trained: in bfloat16 where the processor is quicker with it."""
    return torch.autocast("cpu", torch.bfloat16, enabled=QUICK)


def wake(hidden: nn.Linear, after: nn.Linear, seen: Tensor) -> int:
    """Give each unit of `hidden` that no row of `seen` (N, inputs) excites new weights, and return how many there were.

    A unit that a ReLU never lets through learns nothing more. What `after` makes of a woken one begins at nothing, so
    the network's answers stay as they were.
    """
    with torch.no_grad():
        dead = (hidden(seen) > 0).float().mean(0) < 0.002
        alive = hidden.weight[~dead]
        drawn = torch.randn_like(hidden.weight[dead])
        drawn *= alive.norm(dim=1).median() / drawn.norm(dim=1, keepdim=True).clamp(min=1e-6)
        hidden.weight[dead] = drawn
        hidden.bias[dead] = -(seen @ drawn.T).mean(0)
        after.weight[:, dead] = 0
    return int(dead.sum())


def _unfold(norm: nn.BatchNorm2d, bias: Tensor) -> None:
    """Let `norm` add `bias` and nothing else, by the statistics of the first batch that it meets."""

    def first(module: nn.Module, given: tuple[Tensor, ...]) -> None:
        seen = given[0].detach()
        mean, variance = seen.mean((0, 2, 3)), seen.var((0, 2, 3), unbiased=False)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.data.copy_((variance + norm.eps).sqrt())
        norm.bias.data.copy_(bias + mean)
        handle.remove()

    handle = norm.register_forward_pre_hook(first)


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
