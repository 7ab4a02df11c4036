"""Random players play whole games, to try the rules out; and what their games were like.

    python -m engine.selfplay GAME N [--seed S] [--players P]

A tool beside the rules and no part of them: it is the one place in `engine/` that has chance and a clock, hands them to
the games from outside, and nothing here imports it.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.game import Game, GameError, Move, canonical_json, game_named, sample_setups
from engine.replay import replay_document
from engine.words import row, say

MOST_MOVES = 10_000
"""A game with more moves than this does not end."""


class Stopped(Exception):
    """A game that went wrong; `document` is the whole of it as `jurado replay` takes it."""

    def __init__(self, why: str, document: Mapping[str, Any]) -> None:
        super().__init__(why)
        self.document = document


@dataclass(slots=True)
class Played:
    """A whole game: its setup, its moves, how many players it had, and the points of each seat."""

    game: Game[Any]
    setup: Mapping[str, Any]
    players: int = 0
    moves: list[Move] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)

    @property
    def document(self) -> dict[str, Any]:
        return {"game": self.game.key, "setup": dict(self.setup), "moves": [dict(move) for move in self.moves]}


def play_whole(
    game: Game[Any], setup: Mapping[str, Any], chance: random.Random, *, look: Callable[[Any], None] | None = None
) -> Played:
    """Return a game of `setup`, played to its end by `chance`; every state is shown to `look`.

    Raises `Stopped` when a legal move is refused, a state cannot be written and read back, nothing can be done, the
    game does not end, or its document replays to another end.
    """
    played = Played(game, setup)
    try:
        state = game.setup(setup)
        played.players = len(game.seats(state))
        while True:
            _check(game, state)
            if look is not None:
                look(state)
            if game.outcome(state) is not None:
                break
            move = next_move(game, state, chance)
            if move is None:
                raise Stopped("Nobody can do anything, and the game has not ended.", played.document)
            played.moves.append(move)
            if len(played.moves) > MOST_MOVES:
                raise Stopped(f"The game did not end in {MOST_MOVES} moves.", played.document)
            before = game.dump(state)
            state, gone = game.apply(state, move), state
            if game.dump(gone) != before:
                raise Stopped("The move changed the state that it was made in.", played.document)
            if not game.describe(gone, move):
                raise Stopped("The move has no sentence.", played.document)
            actor = game.actor(gone, move)
            if actor is not None and not 0 <= actor < played.players:
                raise Stopped(f"The move is made by {actor!r}, who has no seat.", played.document)
        played.totals = [player["total"] for player in game.scoreboard(state)["players"]]
        again = replay_document(json.loads(canonical_json(played.document)))
        if canonical_json(again["state"]) != canonical_json(json.loads(game.dump(state))):
            raise Stopped("The game replays to another end.", played.document)
    except Stopped:
        raise
    except Exception as error:
        raise Stopped(f"{type(error).__name__}: {error}", played.document) from error
    return played


def next_move(game: Game[Any], state: Any, chance: random.Random) -> Move | None:
    """Return a roll or a legal move by chance; None when there is neither."""
    move = game.sample_move(state, chance.randrange)
    if game.expects(state) is None or (move is not None and chance.random() < 0.5):
        return move
    return game.roll_move(state, game.sample_roll(state, chance.randrange))


def sample_house_rules(game: Game[Any], chance: random.Random) -> dict[str, Any]:
    """Return a value by chance for each switch of the game; half of the games are played by the defaults."""
    if chance.random() < 0.5:
        return {}
    return {rule.key: chance.choice(list(rule.values)) for rule in game.house_rules}


def sample_game(game: Game[Any], chance: random.Random, players: int | None = None) -> dict[str, Any]:
    """Return a setup by chance: for `players`, or for any number of them; what the setup needs goes before chance."""
    setups = dict(sample_setups(game))
    if players is not None and players not in setups:
        message = say(
            "{game} is for {numbers} players, not {players}.",
            game=game.name,
            numbers=row(map(str, setups)),
            players=players,
        )
        raise GameError("wrong_number_of_players", message, "players")
    setup = setups[chance.choice(list(setups)) if players is None else players]
    return {**setup, "house_rules": {**sample_house_rules(game, chance), **setup.get("house_rules", {})}}


def _check(game: Game[Any], state: Any) -> None:
    text = game.dump(state)
    again = game.load(text)
    if again != state or game.dump(again) != text:
        raise ValueError("The state cannot be written and read back.")
    prompt = game.prompt(state)
    if not prompt.text or not (prompt.seat is None or 0 <= prompt.seat < len(game.seats(state))):
        raise ValueError(f"The prompt is wrong: {prompt}.")


def report(games: Sequence[Played], seconds: float) -> str:
    """Return the figures of some games: games a second, and per number of players their moves and points."""
    lines = [f"{len(games)} games in {seconds:.1f} s: {len(games) / seconds:.1f} games a second"]
    for players in sorted({played.players for played in games}):
        some = [played for played in games if played.players == players]
        moves = [len(played.moves) for played in some]
        line = f"{players} players: {len(some)} games, {statistics.mean(moves):.1f} moves a game"
        totals = [total for played in some for total in played.totals]
        if totals:
            line += f", points {statistics.mean(totals):.1f} ± {statistics.pstdev(totals):.1f}"
            line += f" ({min(totals)} to {max(totals)})"
        lines.append(line)
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m engine.selfplay", description="Random players play whole games.")
    parser.add_argument("game", help="which game, such as carnavalesco")
    parser.add_argument("games", type=int, metavar="N", help="how many games")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same games")
    parser.add_argument("--players", type=int, help="how many players, in the place of any number")
    asked = parser.parse_args(arguments)
    if asked.games < 1:
        print(say("{count} games cannot be played. Ask for 1 or more.", count=asked.games), file=sys.stderr)
        return 2
    chance = random.Random(asked.seed)
    began = time.perf_counter()
    played: list[Played] = []
    try:
        game = game_named(asked.game)
        for _ in range(asked.games):
            played.append(play_whole(game, sample_game(game, chance, asked.players), chance))
    except Stopped as error:
        print(f"Game {len(played) + 1} stopped. {error}", file=sys.stderr)
        print(json.dumps(error.document))
        return 1
    except GameError as error:
        print(error.message, file=sys.stderr)
        return 2
    print(report(played, time.perf_counter() - began))
    return 0


if __name__ == "__main__":
    sys.exit(main())
