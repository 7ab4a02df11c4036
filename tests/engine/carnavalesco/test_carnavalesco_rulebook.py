"""The rulebook from its first line to its last: each rule in a few words, and the test that holds the engine to it.

Then the readings that the facts settle (C1 to C27), where the rulebook leaves something open.
"""

from __future__ import annotations

import importlib
import itertools
import random
from dataclasses import replace

import pytest

from engine.carnavalesco import DIVISIONS, ELEMENTS, practice_strip
from engine.carnavalesco.state import State
from engine.carnavalesco.tally import reveal
from engine.dice import Die
from engine.score import score_document
from tests.engine.carnavalesco.parade import ALL_PERFECT, GAME, board, dice, document, playout, rolled, setup, taken

RULES = {
    "Components": {
        "150 dice, 25 of each of six colours": "test_the_bag_remembers_25_dice_of_each_colour",
        "four boards of nine elements": "test_a_board_has_nine_elements_of_four_spaces",
        "five divisions, one table each": "test_each_division_has_one_strip_and_schools_choose_freely",
        "36 tokens for perfect marks": "tallying.test_nine_perfect_marks_are_ninety_points",
    },
    "Setup": {
        "each school has a name": "draft.test_setup_needs_names_and_nothing_else",
        "each school chooses its division, D first": "draft.test_setup_needs_names_and_nothing_else",
        "somebody has the marker first": "draft.test_the_prompt_says_who_does_what",
        "8, 12, 10 or 12 dice are drawn": "draft.test_draw_rounds_and_order_by_number_of_schools",
        "two schools take twice two, in turn": "test_two_schools_take_turns_until_four_dice_are_left",
    },
    "Playing the game": {
        "the first player rolls all the dice": "draft.test_wrong_moves_are_refused_with_the_rule",
        "dice stay as they were rolled": "test_a_taken_die_lies_on_the_board_as_it_was_rolled",
        "two dice go to any elements with room": "draft.test_legal_moves_are_all_accepted_and_all_there_are",
        "nor does it matter how they lie there": "elements.test_the_order_of_the_dice_in_an_element_does_not_matter",
        "clockwise": "draft.test_the_prompt_says_who_does_what",
        "four dice go back into the bag": "draft.test_a_whole_draft_fills_every_board_and_leaves_four_dice_a_round",
        "the marker goes right": "draft.test_the_marker_goes_to_the_right_so_the_last_of_a_round_begins_the_next",
        "until every board has 36 dice": "draft.test_a_whole_draft_fills_every_board_and_leaves_four_dice_a_round",
        "dice never move": "test_no_move_takes_a_die_off_a_board",
        "an element holds four": "draft.test_an_element_takes_four_dice_and_no_fifth",
    },
    "Scoring elements": {
        "10 at most, bonus or not": "marks.test_ten_by_bonus_is_no_perfect_mark",
        "the first row from the top that fits": "marks.test_only_one_row_is_taken",
        "identical is of one colour and value": "elements.test_harmony_counts_identical_dice",
        "Vanguard Commission": "elements.test_vanguard_counts_one_colour_and_the_sum_of_all_four",
        "Master-of-Room & Flag-Bearer": "elements.test_flag_bearers_are_two_and_two_of_two_colours",
        "Storyline": "elements.test_storyline_finds_its_dice_in_other_elements",
        "Parade Floats & Props": "elements.test_floats_count_colours_and_values",
        "Costumes": "elements.test_costumes_are_the_dice_of_the_floats",
        "Progression": "elements.test_progression_runs_also_over_six_to_one",
        "Harmony": "elements.test_harmony_counts_identical_dice",
        "Drums": "elements.test_drums_keep_off_every_value_in_harmony",
        "Samba Theme Song": "elements.test_theme_song_counts_dice_with_a_colour_or_value_of_their_own",
        "a token for a perfect mark, none for 10 by bonus": "marks.test_ten_by_bonus_is_no_perfect_mark",
        "no token for Drums before Harmony is full": "test_drums_have_no_perfect_mark_before_harmony_is_full",
        "no token for Theme Song before the end": "test_theme_song_has_no_perfect_mark_before_the_end",
    },
    "Tabulating the scores": {
        "from the Vanguard Commission on": "bag.test_the_reveal_goes_element_by_element_with_running_totals",
        "perfect is 10 whatever the base": "marks.test_a_perfect_mark_is_ten_whatever_the_base",
        "else the sum, its base, and the bonus": "marks.test_anna_and_her_harmony_in_division_d",
        "example 1: 7 and 3 are 10": "marks.test_ten_by_bonus_is_no_perfect_mark",
        "example 2: 17 in D is 6, and 3 are 9": "marks.test_anna_and_her_harmony_in_division_d",
        "the highest total wins": "tallying.test_the_higher_total_wins",
    },
    "Tiebreakers": {
        "more perfect marks": "tallying.test_first_tie_break_is_perfect_marks_and_ten_by_bonus_is_none",
        "the higher score of the couple": "tallying.test_second_tie_break_is_the_couple_s_score",
        "more dice in the couple's colours": "tallying.test_third_tie_break_is_the_couple_s_colours_on_the_whole_board",
        "else the victory is shared": "tallying.test_still_tied_schools_share_their_place_in_seating_order",
    },
    "Solo play": {
        "from division D to the championship in S": (
            "career.test_a_career_climbs_from_parade_to_parade_until_the_championship"
        ),
        "two official colours": "solo.test_two_different_official_colours_of_the_six",
        "a flag that includes them": "career.test_a_flag_shows_the_official_colours",
        "the couple wears them, or earns nothing": "elements.test_flag_bearers_alone_must_wear_the_official_colours",
        "eight drawn, four taken, four go back": "solo.test_four_of_eight_are_taken_and_no_two",
        "two of a value, of a colour, in an element": "solo.test_each_broken_restriction_costs_one_counter",
        "the example: four identical cost three": "solo.test_counters_pile_up_on_the_board_and_come_off_the_total",
        "counters come off at the end": "test_counters_come_off_last_and_before_the_ladder",
        "89 and 90 first, 88 second, 79 down": "solo.test_the_ladder",
        "the parades are counted": "career.test_a_career_of_so_many_parades_ends_after_them",
    },
    "Example board": {
        "nine perfect marks": "elements.test_nine_perfect_elements_on_one_board",
    },
}

