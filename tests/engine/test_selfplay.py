"""Random players: whole games of every game that is registered, and what stops them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

import pytest

from engine import selfplay
from engine.game import Move, canonical_json, games, sample_setups
from engine.replay import replay_document
from tests.engine.tally import Tally, TallyState


@pytest.mark.parametrize("key", sorted(games()))
def test_every_game_is_played_to_its_end_for_every_number_of_players(key: str) -> None:
    game = games()[key]
    seated = dict(sample_setups(game))
    assert seated
    for players in seated:
        chance = random.Random(players)
        played = selfplay.play_whole(game, selfplay.sample_game(game, chance, players), chance)
        assert played.players == players == len(played.totals)
        assert played.moves


@pytest.mark.parametrize("key", sorted(games()))
def test_what_is_played_by_chance_is_legal(key: str) -> None:
    game = games()[key]
    chance = random.Random(9)
    _, setup = next(sample_setups(game))
    for state in _states(game, setup, chance)[:12]:
        move = game.sample_move(state, chance.randrange)
        listed = {canonical_json(one) for one in _few(game.legal_moves(state))}
        assert (move is None) == (not listed)
        assert move is None or len(listed) == 20_000 or canonical_json(move) in listed


def _few(moves: Iterable[Move]) -> list[Move]:
    return [move for move, _ in zip(moves, range(20_000), strict=False)]


def _states(game: Any, setup: Any, chance: random.Random) -> list[Any]:
    states: list[Any] = []
    selfplay.play_whole(game, setup, chance, look=states.append)
    return states


def test_the_same_seed_gives_the_same_games_and_the_figures_are_printed() -> None:
    command = [sys.executable, "-m", "engine.selfplay", "carnavalesco", "2", "--seed", "5", "--players", "2"]
    once, again = (subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert "games a second" in once
    assert "2 players: 2 games, 45.0 moves a game, points " in once
    assert once.splitlines()[1:] == again.splitlines()[1:]


@pytest.mark.parametrize(
    ("asked", "said"), [(["chess", "1"], "no game"), (["carnavalesco", "1", "--players", "7"], "7")]
)
def test_what_cannot_be_played_is_said(asked: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert selfplay.main(asked) == 2
    assert said in capsys.readouterr().err


class Stuck(Tally):
    """Nobody may bank."""

    def legal_moves(self, state: TallyState) -> Iterable[Move]:
        return []


class Forgetful(Tally):
    """A state read back has lost its goal."""

    def load(self, text: str) -> TallyState:
        return super().load(text.replace('"goal":20', '"goal":30'))


class Endless(Tally):
    """Nobody ever wins."""

    def outcome(self, state: TallyState) -> None:
        return None


@pytest.mark.parametrize(
    ("game", "why"),
    [(Stuck(), "has not ended"), (Forgetful(), "written and read back"), (Endless(), "did not end")],
    ids=lambda value: getattr(value, "__class__", type(value)).__name__,
)
def test_a_game_that_goes_wrong_is_given_back_whole(game: Tally, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "MOST_MOVES", 60)
    setup = {"players": [{"name": "Ana"}, {"name": "Bia"}], "goal": 20}
    with pytest.raises(selfplay.Stopped, match=why) as stopped:
        selfplay.play_whole(game, setup, random.Random(1))
    document = json.loads(json.dumps(stopped.value.document))
    assert replay_document({**document, "moves": document["moves"][:1]})["game"] == "tally"


@pytest.mark.parametrize("games", ["-3", "0"])
def test_no_games_at_all_are_refused(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert selfplay.main(["tally", games]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert f"{games} games cannot be played" in printed.err
