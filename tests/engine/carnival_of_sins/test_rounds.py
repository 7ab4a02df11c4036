"""Rolls, scores, the white die, the next Devil and the end: the rulebook and the test vectors of the facts."""

from __future__ import annotations

from typing import Any

import pytest

from engine.carnival_of_sins import PLAYER_KEYS, SETUP_KEYS
from engine.carnival_of_sins.house_rules import BY_THE_BOOK, HouseRules
from engine.carnival_of_sins.marks import leaders, ranking, victory
from engine.dice import Die, Shape
from engine.game import InvalidInput, canonical_json
from engine.score import score_document
from tests.engine.carnival_of_sins.feast import GAME, ROLL, dice, document, playout, refused, reveal, rolled, setup

PLAYERS = ["Ana", "Bia", "Caio"]


def one_round(white: int, *plays: dict[str, Any], players: list[str] | None = None, **more: Any) -> dict[str, Any]:
    names = players or PLAYERS[: len(plays)]
    return {
        "game": "carnival_of_sins",
        "players": names,
        "devil": names[0],
        "rounds": [
            {"white": white, "plays": [{"player": name, **play} for name, play in zip(names, plays, strict=False)]}
        ],
        **more,
    }


def scored(*args: Any, **more: Any) -> tuple[list[int], str]:
    result = score_document(one_round(*args, **more))
    return list(result["rounds"][0]["scores"].values()), result["rounds"][0]["next_devil"]


def test_all_seven_known_dice_are_waited_for() -> None:
    expects = GAME.expects(GAME.setup(setup()))
    assert expects is not None
    assert expects.as_json()["shapes"] == {"d4": 1, "d6": 2, "d8": 1, "d10": 1, "d12": 1, "d20": 1}
    assert expects.colours == {"black": 6, "white": 1}


def test_the_devil_rolls_all_again_or_one_unclear_die_alone() -> None:
    start = GAME.setup(setup())
    state = rolled(start)
    assert GAME.expects(state) is None
    assert GAME.apply(state, {"move": "again"}) == start
    one = GAME.apply(state, {"move": "again", "die": "white"})
    expects = GAME.expects(one)
    assert expects is not None
    assert expects.as_json()["shapes"] == {"d6": 1}
    assert expects.colours == {"white": 1}
    assert not list(GAME.legal_moves(one))
    after = GAME.apply(one, GAME.roll_move(one, dice({"white": 6})))
    assert after.values == (*ROLL[:-1], 6)
    assert refused(reveal(after, "envy"), {"move": "again"}).code == "no_roll_again"


def test_other_dice_than_those_waited_for_are_refused() -> None:
    start = GAME.setup(setup())
    state = rolled(start)
    assert refused(start, GAME.roll_move(start, dice({"d4": 1, "d8": 2}))).code == "wrong_dice"
    assert refused(state, GAME.roll_move(state, dice({"d4": 1}))).code == "already_rolled"
    assert refused(start, GAME.roll_move(start, [Die("red", 1, Shape.D8)])).code == "unknown_die"
    wrong = {"move": "roll", "dice": [{"colour": "black", "shape": "d4", "value": 5}]}
    assert refused(start, wrong).field == "dice[0].value"
    for place in ([1], "here", [1, True], [1e9, 0]):
        bad = {"move": "roll", "dice": [{"colour": "black", "shape": "d4", "value": 1, "place": place}]}
        assert refused(start, bad).code in ("bad_place", "bad_type")


def test_a_corrected_die_keeps_its_place() -> None:
    start = GAME.setup(setup())
    move = GAME.roll_move(start, dice({"d4": 1, "d6": 2}), [(1.0, 2.0), (3.0, 4.0)])
    new = GAME.correct(move, 0, Die("black", 4, Shape.D4))
    assert new["dice"][0] == {"colour": "black", "shape": "d4", "value": 4, "place": [1.0, 2.0]}
    with pytest.raises(InvalidInput):
        GAME.correct({"move": "again"}, 0, Die("black", 4, Shape.D4))


