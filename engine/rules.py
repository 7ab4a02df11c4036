"""House rules as typed data: every switch a game leaves open, its values with the default first, and its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.game import InvalidInput
from engine.words import row, say

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

    def as_json(self) -> dict[str, Any]:
        options = [{"value": value, "text": text} for value, text in self.values.items()]
        return {"key": self.key, "title": self.title, "why": self.why, "options": options}


def read_house_rules(value: Any, rules: Sequence[HouseRule], field: str = "house_rules") -> dict[str, Value]:
    """Return the value of every switch of `{"song.mode": "uniform", …}`; null or a switch left out means its default.

    `true` and `false` stand for `on` and `off`. Raises `InvalidInput` naming the switch.
    """
    given = {} if value is None else fields.record(value, field, may=[rule.key for rule in rules])
    return {
        rule.key: _value(given[rule.key], f"{field}.{rule.key}", rule) if rule.key in given else rule.default
        for rule in rules
    }


def _value(value: Any, field: str, rule: HouseRule) -> Value:
    if isinstance(value, bool):
        value = "on" if value else "off"
    for candidate in rule.values:
        if value == candidate or (isinstance(value, str) and value == str(candidate)):
            return candidate
    raise InvalidInput(
        "unknown_value",
        say(
            "The house rule {key} cannot be {given}. Its values are: {known}.",
            key=rule.key,
            given=fields.kind_of(value),
            known=row(map(str, rule.values)),
        ),
        field,
    )
