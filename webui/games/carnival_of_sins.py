"""Carnival of Sins' part of the pages: who may know what. To remember what was played is part of the game, so a phone
is told no sin of an earlier round and no hand but its seat's own, unless the table shows played sins.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.carnival_of_sins.play import legal
from engine.carnival_of_sins.view import offered, sins_known
from engine.game import Game, Move
from engine.play import VOID
from engine.words import say
from webui.games import Part

ALL_DICE = 7


def own_hand(state: Any, seat: int) -> Mapping[str, Any]:
    """Return what the player at `seat` sees beside the view: on their turn, the sins that they still have."""
    return {"choices": offered(state, seat)}


def moves_to_choose(game: Game[Any], state: Any, seat: int | None) -> Iterable[Move]:
    """Return the legal moves as `seat` (None: anybody) may know them: a hand that is not known may hold every sin."""
    return (move.as_json() for move in legal(state, sins_known(state, seat)))


def without_earlier_sins(entries: Sequence[Mapping[str, Any]], view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the lines of the log (newest first); of the turns before the last roll of all dice only those rolls are
    told, the others all look alike: who plays which sin shows in whose turn a roll or a throw is, too.

    At the end, or when the table shows played sins, every line is told.
    """
    if view["phase"] == "finished" or view["house_rules"]["memory.aid"] == "on":
        return list(entries)
    told: list[Mapping[str, Any]] = []
    hidden: set[int] = set()
    plain = _voided_whole_rolls(entries)
    for entry in reversed(entries[_this_round(entries) :]):
        if entry["kind"] == "move" and not _is_whole_roll(entry):
            hidden.add(entry["seq"])
            entry = {**entry, "text": say("A turn of an earlier round."), "move": None, "by": None}
        elif entry["kind"] == VOID and entry["seq"] not in plain:
            entry = {**entry, "text": say("A roll of an earlier round did not count."), "by": None}
        told.append(_about_hidden(entry, hidden))
    told += [_about_hidden(entry, hidden) for entry in reversed(entries[: _this_round(entries)])]
    return told[::-1]


def _this_round(entries: Sequence[Mapping[str, Any]]) -> int:
    """Return how many lines there are (newest first) after the last roll of all dice."""
    rolls = (at for at, entry in enumerate(entries) if _is_whole_roll(entry) and not entry["undone"])
    return next(rolls, len(entries))


def _voided_whole_rolls(entries: Sequence[Mapping[str, Any]]) -> set[int]:
    """Return the numbers of the lines (newest first) about a roll of all dice that did not count."""
    found: set[int] = set()
    whole = True
    for entry in entries:
        if entry["kind"] == "move":
            whole = _is_whole_roll(entry)
        elif entry["kind"] == VOID and whole:
            found.add(entry["seq"])
    return found


def _is_whole_roll(entry: Mapping[str, Any]) -> bool:
    move = entry["move"] or {}
    return move.get("move") == "roll" and len(move["dice"]) == ALL_DICE


def _about_hidden(entry: Mapping[str, Any], hidden: set[int]) -> Mapping[str, Any]:
    """Return a line; one about an undo or a correction of turns that are not told does not tell them either."""
    if hidden.isdisjoint(entry.get("turns", ())):
        return entry
    return {**entry, "text": say("A turn of an earlier round was changed."), "by": None}


PART = Part(log=without_earlier_sins, own=own_hand, moves=moves_to_choose)
