"""A die with all that the networks thought of it, before and after a roll is weighed as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from engine.dice import DieState, Shape
from engine.words import say_many
from vision.reading import Guess, ReadDie

SHAPES = tuple(Shape)
Name = TypeVar("Name", bound=str)
MOST_FACES = 20
GUESSES = 4
"""Readings of one die that people are asked about."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The least probabilities at which a value, a shape and (where the game asks for colours) a colour count as sure.

    `seen` is whether the die was found plainly enough, and large enough, to be sure of anything.
    """

    value: float = 0.9
    shape: float = 0.9
    colour: float = 0.6
    seen: bool = True


@dataclass(frozen=True, slots=True)
class SeenDie(ReadDie):
    """A read die and its probabilities: `shapes` (6) over d4..d20, `values` (6, 20) for each shape, `colours` by name.

    `look` is what `vision.alike` compares the dice of a roll by; None where there is no picture of the die.
    `score` 0..1 tells how surely it is a die at all, `cocked` how surely it lies on no face.
    """

    score: float = 1.0
    cocked: float = 0.0
    shapes: np.ndarray = field(default_factory=lambda: np.full(len(SHAPES), 1 / len(SHAPES)))
    values: np.ndarray = field(default_factory=lambda: np.full((len(SHAPES), MOST_FACES), 1 / MOST_FACES))
    colours: dict[str, float] = field(default_factory=dict)
    needs: Needs = Needs()
    look: np.ndarray | None = None

    def guesses(self) -> tuple[Guess, ...]:
        read = ReadDie.guesses(self)
        others = [
            Guess(shape, colour, value, how * tint * float(self.values[SHAPES.index(shape), value - 1]))
            for shape, how in _likeliest(dict(zip(SHAPES, map(float, self.shapes), strict=True)), 2)
            for colour, tint in _likeliest(self.colours or {self.colour: self.confidence.colour}, 3)
            for value in range(1, shape.faces + 1)
            if (shape, colour, value) != (self.shape, self.colour, self.value)
        ]
        others.sort(key=lambda guess: -guess.chance)
        return (*read, *others[: GUESSES - 1])


def _likeliest(chances: Mapping[Name, float], most: int) -> list[tuple[Name, float]]:
    return sorted(chances.items(), key=lambda one: -one[1])[:most]


def state_of(cocked: bool, value: float, shape: float, needs: Needs, *, colour: float | None = None) -> DieState:
    """Return how far a die can be trusted whose value, shape and, where it matters, colour have these probabilities."""
    if cocked:
        return DieState.COCKED
    sure = needs.seen and value >= needs.value and shape >= needs.shape
    return DieState.READ if sure and (colour is None or colour >= needs.colour) else DieState.UNSURE


def with_chances(die: ReadDie) -> SeenDie:
    """Return `die` as a `SeenDie`; where it is none, what its confidences leave over is spread evenly."""
    if isinstance(die, SeenDie):
        return die
    shapes = _spread(SHAPES.index(die.shape), die.confidence.shape, len(SHAPES))
    values = np.zeros((len(SHAPES), MOST_FACES))
    for place, shape in enumerate(SHAPES):
        values[place, : shape.faces] = 1 / shape.faces
    own = SHAPES.index(die.shape)
    values[own, : die.shape.faces] = _spread(die.value - 1, die.confidence.value, die.shape.faces)
    return SeenDie(
        die.shape, die.colour, die.value, die.state, die.box, die.confidence,
        1.0, float(die.state is DieState.COCKED), shapes, values, {die.colour: die.confidence.colour},
    )  # fmt: skip


def _spread(place: int, chance: float, count: int) -> np.ndarray:
    chances = np.full(count, (1 - chance) / max(1, count - 1))
    chances[place] = chance
    return chances


def doubts(dice: Sequence[ReadDie]) -> tuple[str, ...]:
    """Return sentences for people about the dice that are cocked or doubtful."""
    notes: list[str] = []
    cocked = sum(die.state is DieState.COCKED for die in dice)
    unsure = sum(die.state is DieState.UNSURE for die in dice)
    if cocked:
        notes.append(
            say_many(
                "{count} die does not lie flat. Roll it again or set it by hand.",
                "{count} dice do not lie flat. Roll them again or set them by hand.",
                cocked,
            )
        )
    if unsure:
        notes.append(
            say_many(
                "{count} of {all} dice is doubtful. Check what is marked.",
                "{count} of {all} dice are doubtful. Check what is marked.",
                unsure,
                all=len(dice),
            )
        )
    return tuple(notes)
