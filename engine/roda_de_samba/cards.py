"""The cards: instruments, malandros and sambists, and how each is written as JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from engine import fields as read
from engine.dice import one_spelling
from engine.game import InvalidInput
from engine.words import say

NUMBERS = (1, 9)
"""The numbers a card may carry; those that are known of run from 1 to 4, and the table owns the deck."""

ANY_OF = "?"
"""Before a colour, in what a sambist needs: any instrument of that colour."""

NEEDS = 4
"""How many instruments a sambist asks for (rulebook, Invite sambists to your circle)."""

PER = ("card", "space", "fixed")
"""What a colour bonus counts: each card of the colour, each space (different instrument) of it, or nothing."""

ACTIONS = ("no_discard", "draw", "malandro")
"""Special actions, done at once and once only: no discard this turn; a card drawn; a malandro's action, no discard."""

HELPS = ("any", "women")
"""Whom a sambist on top helps with any one instrument: every other sambist, or women."""


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """Return `name` as names are compared: without accents, capitals and spaces at its ends."""
    plain = unicodedata.normalize("NFKD", name.strip().casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card of the instrument deck: an instrument with its number."""

    instrument: str
    number: int


MALANDRO = Card("malandro", 0)
"""Malandros are all alike."""


@dataclass(frozen=True, slots=True)
class Instrument:
    """An instrument of the deck: its colour (None: not known yet) and the number on each of its cards."""

    name: str
    colour: str | None = None
    numbers: tuple[int, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether all is told that a complete deck holds of it."""
        return self.colour is not None and bool(self.numbers)

    def as_json(self) -> dict[str, Any]:
        return {"name": self.name, "colour": self.colour, "numbers": list(self.numbers)}


@dataclass(frozen=True, slots=True)
class ColourBonus:
    """Points that a sambist adds at the end, for each card or space of a colour, or as they are (`fixed`)."""

    colour: str
    per: str = "card"
    points: int = 1

    def as_json(self) -> dict[str, Any]:
        return {"colour": self.colour, "per": self.per, "points": self.points}


@dataclass(frozen=True, slots=True)
class Brought:
    """The instrument that a sambist brings; its colour may stand in the deck instead."""

    instrument: str
    colour: str | None = None

    def as_json(self) -> str | dict[str, Any]:
        if self.colour is None:
            return self.instrument
        return {"instrument": self.instrument, "colour": self.colour}


@dataclass(frozen=True, slots=True)
class Sambist:
    """A sambist's card; None is what nobody has told yet (or, from `colour_bonus` on, what the card does not have).

    `needs` holds instruments' names and `?colour` for any instrument of a colour: `NEEDS` of them, or fewer while the
    rest is not told.
    """

    name: str
    stars: int | None = None
    needs: tuple[str, ...] | None = None
    woman: bool | None = None
    colour_bonus: tuple[ColourBonus, ...] | None = None
    brings: Brought | None = None
    action: str | None = None
    helps: str | None = None

    @property
    def needs_told(self) -> bool:
        return self.needs is not None and len(self.needs) == NEEDS

    @property
    def whole(self) -> bool:
        """Whether all is told that a complete deck holds of the card."""
        return self.stars is not None and self.needs_told

    def told(self, other: Sambist) -> Sambist:
        """Return this card with all that `other` tells of it."""
        news = {one.name: value for one in fields(other) if (value := getattr(other, one.name)) is not None}
        return replace(self, **{**news, "name": self.name})

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "stars": self.stars,
            "needs": None if self.needs is None else list(self.needs),
            "woman": self.woman,
            "colour_bonus": _bonuses_json(self.colour_bonus or ()),
            "brings": self.brings.as_json() if self.brings else None,
            "action": self.action,
            "helps": self.helps,
        }


def read_name(value: Any, field: str) -> str:
    """Return a card's name: printable text that is not the word malandro and begins with no question mark."""
    name = read.name(value, field).strip()
    if name.startswith(ANY_OF) or folded(name) == MALANDRO.instrument:
        raise InvalidInput(
            "bad_name",
            say("{name} cannot be the name of an instrument or a sambist. Choose another one.", name=name),
            field,
        )
    return name


def read_number(value: Any, field: str) -> int:
    return read.whole(value, field, low=NUMBERS[0], high=NUMBERS[1], what=say("The number of an instrument card"))


def read_numbers(value: Any, field: str, *, some: bool = True) -> tuple[int, ...]:
    """Return the numbers on cards, sorted; when `some`, there must be at least one."""
    numbers = read.entries(value, field, of=say("numbers"))
    if some and not numbers:
        raise InvalidInput("no_cards", say("At least one card is needed here. Give its number."), field)
    return tuple(sorted(read_number(one, read.inside(field, at)) for at, one in enumerate(numbers)))


