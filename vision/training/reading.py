"""Training the reader: the pose network on crops, the marks network on upright patches."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from engine.dice import Shape
from vision import classify
from vision.classify import ANGLES, CROP, SHAPES
from vision.training import crops
from vision.training.crops import Sample
from vision.training.learning import normalised, quick, run, start_from, wake
from vision.training.networks import MarksNet, PoseNet
from vision.training.pace import Pace


class Pools:
    """Samples dealt out by kind: real pips (each source by its weight), real polyhedra, renders."""

    WEIGHTS: ClassVar[dict[str, float]] = {
        "byler_d6": 3.0,
        "roboflow_dice": 2.5,
        "rune55_pxl": 1.5,
        "matteop65_d6": 1.0,
        "chase_casino_crops": 0.7,
        "skovy_catan": 0.7,
    }

    def __init__(self, samples: Sequence[Sample], rng: np.random.Generator) -> None:
        self.rng = rng
        self.odds_of: dict[int, float] = {}
        self.real: dict[str, dict[int, list[Sample]]] = {}
        self.poly: dict[int, dict[int, list[Sample]]] = {}
        self.rendered: dict[tuple[int, int], list[Sample]] = {}
        for sample in samples:
            if sample.source == "rendered":
                self.rendered.setdefault((sample.shape, sample.pips), []).append(sample)
            elif sample.pips == 1:
                self.real.setdefault(sample.source, {}).setdefault(sample.value, []).append(sample)
            else:
                self.poly.setdefault(sample.shape, {}).setdefault(sample.value, []).append(sample)
        self.sources = list(self.real)
        odds = np.array([self.WEIGHTS.get(source, 1.0) for source in self.sources])
        self.odds = odds / odds.sum() if len(odds) else odds
        self.kinds = list(self.rendered)
        shares = np.array([2.5 if kind == (1, 1) else 1.0 for kind in self.kinds])
        self.shares = shares / shares.sum() if len(shares) else shares

    def pips(self) -> Sample:
        """Return a photographed die with pips; every value comes equally often."""
        return self._even(self.real[self.sources[self.rng.choice(len(self.sources), p=self.odds)]])

    def polyhedron(self) -> Sample:
        """Return a photographed die with numerals; every shape and value comes equally often."""
        return self._even(self.poly[list(self.poly)[self.rng.integers(len(self.poly))]])

    def render(self) -> Sample:
        pool = self.rendered[self.kinds[self.rng.choice(len(self.kinds), p=self.shares)]]
        return pool[self.rng.integers(len(pool))]

    def _even(self, values: dict[int, list[Sample]]) -> Sample:
        known = [value for value in values if value] or list(values)
        pool = values[known[self.rng.integers(len(known))]]
        if not self.odds_of:
            return pool[self.rng.integers(len(pool))]
        odds = np.array([self.odds_of.get(id(sample), 1.0) for sample in pool])
        return pool[self.rng.choice(len(pool), p=odds / odds.sum())]

    def prefer(self, hardness: dict[int, float]) -> None:
        """Draw photographed dice with pips by how hard they are (0..1 by id): the hardest five times as often."""
        self.odds_of = {key: 1.0 + 4.0 * hard for key, hard in hardness.items()}


SELDOM = 0.15
"""How often a die is turned all round. Seen aslant, its up-face lies farther up in the picture than its other faces.

Turned at will, dice would teach the pose network that the face in front may as well be the one on top.
"""


def polar(face: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the symmetric matrix and the angle (radians) whose product, stretch times turn, is `face` (2x2)."""
    (a, b), (c, d) = face
    angle = math.atan2(c - b, a + d)
    cos, sin = math.cos(angle), math.sin(angle)
    stretch = face @ np.array([[cos, sin], [-sin, cos]])
    return np.array([stretch[0, 0], 0.5 * (stretch[0, 1] + stretch[1, 0]), stretch[1, 1]]), angle