READINGS = {
    "C1 tables are the table's own; practice strips are made up": "test_practice_strips_are_called_made_up_everywhere",
    "C2 one table a division": "test_each_division_has_one_strip_and_schools_choose_freely",
    "C3 no handicap": "marks.test_schools_in_different_divisions_are_pointed_out",
    "C4 only which values lie in Progression": "elements.test_the_order_of_the_dice_in_an_element_does_not_matter",
    "C5 over six to one": "elements.test_progression_over_all_1296_rolls",
    "C6 different is not identical": "elements.test_storyline_finds_its_dice_in_other_elements",
    "C7 an element of its own for each": "elements.test_storyline_gives_each_die_the_element_that_suits_all",
    "C8 Storyline is no home": "elements.test_storyline_finds_its_dice_in_other_elements",
    "C9 present is enough": "elements.test_house_rule_storyline_twin_must_be_there_in_the_flesh",
    "C10 one die answers for one": "elements.test_costumes_are_the_dice_of_the_floats",
    "C11 Costumes need no perfect Floats": "elements.test_costumes_are_the_dice_of_the_floats",
    "C12 colours and values of Floats": "elements.test_floats_count_colours_and_values",
    "C13 by colour or by value": "elements.test_house_rule_uniform_song_counts_by_colour_or_by_value_throughout",
    "C14 no value of Drums in Harmony": "elements.test_house_rule_drums_check_the_matching_dice_only",
    "C15 10 and 15 are within": "elements.test_vanguard_counts_one_colour_and_the_sum_of_all_four",
    "C16 the other two share a colour": "elements.test_house_rule_loose_couple_lets_the_other_two_differ_in_colour",
    "C17 Harmony by colour and value": "elements.test_harmony_counts_identical_dice",
    "C18 one row, 10 at most": "marks.test_only_one_row_is_taken",
    "C19 ten by bonus is no token": "tallying.test_first_tie_break_is_perfect_marks_and_ten_by_bonus_is_none",
    "C20 four elements are provisional": "marks.test_storyline_may_rise_until_the_boards_are_full_but_not_fall",
    "C21 every colour of the couple": "tallying.test_house_rule_for_the_couple_s_colours",
    "C22 two schools alternate": "test_two_schools_take_turns_until_four_dice_are_left",
    "C23 last is first": "draft.test_the_marker_goes_to_the_right_so_the_last_of_a_round_begins_the_next",
    "C24 i one counter a restriction": "solo.test_each_broken_restriction_costs_one_counter",
    "C24 ii counters before the ladder": "test_counters_come_off_last_and_before_the_ladder",
    "C24 iii to v 80 to 87 stay, D and S have ends": "solo.test_the_ladder",
    "C24 vi official colours": "elements.test_flag_bearers_alone_must_wear_the_official_colours",
    "C24 vii of the four taken": "test_the_restrictions_begin_anew_with_every_roll",
    "C25 five schools are inferred": "test_five_schools_play_18_rounds_of_14_dice_from_a_bag_of_186",
    "C26 the table names its colours": "test_a_table_plays_with_the_colours_it_names",
    "C27 the judges' reveal": "bag.test_the_reveal_goes_element_by_element_with_running_totals",
}

