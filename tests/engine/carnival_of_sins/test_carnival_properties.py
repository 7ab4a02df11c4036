"""What holds in every game: state and text are one, undone turns come back, a wrong move changes nothing."""

from __future__ import annotations

import ast
import json
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.carnival_of_sins.sins import BLACK, MOST_DICE, SINS
from engine.carnival_of_sins.state import State
from engine.game import GameError, InvalidInput, canonical_json
from engine.score import score_document
from engine.selfplay import play_whole, sample_game
from tests.engine.carnavalesco.test_moves_are_documented import DOC, RAISED, ROOT, examples, section
from tests.engine.carnival_of_sins.feast import GAME, dice, document, playout, setup

SEEDS = st.integers(0, 1_000_000)
few = settings(max_examples=20, suppress_health_check=list(HealthCheck))


def start(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    made = dict(sample_game(GAME, chance))
    made["players"] = [dict(player, angle=chance.choice([None, chance.randrange(360)])) for player in made["players"]]
    return {**made, "devil": chance.randrange(len(made["players"]))}


@few
@given(seed=SEEDS)
def test_any_legal_sequence_goes_through_text_to_the_same_states(seed: int) -> None:
    text = GAME.dump(GAME.setup(start(seed)))
    for state, move in playout(start(seed), seed):
        assert GAME.load(text) == state
        assert GAME.dump(state) == text
        if move:
            text = GAME.dump(GAME.apply(GAME.load(text), json.loads(canonical_json(move))))


@few
@given(seed=SEEDS, count=st.integers(1, 40))
def test_the_last_moves_undone_and_made_again_give_the_same_state(seed: int, count: int) -> None:
    steps = list(playout(start(seed), seed))
    state, _ = steps[max(0, len(steps) - 1 - count)]
    for _, move in steps[max(0, len(steps) - 1 - count) : -1]:
        state = GAME.apply(state, move)
    assert state == steps[-1][0]


@few
@given(seed=SEEDS)
def test_a_move_against_the_rules_leaves_the_state_and_names_the_rule(seed: int) -> None:
    chance = random.Random(seed)
    for state, _ in playout(start(seed), seed):
        before, legal = GAME.dump(state), [canonical_json(move) for move in GAME.legal_moves(state)]
        seat = chance.randrange(state.setup.seats)
        taken = chance.sample(BLACK, chance.randrange(3))
        for wrong in (
            {"move": "reveal", "seat": seat, "sin": chance.choice(SINS), "dice": sorted(taken, key=BLACK.index)},
            {"move": "pride", "seat": seat, "die": chance.choice(BLACK)},
            {"move": "knock", "die": chance.choice((*BLACK, "white"))},
            {"move": "fall", "die": chance.choice(BLACK)},
            {"move": "again", "die": chance.choice(BLACK)},
        ):
            if canonical_json(wrong) in legal:
                GAME.apply(state, wrong)
            else:
                assert documented(state, wrong)
            assert GAME.dump(state) == before


def documented(state: State, wrong: dict[str, Any]) -> GameError | None:
    """Return the complaint about `wrong`, None when it is legal; the chapter of its move names its code."""
    chapter = section("carnival_of_sins").split(f"### {wrong['move']}\n")[1].split("\n### ")[0]
    try:
        GAME.apply(state, wrong)
    except GameError as error:
        complaint = error
    else:
        return None
    assert complaint.message.endswith(".")
    assert complaint.field
    assert f"`{complaint.code}`" in chapter.split("Errors:")[1] + DOC.split("\n## ")[0]
    return complaint


@settings(few, max_examples=8)
@given(seed=SEEDS)
def test_every_complaint_has_its_field_and_its_code_in_the_chapter_of_its_move(seed: int) -> None:
    chance = random.Random(seed)
    codes = set()
    for state, _ in playout(start(seed), seed):
        seat, taken = chance.randrange(state.setup.seats), chance.sample(BLACK, chance.randrange(3))
        reveal = {"move": "reveal", "seat": chance.choice((seat, state.turn or 0)), "sin": chance.choice(SINS)}
        for wrong in (
            reveal,
            {**reveal, "agreed": True},
            {**reveal, "dice": taken},
            {**reveal, "dice": taken, "agreed": True},
            {**reveal, "dice": ["d4", "d4"]},
            {"move": "fall", "die": chance.choice(BLACK), "value": chance.randrange(1, 20)},
            {"move": "fall", "die": chance.choice(BLACK)},
            {"move": "knock", "die": "d3"},
            {"move": "again"},
            {"move": "pride", "seat": seat, "die": chance.choice(BLACK)},
            dict(GAME.roll_move(state, dice(dict.fromkeys(taken, 1)))),
            {"move": "roll", "dice": [{"colour": "black", "shape": "d4", "value": 5}]},
            {"move": "roll", "dice": [{"colour": "red", "shape": "d4", "value": 4}]},
            {"move": "roll", "dice": [{"colour": "Ä!", "shape": "d4", "value": 4}]},
            {"move": "roll", "dice": [{"colour": "black", "shape": "d4", "value": 4, "place": [1]}]},
        ):
            error = documented(state, wrong)
            codes |= set() if error is None else {error.code}
    assert len(codes) > 12


def test_every_complaint_of_the_game_names_its_field() -> None:
    """But for a text that is no state: there the whole text is at fault."""
    for path in (ROOT / "engine" / "carnival_of_sins").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("InvalidInput", "IllegalMove"):
                code = node.args[0]
                whole = isinstance(code, ast.Constant) and code.value == "not_a_state"
                assert whole or len(node.args) == 3, f"{path.name}:{node.lineno}"


@few
@given(seed=SEEDS)
def test_whole_games_keep_to_the_rules_and_score_the_same_from_positions(seed: int) -> None:
    for state, _ in playout(start(seed), seed):
        locked = [die for seat in range(state.setup.seats) for die in state.locked(seat)]
        if state.values:
            assert sorted([*locked, *state.on_table]) == sorted(BLACK)
        for play in state.plays:
            assert len(state.locked(play.seat)) <= MOST_DICE[play.sin]
        last = state
    assert all(sorted(last.played(seat)) == sorted(SINS) for seat in range(last.setup.seats))
    result = score_document(document(last))
    assert tuple(result["totals"].values()) == last.totals()
    outcome = GAME.outcome(last)
    assert outcome is not None
    assert result["winners"] == [last.setup.names[seat] for seat in outcome.ranking[0]]
    assert result["why"] == outcome.text


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_players_play_whole_games(seats: int) -> None:
    chance = random.Random(seats)
    for _ in range(10):
        play_whole(GAME, sample_game(GAME, chance, seats), chance)


@few
@given(text=st.text(max_size=60), at=SEEDS)
def test_a_text_that_is_no_state_is_refused(text: str, at: int) -> None:
    whole = GAME.dump([*playout(setup(3), 7)][20][0])
    cut = at % len(whole)
    for wrong in (text, whole[:cut], whole[:cut] + "7" + whole[cut:]):
        with suppress(InvalidInput):
            assert GAME.dump(GAME.load(wrong)) == wrong


def test_every_setup_key_and_error_code_is_documented() -> None:
    text = section("carnival_of_sins")
    for key in ("players", "players[].name", "players[].angle", "devil", "house_rules"):
        assert f"| `{key}` |" in text
    folder: Path = ROOT / "engine" / "carnival_of_sins"
    codes = {
        code
        for path in folder.glob("*.py")
        for pair in RAISED.findall(path.read_text(encoding="utf-8"))
        for code in pair
        if code
    }
    assert len(codes) > 20
    missing = sorted(code for code in codes if f"`{code}`" not in text and f"`{code}`" not in DOC.split("\n## ")[0])
    assert not missing


def test_the_documented_examples_work() -> None:
    first, roll, again, reveal, knock, fall, pride, final = examples(section("carnival_of_sins"))
    state = GAME.apply(GAME.setup(first), roll)
    assert GAME.apply(state, again).again == ("d20",)
    assert GAME.apply(state, reveal).locked(0) == ("d4", "d6")
    thrown = GAME.apply(state, {"move": "reveal", "seat": 0, "sin": "wrath", "dice": ["d4"]})
    assert GAME.apply(GAME.apply(thrown, knock), fall).plays[0].penalty == 6
    for seat, sin in enumerate(("pride", "pride", "gluttony")):
        state = GAME.apply(state, {"move": "reveal", "seat": seat, "sin": sin})
    state = GAME.apply(state, {"move": "pride", "seat": 0, "die": "d10"})
    assert GAME.apply(state, pride).locked(1) == ("d12",)
    assert score_document(final)["rounds"][0]["next_devil"] == "Caio"
