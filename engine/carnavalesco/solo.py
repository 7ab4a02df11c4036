"""Solo play: the three restrictions on taking dice, and the ladder of divisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.carnavalesco.division import DIVISIONS
from engine.dice import Die
from engine.words import Sentence, say, say_many

MOST_ALIKE = 2
"""The most dice of one value, of one colour, and in one element, that may be taken in a round without a counter."""

MOST_COUNTERS = 27
"""Three restrictions in each of nine rounds."""

FIRST_PLACE = 89
SECOND_PLACE = 88
RELEGATED = 79


def broken_restrictions(dice: Sequence[Die], elements: Sequence[str]) -> list[str]:
    """Return what the take of `dice` into `elements` breaks, 0 to 3 phrases; each costs one counter, no more."""
    broken: list[str] = []
    if _most(die.value for die in dice) > MOST_ALIKE:
        broken.append(say("more than two dice of one value"))
    if _most(die.colour for die in dice) > MOST_ALIKE:
        broken.append(say("more than two dice of one colour"))
    if _most(elements) > MOST_ALIKE:
        broken.append(say("more than two dice in one element"))
    return broken


def _most(things: Any) -> int:
    return max(Counter(things).values(), default=0)


@dataclass(frozen=True, slots=True)
class SoloResult:
    """`champion`, `promoted`, `stays` or `relegated`, and the division of the next parade."""

    result: str
    next_division: str

    def as_json(self) -> dict[str, str]:
        return {"result": self.result, "next_division": self.next_division}


def ladder(division: str, total: int) -> SoloResult:
    """Return the result of a parade in `division` that ended with `total`, counters already taken off."""
    step = DIVISIONS.index(division)
    if total >= FIRST_PLACE and division == DIVISIONS[-1]:
        return SoloResult("champion", division)
    if total >= SECOND_PLACE:
        if division == DIVISIONS[-1]:
            return SoloResult("stays", division)
        return SoloResult("promoted", DIVISIONS[step + 1])
    if total <= RELEGATED:
        return SoloResult("relegated", DIVISIONS[max(0, step - 1)])
    return SoloResult("stays", division)


def points(total: int) -> Sentence:
    """Return a total in words."""
    return say_many("{count} point", "{count} points", total)


def ladder_sentence(name: str, total: int, division: str) -> str:
    """Return the end of a solo parade in words."""
    result = ladder(division, total)
    values = {"name": name, "points": points(total), "division": division, "next": result.next_division}
    if result.result == "champion":
        return say("{name} comes first in division S with {points} and wins the championship.", **values)
    if result.result == "promoted" and total >= FIRST_PLACE:
        return say("{name} comes first with {points} and goes up to division {next}.", **values)
    if result.result == "promoted":
        return say("{name} comes second with {points} and goes up to division {next}.", **values)
    if result.result == "relegated" and result.next_division == division:
        return say(
            "{name} stays in division {division} with {points}, as there is no lower division.",
            **values,
        )
    if result.result == "relegated":
        return say("{name} is relegated with {points} to division {next}.", **values)
    if total >= SECOND_PLACE:
        return say("{name} comes second in division S with {points} and tries again there.", **values)
    return say("{name} stays in division {division} with {points}.", **values)
