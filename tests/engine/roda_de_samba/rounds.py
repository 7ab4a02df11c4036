"""What the tests of Roda de Samba share: setups, circles in shorthand, and whole games by a seeded player."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from engine.game import Move
from engine.roda_de_samba import RodaDeSamba
from engine.roda_de_samba.circle import Circle, Stack, circle_json
from engine.roda_de_samba.state import State

GAME = RodaDeSamba()

COLOURS = {"Y": "yellow", "R": "red", "G": "green", "B": "blue"}


def setup(players: int = 2, /, **more: Any) -> dict[str, Any]:
    """Return a setup with the example deck."""
    return {**GAME.sample_setup(players), **more}


def ring(text: str) -> Circle:
    """Return a circle from `Y13 R3 -`: a colour's letter and numbers for each space; the rest is empty.

    Each space holds an instrument of its own, called `i0` to `i9`.
    """
    spaces = text.split()
    stacks = [
        None if one == "-" else Stack(f"i{at}", COLOURS[one[0]], tuple(map(int, one[1:])))
        for at, one in enumerate(spaces)
    ]
    return (*stacks, *[None] * (10 - len(spaces)))


def player(text: str = "", name: str = "Ana", *sambists: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "circle": circle_json(ring(text)), "sambists": list(sambists), **more}


def document(*players: dict[str, Any], **rules: Any) -> dict[str, Any]:
    return {"game": "roda_de_samba", "house_rules": rules, "players": list(players)}


def playout(start: Mapping[str, Any], seed: int) -> Iterator[tuple[State, Move | None]]:
    """Yield every state of a whole game by chance with the move made in it, None at the end."""
    chance = random.Random(seed)
    state = GAME.setup(start)
    while GAME.outcome(state) is None:
        move = GAME.sample_move(state, chance.randrange)
        assert move is not None
        yield state, move
        state = GAME.apply(state, move)
    yield state, None


def after(state: State, *moves: Move) -> State:
    for move in moves:
        state = GAME.apply(state, move)
    return state
