"""Harmony, bonuses, tie-breaks and bad documents: every example of the rulebook and every reading that was settled."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import InvalidInput
from engine.roda_de_samba.circle import crossed
from engine.score import score_document
from tests.engine.roda_de_samba.rounds import document, player, ring


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Y13 R3", 0),  # one of several numbers is enough
        ("Y1 R2", 1),
        ("Y1 - R2", 0),  # a gap keeps the peace, as round the cuíca
        ("Y1 Y2", 0),  # the same colour
        ("R1234 Y1 B4", 1),  # a quartet agrees with everything; yellow and blue do not
        ("R1234 Y1", 0),
        ("Y1 R2 Y1 R2 Y1 R2 Y1 R2 Y1 R2", 10),  # a full ring: space 10 beside space 1
        ("Y1 - - - - - - - - R2", 1),
        ("Y1 - - - - - - - - Y2", 0),
    ],
)
def test_neighbours_in_harmony(text: str, pairs: int) -> None:
    assert len(crossed(ring(text))) == pairs


def test_an_open_ring_has_no_pair_at_its_ends() -> None:
    given = player("Y1 - - - - - - - - R2")
    assert score_document(document(given))["players"][0]["crossed"] == 1
    assert score_document(document(given, **{"ring.closed": "off"}))["players"][0]["crossed"] == 0


def sambist(stars: int, bonus: tuple[str, str, int] | None = None, **more: Any) -> dict[str, Any]:
    told = None if bonus is None else dict(zip(("colour", "per", "points"), bonus, strict=True))
    return {"name": "Tia Ciata", "stars": stars, "colour_bonus": told, **more}


def test_the_example_of_the_contract() -> None:
    given = player("Y13 - Y2 R1 G2 -", "Ana", sambist(5, ("yellow", "card", 1)))
    one = score_document(document(given))["players"][0]
    assert (one["stars"], one["colour_bonus"], one["crossed"], one["total"]) == (5, 3, 2, 4)
    assert (one["instruments"], one["different_instruments"]) == (5, 4)
    assert one["why"]["stars"] == "Stars: Tia Ciata 5."
    assert one["why"]["colour_bonus"] == "Tia Ciata gives 1 for a card in yellow, and there are 3: 3."
    assert one["why"]["crossed"].startswith("i2 in space 3 and i3 in space 4 share no colour and no number.")
    assert one["why"]["crossed"].endswith("2 crossed sambas cost 4.")
    assert one["why"]["total"] == "5 for stars, 3 for colours, -4 for crossed sambas: 4."


@pytest.mark.parametrize(
    ("rules", "bonus", "points"),
    [
        ({}, ("yellow", "card", 2), 6),
        ({}, ("yellow", "space", 2), 4),
        ({}, ("yellow", "fixed", 2), 2),
        ({"bonus.count": "spaces"}, ("yellow", "card", 2), 4),
        ({"bonus.guest_instrument": "on"}, ("yellow", "card", 2), 8),
        ({"bonus.guest_instrument": "on"}, ("red", "card", 2), 0),
    ],
)
def test_what_a_colour_bonus_counts(rules: dict[str, Any], bonus: tuple[str, str, int], points: int) -> None:
    brings = {"instrument": "banjo", "colour": "yellow"}
    given = player("Y13 - Y2", "Ana", sambist(0, bonus, brings=brings))
    one = score_document(document(given, **rules))["players"][0]
    assert one["colour_bonus"] == points
    assert one["bonus_counts"]["manual"] is None


@pytest.mark.parametrize(
    ("circle", "brings", "spaces"), [("Y13 - Y2", "banjo", 3), ("Y13 - Y2", "i0", 2), ("R1", "banjo", 1)]
)
def test_what_a_sambist_brings_is_one_more_space_where_it_does_not_lie(circle: str, brings: str, spaces: int) -> None:
    brought = {"instrument": brings, "colour": "yellow"}
    given = player(circle, "Ana", sambist(0, ("yellow", "space", 1), brings=brought))
    assert score_document(document(given, **{"bonus.guest_instrument": "on"}))["players"][0]["colour_bonus"] == spaces


def test_a_colour_is_the_same_in_every_language() -> None:
    spaces: list[Any] = [None] * 10
    for at, colour in enumerate(("amarelo", "yellow", "amarillo")):
        spaces[at] = {"instrument": f"i{at}", "colour": colour, "numbers": [at + 1]}
    card = sambist(1, ("yellow", "card", 1), brings={"instrument": "i1", "colour": "amarelo"})
    given = {"name": "Ana", "circle": spaces, "sambists": [card]}
    one = score_document(document(given))["players"][0]
    assert (one["crossed"], one["colour_bonus"]) == (0, 3)


@pytest.mark.parametrize(
    ("tally", "code", "field"),
    [
        ({"crossed": 11}, "out_of_range", "crossed"),
        ({"different_instruments": 11}, "out_of_range", "different_instruments"),
        ({"instruments": 4, "different_instruments": 9}, "contradiction", "different_instruments"),
        ({"note": "x" * 61}, "bad_note", "note"),
        ({"note": 3}, "bad_note", "note"),
    ],
)
def test_figures_that_no_circle_can_have_are_refused(tally: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        score_document(document({"name": "Ana", "tally": tally}))
    assert (error.value.code, error.value.field) == (code, f"players[0].tally.{field}")
    assert "name" not in error.value.message


def test_counts_that_are_typed_say_so() -> None:
    def why(**tally: int) -> str:
        return str(score_document(document({"name": "Ana", "tally": tally}))["players"][0]["why"]["instruments"])

    assert why(instruments=3, different_instruments=2).endswith("2 different instruments. Typed by hand.")
    assert why(instruments=3).endswith("The number of cards is typed by hand.")
    assert why(different_instruments=3).endswith("The number of different instruments is typed by hand.")
    assert "hand" not in why(stars=3)


def test_a_field_is_named_once() -> None:
    with pytest.raises(InvalidInput) as error:
        score_document(document({"name": "Ana", "circle": [], "sambists": [], "hat": 1}))
    assert "The fields are: name, circle, sambists, tally." in error.value.message


def test_only_the_sambist_on_top_brings_an_instrument() -> None:
    brings = {"instrument": "banjo", "colour": "yellow"}
    given = player("Y1", "Ana", sambist(0, ("yellow", "card", 1), brings=brings), sambist(1, name="Dita"))
    assert score_document(document(given, **{"bonus.guest_instrument": "on"}))["players"][0]["colour_bonus"] == 1


def test_figures_typed_by_hand_go_before_the_cards() -> None:
    quick = {"name": "Ana", "tally": {"stars": 12, "colour_bonus": 4, "crossed": 3, "instruments": 9}}
    corrected = {"name": "Bia", "tally": {"stars": 1, "correction": -3, "note": "lost a card"}}
    result = score_document(document(quick, corrected))
    assert [one["total"] for one in result["players"]] == [10, -2]  # totals may be negative
    assert result["winners"] == ["Ana"]
    assert result["players"][1]["why"]["correction"] == "Corrected by hand: -3. lost a card"


def test_ties_go_to_more_cards_then_more_different_instruments_then_are_shared() -> None:
    one, other = player("Y1 - Y2"), player("Y12", "Bia")
    result = score_document(document(other, one))
    assert result["winners"] == ["Ana"]
    assert result["tie_break"] == "The tie was broken by more different instruments in the circle: 2 to 1."
    result = score_document(document(player("Y123", "Bia"), one))
    assert result["winners"] == ["Bia"]
    assert result["tie_break"] == "The tie was broken by more instrument cards in the circle: 3 to 2."
    result = score_document(document(one, player("Y3 - Y4", "Bia")))
    assert result["winners"] == ["Ana", "Bia"]
    assert result["why"] == "Ana and Bia share the victory with 0 points each."


def test_a_typed_bonus_is_asked_for() -> None:
    given = player("Y1", "Ana", sambist(1, ("yellow", "card", 1)))
    with pytest.raises(InvalidInput) as error:
        score_document(document(given, **{"bonus.count": "manual"}))
    assert (error.value.code, error.value.field) == ("missing_bonus", "players[0].tally.colour_bonus")


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"circle": []}, "wrong_count", "players[0].circle"),
        ({"circle": [None] * 11}, "wrong_count", "players[0].circle"),
        (
            {"circle": [{"instrument": "surdo", "colour": "red", "numbers": []}, *[None] * 9]},
            "no_cards",
            "players[0].circle[0].numbers",
        ),
        (
            {"circle": [{"instrument": "surdo", "colour": "red", "numbers": [0]}, *[None] * 9]},
            "out_of_range",
            "players[0].circle[0].numbers[0]",
        ),
        (
            {
                "circle": [{"instrument": name, "colour": "red", "numbers": [1]} for name in ("cuica", "Cuíca")]
                + [None] * 8
            },
            "instrument_twice",
            "players[0].circle[1].instrument",
        ),
        ({"sambists": [{"name": "Tia Ciata"}]}, "missing_field", "players[0].sambists[0].stars"),
        ({"sambists": ["Tia Ciata"]}, "bad_type", "players[0].sambists[0]"),
        ({"sambists": [{"name": "x", "stars": None}]}, "bad_type", "players[0].sambists[0].stars"),
        (
            {"sambists": [{"name": "x", "stars": 1, "colour_bonus": {"colour": "red", "per": "yard", "points": 1}}]},
            "unknown_value",
            "players[0].sambists[0].colour_bonus.per",
        ),
        ({"name": ""}, "bad_name", "players[0].name"),
        ({"hat": 1}, "unknown_field", "players[0].hat"),
        ({"tally": {"stars": "many"}}, "bad_type", "players[0].tally.stars"),
    ],
)
def test_bad_documents_name_their_field(change: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        score_document(document({**player("Y1"), **change}))
    assert (error.value.code, error.value.field) == (code, field)
    assert error.value.message.endswith(".")


def test_players_are_one_to_six_and_of_different_names() -> None:
    for players, code in ([], "wrong_number_of_players"), ([player("")] * 2, "duplicate_name"):
        with pytest.raises(InvalidInput) as error:
            score_document(document(*players))
        assert error.value.code == code
