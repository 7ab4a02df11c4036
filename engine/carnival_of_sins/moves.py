"""The moves: each a JSON object, read into a small value and back into its one written form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.carnival_of_sins.setup import Setup
from engine.carnival_of_sins.sins import BLACK, DICE, SINS, WHITE
from engine.carnival_of_sins.state import read_place, read_value
from engine.dice import Die, Shape
from engine.game import InvalidInput, Place
from engine.words import named, row, say

MOVES = ("roll", "again", "reveal", "knock", "fall", "pride")


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice as they lie: their names, values and, where known, places, in the order of the picture."""

    names: tuple[str, ...]
    values: tuple[int, ...]
    places: tuple[Place | None, ...]


@dataclass(frozen=True, slots=True)
class Again:
    """The Devil rolls all dice again (`die` None), or one that lay unclear."""

    die: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"move": "again"} | ({} if self.die is None else {"die": self.die})


@dataclass(frozen=True, slots=True)
class Reveal:
    """A sin is revealed; `dice` are those it takes (Wrath: throws), None when there is only one choice.

    `agreed`: the table lets it stand although the sin does not take these dice, or another has the Devil Card.
    """

    seat: int
    sin: str
    dice: tuple[str, ...] | None = None
    agreed: bool = False

    def as_json(self) -> dict[str, Any]:
        dice = {} if self.dice is None else {"dice": list(self.dice)}
        agreed = {"agreed": True} if self.agreed else {}
        return {"move": "reveal", "seat": self.seat, "sin": self.sin} | dice | agreed


@dataclass(frozen=True, slots=True)
class Knock:
    """Wrath's throw hit another die, which shows a new value."""

    die: str

    def as_json(self) -> dict[str, Any]:
        return {"move": "knock", "die": self.die}


@dataclass(frozen=True, slots=True)
class Fall:
    """A die fell off the table by Wrath's throw and showed `value` there; None when it could not be read."""

    die: str
    value: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {"move": "fall", "die": self.die} | ({} if self.value is None else {"value": self.value})


@dataclass(frozen=True, slots=True)
class Pride:
    """A proud player takes one of the dice that are left."""

    seat: int
    die: str

    def as_json(self) -> dict[str, Any]:
        return {"move": "pride", "seat": self.seat, "die": self.die}


Legal = Again | Reveal | Knock | Fall | Pride
AnyMove = Roll | Legal


def read_move(value: Any, setup: Setup) -> AnyMove:
    """Return the move written as JSON. Raises `InvalidInput` when it cannot be understood at this table."""
    kind = value.get("move") if hasattr(value, "get") else None
    what = say("The move")
    match kind:
        case "roll":
            given = fields.record(value, "", needs=("move", "dice"), what=what)
            return _read_roll(given["dice"])
        case "again":
            given = fields.record(value, "", needs=("move",), may=("die",), what=what)
            return Again(None if given.get("die") is None else _read_die(given["die"], "die", DICE))
        case "reveal":
            given = fields.record(value, "", needs=("move", "seat", "sin"), may=("dice", "agreed"), what=what)
            return Reveal(
                fields.seat(given["seat"], "seat", setup.seats),
                fields.choice(given["sin"], "sin", SINS, what=say("A sin")),
                _read_taken(given.get("dice")),
                fields.truth(given.get("agreed", False), "agreed", what=say("What the table agrees to")),
            )
        case "knock":
            given = fields.record(value, "", needs=("move", "die"), what=what)
            return Knock(_read_die(given["die"], "die", DICE))
        case "fall":
            given = fields.record(value, "", needs=("move", "die"), may=("value",), what=what)
            die = _read_die(given["die"], "die", DICE)
            shown = given.get("value")
            return Fall(die, None if shown is None else read_value(shown, "value", die))
        case "pride":
            given = fields.record(value, "", needs=("move", "seat", "die"), what=what)
            return Pride(fields.seat(given["seat"], "seat", setup.seats), _read_die(given["die"], "die", BLACK))
    raise InvalidInput(
        "unknown_move",
        say(
            "A move cannot be {move}. The moves of Carnival of Sins are: {moves}.",
            move=fields.kind_of(kind),
            moves=row(MOVES),
        ),
        "move",
    )


def _read_die(value: Any, field: str, known: tuple[str, ...]) -> str:
    return fields.choice(value, field, known, what=say("A die"), code="unknown_die")


def _read_taken(value: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    given = fields.entries(value, "dice", of=say("dice"))
    dice = [_read_die(die, fields.inside("dice", at), BLACK) for at, die in enumerate(given)]
    for at, die in enumerate(dice):
        if die in dice[:at]:
            raise InvalidInput(
                "die_twice", say("The {die} is named twice. Name each die once.", die=die), fields.inside("dice", at)
            )
    return tuple(die for die in BLACK if die in dice)


def _read_roll(value: Any) -> Roll:
    names: list[str] = []
    values: list[int] = []
    places: list[Place | None] = []
    for at, die in enumerate(fields.entries(value, "dice", of=say("dice"))):
        where = fields.inside("dice", at)
        given = fields.record(die, where, needs=("colour", "shape", "value"), may=("place",))
        name = _name(given, where)
        names.append(name)
        values.append(read_value(given["value"], fields.inside(where, "value"), name))
        places.append(read_place(given.get("place"), fields.inside(where, "place")))
    return Roll(tuple(names), tuple(values), tuple(places))


def _name(given: Any, where: str) -> str:
    """Return which of the seven dice this is."""
    colour = fields.colour(given["colour"], fields.inside(where, "colour"))
    shape = fields.choice(given["shape"], fields.inside(where, "shape"), BLACK, what=say("The shape of a die"))
    if colour == "black":
        return shape
    if colour == WHITE and shape == Shape.D6.value:
        return WHITE
    raise InvalidInput(
        "unknown_die",
        say(
            "A {colour} {shape} is none of the dice. There are six black dice, one of each shape, and a white d6.",
            colour=named(colour),
            shape=shape,
        ),
        fields.inside(where, "colour"),
    )


def rolled(die: Die, place: Place | None = None) -> dict[str, Any]:
    """Return a die as a `roll` has it."""
    seen: dict[str, Any] = {"colour": die.colour, "shape": die.shape.value, "value": die.value}
    return seen if place is None else {**seen, "place": list(place)}
