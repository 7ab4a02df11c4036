"""House rules: the switches for what the rulebook leaves open, each with its default first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import rules
from engine.rules import HouseRule
from engine.words import say

RULES: tuple[HouseRule, ...] = (
    HouseRule(
        "division.table",
        say("Base marks"),
        say("Where the numbers of a division's strip come from."),
        {
            "user": say("Our printed strip"),
            "practice": say("Practice strip (made up)"),
            "manual": say("Typed by hand at the end"),
        },
    ),
    HouseRule(
        "progression.ordered_spaces",
        say("Progression in order of the spaces"),
        say("Off: only which values lie there counts. On: they must also lie in order from the first space."),
        {"off": say("Off"), "on": say("On")},
    ),
    HouseRule(
        "storyline.different",
        say("Different dice in Storyline"),
        say("Either the dice are not identical, or they must differ in colour and in value."),
        {"not_identical": say("Not identical"), "both": say("Colour and value")},
    ),
    HouseRule(
        "storyline.twin",
        say("Twins for Storyline"),
        say("One die elsewhere may answer for two identical Storyline dice, or each needs its own."),
        {"presence": say("One is enough"), "physical": say("One each")},
    ),
    HouseRule(
        "song.mode",
        say("Theme Song by colour or value"),
        say("Each die may stand out by colour or by value, or all of them in the same way."),
        {"per_die": say("Each die for itself"), "uniform": say("All in one way")},
    ),
    HouseRule(
        "drums.check",
        say("Drums against Harmony"),
        say("No value in Drums may be in Harmony at all, or only the matching ones are checked."),
        {"all_values": say("All values"), "matching_only": say("Matching only")},
    ),
    HouseRule(
        "couple.two_colours",
        say("The couple's other two dice"),
        say("They share one colour, or they are only not of the pair's colour."),
        {"strict": say("One shared colour"), "loose": say("Any other colours")},
    ),
    HouseRule(
        "tiebreak.couple_colours",
        say("Third tie-break"),
        say("Count dice in every colour of the couple, or only in its two commonest."),
        {"all": say("All its colours"), "best_two": say("Two commonest")},
    ),
    HouseRule(
        "seats.max",
        say("Fifth school"),
        say("Only with the extra board and its dice. The rules for five are inferred: check your expansion sheet."),
        {4: say("Up to four"), 5: say("Five, we own the board")},
    ),
)
"""Every switch; the first value of each holds when the table says nothing."""


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
    values = rules.read_house_rules(value, RULES, field)
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
