"""Every roll that was confirmed at a table, as its events tell it: who threw it, how it came in, its dice."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.dice import Die
from engine.game import InvalidInput
from engine.journal import Event
from engine.play import CORRECT, MOVE, UNDO, die_from_json

TOLD = (MOVE, UNDO, CORRECT)
"""The kinds of events that tell of rolls."""

DEMO = "demo"
"""The source of a roll that was drawn and not thrown."""


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll: the number of its event, its game, who threw it (a seat, where that is known), its dice as corrected.

    `source` is `camera`, `phone`, `hand` or `demo`, None where nobody said. `undone` tells that the turn was taken
    back, `again` that the same dice were then confirmed once more: the same throw, read twice.
    """

    seq: int
    game_id: str
    seat: int | None
    source: str | None
    dice: tuple[Die, ...]
    undone: bool = False
    again: bool = False

    @property
    def pictured(self) -> bool:
        """Whether it came in as a photograph."""
        return self.source not in (None, "hand")


def rolls(events: Iterable[Event]) -> list[Roll]:
    """Return the rolls that these events, in order, tell of; events of other kinds are passed over."""
    found: dict[int, Roll] = {}
    taken_back: dict[str, list[int]] = defaultdict(list)
    for event in events:
        payload, game_id = event.payload, str(event.game_id)
        if event.kind == MOVE and (dice := _dice(payload["move"])):
            found[event.seq] = Roll(event.seq, game_id, payload.get("seat"), payload.get("source"), dice)
            if waiting := taken_back[game_id]:
                before = found[waiting.pop(0)]
                if Counter(before.dice) == Counter(dice):
                    found[before.seq] = replace(before, again=True)
        elif event.kind == UNDO:
            gone = sorted(seq for seq in payload["turns"] if seq in found)
            found |= {seq: replace(found[seq], undone=True) for seq in gone}
            # The next roll stands in the place of the first that was taken back, and so on.
            taken_back[game_id] = gone
        elif event.kind == CORRECT and (roll := found.get(payload["seq"])) is not None:
            dice = tuple(
                die_from_json(payload["to"]) if at == payload["die"] else die for at, die in enumerate(roll.dice)
            )
            found[roll.seq] = replace(roll, dice=dice)
    return list(found.values())


def _dice(move: Mapping[str, Any]) -> tuple[Die, ...]:
    """Return the dice of a rolling move, none of another."""
    dice = move.get("dice") if move.get("move") == "roll" else None
    if not isinstance(dice, list):
        return ()
    try:
        return tuple(map(die_from_json, dice))
    except InvalidInput:
        return ()
