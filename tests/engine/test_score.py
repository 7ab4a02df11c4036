"""`score`: final positions in, marks out; whatever is wrong with a document is named with its field."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from engine.carnavalesco import ELEMENTS, practice_strip
from engine.carnavalesco.division import strip_json
from engine.game import GameError, InvalidInput
from engine.score import score_document
from tests.engine.carnavalesco.parade import FLAT_STRIP, document

PLAIN = {
    "vanguard": "R1R3R4B5",
    "flag_bearers": "R2R2B3B5",
    "storyline": "R1R1G6G6",
    "floats": "R1B1G3Y4",
    "costumes": "R1B1K6K6",
    "progression": "R6B5G6Y1",
    "harmony": "G3G3B4B4",
    "drums": "R2B2G5Y6",
    "theme_song": "W1R2R3R4",
}
"""A board without a perfect element; its rows, worked out by hand, stand beside it below."""

ROWS = {
    "vanguard": 3,  # three red, sum 13
    "flag_bearers": 3,  # red 2 twice, two odd blue ones
    "storyline": 0,  # two different dice only
    "floats": 3,  # four colours, three values
    "costumes": 2,  # red 1 and blue 1
    "progression": 1,  # 5-6-1
    "harmony": 2,  # two pairs
    "drums": 1,  # two 2s; 2, 5, 6 are not in Harmony
    "theme_song": 1,  # white
}

NO_SIX = {"storyline": "R3B3G3R5", "harmony": "G4G4G4G4"}


def one(elements: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": "Ana", "elements": elements or {}, **more}


def refused(given: Any) -> GameError:
    with pytest.raises(GameError) as error:
        score_document(given)
    assert error.value.message.endswith(".")
    assert error.value.as_json()["error"]["code"] == error.value.code
    return error.value


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return a good document of two schools with `value` at `path` (dots, and numbers for list places)."""
    given = document(one(), {"name": "Bia"})
    *way, last = path.split(".")
    at: Any = given
    for step in way:
        at = at[int(step) if step.isdigit() and isinstance(at, list) else step]
    at[int(last) if isinstance(at, list) else last] = value
    return given


def test_every_row_of_a_board_with_its_base_and_score() -> None:
    result = score_document(document(one(PLAIN)))
    (ana,) = result["players"]
    assert {element: mark["bonus"] for element, mark in ana["elements"].items()} == ROWS
    for mark in ana["elements"].values():
        assert (mark["perfect"], mark["base"], mark["score"]) == (False, 5, 5 + mark["bonus"])
    assert (ana["perfect_marks"], ana["total"]) == (0, 9 * 5 + sum(ROWS.values()))


def test_the_result_has_the_keys_of_the_contract_and_no_other() -> None:
    result = score_document(document(one(PLAIN), {"name": "Bia"}))
    assert list(result) == ["players", "ranking", "solo_result"]
    for player in result["players"]:
        assert list(player) == ["name", "elements", "perfect_marks", "total"]
        assert list(player["elements"]) == list(ELEMENTS)
        for mark in player["elements"].values():
            assert list(mark) == ["perfect", "base", "bonus", "score", "why"]
    assert result["ranking"] == [["Bia"], ["Ana"]]
    assert result["solo_result"] is None
    json.dumps(result)


def test_the_reason_is_one_sentence_for_the_row_and_one_for_the_base() -> None:
    result = score_document(document(one({"harmony": "R3R3R3B5"})))
    why = result["players"][0]["elements"]["harmony"]["why"]
    assert why == "Three identical (red 3): +3. Sum 14 gives 5 in division D."


def test_a_perfect_element_shows_the_base_it_did_not_need() -> None:
    mark = score_document(document(one()))["players"][0]["elements"]["vanguard"]
    assert (mark["perfect"], mark["base"], mark["bonus"], mark["score"]) == (True, 5, 0, 10)


def test_a_board_of_perfect_marks_needs_no_table_at_all() -> None:
    given = document(one())
    del given["division_tables"]
    (ana,) = score_document(given)["players"]
    assert ana["total"] == 90
    assert ana["elements"]["harmony"]["base"] is None


def test_each_school_is_marked_by_its_own_division() -> None:
    tables = {"D": FLAT_STRIP, "S": {**FLAT_STRIP, "14": 1}}
    given = document(one(PLAIN), one(PLAIN, name="Bia", division="S"), division_tables=tables)
    ana, bia = score_document(given)["players"]
    assert (ana["elements"]["harmony"]["score"], bia["elements"]["harmony"]["score"]) == (7, 3)


def test_the_practice_strip_is_used_when_the_house_says_so() -> None:
    given = document(one(PLAIN), house_rules={"division.table": "practice"})
    del given["division_tables"]
    mark = score_document(given)["players"][0]["elements"]["harmony"]
    assert (mark["base"], mark["score"]) == (5, 7)
    assert "made-up" in mark["why"]
    given = document(one(PLAIN), division_tables={"D": strip_json(practice_strip("D"))})
    assert score_document(given)["players"][0]["elements"]["harmony"]["score"] == 7


