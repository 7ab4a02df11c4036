"""The rulebook from its first line to its last: each rule in a few words, and the test that holds the engine to it.

Then the readings that the facts settle (S1 to S24), where the rulebook leaves something open.
"""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from engine.carnival_of_sins.house_rules import BY_THE_BOOK
from engine.carnival_of_sins.marks import ranking
from engine.carnival_of_sins.sins import BLACK, SINS
from engine.carnival_of_sins.state import State
from engine.score import score_document
from tests.engine.carnival_of_sins.feast import (
    GAME,
    NAMES,
    ROLL,
    options,
    playout,
    refused,
    reread,
    reveal,
    rolled,
    setup,
)

RULES = {
    "Components": {
        "six black dice of six shapes, a white d6": "rounds.test_all_seven_known_dice_are_waited_for",
        "seven sins for each player": "test_a_game_is_seven_rounds_and_seven_sins_for_each",
    },
    "Setup": {
        "two to five players": "test_two_to_five_play_and_no_others",
        "somebody has the Devil Card first": "sins.test_sins_are_revealed_from_the_devil_clockwise",
    },
    "How to play": {
        "the Devil rolls all dice": "rounds.test_other_dice_than_those_waited_for_are_refused",
        "one falls off the table: all again": "rounds.test_the_devil_rolls_all_again_or_one_unclear_die_alone",
        "sins from the Devil on, clockwise": "sins.test_sins_are_revealed_from_the_devil_clockwise",
        "a taken die keeps its value": "test_a_taken_die_keeps_its_value",
        "dice on a sin are locked, but for Lust": "test_locked_dice_are_safe_from_all_but_lust",
        "points are the dice on the sin": "sins.test_pride_takes_all_that_is_left_and_the_devil_card",
        "all who are lowest get the white die": "test_everybody_who_is_lowest_gets_the_white_die",
        "the lowest after it is the next Devil": "rounds.test_the_white_die_may_change_who_is_devil",
        "tied: the last of them to reveal": "rounds.test_the_last_to_reveal_of_the_tied_is_not_the_last_of_the_table",
        "played sins do not come back": "sins.test_a_sin_is_played_once_in_a_game",
        "to remember them is the players' own": (
            "rounds.test_played_sins_are_hidden_until_the_end_unless_the_table_shows_them"
        ),
    },
    "The dice": {
        "values from 1 to the faces, a 0 is 10": "test_each_die_shows_its_own_values",
        "nobody takes the white die": "test_no_sin_takes_the_white_die",
    },
    "Greed": {
        "two unlocked dice of one value": "sins.test_greed_takes_two_of_one_value_and_none_without_a_pair",
        "which pair is the player's choice": "sins.test_greed_chooses_among_three_of_a_kind_and_a_d10s_0_is_a_10",
        "none without a pair": "sins.test_greed_takes_two_of_one_value_and_none_without_a_pair",
    },
    "Gluttony": {
        "the highest die of the table": "sins.test_gluttony_takes_the_highest_unlocked_die_and_chooses_in_a_tie",
        "a tie is the player's choice": "sins.test_gluttony_takes_the_highest_unlocked_die_and_chooses_in_a_tie",
    },
    "Envy": {
        "the same points as the Devil": (
            "rounds.test_first_vector_envy_copies_the_devil_and_the_lowest_gets_the_white_die"
        ),
        "also what Pride brings the Devil": "test_envy_copies_what_pride_brings_the_devil",
    },
    "Lust": {
        "one odd and one even": "sins.test_lust_takes_an_odd_and_an_even_die_at_least_one_from_the_table",
        "one from the table, the other maybe of a player": "sins.test_lust_of_two_locked_dice_is_no_lust",
        "none without such a pair": "sins.test_lust_takes_none_without_a_pair_and_must_take_one_otherwise",
    },
    "Pride": {
        "at the end of the round, all that is left": "sins.test_pride_takes_all_that_is_left_and_the_devil_card",
        "and the Devil Card": "sins.test_pride_without_dice_scores_none_and_still_is_devil",
        "several take in turn, the first to reveal first": (
            "sins.test_several_proud_players_take_in_turn_and_the_last_to_reveal_is_devil"
        ),
        "the last of several is the next Devil": (
            "sins.test_several_proud_players_take_in_turn_and_the_last_to_reveal_is_devil"
        ),
    },
    "Sloth": {
        "the die closest to the player": "sins.test_sloth_takes_the_die_nearest_to_the_seat",
        "too close to tell: the player says": (
            "sins.test_sloth_asks_between_dice_within_a_dies_width_and_passes_over_locked_ones"
        ),
        "no locked die": "sins.test_sloth_asks_between_dice_within_a_dies_width_and_passes_over_locked_ones",
        "none when all are locked": "sins.test_sloth_takes_none_when_all_are_locked",
    },
    "Wrath": {
        "any black die, of the table or of a player": (
            "sins.test_wrath_throws_a_die_of_the_table_or_of_a_player_and_keeps_none"
        ),
        "of a player: back onto the sin with its new value": (
            "sins.test_wrath_throws_a_die_of_the_table_or_of_a_player_and_keeps_none"
        ),
        "of the table: it stays where it lands": "test_a_thrown_or_knocked_die_lies_where_it_lands",
        "knocked dice show new values": "sins.test_knocked_dice_are_read_anew_and_go_back_onto_their_sin",
        "knocked dice of a sin go back onto it": "sins.test_knocked_dice_are_read_anew_and_go_back_onto_their_sin",
        "fallen dice cost their value and are rolled again": (
            "sins.test_fallen_dice_cost_what_they_show_and_are_rolled_again"
        ),
        "a fallen die of a sin goes back onto it": "test_a_fallen_die_goes_back_onto_its_sin",
        "it keeps no die": "sins.test_wrath_throws_a_die_of_the_table_or_of_a_player_and_keeps_none",
    },
    "General considerations": {
        "one falls off: all again": "rounds.test_the_devil_rolls_all_again_or_one_unclear_die_alone",
        "a die on a card is moved off it": "test_the_prompt_says_what_to_do_with_a_die_that_lies_badly",
        "an unclear die alone again": "test_two_unclear_dice_are_rolled_one_after_the_other",
    },
    "End": {
        "after the seventh round": "test_a_game_is_seven_rounds_and_seven_sins_for_each",
        "the highest total wins": "rounds.test_the_highest_total_wins_then_the_highest_round",
        "a tie goes to the highest single round": "rounds.test_the_highest_total_wins_then_the_highest_round",
    },
    "Readings": {
        "S1 every tied player gets the white die": "test_everybody_who_is_lowest_gets_the_white_die",
        "S2 the next Devil is the lowest with it": "rounds.test_the_white_die_may_change_who_is_devil",
        "S3 the last to reveal among the tied": (
            "rounds.test_the_last_to_reveal_of_the_tied_is_not_the_last_of_the_table"
        ),
        "S4 Envy at scoring, or at the reveal": "rounds.test_envy_at_the_reveal_copies_what_the_devil_had_then",
        "S5 the white die is added once": "rounds.test_third_vector_a_tie_goes_to_the_last_to_reveal_of_the_tied",
        "S6 Envy copies the penalty": "rounds.test_envy_takes_the_penalty_along_unless_the_house_says_no",
        "S7 an envious Devil has 0": "rounds.test_two_envious_players_beside_an_envious_devil_have_nothing",
        "S8 Envy copies the Devil of this round": "test_envy_copies_the_one_who_rolled_though_pride_takes_the_card",
        "S9 Greed and a d10's 0": "sins.test_greed_chooses_among_three_of_a_kind_and_a_d10s_0_is_a_10",
        "S10 Gluttony takes no locked die": ("sins.test_gluttony_takes_the_highest_unlocked_die_and_chooses_in_a_tie"),
        "S11 Lust must take": "sins.test_lust_takes_none_without_a_pair_and_must_take_one_otherwise",
        "S12 a later theft undoes no pair": "sins.test_a_robbed_greed_keeps_its_other_die",
        "S13 a thrown locked die counts": "sins.test_wrath_throws_a_die_of_the_table_or_of_a_player_and_keeps_none",
        "S14 what a fallen die costs": "sins.test_house_rules_of_fallen_dice",
        "S15 rounds may be negative": "rounds.test_second_vector_a_fallen_nine",
        "S16 a knocked white die counts anew": "sins.test_knocked_dice_are_read_anew_and_go_back_onto_their_sin",
        "S17 Sloth takes the nearest unlocked die": "sins.test_sloth_takes_the_die_nearest_to_the_seat",
        "S18 several Prides": "sins.test_several_proud_players_take_in_turn_and_the_last_to_reveal_is_devil",
        "S19 a proud player may get the white die": (
            "rounds.test_a_proud_player_gets_the_white_die_and_keeps_the_devil_card"
        ),
        "S20 the final tie": "test_a_final_tie_goes_to_the_best_round_as_written_down",
        "S21 two players play unchanged": "test_of_two_players_envy_always_ties",
        "S22 what was played is not shown": (
            "rounds.test_played_sins_are_hidden_until_the_end_unless_the_table_shows_them"
        ),
        "S22 the seventh card is forced": "test_the_seventh_sin_is_the_one_that_is_left",
        "S23 a button to roll again": "rounds.test_the_devil_rolls_all_again_or_one_unclear_die_alone",
        "S24 warned, never blocked": "agreed.test_dice_that_the_sin_does_not_take_stand_when_the_table_agrees",
        "S24 each die in one place": ("agreed.test_a_die_lies_in_one_place_and_a_sin_holds_no_more_than_it_can"),
        "S24 impossible final dice": "doubts.test_greed_holds_two_dice_of_one_value_unless_wrath_came_later",
    },
}
"""What the rulebook rules, in its order, and which test here or in a module beside it tries that."""

