"""Fields of JSON input: one check each, and every complaint names the field at fault."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.dice import DiceError, Die, Shape, check_colour
from engine.game import InvalidInput, Path
from engine.words import quoted, row, say, shortened

_NAME_LENGTH = 60
_JOINER = "\u200d"  # joins emoji; phones type it, and it prints nothing of its own


def inside(field: str, key: str | int) -> str:
    """Return the path of `key` within `field`: `players[0].elements`."""
    if isinstance(key, int):
        return f"{field}[{key}]"
    return f"{field}.{key}" if field else key


def kind_of(value: Any) -> str:
    """Return what `value` is in JSON's own words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return say("true or false")
    if isinstance(value, str):
        return say("the text {text}", text=quoted(value))
    if isinstance(value, int | float):
        return say("the number {number}", number=shortened(str(value)))
    if isinstance(value, Sequence):
        return say("a list")
    return say("an object") if isinstance(value, Mapping) else say("something else")


def record(
    value: Any, field: str, *, needs: Collection[str] = (), may: Collection[str] = (), what: str = say("The document")
) -> Mapping[str, Any]:
    """Return `value` as an object that has every key of `needs` and no key outside `needs` and `may`.

    `what` names it in complaints when it is the whole input and so has no `field`.
    """
    where = Path(field) if field else what
    if not isinstance(value, Mapping):
        raise InvalidInput(
            "bad_type", say("{where} must be an object, not {given}.", where=where, given=kind_of(value)), field or None
        )
    for key in value:
        if key not in needs and key not in may:
            raise InvalidInput(
                "unknown_field",
                say(
                    "{where} has no field {key}. The fields are: {known}.",
                    where=where,
                    key=quoted(key),
                    known=row(dict.fromkeys([*needs, *may])),
                ),
                inside(field, str(key)),
            )
    for key in needs:
        if key not in value:
            raise InvalidInput(
                "missing_field", say("{where} lacks {key}. Add it.", where=where, key=repr(key)), inside(field, key)
            )
    return value


def entries(value: Any, field: str, *, of: str) -> Sequence[Any]:
    """Return `value` as a list; `of` names what it should hold, for the complaint."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        message = say(
            "A list of {of} was expected at {field}, not {given}.", of=of, field=Path(field), given=kind_of(value)
        )
        raise InvalidInput("bad_type", message, field)
    return value


def whole(value: Any, field: str, *, low: int, high: int, what: str) -> int:
    """Return `value` as a whole number in low..high; `true` is no number."""
    if isinstance(value, bool) or not isinstance(value, int):
        message = say(
            "{what} must be a whole number from {low} to {high}, not {given}.",
            what=what,
            low=low,
            high=high,
            given=kind_of(value),
        )
        raise InvalidInput("bad_type", message, field)
    if not low <= value <= high:
        message = say(
            "{what} must lie from {low} to {high}; {value} does not.",
            what=what,
            low=low,
            high=high,
            value=quoted(value),
        )
        raise InvalidInput("out_of_range", message, field)
    return value


def choice(value: Any, field: str, known: Collection[str], *, what: str, code: str = "unknown_value") -> str:
    """Return `value` when it is one of `known`, else complain and name them."""
    if not isinstance(value, str) or value not in known:
        message = say("{what} cannot be {given}. Known are: {known}.", what=what, given=quoted(value), known=row(known))
        raise InvalidInput(code, message, field)
    return value


def truth(value: Any, field: str, *, what: str) -> bool:
    """Return `value` when it is true or false."""
    if not isinstance(value, bool):
        message = say("{what} must be true or false, not {given}.", what=what, given=kind_of(value))
        raise InvalidInput("bad_type", message, field)
    return value


def name(value: Any, field: str) -> str:
    """Return a school's or player's name: printable text, not blank, at most 60 characters."""
    if not isinstance(value, str):
        raise InvalidInput("bad_type", say("A name must be text, not {given}.", given=kind_of(value)), field)
    if not value.strip() or not value.replace(_JOINER, "").isprintable() or len(value) > _NAME_LENGTH:
        raise InvalidInput(
            "bad_name",
            say("A name must be printable text of 1 to {most} characters. Choose another one.", most=_NAME_LENGTH),
            field,
        )
    return value


def seat(value: Any, field: str, seats: int) -> int:
    """Return the number of one of so many seats, from 0."""
    return whole(value, field, low=0, high=seats - 1, what=say("A seat"))


def check_names(names: Sequence[str], field: str, inside_each: str = ".name") -> None:
    """Complain about the first name that is there twice; it lies in `inside_each` of an entry of `field`."""
    at = first_repeated(names)
    if at is not None:
        raise InvalidInput(
            "duplicate_name",
            say("Two players are called {name}, and nobody could tell them apart. Rename one.", name=repr(names[at])),
            f"{inside(field, at)}{inside_each}",
        )


def first_repeated(names: Sequence[str]) -> int | None:
    """Return the place of the first name that stands before it already, whatever its capitals; None when all differ."""
    seen: set[str] = set()
    for at, one in enumerate(names):
        plain = one.strip().casefold()
        if plain in seen:
            return at
        seen.add(plain)
    return None


def colour(value: Any, field: str) -> str:
    """Return a colour's name."""
    if not isinstance(value, str) or not value:
        raise InvalidInput(
            "bad_colour", say("The name of a colour belongs here, not {given}.", given=kind_of(value)), field
        )
    try:
        return check_colour(value)
    except DiceError as error:
        raise InvalidInput("bad_colour", error.args[0], field) from error


def die(value: Any, field: str) -> Die:
    """Return a six-sided die from `{"colour", "value"}` (and, at most, `"shape": "d6"`)."""
    fields = record(value, field, needs=("colour", "value"), may=("shape",))
    shape = fields.get("shape", Shape.D6.value)
    if shape != Shape.D6.value:
        raise InvalidInput(
            "wrong_shape",
            say("This game is played with six-sided dice; {given} is no d6. Take that die away.", given=kind_of(shape)),
            inside(field, "shape"),
        )
    return Die(
        colour(fields["colour"], inside(field, "colour")),
        whole(fields["value"], inside(field, "value"), low=1, high=6, what=say("A d6's value")),
    )


def die_json(die: Die) -> dict[str, Any]:
    """Return what `die` reads back."""
    return {"colour": die.colour, "value": die.value}
