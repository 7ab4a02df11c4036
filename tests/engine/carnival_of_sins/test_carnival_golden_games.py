"""Whole games from golden transcripts: replayed to the same end, and scored the same from their final positions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.game import canonical_json
from engine.replay import replay_document
from engine.score import score_document
from tests.engine.carnival_of_sins.feast import GAME, document

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
def transcript(request: pytest.FixtureRequest) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(request.param.read_text(encoding="utf-8"))
    return read


def test_there_is_a_transcript_for_each_number_of_players() -> None:
    seats = [len(json.loads(path.read_text(encoding="utf-8"))["setup"]["players"]) for path in GOLDEN]
    assert sorted(seats) == [2, 3, 4, 5]


def test_the_moves_lead_to_the_same_state_to_the_byte(transcript: dict[str, Any]) -> None:
    final = transcript.pop("final")
    again = replay_document(transcript)
    assert canonical_json(again["state"]) == final["state"]
    assert again["outcome"] == final["outcome"]
    assert [player["total"] for player in again["scoreboard"]["players"]] == final["totals"]
    assert [row["scores"] for row in again["scoreboard"]["rounds"]] == final["rounds"]


def test_the_rounds_score_the_same_on_their_own(transcript: dict[str, Any]) -> None:
    final = transcript["final"]
    state = GAME.load(final["state"])
    result = score_document(document(state))
    names = state.setup.names
    assert [[one["scores"][name] for name in names] for one in result["rounds"]] == final["rounds"]
    assert [result["totals"][name] for name in names] == final["totals"]
    assert result["winners"] == [names[seat] for seat in final["outcome"]["ranking"][0]]


def test_all_sins_throws_and_falls_come_up_in_them() -> None:
    moves = [move for path in GOLDEN for move in json.loads(path.read_text(encoding="utf-8"))["moves"]]
    assert {move["move"] for move in moves} == set(GAME.moves)
