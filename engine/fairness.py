"""Whether dice are fair: how often each face came up, held against what chance alone does.

Pure arithmetic. Each kind of die (shape and colour) is tested with Pearson's chi-square; where several are tested, by
Holm's step-down. Luck is the sum of what somebody threw, held against the sum that fair dice would bring.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from engine.dice import Die, Shape

LEVEL = 0.05
"""A die counts as uneven when chance alone would be as uneven with at most this probability."""

POWER = 0.8
"""The share of dice that are off by so much which a test is to find."""

Z95 = 1.959963984540054
"""The normal distribution's 97.5 % point: 95 % lie within so many standard deviations on either side."""

FEWEST_PER_FACE = 5
"""Times that each face has to be expected before the chi-square distribution fits (Cochran 1954)."""

FEWEST_DICE = 30
"""Dice that somebody has to throw before their luck can be told: of fewer the sum is not spread normally."""

EXCESS = 0.5
"""The fault that is looked for: one face comes up half as often again as it should, the others share the rest."""


class Verdict(StrEnum):
    """What the counts say of a die."""

    TOO_FEW = "too few"
    EVEN = "even"
    DOUBTFUL = "doubtful"
    UNEVEN = "uneven"


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a kind of die: how often it came up, and the 95 % interval of how likely it is (0..1)."""

    value: int
    count: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Judged:
    """One kind of die: its counts and what they say.

    `chance` is the probability that fair dice come out at least as uneven, None with too few throws; `adjusted` the
    same after Holm for all kinds tested beside it. `needed` throws show the fault `EXCESS` in four of five such dice;
    `visible` is the excess of one face (1.0: twice as often) that as many throws as there are show so.
    """

    shape: Shape
    colour: str
    faces: tuple[Face, ...]
    statistic: float
    chance: float | None
    adjusted: float | None
    needed: int
    visible: float
    verdict: Verdict

    @property
    def thrown(self) -> int:
        return sum(face.count for face in self.faces)


@dataclass(frozen=True, slots=True)
class Luck:
    """What somebody threw: how many dice, their sum, and the sum that fair dice bring on average.

    `margin` is how far from that average chance alone leads in 95 % of cases, in pips a die; `chance` the probability
    that it leads at least as far as here, `adjusted` after Holm for all the people compared.
    """

    name: str
    dice: int
    total: int
    expected: float
    margin: float
    chance: float
    adjusted: float

    @property
    def ahead(self) -> float:
        """Pips a die over the average; under it when negative."""
        return (self.total - self.expected) / self.dice


def wilson(count: int, total: int, z: float = Z95) -> tuple[float, float]:
    """Return the score interval (0..1) of a probability of which `count` of `total` trials are known (Wilson 1927)."""
    share, spread = count / total, z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def chi_square(counts: Sequence[int]) -> float:
    """Return Pearson's statistic of these counts against equally likely faces."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the probability that chi-square with `freedom` degrees is at least `statistic` (>= 0).

    The finite sums of Abramowitz and Stegun, 26.4.4 (odd) and 26.4.5 (even): exact for whole degrees of freedom.
    """
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    if freedom % 2:
        tail = math.erfc(math.sqrt(half))
        term = math.sqrt(statistic) * math.sqrt(2 / math.pi) * math.exp(-half)
        terms, first = range(1, (freedom + 1) // 2), 1
    else:
        tail = 0.0
        term = math.exp(-half)
        terms, first = range(1, freedom // 2 + 1), 0
    for at in terms:
        tail += term
        term *= statistic / (2 * at + first)
    return min(1.0, tail)


@cache
def critical(freedom: int, level: float = LEVEL) -> float:
    """Return the statistic that chi-square with `freedom` degrees reaches with probability `level`."""
    return _solved(lambda statistic: chi_square_tail(statistic, freedom) - level)


@cache
def noncentrality(freedom: int, level: float = LEVEL, power: float = POWER) -> float:
    """Return how far off (Cohen's n w^2) dice must be for a test at `level` to find a share `power` of them."""
    limit = critical(freedom, level)
    return _solved(lambda off: power - _noncentral_tail(limit, freedom, off))


def throws_needed(faces: int, excess: float = EXCESS) -> int:
    """Return how many throws show, in four of five cases, a die of which one face is too frequent by `excess`."""
    return math.ceil(noncentrality(faces - 1) * (faces - 1) / excess**2)


def excess_visible(faces: int, thrown: int) -> float:
    """Return the excess of one face that `thrown` throws show in four of five cases."""
    return math.sqrt(noncentrality(faces - 1) * (faces - 1) / thrown)


def holm(chances: Sequence[float]) -> list[float]:
    """Return these probabilities as adjusted for being tested together (Holm 1979), in the same order."""
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    adjusted, highest = [0.0] * len(chances), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[at]))
        adjusted[at] = highest
    return adjusted


