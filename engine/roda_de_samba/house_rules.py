"""House rules: the switches for what the rulebook leaves open and for how much a table wants to enter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import rules
from engine.rules import HouseRule
from engine.words import say

RULES: tuple[HouseRule, ...] = (
    HouseRule(
        "entry.detail",
        say("How much is entered"),
        say("Every move with its cards; only what is played into the circles; or the end scoring alone."),
        {"moves": say("Every move"), "circles": say("Circles and sambists"), "final": say("End scoring alone")},
    ),
    HouseRule(
        "ring.closed",
        say("Closed ring"),
        say("On: the tenth space lies beside the first, so their instruments can cross."),
        {"on": say("On"), "off": say("Off")},
    ),
    HouseRule(
        "bonus.count",
        say("Colour bonus counts"),
        say("Cards of the colour, or spaces with it; or it is typed by hand from the cards."),
        {"cards": say("Each card"), "spaces": say("Each space"), "manual": say("Typed by hand")},
    ),
    HouseRule(
        "bonus.guest_instrument",
        say("A sambist's own instrument in the colour bonus"),
        say("On: what the sambist on top brings counts as one more card of its colour."),
        {"off": say("Off"), "on": say("On")},
    ),
    HouseRule(
        "invite.copies_count",
        say("Copies count for invitations"),
        say("Off: each icon asks for a different instrument. On: each card in a stack meets one icon."),
        {"off": say("Off"), "on": say("On")},
    ),
    HouseRule(
        "harmony.hint",
        say("Show crossed sambas during play"),
        say("They are counted at the end in any case."),
        {"on": say("On"), "off": say("Off")},
    ),
)
"""Every switch; the first value of each holds when the table says nothing."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The switches as the rules ask for them."""

    detail: str = "moves"
    ring_closed: bool = True
    bonus_count: str = "cards"
    guest_instrument: bool = False
    copies_count: bool = False
    harmony_hint: bool = True

    def as_json(self) -> dict[str, str]:
        """Return every switch with its value, as `read_house_rules` reads it."""
        return {
            "entry.detail": self.detail,
            "ring.closed": "on" if self.ring_closed else "off",
            "bonus.count": self.bonus_count,
            "bonus.guest_instrument": "on" if self.guest_instrument else "off",
            "invite.copies_count": "on" if self.copies_count else "off",
            "harmony.hint": "on" if self.harmony_hint else "off",
        }


BY_THE_BOOK = HouseRules()
"""No house rule changed."""


def read_house_rules(value: Any, field: str = "house_rules") -> HouseRules:
    """Return the switches of `{"bonus.count": "spaces", …}`; null or a switch left out means its default."""
    values = rules.read_house_rules(value, RULES, field)
    return HouseRules(
        detail=str(values["entry.detail"]),
        ring_closed=values["ring.closed"] == "on",
        bonus_count=str(values["bonus.count"]),
        guest_instrument=values["bonus.guest_instrument"] == "on",
        copies_count=values["invite.copies_count"] == "on",
        harmony_hint=values["harmony.hint"] == "on",
    )
