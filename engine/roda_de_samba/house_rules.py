"""House rules: the switches for what the rulebook leaves open and for how much a table wants to enter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.rules import Switches, chosen, switched
from engine.words import say


@dataclass(frozen=True, slots=True)
class HouseRules(Switches):
    """Every switch; the first value of each holds when the table says nothing."""

    detail: str = chosen(
        "entry.detail",
        say("How much is entered"),
        say("Every move with its cards; only what is played into the circles; or the end scoring alone."),
        {"moves": say("Every move"), "circles": say("Circles and sambists"), "final": say("End scoring alone")},
    )
    ring_closed: bool = switched(
        "ring.closed",
        say("Closed ring"),
        say("On: the tenth space lies beside the first, so their instruments can cross."),
        {"on": say("On"), "off": say("Off")},
    )
    bonus_count: str = chosen(
        "bonus.count",
        say("Colour bonus counts"),
        say("Cards of the colour, or spaces with it; or it is typed by hand from the cards."),
        {"cards": say("Each card"), "spaces": say("Each space"), "manual": say("Typed by hand")},
    )
    guest_instrument: bool = switched(
        "bonus.guest_instrument",
        say("A sambist's own instrument in the colour bonus"),
        say(
            "On: what the sambist on top brings counts as one more card of its colour, and as one more space where "
            "that instrument does not lie in the circle."
        ),
        {"off": say("Off"), "on": say("On")},
    )
    copies_count: bool = switched(
        "invite.copies_count",
        say("Copies count for invitations"),
        say("Off: each icon asks for a different instrument. On: each card in a stack meets one icon."),
        {"off": say("Off"), "on": say("On")},
    )
    harmony_hint: bool = switched(
        "harmony.hint",
        say("Show crossed sambas during play"),
        say("They are counted at the end in any case."),
        {"on": say("On"), "off": say("Off")},
    )


RULES = HouseRules.rules()

BY_THE_BOOK = HouseRules()
"""No house rule changed."""


def read_house_rules(value: Any, field: str = "house_rules") -> HouseRules:
    """Return the switches of `{"bonus.count": "spaces", …}`; null or a switch left out means its default."""
    return HouseRules.read(value, field)