def judged(dice: Iterable[Die]) -> list[Judged]:
    """Return what dice that were thrown say of each kind, by shape and then the most thrown first."""
    seen: dict[tuple[Shape, str], Counter[int]] = defaultdict(Counter)
    for die in dice:
        seen[die.shape, die.colour][die.value] += 1
    kinds = sorted(seen, key=lambda kind: (kind[0].faces, -seen[kind].total(), kind[1]))
    counted = {kind: [seen[kind][value] for value in range(1, kind[0].faces + 1)] for kind in kinds}
    tested = [kind for kind in kinds if seen[kind].total() >= FEWEST_PER_FACE * kind[0].faces]
    chances = [chi_square_tail(chi_square(counted[kind]), kind[0].faces - 1) for kind in tested]
    known = dict(zip(tested, zip(chances, holm(chances), strict=True), strict=True))
    return [_judged(*kind, counted[kind], *known.get(kind, (None, None))) for kind in kinds]


def luck(thrown: Mapping[str, Iterable[Die]]) -> list[Luck]:
    """Return the luck of each person who threw enough dice to tell, the luckiest first."""
    sums: dict[str, tuple[int, int, float, float]] = {}
    for name, dice in thrown.items():
        some = list(dice)
        expected = sum((die.shape.faces + 1) / 2 for die in some)
        variance = sum((die.shape.faces**2 - 1) / 12 for die in some)
        if len(some) >= FEWEST_DICE:
            sums[name] = len(some), sum(die.value for die in some), expected, math.sqrt(variance)
    chances = [math.erfc(abs(total - mean) / spread / math.sqrt(2)) for _, total, mean, spread in sums.values()]
    found = [
        Luck(name, count, total, mean, Z95 * spread / count, chance, adjusted)
        for (name, (count, total, mean, spread)), chance, adjusted in zip(
            sums.items(), chances, holm(chances), strict=True
        )
    ]
    return sorted(found, key=lambda one: -one.ahead)


def _judged(shape: Shape, colour: str, counts: list[int], chance: float | None, adjusted: float | None) -> Judged:
    thrown = sum(counts)
    if adjusted is None:
        verdict = Verdict.TOO_FEW
    elif adjusted > LEVEL:
        verdict = Verdict.EVEN
    else:
        verdict = Verdict.DOUBTFUL if adjusted > LEVEL / 5 else Verdict.UNEVEN
    return Judged(
        shape,
        colour,
        tuple(Face(value, count, *wilson(count, thrown)) for value, count in enumerate(counts, start=1)),
        chi_square(counts),
        chance,
        adjusted,
        throws_needed(shape.faces),
        excess_visible(shape.faces, thrown),
        verdict,
    )


def _noncentral_tail(statistic: float, freedom: int, off: float) -> float:
    """Return the tail of the noncentral chi-square: a Poisson mixture of central ones."""
    weight = math.exp(-off / 2)
    tail, at = 0.0, 0
    while weight > 1e-16 or at < off:
        tail += weight * chi_square_tail(statistic, freedom + 2 * at)
        at += 1
        weight *= off / 2 / at
    return tail


def _solved(falling: Callable[[float], float]) -> float:
    """Return where a function that falls from above zero to below it, from 0 on, does so."""
    low, high = 0.0, 1.0
    while falling(high) > 0:
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return (low + high) / 2
