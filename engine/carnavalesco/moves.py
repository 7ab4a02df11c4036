"""The moves: each a JSON object, read into a small value and back into its one written form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.carnavalesco.board import ELEMENTS, SPACES
from engine.carnavalesco.division import SUMS, Strip, read_division, read_strip
from engine.carnavalesco.setup import Setup
from engine.dice import Die
from engine.words import say

MOVES = ("roll", "take", "strip", "base", "next_parade", "retire")


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice drawn from the bag, as they lie."""

    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One die of the roll (by its number, from 0) and where it goes; `space` None is the first empty one."""

    die: int
    element: str
    space: int | None = None


@dataclass(frozen=True, slots=True)
class Take:
    """A school takes dice of the roll and places them."""

    seat: int
    places: tuple[Place, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "move": "take",
            "seat": self.seat,
            "places": [
                {"die": place.die, "element": place.element} | ({} if place.space is None else {"space": place.space})
                for place in self.places
            ],
        }


@dataclass(frozen=True, slots=True)
class CopyStrip:
    """The printed strip of a division, copied by the host."""

    division: str
    strip: Strip


@dataclass(frozen=True, slots=True)
class TypeBase:
    """A base mark read off the printed strip and typed by hand; None takes it back.

    `total` is the sum it was read for: when a die is corrected later and the sum changes, the base is `outdated` and
    asked for again.
    """

    seat: int
    element: str
    base: int | None
    total: int | None = None
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class NextParade:
    """A solo school goes on with its career: the board is cleared, and the division is the one it has earned."""


@dataclass(frozen=True, slots=True)
class Retire:
    """A solo school ends its career after a parade."""


AnyMove = Roll | Take | CopyStrip | TypeBase | NextParade | Retire


def read_move(value: Any, setup: Setup) -> AnyMove:
    """Return the move written as JSON. Raises `InvalidInput` when it cannot be understood at this table."""
    kind = value.get("move") if hasattr(value, "get") else None
    kind = fields.choice(kind, "move", MOVES, what=say("A move of Carnavalesco"), code="unknown_move")
    return _READERS[kind](value, setup)


def _read_roll(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "dice"), what=say("The move"))
    dice = fields.entries(given["dice"], "dice", of=say("dice"))
    read = tuple(fields.die(die, fields.inside("dice", at)) for at, die in enumerate(dice))
    for at, die in enumerate(read):
        fields.choice(
            die.colour, f"dice[{at}].colour", setup.colours, what=say("A die's colour"), code="unknown_colour"
        )
    return Roll(read)


def _read_take(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "seat", "places"), what=say("The move"))
    places = fields.entries(given["places"], "places", of=say("places"))
    return Take(
        fields.seat(given["seat"], "seat", setup.seats),
        tuple(_read_place(place, fields.inside("places", at)) for at, place in enumerate(places)),
    )


def _read_place(value: Any, field: str) -> Place:
    given = fields.record(value, field, needs=("die", "element"), may=("space",))
    space = given.get("space")
    if space is not None:
        space = fields.whole(space, f"{field}.space", low=0, high=SPACES - 1, what=say("A space"))
    return Place(
        fields.whole(given["die"], f"{field}.die", low=0, high=99, what=say("A die's number in the roll")),
        _read_element(given["element"], f"{field}.element"),
        space,
    )


def _read_copy(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "division", "numbers"), what=say("The move"))
    return CopyStrip(read_division(given["division"], "division"), read_strip(given["numbers"], "numbers"))


def _read_base(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(
        value, "", needs=("move", "seat", "element", "base"), may=("sum", "outdated"), what=say("The move")
    )
    base, total = given["base"], given.get("sum")
    return TypeBase(
        fields.seat(given["seat"], "seat", setup.seats),
        _read_element(given["element"], "element"),
        None if base is None else fields.whole(base, "base", low=0, high=10, what=say("A base mark")),
        None if total is None else fields.whole(total, "sum", low=SUMS[0], high=SUMS[-1], what=say("A sum")),
        fields.truth(given.get("outdated", False), "outdated", what="outdated"),
    )


def _read_next_parade(value: Any, setup: Setup) -> AnyMove:
    fields.record(value, "", needs=("move",), what=say("The move"))
    return NextParade()


def _read_retire(value: Any, setup: Setup) -> AnyMove:
    fields.record(value, "", needs=("move",), what=say("The move"))
    return Retire()


def _read_element(value: Any, field: str) -> str:
    return fields.choice(value, field, ELEMENTS, what=say("An element"), code="unknown_element")


_READERS = {
    "roll": _read_roll,
    "take": _read_take,
    "strip": _read_copy,
    "base": _read_base,
    "next_parade": _read_next_parade,
    "retire": _read_retire,
}
