"""The judges' marks for one board: perfect or base plus bonus, each with its reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from engine.carnavalesco import elements as rules_of
from engine.carnavalesco.board import ELEMENT_NAMES, SPACES, Board
from engine.carnavalesco.division import LEAST_SUM, Strip
from engine.carnavalesco.elements import PERFECT, Finding
from engine.carnavalesco.house_rules import BY_THE_BOOK, HouseRules
from engine.carnavalesco.reach import still_possible
from engine.dice import Die, value_of
from engine.words import Sentence, joined, say


@dataclass(frozen=True, slots=True)
class Jury:
    """What the judges need beside the board: the school's division and strip, bases typed by hand, the house rules.

    `table` is `user`, `practice` or `manual`; `official` holds the school's two colours in solo play.
    """

    rules: HouseRules = BY_THE_BOOK
    division: str = "D"
    table: str = "user"
    strip: Strip | None = None
    typed: Mapping[str, int] = field(default_factory=dict)
    official: tuple[str, str] | None = None

    def base(self, element: str, total: int) -> int | None:
        """Return the base mark for the sum `total` in `element`, None when it is not known yet."""
        if element in self.typed:
            return self.typed[element]
        return None if self.strip is None else self.strip[total - LEAST_SUM]

    def say_base(self, element: str, total: int) -> Sentence:
        """Return a sentence about the base mark for the sum `total` in `element`."""
        values = {"sum": total, "base": self.base(element, total), "division": self.division}
        if element in self.typed:
            return say("Sum {sum} gives {base}, typed by hand from the strip of division {division}.", **values)
        if self.strip is None:
            return say("The base for sum {sum} in division {division} is not known yet.", **values)
        if self.table == "practice":
            return say("Sum {sum} gives {base} on the made-up practice strip of division {division}.", **values)
        return say("Sum {sum} gives {base} in division {division}.", **values)


class Mark(NamedTuple):
    """One element's mark: `score` 0..10, None while dice or the base are missing.

    `provisional` means that dice still to come may change it; `total` is the sum of the dice there.
    """

    element: str
    complete: bool
    perfect: bool
    base: int | None
    bonus: int
    score: int | None
    say_why: Callable[[], str]
    provisional: bool
    total: int

    @property
    def why(self) -> str:
        """The reason of the mark; it is put into words when somebody asks for it."""
        return self.say_why()

    @property
    def base_missing(self) -> bool:
        """Whether the score waits for nothing but the base."""
        return self.complete and self.score is None

    def final_json(self) -> dict[str, Any]:
        """Return the mark of a finished board."""
        return {
            "perfect": self.perfect,
            "base": self.base,
            "bonus": self.bonus,
            "score": self.score,
            "why": self.why,
        }

    def as_json(self) -> dict[str, Any]:
        """Return the mark as it stands during play."""
        return {
            **self.final_json(),
            "provisional": self.provisional,
            "complete": self.complete,
            "sum": self.total,
        }


def judge(board: Board, jury: Jury) -> tuple[Mark, ...]:
    """Return the nine marks of `board`, finished or not, in the order of the tally."""
    return tuple([_judge_element(board, element, dice, jury) for element, dice in board.by_element.items()])


Official = tuple[str, str] | None
"""The two colours of a school that plays alone."""


def find(board: Board, element: str, rules: HouseRules, official: Official = None) -> Finding:
    """Return the row that the four dice in `element` earn on this board."""
    return _FINDERS[element](board, board.dice(element), rules, official)


_FINDERS: Mapping[str, Callable[[Board, Sequence[Die], HouseRules, Official], Finding]] = {
    "vanguard": lambda board, dice, rules, official: rules_of.vanguard(dice),
    "flag_bearers": lambda board, dice, rules, official: rules_of.flag_bearers(dice, rules, official),
    "storyline": lambda board, dice, rules, official: rules_of.storyline(dice, board.others("storyline"), rules),
    "floats": lambda board, dice, rules, official: rules_of.floats(dice),
    "costumes": lambda board, dice, rules, official: rules_of.costumes(dice, board.dice("floats")),
    "progression": lambda board, dice, rules, official: rules_of.progression(dice, rules),
    "harmony": lambda board, dice, rules, official: rules_of.harmony(dice),
    "drums": lambda board, dice, rules, official: rules_of.drums(dice, board.dice("harmony"), rules),
    "theme_song": lambda board, dice, rules, official: rules_of.theme_song(dice, board.elsewhere("theme_song"), rules),
}


def _judge_element(board: Board, element: str, dice: Sequence[Die], jury: Jury) -> Mark:
    total = sum(map(value_of, dice))
    if len(dice) < SPACES:
        say_why = partial(still_possible, board, element, jury.rules, jury.official)
        return Mark(element, False, False, None, 0, None, say_why, True, total)
    finding = _FINDERS[element](board, dice, jury.rules, jury.official)
    waits = _waits_for(board, element, finding) if element in _WAITING else ""
    base = jury.base(element, total)
    perfect = finding.row == PERFECT
    bonus = 0 if perfect else finding.row
    score = PERFECT if perfect else None if base is None else min(PERFECT, base + bonus)
    return Mark(
        element,
        True,
        perfect,
        base,
        bonus,
        score,
        partial(_explained, finding, jury, element, total, waits),
        bool(waits),
        total,
    )


def _explained(finding: Finding, jury: Jury, element: str, total: int, waits: str) -> str:
    """Return a full element's mark in words."""
    if finding.perfect:
        return joined(say("{reason}: a perfect 10.", reason=finding.reason), waits)
    if finding.bonus:
        earned = say("{reason}: +{bonus}.", reason=finding.reason, bonus=finding.bonus)
    else:
        earned = say("{reason}: no bonus.", reason=finding.reason)
    base = jury.base(element, total)
    capped = say("No element scores over 10.") if base is not None and base + finding.bonus > PERFECT else ""
    return joined(earned, jury.say_base(element, total), capped, waits)


_WAITING = ("storyline", "costumes", "drums", "theme_song")
"""The elements whose mark depends on dice in others."""


def _waits_for(board: Board, element: str, finding: Finding) -> str:
    """Return what a full element must wait for before its mark is final, or nothing.

    Dice never move, so a perfect Storyline or Costumes stays perfect; Drums and Theme Song can lose by dice to come.
    """
    if element == "storyline" and not board.complete and not finding.perfect:
        return say("May still rise with dice in other elements.")
    if element == "costumes" and not board.full("floats") and not finding.perfect:
        return say("May still rise until {element} is full.", element=ELEMENT_NAMES["floats"])
    if element == "drums" and not board.full("harmony"):
        return say("Judged when {element} is full.", element=ELEMENT_NAMES["harmony"])
    if element == "theme_song" and not board.complete:
        return say("Judged when the board is full.")
    return ""
