"""Fields of JSON input: one check each, and every complaint names the field at fault."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.dice import DiceError, Die, Shape, check_colour
from engine.game import InvalidInput

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
        return "true or false"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, Sequence) else "an object" if isinstance(value, Mapping) else "no JSON"


def record(
    value: Any, field: str, *, needs: Collection[str] = (), may: Collection[str] = (), what: str = "The document"
) -> Mapping[str, Any]:
    """Return `value` as an object that has every key of `needs` and no key outside `needs` and `may`.

    `what` names it in complaints when it is the whole input and so has no `field`.
    """
    where = field or what
    if not isinstance(value, Mapping):
        raise InvalidInput("bad_type", f"{where} must be an object, not {kind_of(value)}.", field or None)
    for key in value:
        if key not in needs and key not in may:
            known = ", ".join([*needs, *may])
            raise InvalidInput(
                "unknown_field",
                f"{where} has no field {key!r}. The fields are: {known}.",
                inside(field, str(key)),
            )
    for key in needs:
        if key not in value:
            raise InvalidInput("missing_field", f"{where} lacks {key!r}. Add it.", inside(field, key))
    return value


def entries(value: Any, field: str, *, of: str) -> Sequence[Any]:
    """Return `value` as a list; `of` names what it should hold, for the complaint."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence):
        raise InvalidInput("bad_type", f"A list of {of} was expected at {field}, not {kind_of(value)}.", field)
    return value


def whole(value: Any, field: str, *, low: int, high: int, what: str) -> int:
    """Return `value` as a whole number in low..high; `true` is no number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(
            "bad_type", f"{what} must be a whole number from {low} to {high}, not {kind_of(value)}.", field
        )
    if not low <= value <= high:
        raise InvalidInput("out_of_range", f"{what} must lie from {low} to {high}; {value} does not.", field)
    return value


def choice(value: Any, field: str, known: Collection[str], *, what: str, code: str = "unknown_value") -> str:
    """Return `value` when it is one of `known`, else complain and name them."""
    if not isinstance(value, str) or value not in known:
        raise InvalidInput(code, f"{what} cannot be {kind_of(value)}. Known are: {', '.join(known)}.", field)
    return value


def truth(value: Any, field: str, *, what: str) -> bool:
    """Return `value` when it is true or false."""
    if not isinstance(value, bool):
        raise InvalidInput("bad_type", f"{what} must be true or false, not {kind_of(value)}.", field)
    return value


def name(value: Any, field: str) -> str:
    """Return a school's or player's name: printable text, not blank, at most 60 characters."""
    if not isinstance(value, str):
        raise InvalidInput("bad_type", f"A name must be text, not {kind_of(value)}.", field)
    if not value.strip() or not value.replace(_JOINER, "").isprintable() or len(value) > _NAME_LENGTH:
        raise InvalidInput(
            "bad_name",
            f"A name must be printable text of 1 to {_NAME_LENGTH} characters. Choose another one.",
            field,
        )
    return value


def colour(value: Any, field: str) -> str:
    """Return a colour's name."""
    try:
        return check_colour(value)
    except DiceError as error:
        raise InvalidInput("bad_colour", str(error), field) from error


def die(value: Any, field: str) -> Die:
    """Return a six-sided die from `{"colour", "value"}` (and, at most, `"shape": "d6"`)."""
    fields = record(value, field, needs=("colour", "value"), may=("shape",))
    shape = fields.get("shape", Shape.D6.value)
    if shape != Shape.D6.value:
        raise InvalidInput(
            "wrong_shape",
            f"Carnavalesco is played with six-sided dice; {kind_of(shape)} is no d6. Take that die away.",
            inside(field, "shape"),
        )
    return Die(
        colour(fields["colour"], inside(field, "colour")),
        whole(fields["value"], inside(field, "value"), low=1, high=6, what="A d6's value"),
    )


def die_json(die: Die) -> dict[str, Any]:
    """Return what `die` reads back."""
    return {"colour": die.colour, "value": die.value}
