"""A parade board: nine elements of four spaces, filled die by die and never moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine import fields
from engine.dice import Die
from engine.words import say

ELEMENTS = (
    "vanguard",
    "flag_bearers",
    "storyline",
    "floats",
    "costumes",
    "progression",
    "harmony",
    "drums",
    "theme_song",
)
"""The scoring elements in the order in which they are tallied."""

ELEMENT_NAMES: Mapping[str, str] = {
    "vanguard": say("Vanguard Commission"),
    "flag_bearers": say("Master-of-Room & Flag-Bearer"),
    "storyline": say("Storyline"),
    "floats": say("Parade Floats & Props"),
    "costumes": say("Costumes"),
    "progression": say("Progression"),
    "harmony": say("Harmony"),
    "drums": say("Drums"),
    "theme_song": say("Samba Theme Song"),
}

SPACES = 4
"""Spaces in an element."""

COLOUR_COUNT = 6
"""Colours of the dice in the box."""

BOARD_SIZE = SPACES * len(ELEMENTS)

Spaces = tuple[Die | None, ...]

_EMPTY: Spaces = (None,) * SPACES


@dataclass(frozen=True)
class Board:
    """What lies on one school's board: for each element, in order, its four spaces."""

    spaces: tuple[Spaces, ...] = (_EMPTY,) * len(ELEMENTS)

    @cached_property
    def by_element(self) -> dict[str, tuple[Die, ...]]:
        """The dice in each element, by their spaces."""
        return {element: tuple(filter(None, spaces)) for element, spaces in zip(ELEMENTS, self.spaces, strict=True)}

    def dice(self, element: str) -> tuple[Die, ...]:
        """Return the dice in `element`, by their spaces."""
        return self.by_element[element]

    def element_spaces(self, element: str) -> Spaces:
        """Return the four spaces of `element`, None where one is empty."""
        return self.spaces[ELEMENTS.index(element)]

    def free(self, element: str) -> int:
        """Return how many spaces of `element` are empty."""
        return SPACES - len(self.by_element[element])

    def full(self, element: str) -> bool:
        return self.free(element) == 0

    @cached_property
    def placed(self) -> int:
        """The number of dice on the board, 0..36."""
        return sum(map(len, self.by_element.values()))

    @property
    def complete(self) -> bool:
        return all(map(all, self.spaces))

    def all_dice(self) -> tuple[Die, ...]:
        """Return every die on the board, element by element."""
        return tuple(die for spaces in self.spaces for die in spaces if die is not None)

    def others(self, element: str) -> dict[str, tuple[Die, ...]]:
        """Return the dice of every element but `element`."""
        return {other: dice for other, dice in self.by_element.items() if other != element}

    def elsewhere(self, element: str) -> list[Die]:
        """Return every die that lies in another element than `element`."""
        elsewhere: list[Die] = []
        for other, dice in self.by_element.items():
            if other != element:
                elsewhere += dice
        return elsewhere

    def put(self, element: str, die: Die, space: int | None = None) -> Board:
        """Return the board with `die` in `element`, in its first empty space or in `space`, which must be empty."""
        spaces = list(self.element_spaces(element))
        at = spaces.index(None) if space is None else space
        if spaces[at] is not None:
            raise ValueError(f"Space {at} of {element} is taken.")
        spaces[at] = die
        at_element = ELEMENTS.index(element)
        return replace(self, spaces=(*self.spaces[:at_element], tuple(spaces), *self.spaces[at_element + 1 :]))

    def as_json(self) -> dict[str, list[dict[str, Any]]]:
        """Return each element's dice, each with the space (0..3) it lies in."""
        return {
            element: [
                {**fields.die_json(die), "space": space}
                for space, die in enumerate(self.element_spaces(element))
                if die is not None
            ]
            for element in ELEMENTS
        }


def board_of(elements: Mapping[str, tuple[Die, ...]]) -> Board:
    """Return the board that holds these dice, each element's in the order given."""
    return Board(tuple((*elements.get(element, ()), *_EMPTY[len(elements.get(element, ())) :]) for element in ELEMENTS))
