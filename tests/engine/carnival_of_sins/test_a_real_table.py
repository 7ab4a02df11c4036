"""Whole games come to the same on a real table, where the rulebook is read a second time."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.carnival_of_sins.feast import GAME, playout
from tests.engine.carnival_of_sins.table import CLOTH, FACES, RealTable
from tests.engine.carnival_of_sins.test_carnival_properties import start


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1_000_000))
def test_a_game_comes_to_the_same_as_at_a_real_table(seed: int) -> None:
    setup = start(seed)
    table = RealTable(len(setup["players"]), setup["devil"], setup["house_rules"])
    for state, move in playout(setup, seed):
        assert table.devil == state.devil
        assert [list(marks.scores) for marks in state.marks()] == table.sheet
        assert [set(state.hand(seat)) for seat in range(state.setup.seats)] == table.hands
        if state.values:
            assert {die: CLOTH if state.owner(die) is None else state.owner(die) for die in FACES} == table.lies
            assert [state.value(die) for die in FACES] == [table.shows[die] for die in FACES]
        if move:
            table.follow(move)
    totals = [sum(row) for row in zip(*table.sheet, strict=True)]
    assert list(state.totals()) == totals
    outcome = GAME.outcome(state)
    assert outcome is not None
    best = [max(row) for row in zip(*table.sheet, strict=True)]
    keys = [(total, most) for total, most in zip(totals, best, strict=True)]
    winners = {seat for seat, key in enumerate(keys) if key == max(keys)}
    assert set(outcome.ranking[0]) <= winners
    if setup["house_rules"].get("final.second_tiebreak", "shared") == "shared":
        assert set(outcome.ranking[0]) == winners


def test_the_real_table_notices_what_is_against_the_rulebook() -> None:
    table = RealTable(2, 0, {})
    shapes = [("black", die, value) for die, value in zip(FACES, (3, 3, 8, 10, 7, 17), strict=True)]
    dice = [
        {"colour": colour, "shape": shape, "value": value} for colour, shape, value in (*shapes, ("white", "d6", 4))
    ]
    table.follow({"move": "roll", "dice": dice})
    with pytest.raises(AssertionError):
        table.follow({"move": "reveal", "seat": 0, "sin": "greed", "dice": ["d4", "d8"]})
