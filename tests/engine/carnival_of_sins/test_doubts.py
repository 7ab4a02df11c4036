"""Dice that cannot have come to lie so: `jurado score` warns of them (facts S24), never of a round that was played."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import InvalidInput
from engine.score import score_document
from tests.engine.carnival_of_sins.feast import NAMES, document, playout
from tests.engine.carnival_of_sins.test_carnival_properties import start

Play = dict[str, Any]


def play(sin: str, *dice: tuple[str, int], **more: int) -> Play:
    return {"sin": sin, "dice": dict(dice), **more}


def scored(*plays: Play, **house_rules: str) -> dict[str, Any]:
    names = NAMES[: len(plays)]
    return score_document(
        {
            "game": "carnival_of_sins",
            "players": list(names),
            "devil": names[0],
            "house_rules": {key.replace("__", "."): value for key, value in house_rules.items()},
            "rounds": [
                {"white": 2, "plays": [{"player": name, **one} for name, one in zip(names, plays, strict=True)]}
            ],
        }
    )


def warned(*plays: Play, **house_rules: str) -> list[tuple[str, str]]:
    """Return where and of what a round is warned, and that it is scored all the same."""
    result = scored(*plays, **house_rules)
    assert len(result["rounds"][0]["scores"]) == len(plays)
    return [(one["field"].removeprefix("rounds[0]."), one["message"]) for one in result["warnings"]]


def fields(*plays: Play, **house_rules: str) -> list[str]:
    return [field for field, _ in warned(*plays, **house_rules)]


ENVY = play("envy")
WRATH = play("wrath")
FIRST, SECOND = "plays[0].dice", "plays[1].dice"


def test_greed_holds_two_dice_of_one_value_unless_wrath_came_later() -> None:
    odd = play("greed", ("d4", 3), ("d6", 4))
    assert warned(odd, ENVY) == [
        (FIRST, "Ana: Greed takes two dice of the same value, and no Wrath came later to change one.")
    ]
    assert not fields(odd, WRATH)
    assert fields(WRATH, odd) == [SECOND], "an earlier Wrath changes nothing on Greed"
    assert not fields(play("greed", ("d4", 3), ("d6", 3)), ENVY)


def test_one_die_on_greed_was_robbed_by_a_later_lust_that_holds_the_other() -> None:
    one = play("greed", ("d4", 3))
    assert fields(one, ENVY) == [FIRST]
    assert fields(play("lust", ("d6", 3), ("d8", 2)), one) == [SECOND], "a Lust before it robs nothing"
    assert not fields(one, play("lust", ("d6", 3), ("d8", 2)))
    assert fields(one, play("lust", ("d6", 5), ("d8", 2))) == [FIRST]
    assert not fields(one, play("lust", ("d6", 5), ("d8", 2)), WRATH)


def test_greed_takes_a_pair_that_is_there() -> None:
    none = play("greed")
    pair = (play("gluttony", ("d8", 5)), play("sloth", ("d6", 5)))
    assert fields(none, *pair) == [FIRST]
    assert not fields(*pair, none), "both were locked before"
    assert not fields(none, *pair, WRATH), "they may have shown something else"
    assert not fields(none, play("gluttony", ("d8", 5)), play("sloth", ("d6", 4)))


def test_gluttony_and_sloth_take_a_die_while_there_is_one() -> None:
    locked = (play("greed", ("d4", 3), ("d6", 3)), play("lust", ("d10", 1), ("d20", 2)))
    assert warned(*locked, play("sloth"), play("gluttony", ("d8", 5))) == [
        ("plays[2].dice", "Caio: Sloth takes a die while there is one, and the d8 and the d12 lay on the table.")
    ]
    full = (
        play("lust", ("d4", 1), ("d6", 2)),
        play("greed", ("d8", 5), ("d10", 5)),
        play("lust", ("d12", 3), ("d20", 4)),
    )
    for sin in ("sloth", "gluttony"):
        assert not fields(*full, play(sin))
        assert fields(*full[:2], play(sin), full[2]) == [], "Lust may have robbed it"
        assert fields(play(sin), *full[:1], play("pride")) != []


def test_gluttony_takes_the_highest_die_of_the_table() -> None:
    assert warned(play("gluttony", ("d8", 5)), play("sloth", ("d20", 19))) == [
        (FIRST, "Ana: Gluttony takes the highest die, and one on the table showed 19.")
    ]
    assert not fields(play("sloth", ("d20", 19)), play("gluttony", ("d8", 5)))
    assert not fields(play("gluttony", ("d8", 5)), play("sloth", ("d20", 19)), WRATH)
    lust = play("lust", ("d20", 19), ("d12", 2))
    assert fields(play("gluttony", ("d8", 5)), lust) == [FIRST], "nobody lost a die, so Lust's lay on the table"
    assert not fields(play("greed", ("d12", 9)), play("gluttony", ("d8", 5)), play("lust", ("d20", 9), ("d6", 4)))


def test_lust_holds_an_odd_and_an_even_die() -> None:
    odd = play("lust", ("d4", 3), ("d6", 5))
    assert warned(odd, ENVY) == [
        (FIRST, "Ana: Lust takes an odd and an even die, and no Wrath came later to change one.")
    ]
    assert not fields(odd, WRATH)
    assert fields(play("lust", ("d4", 3)), ENVY) == [FIRST]
    assert not fields(play("lust", ("d4", 3)), play("lust", ("d6", 2), ("d8", 5)))


def test_lust_must_take_a_pair_that_is_there_but_where_the_house_lets_it_be() -> None:
    plays = (play("sloth", ("d4", 2)), play("lust"), play("gluttony", ("d20", 19)))
    assert fields(*plays) == [SECOND]
    assert not fields(*plays, lust__optional="on")
    odd = (play("sloth", ("d4", 3)), play("lust"), play("gluttony", ("d20", 19)))
    assert not fields(*odd)


def test_pride_takes_every_die_that_is_left_in_turn() -> None:
    taken = play("greed", ("d4", 3), ("d6", 3))
    assert warned(taken, play("pride", ("d8", 1), ("d10", 2), ("d12", 3))) == [
        (SECOND, "Pride takes all dice that are left, and no sin holds the d20.")
    ]
    assert not fields(taken, play("pride", ("d8", 1), ("d10", 2), ("d12", 3), ("d20", 4)))
    three, one = play("pride", ("d8", 1), ("d10", 2), ("d12", 3)), play("pride", ("d20", 4))
    assert warned(taken, three, one) == [
        (SECOND, "Bia: proud players take dice in turn, which makes 2 here and not 3."),
        ("plays[2].dice", "Caio: proud players take dice in turn, which makes 2 here and not 1."),
    ]
    assert not fields(taken, play("pride", ("d8", 1), ("d10", 2)), play("pride", ("d12", 3), ("d20", 4)))
    assert not fields(
        taken, play("gluttony", ("d20", 20)), play("pride", ("d8", 1), ("d10", 2)), play("pride", ("d12", 3))
    )


def test_what_envy_copied_at_its_reveal_is_held_against_the_devil() -> None:
    rules = {"envy__when": "reveal"}
    sloth = play("sloth", ("d8", 5))
    assert not fields(sloth, play("envy", points=5), **rules)
    assert warned(sloth, play("envy", points=9), **rules) == [
        ("plays[1].points", "Bia: when Envy was revealed, the Devil, Ana, had 5 and not 9.")
    ]
    assert not fields(sloth, play("envy", points=8), WRATH, **rules), "Wrath may have changed the Devil's die"
    proud = play("pride", *((die, 1) for die in ("d4", "d6", "d8", "d10", "d12", "d20")))
    assert fields(proud, play("envy", points=6), **rules) == ["plays[1].points"], "Pride has none until the end"
    fallen = play("wrath", penalty=9)
    assert not fields(fallen, play("envy", points=-9), **rules)
    assert fields(fallen, play("envy", points=0), **rules) == ["plays[1].points"]
    assert not fields(fallen, play("envy", points=0), envy__copies_penalty="off", **rules)


@pytest.mark.parametrize(("white_counts", "most"), [("on", 66), ("off", 60)])
def test_fallen_dice_cost_what_the_dice_that_count_can_show(white_counts: str, most: int) -> None:
    rules = {"wrath__white_counts": white_counts}
    assert scored(play("wrath", penalty=most), ENVY, **rules)["totals"] == {"Ana": 2 - most, "Bia": 2 - most}
    with pytest.raises(InvalidInput) as caught:
        scored(play("wrath", penalty=most + 1), ENVY, **rules)
    assert (caught.value.code, caught.value.field) == ("out_of_range", "rounds[0].plays[0].penalty")
    assert str(most) in caught.value.message


def test_envy_copies_no_more_than_two_dice_can_show() -> None:
    for points, rules in ((33, {}), (-67, {}), (-1, {"envy__copies_penalty": "off"})):
        with pytest.raises(InvalidInput) as caught:
            scored(play("sloth"), play("envy", points=points), envy__when="reveal", **rules)
        assert (caught.value.code, caught.value.field) == ("out_of_range", "rounds[0].plays[1].points")


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 1_000_000))
def test_a_game_that_was_played_is_never_doubted(seed: int) -> None:
    *_, (last, _) = playout(start(seed), seed)
    assert score_document(document(last))["warnings"] == []
