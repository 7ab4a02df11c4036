"""House rules: the switches for what the rulebook leaves open, each with its default first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.rules import Switches, chosen, switched
from engine.words import say


@dataclass(frozen=True, slots=True)
class HouseRules(Switches):
    """Every switch; the first value of each holds when the table says nothing."""

    division_table: str = chosen(
        "division.table",
        say("Base marks"),
        say("Where the numbers of a division's strip come from."),
        {
            "user": say("Our printed strip"),
            "practice": say("Practice strip (made up)"),
            "manual": say("Typed by hand at the end"),
        },
    )
    ordered_spaces: bool = switched(
        "progression.ordered_spaces",
        say("Progression in order of the spaces"),
        say("Off: only which values lie there counts. On: they must also lie in order from the first space."),
        {"off": say("Off"), "on": say("On")},
    )
    different_in_both: bool = switched(
        "storyline.different",
        say("Different dice in Storyline"),
        say("Either the dice are not identical, or they must differ in colour and in value."),
        {"not_identical": say("Not identical"), "both": say("Colour and value")},
        on="both",
    )
    physical_twins: bool = switched(
        "storyline.twin",
        say("Twins for Storyline"),
        say("One die elsewhere may answer for two identical Storyline dice, or each needs its own."),
        {"presence": say("One is enough"), "physical": say("One each")},
        on="physical",
    )
    uniform_song: bool = switched(
        "song.mode",
        say("Theme Song by colour or value"),
        say("Each die may stand out by colour or by value, or all of them in the same way."),
        {"per_die": say("Each die for itself"), "uniform": say("All in one way")},
        on="uniform",
    )
    drums_matching_only: bool = switched(
        "drums.check",
        say("Drums against Harmony"),
        say("No value in Drums may be in Harmony at all, or only the matching ones are checked."),
        {"all_values": say("All values"), "matching_only": say("Matching only")},
        on="matching_only",
    )
    loose_couple: bool = switched(
        "couple.two_colours",
        say("The couple's other two dice"),
        say("They share one colour, or they are only not of the pair's colour."),
        {"strict": say("One shared colour"), "loose": say("Any other colours")},
        on="loose",
    )
    best_two_colours: bool = switched(
        "tiebreak.couple_colours",
        say("Third tie-break"),
        say("Count dice in every colour of the couple, or only in its two commonest."),
        {"all": say("All its colours"), "best_two": say("Two commonest")},
        on="best_two",
    )
    seats_max: int = chosen(
        "seats.max",
        say("Fifth school"),
        say("Only with the extra board and its dice. The rules for five are inferred: check your expansion sheet."),
        {4: say("Up to four"), 5: say("Five, we own the board")},
    )


RULES = HouseRules.rules()

BY_THE_BOOK = HouseRules()
"""No house rule changed."""


def read_house_rules(value: Any, field: str = "house_rules") -> HouseRules:
    """Return the switches of `{"song.mode": "uniform", …}`; null or a switch left out means its default."""
    return HouseRules.read(value, field)
