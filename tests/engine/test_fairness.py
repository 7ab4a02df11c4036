"""What is said of dice: against published values, and against dice of which it is known how they fall."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import Die, Shape
from engine.fairness import (
    EXCESS,
    LEVEL,
    Verdict,
    chi_square,
    chi_square_tail,
    critical,
    excess_visible,
    holm,
    judged,
    luck,
    noncentrality,
    throws_needed,
    wilson,
)

CRITICAL = {
    3: (7.815, 11.345),
    5: (11.070, 15.086),
    7: (14.067, 18.475),
    9: (16.919, 21.666),
    11: (19.675, 24.725),
    19: (30.144, 36.191),
    2: (5.991, 9.210),
    10: (18.307, 23.209),
}
"""The table of chi-square: degrees of freedom, and the values that 5 % and 1 % lie above (NIST handbook, 1.3.6.7.4)."""

WILSON = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
"""Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17 (1998), table I."""

NONCENTRAL = {1: 7.85, 2: 9.64, 3: 10.90, 4: 11.94, 5: 12.83, 10: 16.24}
"""The noncentrality that a test at 5 % finds in 80 % of cases (Cohen, Statistical power analysis, 1988, chapter 7)."""

WELDON = [185, 1149, 3265, 5475, 6114, 5194, 3067, 1331, 403, 105, 14, 4, 0]
"""Weldon's throws of twelve dice by how many showed a five or a six (Pearson, Philosophical Magazine 50, 1900)."""


def throws(counts: list[int], shape: Shape = Shape.D6, colour: str = "red") -> list[Die]:
    return [Die(colour, value, shape) for value, count in enumerate(counts, start=1) for _ in range(count)]


@pytest.mark.parametrize("freedom", CRITICAL)
def test_the_tail_of_chi_square_is_that_of_the_tables(freedom: int) -> None:
    five, one = CRITICAL[freedom]
    assert chi_square_tail(five, freedom) == pytest.approx(0.05, abs=2e-5)
    assert chi_square_tail(one, freedom) == pytest.approx(0.01, abs=2e-5)
    assert critical(freedom) == pytest.approx(five, abs=6e-4)
    assert chi_square_tail(0, freedom) == 1


@given(st.floats(0, 500), st.floats(0, 50), st.integers(1, 40))
def test_the_tail_falls_with_the_statistic_and_grows_with_the_freedom(at: float, more: float, freedom: int) -> None:
    tail = chi_square_tail(at, freedom)
    assert 0 <= chi_square_tail(at + more, freedom) <= tail + 1e-12 <= 1 + 1e-12
    assert chi_square_tail(at, freedom + 1) >= tail - 1e-12


@pytest.mark.parametrize(("count", "total", "low", "high"), WILSON)
def test_the_interval_is_wilsons(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 5000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_an_interval_holds_what_was_seen_and_narrows_with_more_throws(counted: tuple[int, int]) -> None:
    count, total = counted
    low, high = wilson(count, total)
    assert 0 <= low <= count / total + 1e-12
    assert count / total - 1e-12 <= high <= 1
    more_low, more_high = wilson(4 * count, 4 * total)
    assert more_high - more_low < high - low


@pytest.mark.parametrize("freedom", NONCENTRAL)
def test_the_power_is_that_of_the_tables(freedom: int) -> None:
    assert noncentrality(freedom) == pytest.approx(NONCENTRAL[freedom], abs=0.02)


def test_weldons_dice_are_uneven() -> None:
    fives_and_sixes = sum(count * number for number, count in enumerate(WELDON))
    others = 12 * sum(WELDON) - fives_and_sixes
    expected = 12 * sum(WELDON) / 3
    statistic = (fives_and_sixes - expected) ** 2 / expected + (others - 2 * expected) ** 2 / (2 * expected)
    assert sum(WELDON) == 26306
    assert fives_and_sixes / (12 * sum(WELDON)) == pytest.approx(0.3377, abs=5e-5), "as Pearson gives it"
    assert chi_square_tail(statistic, 1) < 1e-6


def test_holm_goes_down_in_steps() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02]), "4, 3, 2 and 1 times each"
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_only_ever_doubts_more_and_keeps_the_order(chances: list[float]) -> None:
    adjusted = holm(chances)
    assert all(1 >= after >= before for before, after in zip(chances, adjusted, strict=True))
    pairs = sorted(zip(chances, adjusted, strict=True))
    assert all(one[1] <= other[1] for one, other in pairwise(pairs))


