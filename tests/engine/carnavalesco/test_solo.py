"""Solo play: four of eight, three restrictions with counters, the official colours, the ladder of divisions."""

from __future__ import annotations

from typing import Any

import pytest

from engine.carnavalesco.solo import SoloResult, broken_restrictions, ladder, ladder_sentence
from engine.carnavalesco.state import State
from engine.game import InvalidInput
from tests.engine.carnavalesco.parade import GAME, dice, playout, setup


@pytest.mark.parametrize(
    ("taken", "elements", "broken"),
    [
        ("R3R3R3R3", "hhhh", 3),  # one counter a restriction, however far it is broken
        ("R1R2R3B4", "abcd", 1),
        ("R1B1G1Y4", "abcd", 1),
        ("R1B2G3Y4", "aaab", 1),
        ("R1R2B1B2", "aabb", 0),
        ("R1R1R2B1", "aabb", 2),
        ("R1R1R1B1", "aaab", 3),
    ],
)
def test_each_broken_restriction_costs_one_counter(taken: str, elements: str, broken: int) -> None:
    assert len(broken_restrictions(dice(taken), elements)) == broken


def solo_after_roll(roll: str) -> State:
    state = GAME.setup(setup(1))
    return GAME.apply(state, GAME.roll_move(state, dice(roll)))


def test_counters_pile_up_on_the_board_and_come_off_the_total() -> None:
    state = solo_after_roll("R3R3R3R3B1B2G5Y6")
    move = {"move": "take", "seat": 0, "places": [{"die": at, "element": "harmony"} for at in range(4)]}
    assert GAME.describe(state, move).endswith(
        "3 of the -1 counters for more than two dice of one value, more than two dice of one colour "
        "and more than two dice in one element."
    )
    state = GAME.apply(state, move)
    assert GAME.view(state)["players"][0]["counters"] == 3
    shown = GAME.scoreboard(state)["players"][0]
    assert shown["elements"]["harmony"]["perfect"]
    assert (shown["perfect_marks"], shown["total"]) == (1, 10 - 3)


def test_four_of_eight_are_taken_and_no_two() -> None:
    state = solo_after_roll("R3R3R3R3B1B2G5Y6")
    two = {"move": "take", "seat": 0, "places": [{"die": at, "element": "harmony"} for at in range(2)]}
    with pytest.raises(ValueError, match="exactly 4 dice"):
        GAME.apply(state, two)
    first = next(iter(GAME.legal_moves(state)))
    assert len(first["places"]) == 4
    assert GAME.prompt(state).text == "Ana takes four dice and places them."


def test_several_schools_take_no_counters() -> None:
    for state, _ in playout(setup(2), seed=8):
        assert state.counters == (0, 0)


@pytest.mark.parametrize(
    ("division", "total", "result", "next_division"),
    [
        ("D", 90, "promoted", "C"),
        ("D", 88, "promoted", "C"),
        ("D", 87, "stays", "D"),
        ("D", 80, "stays", "D"),
        ("D", 79, "relegated", "D"),  # there is no lower division
        ("C", 79, "relegated", "D"),
        ("A", 89, "promoted", "S"),
        ("S", 90, "champion", "S"),
        ("S", 89, "champion", "S"),
        ("S", 88, "stays", "S"),
        ("S", 87, "stays", "S"),
        ("S", 79, "relegated", "A"),
        ("B", -3, "relegated", "C"),
    ],
)
def test_the_ladder(division: str, total: int, result: str, next_division: str) -> None:
    assert ladder(division, total) == SoloResult(result, next_division)
    assert str(total) in ladder_sentence("Ana", total, division)


def test_a_solo_game_ends_on_the_ladder() -> None:
    *_, (state, _) = playout(setup(1), seed=1)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranking == ((0,),)
    total = GAME.scoreboard(state)["players"][0]["total"]
    assert outcome.detail["solo_result"] == ladder("D", total).as_json()
    assert outcome.text == ladder_sentence("Ana", total, "D")


@pytest.mark.parametrize(
    ("solo", "field"),
    [
        ({"colours": ["red"]}, "solo.colours"),
        ({"colours": ["red", "red"]}, "solo.colours"),
        ({"colours": ["red", "mauve"]}, "solo.colours[1]"),
        ({"colours": "red"}, "solo.colours"),
        ({}, "solo.colours"),
        ([], "solo"),
    ],
)
def test_two_different_official_colours_of_the_six(solo: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        GAME.setup({**setup(1), "solo": solo})
    assert error.value.field == field
