"""House rules: the switches for what the rulebook leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.rules import Switches, chosen, switched
from engine.words import say


@dataclass(frozen=True, slots=True)
class HouseRules(Switches):
    """Every switch; the first value of each holds when the table says nothing."""

    envy_when: str = chosen(
        "envy.when",
        say("When Envy copies"),
        say("Envy copies what the Devil has when the round is scored, or what the Devil has when Envy is revealed."),
        {"scoring": say("At scoring"), "reveal": say("At the reveal")},
    )
    envy_copies_penalty: bool = switched(
        "envy.copies_penalty",
        say("Envy copies fallen dice"),
        say("On: a Devil who loses points by Wrath takes the envious players along."),
        {"on": say("On"), "off": say("Off")},
    )
    lust_optional: bool = switched(
        "lust.optional",
        say("Lust may take nothing"),
        say("Off: when there is an odd-even pair, Lust must take one."),
        {"off": say("Off"), "on": say("On")},
    )
    fallen: str = chosen(
        "wrath.fallen",
        say("Value of a fallen die"),
        say("A die that falls off the table costs what it shows where it lies, or what it showed before the throw."),
        {"shown": say("As it lies"), "before": say("As before the throw")},
    )
    white_counts: bool = switched(
        "wrath.white_counts",
        say("A fallen white die costs points"),
        say("On: any die counts, the white one too."),
        {"on": say("On"), "off": say("Off")},
    )
    second_tiebreak: str = chosen(
        "final.second_tiebreak",
        say("When the best rounds tie too"),
        say("The victory is shared, or the next best rounds are compared."),
        {"shared": say("Shared victory"), "next_best": say("Next best round")},
    )
    memory_aid: bool = switched(
        "memory.aid",
        say("Show played sins"),
        say("To remember what was played is part of the game, so it is hidden until the end."),
        {"off": say("Off"), "on": say("On")},
    )


RULES = HouseRules.rules()

BY_THE_BOOK = HouseRules()
"""No house rule changed."""


def read_house_rules(value: Any, field: str = "house_rules") -> HouseRules:
    """Return the switches of `{"envy.when": "reveal", …}`; null or a switch left out means its default."""
    return HouseRules.read(value, field)