def test_few_throws_are_too_few_to_tell_and_it_is_said_how_many_are_needed() -> None:
    (few,) = judged(throws([9, 1, 4, 5, 5, 5]))
    assert (few.verdict, few.chance, few.thrown) == (Verdict.TOO_FEW, None, 29)
    assert few.needed == throws_needed(6) == 257  # 12.83 * 5 / 0.5^2
    assert excess_visible(6, few.needed) == pytest.approx(EXCESS, abs=1e-3)
    (enough,) = judged(throws([5, 5, 5, 5, 5, 5]))
    assert enough.verdict is Verdict.EVEN
    assert enough.chance == 1


def test_dice_of_one_shape_and_colour_are_one_kind() -> None:
    dice = throws([6] * 6, colour="red") + throws([5] * 6, colour="blue") + throws([1] * 20, Shape.D20, "red")
    assert [(one.shape, one.colour, one.thrown) for one in judged(reversed(dice))] == [
        ("d6", "red", 36),
        ("d6", "blue", 30),
        ("d20", "red", 20),
    ]


def test_a_loaded_die_is_found_as_often_as_is_said_and_a_fair_one_is_let_go() -> None:
    chance = random.Random(5)
    faces = range(1, 7)
    loaded = [1 + EXCESS, *[1 - EXCESS / 5] * 5]
    rounds, count = 400, throws_needed(6)

    def found(weights: list[float]) -> float:
        uneven = 0
        for _ in range(rounds):
            counts = [0] * 6
            for value in chance.choices(faces, weights, k=count):
                counts[value - 1] += 1
            uneven += chi_square_tail(chi_square(counts), 5) <= LEVEL
        return uneven / rounds

    assert found([1.0] * 6) == pytest.approx(LEVEL, abs=0.035)
    assert found(loaded) == pytest.approx(0.8, abs=0.07)


@pytest.mark.parametrize("shape", list(Shape))
def test_the_fewest_throws_that_are_tested_accuse_no_more_fair_dice_than_is_said(shape: Shape) -> None:
    chance = random.Random(11)
    wrong = 0
    for _ in range(600):
        counts = [0] * shape.faces
        for value in chance.choices(range(shape.faces), k=5 * shape.faces):
            counts[value] += 1
        wrong += chi_square_tail(chi_square(counts), shape.faces - 1) <= LEVEL
    assert wrong / 600 <= LEVEL + 0.025


def test_one_suspect_among_many_kinds_is_doubted_less() -> None:
    odd = [40, 22, 22, 24, 22, 20]
    (alone,) = judged(throws(odd))
    assert alone.verdict is not Verdict.EVEN
    colours = ["blue", "green", "white", "black", "pink", "brown", "grey"]
    among = judged(throws(odd) + [die for colour in colours for die in throws([25] * 6, colour=colour)])
    (same,) = (one for one in among if one.colour == "red")
    assert same.chance == alone.chance
    assert same.adjusted == pytest.approx(8 * alone.chance)
    assert same.verdict is Verdict.EVEN


def test_luck_is_measured_against_what_fair_dice_bring() -> None:
    few = {"Caio": [], "Duda": throws([29, 0, 0, 0, 0, 0])}
    ana, bia = luck({"Bia": throws([10] * 6), "Ana": throws([0, 0, 0, 0, 0, 40]), **few})
    assert (ana.name, ana.dice, ana.total, ana.expected, ana.ahead) == ("Ana", 40, 240, 140, 2.5)
    assert ana.margin == pytest.approx(1.96 * (35 / 12) ** 0.5 / 40**0.5, abs=1e-3)
    assert ana.adjusted == 2 * ana.chance < 1e-9
    assert (bia.name, bia.ahead, bia.chance) == ("Bia", 0, 1)


@given(st.lists(st.sampled_from(list(Shape)), min_size=30, max_size=60), st.randoms(use_true_random=False))
def test_luck_is_even_between_a_throw_and_its_mirror(shapes: list[Shape], chance: random.Random) -> None:
    dice = [Die("red", chance.randint(1, shape.faces), shape) for shape in shapes]
    mirror = [Die("red", shape.faces + 1 - die.value, shape) for die, shape in zip(dice, shapes, strict=True)]
    (one,), (other,) = luck({"Ana": dice}), luck({"Ana": mirror})
    assert one.ahead == pytest.approx(-other.ahead)
    assert one.chance == pytest.approx(other.chance)
