"""The legal moves as people choose among them: by kind, field by field, each of those left with its sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from engine.game import Game, Move, canonical_json

MOST = 12
"""Moves that are told at once; a phone shows no more, and asks again with one more field settled."""

LOOKED_AT = 20_000
"""Moves looked at; a game that has more of them at once has a board of its own."""


def choices(game: Game[Any], state: Any, moves: Iterable[Move], wanted: Mapping[str, str]) -> dict[str, Any]:
    """Return those of `moves`, the legal ones as far as they may be known, that have every field of `wanted` (name →
    value as canonical JSON, `move` among them).

    `groups`: each kind of move and how many there are; `fields`: those that still differ, with their values;
    `count` and the first `moves`, each with its seat and its sentence.
    """
    legal = list(islice(moves, LOOKED_AT))
    groups: dict[str, int] = {}
    for move in legal:
        groups[move["move"]] = groups.get(move["move"], 0) + 1
    left = [move for move in legal if _fits(move, wanted)]
    return {
        "groups": [{"move": name, "count": count} for name, count in groups.items()],
        "fields": _fields(left, wanted),
        "count": len(left),
        "moves": [
            {"move": move, "seat": game.actor(state, move), "text": game.describe(state, move)} for move in left[:MOST]
        ],
    }


def _fits(move: Move, wanted: Mapping[str, str]) -> bool:
    return all(canonical_json(move.get(name)) == value for name, value in wanted.items())


def _fields(moves: Sequence[Move], wanted: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the fields in which `moves` differ, or that are settled already, each with the values it can have."""
    names = dict.fromkeys(name for move in moves for name in move if name != "move")
    found = []
    for name in names:
        values = {canonical_json(move.get(name)): move.get(name) for move in moves}
        if name in wanted or (len(values) > 1 and all(_plain(value) for value in values.values())):
            found.append({"name": name, "values": [{"key": key, "value": value} for key, value in values.items()]})
    return found


def _plain(value: Any) -> bool:
    """Tell whether people can read this value by itself: a word, a number, a few of such."""
    if isinstance(value, list | tuple | dict):
        return all(isinstance(one, str | int) for one in (value.values() if isinstance(value, dict) else value))
    return value is None or isinstance(value, str | int)
