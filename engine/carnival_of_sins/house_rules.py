"""House rules: the switches for what the rulebook leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import rules
from engine.rules import HouseRule
from engine.words import say

RULES: tuple[HouseRule, ...] = (
    HouseRule(
        "envy.when",
        say("When Envy copies"),
        say("Envy copies what the Devil has when the round is scored, or what the Devil has when Envy is revealed."),
        {"scoring": say("At scoring"), "reveal": say("At the reveal")},
    ),
    HouseRule(
        "envy.copies_penalty",
        say("Envy copies fallen dice"),
        say("On: a Devil who loses points by Wrath takes the envious players along."),
        {"on": say("On"), "off": say("Off")},
    ),
    HouseRule(
        "lust.optional",
        say("Lust may take nothing"),
        say("Off: when there is an odd-even pair, Lust must take one."),
        {"off": say("Off"), "on": say("On")},
    ),
    HouseRule(
        "wrath.fallen",
        say("Value of a fallen die"),
        say("A die that falls off the table costs what it shows where it lies, or what it showed before the throw."),
        {"shown": say("As it lies"), "before": say("As before the throw")},
    ),
    HouseRule(
        "wrath.white_counts",
        say("A fallen white die costs points"),
        say("On: any die counts, the white one too."),
        {"on": say("On"), "off": say("Off")},
    ),
    HouseRule(
        "final.second_tiebreak",
        say("When the best rounds tie too"),
        say("The victory is shared, or the next best rounds are compared."),
        {"shared": say("Shared victory"), "next_best": say("Next best round")},
    ),
    HouseRule(
        "memory.aid",
        say("Show played sins"),
        say("To remember what was played is part of the game, so it is hidden until the end."),
        {"off": say("Off"), "on": say("On")},
    ),
)
"""Every switch; the first value of each holds when the table says nothing."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The switches as the rules ask for them."""

    envy_when: str = "scoring"
    envy_copies_penalty: bool = True
    lust_optional: bool = False
    fallen: str = "shown"
    white_counts: bool = True
    second_tiebreak: str = "shared"
    memory_aid: bool = False

    def as_json(self) -> dict[str, str]:
        """Return every switch with its value, as `read_house_rules` reads it."""
        return {
            "envy.when": self.envy_when,
            "envy.copies_penalty": "on" if self.envy_copies_penalty else "off",
            "lust.optional": "on" if self.lust_optional else "off",
            "wrath.fallen": self.fallen,
            "wrath.white_counts": "on" if self.white_counts else "off",
            "final.second_tiebreak": self.second_tiebreak,
            "memory.aid": "on" if self.memory_aid else "off",
        }


BY_THE_BOOK = HouseRules()
"""No house rule changed."""


def read_house_rules(value: Any, field: str = "house_rules") -> HouseRules:
    """Return the switches of `{"envy.when": "reveal", …}`; null or a switch left out means its default."""
    values = rules.read_house_rules(value, RULES, field)
    return HouseRules(
        envy_when=str(values["envy.when"]),
        envy_copies_penalty=values["envy.copies_penalty"] == "on",
        lust_optional=values["lust.optional"] == "on",
        fallen=str(values["wrath.fallen"]),
        white_counts=values["wrath.white_counts"] == "on",
        second_tiebreak=str(values["final.second_tiebreak"]),
        memory_aid=values["memory.aid"] == "on",
    )
