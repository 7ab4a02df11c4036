"""Marks: base and bonus, perfect apart from 10, what is provisional, what is still possible, bases that are missing."""

from __future__ import annotations

import itertools
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.carnavalesco import ELEMENTS, practice_strip
from engine.carnavalesco.board import Board
from engine.carnavalesco.division import strip_json
from engine.carnavalesco.house_rules import BY_THE_BOOK, HouseRules
from engine.carnavalesco.marks import Jury, Mark, find, judge
from engine.carnavalesco.reach import best_row, still_possible
from engine.carnavalesco.state import State
from engine.dice import Die
from engine.game import IllegalMove, canonical_json
from engine.journal import Journal, read_events
from engine.replay import export_game, replay_document
from engine.table import Table
from tests.engine.carnavalesco import judge_by_hand
from tests.engine.carnavalesco.parade import ALL_PERFECT, GAME, LETTERS, board, dice, playout, setup

FLAT = Jury(strip=(6,) * 21)


def mark(here: Board, element: str, jury: Jury = FLAT) -> Mark:
    return next(one for one in judge(here, jury) if one.element == element)


def test_anna_and_her_harmony_in_division_d() -> None:
    one = mark(board(harmony="R3R3R3B6"), "harmony", Jury(typed={"harmony": 6}))
    assert (one.base, one.bonus, one.score, one.perfect) == (6, 3, 9, False)
    strip = tuple(6 if total == 17 else 0 for total in range(4, 25))
    one = mark(board(harmony="R5R5R5B2"), "harmony", Jury(strip=strip))
    assert one.why == "Three identical (red 5): +3. Sum 17 gives 6 in division D."
    assert one.score == 9


@pytest.mark.parametrize(("base", "score"), [(6, 9), (7, 10), (9, 10), (0, 3)])
def test_ten_by_bonus_is_no_perfect_mark(base: int, score: int) -> None:
    one = mark(board(harmony="R3R3R3B5"), "harmony", Jury(strip=(base,) * 21))
    assert (one.base, one.bonus, one.score, one.perfect) == (base, 3, score, False)
    assert ("No element scores over 10." in one.why) == (base + 3 > 10)


def test_a_perfect_mark_is_ten_whatever_the_base() -> None:
    one = mark(board(harmony="R3R3R3R3"), "harmony", Jury(strip=(0,) * 21))
    assert (one.base, one.bonus, one.score, one.perfect) == (0, 0, 10, True)
    assert one.why == "Four identical (red 3): a perfect 10."
    assert mark(board(harmony="R3R3R3R3"), "harmony", Jury()).score == 10


def test_only_one_row_is_taken() -> None:
    # Three identical dice hold two identical ones as well; the rows do not add up.
    assert mark(board(harmony="R3R3R3B5"), "harmony").bonus == 3


def test_the_reason_names_the_strip_that_the_base_comes_from() -> None:
    here = board(harmony="R1R2B3B4")
    practice = Jury(table="practice", strip=practice_strip("D"))
    assert mark(here, "harmony", practice).why == (
        "No two identical dice: no bonus. Sum 10 gives 4 on the made-up practice strip of division D."
    )
    assert "typed by hand" in mark(here, "harmony", Jury(division="B", typed={"harmony": 7})).why
    missing = mark(here, "harmony", Jury(division="B"))
    assert missing.base_missing
    assert (missing.base, missing.score) == (None, None)
    assert "division B is not known yet" in missing.why


def test_a_typed_base_goes_before_the_strip() -> None:
    assert mark(board(harmony="R1R2B3B4"), "harmony", Jury(strip=(6,) * 21, typed={"harmony": 2})).score == 2


def test_storyline_may_rise_until_the_boards_are_full_but_not_fall() -> None:
    story = mark(board(storyline="R1B2G3Y4", vanguard="R1"), "storyline")
    assert (story.provisional, story.bonus) == (True, 0)
    homes = {"vanguard": "R1", "floats": "B2", "harmony": "G3", "drums": "Y4"}
    story = mark(board(storyline="R1B2G3Y4", **homes), "storyline")
    assert (story.provisional, story.perfect) == (False, True)


def test_costumes_wait_for_the_floats() -> None:
    assert mark(board(costumes="R1B2G3Y4", floats="R1B2G3"), "costumes").provisional
    assert not mark(board(costumes="R1B2G3Y4", floats="R1B2G3W6"), "costumes").provisional


