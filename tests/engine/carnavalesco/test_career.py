"""A solo career: several parades in one game, each in the division that the last one earned; colours and a flag."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.carnavalesco import ELEMENTS
from engine.carnavalesco.career import FLAG_LAYOUTS
from engine.carnavalesco.state import State
from engine.game import IllegalMove, InvalidInput
from engine.replay import replay_document
from tests.engine.carnavalesco.parade import ALL_PERFECT, GAME, board, setup, taken

NEXT, RETIRE = {"move": "next_parade"}, {"move": "retire"}


def career(division: str = "D", **more: Any) -> State:
    """Return the first state of a career; open-ended unless `parades` says otherwise."""
    start = setup(1)
    start["players"][0]["division"] = division
    return GAME.setup({**start, "solo": {"colours": ["red", "blue"], "career": more}})


def paraded(state: State, *, perfect: bool = True, counters: int = 0) -> State:
    """Return the state at the end of a parade: all marks perfect, or an empty-handed one."""
    elements = ALL_PERFECT if perfect else dict.fromkeys(ELEMENTS, "R1B1G1Y1")
    return replace(state, boards=(board(**elements),), counters=(counters,), round=9)


def test_a_career_climbs_from_parade_to_parade_until_the_championship() -> None:
    state = career()
    for number, division in enumerate("DCBA", 1):
        assert GAME.view(state)["parade"] == number
        assert state.setup.schools[0].division == division
        state = paraded(state)
        assert state.phase == "between"
        assert GAME.outcome(state) is None
        assert list(GAME.legal_moves(state)) == [NEXT, RETIRE]
        prompt = GAME.prompt(state)
        assert (prompt.action, prompt.seat) == ("next_parade", 0)
        assert f"parade {number + 1}" in prompt.text
        assert "goes up to division" in prompt.why
        state = GAME.apply(state, NEXT)
        assert (state.phase, state.round, state.counters, state.boards[0].placed) == ("roll", 1, (0,), 0)
        assert set(state.left_in_bag().values()) == {25}
    state = paraded(state, counters=1)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.text.endswith("wins the championship. It took 5 parades.")
    assert outcome.detail["solo_result"] == {"result": "champion", "next_division": "S"}
    shown = GAME.scoreboard(state)["career"]
    assert [(one["division"], one["total"], one["result"]) for one in shown["parades"]] == [
        ("D", 90, "promoted"),
        ("C", 90, "promoted"),
        ("B", 90, "promoted"),
        ("A", 90, "promoted"),
        ("S", 89, "champion"),
    ]
    assert shown["parades"][-1]["scores"] == dict.fromkeys(ELEMENTS, 10)


def test_a_school_is_relegated_and_begins_lower() -> None:
    state = GAME.apply(paraded(career("B"), perfect=False), NEXT)
    assert state.setup.schools[0].division == "C"
    assert state.parades[0].outcome.result == "relegated"


def test_second_in_s_tries_again_there() -> None:
    state = paraded(career("S"), counters=2)
    assert state.phase == "between"
    assert GAME.apply(state, NEXT).setup.schools[0].division == "S"


def test_a_career_of_so_many_parades_ends_after_them() -> None:
    state = GAME.apply(paraded(career(parades=2), perfect=False), NEXT)
    state = paraded(state, perfect=False)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.text.endswith("The career of Ana ends after 2 parades, in division D.")
    with pytest.raises(IllegalMove) as error:
        GAME.apply(state, NEXT)
    assert error.value.code == "career_over"


def test_a_school_may_retire_between_two_parades() -> None:
    state = paraded(career())
    assert GAME.describe(state, RETIRE) == "Ana ends its career."
    assert GAME.actor(state, RETIRE) == 0
    state = GAME.apply(state, RETIRE)
    assert state.phase == "finished"
    assert GAME.scoreboard(state)["career"]["retired"]
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.text.endswith("ends after one parade, in division C.")


@pytest.mark.parametrize("move", [NEXT, RETIRE])
def test_a_parade_must_be_over_and_judged_before_the_next(move: dict[str, Any]) -> None:
    by_hand = setup(1)
    by_hand["players"][0]["table"] = "manual"
    by_hand["solo"] = {"colours": ["red", "blue"], "career": {}}
    states = {
        "no_career": paraded(GAME.setup(setup(1))),
        "parade_not_over": career(),
        "parade_not_judged": paraded(GAME.setup(by_hand), perfect=False),
    }
    for code, state in states.items():
        with pytest.raises(IllegalMove) as error:
            GAME.apply(state, move)
        assert error.value.code == code


def test_the_next_division_waits_for_its_own_strip() -> None:
    start = setup(1, division_tables={"D": {str(total): 5 for total in range(4, 25)}})
    start["players"][0]["table"] = "user"
    start["solo"] = {"colours": ["red", "blue"], "career": {}}
    state = GAME.apply(paraded(GAME.setup(start)), NEXT)
    assert paraded(state, perfect=False).phase == "judging"


def test_a_career_in_play_is_one_line_of_text_and_replays_to_the_byte() -> None:
    chance = random.Random(4)
    start = {**setup(1), "solo": {"colours": ["red", "blue"], "career": {"parades": 2}, "flag": None}}
    state, moves = GAME.setup(start), []
    while GAME.outcome(state) is None:
        if GAME.expects(state):
            move = GAME.roll_move(state, GAME.sample_roll(state, chance.randrange))
        else:
            move = NEXT if state.phase == "between" else taken(state, chance)
        moves.append(move)
        state = GAME.apply(state, move)
        assert GAME.load(GAME.dump(state)) == state
    assert len(moves) == 18 + 1 + 18
    replayed = replay_document({"game": "carnavalesco", "setup": start, "moves": moves})
    assert replayed["scoreboard"]["career"] == GAME.scoreboard(state)["career"]
    assert len(replayed["state"]["parades"]) == 1


def test_a_history_without_a_career_is_no_state() -> None:
    text = GAME.dump(GAME.apply(paraded(career()), NEXT))
    with pytest.raises(InvalidInput):
        GAME.load(text.replace('"career":{"parades":null}', '"career":null'))
    with pytest.raises(InvalidInput):
        GAME.load(text.replace('"career":{"parades":null}', '"career":{"parades":1}'))


@pytest.mark.parametrize("layout", FLAG_LAYOUTS)
def test_a_flag_shows_the_official_colours(layout: str) -> None:
    count = FLAG_LAYOUTS[layout].colours
    flag = {"layout": layout, "colours": ["blue", "red", "pink"][:count]}
    state = GAME.setup({**setup(1), "solo": {"colours": ["red", "blue"], "flag": flag}})
    assert GAME.view(state)["solo"]["flag"] == flag
    assert GAME.load(GAME.dump(state)) == state


@pytest.mark.parametrize(
    ("more", "field", "code"),
    [
        ({"flag": {"layout": "lion", "colours": ["red", "blue"]}}, "solo.flag.layout", "unknown_value"),
        ({"flag": {"layout": "rays", "colours": ["red", "white"]}}, "solo.flag.colours", "wrong_flag"),
        ({"flag": {"layout": "rays", "colours": ["red", "blue", "white"]}}, "solo.flag.colours", "wrong_flag"),
        ({"flag": {"layout": "bands", "colours": ["red", "blue", "blue"]}}, "solo.flag.colours", "wrong_flag"),
        ({"flag": {"layout": "rays", "colours": ["red", "mauve"]}}, "solo.flag.colours[1]", "unknown_value"),
        ({"flag": {"layout": "rays"}}, "solo.flag.colours", "missing_field"),
        ({"career": {"parades": 0}}, "solo.career.parades", "out_of_range"),
        ({"career": {"parades": "many"}}, "solo.career.parades", "bad_type"),
        ({"career": {"years": 3}}, "solo.career.years", "unknown_field"),
        ({"career": 3}, "solo.career", "bad_type"),
    ],
)
def test_what_is_no_career_or_flag_is_refused(more: dict[str, Any], field: str, code: str) -> None:
    with pytest.raises(InvalidInput) as error:
        GAME.setup({**setup(1), "solo": {"colours": ["red", "blue"], **more}})
    assert (error.value.field, error.value.code) == (field, code)
