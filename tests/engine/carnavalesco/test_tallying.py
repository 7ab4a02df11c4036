"""Totals, the three tie-breaks in their order, and shared victory."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.carnavalesco.house_rules import BY_THE_BOOK, HouseRules
from engine.carnavalesco.tally import colours_shown, ranking, tie_sentence
from engine.score import score_document
from tests.engine.carnavalesco import judge_by_hand
from tests.engine.carnavalesco.parade import ALL_PERFECT, GAME, board, document, playout, setup

NOT_PERFECT = {"vanguard": "R1R3R4B5"}  # +3 only


def player(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, **more}


def test_nine_perfect_marks_are_ninety_points() -> None:
    (ana,) = score_document(document(player("Ana")))["players"]
    assert (ana["total"], ana["perfect_marks"]) == (90, 9)


def test_the_higher_total_wins() -> None:
    result = score_document(document(player("Ana", elements=NOT_PERFECT), player("Bia")))
    assert result["ranking"] == [["Bia"], ["Ana"]]


def test_first_tie_break_is_perfect_marks_and_ten_by_bonus_is_none() -> None:
    bonus = player("Ana", elements=NOT_PERFECT, bases={"vanguard": 8})
    result = score_document(document(bonus, player("Bia")))
    assert [one["total"] for one in result["players"]] == [90, 90]
    assert [one["perfect_marks"] for one in result["players"]] == [8, 9]
    assert result["ranking"] == [["Bia"], ["Ana"]]


def test_second_tie_break_is_the_couple_s_score() -> None:
    weak_couple = {**NOT_PERFECT, "flag_bearers": "R2R2B3B5", "theme_song": "W1W2W3R3"}
    ana = player("Ana", elements=weak_couple, bases={"vanguard": 2, "flag_bearers": 6, "theme_song": 5})
    bia = player("Bia", elements=weak_couple, bases={"vanguard": 3, "flag_bearers": 5, "theme_song": 5})
    result = score_document(document(bia, ana))
    assert len({one["total"] for one in result["players"]}) == 1
    assert len({one["perfect_marks"] for one in result["players"]}) == 1
    assert result["ranking"] == [["Ana"], ["Bia"]]


def test_third_tie_break_is_the_couple_s_colours_on_the_whole_board() -> None:
    # The same marks, but Bia's Harmony is white: fewer dice in the couple's red and blue than Ana's.
    ana = player("Ana", elements={"harmony": "B6B6B6B6", "storyline": "R3B3G3B6"})
    result = score_document(document(player("Bia"), ana))
    assert [one["total"] for one in result["players"]] == [90, 90]
    assert result["ranking"] == [["Ana"], ["Bia"]]


def test_still_tied_schools_share_their_place_in_seating_order() -> None:
    caio = player("Caio", elements=NOT_PERFECT)
    result = score_document(document(caio, player("Bia"), player("Ana"), {**caio, "name": "Duda"}))
    assert result["ranking"] == [["Bia", "Ana"], ["Caio", "Duda"]]


@pytest.mark.parametrize(
    ("couple", "rest", "by_the_book", "best_two"),
    [
        ("R2R2B3B3", "R1G1", 5, 5),
        ("R2B2G3Y3", "G1G1Y1K1", 7, 5),  # best two: green 3 and yellow 2
        ("R2R2B3G3", "G1G1G1B1", 8, 6),  # red is commonest, green goes before blue
        ("R2R2R2R2", "B1R1", 5, 5),
    ],
)
def test_house_rule_for_the_couple_s_colours(couple: str, rest: str, by_the_book: int, best_two: int) -> None:
    here = board(flag_bearers=couple, drums=rest)
    assert colours_shown(here, BY_THE_BOOK) == by_the_book
    assert colours_shown(here, HouseRules(best_two_colours=True)) == best_two


class Standing:
    """Just what the ranking looks at."""

    def __init__(self, standing: tuple[int, int, int, int]) -> None:
        self.standing = standing


STANDINGS = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=5)


@given(STANDINGS)
def test_the_ranking_agrees_with_comparing_schools_two_by_two(standings: list[tuple[int, int, int, int]]) -> None:
    groups = ranking([Standing(one) for one in standings])  # type: ignore[misc]
    place = {at: number for number, group in enumerate(groups) for at in group}
    assert sorted(place) == list(range(len(standings)))
    for one in place:
        for other in place:
            assert judge_by_hand.beats(standings[one], standings[other]) == (place[one] < place[other])


def test_the_outcome_says_who_won_and_what_broke_a_tie() -> None:
    texts = set()
    for seed in range(40):
        *_, (state, _) = playout(setup(3), seed=seed)
        outcome = GAME.outcome(state)
        assert outcome is not None
        tied = outcome.detail["totals"].count(max(outcome.detail["totals"])) > 1
        assert tied == ("tie" in outcome.text or "share" in outcome.text)
        texts.add(tied)
        if tied:
            break
    assert texts == {False, True}


def test_the_perfect_board_is_perfect_for_the_second_judge_too() -> None:
    plain = {el: [(die.colour, die.value) for die in board(**ALL_PERFECT).dice(el)] for el in ALL_PERFECT}
    assert [judge_by_hand.row(element, plain) for element in ALL_PERFECT] == [10] * 9


def test_a_tie_below_the_first_place_is_explained_too() -> None:
    def school(name: str, total: int, perfect: int) -> SimpleNamespace:
        return SimpleNamespace(name=name, total=total, standing=(total, perfect, 5, 9))

    schools = [school("Ana", 80, 2), school("Bia", 70, 3), school("Caio", 70, 1)]
    assert tie_sentence(schools, [[0], [1], [2]]) == "Bia before Caio by more perfect marks: 3 to 1."
    assert tie_sentence(schools[1:], [[0], [1]]) == "The tie was broken by more perfect marks: 3 to 1."
    assert tie_sentence(schools[:2], [[0], [1]]) == ""
