"""Games of the journal played again, so that their pages can show them; the last few are kept."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.game import GameError
from engine.play import Play, folded
from engine.rolls import Roll

Scores = list[tuple[int | None, tuple[float | None, ...]]]


class PastGames:
    """Folds a game's events when it is first asked for, and again when events were added. Safe for threads."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self._plays = lru_cache(maxsize=8)(self._fold)
        self._scored = lru_cache(maxsize=8)(self._score)
        self._ended = lru_cache(maxsize=2000)(self._end)
        self._rolled = lru_cache(maxsize=1)(self._roll)

    def play(self, game_id: str) -> Play:
        """Return the game as it stands, not to be changed. Raises `GameError` when today's rules do not allow it."""
        return self._plays(game_id, self._table.journal.last_of(game_id))

    def scores(self, game_id: str) -> Scores:
        """Return the points of each seat at the beginning and after each turn that counts. Raises `GameError`."""
        return self._scored(game_id, self._table.journal.last_of(game_id))

    def result(self, game_id: str) -> str:
        """Return the sentence of how a game ended, which can be told in any language; empty where it cannot be had."""
        return self._ended(game_id, self._table.journal.last_of(game_id))

    def rolls(self) -> list[Roll]:
        """Return every roll that was confirmed at the table, but for those of games in the bin."""
        return self._rolled(self._table.version)

    def _roll(self, version: int) -> list[Roll]:
        found: list[Roll] = self._table.rolls()
        return found

    def _fold(self, game_id: str, seq: int) -> Play:
        return folded(self._table.journal.events(game_id))

    def _score(self, game_id: str, seq: int) -> Scores:
        return self._plays(game_id, seq).scores()

    def _end(self, game_id: str, seq: int) -> str:
        try:
            play = self._plays(game_id, seq)
        except GameError:
            return ""
        outcome = play.game.outcome(play.state)
        return "" if outcome is None else outcome.text