def test_bases_typed_by_hand_stand_in_for_a_table() -> None:
    bases = dict.fromkeys(ELEMENTS, 4)
    given = document(one(PLAIN, bases=bases), house_rules={"division.table": "manual"})
    (ana,) = score_document(given)["players"]
    assert ana["total"] == 9 * 4 + sum(ROWS.values())
    del given["players"][0]["bases"]["drums"]
    error = refused(given)
    assert (error.code, error.field) == ("missing_base", "players[0].bases.drums")


def test_solo_play_takes_counters_off_before_the_ladder() -> None:
    given = document(one(counters=2), solo={"colours": ["red", "blue"]})
    result = score_document(given)
    assert result["players"][0]["total"] == 88
    assert result["solo_result"] == {"result": "promoted", "next_division": "C"}
    assert result["ranking"] == [["Ana"]]


@pytest.mark.parametrize(
    ("division", "counters", "expected"),
    [
        ("S", 0, {"result": "champion", "next_division": "S"}),
        ("S", 1, {"result": "champion", "next_division": "S"}),
        ("S", 2, {"result": "stays", "next_division": "S"}),
        ("A", 3, {"result": "stays", "next_division": "A"}),
        ("A", 10, {"result": "stays", "next_division": "A"}),
        ("A", 11, {"result": "relegated", "next_division": "B"}),
        ("D", 11, {"result": "relegated", "next_division": "D"}),
    ],
)
def test_the_ladder_from_every_rung(division: str, counters: int, expected: dict[str, str]) -> None:
    given = document(one(division=division, counters=counters), solo={"colours": ["blue", "red"]})
    assert score_document(given)["solo_result"] == expected


def test_the_couple_of_a_school_alone_wears_its_official_colours() -> None:
    mark = score_document(document(one(), solo={"colours": ["red", "green"]}))["players"][0]["elements"]["flag_bearers"]
    assert (mark["perfect"], mark["bonus"], mark["score"]) == (False, 0, 5)


def test_one_school_without_solo_is_marked_and_nothing_more() -> None:
    result = score_document(document(one()))
    assert result["solo_result"] is None


@pytest.mark.parametrize(
    ("rule", "elements", "element", "book", "house"),
    [
        ({"progression.ordered_spaces": "on"}, {"progression": "K4K3K2K1"}, "progression", 10, 0),
        ({"storyline.different": "both"}, {"storyline": "R3R5B3G6"}, "storyline", 10, 3),
        ({"storyline.twin": "physical"}, {"storyline": "R4R4G6G5"}, "storyline", 1, 0),
        ({"song.mode": "uniform"}, {**NO_SIX, "theme_song": "W1W2W3R6"}, "theme_song", 10, 3),
        ({"drums.check": "matching_only"}, {"drums": "R5B5G5G6"}, "drums", 0, 3),
        ({"couple.two_colours": "loose"}, {"flag_bearers": "R2R2B3G3"}, "flag_bearers", 0, 3),
    ],
)
def test_house_rules_change_the_marks(
    rule: dict[str, str], elements: dict[str, str], element: str, book: int, house: int
) -> None:
    for rules, row in (({}, book), (rule, house)):
        mark = score_document(document(one(elements), house_rules=rules))["players"][0]["elements"][element]
        assert (10 if mark["perfect"] else mark["bonus"]) == row


def test_five_schools_can_be_marked_unless_the_house_says_four() -> None:
    five = [one(name=f"School {at}") for at in range(5)]
    assert len(score_document(document(*five))["players"]) == 5
    assert refused(document(*five, house_rules={"seats.max": 4})).code == "wrong_number_of_players"
    assert refused(document(*five, one(name="Sixth"))).field == "players"


