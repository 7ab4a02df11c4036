"""Every row of every element, and what must hold of all of them. Letters are colours, digits values."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.carnavalesco import ELEMENTS
from engine.carnavalesco import elements as rules_of
from engine.carnavalesco.board import Board, board_of
from engine.carnavalesco.house_rules import BY_THE_BOOK, HouseRules
from engine.carnavalesco.marks import find
from engine.dice import Die, Shape
from tests.engine.carnavalesco import judge_by_hand
from tests.engine.carnavalesco.parade import ALL_PERFECT, LETTERS, board, dice


@pytest.mark.parametrize(
    ("four", "row"),
    [
        ("R1R3R4R5", 10),
        ("R1R2R3R4", 10),  # exactly 10
        ("R3R3R4R5", 10),  # exactly 15
        ("R1R3R4B5", 3),
        ("R1R1R2B6", 3),  # 10, with the odd one out counted in
        ("R6R6R5R4", 2),
        ("R1R2R3R3", 2),  # 9
        ("R4R4R4R4", 2),  # 16
        ("R6R6R5B4", 1),
        ("R1R1R1B1", 1),
        ("R1R2B3B4", 0),
        ("R1B2G3Y4", 0),
    ],
)
def test_vanguard_counts_one_colour_and_the_sum_of_all_four(four: str, row: int) -> None:
    assert rules_of.vanguard(dice(four)).row == row


@pytest.mark.parametrize(
    ("four", "row"),
    [
        ("R2R2B3B3", 10),
        ("R5R5B6B6", 10),
        ("R2R2B3B5", 3),
        ("B3B3R2R4", 3),
        ("R2R2B4B6", 2),
        ("R2R2B2B2", 2),
        ("R2R2B4B4", 2),
        ("R2R2B3B4", 2),
        ("R2R4B3B5", 1),
        ("R2R4B4B6", 1),
        ("R2R2B3G3", 0),  # the other two must share one colour
        ("R2R2R3R3", 0),  # and it must be another one
        ("R2R2R2B3", 0),
    ],
)
def test_flag_bearers_are_two_and_two_of_two_colours(four: str, row: int) -> None:
    assert rules_of.flag_bearers(dice(four), BY_THE_BOOK).row == row


@pytest.mark.parametrize(
    ("four", "row"), [("R2R2B3B3", 10), ("B2B2R3R3", 10), ("R2R2B3B5", 3), ("R2R2G3G3", 0), ("G2G2Y3Y3", 0)]
)
def test_flag_bearers_alone_must_wear_the_official_colours(four: str, row: int) -> None:
    finding = rules_of.flag_bearers(dice(four), BY_THE_BOOK, ("red", "blue"))
    assert finding.row == row
    assert row or "official colours red and blue" in finding.reason


@pytest.mark.parametrize(
    ("four", "row"),
    [
        ("R2R2B3G3", 3),
        ("R2R2B4G3", 2),
        ("R2R4B3G3", 1),
        ("R2R2B3B3", 10),
        ("R2R2R3G3", 0),
        ("R2B2G3Y3", 0),
    ],
)
def test_house_rule_loose_couple_lets_the_other_two_differ_in_colour(four: str, row: int) -> None:
    assert rules_of.flag_bearers(dice(four), HouseRules(loose_couple=True)).row == row


@pytest.mark.parametrize(
    ("story", "elsewhere", "row"),
    [
        ("R1B2G3Y4", {"vanguard": "R1", "floats": "B2", "harmony": "G3", "drums": "Y4"}, 10),
        ("R3R5B3B5", {"vanguard": "R3", "floats": "R5", "harmony": "B3", "drums": "B5"}, 10),  # not identical is enough
        ("R1R1B2G3", {"vanguard": "R1", "floats": "R1", "harmony": "B2", "drums": "G3"}, 3),
        ("R1B2G3Y4", {"vanguard": "R1", "floats": "B2G3", "drums": "Y4"}, 2),
        ("R1R1B2G3", {"vanguard": "R1", "harmony": "B2", "drums": "G3"}, 1),  # present once is present
        ("R1R1B2B2", {"vanguard": "R1", "floats": "R1", "harmony": "B2", "drums": "B2"}, 0),  # two different only
        ("R1B2G3Y4", {"vanguard": "R1B2", "drums": "G3Y4"}, 0),  # two elements only
        ("R1B2G3Y4", {"vanguard": "R1", "floats": "B2", "harmony": "G3"}, 0),  # one die is nowhere
        ("R1B2G3Y4", {}, 0),  # Storyline is no home for its own dice
    ],
)
def test_storyline_finds_its_dice_in_other_elements(story: str, elsewhere: dict[str, str], row: int) -> None:
    assert find(board(storyline=story, **elsewhere), "storyline", BY_THE_BOOK).row == row


def test_storyline_gives_each_die_the_element_that_suits_all() -> None:
    # R1 could go to Vanguard or to Drums, B2 to Vanguard alone: who takes the first home that fits goes wrong.
    here = board(storyline="R1B2G3Y4", vanguard="R1B2", drums="R1G3", floats="G3Y4", harmony="Y4")
    assert find(here, "storyline", BY_THE_BOOK).row == 10


def test_house_rule_storyline_different_in_both() -> None:
    homes = {"vanguard": "R3", "floats": "R5", "harmony": "B3", "drums": "B5"}
    assert find(board(storyline="R3R5B3B5", **homes), "storyline", HouseRules(different_in_both=True)).row == 0
    homes = {"vanguard": "R3", "floats": "B4", "harmony": "G5", "drums": "R5"}
    assert find(board(storyline="R3B4G5R5", **homes), "storyline", HouseRules(different_in_both=True)).row == 3
    assert find(board(storyline="R3B4G5R5", **homes), "storyline", BY_THE_BOOK).row == 10


def test_house_rule_storyline_twin_must_be_there_in_the_flesh() -> None:
    homes = {"vanguard": "R1", "harmony": "B2", "drums": "G3"}
    physical = HouseRules(physical_twins=True)
    assert find(board(storyline="R1R1B2G3", **homes), "storyline", BY_THE_BOOK).row == 1
    assert find(board(storyline="R1R1B2G3", **homes), "storyline", physical).row == 0
    assert find(board(storyline="R1R1B2G3", **{**homes, "vanguard": "R1R1"}), "storyline", physical).row == 1
    assert find(board(storyline="R1R1B2G3", **homes, floats="R1"), "storyline", physical).row == 3


@pytest.mark.parametrize(
    ("four", "row"),
    [
        ("R1B2G3Y4", 10),
        ("R1B1G3Y4", 3),
        ("R1R2G3Y4", 2),
        ("R1R1G3Y4", 1),
        ("R1B1G3G4", 1),
        ("R1B1G3Y3", 0),  # four colours, two values
        ("R1R2R3G4", 0),  # two colours, four values
        ("R1R1R1R1", 0),
    ],
)
def test_floats_count_colours_and_values(four: str, row: int) -> None:
    assert rules_of.floats(dice(four)).row == row


@pytest.mark.parametrize(
    ("floats", "costumes", "row"),
    [
        ("R1B2G3Y3", "Y3G3B2R1", 10),
        ("R1B2G3Y3", "R1B2G3G3", 3),
        ("R1B2G3Y3", "R1B2W6W6", 2),
        ("R1B2G3Y3", "R1R1R1R1", 1),  # four copies of one die count once
        ("R1B2G3Y3", "R2B1G4Y4", 0),
        ("R1R1R1B6", "R1R1R1B6", 10),  # the dice count, not what Floats & Props earn
        ("R1R1R1B6", "R1R1W6W6", 2),
    ],
)
def test_costumes_are_the_dice_of_the_floats(floats: str, costumes: str, row: int) -> None:
    assert find(board(floats=floats, costumes=costumes), "costumes", BY_THE_BOOK).row == row


@pytest.mark.parametrize(
    ("values", "row"),
    [
        ((1, 2, 3, 4), 10),
        ((5, 2, 4, 3), 10),
        ((6, 5, 4, 3), 10),
        ((1, 2, 3, 6), 3),
        ((1, 2, 5, 6), 3),
        ((1, 4, 5, 6), 3),
        ((3, 4, 5, 1), 2),
        ((1, 2, 3, 3), 2),
        ((4, 5, 6, 2), 2),
        ((5, 6, 1, 1), 1),
        ((6, 1, 2, 4), 1),
        ((5, 6, 1, 3), 1),
        ((1, 2, 4, 5), 0),
        ((1, 1, 1, 1), 0),
    ],
)
def test_progression_runs_also_over_six_to_one(values: tuple[int, ...], row: int) -> None:
    four = [Die(colour, value) for colour, value in zip(LETTERS.values(), values, strict=False)]
    assert rules_of.progression(four, BY_THE_BOOK).row == row


def test_progression_over_all_1296_rolls() -> None:
    rows = Counter(
        rules_of.progression([Die("red", value) for value in roll], BY_THE_BOOK).row
        for roll in product(range(1, 7), repeat=4)
    )
    assert rows == {10: 72, 3: 72, 2: 240, 1: 120, 0: 792}


@pytest.mark.parametrize(
    ("values", "row"),
    [("1234", 10), ("4321", 0), ("5612", 3), ("1235", 2), ("1523", 2), ("3215", 0), ("6121", 1)],
)
def test_house_rule_ordered_spaces_reads_progression_from_the_first_space(values: str, row: int) -> None:
    four = [Die("red", int(value)) for value in values]
    assert rules_of.progression(four, HouseRules(ordered_spaces=True)).row == row


@pytest.mark.parametrize(
    ("four", "row"),
    [
        ("R3R3R3R3", 10),
        ("R3R3R3B3", 3),
        ("R3R3B3B3", 2),
        ("R3R3B5B5", 2),
        ("R3R3B5G5", 1),
        ("R3B3G3Y3", 0),  # one value in four colours is not identical
        ("R1R2R3R4", 0),
    ],
)
def test_harmony_counts_identical_dice(four: str, row: int) -> None:
    assert rules_of.harmony(dice(four)).row == row


@pytest.mark.parametrize(
    ("four", "row"),
    [
        ("R4B4G4Y4", 10),
        ("R4B4G4Y1", 3),
        ("R4B4G4Y5", 0),  # 5 is in Harmony
        ("R5B5G5Y5", 0),
        ("R3B3G3Y3", 0),
        ("R4B4G1Y1", 2),
        ("R4B4G1Y2", 1),
        ("R4B4G1Y3", 0),
        ("R4B6G1Y2", 0),
    ],
)
def test_drums_keep_off_every_value_in_harmony(four: str, row: int) -> None:
    assert rules_of.drums(dice(four), dice("R3R3R3B5"), BY_THE_BOOK).row == row


@pytest.mark.parametrize(
    ("four", "row"),
    [("R4B4G4Y5", 3), ("R5B5G5Y5", 0), ("R5B5G5Y4", 0), ("R4B4G5Y5", 1), ("R4B4G3Y5", 1), ("R4B4G1Y1", 2)],
)
def test_house_rule_drums_check_the_matching_dice_only(four: str, row: int) -> None:
    assert rules_of.drums(dice(four), dice("R3R3R3B5"), HouseRules(drums_matching_only=True)).row == row


@pytest.mark.parametrize(
    ("song", "row"),
    [
        ("W1W2W3W4", 10),  # no white elsewhere
        ("W1W2R6B6", 10),  # two by colour, two by value
        ("R6B6G6Y6", 10),  # no 6 elsewhere
        ("W1W2W3R1", 3),
        ("W1W2R1R1", 2),
        ("W1R1R1R1", 1),
        ("R1R2B1B2", 0),
    ],
)
def test_theme_song_counts_dice_with_a_colour_or_value_of_their_own(song: str, row: int) -> None:
    elsewhere = dice("R1R2R3R4R5B1B2B3B4B5G1G2G3Y4Y5K1")
    assert rules_of.theme_song(dice(song), elsewhere, BY_THE_BOOK).row == row


def test_house_rule_uniform_song_counts_by_colour_or_by_value_throughout() -> None:
    elsewhere = dice("R1R2R3R4R5B1B2B3B4B5G1G2G3Y4Y5K1")
    uniform = HouseRules(uniform_song=True)
    assert rules_of.theme_song(dice("W1W2W3R6"), elsewhere, BY_THE_BOOK).row == 10
    assert rules_of.theme_song(dice("W1W2W3R6"), elsewhere, uniform).row == 3
    assert rules_of.theme_song(dice("W6W6R6B6"), elsewhere, uniform).row == 10


def test_nine_perfect_elements_on_one_board() -> None:
    here = board(**ALL_PERFECT)
    assert {element: find(here, element, BY_THE_BOOK).row for element in ELEMENTS} == dict.fromkeys(ELEMENTS, 10)


FACES = st.builds(Die, st.sampled_from(sorted(LETTERS.values())), st.integers(1, 6), st.just(Shape.D6))
FEW_FACES = st.builds(Die, st.sampled_from(["red", "blue", "green"]), st.integers(1, 4), st.just(Shape.D6))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """A full board of few enough faces that rows are common, or of any."""
    faces = draw(st.sampled_from([FACES, FEW_FACES]))
    return board_of({element: tuple(draw(st.lists(faces, min_size=4, max_size=4))) for element in ELEMENTS})


def plain(here: Board) -> dict[str, list[tuple[str, int]]]:
    return {element: [(die.colour, die.value) for die in here.dice(element)] for element in ELEMENTS}


@settings(max_examples=150)
@given(boards())
def test_every_row_agrees_with_a_judge_built_otherwise(here: Board) -> None:
    for element in ELEMENTS:
        assert find(here, element, BY_THE_BOOK).row == judge_by_hand.row(element, plain(here)), element
    assert find(here, "flag_bearers", BY_THE_BOOK, ("red", "blue")).row == judge_by_hand.row(
        "flag_bearers", plain(here), ("red", "blue")
    )


@settings(max_examples=60)
@given(boards(), st.randoms(use_true_random=False))
def test_the_order_of_the_dice_in_an_element_does_not_matter(here: Board, rng: object) -> None:
    shuffled = {element: list(here.dice(element)) for element in ELEMENTS}
    for four in shuffled.values():
        rng.shuffle(four)  # type: ignore[attr-defined]
    other = board_of({element: tuple(four) for element, four in shuffled.items()})
    for element in ELEMENTS:
        assert find(here, element, BY_THE_BOOK).row == find(other, element, BY_THE_BOOK).row


@settings(max_examples=60)
@given(boards())
def test_a_reason_is_given_for_every_row(here: Board) -> None:
    for element in ELEMENTS:
        finding = find(here, element, BY_THE_BOOK)
        assert finding.reason[0].isupper() or finding.reason[0].isdigit()
        assert not finding.reason.endswith(".")