HERE = "tests.engine.carnavalesco.test_"
FILES = {"draft": "draft", "elements": "elements", "marks": "marks", "tallying": "tallying", "solo": "solo"}
FILES |= {"career": "career", "bag": "bag", "": "carnavalesco_rulebook"}


@pytest.mark.parametrize(
    "test", sorted({*(test for part in RULES.values() for test in part.values()), *READINGS.values()})
)
def test_every_rule_has_its_test(test: str) -> None:
    file, _, name = test.rpartition(".")
    assert callable(getattr(importlib.import_module(HERE + FILES[file]), name))


def finished(*boards: dict[str, str], **more: object) -> State:
    """Return the state of a game whose boards are full."""
    start = GAME.setup(setup(len(boards), **more))
    return replace(start, boards=tuple(board(**elements) for elements in boards), round=start.rounds)


def test_a_board_has_nine_elements_of_four_spaces() -> None:
    view = GAME.view(GAME.setup(setup(4)))
    assert [list(one["elements"]) for one in view["players"]] == [list(ELEMENTS)] * 4
    assert len(ELEMENTS) == 9
    assert board(harmony="R1R2R3R4").full("harmony")


def test_the_bag_remembers_25_dice_of_each_colour() -> None:
    chance = random.Random(7)
    state = GAME.setup(setup(3))
    assert GAME.view(state)["bag"]["left"] == dict.fromkeys(state.setup.colours, 25)
    for _ in range(3):
        state = GAME.apply(state, rolled(state, chance))
        while state.roll:
            state = GAME.apply(state, taken(state, chance))
        placed = [die.colour for one in state.boards for die in one.all_dice()]
        left = GAME.view(state)["bag"]["left"]
        assert left == {colour: 25 - placed.count(colour) for colour in state.setup.colours}, "the four left go back"


def test_each_division_has_one_strip_and_schools_choose_freely() -> None:
    assert DIVISIONS == ("D", "C", "B", "A", "S")
    schools = [
        {"name": name, "division": letter, "table": "practice"} for name, letter in zip("WXYZ", "SDAD", strict=True)
    ]
    state = finished(*[dict.fromkeys(ELEMENTS, "R1R1B4W6")] * 4, players=schools)
    bases = [state.jury(seat).base("harmony", 12) for seat in range(4)]
    assert bases == [practice_strip(division)[12 - 4] for division in "SDAD"]
    assert bases[1] == bases[3]


def test_two_schools_take_turns_until_four_dice_are_left() -> None:
    seats = []
    for state, move in itertools.islice(playout(setup(2, first=1), seed=1), 5):
        seats += [move["seat"]] if move["move"] == "take" else []
        last = state
    assert seats == [1, 0, 1, 0]
    assert sum(one is None for one in last.taken) - 2 == 4


def test_a_taken_die_lies_on_the_board_as_it_was_rolled() -> None:
    for state, move in itertools.islice(playout(setup(4), seed=3), 60):
        if move["move"] == "take":
            after = GAME.apply(state, move).boards[move["seat"]]
            for place in move["places"]:
                assert state.roll[place["die"]] in after.dice(place["element"])