@pytest.mark.parametrize(
    ("path", "value", "code", "field"),
    [
        ("players", [], "wrong_number_of_players", "players"),
        ("players", {}, "bad_type", "players"),
        ("players", None, "bad_type", "players"),
        ("players.0", "Ana", "bad_type", "players[0]"),
        ("players.1.name", "Ana", "duplicate_name", "players[1].name"),
        ("players.0.name", "", "bad_name", "players[0].name"),
        ("players.0.name", None, "bad_type", "players[0].name"),
        ("players.0.name", "A\nB", "bad_name", "players[0].name"),
        ("players.0.division", "E", "unknown_division", "players[0].division"),
        ("players.0.division", 4, "unknown_division", "players[0].division"),
        ("players.0.division", ["D"], "unknown_division", "players[0].division"),
        ("players.0.counters", -1, "out_of_range", "players[0].counters"),
        ("players.0.counters", 28, "out_of_range", "players[0].counters"),
        ("players.0.counters", True, "bad_type", "players[0].counters"),
        ("players.0.counters", "2", "bad_type", "players[0].counters"),
        ("players.0.score", 90, "unknown_field", "players[0].score"),
        ("players.0.elements", [], "bad_type", "players[0].elements"),
        ("players.0.elements.samba", [], "unknown_element", "players[0].elements.samba"),
        ("players.0.elements.harmony", [], "wrong_count", "players[0].elements.harmony"),
        ("players.0.elements.harmony", "R3R3", "bad_type", "players[0].elements.harmony"),
        ("players.0.elements.harmony.2", {"colour": "red"}, "missing_field", "players[0].elements.harmony[2].value"),
        ("players.0.elements.harmony.2", None, "bad_type", "players[0].elements.harmony[2]"),
        ("players.0.elements.harmony.2.value", 7, "out_of_range", "players[0].elements.harmony[2].value"),
        ("players.0.elements.harmony.2.value", 0, "out_of_range", "players[0].elements.harmony[2].value"),
        ("players.0.elements.harmony.2.value", "3", "bad_type", "players[0].elements.harmony[2].value"),
        ("players.0.elements.harmony.2.value", True, "bad_type", "players[0].elements.harmony[2].value"),
        ("players.0.elements.harmony.2.value", 3.5, "bad_type", "players[0].elements.harmony[2].value"),
        ("players.0.elements.harmony.2.value", None, "bad_type", "players[0].elements.harmony[2].value"),
        ("players.0.elements.harmony.2.colour", "Red", "bad_colour", "players[0].elements.harmony[2].colour"),
        ("players.0.elements.harmony.2.colour", 3, "bad_colour", "players[0].elements.harmony[2].colour"),
        ("players.1.elements.harmony.2.colour", "ivory", "too_many_colours", "players[1].elements.harmony[2].colour"),
        ("players.0.elements.harmony.2.shape", "d20", "wrong_shape", "players[0].elements.harmony[2].shape"),
        ("players.0.elements.harmony.2.size", 1, "unknown_field", "players[0].elements.harmony[2].size"),
        ("solo", {"colours": ["red", "blue"]}, "solo_players", "solo"),
        ("solo", {"colours": ["red"]}, "wrong_colours", "solo.colours"),
        ("solo", True, "bad_type", "solo"),
        ("house_rules", {"samba.mode": 1}, "unknown_field", "house_rules.samba.mode"),
        ("house_rules", {"song.mode": "x"}, "unknown_value", "house_rules.song.mode"),
        ("house_rules", [], "bad_type", "house_rules"),
        ("division_tables", [], "bad_type", "division_tables"),
        ("division_tables.Z", {}, "unknown_field", "division_tables.Z"),
        ("division_tables.D", {"4": 1}, "missing_field", "division_tables.D.5"),
        ("division_tables.D", {**FLAT_STRIP, "24": 11}, "out_of_range", "division_tables.D.24"),
        ("division_tables.D", {**FLAT_STRIP, "3": 1}, "unknown_field", "division_tables.D.3"),
        ("division_tables.D", [1, 2, 3], "bad_type", "division_tables.D"),
        ("seed", 1, "unknown_field", "seed"),
    ],
)
def test_what_is_wrong_is_named_with_its_field(path: str, value: Any, code: str, field: str) -> None:
    error = refused(changed(path, value))
    assert (error.code, error.field) == (code, field)
    assert isinstance(error, InvalidInput)


@pytest.mark.parametrize("missing", ["players", "players.0.name", "players.0.division", "players.0.elements"])
def test_what_is_missing_is_named(missing: str) -> None:
    given = changed("players.0.counters", 0)
    *way, last = missing.split(".")
    at: Any = given
    for step in way:
        at = at[int(step)] if isinstance(at, list) else at[step]
    del at[last]
    error = refused(given)
    assert (error.code, error.field) == ("missing_field", missing.replace(".0", "[0]"))


def test_an_element_left_out_is_named() -> None:
    given = document(one())
    del given["players"][0]["elements"]["drums"]
    error = refused(given)
    assert (error.code, error.field) == ("missing_field", "players[0].elements.drums")


def test_a_needed_table_that_is_not_there_is_named() -> None:
    given = document(one(PLAIN), one(PLAIN, name="Bia", division="A"), division_tables={"D": FLAT_STRIP})
    error = refused(given)
    assert (error.code, error.field) == ("missing_base", "division_tables.A")
    assert "Bia" in error.message


@pytest.mark.parametrize("given", [None, 7, "carnavalesco", [], True])
def test_a_document_is_an_object(given: Any) -> None:
    assert refused(given).code == "bad_type"


def test_the_game_is_named_and_known() -> None:
    assert (refused({}).code, refused({}).field) == ("missing_field", "game")
    for game in ("chess", 5, None, ["carnavalesco"]):
        error = refused({"game": game})
        assert (error.code, error.field) == ("unknown_game", "game")


def test_scoring_leaves_the_document_as_it_was() -> None:
    given = document(one(PLAIN), {"name": "Bia"})
    before = copy.deepcopy(given)
    score_document(given)
    assert given == before
