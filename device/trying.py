"""Buttons that are tried out: for a few seconds after each question they are counted, not obeyed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

LASTS_S = 8.0
"""Seconds that a trial goes on after the last question about it; a page asks several times in that time."""


class Tried:
    """Counts presses while a trial is on. `clock` returns seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = float("-inf")
        self._counts: Counter[tuple[str, str]] = Counter()

    @property
    def on(self) -> bool:
        """Whether somebody is trying the buttons out now."""
        return self._clock() < self._until

    @property
    def due(self) -> float | None:
        """When the trial ends unless it is asked about again; None when none was ever on, or its end is past."""
        return self._until if self.on else None

    def renew(self) -> None:
        """Go on with the trial, or begin one, with nothing counted yet."""
        if not self.on:
            self._counts.clear()
        self._until = self._clock() + LASTS_S

    def note(self, button: str, gesture: str) -> None:
        """Count what a button did."""
        self._counts[button, gesture] += 1

    def count(self, button: str, gesture: str) -> int:
        """Return how often a button did that in this trial."""
        return self._counts[button, gesture]
