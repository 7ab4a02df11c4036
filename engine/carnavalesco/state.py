"""The state of a game between two moves, and its one line of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.carnavalesco.board import ELEMENTS, SPACES, Board
from engine.carnavalesco.career import Parade
from engine.carnavalesco.division import SUMS, read_division
from engine.carnavalesco.draft import pick_order, rounds
from engine.carnavalesco.marks import Jury
from engine.carnavalesco.setup import Setup, read_setup
from engine.carnavalesco.solo import MOST_COUNTERS
from engine.carnavalesco.tally import Tally, tally
from engine.dice import Die
from engine.game import InvalidInput, canonical_json, read_back
from engine.words import say

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Taken:
    """Where a rolled die went: whose board, which element."""

    seat: int
    element: str


@dataclass(frozen=True, slots=True)
class TypedBase:
    """A base mark typed by hand, and the sum of the element that it was read for."""

    base: int
    total: int


Typed = tuple[tuple[str, TypedBase], ...]
"""Bases typed by hand, by element, in the order of the tally."""


@dataclass(frozen=True, slots=True)
class State:
    """A game of Carnavalesco; seats count from 0, rounds from 1.

    `roll` is empty while the bag's dice are waited for; `taken` runs beside it; `picks_made` counts this round's takes.
    `parades` holds the earlier parades of a solo career, and `setup` the division of the present one.
    """

    setup: Setup
    boards: tuple[Board, ...]
    counters: tuple[int, ...]
    typed: tuple[Typed, ...]
    first: int
    round: int = 1
    roll: tuple[Die, ...] = ()
    taken: tuple[Taken | None, ...] = ()
    picks_made: int = 0
    parades: tuple[Parade, ...] = ()
    retired: bool = False

    @property
    def rounds(self) -> int:
        return rounds(self.setup.seats)

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order in which they pick this round; with two schools each comes twice."""
        return pick_order(self.setup.seats, self.first)

    @property
    def picks(self) -> tuple[int, ...]:
        """The seats that are still to pick this round."""
        return self.order[self.picks_made :] if self.roll else ()

    @property
    def turn(self) -> int | None:
        """The seat that picks now, or None."""
        return self.picks[0] if self.picks else None

    @property
    def parade_over(self) -> bool:
        """Whether every board is full."""
        return all(board.complete for board in self.boards)

    @property
    def phase(self) -> str:
        """`roll`, `take`, `judging` (boards full, a base still missing), `between` (two parades), or `finished`."""
        if self.roll:
            return "take"
        if not self.parade_over:
            return "roll"
        tallies = self.tallies()
        if any(one.base_missing for one in tallies):
            return "judging"
        return "between" if self._goes_on(tallies[0]) else "finished"

    def _goes_on(self, judged: Tally) -> bool:
        """Return whether the career of a school has a next parade after the one that is `judged`."""
        career = self.setup.solo.career if self.setup.solo else None
        if career is None or self.retired or self.parade_of(judged).outcome.result == "champion":
            return False
        return career.parades is None or len(self.parades) + 1 < career.parades

    def parade_of(self, judged: Tally) -> Parade:
        """Return the present parade of a solo school as its history keeps it."""
        scores = tuple(mark.score or 0 for mark in judged.marks)
        return Parade(self.setup.schools[0].division, scores, judged.perfect_marks, judged.counters)

    def history(self) -> tuple[Parade, ...]:
        """Return every parade of a solo school that is judged, the present one included."""
        judged = self.phase in ("between", "finished")
        return (*self.parades, self.parade_of(self.tallies()[0])) if judged else self.parades

    def career_json(self) -> dict[str, Any] | None:
        """Return the career of a solo school so far, None where there is none; `parades` are those that are judged."""
        solo = self.setup.solo
        if solo is None or solo.career is None:
            return None
        return {
            "most_parades": solo.career.parades,
            "retired": self.retired,
            "parades": [parade.as_json() for parade in self.history()],
        }

    def bases(self, seat: int) -> dict[str, int]:
        """Return the bases typed for `seat` that still hold: those whose element shows the sum they were read for."""
        board = self.boards[seat]
        return {
            element: typed.base
            for element, typed in self.typed[seat]
            if typed.total == sum(die.value for die in board.dice(element))
        }

    def jury(self, seat: int) -> Jury:
        """Return the judges of `seat`'s board."""
        school = self.setup.schools[seat]
        return Jury(
            rules=self.setup.rules,
            division=school.division,
            table=school.table,
            strip=self.setup.strip(seat),
            typed=self.bases(seat),
            official=self.setup.official,
        )

    def tallies(self) -> tuple[Tally, ...]:
        """Return every school's marks as they stand."""
        return tuple(
            tally(school.name, self.boards[seat], self.jury(seat), self.counters[seat])
            for seat, school in enumerate(self.setup.schools)
        )

    def left_in_bag(self) -> dict[str, int]:
        """Return how many dice of each colour are on no board; never under 0, for a misread die may be on one."""
        placed = [die.colour for board in self.boards for die in board.all_dice()]
        return {colour: max(0, self.setup.dice_of_a_colour - placed.count(colour)) for colour in self.setup.colours}


