"""Training the verifier on what the detector finds in training pictures, as the pose network sees it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from vision.classify import Classifier
from vision.training.finds import Finds
from vision.training.learning import run
from vision.training.networks import VerifierNet
from vision.training.pace import Pace

BATCH = 1024
AT_ONCE = 256


def train(finds: Finds, models: Path, path: Path, *, pace: Pace, seed: int = 6) -> Path:
    """Train on `finds` as the pose network in `models` sees them, at `pace`, and return the checkpoint, `path`."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    crops, sizes, *known = finds
    classifier = Classifier(models=models)
    looked = (classifier.pose(crops[at : at + AT_ONCE]) for at in range(0, len(crops), AT_ONCE))
    seen = torch.from_numpy(np.column_stack([np.concatenate([np.hstack(answer) for answer in looked]), sizes]))
    scores, dice, weights = (torch.from_numpy(column) for column in known)
    first = torch.logit(scores, 1e-4)
    network = VerifierNet()
    network.mean.copy_(seen.mean(0))
    network.spread.copy_(seen.std(0) + 1e-3)

    def step() -> Tensor:
        some = torch.randint(len(seen), (BATCH,))
        logits = network.trust * first[some] + network(seen[some])[:, 0]
        return F.binary_cross_entropy_with_logits(logits, dice[some] * 0.98 + 0.01, weight=weights[some])

    print(f"{len(dice)} finds, {int(dice.sum())} of them dice", flush=True)
    return run(network, step, path, pace)
