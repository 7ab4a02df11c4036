"""What the detector takes for dice in training pictures, and which of it is none; the verifier learns from it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from vision.classify import cut
from vision.detect import FAINTEST_FIND, PLAIN, Detector, Found
from vision.training import scenes
from vision.training.photos import TOP_FACE_ONLY, photographs
from vision.verify import beside

SIDE = 480
"""The side in pixels of a made-up picture in which finds are gathered."""
TABLES = 1500
"""About so many rendered tables are looked at as they are: in them, and in photographs, dice are of one size."""
MOST_OF_A_KIND = 14
"""So many dice, and so many other finds, are taken from one picture."""
Finds = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Crops (N, 64, 64, 3 BGR uint8), sizes beside the plain finds, the detector's scores, whether it is a die, weights."""


def sorted_out(found: Sequence[Found], dice: np.ndarray, ignored: np.ndarray) -> Iterator[tuple[Found, bool]]:
    """Yield each find with whether it is one of `dice` (N, 4: centre, size); halfway ones, and `ignored`, are left out.

    A find is a die when its centre lies within a third of it and its side is between 0.6 and 1.6 times the die's.
    """
    sides = dice[:, 2:].max(axis=1) if len(dice) else np.zeros(0)
    for one in found:
        away, off = np.abs(dice[:, :2] - one.centre), np.abs(ignored[:, :2] - one.centre)
        alike = (one.side > 0.6 * sides) & (one.side < 1.6 * sides)
        if ((away < 0.35 * dice[:, 2:]).all(axis=1) & alike).any():
            yield one, True
        elif (away < 0.6 * dice[:, 2:] + 0.2 * one.side).all(axis=1).any():
            continue
        elif not (off < 0.5 * ignored[:, 2:]).all(axis=1).any():
            yield one, False


def pictures(folder: Path, renders: Path, cuts: Path, made: int, seed: int) -> Iterator[tuple[str, scenes.Scene]]:
    """Yield photographs that train and rendered tables as they are, each with its set, and `made` made-up pictures."""
    photos = photographs(folder, part="train")
    for photo in photos:
        if not photo.is_crop and photo.source not in TOP_FACE_ONLY:
            whole = scenes.load_one(photo)
            yield photo.source, scenes.Scene(whole.image, whole.boxes, whole.uncertain)
    loaded = scenes.load(photos)
    rng = np.random.default_rng(seed)
    rendered = scenes.load_renders(renders) if renders.exists() else []
    for table in rendered[:: max(1, len(rendered) // TABLES)]:
        yield "rendered", scenes.Scene(table.image, table.boxes, table.uncertain)
    maker = scenes.SceneMaker(loaded, scenes.kept_cuts(loaded, cuts), rendered, SIDE, rng)
    for _ in range(made):
        yield "made up", maker.scene()


def gather(detector: Detector, seen: Iterator[tuple[str, scenes.Scene]]) -> Finds:
    """Return what `detector` finds in the pictures `seen`; each source weighs as much as the root of its finds."""
    crops, sizes, scores, dice, sources = [], [], [], [], []
    said = time.time()
    for source, scene in seen:
        found = detector.find(scene.image, threshold=FAINTEST_FIND)
        plain = [one for one in found if one.score >= PLAIN]
        told = list(sorted_out(found, scene.boxes, scene.ignored))
        for kind in (True, False):
            for one, _ in [pair for pair in told if pair[1] is kind][:MOST_OF_A_KIND]:
                crops.append(cut(scene.image, one.box).pixels)
                sizes.append(beside([one], plain)[0])
                scores.append(one.score)
                dice.append(kind)
                sources.append(source)
        if time.time() - said > 30:
            said = time.time()
            print(f"{len(crops)} finds, {sum(dice)} of them dice", flush=True)
    counts = {source: sources.count(source) for source in set(sources)}
    weights = np.array([counts[source] ** -0.5 for source in sources])
    return (
        np.stack(crops),
        np.array(sizes, np.float32),
        np.array(scores, np.float32),
        np.array(dice, np.float32),
        (weights / weights.mean()).astype(np.float32),
    )


def kept_finds(detector: Detector, seen: Iterator[tuple[str, scenes.Scene]], path: Path) -> Finds:
    """Return what `gather` gives; gathering takes minutes, so it is kept in `path` for the next time."""
    if not path.exists():
        found = gather(detector, seen)
        np.savez(path, *found)
        return found
    with np.load(path) as stored:
        crops, sizes, scores, dice, weights = (stored[f"arr_{number}"] for number in range(5))
    return crops, sizes, scores, dice, weights
