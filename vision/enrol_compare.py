"""Telling a table's own dice: a die that was read is held against the lessons, and what they say is weighed in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.classify import SHAPES, Face, Sight, judge, softmax
from vision.enrol import Lesson, Which


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each thing that is compared says, in nats; fitted on photographs (`vision.training.enrolling`)."""

    mark: float = 19.0
    """The up-face's likeness (cosine), three quarters the most alike picture's and one the second's."""
    whole: float = 6.0
    """The whole die's likeness (cosine), for each die the most alike picture's."""
    look: float = 1.0
    """Less, for each 20 that the body's colour lies farther off (CIE Lab, at most 60)."""
    shape: float = 0.5
    """The logarithm of what the networks say of the shape."""
    value: float = 0.4
    """The same of the value."""
    unknown: float = 12.0
    """What all of these together must reach before a die is taken for one that was taught."""


WEIGHTS = Weights()
SHY = 8.0
"""So many lessons tell no more of what all dice have in common than is known without them."""
FARTHEST = 6.0
"""A die that its whole look puts so many nats behind the likeliest one isn't compared face by face."""
COLOUR_SPREAD = 6.0
"""How far (CIE Lab) the looks of dice of one colour lie apart on one table."""
COLOUR_STRANGE = 4.5
"""In these spreads: a die that lies farther from every colour that was taught is named by the network."""
HEATS = np.geomspace(1.0, 4.0, 13)
SUREST = 0.01
"""The share of lessons that may be taken for another face while they are held to be sure."""
SUSPECT = 0.9
"""How surely a lesson must look like another face before people are told."""
FAINTEST = 1e-3