def test_first_vector_envy_copies_the_devil_and_the_lowest_gets_the_white_die() -> None:
    plays = ({"sin": "gluttony", "dice": {"d20": 17}}, {"sin": "envy"}, {"sin": "greed"})
    assert scored(4, *plays) == ([17, 17, 4], "Caio")


def test_second_vector_a_fallen_nine() -> None:
    plays = ({"sin": "envy"}, {"sin": "sloth", "dice": {"d8": 3}}, {"sin": "wrath", "penalty": 9})
    assert scored(3, *plays) == ([0, 3, -6], "Caio")


def test_third_vector_a_tie_goes_to_the_last_to_reveal_of_the_tied() -> None:
    plays = ({"sin": "greed"}, {"sin": "gluttony", "dice": {"d12": 12}}, {"sin": "envy"})
    assert scored(5, *plays) == ([5, 12, 5], "Caio")


def test_the_white_die_may_change_who_is_devil() -> None:
    values = ({"d8": 5}, {"d10": 8}, {"d12": 12}, {"d20": 20})
    plays = [{"sin": "sloth", "dice": lying} for lying in values]
    assert scored(6, *plays, players=["Ana", "Bia", "Caio", "Duda"]) == ([11, 8, 12, 20], "Bia")


def test_the_last_to_reveal_of_the_tied_is_not_the_last_of_the_table() -> None:
    plays = ({"sin": "greed"}, {"sin": "lust"}, {"sin": "gluttony", "dice": {"d20": 20}})
    assert scored(2, *plays) == ([2, 2, 20], "Bia")


def test_a_proud_player_gets_the_white_die_and_keeps_the_devil_card() -> None:
    plays = ({"sin": "pride"}, {"sin": "gluttony", "dice": {"d20": 20}}, {"sin": "sloth", "dice": {"d6": 5}})
    assert scored(6, *plays) == ([6, 20, 5], "Ana")


def test_envy_takes_the_penalty_along_unless_the_house_says_no() -> None:
    plays = ({"sin": "wrath", "penalty": 5}, {"sin": "envy"}, {"sin": "sloth", "dice": {"d4": 1}})
    assert scored(2, *plays) == ([-3, -3, 1], "Bia")
    assert scored(2, *plays, house_rules={"envy.copies_penalty": "off"}) == ([-3, 0, 1], "Ana")


def test_two_envious_players_beside_an_envious_devil_have_nothing() -> None:
    assert scored(2, {"sin": "envy"}, {"sin": "envy"}, {"sin": "envy"}) == ([2, 2, 2], "Caio")


def test_envy_at_the_reveal_copies_what_the_devil_had_then() -> None:
    rules = {"envy.when": "reveal"}
    state = rolled(GAME.setup(setup(house_rules=rules)))
    state = reveal(reveal(reveal(state, "gluttony"), "envy"), "lust", "d20", "d8")
    assert state.marks()[0].scores == (0 + 4, 17, 25)
    again = score_document(document(state))
    assert list(again["rounds"][0]["scores"].values()) == [4, 17, 25]
    by_the_book = rolled(GAME.setup(setup()))
    by_the_book = reveal(reveal(reveal(by_the_book, "gluttony"), "envy"), "lust", "d20", "d8")
    assert by_the_book.marks()[0].scores == (4, 4, 25)


def test_every_number_has_its_reason() -> None:
    plays = ({"sin": "greed", "dice": {"d4": 3, "d6": 3}}, {"sin": "envy"}, {"sin": "wrath", "penalty": 9})
    result = score_document(one_round(4, *plays))
    assert result["rounds"][0]["why"] == {
        "Ana": "Greed: d4 showing 3 and d6 showing 3. 6.",
        "Bia": "Envy: the same points as Ana, who is the Devil. 6.",
        "Caio": "Wrath: fallen dice cost 9. -9. That is the lowest, so the white die adds 4: -5.",
    }
    assert result["rounds"][0]["next_devil_why"] == "Caio has the lowest score, -5, and takes the Devil Card."
    assert result["winners"] == ["Ana", "Bia"]
    assert result["why"] == "After one round Ana and Bia share the lead with 6 points each."