ALL_RULES = [pytest.param(test, id=f"{part}: {rule}") for part, rules in RULES.items() for rule, test in rules.items()]


@pytest.mark.parametrize("test", ALL_RULES)
def test_every_rule_has_its_test(test: str) -> None:
    module, _, name = test.rpartition(".")
    where = importlib.import_module(f"tests.engine.carnival_of_sins.test_{module or 'rulebook'}")
    assert callable(getattr(where, name))


@pytest.fixture
def start() -> State:
    return rolled(GAME.setup(setup()))


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_two_to_five_play_and_no_others(players: int) -> None:
    given = {"players": [{"name": f"P{seat}"} for seat in range(players)]}
    if 2 <= players <= 5:
        *_, (last, _) = playout(given, players)
        assert [len(marks.scores) for marks in last.marks()] == [players] * 7
    else:
        with pytest.raises(ValueError, match="2 to 5 players") as caught:
            GAME.setup(given)
        assert caught.value.code == "wrong_number_of_players"  # type: ignore[attr-defined]


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_is_seven_rounds_and_seven_sins_for_each(players: int) -> None:
    *_, (last, _) = playout(setup(players), 3)
    assert last.phase == "finished"
    assert len(last.rounds) == 7
    for seat in range(players):
        assert sorted(last.played(seat)) == sorted(SINS)
        assert not last.hand(seat)
    assert refused(last, {"move": "again"}).code == "game_over"