def read_instrument(value: Any, field: str) -> Instrument:
    """Return `{"name", "colour", "numbers"}`; colour and numbers may be left out while they are not known."""
    given = read.record(value, field, needs=("name",), may=("colour", "numbers"))
    return Instrument(
        read_name(given["name"], read.inside(field, "name")),
        read_colour(given.get("colour"), read.inside(field, "colour")),
        read_numbers(given.get("numbers", ()), read.inside(field, "numbers"), some=False),
    )


def read_colour(value: Any, field: str) -> str | None:
    """Return a colour's name; null stays None."""
    return None if value is None else colour_name(value, field)


def colour_name(value: Any, field: str) -> str:
    """Return a colour's name; one that is told in Portuguese or Spanish is the same colour as in English."""
    return one_spelling(read.colour(value, field))


def read_sambist(value: Any, field: str) -> Sambist:
    """Return a sambist from a name alone or `{"name", "stars", "colour_bonus", …}`; what is left out is not known."""
    if isinstance(value, str):
        return Sambist(read_name(value, field))
    if not isinstance(value, Mapping):
        message = say("A sambist is told by name, or by the whole card, not by {given}.", given=read.kind_of(value))
        raise InvalidInput("bad_type", message, field)
    may = ("stars", "needs", "woman", "colour_bonus", "brings", "action", "helps")
    given = read.record(value, field, needs=("name",), may=may)

    def at(key: str) -> str:
        return read.inside(field, key)

    name = read_name(given["name"], at("name"))
    stars, woman, needs = given.get("stars"), given.get("woman"), given.get("needs")
    action, helps = given.get("action"), given.get("helps")
    return Sambist(
        name,
        None if stars is None else read.whole(stars, at("stars"), low=0, high=99, what=say("The stars of a sambist")),
        None if needs is None else _read_needs(needs, at("needs")),
        None if woman is None else read.truth(woman, at("woman"), what=say("Whether the sambist is a woman")),
        _read_bonuses(given.get("colour_bonus"), at("colour_bonus")),
        _read_brought(given.get("brings"), at("brings")),
        None if action is None else read.choice(action, at("action"), ACTIONS, what=say("The special action")),
        None if helps is None else read.choice(helps, at("helps"), HELPS, what=say("Whom the sambist helps to invite")),
    )


def _read_needs(value: Any, field: str) -> tuple[str, ...]:
    needs = read.entries(value, field, of=say("instruments"))
    if not 1 <= len(needs) <= NEEDS:
        raise InvalidInput(
            "wrong_count",
            say("A sambist asks for four instruments, not {count}. Look at the card again.", count=len(needs)),
            field,
        )
    return tuple(_read_need(one, read.inside(field, at)) for at, one in enumerate(needs))


def _read_need(value: Any, field: str) -> str:
    if value == ANY_OF:
        raise InvalidInput("bad_colour", say("A question mark needs its colour, for instance ?yellow."), field)
    if isinstance(value, str) and value.startswith(ANY_OF):
        return ANY_OF + colour_name(value[len(ANY_OF) :], field)
    return read_name(value, field)


def _read_bonuses(value: Any, field: str) -> tuple[ColourBonus, ...] | None:
    """Return the colour bonuses of a card, of which there is one or, in a list, several; none is None."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        return (_read_bonus(value, field),)
    given = read.entries(value, field, of=say("colour bonuses"))
    return tuple(_read_bonus(one, read.inside(field, at)) for at, one in enumerate(given)) or None


def _bonuses_json(bonuses: Sequence[ColourBonus]) -> Any:
    """Return what `_read_bonuses` reads back."""
    several = [one.as_json() for one in bonuses]
    return several if len(several) > 1 else several[0] if several else None


def _read_bonus(value: Any, field: str) -> ColourBonus:
    given = read.record(value, field, needs=("colour", "points"), may=("per",))
    return ColourBonus(
        colour_name(given["colour"], read.inside(field, "colour")),
        read.choice(given.get("per", PER[0]), read.inside(field, "per"), PER, what=say("What a colour bonus counts")),
        read.whole(
            given["points"], read.inside(field, "points"), low=0, high=99, what=say("The points of a colour bonus")
        ),
    )


def _read_brought(value: Any, field: str) -> Brought | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        return Brought(read_name(value, field))
    given = read.record(value, field, needs=("instrument",), may=("colour",))
    return Brought(
        read_name(given["instrument"], read.inside(field, "instrument")),
        read_colour(given.get("colour"), read.inside(field, "colour")),
    )
