"""A roll weighed as a whole: the sure dice settle the doubtful ones, and what doesn't fit is said."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import DieState, Shape
from engine.game import Expectation
from vision.reading import Confidence, ReadDie, Reading
from vision.resolve import deal, resolve
from vision.seen import MOST_FACES, SHAPES, Needs, SeenDie

SINS = Expectation(dict.fromkeys(Shape, 1))


def die(
    shape: dict[Shape, float] | None = None,
    colour: dict[str, float] | None = None,
    value: int = 3,
    sure: float = 0.99,
    state: DieState = DieState.READ,
    score: float = 1.0,
) -> SeenDie:
    """Return a seen die with these probabilities; what they leave is spread evenly."""
    shape = shape or {Shape.D6: 0.99}
    colour = colour or {"red": 0.95, "blue": 0.05}
    rest = (1 - sum(shape.values())) / (6 - len(shape))
    shapes = np.array([shape.get(one, rest) for one in SHAPES])
    values = np.zeros((6, MOST_FACES))
    for place, one in enumerate(SHAPES):
        values[place, : one.faces] = (1 - sure) / (one.faces - 1)
        values[place, min(value, one.faces) - 1] = sure
    likeliest, named = max(shape, key=shape.__getitem__), max(colour, key=colour.__getitem__)
    confidence = Confidence(shape[likeliest], colour[named], sure)
    return SeenDie(
        likeliest, named, min(value, likeliest.faces), state, (0, 0, 9, 9), confidence,
        score, 0.0, shapes, values, colour, Needs(0.9, 0.9, 0.6),
    )  # fmt: skip


def roll(*dice: ReadDie) -> Reading:
    return Reading(640, 480, dice)


def d6(count: int, **colours: int) -> Expectation:
    return Expectation({Shape.D6: count}, colours or None)


def test_a_roll_that_fits_stays_as_it_was_seen() -> None:
    reading = roll(die(), die(colour={"blue": 0.97, "red": 0.03}))
    result = resolve(reading, d6(2, red=5, blue=5))
    assert [str(one.die) for one in result.dice] == ["red d6 showing 3", "blue d6 showing 3"]
    assert [one.state for one in result.dice] == [DieState.READ] * 2
    assert result.notes == ()


def test_the_one_shape_that_is_left_settles_a_doubtful_die() -> None:
    sure = [die({shape: 0.995}) for shape in Shape if shape not in (Shape.D8, Shape.D10)]
    doubtful = die({Shape.D10: 0.55, Shape.D8: 0.44}, value=7, state=DieState.UNSURE)
    ten = die({Shape.D10: 0.97, Shape.D8: 0.02})
    result = resolve(roll(*sure, doubtful, ten), SINS)
    assert result.dice[4].shape is Shape.D8
    assert result.dice[4].value == 7
    assert result.dice[4].state is DieState.READ
    assert result.dice[5].shape is Shape.D10


def test_two_dice_that_could_be_swapped_stay_doubtful() -> None:
    sure = [die({shape: 0.995}) for shape in Shape if shape not in (Shape.D8, Shape.D10)]
    first = die({Shape.D10: 0.52, Shape.D8: 0.47}, state=DieState.UNSURE)
    second = die({Shape.D10: 0.50, Shape.D8: 0.49}, state=DieState.UNSURE)
    result = resolve(roll(*sure, first, second), SINS)
    assert {result.dice[4].shape, result.dice[5].shape} == {Shape.D8, Shape.D10}
    assert [one.state for one in result.dice[4:]] == [DieState.UNSURE] * 2


def test_where_only_d6_are_rolled_the_value_is_read_as_a_d6s() -> None:
    seen = die({Shape.D8: 0.6, Shape.D6: 0.4}, value=6)
    result = resolve(roll(seen), d6(1))
    assert (result.dice[0].shape, result.dice[0].value) == (Shape.D6, 6)
    assert result.dice[0].confidence.shape > 0.9


def test_a_die_that_is_plainly_another_shape_is_not_forced() -> None:
    result = resolve(roll(die(), die({Shape.D20: 0.999}, value=17)), d6(2))
    odd = result.dice[1]
    assert (odd.shape, odd.value, odd.state) == (Shape.D20, 17, DieState.UNSURE)
    assert any("looks like a d20" in note for note in result.notes)


def test_the_bag_settles_a_doubtful_colour() -> None:
    doubtful = die(colour={"red": 0.55, "orange": 0.45})
    reds = [die(colour={"red": 0.95, "orange": 0.05}) for _ in range(2)]
    result = resolve(roll(*reds, doubtful), d6(3, red=2, orange=5))
    assert [one.colour for one in result.dice] == ["red", "red", "orange"]


def test_more_of_a_colour_than_the_bag_holds_is_said_and_not_forced() -> None:
    plain = [die(colour={"red": 0.999, "blue": 0.001}) for _ in range(3)]
    result = resolve(roll(*plain), d6(3, red=2, blue=2))
    assert [one.colour for one in result.dice] == ["red"] * 3
    assert any("More dice look red than the 2" in note for note in result.notes)
    assert [one.state for one in result.dice].count(DieState.UNSURE) == 1


def test_a_colour_outside_the_game_becomes_its_nearest_in_it() -> None:
    result = resolve(roll(die(colour={"ivory": 0.9, "yellow": 0.1})), d6(1, white=9, yellow=9))
    assert result.dice[0].colour == "white"


def test_a_doubtful_colour_makes_a_die_doubtful_where_the_game_counts_colours() -> None:
    seen = die(colour={"red": 0.5, "orange": 0.5})
    assert resolve(roll(seen), d6(1, red=9, orange=9)).dice[0].state is DieState.UNSURE
    assert resolve(roll(seen), d6(1)).dice[0].state is DieState.READ


def test_a_missing_die_is_said() -> None:
    result = resolve(roll(*[die() for _ in range(11)]), d6(12))
    assert result.notes[0].startswith("11 of 12 dice seen.")
    assert len(result.dice) == 11


def test_a_die_too_many_is_said_and_the_least_likely_one_is_doubtful() -> None:
    result = resolve(roll(die(), die(score=0.42), die()), d6(2))
    assert result.notes[0].startswith("3 dice seen, but 2 are rolled.")
    assert [one.state for one in result.dice] == [DieState.READ, DieState.UNSURE, DieState.READ]


def test_a_cocked_die_stays_cocked() -> None:
    result = resolve(roll(die(state=DieState.COCKED)), d6(1))
    assert result.dice[0].state is DieState.COCKED
    assert any("not lie flat" in note for note in result.notes)


def test_what_a_person_corrected_is_not_touched_and_uses_up_its_shape() -> None:
    mine = replace(die({Shape.D8: 0.9}), state=DieState.CORRECTED)
    other = die({Shape.D8: 0.6, Shape.D10: 0.4})
    result = resolve(roll(mine, other), Expectation({Shape.D8: 1, Shape.D10: 1}))
    assert result.dice[0] == mine
    assert result.dice[1].shape is Shape.D10


def test_dice_without_probabilities_can_be_resolved_too() -> None:
    plain = ReadDie(Shape.D6, "red", 4, DieState.READ, (0, 0, 9, 9), Confidence(0.99, 0.95, 0.99))
    result = resolve(roll(plain), d6(1, red=3))
    assert (result.dice[0].value, result.dice[0].state) == (4, DieState.READ)


def test_an_empty_table_is_no_error() -> None:
    assert resolve(roll(), d6(12)).notes[0].startswith("0 of 12 dice seen.")


@given(st.integers(0, 10_000), st.integers(1, 5), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_dealing_finds_the_likeliest_of_all_ways(seed: int, count: int, most: list[int]) -> None:
    rng = np.random.default_rng(seed)
    names = ["red", "green", "blue"]
    chances = [dict(zip(names, map(float, rng.dirichlet(np.ones(3))), strict=True)) for _ in range(count)]
    given_names = deal(chances, dict(zip(names, most, strict=True)))
    wanted = min(count, sum(most))
    assert sum(name is not None for name in given_names) == wanted

    def worth(way: tuple[str | None, ...]) -> float:
        return sum(np.log(chance[name]) for chance, name in zip(chances, way, strict=True) if name is not None)

    ways = [
        way
        for way in itertools.product([*names, None], repeat=count)
        if sum(name is not None for name in way) == wanted
        and all(way.count(name) <= limit for name, limit in zip(names, most, strict=True))
    ]
    assert worth(tuple(given_names)) == pytest.approx(max(map(worth, ways)))
