"""A fourth game is one folder: put beside the others it is found, replayed, scored, and played at a table."""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine import game as contract
from engine import selfplay
from engine.dice import Die
from engine.game import IllegalMove, InvalidInput, canonical_json, game_named, games
from engine.journal import Journal, read_events
from engine.replay import export_game, replay_document
from engine.score import score_document
from engine.table import Table

HIGHEST = '''
"""Highest: everybody rolls one die, and the highest value wins."""

import json

from engine.dice import Die, Shape
from engine.game import Expectation, Game, IllegalMove, InvalidInput, Outcome, Prompt, canonical_json, register
from engine.rules import HouseRule
from engine.words import say


class Highest(Game):
    key = "highest"
    name = "Highest"
    moves = ("roll", "pass")

    def setup(self, setup):
        names = tuple(player["name"] for player in setup["players"])
        if not 2 <= len(names) <= 3:
            raise InvalidInput("wrong_number_of_players", say("Highest is for two or three."), "players")
        return names, ()

    def seats(self, state):
        return state[0]

    def prompt(self, state):
        if len(state[1]) == len(state[0]):
            return Prompt("finished", say("Everybody has rolled."))
        return Prompt("roll", say("{name} rolls.", name=state[0][len(state[1])]), len(state[1]))

    def expects(self, state):
        return Expectation({Shape.D20: 1}) if len(state[1]) < len(state[0]) else None

    def roll_move(self, state, dice):
        return {"move": "roll", "value": dice[0].value}

    def legal_moves(self, state):
        return [{"move": "pass"}] if len(state[1]) < len(state[0]) else []

    def apply(self, state, move):
        if move.get("move") not in self.moves:
            raise InvalidInput("unknown_move", say("Highest has the moves roll and pass."), "move")
        if len(state[1]) == len(state[0]):
            raise IllegalMove("game_over", say("Everybody has rolled."))
        return state[0], (*state[1], move.get("value", 0))

    def actor(self, state, move):
        return min(len(state[1]), len(state[0]) - 1)

    def describe(self, state, move):
        return say("{name} has {value}.", name=state[0][len(state[1])], value=move.get("value", 0))

    def correct(self, move, die, to):
        if move["move"] != "roll":
            raise InvalidInput("not_a_roll", say("That is no roll."), "move")
        return {"move": "roll", "value": to.value}

    def scoreboard(self, state):
        values = (*state[1], *[0] * len(state[0]))
        return {"players": [{"name": name, "total": value} for name, value in zip(state[0], values)]}

    def outcome(self, state):
        if len(state[1]) < len(state[0]):
            return None
        values = sorted(set(state[1]), reverse=True)
        ranking = tuple(tuple(seat for seat, value in enumerate(state[1]) if value == one) for one in values)
        return Outcome(ranking, say("{value} wins.", value=values[0]))

    def view(self, state):
        return {"values": list(state[1])}

    @property
    def house_rules(self):
        return (HouseRule("faces", say("Faces"), say("How many faces count."), {20: say("Twenty")}),)

    def score(self, document):
        return {"players": document["players"]}

    def dump(self, state):
        return canonical_json(state)

    def load(self, text):
        names, values = json.loads(text)
        return tuple(names), tuple(values)


register(Highest())
'''
SETUP = {"players": [{"name": "Ana"}, {"name": "Bia"}]}


@pytest.fixture(autouse=True)
def one_more_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put the folder beside the games for one test; no other file knows of it."""
    games()
    folder = tmp_path / "more" / "highest"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(HIGHEST, encoding="utf-8")
    monkeypatch.setattr(engine, "__path__", [*engine.__path__, str(folder.parent)])
    monkeypatch.setattr(contract, "_REGISTRY", dict(contract._REGISTRY))
    contract._found.cache_clear()
    yield
    sys.modules.pop("engine.highest", None)


def test_it_is_found_beside_the_others() -> None:
    assert game_named("highest").name == "Highest"
    assert {"carnavalesco", "highest"} <= set(games())


def test_it_replays_and_scores() -> None:
    moves = [{"move": "roll", "value": 7}, {"move": "roll", "value": 12}]
    replayed = replay_document({"game": "highest", "setup": SETUP, "moves": moves})
    assert replayed["outcome"]["ranking"] == [[1], [0]]
    assert score_document({"game": "highest", "players": SETUP["players"]}) == SETUP
    with pytest.raises(InvalidInput, match="two or three"):
        replay_document({"game": "highest", "setup": {"players": SETUP["players"][:1]}, "moves": []})


def test_it_is_played_at_a_table_and_kept_in_the_journal(tmp_path: Path) -> None:
    clock = map("2026-11-30T07:{:04d}Z".format, itertools.count())
    with Journal(tmp_path / "journal.sqlite3", now=clock.__next__) as journal:
        table = Table(journal)
        table.open_game("highest", SETUP)
        first = table.apply({"move": "roll", "value": 7}).seq
        table.apply({"move": "roll", "value": 12})
        table.undo()
        table.correct(first, 0, Die("red", 3))
        table.apply({"move": "pass"})
        with pytest.raises(IllegalMove):
            table.apply({"move": "pass"})
        assert table.outcome is not None
        assert table.outcome.text == "3 wins."
        assert Table(journal).state == table.state == (("Ana", "Bia"), (3, 0))
        document = export_game(read_events(journal.path), table.game_id or "")
        assert canonical_json(replay_document(document)["state"]) == table.game.dump(table.state)  # type: ignore[union-attr]


def test_random_players_play_it() -> None:
    game, chance = game_named("highest"), random.Random(1)
    for players in (2, 3):
        played = selfplay.play_whole(game, selfplay.sample_game(game, chance, players), chance)
        assert len(played.moves) == players