def why_envy(*plays: dict[str, Any], **house_rules: str) -> str:
    result = score_document(
        one_round(2, *plays, house_rules={key.replace("__", "."): value for key, value in house_rules.items()})
    )
    return str(result["rounds"][0]["why"]["Bia"]).split(" That is the lowest")[0]


def test_the_reason_of_envy_is_true_under_every_house_rule() -> None:
    gluttony, fallen = {"sin": "gluttony", "dice": {"d20": 17}}, {"sin": "wrath", "penalty": 9}
    envy, high = {"sin": "envy"}, {"sin": "sloth", "dice": {"d12": 12}}
    same = "Envy: the same points as Ana, who is the Devil. 17."
    assert why_envy(gluttony, envy, high) == same
    assert why_envy(fallen, envy, high) == "Envy: the same points as Ana, who is the Devil. -9."
    nothing = "Envy: Ana, who is the Devil, has no dice, and fallen dice are not copied. 0."
    assert why_envy(fallen, envy, high, envy__copies_penalty="off") == nothing
    assert why_envy(gluttony, envy, high, envy__copies_penalty="off") == same
    then = "Envy: the points that Ana, who is the Devil, had when Envy was revealed. {}."
    robbed = ({"sin": "gluttony"}, {"sin": "envy", "points": 17}, {"sin": "lust", "dice": {"d20": 17, "d8": 8}})
    assert why_envy(*robbed, envy__when="reveal") == then.format(17)
    assert why_envy(gluttony, envy, high, envy__when="reveal") == same, "nobody wrote down what it was then"
    lost = {"sin": "envy", "points": -9}
    assert why_envy(fallen, lost, high, envy__when="reveal") == then.format(-9)
    kept = {"sin": "envy", "points": 0}
    assert why_envy(fallen, kept, high, envy__when="reveal", envy__copies_penalty="off") == nothing
    assert why_envy(envy, envy, envy, envy__when="reveal", envy__copies_penalty="off").endswith("who is the Devil. 0.")


def test_before_the_seventh_round_somebody_leads_and_nobody_is_monarch() -> None:
    steps = list(playout(setup(3), 25))
    whole = document(steps[-1][0])
    result = score_document(whole)
    assert "is the Monarch of the Carnival with" in result["why"]
    for count in range(7):
        part = score_document({**whole, "rounds": whole["rounds"][:count]})
        after = {0: "No round is scored yet.", 1: "After one round "}.get(count, f"After {count} rounds ")
        assert part["why"].startswith(after)
        assert "Monarch" not in part["why"]
    one = score_document(one_round(1, {"sin": "gluttony", "dice": {"d4": 1}}, {"sin": "greed"}))
    assert one["why"] == "After one round Ana and Bia share the lead with 1 point each."


def test_a_lead_is_told_with_what_decides_it() -> None:
    names = ("Ana", "Bia")
    assert leaders([(5, 9), (7, 3)], names, BY_THE_BOOK) == (
        "After 2 rounds Bia leads with 12 points. The totals tie; the highest single round, 9, decides."
    )
    assert victory([(5, 9), (7, 3)], names, BY_THE_BOOK).startswith(
        "Bia is the Monarch of the Carnival with 12 points. "
    )
    assert victory([(1, 0)], names, BY_THE_BOOK) == "Ana is the Monarch of the Carnival with 1 point."