def test_the_seventh_sin_is_the_one_that_is_left() -> None:
    for state, _ in playout(setup(3), 25):
        if state.round == 7 and state.phase == "reveal":
            turn = state.turn
            assert turn is not None
            assert len(state.hand(turn)) == 1


def test_a_taken_die_keeps_its_value(start: State) -> None:
    after = reveal(reveal(start, "greed"), "lust", "d8", "d20")
    assert after.values == start.values == ROLL


@pytest.mark.parametrize("sin", ["greed", "gluttony", "sloth"])
def test_locked_dice_are_safe_from_all_but_lust(start: State, sin: str) -> None:
    after = reveal(start, "lust", "d4", "d8")
    assert all("d4" not in taken and "d8" not in taken for taken in options(after, sin))
    assert any("d4" in taken for taken in options(after, "lust"))
    proud = reveal(reveal(after, "pride"), "pride")
    assert {move["die"] for move in GAME.legal_moves(proud)} == {"d6", "d10", "d12", "d20"}


def test_each_die_shows_its_own_values(start: State) -> None:
    again = {die: GAME.apply(start, {"move": "again", "die": die}) for die in (*BLACK, "white")}
    for die, faces in zip((*BLACK, "white"), (4, 6, 8, 10, 12, 20, 6), strict=True):
        assert reread(again[die], **{die: 1}).value(die) == 1
        assert reread(again[die], **{die: faces}).value(die) == faces
        shape, colour = ("d6", "white") if die == "white" else (die, "black")
        for value in (0, faces + 1, True, "1", 1.0):
            if (die, value) == ("d10", 0):
                continue
            seen = {"colour": colour, "shape": shape, "value": value}
            wrong = refused(again[die], {"move": "roll", "dice": [seen]})
            assert wrong.field == "dice[0].value"
    zero = {"move": "roll", "dice": [{"colour": "black", "shape": "d10", "value": 0}]}
    assert GAME.apply(again["d10"], zero).value("d10") == 10


