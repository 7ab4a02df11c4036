"""House rules: the switches for what the rulebook leaves open, each with its default first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.carnavalesco import fields
from engine.carnavalesco.division import TABLE_KINDS
from engine.game import InvalidInput

HOUSE_RULES: Mapping[str, tuple[str | int, ...]] = {
    "division.table": TABLE_KINDS,
    "progression.ordered_spaces": ("off", "on"),
    "storyline.different": ("not_identical", "both"),
    "storyline.twin": ("presence", "physical"),
    "song.mode": ("per_die", "uniform"),
    "drums.check": ("all_values", "matching_only"),
    "couple.two_colours": ("strict", "loose"),
    "tiebreak.couple_colours": ("all", "best_two"),
    "seats.max": (4, 5),
}
"""Every switch with its values; the first is what holds when the table says nothing."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The switches as the rules ask for them."""

    division_table: str = "user"
    ordered_spaces: bool = False
    different_in_both: bool = False
    physical_twins: bool = False
    uniform_song: bool = False
    drums_matching_only: bool = False
    loose_couple: bool = False
    best_two_colours: bool = False
    seats_max: int = 4

    def as_json(self) -> dict[str, str | int]:
        """Return every switch with its value, as `read_house_rules` reads it."""
        return {
            "division.table": self.division_table,
            "progression.ordered_spaces": "on" if self.ordered_spaces else "off",
            "storyline.different": "both" if self.different_in_both else "not_identical",
            "storyline.twin": "physical" if self.physical_twins else "presence",
            "song.mode": "uniform" if self.uniform_song else "per_die",
            "drums.check": "matching_only" if self.drums_matching_only else "all_values",
            "couple.two_colours": "loose" if self.loose_couple else "strict",
            "tiebreak.couple_colours": "best_two" if self.best_two_colours else "all",
            "seats.max": self.seats_max,
        }


BY_THE_BOOK = HouseRules()
"""No house rule changed."""


def read_house_rules(value: Any, field: str = "house_rules") -> HouseRules:
    """Return the switches of `{"song.mode": "uniform", …}`; null or a switch left out means its default."""
    given = {} if value is None else fields.record(value, field, may=HOUSE_RULES)
    values = {
        key: _value(given[key], f"{field}.{key}", key) if key in given else known[0]
        for key, known in HOUSE_RULES.items()
    }
    return HouseRules(
        division_table=str(values["division.table"]),
        ordered_spaces=values["progression.ordered_spaces"] == "on",
        different_in_both=values["storyline.different"] == "both",
        physical_twins=values["storyline.twin"] == "physical",
        uniform_song=values["song.mode"] == "uniform",
        drums_matching_only=values["drums.check"] == "matching_only",
        loose_couple=values["couple.two_colours"] == "loose",
        best_two_colours=values["tiebreak.couple_colours"] == "best_two",
        seats_max=int(values["seats.max"]),
    )


def _value(value: Any, field: str, key: str) -> str | int:
    """Return the known value that `value` means; true and false stand for on and off."""
    known = HOUSE_RULES[key]
    if isinstance(value, bool):
        value = "on" if value else "off"
    for candidate in known:
        if value == candidate or (isinstance(value, str) and value == str(candidate)):
            return candidate
    raise InvalidInput(
        "unknown_value",
        f"The house rule {key} cannot be {fields.kind_of(value)}. Its values are: {', '.join(map(str, known))}.",
        field,
    )