def test_drums_are_judged_when_harmony_is_full() -> None:
    early = mark(board(drums="R4B4G4Y4", harmony="R3R3R3"), "drums")
    assert (early.perfect, early.provisional) == (True, True)
    assert "Judged when Harmony is full." in early.why
    assert not mark(board(drums="R4B4G4Y4", harmony="R3R3R3R3"), "drums").provisional


def test_theme_song_is_judged_when_the_board_is_full() -> None:
    assert mark(board(theme_song="W1W2W3W4"), "theme_song").provisional
    full = mark(board(**ALL_PERFECT), "theme_song")
    assert (full.perfect, full.provisional) == (True, False)


def test_elements_that_wait_for_nothing_are_final_when_full() -> None:
    for element in ("vanguard", "flag_bearers", "floats", "progression", "harmony"):
        assert not mark(board(**{element: "R1B2G3Y4"}), element).provisional


def test_an_unfinished_element_says_what_is_there_and_what_is_possible() -> None:
    def said(element: str, **elements: str) -> str:
        return still_possible(board(**elements), element, BY_THE_BOOK)

    assert said("harmony") == "No dice yet: a perfect 10 is possible."
    assert said("harmony", harmony="R3R3B5") == (
        "3 of 4 dice: red 3, red 3, blue 5. No perfect 10 any more; at best +3."
    )
    assert said("harmony", harmony="R3R3") == "2 of 4 dice: red 3, red 3. A perfect 10 is still possible."
    assert (
        said("harmony", harmony="R3B3G3") == "3 of 4 dice: red 3, blue 3, green 3. No perfect 10 any more; at best +1."
    )
    assert said("drums", drums="R3", harmony="R3") == "1 of 4 dice: red 3. No perfect 10 and no bonus any more."
    assert said("costumes", costumes="R3R4", floats="R1R2R3") == (
        "2 of 4 dice: red 3, red 4. A perfect 10 is still possible."
    )
    assert said("costumes", costumes="R3R4", floats="R1R2R3R5").endswith("at best +3.")
    assert said("theme_song", theme_song="R3W1", drums="R3").endswith("at best +3.")
    assert still_possible(board(flag_bearers="G2"), "flag_bearers", BY_THE_BOOK, ("red", "blue")).endswith(
        "No perfect 10 and no bonus any more."
    )


def test_ordered_spaces_look_at_where_the_empty_ones_are() -> None:
    ordered = HouseRules(ordered_spaces=True)
    here = Board().put("progression", dice("R4")[0], 0)
    assert best_row(here, "progression", BY_THE_BOOK) == 10
    assert best_row(here, "progression", ordered) == 3  # 4-5-6-1, as 4-5-6-7 cannot be
    assert best_row(Board().put("progression", dice("R4")[0], 3), "progression", ordered) == 10


@settings(max_examples=25)
@given(
    st.sampled_from(["vanguard", "flag_bearers", "floats", "progression", "harmony", "drums"]),
    st.text(alphabet="RBG", min_size=2, max_size=3),
    st.text(alphabet="1234", min_size=3, max_size=3),
)
def test_the_best_row_in_reach_is_the_best_of_all_completions(element: str, letters: str, values: str) -> None:
    there = "".join(letter + value for letter, value in zip(letters, values, strict=False))
    here = board(**{element: there, "harmony": there if element == "harmony" else "R6R6B1B1"})
    faces = [(colour, value) for colour in LETTERS.values() for value in range(1, 7)]
    have = [(die.colour, die.value) for die in here.dice(element)]
    sung = {"harmony": [(die.colour, die.value) for die in here.dice("harmony")]}
    best = max(
        judge_by_hand.row(element, {**sung, element: [*have, *more]})
        for more in combinations_with_replacement(faces, 4 - len(have))
    )
    assert best_row(here, element, BY_THE_BOOK) == best


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_in_reach_never_grows_and_never_lies(seed: int) -> None:
    reach: dict[tuple[int, str], int] = {}
    rules = BY_THE_BOOK
    for state, _ in playout(setup(3), seed=seed, tries=4):
        for seat, here in enumerate(state.boards):
            for element in ELEMENTS:
                if here.full(element):
                    assert state.phase != "finished" or find(here, element, rules).row <= reach[seat, element]
                    continue
                row = best_row(here, element, rules)
                assert row <= reach.get((seat, element), 10)
                reach[seat, element] = row


def finished_without_strips(**tables: str) -> State:
    start = setup(2)
    for player in start["players"]:
        player["table"] = tables.get(player["name"], "user")
    *_, (state, _) = playout(start, seed=6)
    return state


