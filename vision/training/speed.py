"""Milliseconds of reading 12 dice, and as a ratio to a network of YOLOv8n's size at 640 pixels in the same process.

`python -m vision.training.speed` renders a roll, reads it, and runs the yardstick with random weights in between. The
yardstick is written down here from its published layout (3.2 M parameters, 8.7 GFLOP at 640 pixels): it is a measure,
never a part of the reader.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime

try:
    import torch
except ImportError:
    said = "The yardstick needs PyTorch, from the extra `train`: pip install --require-hashes -r requirements/train.txt"
    raise SystemExit(said) from None
from torch import Tensor, nn

from engine.dice import COLOURS, Die, DieState, Shape
from vision.detect import open_session
from vision.reader import Reader
from vision.reading import Reading
from vision.rendering import render_scene


def conv(inputs: int, outputs: int, kernel: int = 1, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs), nn.SiLU()
    )


class Split(nn.Module):
    """The stage that splits its channels and passes one half through `depth` small blocks."""

    def __init__(self, inputs: int, outputs: int, depth: int, *, short: bool) -> None:
        super().__init__()
        self.half, self.short = outputs // 2, short
        self.first = conv(inputs, outputs)
        self.blocks = nn.ModuleList(
            nn.Sequential(conv(self.half, self.half, 3), conv(self.half, self.half, 3)) for _ in range(depth)
        )
        self.last = conv((2 + depth) * self.half, outputs)

    def forward(self, x: Tensor) -> Tensor:
        parts = list(self.first(x).split(self.half, 1))
        for block in self.blocks:
            seen = block(parts[-1])
            parts.append(parts[-1] + seen if self.short else seen)
        return self.last(torch.cat(parts, 1))


class Yardstick(nn.Module):
    """A detector of YOLOv8n's layout: backbone, pyramid pooling, two-way neck, three heads of 64 + 80 channels."""

    def __init__(self, classes: int = 80) -> None:
        super().__init__()
        self.start = nn.Sequential(conv(3, 16, 3, 2), conv(16, 32, 3, 2), Split(32, 32, 1, short=True))
        self.eighth = nn.Sequential(conv(32, 64, 3, 2), Split(64, 64, 2, short=True))
        self.sixteenth = nn.Sequential(conv(64, 128, 3, 2), Split(128, 128, 2, short=True))
        self.deepest = nn.Sequential(conv(128, 256, 3, 2), Split(256, 256, 1, short=True))
        self.squeeze, self.spread = conv(256, 128), conv(512, 256)
        self.pool = nn.MaxPool2d(5, 1, 2)
        self.up = nn.Upsample(scale_factor=2)
        self.merge_16, self.merge_8 = Split(384, 128, 1, short=False), Split(192, 64, 1, short=False)
        self.down_8, self.merge_down_16 = conv(64, 64, 3, 2), Split(192, 128, 1, short=False)
        self.down_16, self.merge_32 = conv(128, 128, 3, 2), Split(384, 256, 1, short=False)
        self.boxes = nn.ModuleList(self._head(width, 64, 64) for width in (64, 128, 256))
        self.classes = nn.ModuleList(self._head(width, 80, classes) for width in (64, 128, 256))

    @staticmethod
    def _head(width: int, middle: int, outputs: int) -> nn.Sequential:
        return nn.Sequential(conv(width, middle, 3), conv(middle, middle, 3), nn.Conv2d(middle, outputs, 1))

    def forward(self, x: Tensor) -> Tensor:
        eighth = self.eighth(self.start(x))
        sixteenth = self.sixteenth(eighth)
        deep = self.squeeze(self.deepest(sixteenth))
        once = self.pool(deep)
        twice = self.pool(once)
        deep = self.spread(torch.cat([deep, once, twice, self.pool(twice)], 1))
        middle = self.merge_16(torch.cat([self.up(deep), sixteenth], 1))
        fine = self.merge_8(torch.cat([self.up(middle), eighth], 1))
        middle = self.merge_down_16(torch.cat([self.down_8(fine), middle], 1))
        deep = self.merge_32(torch.cat([self.down_16(middle), deep], 1))
        heads = [
            torch.cat([boxes(level), classes(level)], 1).flatten(2)
            for level, boxes, classes in zip((fine, middle, deep), self.boxes, self.classes, strict=True)
        ]
        return torch.cat(heads, 2)


