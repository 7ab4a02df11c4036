"""What the tests of Carnival of Sins share: rolls as seven values, reveals, and whole games by a seeded player."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from engine.carnival_of_sins import CarnivalOfSins
from engine.carnival_of_sins.sins import DICE, WHITE
from engine.carnival_of_sins.state import State
from engine.dice import Die, Shape
from engine.game import GameError
from engine.selfplay import next_move

GAME = CarnivalOfSins()
NAMES = ("Ana", "Bia", "Caio", "Duda", "Enzo")
ROLL = (3, 3, 8, 10, 7, 17, 4)
"""d4 3, d6 3, d8 8, d10 10, d12 7, d20 17 and the white die 4."""


def setup(seats: int = 3, **more: Any) -> dict[str, Any]:
    return {"players": [{"name": name} for name in NAMES[:seats]], **more}


def dice(values: Mapping[str, int]) -> list[Die]:
    """Return dice by name with their values."""
    return [
        Die("white", value) if name == WHITE else Die("black", value, Shape(name)) for name, value in values.items()
    ]


def rolled(state: State, values: Sequence[int] = ROLL, places: Sequence[tuple[float, float]] | None = None) -> State:
    """Return the state after the Devil's roll."""
    return GAME.apply(state, GAME.roll_move(state, dice(dict(zip(DICE, values, strict=True))), places))


def reread(state: State, **values: int) -> State:
    """Return the state after the dice that are waited for are read."""
    return GAME.apply(state, GAME.roll_move(state, dice(values)))


def reveal(state: State, sin: str, *taken: str) -> State:
    """Return the state after whose turn it is reveals `sin`; without dice the only choice is taken."""
    move = {"move": "reveal", "seat": state.turn, "sin": sin} | ({"dice": list(taken)} if taken else {})
    return GAME.apply(state, move)


def options(state: State, sin: str) -> list[list[str]]:
    """Return the dice that `sin` can take now, as the legal moves say."""
    return [move["dice"] for move in GAME.legal_moves(state) if move["move"] == "reveal" and move["sin"] == sin]


def refused(state: State, move: Mapping[str, Any]) -> GameError:
    """Return the complaint about `move`, which leaves the state as it was."""
    before = GAME.dump(state)
    with pytest.raises(GameError) as caught:
        GAME.apply(state, move)
    assert GAME.dump(state) == before
    return caught.value


def playout(start: Mapping[str, Any], seed: int) -> Iterator[tuple[State, dict[str, Any]]]:
    """Yield each state of a game by chance with the move made in it; the last one comes with an empty move.

    Rolls and throws are read as soon as they are waited for, so that few dice are knocked.
    """
    chance = random.Random(seed)
    state = GAME.setup(start)
    while GAME.outcome(state) is None:
        loose = [die for die in DICE if die not in state.again]
        if state.phase == "throw" and loose and chance.random() < 0.3:
            move: dict[str, Any] = {"move": "knock", "die": chance.choice(loose)}
        elif GAME.expects(state) is not None and chance.random() < 0.7:
            roll = GAME.sample_roll(state, chance.randrange)
            spots = [(chance.uniform(0, 20), chance.uniform(0, 15)) for _ in roll] if chance.random() < 0.8 else None
            move = dict(GAME.roll_move(state, roll, spots))
        else:
            chosen = next_move(GAME, state, chance)
            assert chosen is not None
            move = dict(chosen)
        yield state, move
        state = GAME.apply(state, move)
    yield state, {}


def document(state: State) -> dict[str, Any]:
    """Return the rounds that are over as `score` takes them."""
    names = state.setup.names
    rounds = [
        {
            "white": this.white,
            "plays": [
                {"player": names[line.seat], "sin": line.sin, "dice": dict(line.dice)}
                | ({"penalty": line.penalty} if line.penalty else {})
                | ({} if line.copied is None else {"points": line.copied})
                for line in this.lines
            ],
        }
        for this in state.rounds
    ]
    first = state.rounds[0].lines[0].seat if state.rounds else state.devil
    return {
        "game": GAME.key,
        "players": list(names),
        "devil": names[first],
        "house_rules": state.setup.rules.as_json(),
        "rounds": rounds,
    }