def test_a_game_without_strips_waits_for_them_at_the_end() -> None:
    state = finished_without_strips()
    assert GAME.view(state)["phase"] == "judging"
    assert GAME.outcome(state) is None
    prompt = GAME.prompt(state)
    assert (prompt.action, prompt.seat) == ("strip", None)
    assert "division D" in prompt.text
    shown = GAME.scoreboard(state)["players"][0]
    assert shown["base_missing"]
    assert shown["total"] == sum(one["score"] or 0 for one in shown["elements"].values())
    move = {"move": "strip", "division": "D", "numbers": strip_json(practice_strip("D"))}
    assert GAME.describe(state, move) == "The printed strip of division D was copied."
    assert GAME.actor(state, move) is None
    done = GAME.apply(state, move)
    assert GAME.outcome(done) is not None
    assert GAME.prompt(done).action == "finished"
    assert GAME.view(done)["strips"] == ["D"]


def test_bases_typed_by_hand_finish_the_game_too() -> None:
    state = finished_without_strips(Ana="manual", Bia="practice")
    count = 0
    while GAME.outcome(state) is None:
        prompt = GAME.prompt(state)
        assert (prompt.action, prompt.seat) == ("base", 0)
        board_json = GAME.scoreboard(state)["players"][0]["elements"]
        element = next(name for name, one in board_json.items() if one["score"] is None)
        move = {"move": "base", "seat": 0, "element": element, "base": 5}
        assert GAME.actor(state, move) is None
        assert "typed by hand: 5" in GAME.describe(state, move)
        state = GAME.apply(state, move)
        count += 1
    assert GAME.view(state)["players"][0]["bases"].keys() == {
        name for name, one in GAME.scoreboard(state)["players"][0]["elements"].items() if not one["perfect"]
    }
    taken_back = GAME.apply(state, {"move": "base", "seat": 0, "element": element, "base": None})
    assert GAME.outcome(taken_back) is None
    assert count <= 9


def test_a_typed_base_holds_for_the_sum_that_it_was_read_for() -> None:
    state = finished_without_strips(Ana="manual")
    there = sum(die.value for die in state.boards[0].dice("harmony"))
    move = {"move": "base", "seat": 0, "element": "harmony", "base": 5, "sum": there}
    assert GAME.view(GAME.apply(state, move))["players"][0]["bases"] == {"harmony": 5}
    wrong = {**move, "base": 9, "sum": 4 if there != 4 else 5}
    with pytest.raises(IllegalMove, match=f"has the sum {there}, not {wrong['sum']}") as error:
        GAME.apply(GAME.apply(state, move), wrong)
    assert (error.value.code, error.value.field) == ("wrong_sum", "sum")
    other = GAME.apply(state, {**wrong, "outdated": True})  # as after the correction of a die
    assert GAME.view(other)["players"][0]["bases"] == {}


def test_a_corrected_die_makes_a_base_outdated_and_the_right_reading_makes_it_hold_again(tmp_path: Path) -> None:
    state = finished_without_strips(Ana="manual", Bia="practice")
    clock = map("2026-11-30T07:{:04d}Z".format, itertools.count())
    with Journal(tmp_path / "journal.sqlite3", now=clock.__next__) as journal:
        table = Table(journal)
        start = setup(2)
        start["players"][0]["table"] = "manual"
        table.open_game(GAME.key, start)
        rolls = {}
        for _, move in playout(start, seed=6):
            if move:
                event = table.apply(move)
                if move["move"] == "roll":
                    rolls[event.seq], last = move, event.seq
                elif move["seat"] == 0:
                    seq, place = last, move["places"][0]
        element, die = place["element"], Die(**rolls[seq]["dice"][place["die"]])
        total = sum(one.value for one in state.boards[0].dice(element))
        move = {"move": "base", "seat": 0, "element": element, "base": 5, "sum": total}
        table.apply(move)
        table.correct(seq, place["die"], Die(die.colour, 7 - die.value))
        exported = export_game(read_events(journal.path), table.game_id or "")
        assert exported["moves"][-1] == {**move, "outdated": True}
        assert canonical_json(replay_document(exported)["state"]) == GAME.dump(table.state)
        assert element not in GAME.view(table.state)["players"][0]["bases"]
        table.correct(seq, place["die"], die)
        assert GAME.view(table.state)["players"][0]["bases"] == {element: 5}
        assert export_game(read_events(journal.path), table.game_id or "")["moves"][-1] == move


