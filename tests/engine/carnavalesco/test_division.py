"""Division strips: the made-up one, copying the printed one, warnings that never refuse."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.carnavalesco import DIVISIONS, practice_strip, validate_strip
from engine.carnavalesco.division import SUMS, base_on, read_strip, strip_json
from engine.game import InvalidInput


def practice(division: str) -> dict[str, Any]:
    return dict(strip_json(practice_strip(division)))


def test_the_practice_strip_follows_its_made_up_formula() -> None:
    assert base_on(practice_strip("D"), 17) == 6
    assert (min(practice_strip("D")), max(practice_strip("D"))) == (2, 9)
    for easier, harder in pairwise(DIVISIONS):
        pairs = zip(practice_strip(easier), practice_strip(harder), strict=True)
        assert all(hard == max(0, easy - 1) for easy, hard in pairs)
    assert min(practice_strip("S")) == 0


def test_practice_strips_raise_no_warning() -> None:
    for division in DIVISIONS:
        assert validate_strip(practice(division), division, {other: practice(other) for other in DIVISIONS}) == []


def test_a_strip_reads_back_as_it_was_written() -> None:
    assert read_strip(practice("A"), "numbers") == practice_strip("A")


def test_a_falling_base_is_warned_of() -> None:
    (warning,) = validate_strip({**practice("C"), "12": 9}, "C")
    assert "falls from 9 at sum 12 to 4 at sum 13" in warning


def test_division_d_is_known_to_give_6_for_17() -> None:
    (warning,) = validate_strip({**practice("D"), "17": 7}, "D")
    assert "sum 17" in warning
    assert validate_strip({**practice("C"), "17": 6}, "C") == []


def test_a_harder_division_that_gives_more_is_warned_of_from_both_sides() -> None:
    generous = {**practice("S"), "24": 10}
    (one,) = validate_strip(generous, "S", {"D": practice("D")})
    (other,) = validate_strip(practice("D"), "D", {"S": generous})
    assert one == other
    assert "Division S is harder than D but gives more at sum 24" in one
    assert validate_strip(generous, "S", {"S": practice("D")}) == []  # its own older strip is no rival


@pytest.mark.parametrize(
    ("change", "code"),
    [({"10": 11}, "out_of_range"), ({"10": -1}, "out_of_range"), ({"10": 5.0}, "bad_type"), ({"10": True}, "bad_type")],
)
def test_what_is_no_base_mark_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidInput) as error:
        validate_strip({**practice("B"), **change}, "B")
    assert (error.value.code, error.value.field) == (code, "numbers.10")


def test_every_sum_from_4_to_24_is_wanted_and_no_other() -> None:
    assert list(SUMS) == list(range(4, 25))
    short = practice("B")
    del short["24"]
    with pytest.raises(InvalidInput) as error:
        validate_strip(short, "B")
    assert (error.value.code, error.value.field) == ("missing_field", "numbers.24")
    with pytest.raises(InvalidInput) as error:
        validate_strip({**practice("B"), "25": 9}, "B")
    assert (error.value.code, error.value.field) == ("unknown_field", "numbers.25")
    with pytest.raises(InvalidInput):
        validate_strip(practice("B"), "E")
