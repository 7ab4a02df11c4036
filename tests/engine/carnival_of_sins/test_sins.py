"""What each sin may take, as the rulebook's section Sin Effects says, and what `legal_moves` offers of it."""

from __future__ import annotations

import pytest

from engine.carnival_of_sins.state import State
from tests.engine.carnival_of_sins.feast import GAME, ROLL, options, refused, reread, reveal, rolled, setup

BLACK = ["d4", "d6", "d8", "d10", "d12", "d20"]


@pytest.fixture
def start() -> State:
    return rolled(GAME.setup(setup()))


def test_greed_takes_two_of_one_value_and_none_without_a_pair(start: State) -> None:
    assert options(start, "greed") == [["d4", "d6"]]
    after = reveal(start, "greed")
    assert after.locked(0) == ("d4", "d6")
    assert after.on_table == ("d8", "d10", "d12", "d20")
    assert options(after, "greed") == [[]]


def test_greed_chooses_among_three_of_a_kind_and_a_d10s_0_is_a_10() -> None:
    start = rolled(GAME.setup(setup()), (1, 2, 8, 10, 10, 10, 4))
    assert options(start, "greed") == [["d10", "d12"], ["d10", "d20"], ["d12", "d20"]]
    assert refused(start, {"move": "reveal", "seat": 0, "sin": "greed"}).code == "must_choose"
    zero = [{"colour": "black", "shape": "d10", "value": 0}]
    again = GAME.apply(start, {"move": "again", "die": "d10"})
    assert GAME.apply(again, {"move": "roll", "dice": zero}).value("d10") == 10


def test_greed_never_pairs_with_the_white_die_or_a_locked_one(start: State) -> None:
    white = rolled(GAME.setup(setup()), (1, 4, 8, 10, 7, 17, 4))
    assert options(white, "greed") == [[]]
    after = reveal(rolled(GAME.setup(setup()), (3, 3, 3, 10, 7, 17, 4)), "lust", "d4", "d10")
    assert options(after, "greed") == [["d6", "d8"]]
    wrong = refused(after, {"move": "reveal", "seat": 1, "sin": "greed", "dice": ["d4", "d6"]})
    assert (wrong.code, wrong.field) == ("die_locked", "dice")
    assert wrong.message == "Greed cannot take the d4: it is locked. Choose an unlocked die."


def test_gluttony_takes_the_highest_unlocked_die_and_chooses_in_a_tie(start: State) -> None:
    assert options(start, "gluttony") == [["d20"]]
    assert options(reveal(start, "gluttony"), "gluttony") == [["d10"]]
    tied = rolled(GAME.setup(setup()), (1, 2, 8, 8, 7, 3, 6))
    assert options(tied, "gluttony") == [["d8"], ["d10"]]
    assert refused(tied, {"move": "reveal", "seat": 0, "sin": "gluttony", "dice": ["d12"]}).code == "against_the_sin"


def test_lust_takes_an_odd_and_an_even_die_at_least_one_from_the_table(start: State) -> None:
    assert options(start, "lust") == [
        ["d4", "d8"], ["d4", "d10"], ["d6", "d8"], ["d6", "d10"],
        ["d8", "d12"], ["d8", "d20"], ["d10", "d12"], ["d10", "d20"],
    ]  # fmt: skip
    locked = reveal(start, "lust", "d8", "d20")
    assert ["d8", "d20"] not in options(locked, "lust")
    robbed = reveal(locked, "lust", "d10", "d20")
    assert robbed.locked(0) == ("d8",)
    assert robbed.locked(1) == ("d10", "d20")
    assert GAME.describe(locked, {"move": "reveal", "seat": 1, "sin": "lust", "dice": ["d10", "d20"]}) == (
        "Bia reveals Lust and takes the d10 and the d20. One of them is taken from Ana."
    )


def test_lust_takes_none_without_a_pair_and_must_take_one_otherwise(start: State) -> None:
    odd = rolled(GAME.setup(setup()), (1, 3, 5, 7, 9, 11, 4))
    assert options(odd, "lust") == [[]]
    assert refused(start, {"move": "reveal", "seat": 0, "sin": "lust", "dice": []}).code == "against_the_sin"
    loose = rolled(GAME.setup(setup(house_rules={"lust.optional": "on"})))
    assert [] in options(loose, "lust")


def test_lust_of_two_locked_dice_is_no_lust() -> None:
    state = rolled(GAME.setup(setup(4)))
    state = reveal(reveal(state, "greed"), "gluttony")
    move = {"move": "reveal", "seat": 2, "sin": "lust", "dice": ["d4", "d20"]}
    assert refused(state, move).code == "against_the_sin"