def test_the_highest_total_wins_then_the_highest_round() -> None:
    assert ranking([(5, 9, 1), (7, 2, 1)], 3, BY_THE_BOOK) == [[0], [1], [2]]
    assert ranking([(5, 9, 1), (6, 2, 1)], 3, BY_THE_BOOK) == [[1], [0], [2]]
    assert ranking([(5, 9), (7, 3)], 2, BY_THE_BOOK) == [[1], [0]]
    assert ranking([(5, 9), (9, 3), (1, 3)], 2, BY_THE_BOOK) == [[0, 1]]
    assert ranking([(5, 9), (9, 3), (1, 3)], 2, HouseRules(second_tiebreak="next_best")) == [[0], [1]]


def test_rounds_out_of_order_and_other_impossible_rounds_name_the_rule() -> None:
    def wrong(*plays: dict[str, Any], white: int = 4, **more: Any) -> tuple[str, str | None]:
        with pytest.raises(InvalidInput) as caught:
            score_document(one_round(white, *plays, players=PLAYERS, **more))
        assert caught.value.message.endswith(".")
        return caught.value.code, caught.value.field

    envy = {"sin": "envy"}
    first = "rounds[0].plays[0]"
    assert wrong({"player": "Bia", **envy}, envy, envy) == ("wrong_order", f"{first}.player")
    assert wrong(envy, envy) == ("missing_play", "rounds[0].plays")
    assert wrong({"player": "Zoe", **envy}, envy, envy) == ("unknown_player", f"{first}.player")
    assert wrong({"sin": "gloom"}, envy, envy) == ("unknown_value", f"{first}.sin")
    assert wrong({"sin": "sloth", "dice": {"d8": 9}}, envy, envy) == ("value_over_faces", f"{first}.dice.d8")
    assert wrong({"sin": "sloth", "dice": {"d4": 1, "d8": 1}}, envy, envy) == ("too_many_dice", f"{first}.dice")
    assert wrong({"sin": "wrath", "dice": {"d4": 1}}, envy, envy) == ("too_many_dice", f"{first}.dice")
    assert wrong({"sin": "sloth", "dice": {"white": 1}}, envy, envy) == ("white_taken", f"{first}.dice.white")
    assert wrong({"sin": "sloth", "dice": {"d7": 1}}, envy, envy) == ("unknown_die", f"{first}.dice.d7")
    assert wrong({"sin": "sloth", "penalty": 1}, envy, envy) == ("no_penalty", f"{first}.penalty")
    assert wrong({"sin": "envy", "points": 1}, envy, envy) == ("no_points", f"{first}.points")
    assert wrong(envy, envy, envy, white=7) == ("value_over_faces", "rounds[0].white")
    assert wrong(envy, envy, envy, devil="Zoe") == ("unknown_player", "devil")
    sloth = {"sin": "sloth", "dice": {"d8": 3}}
    assert wrong(sloth, sloth, envy) == ("die_twice", "rounds[0].plays[1].dice.d8")
    twice = one_round(1, envy, envy, envy)
    twice["rounds"].append(
        {"white": 1, "plays": [{"player": name, "sin": sin} for name, sin in
                               (("Caio", "envy"), ("Ana", "sloth"), ("Bia", "sloth"))]}
    )  # fmt: skip
    with pytest.raises(InvalidInput) as caught:
        score_document(twice)
    assert (caught.value.code, caught.value.field) == ("sin_played_twice", "rounds[1].plays[0].sin")
    twice["rounds"][1]["plays"] = [{"player": name, "sin": "sloth"} for name in PLAYERS]
    with pytest.raises(InvalidInput) as caught:
        score_document(twice)
    assert (caught.value.code, caught.value.field) == ("wrong_order", "rounds[1].plays[0].player")
    twice["rounds"] = twice["rounds"][:1] * 8
    with pytest.raises(InvalidInput) as caught:
        score_document(twice)
    assert caught.value.code == "too_many_rounds"


