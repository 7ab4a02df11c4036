"""Tabulating: totals, and the ranking with its three tie-breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, pairwise
from typing import Any

from engine.carnavalesco.board import Board
from engine.carnavalesco.house_rules import HouseRules
from engine.carnavalesco.marks import Jury, Mark, judge
from engine.words import joined, listed, say


@dataclass(frozen=True, slots=True)
class Tally:
    """One school's marks summed up; `total` counts the scores that are known, less the solo counters."""

    name: str
    marks: tuple[Mark, ...]
    counters: int
    colours_shown: int
    """Dice on the board in the colours of the couple (tie-break 3)."""

    @property
    def total(self) -> int:
        return sum(mark.score for mark in self.marks if mark.score is not None) - self.counters

    @property
    def perfect_marks(self) -> int:
        """Perfect marks that are certain; 10 by bonus is none, and a provisional one is none yet."""
        return sum(mark.perfect and not mark.provisional for mark in self.marks)

    @property
    def base_missing(self) -> bool:
        """Whether some score waits for its base mark alone."""
        return any(mark.base_missing for mark in self.marks)

    @property
    def couple_score(self) -> int:
        """The score in Master-of-Room & Flag-Bearer (tie-break 2)."""
        return next(mark.score or 0 for mark in self.marks if mark.element == "flag_bearers")

    @property
    def standing(self) -> tuple[int, int, int, int]:
        """What schools are ranked by: total, perfect marks, the couple's score, the couple's colours."""
        return (self.total, self.perfect_marks, self.couple_score, self.colours_shown)

    def final_json(self) -> dict[str, Any]:
        """Return the marks of a finished board."""
        return {
            "name": self.name,
            "elements": {mark.element: mark.final_json() for mark in self.marks},
            "perfect_marks": self.perfect_marks,
            "total": self.total,
        }

    def as_json(self) -> dict[str, Any]:
        """Return the marks as they stand during play."""
        return {
            "name": self.name,
            "elements": {mark.element: mark.as_json() for mark in self.marks},
            "perfect_marks": self.perfect_marks,
            "counters": self.counters,
            "total": self.total,
            "base_missing": self.base_missing,
        }


def tally(name: str, board: Board, jury: Jury, counters: int = 0) -> Tally:
    """Return `board` judged and summed up."""
    return Tally(name, judge(board, jury), counters, colours_shown(board, jury.rules))


def colours_shown(board: Board, rules: HouseRules) -> int:
    """Return how many dice of the whole board have a colour of the dice in Master-of-Room & Flag-Bearer.

    Under `tiebreak.couple_colours = best_two` only its two commonest colours count; among equally common ones, those
    that the board shows most.
    """
    couple = Counter(die.colour for die in board.dice("flag_bearers"))
    shown = Counter(die.colour for die in board.all_dice())
    if not rules.best_two_colours or len(couple) <= 2:
        return sum(shown[colour] for colour in couple)
    pairs = list(combinations(couple, 2))
    commonest = max(couple[one] + couple[two] for one, two in pairs)
    return max(shown[one] + shown[two] for one, two in pairs if couple[one] + couple[two] == commonest)


def reveal(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """Return the steps in which finished boards are told: element by element, then what the counters take off.

    Each step has `element` (`counters` for the last, which is there when any were taken), and by seat the `scores` that
    it adds, which of them are `perfect`, and the `totals` so far; `leading` are the seats with the highest of these.
    """
    steps: list[dict[str, Any]] = []
    totals = [0] * len(tallies)
    marks = [(row[0].element, row) for row in zip(*(one.marks for one in tallies), strict=True)]
    told = [(element, [mark.score or 0 for mark in row], [mark.perfect for mark in row]) for element, row in marks]
    if any(one.counters for one in tallies):
        told.append(("counters", [-one.counters for one in tallies], [False] * len(tallies)))
    for element, scores, perfect in told:
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        leading = [seat for seat, total in enumerate(totals) if total == max(totals)]
        steps.append({"element": element, "scores": scores, "perfect": perfect, "totals": totals, "leading": leading})
    return steps


def ranking(tallies: Sequence[Tally]) -> list[list[int]]:
    """Return groups of indices into `tallies`, best first; those that no tie-break parts share a group."""
    order = sorted(range(len(tallies)), key=lambda at: tallies[at].standing, reverse=True)
    return [list(group) for _, group in groupby(order, key=lambda at: tallies[at].standing)]


def tie_sentence(tallies: Sequence[Tally], groups: Sequence[Sequence[int]]) -> str:
    """Return how schools with equal totals were parted, the first place first; nothing when none had to be."""
    reasons = (
        say("more perfect marks"),
        say("the higher score in Master-of-Room & Flag-Bearer"),
        say("more dice in the colours of Master-of-Room & Flag-Bearer"),
    )
    said = []
    for better, worse in pairwise(groups):
        one, other = tallies[better[0]], tallies[worse[0]]
        if one.total != other.total:
            continue
        parted = zip(reasons, one.standing[1:], other.standing[1:], strict=True)
        reason, mine, theirs = next(way for way in parted if way[1] != way[2])
        if better is groups[0]:
            said.append(
                say("The tie was broken by {reason}: {mine} to {theirs}.", reason=reason, mine=mine, theirs=theirs)
            )
        else:
            ahead, behind = (listed([tallies[at].name for at in group]) for group in (better, worse))
            said.append(
                say(
                    "{ahead} before {behind} by {reason}: {mine} to {theirs}.",
                    ahead=ahead,
                    behind=behind,
                    reason=reason,
                    mine=mine,
                    theirs=theirs,
                )
            )
    return joined(*said)