@pytest.mark.parametrize("sin", SINS)
def test_no_sin_takes_the_white_die(start: State, sin: str) -> None:
    for taken in (["white"], ["d4", "white"]):
        move = {"move": "reveal", "seat": 0, "sin": sin, "dice": taken, "agreed": True}
        assert refused(start, move).code == "unknown_die"
    assert all("white" not in taken for taken in options(start, sin))


def devil_after(white: int, *plays: dict[str, Any]) -> tuple[list[int], str]:
    names = list(NAMES[: len(plays)])
    round_ = {"white": white, "plays": [{"player": name, **play} for name, play in zip(names, plays, strict=True)]}
    result = score_document({"game": GAME.key, "players": names, "devil": names[0], "rounds": [round_]})
    return list(result["rounds"][0]["scores"].values()), result["rounds"][0]["next_devil"]


def holds(sin: str, *dice: tuple[str, int], **more: int) -> dict[str, Any]:
    return {"sin": sin, "dice": dict(dice), **more}


def test_everybody_who_is_lowest_gets_the_white_die() -> None:
    none = holds("greed")
    assert devil_after(6, none, none, none, holds("gluttony", ("d4", 4))) == ([6, 6, 6, 4], "Duda")
    assert devil_after(1, holds("wrath", penalty=3), holds("wrath", penalty=3), none) == ([-2, -2, 0], "Bia")
    assert devil_after(3, none, none, none, none, none) == ([3] * 5, "Enzo")


@pytest.mark.parametrize(
    ("white", "plays", "devil"),
    [
        pytest.param(1, [holds("sloth", ("d4", 1)), holds("sloth", ("d8", 8))], "Ana", id="the lowest"),
        pytest.param(6, [holds("sloth", ("d4", 1)), holds("sloth", ("d8", 5))], "Bia", id="lowest with the white die"),
        pytest.param(4, [holds("sloth", ("d4", 1)), holds("sloth", ("d8", 5))], "Bia", id="a tie by the white die"),
        pytest.param(1, [holds("envy"), holds("envy")], "Bia", id="all tie"),
        pytest.param(1, [holds("wrath", penalty=20), holds("sloth", ("d4", 1))], "Ana", id="below nothing"),
        pytest.param(2, [holds("pride", ("d20", 20)), holds("sloth", ("d4", 1))], "Ana", id="Pride before the lowest"),
        pytest.param(
            2, [holds("pride"), holds("sloth", ("d4", 1)), holds("pride")], "Caio", id="the last of two Prides"
        ),
        pytest.param(2, [holds("pride"), holds("envy")], "Ana", id="Pride beside Envy"),
    ],
)
def test_the_next_devil_in_every_case(white: int, plays: list[dict[str, Any]], devil: str) -> None:
    assert devil_after(white, *plays)[1] == devil


