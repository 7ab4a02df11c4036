"""`python -m vision.training.comparing`: how much each likeness says of a taught die, fitted on rendered dice alone.

Each table has a box of dice of its own. Some pictures of every face teach them; others, on other grounds and in other
light, are read with that, among them dice that were never taught. The weights under which the truth surprises least
(a multinomial regression, convex) are `vision.enrol_compare.WEIGHTS`.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from engine.dice import COLOURS, Die, Shape
from vision.classify import Classifier, Face, Sight, judge
from vision.colour import crops_of
from vision.colour import looks as bodies_of
from vision.detect import Found
from vision.enrol import Lesson, Which, lesson
from vision.enrol_compare import WEIGHTS, Comparison
from vision.rendering import render_crop
from vision.rendering.looks import draw_look
from vision.rendering.numerals import FontBook
from vision.training import pictures
from vision.training.synthesis import altered

LESSONS, TRIALS, STRANGERS = 3, 2, 16
"""Pictures of a face that teach it, pictures of it that are then read, and dice that were never taught, for a table."""
PRIOR = 0.002
"""How much a weight's distance from the one that is there counts: what the dice don't tell stays as it is."""

Seen = tuple[Sight, Face, np.ndarray]


def table(rng: np.random.Generator, classifier: Classifier, fonts: FontBook) -> tuple[np.ndarray, np.ndarray]:
    """Return what speaks for each taught face, of each die read (N, F + 1, 6), and which it is (N; F: none of them)."""
    box = [(shape, str(rng.choice(COLOURS))) for shape in [Shape.D6, *rng.choice(list(Shape), 5).tolist()]]
    box = [(Shape(shape), colour) for shape, colour in box]
    looks = [altered(rng, draw_look(rng, colour, fonts=len(fonts))) for _, colour in box]
    lessons: list[Lesson] = []
    trials: list[tuple[Seen, tuple[Which, int] | None]] = []
    for number, ((shape, colour), look) in enumerate(zip(box, looks, strict=True)):
        which = Which(shape, colour, str(number))
        for value in range(1, shape.faces + 1):
            for turn in range(LESSONS + TRIALS):
                scene = render_crop(rng, Die(colour, value, shape), size=128, fonts=fonts, look=look, hard=0)
                # No two photographs are lit and balanced alike.
                image = pictures.shake(rng, scene.image, colour=0.5, grain=8.0, blur=1.0)
                if turn < LESSONS:
                    lessons.append(lesson(classifier, image, scene.dice[0].box, which, value))
                else:
                    trials.append((_seen(classifier, image, scene.dice[0].box), (which, value)))
    for _ in range(STRANGERS):
        scene = render_crop(rng, size=128, fonts=fonts, hard=0)
        trials.append((_seen(classifier, scene.image, scene.dice[0].box), None))
    comparison = Comparison(lessons, classifier.calibration)
    tables = comparison.tables(*(list(part) for part in zip(*(seen for seen, _ in trials), strict=True)))
    faces = comparison.faces
    return tables, np.array([len(faces) if truth is None else faces.index(truth) for _, truth in trials])


def _seen(classifier: Classifier, image: np.ndarray, box: tuple[float, float, float, float]) -> Seen:
    (sight,) = classifier.see(image, [box])
    return sight, judge(sight, classifier.calibration), bodies_of(crops_of(image, [Found(box, 1.0)]))[0]


def fit(cases: list[tuple[np.ndarray, np.ndarray]], steps: int = 400) -> tuple[np.ndarray, float, float]:
    """Return the weights that surprise least, and the mean surprise (nats) with those that are there and with them."""
    padded = max(tables.shape[1] for tables, _ in cases)
    rows, truths = [], []
    for tables, truth in cases:
        filled = np.full((len(tables), padded, tables.shape[2]), np.nan)
        filled[:, : tables.shape[1] - 1], filled[:, -1] = tables[:, :-1], tables[:, -1]
        rows.append(filled)
        truths.append(np.where(truth == tables.shape[1] - 1, padded - 1, truth))
    x, y = np.concatenate(rows), np.concatenate(truths)
    there = ~np.isnan(x[..., 0])
    x = np.nan_to_num(x)
    kept = there[np.arange(len(y)), y]
    x, y, there = x[kept], y[kept], there[kept]

    def chances(weights: np.ndarray) -> np.ndarray:
        energies = np.where(there, x @ weights, -np.inf)
        powers = np.exp(energies - energies.max(axis=1, keepdims=True))
        shares: np.ndarray = powers / powers.sum(axis=1, keepdims=True)
        return shares

    def surprise(weights: np.ndarray) -> float:
        return float(-np.log(chances(weights)[np.arange(len(y)), y] + 1e-9).mean())

    weights = WEIGHTS.copy()
    for _ in range(steps):
        shares = chances(weights)
        mean = np.einsum("nf,nfk->nk", shares, x)
        gradient = (mean - x[np.arange(len(y)), y]).mean(axis=0) + PRIOR * (weights - WEIGHTS)
        spread = np.einsum("nf,nfk,nfl->kl", shares, x, x) / len(y) - mean.T @ mean / len(y)
        change = np.linalg.solve(spread + PRIOR * np.eye(len(weights)), gradient)
        weights = np.maximum(weights - 0.5 * change, 0.0)
        if np.abs(change).max() < 1e-4:
            break
    return weights, surprise(WEIGHTS), surprise(weights)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training.comparing", description=__doc__)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--models", type=Path, default=None, help="a folder of models instead of those shipped")
    parser.add_argument("--fonts", type=Path, default=None, help="a folder of typefaces")
    chosen = parser.parse_args()
    classifier, fonts = Classifier(models=chosen.models), FontBook(chosen.fonts)
    cases = []
    for number in range(chosen.tables):
        cases.append(table(np.random.default_rng([17, number]), classifier, fonts))
        print(f"table {number + 1} of {chosen.tables}: {len(cases[-1][1])} dice", file=sys.stderr, flush=True)
    weights, before, after = fit(cases)
    told = {"weights": [round(float(one), 2) for one in weights], "surprise": [round(before, 4), round(after, 4)]}
    print(json.dumps({**told, "dice": int(sum(len(truth) for _, truth in cases))}))


if __name__ == "__main__":
    main()
