"""Who played how often and how well, out of the list of games; games for one person stand apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Listed = Mapping[str, Any]
"""A game as `Table.games` lists it."""


@dataclass(slots=True)
class Record:
    """What one person did in some finished games, fed oldest first.

    `wins` counts shared ones too, which `shared` counts alone. `streak` is the number of wins in a row up to now,
    `longest` the most there were. `totals` are the points, as far as they are known.
    """

    played: int = 0
    wins: int = 0
    shared: int = 0
    streak: int = 0
    longest: int = 0
    last: str = ""
    totals: list[float] = field(default_factory=list)

    def add(self, game: Listed, seat: int) -> None:
        """Count one game that was played at `seat`."""
        first = game["result"]["ranking"][0]
        won = seat in first
        self.played += 1
        self.wins += won
        self.shared += won and len(first) > 1
        self.streak = self.streak + 1 if won else 0
        self.longest = max(self.longest, self.streak)
        self.last = max(self.last, game["opened_at"])
        if (total := total_of(game, seat)) is not None:
            self.totals.append(total)

    @property
    def mean(self) -> float | None:
        return sum(self.totals) / len(self.totals) if self.totals else None

    def best(self, *, highest: bool = True) -> float | None:
        return (max if highest else min)(self.totals, default=None)


@dataclass(slots=True)
class Records:
    """Records by name, over all games, and by game and name; `solo` by game and name, of games for one."""

    people: dict[str, Record] = field(default_factory=dict)
    games: dict[str, dict[str, Record]] = field(default_factory=dict)
    solo: dict[str, dict[str, Record]] = field(default_factory=dict)


def total_of(game: Listed, seat: int) -> float | None:
    """Return the points of a seat of a finished game, None where they are not known."""
    totals = game["result"]["detail"].get("totals") or ()
    return totals[seat] if seat < len(totals) else None


def records(listed: Iterable[Listed]) -> Records:
    """Return the records of the finished games among `listed`. The same name is the same person."""
    made = Records()
    for game in sorted(listed, key=lambda one: one["opened_at"]):
        if not game["result"]:
            continue
        alone = len(game["players"]) == 1
        of_game = (made.solo if alone else made.games).setdefault(game["key"], {})
        for seat, name in enumerate(game["players"]):
            of_game.setdefault(name, Record()).add(game, seat)
            if not alone:
                made.people.setdefault(name, Record()).add(game, seat)
    return made
