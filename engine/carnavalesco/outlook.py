"""The outlook of a board: the best that each element can still earn, and what one more die would make of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.carnavalesco.board import ELEMENTS, SPACES, Board
from engine.carnavalesco.marks import Jury, Mark, find, judge
from engine.carnavalesco.reach import best_row
from engine.dice import Die


class Change(NamedTuple):
    """What one die would make of an element.

    `best` is the row that is within reach then; `mark` the element's mark where the die fills it, else None. `also`
    gives the rows of other elements that change with it: before and after.
    """

    best: int
    mark: Mark | None
    also: dict[str, tuple[int, int]]

    def as_json(self) -> dict[str, Any]:
        return {
            "best": self.best,
            "mark": None if self.mark is None else self.mark.as_json(),
            "also": {element: list(rows) for element, rows in self.also.items()},
        }


def rows_in_reach(board: Board, jury: Jury) -> dict[str, int]:
    """Return the best row (10 perfect, 3, 2, 1, 0) of each element: of a full one as it lies, else what it can reach.

    Dice that lie there stay; what the bag still holds is not asked.
    """
    return {element: _row(board, element, jury) for element in ELEMENTS}


def _row(board: Board, element: str, jury: Jury) -> int:
    if board.full(element):
        return find(board, element, jury.rules, jury.official).row
    return best_row(board, element, jury.rules, jury.official)


def changes(board: Board, dice: Iterable[Die], jury: Jury) -> dict[str, dict[Die, Change]]:
    """Return, for each element with an empty space, what each of `dice` would change if it were put there.

    Where the space matters (`progression.ordered_spaces`) the die is put where it does best.
    """
    before = rows_in_reach(board, jury)
    offered = dict.fromkeys(dice)
    return {
        element: {die: _change(board, element, die, before, jury) for die in offered}
        for element in ELEMENTS
        if not board.full(element)
    }


def _change(board: Board, element: str, die: Die, before: dict[str, int], jury: Jury) -> Change:
    after = _with_die(board, element, die, jury)
    looking = ("storyline", "theme_song", *_LOOKED_AT_BY.get(element, ()))
    rows = {other: (before[other], _row(after, other, jury)) for other in looking if other != element}
    also = {other: (was, now) for other, (was, now) in rows.items() if was != now}
    mark = next(one for one in judge(after, jury) if one.element == element) if after.full(element) else None
    return Change(_row(after, element, jury), mark, also)


_LOOKED_AT_BY = {"floats": ("costumes",), "harmony": ("drums",)}
"""Elements that are judged by the dice of this one; Storyline and Theme Song look at every other."""


def _with_die(board: Board, element: str, die: Die, jury: Jury) -> Board:
    if not (element == "progression" and jury.rules.ordered_spaces):
        return board.put(element, die)
    empty = [space for space in range(SPACES) if board.element_spaces(element)[space] is None]
    ways = [board.put(element, die, space) for space in empty]
    return max(ways, key=lambda way: _row(way, element, jury))
