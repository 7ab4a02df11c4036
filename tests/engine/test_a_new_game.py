"""A fourth game is one folder: put beside the others it is found, replayed, scored, and played at a table."""

from __future__ import annotations

import itertools
import random
import re
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

DOC = (Path(__file__).resolve().parents[2] / "docs" / "a-new-game.md").read_text(encoding="utf-8")
HIGHEST = re.findall(r"```python\n(.*?)```", DOC, re.DOTALL)[0]
"""The game that the documentation shows."""
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
        assert Table(journal).state == table.state == (("Ana", "Bia"), (3, 0), "highest")
        document = export_game(read_events(journal.path), table.game_id or "")
        assert canonical_json(replay_document(document)["state"]) == table.game.dump(table.state)  # type: ignore[union-attr]


def test_a_kept_game_holds_every_house_rule_with_its_value(tmp_path: Path) -> None:
    clock = map("2026-11-30T07:{:04d}Z".format, itertools.count())
    with Journal(tmp_path / "journal.sqlite3", now=clock.__next__) as journal:
        table = Table(journal)
        asked = table.open_game("highest", SETUP, client_id="one")
        assert asked.payload["setup"] == {**SETUP, "house_rules": {"wins": "highest"}}
        assert table.open_game("highest", SETUP, client_id="one") == asked
        assert export_game(read_events(journal.path), table.game_id or "")["setup"] == asked.payload["setup"]
        lowest = table.open_game("highest", {**SETUP, "house_rules": {"wins": "lowest"}}, abandon=True)
        assert lowest.payload["setup"]["house_rules"] == {"wins": "lowest"}
        assert table.rematch(abandon=True).payload["setup"] == lowest.payload["setup"]


def test_a_rematch_may_change_what_settles_a_house_rule(tmp_path: Path) -> None:
    clock = map("2026-11-30T07:{:04d}Z".format, itertools.count())
    people = [{"name": name, "table": "practice"} for name in ("Ana", "Bia", "Caio", "Duda", "Eva")]
    with Journal(tmp_path / "journal.sqlite3", now=clock.__next__) as journal:
        table = Table(journal)
        table.open_game("carnavalesco", {"players": people[:4], "house_rules": {"song.mode": "uniform"}})
        rules = table.rematch({"players": people, "extra_board": True}, abandon=True).payload["setup"]["house_rules"]
        assert (rules["seats.max"], rules["song.mode"]) == (5, "uniform")


def test_a_game_that_was_kept_with_fewer_house_rules_still_opens(tmp_path: Path) -> None:
    clock = map("2026-11-30T07:{:04d}Z".format, itertools.count())
    with Journal(tmp_path / "journal.sqlite3", now=clock.__next__) as journal:
        old = {"key": "highest", "setup": SETUP, "players": ["Ana", "Bia"], "closes": None, "by": None}
        journal.append("game.opened", old, game_id="old")
        table = Table(journal)
        table.apply({"move": "roll", "value": 7})
        assert table.now().setup == SETUP
        assert game_named("highest").house_rules_in(SETUP) == {"wins": "highest"}
        assert replay_document(export_game(read_events(journal.path), "old"))["state"] == [
            ["Ana", "Bia"],
            [7],
            "highest",
        ]


def test_random_players_play_it() -> None:
    game, chance = game_named("highest"), random.Random(1)
    for players in (2, 3):
        played = selfplay.play_whole(game, selfplay.sample_game(game, chance, players), chance)
        assert len(played.moves) == players
