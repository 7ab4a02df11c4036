"""How long a training goes on, and how fast it learns at each moment of it."""

from __future__ import annotations

import math
import time


class Pace:
    """Counts a training's steps; it ends after `steps` (repeatable) or after `seconds` (where the time is short).

    The learning rate rises to `rate` in the first 3 % and falls along a cosine to nearly nothing.
    """

    def __init__(self, rate: float, *, steps: int | None = None, seconds: float | None = None) -> None:
        if (steps is None) == (seconds is None):
            raise ValueError("A training is paced by a number of steps or by seconds, one of the two.")
        self.rate, self.wanted, self.seconds = rate, steps, seconds
        self.steps = 0
        self.level = math.nan
        self.began = self._said = time.time()

    @property
    def share(self) -> float:
        """How much of the training is done, 0..1 and a little more."""
        if self.wanted is not None:
            return self.steps / self.wanted
        return (time.time() - self.began) / (self.seconds or 1.0)

    @property
    def now(self) -> float:
        """The learning rate at this moment."""
        share = self.share
        return self.rate * (share / 0.03 if share < 0.03 else 0.5 * (1 + math.cos(math.pi * share))) + 1e-5

    def step(self, loss: float) -> bool:
        """Count a step with its loss; return True about twice a minute, when it is time to save."""
        self.steps += 1
        self.level = loss if math.isnan(self.level) else 0.99 * self.level + 0.01 * loss
        if time.time() - self._said < 30:
            return False
        self._said = time.time()
        print(f"{self._said - self.began:.0f} s, {self.steps} steps, loss {self.level:.3f}", flush=True)
        return True

    def told(self) -> dict[str, float]:
        """Return what a card says of it."""
        return {"steps": self.steps, "hours": round((time.time() - self.began) / 3600, 2), "rate": self.rate}
