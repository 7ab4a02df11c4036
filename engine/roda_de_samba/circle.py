"""A samba circle: ten spaces in a ring, the instruments stacked in them, and the harmony between neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.game import InvalidInput
from engine.roda_de_samba.cards import colour_name, folded, read_name, read_numbers
from engine.words import say

SPACES = 10
CROSSED_COSTS = 2
"""Points that each crossed samba costs at the end."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The cards of one instrument in one space: its colour, and the number on each card, sorted."""

    instrument: str
    colour: str
    numbers: tuple[int, ...]

    def shares(self, other: Stack) -> tuple[str | None, tuple[int, ...]]:
        """Return what puts two neighbours in harmony (R3): their colour where it is the same, and the numbers that both
        show."""
        numbers = tuple(sorted(set(self.numbers).intersection(other.numbers)))
        return self.colour if self.colour == other.colour else None, numbers

    def agrees(self, other: Stack) -> bool:
        """Tell whether two neighbours are in harmony: the same colour, or any number that both show (R3)."""
        return any(self.shares(other))

    def as_json(self) -> dict[str, Any]:
        return {"instrument": self.instrument, "colour": self.colour, "numbers": list(self.numbers)}


Circle = tuple[Stack | None, ...]
"""The ten spaces, in order round the ring."""

EMPTY: Circle = (None,) * SPACES


def stacks(circle: Circle) -> list[Stack]:
    return [stack for stack in circle if stack is not None]


def space_of(circle: Circle, instrument: str) -> int | None:
    """Return the space (from 0) where `instrument` lies, None when it lies nowhere."""
    for space, stack in enumerate(circle):
        if stack is not None and folded(stack.instrument) == folded(instrument):
            return space
    return None


def is_full(circle: Circle) -> bool:
    """Tell whether ten different instruments lie in the circle."""
    return all(stack is not None for stack in circle)


def neighbours(circle: Circle, *, closed: bool = True) -> Iterator[tuple[int, int]]:
    """Yield the pairs of spaces side by side where instruments lie in both; gaps have no neighbours (R6).

    On a closed ring the last space lies beside the first one (R5).
    """
    for space in range(SPACES if closed else SPACES - 1):
        other = (space + 1) % SPACES
        if circle[space] is not None and circle[other] is not None:
            yield space, other


def crossed(circle: Circle, *, closed: bool = True) -> list[tuple[int, int]]:
    """Return the pairs of spaces whose instruments share neither colour nor number: crossed sambas (R4)."""
    return [
        (one, other)
        for one, other in neighbours(circle, closed=closed)
        if not _at(circle, one).agrees(_at(circle, other))
    ]


def crossed_sentence(circle: Circle, pairs: Sequence[tuple[int, int]]) -> list[str]:
    """Return a sentence for each crossed samba; spaces are counted from 1 there, as people do."""
    return [
        say(
            "{one} in space {first} and {other} in space {second} share no colour and no number.",
            one=_at(circle, one).instrument,
            first=one + 1,
            other=_at(circle, other).instrument,
            second=other + 1,
        )
        for one, other in pairs
    ]


def circle_json(circle: Circle) -> list[dict[str, Any] | None]:
    return [stack.as_json() if stack else None for stack in circle]


def read_circle(value: Any, field: str) -> Circle:
    """Return ten spaces, each null or `{"instrument", "colour", "numbers"}`; no instrument lies in two of them."""
    given = fields.entries(value, field, of=say("ten spaces"))
    if len(given) != SPACES:
        raise InvalidInput(
            "wrong_count",
            say("A circle has ten spaces, not {count}. Write null for an empty one.", count=len(given)),
            field,
        )
    circle: list[Stack | None] = []
    for at, one in enumerate(given):
        where = fields.inside(field, at)
        stack = None if one is None else _read_stack(one, where)
        if stack is not None:
            before = space_of(tuple(circle), stack.instrument)
            if before is not None:
                raise InvalidInput(
                    "instrument_twice",
                    say(
                        "{instrument} lies in spaces {first} and {second}; cards of one instrument are stacked in one "
                        "space. Put them together.",
                        instrument=stack.instrument,
                        first=before + 1,
                        second=at + 1,
                    ),
                    fields.inside(where, "instrument"),
                )
        circle.append(stack)
    return tuple(circle)


def _read_stack(value: Any, field: str) -> Stack:
    given = fields.record(value, field, needs=("instrument", "colour", "numbers"))
    return Stack(
        read_name(given["instrument"], fields.inside(field, "instrument")),
        colour_name(given["colour"], fields.inside(field, "colour")),
        read_numbers(given["numbers"], fields.inside(field, "numbers")),
    )


def _at(circle: Circle, space: int) -> Stack:
    stack = circle[space]
    assert stack is not None
    return stack
