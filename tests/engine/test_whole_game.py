"""Whole games of Carnavalesco through the table: undone, corrected, opened again, exported and replayed."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.dice import Die
from engine.game import GameError, IllegalMove, canonical_json
from engine.journal import Journal, read_events
from engine.replay import export_game, replay_document
from engine.table import Table

SETUP = {
    "players": [
        {"name": "Ana", "division": "D", "table": "practice"},
        {"name": "Bia", "division": "B", "table": "practice"},
    ]
}
SOLO = {"players": SETUP["players"][:1], "solo": {"colours": ["red", "blue"]}}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    clock = map("2026-11-29T20:{:04d}Z".format, itertools.count())
    with Journal(tmp_path / "journal.sqlite3", now=clock.__next__) as journal:
        yield Table(journal)


def a_roll(table: Table, chance: random.Random) -> Any:
    expects = table.game.expects(table.state)
    bag = [colour for colour, left in expects.colours.items() for _ in range(left)]
    dice = [Die(colour, chance.randint(1, 6)) for colour in chance.sample(bag, expects.count)]
    return table.game.roll_move(table.state, dice)


def a_move(table: Table, chance: random.Random) -> Any:
    if table.game.expects(table.state) is not None:
        return a_roll(table, chance)
    return chance.choice(list(itertools.islice(table.game.legal_moves(table.state), 60)))


def play_on(table: Table, chance: random.Random, moves: int | None = None) -> None:
    for _ in itertools.repeat(None) if moves is None else range(moves):
        if table.outcome is not None:
            return
        table.apply(a_move(table, chance))


def shown(table: Table) -> str:
    game, state = table.game, table.state
    return canonical_json([game.dump(state), game.view(state), game.scoreboard(state), table.log()])


@pytest.mark.parametrize("setup", [SETUP, SOLO], ids=["two", "solo"])
def test_a_whole_game_is_the_same_live_reopened_exported_and_replayed(table: Table, setup: dict[str, Any]) -> None:
    chance = random.Random(7)
    table.open_game("carnavalesco", setup)
    while table.outcome is None:
        play_on(table, chance, 6)
        table.undo(chance.randint(1, 3))
        rolls = [line for line in table.log() if line["move"] and line["move"]["move"] == "roll" and not line["undone"]]
        if rolls:
            line = chance.choice(rolls)
            die = chance.randrange(len(line["move"]["dice"]))
            old = line["move"]["dice"][die]
            table.correct(line["seq"], die, Die(old["colour"], old["value"] % 6 + 1))
        text = table.game.dump(table.state)
        assert table.game.dump(table.game.load(text)) == text
        play_on(table, chance, 4)
    assert shown(Table(table.journal)) == shown(table)
    document = json.loads(json.dumps(export_game(read_events(table.journal.path), table.game_id)))
    replayed = replay_document(document)
    assert canonical_json(replayed["state"]) == table.game.dump(table.state)
    assert replayed["scoreboard"] == json.loads(json.dumps(table.game.scoreboard(table.state)))
    assert replayed["outcome"] == table.outcome.as_json()
    assert table.games()[0]["result"] == table.outcome.as_json()
    totals = [player["total"] for player in table.game.scoreboard(table.state)["players"]]
    assert table.outcome.detail["totals"] == totals


def test_undoing_every_turn_leads_back_to_the_first_state(table: Table) -> None:
    table.open_game("carnavalesco", SETUP)
    states = [table.game.dump(table.state)]
    chance = random.Random(3)
    for _ in range(20):
        play_on(table, chance, 1)
        states.append(table.game.dump(table.state))
    while len(states) > 1:
        states.pop()
        table.undo()
        assert table.game.dump(table.state) == states[-1]


def test_a_corrected_roll_changes_the_marks_of_the_dice_already_placed(table: Table) -> None:
    table.open_game("carnavalesco", SETUP)
    roll = {"move": "roll", "dice": [{"colour": "red", "value": 3} for _ in range(12)]}
    seq = table.apply(roll).seq
    seat = table.game.prompt(table.state).seat
    places = [{"die": 4, "element": "harmony"}, {"die": 5, "element": "harmony"}]
    table.apply({"move": "take", "seat": seat, "places": places})
    table.correct(seq, 4, Die("red", 5))
    placed = table.game.view(table.state)["players"][seat]["elements"]["harmony"]
    assert [die["value"] for die in placed if die] == [5, 3]
    name = table.game.seats(table.state)[seat]
    assert table.log(1)[0]["text"] == f"{name}'s roll 1: die 5 was red 3, now red 5."
    assert "red 5" in table.log(2)[1]["text"]


def test_a_roll_cannot_be_corrected_into_one_that_the_rules_refuse(table: Table) -> None:
    table.open_game("carnavalesco", SETUP)
    seq = table.apply(a_roll(table, random.Random(1))).seq
    before = shown(table)
    with pytest.raises(GameError):
        table.correct(seq, 0, Die("glitter", 3))
    with pytest.raises(IllegalMove):
        table.undo(2)
    assert shown(table) == before
