"""Whole games: golden transcripts to the byte, and what holds of every game by chance."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import GameError, InvalidInput, canonical_json
from engine.replay import replay_document
from engine.roda_de_samba import RULES
from engine.roda_de_samba.circle import circle_json
from engine.score import score_document
from tests.engine.roda_de_samba.rounds import GAME, playout, setup

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_replay_to_the_byte(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    final = document.pop("final")
    replayed = replay_document(document)
    assert canonical_json(replayed["state"]) == final["state"]
    assert replayed["outcome"] == final["outcome"]
    assert replayed["scoreboard"]["players"] == final["marks"]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_circles_score_the_same_on_their_own(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    state = GAME.load(document["final"]["state"])
    players = []
    for seat in range(state.setup.seats):
        position = state.position(seat)
        cards = [one.as_json() for one in position.sambists]
        for card in cards:
            brought = state.deck.card_of(card["name"]).brings
            if brought is not None:
                card["brings"] = {"instrument": brought.instrument, "colour": state.deck.colour_brought(brought)}
        players.append({"name": position.name, "circle": circle_json(position.circle), "sambists": cards})
    rules = document["setup"].get("house_rules", {})
    result = score_document({"game": "roda_de_samba", "house_rules": rules, "players": players})
    assert [one["total"] for one in result["players"]] == document["final"]["outcome"]["detail"]["totals"]
    assert result["winners"] == [players[at]["name"] for at in document["final"]["outcome"]["ranking"][0]]


RULE_SETS = st.fixed_dictionaries({}, optional={rule.key: st.sampled_from(list(rule.values)) for rule in RULES})


@settings(max_examples=12)
@given(players=st.integers(2, 6), seed=st.integers(0, 10_000), rules=RULE_SETS, undone=st.integers(1, 20))
def test_every_game_ends_and_is_the_same_through_text_and_after_undoing(
    players: int, seed: int, rules: dict[str, Any], undone: int
) -> None:
    start = setup(players, house_rules=rules)
    steps = list(playout(start, seed))
    for state, move in steps[:: max(1, len(steps) // 10)]:
        text = GAME.dump(state)
        assert GAME.load(text) == state
        assert GAME.dump(GAME.load(text)) == text
        view = json.loads(json.dumps(GAME.view(state)))
        assert len(view["players"]) == players
        if move is not None:
            assert GAME.describe(state, move).endswith(".")
            assert GAME.prompt(state).text.endswith(".")
    end = steps[-1][0]
    kept = max(0, len(steps) - 1 - undone)
    again = GAME.load(GAME.dump(steps[kept][0]))
    for _, move in steps[kept:-1]:
        assert move is not None
        again = GAME.apply(again, json.loads(json.dumps(move)))
    assert again == end
    assert GAME.outcome(end) is not None
    turns = [end.turns] if end.detail == "moves" else []
    assert all(count % players == 0 for count in turns)  # all players have the same number of turns


@settings(max_examples=8)
@given(seed=st.integers(0, 10_000), at=st.integers(0, 60), detail=st.sampled_from(["moves", "circles"]))
def test_every_move_that_is_listed_is_legal_and_the_sampled_ones_are_listed(seed: int, at: int, detail: str) -> None:
    steps = list(playout(setup(3, house_rules={"entry.detail": detail}), seed))[:-1]
    state, move = steps[min(at, len(steps) - 1)]
    listed = list(islice(GAME.legal_moves(state), 5000))
    assert len(listed) == 5000 or move in listed
    for one in listed[:: max(1, len(listed) // 200)]:
        GAME.apply(state, one)


@settings(max_examples=30)
@given(seed=st.integers(0, 50), at=st.integers(0, 60), other=st.integers(0, 60), seat=st.integers(0, 2))
def test_a_move_at_the_wrong_time_leaves_the_state_untouched(seed: int, at: int, other: int, seat: int) -> None:
    steps = list(islice(playout(setup(3), seed), 61))
    state = steps[min(at, len(steps) - 1)][0]
    move = steps[min(other, len(steps) - 1)][1]
    if move is None:
        return
    before = GAME.dump(state)
    with suppress(GameError):
        GAME.apply(state, {**move, "seat": seat})
    assert GAME.dump(state) == before


def test_a_text_that_is_no_state_is_refused() -> None:
    good = json.loads(GAME.dump(GAME.setup(setup(2))))
    changes: list[dict[str, Any]] = [
        {"game": "chess"},
        {"version": 2},
        {"turn": 2},
        {"turns": 0},
        {"seats": good["seats"][:1]},
        {"trigger": "rain"},
        {"drawn": 1},
        {"piles": [["yellow", [["malandro", 1]]]]},
        {"open": ["", None, None, None]},
        {"cards_left": -1},
        {"extra": 1},
    ]
    texts = ["", "[]", "null", json.dumps(good), *[canonical_json({**good, **change}) for change in changes]]
    for text in texts:
        with pytest.raises(InvalidInput):
            GAME.load(text)


def test_every_error_code_and_house_rule_and_setup_key_is_documented() -> None:
    doc = (ROOT / "docs" / "moves.md").read_text(encoding="utf-8")
    text = doc.split("\n## roda_de_samba\n")[1].split("\n## ")[0]
    common = doc.split("\n## ")[0]
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "engine" / "roda_de_samba").glob("*.py"))
    codes = set(re.findall(r'(?:InvalidInput|IllegalMove)\(\s*"(\w+)"', sources))
    assert len(codes) > 40
    assert not [code for code in sorted(codes) if f"`{code}`" not in text + common]
    for rule in RULES:
        values = ", ".join(f"`{value}`" for value in rule.values)
        assert f"| `{rule.key}` | {values} |" in text


def test_the_examples_of_the_document_work() -> None:
    doc = (ROOT / "docs" / "moves.md").read_text(encoding="utf-8")
    text = doc.split("\n## roda_de_samba\n")[1].split("\n## ")[0]
    start, *moves = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    final = moves.pop()
    by_name = {move["move"]: move for move in moves}
    state = GAME.setup(start)
    for name in ("draw", "play", "card", "invite", "tally", "finish"):
        state = GAME.apply(state, by_name[name])
    for name in ("circle", "tally"):
        state = GAME.apply(state, by_name[name])
    assert state.marks()[0].total == 12 + 4 - 2 - 1
    assert [one["total"] for one in score_document(final)["players"]] == [5 + 2 - 2, 6 + 3 - 4]
    assert score_document(final)["winners"] == ["Bia"]
