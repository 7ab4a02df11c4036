"""The networks as they are trained: detector, pose network, patch reader, colour network and verifier."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from vision.classify import FAINTEST, OPPONENT


def conv(inputs: int, outputs: int, kernel: int = 3, stride: int = 1, *, pad: int | None = None) -> nn.Sequential:
    """Return a convolution with batch normalisation and ReLU; `pad` is half the kernel unless given."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2 if pad is None else pad, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


class Bottleneck(nn.Module):
    """A residual block whose 3x3 convolution works on half the channels."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.squeeze = conv(width, width // 2, 1)
        self.look = nn.Sequential(
            nn.Conv2d(width // 2, width, 3, 1, 1, bias=False),
            nn.BatchNorm2d(width),
        )

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.look(self.squeeze(x)))


class Residual(nn.Module):
    """Two 3x3 convolutions and a short cut; halves the picture when `stride` is 2."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        super().__init__()
        self.first = conv(inputs, outputs, 3, stride)
        self.second = nn.Sequential(nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        self.short = (
            nn.Sequential(nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs))
            if inputs != outputs
            else nn.Identity()
        )
        self.stride = stride

    def forward(self, x: Tensor) -> Tensor:
        seen = self.second(self.first(x))
        if self.stride > 1:
            x = F.avg_pool2d(x, 2)
        return F.relu(seen + self.short(x))


class DetectorNet(nn.Module):
    """Picture (N, 3, H, W; H and W multiples of 64) to (N, 5, H/8, W/8) of raw numbers.

    The five are: logit that a die's centre lies in the cell, its offset in the cell (x, y; 0..1), log of its width and
    height in units of 32 pixels. Dice of all sizes are found in one look: what is seen at 1/64 reaches each cell.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = conv(3, 32, 6, 4, pad=1)
        self.eighth = nn.Sequential(conv(32, 32, 3, 2), Bottleneck(32), Bottleneck(32))
        self.sixteenth = nn.Sequential(conv(32, 64, 3, 2), Bottleneck(64), Bottleneck(64), Bottleneck(64))
        self.thirtysecond = nn.Sequential(conv(64, 96, 3, 2), Bottleneck(96), Bottleneck(96))
        self.whole = nn.Sequential(Bottleneck(96), Bottleneck(96))
        self.from_32 = conv(96, 64, 1)
        self.mix_16 = Bottleneck(64)
        self.from_16 = conv(64, 32, 1)
        self.mix_8 = conv(32, 32, 3)
        self.out = nn.Conv2d(32, 5, 1)
        nn.init.zeros_(self.out.weight[1:])
        nn.init.constant_(self.out.bias, 0.0)
        with torch.no_grad():
            self.out.bias[0] = -4.0

    def forward(self, x: Tensor) -> Tensor:
        return self.after(self.stem(x))

    def after(self, x: Tensor) -> Tensor:
        """Return the answer to what the stem sees."""
        eighth = self.eighth(x)
        sixteenth = self.sixteenth(eighth)
        below = self.thirtysecond(sixteenth)
        below = below + twice(self.whole(F.avg_pool2d(below, 2)))
        sixteenth = self.mix_16(sixteenth + twice(self.from_32(below)))
        return self.out(self.mix_8(eighth + twice(self.from_16(sixteenth))))


def twice(x: Tensor) -> Tensor:
    """Return a map at twice its height and width."""
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


class Hues(nn.Module):
    """Adds to a crop its light and its two hues, evened out over the middle: (N, 3, H, W) to (N, 6, H, W).

    Red pips on a dark die hardly differ from it in blue, green and red beside a white tray; here they stand out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("opponent", torch.from_numpy(OPPONENT).view(3, 3, 1, 1), persistent=False)
        self.register_buffer("faintest", torch.from_numpy(FAINTEST / 64).view(1, 3, 1, 1), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        hues = F.conv2d(x, self.opponent)
        middle = hues[:, :, 18:46, 18:46]
        mean = middle.mean((2, 3), keepdim=True)
        spread = ((middle - mean) ** 2).mean((2, 3), keepdim=True).sqrt()
        return torch.cat([x, ((hues - mean) / (spread + self.faintest)).clamp(-4, 4)], 1)


class PoseNet(nn.Module):
    """Crops of dice (N, 3, 64, 64) to (N, 55) raw numbers; `vision.classify` names the columns."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 64, 112), features: int = 160) -> None:
        super().__init__()
        first, second, third, fourth = widths
        self.stem = nn.Sequential(Hues(), conv(6, first, 5, 2))
        self.body = nn.Sequential(
            Residual(first, second, 2), Residual(second, third, 2), Residual(third, third), Residual(third, fourth, 2)
        )
        self.features = nn.Linear(fourth * 16, features)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(features, 55)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(self.drop(F.relu(self.features(self.body(self.stem(x)).flatten(1)))))


class MarksNet(nn.Module):
    """Upright patches of up-faces (N, 3, 40, 40) to (N, 32) raw numbers.

    The first 28 are logits: the numbers 0..20, pips 1..6, nothing legible. The last four tell how far the patch is off,
    as `vision.classify.nudged` takes them.
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            conv(3, 16, 5, 2),
            conv(16, 32),
            conv(32, 48, 3, 2),
            conv(48, 64),
            Bottleneck(64),
            Bottleneck(64),
            conv(64, 64, 3, 2),
            Bottleneck(64),
        )
        self.judge = nn.Sequential(
            nn.Flatten(), nn.Linear(64 * 25, 128), nn.ReLU(), nn.Dropout(0.15), nn.Linear(128, 32)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.judge(self.look(x))


class ColourNet(nn.Module):
    """Crops of dice (N, 3, 32, 32) to logits (N, names) of their colours' names."""

    def __init__(self, names: int) -> None:
        super().__init__()
        self.look = nn.Sequential(conv(3, 16, 3, 2), conv(16, 24, 3, 2), conv(24, 40, 3, 2))
        self.judge = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(40 * 16, 48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, names)
        )

    def forward(self, x: Tensor) -> Tensor:
        return self.judge(self.look(x))


class VerifierNet(nn.Module):
    """What the pose network answers and sees of finds, and their size (N, 55 + 160 + 1), to logits (N, 1) of dice.

    In training `trust` times the detector's own logit is added to them.
    """

    def __init__(self, seen: int = 216, hidden: int = 64) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(seen))
        self.register_buffer("spread", torch.ones(seen))
        self.judge = nn.Sequential(nn.Linear(seen, hidden), nn.ReLU(), nn.Dropout(0.3), nn.Linear(hidden, 1))
        self.trust = nn.Parameter(torch.tensor(2.0))

    def forward(self, seen: Tensor) -> Tensor:
        return self.judge((seen - self.mean) / self.spread)