def test_a_robbed_greed_keeps_its_other_die() -> None:
    state = reveal(reveal(rolled(GAME.setup(setup())), "greed"), "lust", "d4", "d8")
    done = reveal(state, "envy")
    assert [marks.scores for marks in done.marks()] == [(3 + 4, 11, 3 + 4)]


def test_pride_takes_all_that_is_left_and_the_devil_card(start: State) -> None:
    state = reveal(reveal(reveal(start, "pride"), "gluttony"), "greed")
    assert state.rounds[0].lines[0].dice == (("d8", 8), ("d10", 10), ("d12", 7))
    assert state.marks()[0].scores == (25, 17, 6 + 4)
    assert state.devil == 0
    assert "Pride" in state.marks()[0].devil_why


def test_several_proud_players_take_in_turn_and_the_last_to_reveal_is_devil(start: State) -> None:
    state = reveal(reveal(reveal(start, "gluttony"), "pride"), "pride")
    assert [move["die"] for move in GAME.legal_moves(state)] == ["d4", "d6", "d8", "d10", "d12"]
    assert refused(state, {"move": "pride", "seat": 2, "die": "d10"}).code == "not_your_turn"
    assert refused(state, {"move": "pride", "seat": 1, "die": "d20"}).code == "die_locked"
    for seat, die in ((1, "d10"), (2, "d8"), (1, "d12"), (2, "d4")):
        assert GAME.prompt(state).seat == seat
        state = GAME.apply(state, {"move": "pride", "seat": seat, "die": die})
    assert state.marks()[0].scores == (17, 10 + 7 + 3, 8 + 3 + 4)
    assert state.devil == 2


def test_pride_without_dice_scores_none_and_still_is_devil() -> None:
    state = rolled(GAME.setup(setup(5)), (3, 3, 8, 8, 7, 4, 2))
    state = reveal(reveal(reveal(state, "greed", "d4", "d6"), "greed", "d8", "d10"), "lust", "d12", "d20")
    state = reveal(reveal(state, "pride"), "pride")
    assert state.marks()[0].scores == (6, 16, 11, 2, 2)
    assert state.devil == 4


def test_sloth_asks_when_nothing_tells_who_sits_where(start: State) -> None:
    assert options(start, "sloth") == [[die] for die in BLACK]
    placed = rolled(GAME.setup(setup()), ROLL, [(float(at), 0.0) for at in range(7)])
    assert options(placed, "sloth") == [[die] for die in BLACK]
    seated = setup()
    seated["players"][0]["angle"] = 90
    assert options(rolled(GAME.setup(seated)), "sloth") == [[die] for die in BLACK]


@pytest.mark.parametrize(("angle", "nearest"), [(90, "d20"), (270, "d4"), (0, "d8"), (180, "d12")])
def test_sloth_takes_the_die_nearest_to_the_seat(angle: int, nearest: str) -> None:
    seated = setup()
    seated["players"][0]["angle"] = angle
    places = [(0.0, 5.0), (4.0, 5.0), (5.0, 0.0), (6.0, 5.0), (5.0, 10.0), (10.0, 5.0), (5.0, 5.0)]
    state = rolled(GAME.setup(seated), ROLL, places)
    assert options(state, "sloth") == [[nearest]]
    assert refused(state, {"move": "reveal", "seat": 0, "sin": "sloth", "dice": ["d10"]}).code == "against_the_sin"
    told = GAME.describe(state, {"move": "reveal", "seat": 0, "sin": "sloth"})
    assert told.startswith(f"Ana reveals Sloth and takes the {nearest}. It lies about ")
    offered = next(choice for choice in GAME.view(state)["choices"] if choice["sin"] == "sloth")
    assert next(iter(offered["distances"])) == nearest


def test_sloth_asks_between_dice_within_a_dies_width_and_passes_over_locked_ones() -> None:
    seated = setup()
    for player, angle in zip(seated["players"], (90, 90, 90), strict=True):
        player["angle"] = angle
    places = [(10.0, 5.0), (9.2, 5.0), (5.0, 0.0), (6.0, 5.0), (5.0, 10.0), (0.0, 5.0), (20.0, 5.0)]
    state = rolled(GAME.setup(seated), ROLL, places)
    assert options(state, "sloth") == [["d4"], ["d6"]]
    assert options(reveal(state, "greed"), "sloth") == [["d10"]]


