"""Dice of one colour look alike: how likely each colour is, once the looks of a whole roll are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

ALIKE = 5.0
"""Two dice whose looks lie no farther apart (in CIE Lab) may be of one set."""
APART = 25.0
"""Two dice whose looks lie at least so far apart are hardly of one set."""
AGREED = 0.7
"""Dice whose own colour chances overlap less than this (Bhattacharyya, 0..1) are not taken for one set."""
TWO_LOOKS = 0.1
"""How likely dice of two plainly different looks have one colour's name all the same."""
KINSHIP = 0.75
"""How much alike dice are misled by the same light: 0 not at all (n opinions count as n), 1 wholly (as one)."""
ROUNDS = 12


def looks_of(crops: np.ndarray, fill: float) -> np.ndarray:
    """Return the looks (N, 3) of the dice in `crops` (N squares, BGR uint8; a die spans `fill` of it): L, a, b.

    A look is the commonest colour of the disc that surely lies on the die's body: pips and numerals count little.
    """
    count, size = crops.shape[:2]
    rows, columns = np.ogrid[:size, :size]
    middle = (size - 1) / 2
    disc = np.hypot(rows - middle, columns - middle) < 0.35 * fill * size
    lab = cv2.cvtColor(crops[:, disc].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    half = (lab.shape[1] - 1) // 2
    look: np.ndarray = np.median(lab, axis=1)
    for _ in range(5):
        far = ((lab - look[:, None]) ** 2).sum(axis=2)
        near = (far <= np.partition(far, half, axis=1)[:, half : half + 1])[..., None]
        look = (lab * near).sum(axis=1) / near.sum(axis=1)
    return look.reshape(count, 3)


def alike(looks: Sequence[np.ndarray | None], spreads: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    """Return each die's colour probabilities, like `spreads`, from what all dice of the roll look like.

    Dice that look alike share one colour: their opinions are pooled, as fewer witnesses than they are, since what
    misleads about one misleads about its like. Sets of plainly different looks seldom bear one name, so a set leaves
    its name to the one that has the better claim. A die without a look stays as it is.
    """
    known = [place for place, look in enumerate(looks) if look is not None]
    settled = [dict(spread) for spread in spreads]
    if len(known) < 2:
        return settled
    names = list(spreads[known[0]])
    seen = np.stack([np.asarray(looks[place], float) for place in known])
    opinions = np.log([[max(spreads[place][name], 1e-9) for name in names] for place in known])
    distance = np.linalg.norm(seen[:, None] - seen[None], axis=2)
    agreement = np.sqrt(np.exp(opinions)) @ np.sqrt(np.exp(opinions)).T
    sets = _sets(np.where(agreement >= AGREED, distance, np.inf))
    pooled = _shares(np.stack([opinions[some].sum(axis=0) / len(some) ** KINSHIP for some in sets]))
    between = np.array([[distance[np.ix_(one, other)].min() for other in sets] for one in sets])
    agreed = _told_apart(pooled, between >= APART)
    for some, chances in zip(sets, agreed, strict=True):
        for row in some:
            settled[known[row]] = dict(zip(names, map(float, chances), strict=True))
    return settled


def _sets(distance: np.ndarray) -> list[list[int]]:
    """Return the places of dice that look alike, set by set: all pairs of a set are near, the nearest joined first."""
    sets = [[place] for place in range(len(distance))]
    while len(sets) > 1:
        farthest = [
            (float(distance[np.ix_(one, other)].max()), first, second)
            for second, other in enumerate(sets)
            for first, one in enumerate(sets[:second])
        ]
        far, first, second = min(farthest)
        if far > ALIKE:
            break
        sets[first] += sets.pop(second)
    return sets


def _shares(logs: np.ndarray) -> np.ndarray:
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    shares: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _told_apart(chances: np.ndarray, apart: np.ndarray) -> np.ndarray:
    """Return the sets' colour chances (S, C) when sets that are `apart` (S, S) seldom share a name.

    Belief propagation: each pair of sets that are apart weighs an assignment in which they share a name by `TWO_LOOKS`.
    """
    count = len(chances)
    heard = np.ones((count, count, chances.shape[1]))
    pairs = apart & ~np.eye(count, dtype=bool)
    own = np.log(np.maximum(chances, 1e-12))
    for _ in range(ROUNDS):
        logs = np.log(heard)
        belief = own + logs.sum(axis=0)
        # What one tells another leaves out what it has heard from that one.
        told = belief[:, None, :] - logs.transpose(1, 0, 2)
        told = np.exp(told - told.max(axis=2, keepdims=True))
        told /= told.sum(axis=2, keepdims=True)
        news = np.where(pairs[:, :, None], 1 - (1 - TWO_LOOKS) * told, 1.0)
        heard = np.sqrt(heard * news)
    return _shares(own + np.log(heard).sum(axis=0))
