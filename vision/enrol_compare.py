"""Telling a table's own dice: a die that was read is held against the lessons, and what they say is weighed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.classify import SHAPES, Face, Sight, judge, softmax
from vision.enrol import Lesson, Which

WEIGHTS = np.array([15.1, 7.1, 3.9, 0.5, 0.6, 14.2])
"""How much each thing that is compared says, in nats.

In this order: the up-face's likeness (cosine; three quarters the most alike picture's, one the second's); the whole
die's (cosine; for each die its most alike picture's); how near the body's colour lies (for each 20 in CIE Lab, 60 at
most); the logarithm of what the networks say of the shape; the same of the value; and what all of these must reach
before a die is taken for one that was taught. Fitted on rendered dice (`python -m vision.training.comparing`).
"""
MARK, WHOLE, LOOK, SHAPE, VALUE, STRANGE = range(6)
SHY = 8.0
"""So many lessons tell no more of what all dice have in common than is known without them."""
FARTHEST = 8.0
"""A die that its whole look puts so many nats behind the likeliest one isn't compared face by face."""
COLOUR_SPREAD = 12.0
"""How far (CIE Lab) the looks of dice of one colour lie apart in the light of one table."""
COLOUR_STRANGE = 3.0
"""In these spreads: a die that lies farther from every colour that was taught is named by the network alone."""
UNHEARD = 0.3
"""What the network is taken to say for a colour that goes by the table's own name."""
FAINTEST_COLOUR = 0.02
SUREST = 0.01
"""The share of lessons that may be taken for another face while they are held to be sure."""
SUSPECT = 0.9
"""How surely a lesson must look like another face before people are told."""
FAINTEST = 1e-3
MOST_AT_ONCE = 4_000_000
"""Likenesses that are worked out in one go: 16 MB."""
HEATS = np.geomspace(0.7, 4.0, 15)
"""By how much all of this may be overstated or understated on one table."""


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
    """The lessons as arrays, ready to be compared with; it is made anew when they change and never changes itself.

    `calibration` is the pose model's; `known_names` says which name of the colour network the table's own colour names
    mean.
    """

    def __init__(
        self,
        lessons: Sequence[Lesson],
        calibration: dict[str, float],
        known_names: Mapping[str, str] | None = None,
    ) -> None:
        self._known_names = {own: name for own, name in (known_names or {}).items() if own != name}
        self.lessons = tuple(lessons)
        shown = sorted((one for one in lessons if one.value is not None), key=lambda one: (one.which, one.value or 0))
        self._shown = shown
        self._kinds = sorted({one.which for one in shown})
        self.faces = sorted({(one.which, one.value or 0) for one in shown})
        kind_of = {which: place for place, which in enumerate(self._kinds)}
        self._kind = np.array([kind_of[one.which] for one in shown], int)
        self._face = np.array([self.faces.index((one.which, one.value or 0)) for one in shown], int)
        self._face_kind = np.array([kind_of[which] for which, _ in self.faces], int)
        self._face_shape = np.array([SHAPES.index(which.shape) for which, _ in self.faces], int)
        self._face_value = np.array([value - 1 for _, value in self.faces], int)
        self._colours = sorted({one.which.colour for one in lessons})
        self.colours = frozenset(self._colours)
        """The names of the colours that were taught."""
        self._looks = np.array([one.traits.look for one in lessons], float).reshape(-1, 3)
        self._look_colour = np.array([self._colours.index(one.which.colour) for one in lessons], int)
        self.heat, self.strict = 1.0, 0.0
        self.doubtful: tuple[Doubtful, ...] = ()
        if shown:
            self._remember()
            self._calibrate(calibration)

    def weigh(
        self,
        sights: Sequence[Sight],
        faces: Sequence[Face],
        looks: Sequence[np.ndarray],
        colours: Sequence[dict[str, float]],
    ) -> list[Told]:
        """Return what the lessons say of each die of a roll, seen and read without them as the arguments tell."""
        named = [self._named(look, one) for look, one in zip(looks, colours, strict=True)]
        usable = bool(self._shown) and all(one.features.shape[-1] == self._marks.shape[-1] for one in sights)
        if not usable or not sights:
            return [Told(face, one, 0.0, 0.0) for face, one in zip(faces, named, strict=True)]
        tables = self.tables(sights, faces, looks)
        everything = softmax(_energies(tables) / self.heat)
        return [self._told(*one) for one in zip(everything, faces, named, strict=True)]

    def _told(self, chances: np.ndarray, face: Face, named: dict[str, float]) -> Told:
        """Return one die's reading from the `chances` (F + 1) that it is each face that was taught, or none of them."""
        known, unknown = chances[:-1], float(chances[-1])
        shapes = unknown * face.shapes
        values = unknown * face.shapes[:, None] * face.values
        np.add.at(shapes, self._face_shape, known)
        np.add.at(values, (self._face_shape, self._face_value), known)
        rest = values.sum(axis=1, keepdims=True)
        values = np.where(rest > 1e-9, values / np.maximum(rest, 1e-9), face.values)
        # A die of another colour may bear the same numeral: the faces and the looks are two witnesses of the colour.
        shares = dict.fromkeys(named, unknown)
        for (which, _), chance in zip(self.faces, known, strict=True):
            shares[which.colour] = shares.get(which.colour, unknown) + float(chance)
        told = {name: share * (named.get(name, 0.0) + FAINTEST_COLOUR) for name, share in shares.items()}
        whole = sum(told.values())
        told = {name: share / whole for name, share in told.items()}
        return Told(Face(shapes, values, face.cocked, face.numerals), told, 1 - unknown, self.strict)

    def _named(self, look: np.ndarray, colours: dict[str, float]) -> dict[str, float]:
        """Return the colours' probabilities from the taught looks and what the network says: two witnesses.

        A die far from all that was taught is named by the network alone.
        """
        if not len(self._looks):
            return dict(colours)
        network = self._own_names(colours)
        far = np.linalg.norm(self._looks - np.asarray(look, float), axis=1) / COLOUR_SPREAD
        nearest = np.array([far[self._look_colour == place].min() for place in range(len(self._colours))])
        # The network has never heard of the table's own names, and cannot speak against them.
        said = [(network.get(name, 0.0), 0.0 if name in colours else UNHEARD) for name in self._colours]
        heard = [max(one) for one in said]
        heard.append(max(network.values(), default=1.0))
        chances = softmax(np.log(np.array(heard) + FAINTEST_COLOUR) - 0.5 * np.append(nearest, COLOUR_STRANGE) ** 2)
        named = {name: float(chances[-1]) * chance for name, chance in network.items()}
        for name, chance in zip(self._colours, chances[:-1], strict=True):
            named[name] = named.get(name, 0.0) + float(chance)
        return named

    def _own_names(self, colours: dict[str, float]) -> dict[str, float]:
        """Return the network's probabilities; what it gives a known name goes to the table's own names that mean it."""
        named = dict(colours)
        for name, chance in colours.items():
            own = [one for one in self._colours if self._known_names.get(one) == name]
            if own and name not in self.colours:
                del named[name]
                named |= {one: named.get(one, 0.0) + chance / len(own) for one in own}
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

    def tables(
        self,
        sights: Sequence[Sight],
        faces: Sequence[Face],
        looks: Sequence[np.ndarray],
        own: Sequence[int] | None = None,
    ) -> np.ndarray:
        """Return what speaks for each face that was taught, and in the last row for none of them: (N, F + 1, 6).

        The columns go with `WEIGHTS`; a face that isn't worth comparing has a row of NaN. `own` names the lesson that
        each die is: it is left out.
        """
        rows = np.arange(len(sights))
        whole = np.stack([(self._whole @ _unit(one.whole - self._whole_centre)).max(axis=1) for one in sights])
        far = np.linalg.norm(self._own_looks[None] - np.asarray(looks, float)[:, None], axis=2)
        far = np.minimum(far / 20, 3.0)
        if own is not None:
            whole[rows, own], far[rows, own] = -1.0, 3.0
        kinds = range(len(self._kinds))
        best_whole = np.stack([whole[:, self._kind == kind].max(axis=1) for kind in kinds], axis=1)
        least_far = np.stack([far[:, self._kind == kind].min(axis=1) for kind in kinds], axis=1)
        shapes = np.log(np.stack([one.shapes for one in faces]) + FAINTEST)
        values = np.log(np.stack([one.values for one in faces]) + FAINTEST)
        shape_of_kind = np.array([SHAPES.index(which.shape) for which in self._kinds])
        glance = WEIGHTS[WHOLE] * best_whole - WEIGHTS[LOOK] * least_far + WEIGHTS[SHAPE] * shapes[:, shape_of_kind]
        compared = glance >= glance.max(axis=1, keepdims=True) - FARTHEST
        alike = self._alike([_unit(one.features - self._marks_centre) for one in sights], compared)
        if own is not None:
            alike[rows, own] = -1.0
        tables = np.zeros((len(sights), len(self.faces) + 1, len(WEIGHTS)))
        tables[:, :-1, MARK] = np.stack([self._two_best(one) for one in alike])
        tables[:, :-1, WHOLE] = best_whole[:, self._face_kind]
        tables[:, :-1, LOOK] = -least_far[:, self._face_kind]
        tables[:, :-1, SHAPE] = shapes[:, self._face_shape]
        tables[:, :-1, VALUE] = values[:, self._face_shape, self._face_value]
        tables[:, :-1][~compared[:, self._face_kind]] = np.nan
        best_value = values.max(axis=2)
        likeliest = (WEIGHTS[SHAPE] * shapes + WEIGHTS[VALUE] * best_value).argmax(axis=1)
        tables[:, -1, SHAPE], tables[:, -1, VALUE] = shapes[rows, likeliest], best_value[rows, likeliest]
        tables[:, -1, STRANGE] = 1.0
        return tables

    def _alike(self, seen: Sequence[np.ndarray], compared: np.ndarray) -> np.ndarray:
        """Return how alike the up-faces of dice (`seen`: of each P x 128) and lessons are at best: (N, lessons).

        -1 where the lesson's die isn't `compared` (N, kinds). All dice go through one multiplication for each kind.
        """
        alike = np.full((len(seen), len(self._shown)), -1.0)
        for kind in range(len(self._kinds)):
            dice = np.nonzero(compared[:, kind])[0].tolist()
            if not dice:
                continue
            patches = np.concatenate([seen[die] for die in dice]).T
            starts = np.cumsum([0, *(len(seen[die]) for die in dice[:-1])])
            first, last = np.searchsorted(self._kind, (kind, kind + 1))
            views = self._marks.shape[1]
            step = max(1, MOST_AT_ONCE // (views * patches.shape[1]))
            for begin in range(first, last, step):
                some = self._marks[begin : min(begin + step, last)]
                best = (some.reshape(-1, some.shape[-1]) @ patches).reshape(len(some), views, -1).max(axis=1)
                alike[np.ix_(dice, range(begin, begin + len(some)))] = np.maximum.reduceat(best, starts, axis=1).T
        return alike

    def _two_best(self, alike: np.ndarray) -> np.ndarray:
        """Return each face's likeness: three quarters the best picture's and a quarter the second's."""
        best = np.full(len(self.faces), -1.0)
        np.maximum.at(best, self._face, alike)
        rest = alike.copy()
        place = {int(self._face[number]): number for number in np.argsort(alike)}
        rest[list(place.values())] = -1.0
        second = np.full(len(self.faces), -1.0)
        np.maximum.at(second, self._face, rest)
        second = np.where(second > -1.0, second, best - LONE)
        mixed: np.ndarray = 0.75 * best + 0.25 * second
        return mixed

    def _calibrate(self, calibration: dict[str, float]) -> None:
        """Set heat and strictness by reading each lesson with the help of all others (leave one out)."""
        many = np.bincount(self._face)
        tried = [number for number in range(len(self._shown)) if many[self._face[number]] > 1]
        if not tried:
            self.strict = UNTRIED
            return
        sights = [self._shown[number].traits.sight for number in tried]
        faces = [judge(sight, calibration) for sight in sights]
        looks = [self._shown[number].traits.look for number in tried]
        energies, own = _energies(self.tables(sights, faces, looks, tried)), self._face[tried]
        rows = np.arange(len(own))
        losses = [-np.log(softmax(energies / heat)[rows, own] + FAINTEST).mean() for heat in HEATS]
        self.heat = float(HEATS[int(np.argmin(losses))])
        chances = softmax(energies / self.heat)[:, :-1]
        best = chances.argmax(axis=1)
        sure = chances[rows, best]
        wrong = best != own
        self.doubtful = tuple(
            Doubtful(self._shown[tried[row]], self.faces[best[row]], float(sure[row]))
            for row in rows[wrong & (sure >= SUSPECT)]
        )
        self.strict = _least_sure(sure, wrong)


LONE = 0.08
"""How much less alike than the first a second picture of a face usually is."""
UNTRIED = 0.99
"""What is asked of a value where no face was shown twice, so that nothing could be tried."""


def _energies(terms: np.ndarray) -> np.ndarray:
    """Return how well each row of `terms` (…, F + 1, 6) explains a die, in nats; -inf where nothing was compared."""
    energies: np.ndarray = np.where(np.isnan(terms[..., 0]), -np.inf, np.nan_to_num(terms) @ WEIGHTS)
    return energies


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
