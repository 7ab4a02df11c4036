"""From a photograph to a Reading: `load_photo` opens it; `Reader` finds the dice, reads them and names their colour."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.dice import DieState, Shape
from engine.game import Expectation
from engine.words import say
from vision import resolve as resolving
from vision.classify import SHAPES, Classifier, Face, Sight, fused, grown, judge, leans_at
from vision.colour import ColourNamer, averaged, crops_of, looks
from vision.detect import Detector, Found, ModelError, card, models_folder
from vision.enrol import Lesson
from vision.enrol_compare import Comparison
from vision.geometry import CameraPose
from vision.photo import PhotoError, load_photo
from vision.reading import Confidence, ReadDie, Reading
from vision.seen import Needs, SeenDie, doubts, state_of
from vision.verify import Verifier

__all__ = ["ModelError", "PhotoError", "Reader", "SeenDie", "load_photo"]


class Reader:
    """Reads dice in photographs with the models of `models` (those that come with Jurado when None).

    One Reader is made at the start and kept; `threads` is how many CPU threads a reading may use. Not thread-safe, but
    `teach` may be called while a picture is read.
    Raises `ModelError` when a model is missing.
    """

    def __init__(self, *, threads: int = 1, models: Path | None = None) -> None:
        folder = models or models_folder()
        self.classifier = Classifier(threads=threads, models=folder)
        verifier = Verifier(self.classifier, threads=threads, models=folder)
        self.detector = Detector(threads=threads, models=folder, verify=verifier.weigh)
        self.namer = ColourNamer(threads=threads, models=folder)
        self.doubt: dict[str, float] = card("pose", folder)["doubt"]
        self.taught: Comparison | None = None
        """What the table's own dice look like; None where none was shown."""

    def teach(self, lessons: Sequence[Lesson], known_names: Mapping[str, str] | None = None) -> None:
        """Know the dice of `lessons` from now on, and no others; `known_names` as in `Comparison`."""
        self.taught = Comparison(lessons, self.classifier.calibration, known_names) if lessons else None

    def read(
        self,
        image: np.ndarray,
        *,
        expects: Expectation | None = None,
        again: Sequence[np.ndarray] = (),
        camera: CameraPose | None = None,
    ) -> Reading:
        """Return the Reading of `image` (BGR uint8, height x width x 3), its dice from left to right.

        With `expects` the roll is also held against what the game waits for (`vision.resolve`). `again` are further
        pictures of the same dice by the same camera: in these, too, it looks at the dice that are doubtful, and only
        then are they asked for. `camera` is how the camera of these pictures stands; where that is None, the dice agree
        on it if they can.
        """
        began = time.perf_counter()
        if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
            raise ValueError(f"A picture is height x width x 3 bytes, not {image.shape} of {image.dtype}.")
        found = self._found(image, expects)
        looked = time.perf_counter()
        dice = self._plain(self._read(image, found, again, camera), expects)
        dice.sort(key=lambda die: (die.box[0] + die.box[2] / 2, die.box[1]))
        done = time.perf_counter()
        milliseconds = {
            "load": 0.0,
            "detect": (looked - began) * 1000,
            "read": (done - looked) * 1000,
            "total": (done - began) * 1000,
        }
        notes = doubts(dice) if dice else (NOTHING_SEEN,)
        reading = Reading(image.shape[1], image.shape[0], tuple(dice), notes, milliseconds)
        return resolving.resolve(reading, expects) if expects is not None else reading

    def look(
        self,
        image: np.ndarray,
        at: tuple[float, float],
        side: float,
        *,
        expects: Expectation | None = None,
        camera: CameraPose | None = None,
    ) -> ReadDie:
        """Return what is read of the die that a person says lies `at` (x, y) in `image`, about `side` pixels wide.

        Such a die is never sure. `expects` is what the game waits for beside the dice that are there; the die is of a
        shape that it names, whatever it looks like.
        """
        x, y = at
        near = [die for die in self.detector.find(image, threshold=FAINTEST) if _covers(die, at)]
        square = Found((x - side / 2, y - side / 2, side, side), 0.0)
        found = min(near, key=lambda die: math.dist(die.centre, at), default=square)
        seen = self._read(image, [found], camera=camera)
        if expects is not None and expects.count:
            seen = [_of_shapes(die, expects.shapes) for die in seen]
        reading = Reading(image.shape[1], image.shape[0], tuple(seen))
        (die,) = (resolving.resolve(reading, expects) if expects is not None else reading).dice
        return die if die.state is DieState.COCKED else replace(die, state=DieState.UNSURE)

    def _read(
        self,
        image: np.ndarray,
        found: Sequence[Found],
        again: Sequence[np.ndarray] = (),
        camera: CameraPose | None = None,
    ) -> list[SeenDie]:
        """Return what is read of the dice `found` in `image`; the doubtful ones are looked at several times.

        They are looked at in the pictures `again`, or in this one where there are no others, from nearer and farther.
        """
        known = None if camera is None else leans_at(camera, image, [die.box for die in found])
        sights, faces, colours, bodies = self._seen(image, found, known, [die.glimpse for die in found])
        dice = self._weighed(found, sights, faces, colours, bodies)
        doubtful = [place for place, die in enumerate(dice) if die.state is DieState.UNSURE and die.needs.seen]
        if any(other.shape != image.shape or other.dtype != np.uint8 for other in again):
            raise ValueError("Pictures of one roll are all of one size.")
        if not doubtful:
            return dice
        some = [found[place] for place in doubtful]
        leans = [sights[place].lean for place in doubtful]
        pictures = again or [image] * len(NEARNESS)
        looked = [
            self._faces(picture, some, leans, size=size)[1]
            for picture, size in zip(pictures, itertools.cycle(NEARNESS), strict=False)
        ]
        named = [self.namer.name(crops_of(picture, some)) for picture in again]
        settled = self._weighed(
            some,
            [sights[place] for place in doubtful],
            [fused([faces[place], *(one[number] for one in looked)]) for number, place in enumerate(doubtful)],
            [averaged([colours[place], *(one[number] for one in named)]) for number, place in enumerate(doubtful)],
            [bodies[place] for place in doubtful],
        )
        for place, die in zip(doubtful, settled, strict=True):
            dice[place] = die
        return dice

    def _seen(
        self,
        image: np.ndarray,
        found: Sequence[Found],
        leans: Sequence[np.ndarray | None] | None,
        glimpses: Sequence[tuple[np.ndarray, np.ndarray] | None] = (),
    ) -> tuple[list[Sight], list[Face], list[dict[str, float]], list[np.ndarray]]:
        """Return what the networks say of each die in one picture: sight, face, colours, and its body's look."""
        sights, faces = self._faces(image, found, leans, glimpses)
        crops = crops_of(image, found)
        return sights, faces, self.namer.name(crops), looks(crops)

    def _faces(
        self,
        image: np.ndarray,
        found: Sequence[Found],
        leans: Sequence[np.ndarray | None] | None,
        glimpses: Sequence[tuple[np.ndarray, np.ndarray] | None] = (),
        size: float = 1.0,
    ) -> tuple[list[Sight], list[Face]]:
        """Return what is made of each die when a square `size` times as large as usual is cut out round it."""
        boxes = [grown(die.box, size) for die in found]
        sights = self.classifier.see(image, boxes, leans=leans, glimpses=glimpses)
        return sights, [judge(sight, self.classifier.calibration) for sight in sights]

    def _weighed(
        self,
        found: Sequence[Found],
        sights: Sequence[Sight],
        faces: Sequence[Face],
        colours: Sequence[dict[str, float]],
        bodies: Sequence[np.ndarray],
    ) -> list[SeenDie]:
        """Return the dice as they are seen, once the table's own dice have their say."""
        strict = [0.0] * len(found)
        taught = self.taught
        if taught is not None:
            told = taught.weigh(sights, faces, bodies, colours)
            found = [
                replace(die, score=max(die.score, one.known)) if one.known >= KNOWN else die
                for die, one in zip(found, told, strict=True)
            ]
            faces, colours = [one.face for one in told], [one.colours for one in told]
            strict = [one.strict if one.known > 0.5 else 0.0 for one in told]
        return [self._die(*one) for one in zip(found, faces, colours, bodies, strict, strict=True)]

    def _found(self, image: np.ndarray, expects: Expectation | None) -> list[Found]:
        """Return what may be dice, the surest first: while fewer are plain than expected, faint ones too.

        Where even these are too few, dice that touch may have been taken for one: they are looked at more closely.
        Faint ones may also turn out to be dice that the table has taught.
        """
        faintest, wanted = min(FAINT, self.detector.threshold), _count(expects)
        found = self.detector.find(image, threshold=faintest)
        if len(found) < wanted and max(image.shape[:2]) > self.detector.longest:
            found = max(
                found, self.detector.find_closer(image, threshold=faintest), key=lambda some: min(len(some), wanted)
            )
        plain = sum(die.score >= self.detector.threshold for die in found)
        return found[: max(plain + (MOST_FAINT if self.taught else 0), wanted)]

    def _plain(self, dice: list[SeenDie], expects: Expectation | None) -> list[SeenDie]:
        """Return the dice that are plainly some, now that all is known; while fewer than expected, faint ones too."""
        dice = sorted(dice, key=lambda die: -die.score)
        plain = sum(die.score >= self.detector.threshold for die in dice)
        return dice[: max(plain, _count(expects))]

    def _die(self, found: Found, face: Face, colours: dict[str, float], look: np.ndarray, strict: float) -> SeenDie:
        place = int(face.shapes.argmax())
        value, sure = face.value(place)
        colour = max(colours, key=lambda name: colours[name])
        confidence = Confidence(float(face.shapes[place]), colours[colour], sure)
        kind = "numeral" if face.numerals > 0.5 or SHAPES[place] is not Shape.D6 else "pips"
        needs = Needs(
            max(strict, self.doubt[f"{kind}_value"]),
            self.doubt[f"{kind}_shape"],
            self.doubt["colour"],
            found.score >= self.doubt["score"] and found.side >= self.doubt["side"],
        )
        state = state_of(face.cocked > self.doubt["cocked"], sure, confidence.shape, needs)
        return SeenDie(
            SHAPES[place], colour, value, state, found.box, confidence,
            found.score, face.cocked, face.shapes, face.values, colours, needs, look,
        )  # fmt: skip


def _count(expects: Expectation | None) -> int:
    return expects.count if expects is not None else 0


def _covers(die: Found, at: tuple[float, float]) -> bool:
    x, y, width, height = die.box
    return x <= at[0] <= x + width and y <= at[1] <= y + height


def _of_shapes(die: SeenDie, wanted: Mapping[Shape, int]) -> SeenDie:
    """Return the die with all its chances on the `wanted` shapes."""
    chances = np.where([wanted.get(shape, 0) > 0 for shape in SHAPES], np.maximum(die.shapes, resolving.TINY), 0.0)
    return replace(die, shapes=chances / chances.sum())


NEARNESS = (0.93, 1.08)
"""A doubtful die is looked at again, with as much larger or smaller a square cut out: networks err differently then."""
FAINTEST = 0.05
"""The least score of what a person points at and says that it is a die."""
FAINT = 0.12
"""The least score of what may be a die where the game waits for more dice than are plain, or dice are taught."""
MOST_FAINT = 16
"""So many faint finds, the likeliest, are held against the dice that the table has taught."""
KNOWN = 0.9
"""What is so surely one of the table's own dice is a die."""
NOTHING_SEEN = say("No dice were seen. Put them where the camera sees them, or enter them by hand.")
