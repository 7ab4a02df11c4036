"""What the camera saw: the dice found in one photograph, with confidences, notes and timings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from engine.dice import Die, DieState, Shape

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels of the upright photograph."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """Calibrated probabilities, each in 0..1, that the named field of a die is right."""

    shape: float
    colour: float
    value: float

    def as_json(self) -> dict[str, float]:
        return {"shape": round(self.shape, 4), "colour": round(self.colour, 4), "value": round(self.value, 4)}


@dataclass(frozen=True, slots=True)
class Guess:
    """What a die may be, and how likely that is (0..1)."""

    shape: Shape
    colour: str
    value: int
    chance: float

    def as_json(self) -> dict[str, Any]:
        return {
            "shape": self.shape.value,
            "colour": self.colour,
            "value": self.value,
            "chance": round(self.chance, 3),
        }


@dataclass(frozen=True, slots=True)
class ReadDie:
    """One die as the camera saw it; `value` is the best guess whatever its `state`."""

    shape: Shape
    colour: str
    value: int
    state: DieState
    box: Box
    confidence: Confidence

    @property
    def die(self) -> Die:
        """The die as the rules know it."""
        return Die(self.colour, self.value, self.shape)

    def guesses(self) -> tuple[Guess, ...]:
        """Return what the die may be: as it was read, then what else is likely, the likeliest first."""
        sure = self.confidence
        return (Guess(self.shape, self.colour, self.value, sure.shape * sure.colour * sure.value),)

    def as_json(self) -> dict[str, Any]:
        return {
            "shape": self.shape.value,
            "colour": self.colour,
            "value": self.value,
            "state": self.state.value,
            "box": [round(float(edge), 1) for edge in self.box],
            "confidence": self.confidence.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Reading:
    """All dice found in one photograph of `width` x `height` pixels.

    `milliseconds` holds `load`, `detect`, `read` and `total`; `notes` are sentences for people.
    """

    width: int
    height: int
    dice: tuple[ReadDie, ...]
    notes: tuple[str, ...] = ()
    milliseconds: dict[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "width": self.width,
            "height": self.height,
            "dice": [die.as_json() for die in self.dice],
            "notes": list(self.notes),
            "milliseconds": {name: round(took, 1) for name, took in self.milliseconds.items()},
        }