def train_pose(
    samples: Sequence[Sample],
    path: Path,
    *,
    pace: Pace,
    seed: int = 1,
    start: Path | None = None,
) -> Path:
    """Train the pose network at `pace` and return the checkpoint."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    pools = Pools(samples, rng)
    network = PoseNet().to(memory_format=torch.channels_last)
    if start:
        start_from(network, start)
        pools.prefer(hardness(rng, network, [one for one in samples if one.pips == 1 and one.source != "rendered"]))
    mix = (22, 18, 40) if pools.rendered else (44, 20, 0)

    def draw() -> tuple[list[Sample], list[crops.Turned]]:
        drawn = [pools.pips() for _ in range(mix[0])]
        drawn += [pools.polyhedron() for _ in range(mix[1])]
        drawn += [pools.render() for _ in range(mix[2])]
        return drawn, [crops.turned(rng, sample, full=SELDOM) for sample in drawn]

    if start:
        pixels = [one.pixels for _ in range(10) for one in draw()[1]]
        with torch.no_grad():
            seen = network.body(network.stem(normalised(np.stack(pixels)))).flatten(1)
        print(f"{wake(network.features, network.out, seen)} units woken", flush=True)

    def step() -> Tensor:
        drawn, made = draw()
        with quick():
            out = network(normalised(np.stack([one.pixels for one in made])))
        return pose_loss(out.float(), drawn, made)

    return run(network, step, path, pace)


def hardness(rng: np.random.Generator, network: PoseNet, samples: Sequence[Sample], looks: int = 4) -> dict[int, float]:
    """Return, by the samples' ids, the chance that the network miscounts their pips, over `looks` changed views."""
    network.eval()
    wrong: dict[int, float] = {}
    for first in range(0, len(samples), 128):
        some = [sample for sample in samples[first : first + 128] if sample.value]
        if not some:
            continue
        with torch.no_grad():
            chances = [
                F.softmax(
                    network(normalised(np.stack([crops.turned(rng, sample).pixels for sample in some])))[
                        :, classify.PIPS
                    ],
                    1,
                ).numpy()
                for _ in range(looks)
            ]
        for row, sample in enumerate(some):
            wrong[id(sample)] = 1 - float(np.mean([chance[row, sample.value - 1] for chance in chances]))
    network.train()
    return wrong


BINS = (np.arange(ANGLES) + 0.5) * 2 * np.pi / ANGLES


def pose_loss(out: Tensor, drawn: Sequence[Sample], made: Sequence[crops.Turned]) -> Tensor:
    """Return the loss of everything that is known of each sample."""
    count = len(drawn)
    where, stretches = np.zeros((count, 2), np.float32), np.zeros((count, 3), np.float32)
    angles, has_pose, has_angle = np.zeros((count, ANGLES), np.float32), np.zeros(count), np.zeros(count)
    for place, (sample, one) in enumerate(zip(drawn, made, strict=True)):
        if one.centre is None or one.face is None or sample.cocked == 1:
            continue
        has_pose[place] = 1
        where[place] = (one.centre - (CROP / 2 - 0.5)) / (CROP / 2)
        stretches[place], angle = polar(one.face / (CROP / 2))
        if sample.pips != 1:
            gap = np.angle(np.exp(1j * (BINS - angle)))
            bump = np.exp(-0.5 * (gap / 0.15) ** 2)
            angles[place], has_angle[place] = bump / bump.sum(), 1
    shape = torch.tensor([sample.shape for sample in drawn])
    total = F.cross_entropy(out[:, classify.SHAPE], shape, label_smoothing=0.02)
    posed, faced = torch.from_numpy(has_pose).float(), torch.from_numpy(has_angle).float()
    for columns, wanted in ((classify.CENTRE, where), (classify.STRETCH, stretches)):
        gap = F.smooth_l1_loss(out[:, columns], torch.from_numpy(wanted), reduction="none", beta=0.05).sum(1)
        total = total + 6.0 * (gap * posed).sum() / count
    turn = -(torch.from_numpy(angles) * F.log_softmax(out[:, classify.ANGLE], 1)).sum(1)
    total = total + (turn * faced).sum() / count
    cocked = torch.tensor([float(sample.cocked) for sample in drawn])
    known = (cocked >= 0).float()
    leaning = F.binary_cross_entropy_with_logits(out[:, classify.COCKED], cocked.clamp(min=0), reduction="none")
    total = total + 0.3 * (leaning * known).sum() / count
    pips = torch.tensor([sample.pips for sample in drawn])
    numeral = F.binary_cross_entropy_with_logits(out[:, classify.NUMERAL], (pips == 0).float(), reduction="none")
    total = total + 0.3 * (numeral * (pips >= 0).float()).sum() / count
    value = torch.tensor([sample.value for sample in drawn])
    counted = ((pips == 1) & (value > 0) & (cocked != 1)).float()
    count_loss = F.cross_entropy(out[:, classify.PIPS], (value - 1).clamp(0, 5), reduction="none", label_smoothing=0.02)
    return total + 1.5 * (count_loss * counted).sum() / count


