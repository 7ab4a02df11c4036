"""A second opinion on what the detector found: is it a die at all?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.classify import Classifier
from vision.detect import Found, card, models_folder, open_session


class Verifier:
    """Tells dice from print, weave and glare by what the pose network sees of them in full resolution.

    It also knows how large they are beside the dice that are plain: those of one table are of about one size.

    `classifier` and the verifier are of one folder of models: the one was trained on what the other sees.
    Raises `ModelError` when the model is missing.
    """

    def __init__(self, classifier: Classifier, *, threads: int = 1, models: Path | None = None) -> None:
        folder = models or models_folder()
        self.calibration: dict[str, float] = card("verifier", folder)["calibration"]
        self._classifier = classifier
        self._session = open_session("verifier", folder, threads)

    def weigh(self, image: np.ndarray, found: Sequence[Found], plain: Sequence[Found] = ()) -> list[Found]:
        """Return `found` in `image` (BGR uint8) with scores that are the chances of a die, and with their glimpses.

        `plain` are the dice of the same picture that need no second opinion.
        """
        glimpses = self._classifier.glimpses(image, [die.box for die in found])
        sizes = beside(found, plain)
        seen = np.column_stack([np.stack([np.concatenate(glimpse) for glimpse in glimpses]), sizes])
        logits = self._session.run(None, {"seen": seen})[0]
        scores = np.clip([die.score for die in found], TINY, 1 - TINY)
        trust, weight = self.calibration["detector"], self.calibration["verifier"]
        chances = 1 / (1 + np.exp(-trust * np.log(scores / (1 - scores)) - weight * logits[:, 0]))
        return [
            Found(die.box, float(chance), glimpse)
            for die, chance, glimpse in zip(found, chances, glimpses, strict=True)
        ]


def beside(found: Sequence[Found], plain: Sequence[Found]) -> np.ndarray:
    """Return how many times as large as the `plain` finds each of `found` is, as logarithms to 2 within -2..2 (N).

    The measure is the middle one of the plain finds; where there are fewer than two, all is 0.
    """
    if len(plain) < 2:
        return np.zeros(len(found), np.float32)
    usual = float(np.median([die.side for die in plain]))
    return np.clip(np.log2([die.side / usual for die in found]), -2, 2).astype(np.float32)


TINY = 1e-6