def test_envy_copies_what_pride_brings_the_devil(start: State) -> None:
    done = reveal(reveal(reveal(start, "pride"), "envy"), "gluttony")
    assert done.marks()[0].scores == (3 + 3 + 8 + 10 + 7, 31, 17 + 4)


def test_envy_copies_the_one_who_rolled_though_pride_takes_the_card(start: State) -> None:
    done = reveal(reveal(reveal(start, "gluttony"), "envy"), "pride")
    assert done.marks()[0].scores == (17 + 4, 17 + 4, 31)
    assert done.devil == 2


def test_of_two_players_envy_always_ties() -> None:
    done = reveal(reveal(rolled(GAME.setup(setup(2))), "gluttony"), "envy")
    assert done.marks()[0].scores == (17 + 4, 17 + 4)
    assert done.devil == 1


def test_a_thrown_or_knocked_die_lies_where_it_lands() -> None:
    seated = setup()
    seated["players"][1]["angle"] = 90
    places = [(float(at), 5.0) for at in range(7)]
    state = reveal(rolled(GAME.setup(seated), ROLL, places), "wrath", "d4")
    state = GAME.apply(state, {"move": "knock", "die": "d8"})
    landed = [
        {"colour": "black", "shape": "d4", "value": 2, "place": [1.0, 5.0]},
        {"colour": "black", "shape": "d8", "value": 5, "place": [12.0, 5.0]},
    ]
    after = GAME.apply(state, {"move": "roll", "dice": landed})
    assert (after.place("d4"), after.place("d8"), after.place("d20")) == ((1.0, 5.0), (12.0, 5.0), (5.0, 5.0))
    assert options(after, "sloth") == [["d8"]]


def test_a_fallen_die_goes_back_onto_its_sin() -> None:
    state = reveal(reveal(rolled(GAME.setup(setup())), "lust", "d4", "d10"), "wrath", "d20")
    state = GAME.apply(state, {"move": "fall", "die": "d10", "value": 0})
    after = reread(state, d20=3, d10=7)
    assert after.locked(0) == ("d4", "d10")
    assert after.plays[1].penalty == 10, "a d10's 0 is 10"
    assert reveal(after, "envy").marks()[0].scores == (3 + 7, -10 + 4, 10)


def test_two_throws_in_a_round_cost_each_its_own() -> None:
    state = reveal(rolled(GAME.setup(setup())), "wrath", "d8")
    state = reread(GAME.apply(state, {"move": "fall", "die": "d8", "value": 6}), d8=1)
    state = reveal(state, "wrath", "d8")
    assert state.fallen == ()
    state = reread(GAME.apply(state, {"move": "fall", "die": "d8", "value": 2}), d8=4)
    assert reveal(state, "gluttony").marks()[0].scores == (-6 + 4, -2, 17)


def test_two_unclear_dice_are_rolled_one_after_the_other(start: State) -> None:
    state = GAME.apply(start, {"move": "again", "die": "d4"})
    assert refused(state, {"move": "again", "die": "d6"}).code == "no_roll_again"
    state = GAME.apply(reread(state, d4=1), {"move": "again", "die": "d6"})
    assert reread(state, d6=5).values == (1, 5, *ROLL[2:])


def test_the_prompt_says_what_to_do_with_a_die_that_lies_badly() -> None:
    why = GAME.prompt(GAME.setup(setup())).why
    assert "falls off the table, all are rolled again" in why
    assert "lies unclear is rolled again alone" in why
    assert "a die on a card is moved off it" in why


def test_a_final_tie_goes_to_the_best_round_as_written_down() -> None:
    assert ranking([(5, 4, 0), (-2, 0, 3), (3, 2, 3)], 3, BY_THE_BOOK) == [[0], [1], [2]], "with the white die and less"
    assert ranking([(5, 5), (1, 1)], 2, BY_THE_BOOK) == [[0, 1]]
    assert ranking([(-5, -1), (-1, -5)], 2, BY_THE_BOOK) == [[0, 1]]