@pytest.mark.parametrize(
    ("rules", "element", "elements", "words"),
    [
        (
            HouseRules(uniform_song=True),
            "theme_song",
            {**dict.fromkeys(ELEMENTS, "R1R2R3R4"), "theme_song": "K1K2R6R6"},
            (
                "Two dice with a colour found in no other element (black 1 and black 2), "
                "as all must do it by colour or all by value"
            ),
        ),
        (
            HouseRules(uniform_song=True),
            "theme_song",
            {**dict.fromkeys(ELEMENTS, "R1R2R3R4"), "theme_song": "R6R6R5K1"},
            (
                "Three dice with a value found in no other element (red 6, red 6 and red 5), "
                "as all must do it by colour or all by value"
            ),
        ),
        (
            HouseRules(uniform_song=True),
            "theme_song",
            {**dict.fromkeys(ELEMENTS, "R1R2R3R4"), "theme_song": "R1R6R2R3"},
            "One die with a value found in no other element (red 6)",
        ),
        (
            HouseRules(ordered_spaces=True),
            "progression",
            {"progression": "R4R3R2R1"},
            "No three values in sequence, in the order of the spaces",
        ),
        (
            HouseRules(different_in_both=True),
            "storyline",
            dict.fromkeys(ELEMENTS, "R1R3R4R5"),
            "No two dice differ in both colour and value; all are found in four other elements",
        ),
        (
            HouseRules(different_in_both=True),
            "storyline",
            dict.fromkeys(ELEMENTS, "R1B3R4R5"),
            "Two dice differ in both colour and value; all are found in four other elements",
        ),
    ],
)
def test_reasons_are_true_under_the_switches(
    rules: HouseRules, element: str, elements: dict[str, str], words: str
) -> None:
    assert find(board(**elements), element, rules).reason == words


def test_a_base_is_typed_for_full_elements_only() -> None:
    state = GAME.setup(setup(2))
    for base, code in ((5, "element_not_full"), (None, "no_base")):
        with pytest.raises(ValueError, match="Harmony") as error:
            GAME.apply(state, {"move": "base", "seat": 0, "element": "harmony", "base": base})
        assert error.value.code == code  # type: ignore[attr-defined]


def test_a_strip_copied_mid_game_takes_the_place_of_the_practice_strip() -> None:
    state = GAME.setup(setup(2))
    assert any("made up" in note for note in GAME.view(state)["notes"])
    move = {"move": "strip", "division": "D", "numbers": strip_json(practice_strip("C"))}
    state = GAME.apply(state, move)
    assert [player["table"] for player in GAME.view(state)["players"]] == ["user", "user"]
    assert GAME.view(state)["notes"] == []
    assert GAME.load(GAME.dump(state)) == state


def test_schools_in_different_divisions_are_pointed_out() -> None:
    start = setup(2)
    start["players"][1]["division"] = "S"
    assert any("different divisions" in note for note in GAME.view(GAME.setup(start))["notes"])


def test_the_scoreboard_is_whole_at_every_step() -> None:
    for state, _ in playout(setup(2), seed=9):
        shown = GAME.scoreboard(state)
        assert [len(one["elements"]) for one in shown["players"]] == [9, 9]
        assert sorted(name for group in shown["ranking"] for name in group) == ["Ana", "Bia"]
        for one in shown["players"]:
            for element in one["elements"].values():
                assert element["why"].endswith(".")
                assert element["score"] is None or 0 <= element["score"] <= 10


def test_theme_song_promises_nothing_when_every_colour_and_value_lies_elsewhere() -> None:
    everything = board(floats="R1B2G3Y4", costumes="W5K6", theme_song="G2")
    assert best_row(everything, "theme_song", BY_THE_BOOK) == 0
    one_value_free = board(floats="R1B2G3Y4", costumes="W5K5", theme_song="G2")
    assert best_row(one_value_free, "theme_song", BY_THE_BOOK) == 3


def test_storyline_cannot_be_told_by_one_element_alone() -> None:
    full = dict.fromkeys(("vanguard", "flag_bearers", "floats", "costumes", "progression", "drums", "theme_song"))
    crowded = board(**dict.fromkeys(full, "Y6Y6Y6Y6"), harmony="Y6", storyline="R2B2W3")
    assert best_row(crowded, "storyline", BY_THE_BOOK) == 0
    roomy = board(**dict.fromkeys(list(full)[:6], "Y6Y6Y6Y6"), harmony="Y6Y6", theme_song="Y6Y6", storyline="R2B2W3")
    assert best_row(roomy, "storyline", BY_THE_BOOK) == 2
