"""A second opinion on what the detector found: is it a die at all?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from vision.classify import Classifier
from vision.detect import Found, card, models_folder, open_session


class Verifier:
    """Tells dice from print, weave and glare by what the pose network sees of them in full resolution.

    `classifier` and the verifier are of one folder of models: the one was trained on what the other sees.
    Raises `ModelError` when the model is missing.
    """

    def __init__(self, classifier: Classifier, *, threads: int = 1, models: Path | None = None) -> None:
        folder = models or models_folder()
        self.calibration: dict[str, float] = card("verifier", folder)["calibration"]
        self._classifier = classifier
        self._session = open_session("verifier", folder, threads)

    def weigh(self, image: np.ndarray, found: Sequence[Found]) -> list[Found]:
        """Return `found` in `image` (BGR uint8) with scores that are the chances of a die, and with their glimpses."""
        glimpses = self._classifier.glimpses(image, [die.box for die in found])
        logits = self._session.run(None, {"seen": np.stack([np.concatenate(glimpse) for glimpse in glimpses])})[0]
        scores = np.clip([die.score for die in found], TINY, 1 - TINY)
        trust, weight = self.calibration["detector"], self.calibration["verifier"]
        chances = 1 / (1 + np.exp(-trust * np.log(scores / (1 - scores)) - weight * logits[:, 0]))
        return [
            Found(die.box, float(chance), glimpse)
            for die, chance, glimpse in zip(found, chances, glimpses, strict=True)
        ]


TINY = 1e-6