def train_marks(
    samples: Sequence[Sample],
    path: Path,
    *,
    pace: Pace,
    seed: int = 2,
    start: Path | None = None,
) -> Path:
    """Train the marks network at `pace` on samples whose pose is known, and return the checkpoint."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    pools = Pools([one for one in samples if one.faces is not None and one.glyph >= 0 and one.cocked != 1], rng)
    network = MarksNet().to(memory_format=torch.channels_last)
    if start:
        start_from(network, start)
    draws: list[tuple[Callable[[], Sample], int]] = [(pools.render, 52)]
    if pools.real:
        draws.append((pools.pips, 32))
    if pools.poly:
        draws.append((pools.polyhedron, 12))

    def draw() -> tuple[list[crops.Patch], Tensor]:
        made = [crops.patch(rng, deal()) for deal, count in draws for _ in range(count)]
        patches = torch.from_numpy(classify.evened(np.stack([one.pixels for one in made])))
        return made, patches.contiguous(memory_format=torch.channels_last)

    if start:
        with torch.no_grad():
            seen = torch.cat([network.look(draw()[1]).flatten(1) for _ in range(8)])
        print(f"{wake(network.judge[1], network.judge[4], seen)} units woken", flush=True)

    def step() -> Tensor:
        made, patches = draw()
        with quick():
            out = network(patches)
        out = out.float()
        glyphs = torch.tensor([one.glyph for one in made])
        gap = F.smooth_l1_loss(
            out[:, classify.OFF], torch.from_numpy(np.stack([one.off for one in made])), reduction="none", beta=0.1
        )
        turned = torch.tensor([one.turn_known for one in made]).float()
        placed = gap[:, :2].sum(1) + turned * gap[:, 2:].sum(1)
        return F.cross_entropy(out[:, : classify.NOTHING + 1], glyphs, label_smoothing=0.03) + 0.5 * placed.mean()

    return run(network, step, path, pace)


def with_poses(samples: Sequence[Sample], pose: Path, marks: Path | None) -> list[Sample]:
    """Return photographed dice with their up-face where the pose network `pose` sees it (a checkpoint or an .onnx).

    A numeral is turned, and moved a little, to where the marks network `marks` reads best what it is known to be. It
    gets no pose where it is read nowhere, or where there is no `marks` yet: a pose that only the pose network vouches
    for would teach the wrong face. For the same reason `marks` must not have been trained on these photographs' poses.
    """
    posing, reading = PoseNet(), MarksNet() if marks else None
    start_from(posing, pose)
    posing.eval()
    if reading and marks:
        start_from(reading, marks)
        reading.eval()
    found = []
    for first in range(0, len(samples), 256):
        some = samples[first : first + 256]
        cuts = [
            classify.cut(one.pixels, (one.box[0] - one.box[2] / 2, one.box[1] - one.box[3] / 2, one.box[2], one.box[3]))
            for one in some
        ]
        with torch.no_grad():
            answers = posing(normalised(np.stack([cut.pixels for cut in cuts]))).numpy()
        for one, cut, answer in zip(some, cuts, answers, strict=True):
            centre, stretch = classify.pose_of(answer)
            place, face = cut.outside(centre), stretch * cut.scale
            if not 0 <= one.glyph <= 20:
                found.append(crops.posed(one, place, face))
            else:
                found.append(_posed_by_eye(reading, one, place, face) if reading else one)
    return found


LEGIBLE = 0.6
"""A numeral counts as seen where the marks network gives what it is known to be at least this chance."""


def _posed_by_eye(network: MarksNet, sample: Sample, centre: np.ndarray, face: np.ndarray) -> Sample:
    """Return `sample` with the pose near the one given under which `network` reads best what it is, if it does."""
    places = [centre] + [centre + face @ classify.turn(way) @ np.array([0.35, 0.0]) for way in np.arange(6) * np.pi / 3]
    poses = [(place, face @ classify.turn(angle)) for place in places for angle in BINS]
    patches = classify.evened(np.stack([classify.upright(sample.pixels, *pose) for pose in poses]))
    # The ten of a d10 is a 0 on most of them.
    glyphs = [0, 10] if SHAPES[sample.shape] is Shape.D10 and sample.value == 10 else [sample.glyph]
    with torch.no_grad():
        chances = F.softmax(network(torch.from_numpy(patches))[:, : classify.NOTHING + 1], 1)[:, glyphs].numpy()
    best, which = np.unravel_index(chances.argmax(), chances.shape)
    if chances[best, which] < LEGIBLE:
        return sample
    return crops.posed(replace(sample, glyph=glyphs[which]), *poses[best])
