"""Whole games from golden transcripts: replayed to the same end, which the second judge works out on its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.carnavalesco import ELEMENTS
from engine.carnavalesco.state import State
from engine.score import score_document
from tests.engine.carnavalesco import judge_by_hand
from tests.engine.carnavalesco.parade import GAME

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
STEP = {"D": 0, "C": 1, "B": 2, "A": 3, "S": 4}


@pytest.fixture(params=GOLDEN, ids=lambda path: path.stem)
def transcript(request: pytest.FixtureRequest) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(request.param.read_text(encoding="utf-8"))
    return document


@pytest.fixture
def end(transcript: dict[str, Any]) -> State:
    state = GAME.setup(transcript["setup"])
    for move in transcript["moves"]:
        assert GAME.outcome(state) is None
        assert GAME.describe(state, move).endswith(".")
        state = GAME.apply(state, move)
    return state


def boards_by_hand(transcript: dict[str, Any]) -> list[dict[str, list[tuple[str, int]]]]:
    """Return the boards as the moves alone tell them."""
    boards: list[dict[str, list[tuple[str, int]]]] = [
        {element: [] for element in ELEMENTS} for _ in transcript["setup"]["players"]
    ]
    roll: list[dict[str, Any]] = []
    for move in transcript["moves"]:
        if move["move"] == "roll":
            roll = move["dice"]
            continue
        for place in move["places"]:
            die = roll[place["die"]]
            boards[move["seat"]][place["element"]].append((die["colour"], die["value"]))
    return boards


def counters_by_hand(transcript: dict[str, Any]) -> int:
    counters, roll = 0, []
    for move in transcript["moves"]:
        if move["move"] == "roll":
            roll = move["dice"]
            continue
        dice = [roll[place["die"]] for place in move["places"]]
        for kinds in (
            [die["value"] for die in dice],
            [die["colour"] for die in dice],
            [place["element"] for place in move["places"]],
        ):
            counters += any(kinds.count(kind) > 2 for kind in kinds)
    return counters


def test_there_is_a_transcript_for_each_number_of_schools() -> None:
    seats = [len(json.loads(path.read_text(encoding="utf-8"))["setup"]["players"]) for path in GOLDEN]
    assert sorted(seats) == [1, 2, 3, 4]


def test_the_moves_lead_to_the_same_state_to_the_byte(transcript: dict[str, Any], end: State) -> None:
    assert GAME.dump(end) == transcript["final"]["state"]
    outcome = GAME.outcome(end)
    assert outcome is not None
    assert outcome.as_json() == transcript["final"]["outcome"]


def test_the_second_judge_gives_the_same_scores(transcript: dict[str, Any], end: State) -> None:
    solo = transcript["setup"].get("solo")
    official = solo["colours"] if solo else None
    shown = GAME.scoreboard(end)["players"]
    for seat, board in enumerate(boards_by_hand(transcript)):
        step = STEP[transcript["setup"]["players"][seat].get("division", "D")]
        strip = {total: max(0, 1 + total // 3 - step) for total in range(4, 25)}
        scores = {element: judge_by_hand.score(element, board, strip, official) for element in ELEMENTS}
        perfect = sum(judge_by_hand.row(element, board, official) == 10 for element in ELEMENTS)
        counters = counters_by_hand(transcript) if solo else 0
        assert {element: mark["score"] for element, mark in shown[seat]["elements"].items()} == scores
        assert transcript["final"]["scores"][seat] == scores
        assert transcript["final"]["perfect_marks"][seat] == shown[seat]["perfect_marks"] == perfect
        assert transcript["final"]["totals"][seat] == shown[seat]["total"] == sum(scores.values()) - counters


def test_the_second_judge_ranks_the_schools_alike(transcript: dict[str, Any]) -> None:
    final = transcript["final"]
    standings = []
    for seat, board in enumerate(boards_by_hand(transcript)):
        colours = {colour for colour, _ in board["flag_bearers"]}
        shown = sum(colour in colours for dice in board.values() for colour, _ in dice)
        couple = final["scores"][seat]["flag_bearers"]
        standings.append((final["totals"][seat], final["perfect_marks"][seat], couple, shown))
    place = {seat: at for at, group in enumerate(final["outcome"]["ranking"]) for seat in group}
    for one in place:
        for other in place:
            assert judge_by_hand.beats(standings[one], standings[other]) == (place[one] < place[other])


def test_the_positions_at_the_end_score_the_same_on_their_own(transcript: dict[str, Any], end: State) -> None:
    start = transcript["setup"]
    boards = boards_by_hand(transcript)
    result = score_document(
        {
            "game": "carnavalesco",
            "solo": start.get("solo"),
            "house_rules": {"division.table": "practice"},
            "players": [
                {
                    "name": player["name"],
                    "division": player.get("division", "D"),
                    "counters": end.counters[seat],
                    "elements": {
                        element: [{"colour": colour, "value": value} for colour, value in dice]
                        for element, dice in boards[seat].items()
                    },
                }
                for seat, player in enumerate(start["players"])
            ],
        }
    )
    assert [player["total"] for player in result["players"]] == transcript["final"]["totals"]
    assert result["ranking"] == GAME.scoreboard(end)["ranking"]
    assert result["solo_result"] == transcript["final"]["outcome"]["detail"]["solo_result"]