def test_no_move_takes_a_die_off_a_board() -> None:
    before: State | None = None
    for state, _ in playout(setup(3), seed=9):
        if before is not None:
            for old, new in zip(before.boards, state.boards, strict=True):
                for was, now in zip(old.spaces, new.spaces, strict=True):
                    assert all(one is None or one == other for one, other in zip(was, now, strict=True))
        before = state


def perfect_marks(**elements: str) -> int:
    start = GAME.setup(setup(2))
    state = replace(start, boards=(board(**elements), board()))
    return int(GAME.scoreboard(state)["players"][0]["perfect_marks"])


def test_drums_have_no_perfect_mark_before_harmony_is_full() -> None:
    assert perfect_marks(drums="R4B4G4Y4", harmony="R3R3B5") == 0
    assert perfect_marks(drums="R4B4G4Y4", harmony="R3R3B5W6") == 1
    assert perfect_marks(drums="R4B4G4Y4", harmony="R3R3B5W4") == 0


def test_theme_song_has_no_perfect_mark_before_the_end() -> None:
    assert perfect_marks(theme_song="W1W2W3W4") == 0
    assert perfect_marks(**{**ALL_PERFECT, "vanguard": "R1R3R4"}) == 7, "all but Vanguard Commission and Theme Song"
    assert perfect_marks(**ALL_PERFECT) == 9


def test_counters_come_off_last_and_before_the_ladder() -> None:
    state = replace(finished(ALL_PERFECT), counters=(2,))
    steps = reveal(state.tallies())
    assert [step["element"] for step in steps] == [*ELEMENTS, "counters"]
    assert (steps[-2]["totals"], steps[-1]["scores"], steps[-1]["totals"]) == ([90], [-2], [88])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.detail["solo_result"] == {"result": "promoted", "next_division": "C"}
    scored = document({"name": "Ana", "counters": 11}, solo={"colours": ["red", "blue"]})
    assert score_document(scored)["solo_result"] == {"result": "relegated", "next_division": "D"}


def test_the_restrictions_begin_anew_with_every_roll() -> None:
    state = GAME.setup(setup(1))
    for _ in range(2):
        state = GAME.apply(state, GAME.roll_move(state, dice("R1R2B3B4W6W6W6W6")))
        places = [{"die": die, "element": "drums" if die % 2 else "harmony"} for die in range(4)]
        state = GAME.apply(state, {"move": "take", "seat": 0, "places": places})
    assert state.counters == (0,)


def test_practice_strips_are_called_made_up_everywhere() -> None:
    state = finished(dict.fromkeys(ELEMENTS, "R1R1B4W6"), ALL_PERFECT)
    assert any("made up" in note for note in GAME.view(state)["notes"])
    marks = GAME.scoreboard(state)["players"][0]["elements"].values()
    assert all("made-up practice strip" in mark["why"] for mark in marks if not mark["perfect"])


def test_five_schools_play_18_rounds_of_14_dice_from_a_bag_of_186() -> None:
    last = None
    for state, move in playout(setup(5, extra_board=True), seed=5):
        if move and move["move"] == "roll":
            last = state
    assert last is not None
    view = GAME.view(last)
    assert (view["round"], view["rounds"], view["bag"]["draw"], view["bag"]["each"]) == (18, 18, 14, 31)
    on_boards = sum(one.placed for one in last.boards)
    assert on_boards + sum(view["bag"]["left"].values()) == 186
    assert on_boards + view["bag"]["draw"] == 184
    assert any("inferred" in note for note in view["notes"])


def test_a_table_plays_with_the_colours_it_names() -> None:
    names = ["ivory", "maroon", "glitter", "teal", "gold", "lilac"]
    state = GAME.setup(setup(2, colours=names))
    state = GAME.apply(state, GAME.roll_move(state, [Die(name, 3) for name in names] * 2))
    assert "glitter 3 3" in GAME.describe(GAME.setup(setup(2, colours=names)), GAME.roll_move(state, list(state.roll)))
    assert GAME.view(state)["bag"]["left"] == dict.fromkeys(names, 23)
