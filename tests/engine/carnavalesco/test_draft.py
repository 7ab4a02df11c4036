"""The draft: how many dice, who picks when, where they may go, and where the marker goes."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from engine.carnavalesco import ELEMENTS
from engine.carnavalesco.state import State
from engine.dice import Die, Shape
from engine.game import GameError, IllegalMove, InvalidInput, games
from tests.engine.carnavalesco.parade import GAME, playout, rolled, setup, taken


def after_roll(seats: int = 2, **more: Any) -> State:
    state = GAME.setup(setup(seats, **more))
    return GAME.apply(state, rolled(state, random.Random(5)))


def take(seat: int, *places: tuple[int, str]) -> dict[str, Any]:
    return {"move": "take", "seat": seat, "places": [{"die": die, "element": element} for die, element in places]}


def refused(state: State, move: Any) -> GameError:
    before = GAME.dump(state)
    with pytest.raises(GameError) as error:
        GAME.apply(state, move)
    assert GAME.dump(state) == before
    return error.value


def test_the_game_is_in_the_registry() -> None:
    assert games()["carnavalesco"].name == "Carnavalesco"


@pytest.mark.parametrize(
    ("seats", "dice", "rounds", "order"),
    [
        (1, 8, 9, [0]),
        (2, 12, 9, [0, 1, 0, 1]),
        (3, 10, 18, [0, 1, 2]),
        (4, 12, 18, [0, 1, 2, 3]),
        (5, 14, 18, [0, 1, 2, 3, 4]),
    ],
)
def test_draw_rounds_and_order_by_number_of_schools(seats: int, dice: int, rounds: int, order: list[int]) -> None:
    state = GAME.setup(setup(seats, extra_board=seats > 4))
    expected = GAME.expects(state)
    assert expected is not None
    assert expected.shapes == {Shape.D6: dice}
    view = GAME.view(state)
    assert (view["rounds"], view["order"]) == (rounds, order)


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_a_whole_draft_fills_every_board_and_leaves_four_dice_a_round(seats: int) -> None:
    steps = list(playout(setup(seats, extra_board=seats > 4), seed=seats))
    state = steps[-1][0]
    rolls, takes = (sum(move.get("move") == kind for _, move in steps) for kind in ("roll", "take"))
    assert rolls == state.rounds
    assert takes == state.rounds * len(state.order)
    assert all(board.placed == 36 for board in state.boards)
    assert GAME.view(state)["phase"] == "finished"
    assert GAME.expects(state) is None
    assert list(GAME.legal_moves(state)) == []
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert sorted(itertools.chain(*outcome.ranking)) == list(range(seats))


def test_the_marker_goes_to_the_right_so_the_last_of_a_round_begins_the_next() -> None:
    for seats in (2, 3, 4):
        firsts, last = [], None
        for state, move in playout(setup(seats, first=1), seed=1):
            if move.get("move") == "roll":
                assert last in (None, state.first)
                firsts.append(state.first)
                last = state.order[-1]
        assert firsts[: seats + 1] == [(1 - at) % seats for at in range(seats + 1)]


def test_with_two_schools_the_first_leads_five_rounds_of_nine() -> None:
    firsts = [state.first for state, move in playout(setup(2), seed=1) if move.get("move") == "roll"]
    assert firsts == [0, 1, 0, 1, 0, 1, 0, 1, 0]


def test_dice_needed_at_the_start_of_the_last_round_are_in_the_box() -> None:
    for seats, needed in ((1, 40), (2, 76), (3, 112), (4, 148)):
        last = [state for state, move in playout(setup(seats), seed=2) if move.get("move") == "roll"][-1]
        on_boards = sum(board.placed for board in last.boards)
        expected = GAME.expects(last)
        assert expected is not None
        assert expected.colours is not None
        assert on_boards + expected.count == needed <= 150
        assert sum(expected.colours.values()) == 150 - on_boards


def test_the_bag_lacks_the_dice_on_the_boards() -> None:
    state = after_roll()
    colours = [state.roll[0].colour, state.roll[1].colour]
    for seat in (0, 1, 0, 1):
        left = [at for at, one in enumerate(state.taken) if one is None]
        state = GAME.apply(state, take(seat, (left[0], "harmony" if seat else "drums"), (left[1], "floats")))
    expected = GAME.expects(state)
    assert expected is not None
    assert expected.colours is not None
    assert sum(expected.colours.values()) == 150 - 8
    assert all(expected.colours[colour] < 25 for colour in colours)


def test_five_schools_are_inferred_and_say_so() -> None:
    state = GAME.setup(setup(5, extra_board=True))
    expected = GAME.expects(state)
    assert expected is not None
    assert expected.colours is not None
    assert set(expected.colours.values()) == {31}
    assert any("inferred" in note for note in GAME.view(state)["notes"])
    assert GAME.setup(setup(5, house_rules={"seats.max": 5})) == state
    with pytest.raises(InvalidInput, match="extra board"):
        GAME.setup(setup(5))


def test_a_roll_shows_who_took_which_die() -> None:
    state = after_roll()
    state = GAME.apply(state, take(0, (3, "harmony"), (5, "drums")))
    view = GAME.view(state)
    assert (view["roll"][3]["taken_by"], view["roll"][3]["element"]) == (0, "harmony")
    assert view["roll"][0]["taken_by"] is None
    assert view["players"][0]["placed"] == 2
    assert view["players"][0]["elements"]["drums"][0]["value"] == view["roll"][5]["value"]
    assert (view["turn"], view["picks"]) == (1, [1, 0, 1])


def test_log_sentences_name_the_dice_and_the_elements() -> None:
    state = GAME.setup(setup(2))
    reds = [Die("red", 3), Die("blue", 5), *[Die("green", 1)] * 10]
    roll = GAME.roll_move(state, reds)
    assert GAME.describe(state, roll) == "Ana rolled 12 dice: red 3, blue 5, green 1 1 1 1 1 1 1 1 1 1."
    state = GAME.apply(state, roll)
    move = take(0, (0, "harmony"), (1, "drums"))
    assert GAME.describe(state, move) == "Ana took red 3 for Harmony and blue 5 for Drums."
    assert (GAME.actor(state, move), GAME.actor(state, roll)) == (0, None)


def test_a_die_of_a_roll_can_be_corrected_and_later_takes_stay_legal() -> None:
    start = setup(2)
    steps = list(itertools.islice(playout(start, seed=4), 6))
    moves = [move for _, move in steps]
    first_taken = moves[1]["places"][0]["die"]
    fixed = GAME.correct(moves[0], first_taken, Die("black", 6))
    assert fixed["dice"][first_taken] == {"colour": "black", "value": 6}
    assert moves[0] != fixed
    state = GAME.setup(start)
    for move in [fixed, *moves[1:]]:
        state = GAME.apply(state, move)
    assert Die("black", 6) in state.boards[0].all_dice()
    with pytest.raises(InvalidInput, match="Only a die of a roll"):
        GAME.correct(moves[1], 0, Die("black", 6))
    with pytest.raises(InvalidInput):
        GAME.correct(moves[0], 12, Die("black", 6))


def test_legal_moves_are_all_accepted_and_all_there_are() -> None:
    state = after_roll()
    moves = list(GAME.legal_moves(state))
    assert len(moves) == 66 * 81  # pairs of twelve dice, each die to one of nine elements
    for move in random.Random(1).sample(moves, 50):
        GAME.apply(state, move)
    assert GAME.describe(state, moves[0])


def test_legal_moves_shrink_with_the_spaces() -> None:
    *_, (_, _), (last, _move) = itertools.islice(playout(setup(2), seed=3), 45)
    while last.turn is None:
        last = GAME.apply(last, rolled(last, random.Random(1)))
    board = last.boards[last.turn]
    for move in GAME.legal_moves(last):
        chosen = [place["element"] for place in move["places"]]
        assert all(board.free(element) >= chosen.count(element) for element in chosen)


def test_an_element_takes_four_dice_and_no_fifth() -> None:
    state = after_roll()
    for seat in (0, 1, 0):
        left = [at for at, one in enumerate(state.taken) if one is None]
        state = GAME.apply(state, take(seat, (left[0], "harmony"), (left[1], "harmony")))
    state = GAME.apply(state, take(1, (10, "drums"), (11, "drums")))
    state = GAME.apply(state, rolled(state, random.Random(2)))
    state = GAME.apply(state, take(1, (0, "drums"), (1, "floats")))
    error = refused(state, take(0, (2, "harmony"), (3, "drums")))
    assert (error.code, error.field) == ("no_space", "places[0].element")


def test_wrong_moves_are_refused_with_the_rule() -> None:
    fresh, state = GAME.setup(setup(2)), after_roll()
    assert refused(fresh, take(0, (0, "drums"), (1, "drums"))).code == "no_roll"
    assert refused(state, take(1, (0, "drums"), (1, "drums"))).code == "not_your_turn"
    assert refused(state, take(0, (0, "drums"))).code == "wrong_count"
    assert refused(state, take(0, (0, "drums"), (0, "drums"))).code == "die_twice"
    assert refused(state, take(0, (0, "drums"), (12, "drums"))).code == "unknown_die"
    assert refused(state, rolled(fresh, random.Random(1))).code == "already_rolled"
    short = rolled(fresh, random.Random(1))
    short["dice"].pop()
    error = refused(fresh, short)
    assert isinstance(error, IllegalMove)
    assert (error.code, error.field) == ("wrong_count", "dice")
    assert "12 dice" in error.message
    again = GAME.apply(state, take(0, (0, "drums"), (1, "drums")))
    assert refused(again, take(1, (0, "drums"), (2, "drums"))).code == "die_taken"


@pytest.mark.parametrize(
    ("move", "code", "field"),
    [
        ({"move": "fly"}, "unknown_move", "move"),
        ({}, "unknown_move", "move"),
        ("take", "unknown_move", "move"),
        ({"move": ["take"]}, "unknown_move", "move"),
        ({"move": "take", "seat": 0}, "missing_field", "places"),
        ({"move": "take", "seat": 2, "places": []}, "out_of_range", "seat"),
        ({"move": "take", "seat": True, "places": []}, "bad_type", "seat"),
        ({"move": "take", "seat": 0, "places": {}}, "bad_type", "places"),
        ({"move": "take", "seat": 0, "places": [{"die": 0, "element": "sky"}]}, "unknown_element", "places[0].element"),
        ({"move": "take", "seat": 0, "places": [{"die": "0", "element": "drums"}]}, "bad_type", "places[0].die"),
        ({"move": "roll", "dice": [{"colour": "mauve", "value": 1}]}, "unknown_colour", "dice[0].colour"),
        ({"move": "roll", "dice": [{"colour": "red", "value": 7}]}, "out_of_range", "dice[0].value"),
        ({"move": "roll", "dice": [{"colour": "red", "value": 1, "shape": "d20"}]}, "wrong_shape", "dice[0].shape"),
        ({"move": "roll", "dice": [], "why": "luck"}, "unknown_field", "why"),
    ],
)
def test_moves_that_cannot_be_understood_name_the_field(move: Any, code: str, field: str) -> None:
    error = refused(GAME.setup(setup(2)), move)
    assert isinstance(error, InvalidInput)
    assert (error.code, error.field) == (code, field)


def test_a_foreign_shape_in_a_roll_is_kept_and_then_refused_by_name() -> None:
    state = GAME.setup(setup(2))
    error = refused(state, GAME.roll_move(state, [Die("red", 17, Shape.D20)]))
    assert error.code == "wrong_shape"


def test_house_rule_ordered_spaces_lets_a_player_choose_the_space() -> None:
    state = after_roll(house_rules={"progression.ordered_spaces": "on"})
    moves = list(GAME.legal_moves(state))
    spaces = {place.get("space") for move in moves for place in move["places"] if place["element"] == "progression"}
    assert spaces == {0, 1, 2, 3}
    assert all("space" not in p for m in moves for p in m["places"] if p["element"] != "progression")
    move = take(0, (0, "progression"), (1, "progression"))
    move["places"][0]["space"] = 3
    state = GAME.apply(state, move)
    spaces_now = state.boards[0].element_spaces("progression")
    assert spaces_now == (state.roll[1], None, None, state.roll[0])
    shown = GAME.view(state)["players"][0]["elements"]["progression"]
    assert [die["space"] for die in shown] == [0, 3]
    state = GAME.apply(state, take(1, (2, "drums"), (3, "drums")))
    again = take(0, (4, "progression"), (5, "drums"))
    again["places"][0]["space"] = 3
    assert refused(state, again).code == "no_space"


def test_the_prompt_says_who_does_what() -> None:
    state = GAME.setup(setup(3, first=2))
    prompt = GAME.prompt(state)
    assert (prompt.action, prompt.seat) == ("roll", 2)
    assert prompt.text == "Caio draws 10 dice from the bag and rolls them."
    state = GAME.apply(state, rolled(state, random.Random(1)))
    prompt = GAME.prompt(state)
    assert (prompt.action, prompt.seat, prompt.text) == ("take", 2, "Caio takes two dice and places them.")
    assert prompt.why == "Round 1 of 18, pick 1 of 3. Then Ana, Bia."
    state = GAME.apply(state, taken(state, random.Random(1)))
    assert GAME.prompt(state).seat == 0


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"players": []}, "wrong_number_of_players", "players"),
        ({"players": "Ana"}, "bad_type", "players"),
        ({"players": [{"name": "Ana"}, {"name": "Ana"}]}, "duplicate_name", "players[1].name"),
        ({"players": [{"name": "Ana"}, {"name": "ANA"}]}, "duplicate_name", "players[1].name"),
        ({"players": [{"name": " "}, {"name": "Ana"}]}, "bad_name", "players[0].name"),
        ({"players": [{"name": 5}, {"name": "Ana"}]}, "bad_type", "players[0].name"),
        ({"players": [{"name": "Ana"}]}, "solo_missing", "solo"),
        ({"players": [{"name": "A", "division": "E"}, {"name": "B"}]}, "unknown_division", "players[0].division"),
        ({"players": [{"name": "A", "table": "x"}, {"name": "B"}]}, "unknown_value", "players[0].table"),
        ({"colours": ["red"] * 6}, "wrong_colours", "colours"),
        ({"colours": ["Red", "a", "b", "c", "d", "e"]}, "bad_colour", "colours[0]"),
        ({"first": 2}, "out_of_range", "first"),
        ({"solo": {"colours": ["red", "blue"]}}, "solo_players", "solo"),
        ({"extra_board": 1}, "bad_type", "extra_board"),
        ({"extra_board": True, "house_rules": {"seats.max": 4}}, "contradiction", "extra_board"),
        ({"house_rules": {"song.mode": "loud"}}, "unknown_value", "house_rules.song.mode"),
        ({"house_rules": {"song.moods": "loud"}}, "unknown_field", "house_rules.song.moods"),
        ({"division_tables": {"E": {}}}, "unknown_field", "division_tables.E"),
        ({"division_tables": {"D": {"4": 1}}}, "missing_field", "division_tables.D.5"),
        ({"dice": 12}, "unknown_field", "dice"),
    ],
)
def test_a_setup_that_cannot_be_names_the_field(change: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        GAME.setup({**setup(2), **change})
    assert (error.value.code, error.value.field) == (code, field)


def test_setup_needs_names_and_nothing_else() -> None:
    state = GAME.setup({"players": [{"name": "Ana"}, {"name": "Bia"}]})
    players = GAME.view(state)["players"]
    assert [(p["name"], p["division"], p["table"]) for p in players] == [("Ana", "D", "user"), ("Bia", "D", "user")]
    assert len(set(GAME.view(state)["colours"])) == 6
    assert list(players[0]["elements"]) == list(ELEMENTS)


def test_after_the_last_round_nobody_rolls_or_takes() -> None:
    *_, (state, _) = playout(setup(2), seed=6)
    for move in (take(0, (0, "drums"), (1, "drums")), GAME.roll_move(state, [Die("red", 1)] * 12)):
        error = refused(state, move)
        assert (error.code, error.field) == ("game_over", "move")