def test_a_setup_that_cannot_be_is_refused() -> None:
    def wrong(start: dict[str, Any]) -> tuple[str, str | None]:
        with pytest.raises(InvalidInput) as caught:
            GAME.setup(start)
        return caught.value.code, caught.value.field

    assert wrong(setup(1)) == ("wrong_number_of_players", "players")
    assert wrong({"players": [{"name": str(at)} for at in range(6)]}) == ("wrong_number_of_players", "players")
    assert wrong({"players": [{"name": "Ana"}, {"name": "ana"}]}) == ("duplicate_name", "players[1].name")
    assert wrong(setup(2, devil=2)) == ("out_of_range", "devil")
    assert wrong({"players": [{"name": "Ana", "angle": 360}, {"name": "Bia"}]}) == ("out_of_range", "players[0].angle")
    assert wrong(setup(2, house_rules={"envy.when": "never"})) == ("unknown_value", "house_rules.envy.when")
    assert SETUP_KEYS == ("players", "devil", "house_rules")
    assert PLAYER_KEYS == ("name", "angle")


def test_played_sins_are_hidden_until_the_end_unless_the_table_shows_them() -> None:
    state = reveal(reveal(reveal(rolled(GAME.setup(setup())), "greed"), "gluttony"), "sloth", "d8")
    assert GAME.view(state)["sheet"][0]["sins"] == ["greed", "gluttony", "sloth"]
    state = rolled(state)
    shown = GAME.view(state)
    assert shown["sheet"][0]["sins"] is None
    assert [player["played"] for player in shown["players"]] == [None] * 3
    told = canonical_json([shown["sheet"], GAME.scoreboard(state)])
    assert not any(sin in told.casefold() for sin in ("greed", "gluttony", "sloth"))
    aided = GAME.setup(setup(house_rules={"memory.aid": "on"}))
    aided = rolled(reveal(reveal(reveal(rolled(aided), "greed"), "gluttony"), "sloth", "d8"))
    assert GAME.view(aided)["players"][0]["played"] == ["greed"]


def test_a_refusal_says_what_to_do() -> None:
    start = GAME.setup(setup())
    state = rolled(start)
    thrown = reveal(state, "wrath", "d4")
    proud = reveal(reveal(reveal(state, "pride"), "pride"), "gluttony")
    optional = rolled(GAME.setup(setup(house_rules={"lust.optional": "on"})))
    lust = {"move": "reveal", "seat": 0, "sin": "lust"}
    assert refused(start, lust).message.endswith("Roll and read them first.")
    assert refused(thrown, {**lust, "seat": 1}).message.endswith("Roll and read them first.")
    assert refused(proud, lust).message.endswith("Let Pride take its dice first.")
    assert refused(state, {"move": "pride", "seat": 0, "die": "d4"}).message.endswith("Reveal the others first.")
    assert refused(state, {"move": "knock", "die": "d4"}).message.endswith("Reveal Wrath first.")
    assert refused(optional, lust).message.endswith("name the dice of Lust. To take none, give an empty list of dice.")
    assert refused(state, lust).message.endswith("so name the dice of Lust.")
    assert GAME.apply(optional, {**lust, "dice": []}).locked(0) == ()


def test_a_document_that_is_refused_says_what_to_do() -> None:
    plays = [{"sin": "envy"}, {"sin": "pride"}]
    turned = one_round(1, *plays, players=["Ana", "Bia"])
    turned["rounds"][0]["plays"].reverse()
    penalty = one_round(1, {"sin": "envy", "penalty": 3}, {"sin": "pride"}, players=["Ana", "Bia"])
    eight = {**turned, "rounds": turned["rounds"] * 8}
    for document_, end in (
        (turned, "Put the plays into that order."),
        (penalty, "Leave the penalty out."),
        (eight, "Leave out what is too much."),
    ):
        with pytest.raises(InvalidInput) as error:
            score_document(document_)
        assert error.value.message.endswith(end)
