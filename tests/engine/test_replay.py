"""Replaying a document, and exporting a played game so that replaying it gives the same state to the byte."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Die
from engine.game import GameError, InvalidInput, canonical_json
from engine.journal import Journal, read_events
from engine.replay import WrongMove, export_game, listed_games, replay_document
from engine.table import Table
from engine.words import told
from tests.engine.tally import bank, roll

SETUP = {"players": [{"name": "Ana"}, {"name": "Bia"}], "goal": 20}


def document(*moves: Any) -> dict[str, Any]:
    return {"game": "tally", "setup": SETUP, "moves": list(moves)}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    clock = map("2026-11-29T20:{:04d}Z".format, itertools.count())
    with Journal(tmp_path / "journal.sqlite3", now=clock.__next__) as journal:
        yield Table(journal)


def test_a_replay_gives_the_state_the_scoreboard_and_the_next_prompt() -> None:
    assert replay_document(document(roll(3, 4), bank(5))) == {
        "game": "tally",
        "state": {"players": ["Ana", "Bia"], "goal": 20, "scores": [5, 0], "turn": 1, "rolled": 0},
        "scoreboard": {
            "players": [
                {"name": "Ana", "total": 5, "why": "5 points banked."},
                {"name": "Bia", "total": 0, "why": "0 points banked."},
            ]
        },
        "prompt": {"action": "roll", "text": "Bia: roll.", "seat": 1, "why": ""},
        "outcome": None,
    }


def test_a_finished_replay_gives_the_outcome() -> None:
    played = replay_document(document(roll(6, 6), bank(12), roll(1, 1), bank(1), roll(6, 6), bank(9)))
    assert played["outcome"]["text"] == "Ana wins."
    assert played["prompt"]["action"] == "finished"


def test_a_wrong_move_is_named_by_its_place() -> None:
    with pytest.raises(WrongMove) as refused:
        replay_document(document(roll(3, 4), bank(8)))
    assert refused.value.as_json() == {
        "error": {"code": "too_many", "message": "Only 7 points were rolled.", "field": "moves[1].points", "move": 1}
    }
    with pytest.raises(WrongMove) as refused:
        replay_document(document(roll(3, 4), "bank"))
    assert refused.value.move == 1
    assert refused.value.field == "moves[1]"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ([], None),
        ({}, "game"),
        ({"game": "chess", "setup": {}}, "game"),
        ({"game": "tally"}, "setup"),
        ({"game": "tally", "setup": None}, "setup"),
        ({"game": "tally", "setup": {}}, "setup.players"),
        ({"game": "tally", "setup": SETUP, "moves": {}}, "moves"),
        ({"game": "tally", "setup": SETUP, "moves": "no"}, "moves"),
        ({"game": "tally", "setup": SETUP, "moves": [], "extra": 1}, "extra"),
    ],
)
def test_a_document_that_is_no_game_is_refused_with_its_field(wrong: Any, field: str | None) -> None:
    with pytest.raises(GameError) as refused:
        replay_document(wrong)
    assert refused.value.field == field


@pytest.mark.parametrize(("wrong", "field"), [({}, "game"), ({"game": "tally"}, "setup")])
def test_what_a_document_lacks_is_named(wrong: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        replay_document(wrong)
    assert (refused.value.code, refused.value.field) == ("missing_field", field)


def test_a_sentence_names_the_same_path_as_its_field() -> None:
    with pytest.raises(InvalidInput, match=r"^setup\.deck must") as refused:
        replay_document({"game": "roda_de_samba", "setup": {"players": [{"name": "Ana"}, {"name": "Bia"}], "deck": 5}})
    assert refused.value.field == "setup.deck"
    start = {"players": [{"name": "Ana", "table": "practice"}, {"name": "Bia"}]}
    with pytest.raises(WrongMove, match=r"at moves\[0\]\.dice, not") as wrong:
        replay_document({"game": "carnavalesco", "setup": start, "moves": [{"move": "roll", "dice": 5}]})
    assert wrong.value.field == "moves[0].dice"
    assert "moves[0].dice" in told(wrong.value.message, "pt")


def test_an_exported_game_replays_to_the_same_state_to_the_byte(table: Table) -> None:
    table.open_game("tally", SETUP)
    other = table.game_id
    table.close_game(abandon=True)
    table.open_game("tally", SETUP)
    for move in (roll(3, 4), bank(6), roll(1, 1), bank(2), roll(6, 6)):
        table.apply(move)
    table.undo(2)
    table.apply(bank(1))
    table.correct(4, 0, Die("red", 5))
    game_id = table.game_id
    events = read_events(table.journal.path)
    exported = export_game(events, game_id)
    whole = {**SETUP, "house_rules": {"bank.all": "off"}}
    assert exported == {"game": "tally", "setup": whole, "moves": [roll(5, 4), bank(6), roll(1, 1), bank(1)]}
    replayed = replay_document(json.loads(json.dumps(exported)))
    assert canonical_json(replayed["state"]) == table.game.dump(table.state)
    assert [(game["id"], game["deleted"]) for game in listed_games(events)] == [(other, False), (game_id, False)]
    table.delete_game(str(other))
    table.delete_game(str(game_id), abandon=True)
    table.restore_game(str(game_id))
    table.empty_bin()
    events = read_events(table.journal.path)
    assert [(game["id"], game["deleted"]) for game in listed_games(events)] == [(other, True), (game_id, False)]
    assert export_game(events, game_id) == exported, "the journal forgets nothing"


def test_a_game_that_is_not_in_the_journal_is_refused(table: Table) -> None:
    with pytest.raises(InvalidInput, match="no such game"):
        export_game(read_events(table.journal.path), "nonsense")
