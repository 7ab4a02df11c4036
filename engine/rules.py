"""House rules as typed data: every switch a game leaves open, its values with the default first, and its words."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from engine import fields
from engine.game import InvalidInput
from engine.words import quoted, row, say

Value = str | int


@dataclass(frozen=True, slots=True)
class HouseRule:
    """One switch: `values` maps each value to the words for it, the default first; `title` and `why` explain it."""

    key: str
    title: str
    why: str
    values: Mapping[Value, str]

    @property
    def default(self) -> Value:
        return next(iter(self.values))

    def read(self, value: Any, field: str) -> Value:
        """Return the value that is meant; `true` and `false` stand for `on` and `off`. Raises `InvalidInput`."""
        meant = ("on" if value else "off") if isinstance(value, bool) else value
        for candidate in self.values:
            if meant == candidate or (isinstance(meant, str) and meant == str(candidate)):
                return candidate
        raise InvalidInput(
            "unknown_value",
            say(
                "The house rule {key} cannot be {given}. Its values are: {known}.",
                key=self.key,
                given=quoted(value),
                known=row(map(str, self.values)),
            ),
            field,
        )

    def as_json(self) -> dict[str, Any]:
        options = [{"value": value, "text": text} for value, text in self.values.items()]
        return {"key": self.key, "title": self.title, "why": self.why, "options": options}


def chosen(key: str, title: str, why: str, values: Mapping[Value, str]) -> Any:
    """Return the field of a `Switches` that holds the value of a house rule as it is written."""
    rule = HouseRule(key, title, why, values)
    return dataclasses.field(default=rule.default, metadata={"rule": rule})


def switched(key: str, title: str, why: str, values: Mapping[Value, str], *, on: Value = "on") -> Any:
    """Return the field of a `Switches` that is true where a house rule of two values has the value `on`."""
    rule = HouseRule(key, title, why, values)
    (off,) = set(values) - {on}
    return dataclasses.field(default=rule.default == on, metadata={"rule": rule, "written": {True: on, False: off}})


@dataclass(frozen=True, slots=True)
class Switches:
    """The house rules of one game as its rules ask for them: a frozen dataclass of `chosen` and `switched` fields."""

    @classmethod
    def rules(cls) -> tuple[HouseRule, ...]:
        """Return every switch, in order."""
        return tuple(field.metadata["rule"] for field in dataclasses.fields(cls))

    @classmethod
    def read(cls, value: Any, field: str = "house_rules") -> Self:
        """Return the switches of `{"song.mode": "uniform", …}`; null or a switch left out means its default.

        `true` and `false` stand for `on` and `off`. Raises `InvalidInput` naming the switch.
        """
        given = {} if value is None else fields.record(value, field, may=[rule.key for rule in cls.rules()])
        held: dict[str, Any] = {}
        for one in dataclasses.fields(cls):
            rule: HouseRule = one.metadata["rule"]
            if rule.key in given:
                chosen_value = rule.read(given[rule.key], f"{field}.{rule.key}")
                written = one.metadata.get("written")
                held[one.name] = chosen_value == written[True] if written else chosen_value
        return cls(**held)

    def as_json(self) -> dict[str, Value]:
        """Return every switch with its value, as `read` reads it."""
        return {one.metadata["rule"].key: _written(one, getattr(self, one.name)) for one in dataclasses.fields(self)}


def _written(field: dataclasses.Field[Any], held: Any) -> Value:
    written: Mapping[bool, Value] | None = field.metadata.get("written")
    value: Value = held if written is None else written[held]
    return value