@dataclass(frozen=True, slots=True)
class Told:
    """What the lessons say of one die: `known` 0..1 how surely it was taught, the `face` and `colours` that follow.

    `strict` is the least probability from which a value that rests on lessons is sure.
    """

    face: Face
    colours: dict[str, float]
    known: float
    strict: float


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A lesson that looks like another face: it `seems` so with this `chance`."""

    lesson: Lesson
    seems: tuple[Which, int]
    chance: float


class Comparison:
    """The lessons as arrays, ready to be compared with; it is made anew when they change and never changes itself."""

    def __init__(self, lessons: Sequence[Lesson], calibration: dict[str, float], *, weights: Weights = WEIGHTS) -> None:
        self.weights = weights
        self.lessons = tuple(lessons)
        shown = sorted((one for one in lessons if one.value is not None), key=lambda one: (one.which, one.value or 0))
        self._shown = shown
        self._kinds = sorted({one.which for one in shown})
        self._faces = sorted({(one.which, one.value or 0) for one in shown})
        kind_of = {which: place for place, which in enumerate(self._kinds)}
        self._kind = np.array([kind_of[one.which] for one in shown], int)
        self._face = np.array([self._faces.index((one.which, one.value or 0)) for one in shown], int)
        self._face_kind = np.array([kind_of[which] for which, _ in self._faces], int)
        self._face_shape = np.array([SHAPES.index(which.shape) for which, _ in self._faces], int)
        self._face_value = np.array([value - 1 for _, value in self._faces], int)
        self._colours = sorted({one.which.colour for one in lessons})
        self._looks = np.array([one.traits.look for one in lessons], float).reshape(-1, 3)
        self._look_colour = np.array([self._colours.index(one.which.colour) for one in lessons], int)
        self.heat, self.strict = 1.0, 0.0
        self.doubtful: tuple[Doubtful, ...] = ()
        if shown:
            self._remember()
            self._calibrate(calibration)

    def weigh(self, sight: Sight, face: Face, look: np.ndarray, colours: dict[str, float]) -> Told:
        """Return what the lessons say of a die that was seen (`sight`) and read (`face`, `colours`) without them."""
        named = self._named(look, colours)
        if not self._shown or sight.features.shape[-1] != self._marks.shape[-1]:
            return Told(face, named, 0.0, 0.0)
        energy, strange = self._energies(sight, face, look)
        chances = softmax(np.append(energy, strange) / self.heat)
        known, unknown = chances[:-1], float(chances[-1])
        shapes = unknown * face.shapes
        values = unknown * face.shapes[:, None] * face.values
        np.add.at(shapes, self._face_shape, known)
        np.add.at(values, (self._face_shape, self._face_value), known)
        rest = values.sum(axis=1, keepdims=True)
        values = np.where(rest > 1e-9, values / np.maximum(rest, 1e-9), face.values)
        told = {name: unknown * chance for name, chance in named.items()}
        for (which, _), chance in zip(self._faces, known, strict=True):
            told[which.colour] = told.get(which.colour, 0.0) + float(chance)
        return Told(Face(shapes, values, face.cocked, face.numerals), told, 1 - unknown, self.strict)

    def _named(self, look: np.ndarray, colours: dict[str, float]) -> dict[str, float]:
        """Return the colours' probabilities: those that were taught come before the network, for dice near to them."""
        if not len(self._looks):
            return dict(colours)
        far = np.linalg.norm(self._looks - np.asarray(look, float), axis=1) / COLOUR_SPREAD
        nearest = np.array([far[self._look_colour == place].min() for place in range(len(self._colours))])
        chances = softmax(-0.5 * np.append(nearest, COLOUR_STRANGE) ** 2)
        named = {name: float(chances[-1]) * chance for name, chance in colours.items()}
        for name, chance in zip(self._colours, chances[:-1], strict=True):
            named[name] = named.get(name, 0.0) + float(chance)
        return named

    def _remember(self) -> None:
        """Lay the lessons' features out in one array each, centred and of length 1."""
        shrink = len(self._shown) / (len(self._shown) + SHY)
        marks = np.stack([one.traits.marks for one in self._shown]).astype(np.float32)
        whole = np.stack([one.traits.whole for one in self._shown]).astype(np.float32)
        self._marks_centre = shrink * marks.mean(axis=(0, 1))
        self._whole_centre = shrink * whole.mean(axis=(0, 1))
        self._marks = _unit(marks - self._marks_centre)
        self._whole = _unit(whole - self._whole_centre)
        self._own_looks = np.array([one.traits.look for one in self._shown], float)

    def _energies(
        self, sight: Sight, face: Face, look: np.ndarray, without: int | None = None
    ) -> tuple[np.ndarray, float]:
        """Return for each face that was taught, and for a die that was not, how well it explains the die (nats).

        `without` leaves one lesson out.
        """
        weights = self.weights
        count = len(self._kinds)
        left_out = np.zeros(len(self._shown), bool)
        if without is not None:
            left_out[without] = True
        whole = (self._whole @ _unit(sight.whole - self._whole_centre)).max(axis=1)
        whole[left_out] = -1.0
        far = np.minimum(np.linalg.norm(self._own_looks - np.asarray(look, float), axis=1) / 20, 3.0)
        far[left_out] = 3.0
        shape_of_kind = np.array([SHAPES.index(which.shape) for which in self._kinds])
        shapes = np.log(face.shapes + FAINTEST)
        best_whole, least_far = np.full(count, -1.0), np.full(count, 3.0)
        np.maximum.at(best_whole, self._kind, whole)
        np.minimum.at(least_far, self._kind, far)
        kinds = weights.whole * best_whole - weights.look * least_far + weights.shape * shapes[shape_of_kind]
        compared = kinds >= kinds.max() - FARTHEST
        seen = _unit(sight.features - self._marks_centre)
        alike = np.full(len(self._shown), -1.0)
        for kind in np.nonzero(compared)[0]:
            first, last = np.searchsorted(self._kind, (kind, kind + 1))
            views = self._marks[first:last]
            flat = views.reshape(-1, views.shape[-1])
            alike[first:last] = (flat @ seen.T).max(axis=1).reshape(last - first, -1).max(axis=1)
        alike[left_out] = -1.0
        values = np.log(face.values + FAINTEST)
        energy = (
            weights.mark * self._two_best(alike)
            + kinds[self._face_kind]
            + weights.value * values[self._face_shape, self._face_value]
        )
        energy[~compared[self._face_kind]] = -np.inf
        joint = weights.shape * shapes + weights.value * values.max(axis=1)
        return energy, weights.unknown + float(joint.max())

    def _two_best(self, alike: np.ndarray) -> np.ndarray:
        """Return each face's likeness: three quarters the best picture's and a quarter the second's."""
        best = np.full(len(self._faces), -1.0)
        np.maximum.at(best, self._face, alike)
        rest = alike.copy()
        place = {int(self._face[number]): number for number in np.argsort(alike)}
        rest[list(place.values())] = -1.0
        second = np.full(len(self._faces), -1.0)
        np.maximum.at(second, self._face, rest)
        second = np.where(second > -1.0, second, best - LONE)
        mixed: np.ndarray = 0.75 * best + 0.25 * second
        return mixed

    def _calibrate(self, calibration: dict[str, float]) -> None:
        """Set heat and strictness by reading each lesson with the help of all others (leave one out)."""
        energies, strange, right, places = [], [], [], []
        many = np.bincount(self._face)
        for number, one in enumerate(self._shown):
            if many[self._face[number]] < 2:
                continue
            sight = one.traits.sight
            energy, stranger = self._energies(sight, judge(sight, calibration), one.traits.look, number)
            energies.append(energy)
            strange.append(stranger)
            right.append(self._face[number])
            places.append(number)
        if not energies:
            self.strict = UNTRIED
            return
        table, own = np.column_stack([np.stack(energies), strange]), np.array(right)
        rows = np.arange(len(table))
        losses = [-np.log(softmax(table / heat)[rows, own] + 1e-4).mean() for heat in HEATS]
        self.heat = float(HEATS[int(np.argmin(losses))])
        chances = softmax(table / self.heat)[:, :-1]
        best = chances.argmax(axis=1)
        sure = chances[rows, best]
        wrong = best != own
        doubtful = [
            Doubtful(self._shown[places[row]], self._faces[best[row]], float(sure[row]))
            for row in rows[wrong & (sure >= SUSPECT)]
        ]
        self.doubtful = tuple(doubtful)
        self.strict = _least_sure(sure, wrong)


LONE = 0.08
"""How much less alike than the first a second picture of a face usually is."""
UNTRIED = 0.99
"""What is asked of a value where no face was shown twice, so that nothing could be tried."""


def _least_sure(sure: np.ndarray, wrong: np.ndarray) -> float:
    """Return the least probability above which no more than `SUREST` of the lessons are taken for another face."""
    order = np.argsort(-sure)
    faults = np.cumsum(wrong[order])
    allowed = SUREST * len(sure)
    over = np.nonzero(faults > allowed)[0]
    return float(sure[order[over[0]]]) + 1e-6 if len(over) else 0.0


def _unit(rows: np.ndarray) -> np.ndarray:
    rows = np.asarray(rows, np.float32)
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    unit: np.ndarray = rows / np.maximum(length, 1e-6)
    return unit