def yardstick(folder: Path, threads: int) -> tuple[onnxruntime.InferenceSession, int]:
    """Return a session of the yardstick with the reader's own settings, and its number of parameters."""
    network = Yardstick().eval()
    path = folder / "yardstick.onnx"
    torch.onnx.export(network, (torch.zeros(1, 3, 640, 640),), str(path), input_names=["x"], dynamo=False)
    return open_session("yardstick", folder, threads), sum(part.numel() for part in network.parameters())


def roll_of(
    count: int, seed: int, width: int = 1280, height: int = 960, shapes: Sequence[Shape] = (Shape.D6,)
) -> np.ndarray:
    """Return a rendered photograph of `count` dice of `shapes` in turn."""
    rng = np.random.default_rng(seed)
    dice = []
    for number in range(count):
        shape = shapes[number % len(shapes)]
        dice.append(Die(COLOURS[number % 6 + 3], int(rng.integers(1, shape.faces + 1)), shape))
    return render_scene(rng, dice, width=width, height=height, calm=True, clutter=0).image


def doubtful(reading: Reading) -> int:
    return sum(die.state is DieState.UNSURE for die in reading.dice)


def compare(*, threads: int = 1, rounds: int = 30, seed: int = 5, models: Path | None = None) -> dict[str, object]:
    """Return the median milliseconds of a reading of 12 d6, of one, of 12 dice of all shapes, of the yardstick; ratios.

    Of dice of all shapes some are doubtful, and looked at again. They all take turns, so that whatever else the machine
    does slows all of them alike.
    """
    reader = Reader(threads=threads, models=models)
    many, single, mixed = roll_of(12, seed), roll_of(1, seed), roll_of(12, seed, shapes=tuple(Shape))
    with tempfile.TemporaryDirectory() as folder:
        session, parameters = yardstick(Path(folder), threads)
        given = {"x": np.zeros((1, 3, 640, 640), np.float32)}
        took: dict[str, list[float]] = {"twelve": [], "detect": [], "one": [], "mixed": [], "yardstick": []}
        for round_ in range(rounds + 2):
            reading, lone, shapes = reader.read(many), reader.read(single), reader.read(mixed)
            began = time.perf_counter()
            session.run(None, given)
            spent = (time.perf_counter() - began) * 1000
            if round_ >= 2:
                took["twelve"].append(reading.milliseconds["total"])
                took["detect"].append(reading.milliseconds["detect"])
                took["one"].append(lone.milliseconds["total"])
                took["mixed"].append(shapes.milliseconds["total"])
                took["yardstick"].append(spent)
    middle = {name: statistics.median(times) for name, times in took.items()}
    return {
        "threads": threads,
        "dice_seen": len(reading.dice),
        "doubtful": {"twelve": doubtful(reading), "one": doubtful(lone), "mixed": doubtful(shapes)},
        "yardstick_parameters": parameters,
        "milliseconds": {name: round(value, 1) for name, value in middle.items()},
        "ratio_of_12_dice": round(middle["twelve"] / middle["yardstick"], 3),
        "ratio_of_1_die": round(middle["one"] / middle["yardstick"], 3),
        "ratio_of_12_dice_of_all_shapes": round(middle["mixed"] / middle["yardstick"], 3),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m vision.training.speed", description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument(
        "--models", type=Path, default=None, help="a folder of models instead of those that are shipped"
    )
    chosen = parser.parse_args()
    print(json.dumps(compare(threads=chosen.threads, rounds=chosen.rounds, models=chosen.models), indent=1))