def test_sloth_takes_none_when_all_are_locked() -> None:
    state = rolled(GAME.setup(setup(4)), (3, 3, 8, 8, 7, 4, 2))
    state = reveal(reveal(reveal(state, "greed", "d4", "d6"), "greed", "d8", "d10"), "lust", "d12", "d20")
    assert options(state, "sloth") == [[]]
    assert options(state, "gluttony") == [[]]


def test_sloth_asks_after_a_throw_whose_die_has_no_place() -> None:
    seated = setup()
    seated["players"][1]["angle"] = 90
    places = [(0.0, 5.0), (4.0, 5.0), (5.0, 0.0), (6.0, 5.0), (5.0, 10.0), (10.0, 5.0), (5.0, 5.0)]
    state = reveal(rolled(GAME.setup(seated), ROLL, places), "wrath", "d4")
    assert options(reread(state, d4=2), "sloth") == [[die] for die in BLACK]
    placed = GAME.apply(
        state, {"move": "roll", "dice": [{"colour": "black", "shape": "d4", "value": 2, "place": [13, 5]}]}
    )
    assert options(placed, "sloth") == [["d4"]]


def test_wrath_throws_a_die_of_the_table_or_of_a_player_and_keeps_none(start: State) -> None:
    state = reveal(start, "gluttony")
    assert options(state, "wrath") == [[die] for die in BLACK]
    thrown = reveal(state, "wrath", "d20")
    expects = GAME.expects(thrown)
    assert expects is not None
    assert expects.as_json()["shapes"] == {"d20": 1}
    assert expects.colours == {"black": 1}
    after = reread(thrown, d20=2)
    assert after.locked(0) == ("d20",)
    done = reveal(after, "envy")
    assert done.marks()[0].scores == (2, 0 + 4, 2)


def test_knocked_dice_are_read_anew_and_go_back_onto_their_sin(start: State) -> None:
    state = reveal(reveal(start, "greed"), "wrath", "d20")
    for die in ("d6", "white"):
        state = GAME.apply(state, {"move": "knock", "die": die})
    assert refused(state, {"move": "knock", "die": "d6"}).code == "already_moving"
    expects = GAME.expects(state)
    assert expects is not None
    assert expects.as_json()["shapes"] == {"d6": 2, "d20": 1}
    assert expects.colours == {"black": 2, "white": 1}
    done = reveal(reread(state, d6=6, d20=1, white=5), "gluttony")
    assert done.rounds[0].white == 5
    assert done.marks()[0].scores == (3 + 6, 0 + 5, 10)


def test_fallen_dice_cost_what_they_show_and_are_rolled_again(start: State) -> None:
    state = reveal(reveal(start, "gluttony"), "wrath", "d8")
    state = GAME.apply(state, {"move": "fall", "die": "d8", "value": 6})
    state = GAME.apply(state, {"move": "fall", "die": "white", "value": 3})
    assert refused(state, {"move": "fall", "die": "d8", "value": 6}).code == "already_fallen"
    state = GAME.apply(state, {"move": "fall", "die": "d20"})  # nobody could read it: 17, as before the throw
    done = reveal(reread(state, d8=1, d20=20, white=2), "envy")
    assert done.marks()[0].scores == (20, -(6 + 3 + 17) + 2, 20)
    assert done.devil == 1


def test_house_rules_of_fallen_dice() -> None:
    rules = {"wrath.fallen": "before", "wrath.white_counts": "off"}
    state = reveal(rolled(GAME.setup(setup(house_rules=rules))), "wrath", "d8")
    assert refused(state, {"move": "fall", "die": "d8", "value": 6}).code == "value_before"
    for die in ("d8", "white"):
        state = GAME.apply(state, {"move": "fall", "die": die})
    assert state.plays[0].penalty == 8


def test_a_sin_is_played_once_in_a_game(start: State) -> None:
    state = rolled(reveal(reveal(reveal(start, "greed"), "envy"), "envy"))
    assert state.round == 2
    first = state.turn
    assert first is not None
    sin = state.played(first)[0]
    wrong = refused(state, {"move": "reveal", "seat": first, "sin": sin})
    assert wrong.code == "sin_played"
    assert not options(state, sin)


def test_sins_are_revealed_from_the_devil_clockwise() -> None:
    state = rolled(GAME.setup(setup(4, devil=2)))
    order = []
    for sin in ("gluttony", "gluttony", "gluttony", "gluttony"):
        order.append(state.turn)
        state = reveal(state, sin)
    assert order == [2, 3, 0, 1]
    assert refused(rolled(GAME.setup(setup())), {"move": "reveal", "seat": 1, "sin": "envy"}).code == "not_your_turn"