def first_state(setup: Setup) -> State:
    """Return the state before the first roll."""
    seats = setup.seats
    return State(setup, (Board(),) * seats, (0,) * seats, ((),) * seats, setup.first)


def dump(state: State) -> str:
    """Return the state as one line of canonical JSON."""
    return canonical_json(
        {
            "game": "carnavalesco",
            "version": _VERSION,
            "setup": state.setup.as_json(),
            "boards": [
                {element: [_short(die) for die in board.element_spaces(element)] for element in ELEMENTS}
                for board in state.boards
            ],
            "counters": list(state.counters),
            "typed": [{element: [one.base, one.total] for element, one in typed} for typed in state.typed],
            "first": state.first,
            "round": state.round,
            "roll": [_short(die) for die in state.roll],
            "taken": [[taken.seat, taken.element] if taken else None for taken in state.taken],
            "picks_made": state.picks_made,
            "parades": [[one.division, list(one.scores), one.perfect_marks, one.counters] for one in state.parades],
            "retired": state.retired,
        }
    )


def load(text: str) -> State:
    """Return the state that `dump` wrote. Raises `InvalidInput` for any text that `dump` cannot write."""
    return read_back(text, _read, dump, _not_a_state)


def _not_a_state() -> InvalidInput:
    return InvalidInput(
        "not_a_state",
        say("This text is no state of a Carnavalesco game, so nothing was loaded. Use the line as it was written."),
    )


def _short(die: Die | None) -> list[Any] | None:
    return [die.colour, die.value] if die else None


def _read(document: Mapping[str, Any]) -> State:
    if document["game"] != "carnavalesco" or document["version"] != _VERSION:
        raise _not_a_state()
    setup = read_setup(document["setup"], "setup")
    boards = tuple(
        Board(tuple(tuple(map(_long, spaces[element])) for element in ELEMENTS)) for spaces in document["boards"]
    )
    state = State(
        setup=setup,
        boards=boards,
        counters=tuple(
            fields.whole(count, "counters", low=0, high=MOST_COUNTERS, what=say("A count of counters"))
            for count in document["counters"]
        ),
        typed=tuple(
            tuple((element, _base(bases[element])) for element in ELEMENTS if element in bases)
            for bases in document["typed"]
        ),
        first=fields.seat(document["first"], "first", setup.seats),
        round=fields.whole(document["round"], "round", low=1, high=rounds(setup.seats), what=say("A round")),
        roll=tuple(Die(*die) for die in document["roll"]),
        taken=tuple(_taken(taken, setup) for taken in document["taken"]),
        picks_made=fields.whole(document["picks_made"], "picks_made", low=0, high=8, what=say("A count of picks")),
        parades=tuple(map(_parade, document["parades"])),
        retired=fields.truth(document["retired"], "retired", what="retired"),
    )
    career = setup.solo.career if setup.solo else None
    lengths = {len(state.boards), len(state.counters), len(state.typed), setup.seats}
    spaces = {len(spaces) for board in boards for spaces in board.spaces}
    if career is None and (state.parades or state.retired):
        raise _not_a_state()
    if career and career.parades is not None and len(state.parades) >= career.parades:
        raise _not_a_state()
    if len(lengths) != 1 or spaces != {SPACES} or len(state.roll) != len(state.taken):
        raise _not_a_state()
    return state


def _long(short: list[Any] | None) -> Die | None:
    return Die(*short) if short else None


def _base(value: Any) -> TypedBase:
    base, total = value
    return TypedBase(
        fields.whole(base, "typed", low=0, high=10, what=say("A base mark")),
        fields.whole(total, "typed", low=SUMS[0], high=SUMS[-1], what=say("A sum")),
    )


def _parade(value: Any) -> Parade:
    division, scores, perfect_marks, counters = value
    if len(scores) != len(ELEMENTS):
        raise _not_a_state()
    return Parade(
        read_division(division, "parades"),
        tuple(fields.whole(score, "parades", low=0, high=10, what=say("A score")) for score in scores),
        fields.whole(perfect_marks, "parades", low=0, high=len(ELEMENTS), what=say("A count of perfect marks")),
        fields.whole(counters, "parades", low=0, high=MOST_COUNTERS, what=say("A count of counters")),
    )


def _taken(value: Any, setup: Setup) -> Taken | None:
    if value is None:
        return None
    seat, element = value
    return Taken(
        fields.seat(seat, "taken", setup.seats),
        fields.choice(element, "taken", ELEMENTS, what=say("An element")),
    )
