"""Carnival of Sins' part of the pages: the log tells no sin of an earlier round, for to remember them is the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.words import say
from webui.games import Part

ALL_DICE = 7


def without_earlier_sins(entries: Sequence[Mapping[str, Any]], view: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the lines of the log (newest first); what was played before the last roll of all dice is not told.

    At the end, or when the table shows played sins, every line is.
    """
    if view["phase"] == "finished" or view["house_rules"]["memory.aid"] == "on":
        return list(entries)
    told: list[Mapping[str, Any]] = []
    earlier = False
    for entry in entries:
        move = entry["move"] or {}
        hidden = earlier and move.get("move") not in (None, "roll", "again")
        told.append({**entry, "text": _hidden(move, view), "move": {"move": move["move"]}} if hidden else entry)
        if move.get("move") == "roll" and len(move["dice"]) == ALL_DICE and not entry["undone"]:
            earlier = True
    return told


def _hidden(move: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    seat = move.get("seat")
    if seat is None:
        return say("A throw of that round.")
    return say("{name} revealed a sin.", name=view["players"][seat]["name"])


PART = Part(log=without_earlier_sins)
