"""The state of a game between two moves, and its one line of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.carnival_of_sins.house_rules import HouseRules
from engine.carnival_of_sins.marks import Line, Marks, Round, before_white, score_round
from engine.carnival_of_sins.setup import Setup, read_setup
from engine.carnival_of_sins.sins import BLACK, DICE, SINS, WHITE, die_name, faces
from engine.game import InvalidInput, Place, canonical_json, read_back
from engine.words import say

ROUNDS = 7
MOST_POINTS = sum(sorted(map(faces, BLACK))[-2:])
"""What a sin can hold before Pride takes its dice: at most two dice lie on one."""
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Play:
    """A sin revealed this round; `penalty` is what fell by Wrath, `copied` what the Devil had at the reveal of Envy.

    `agreed`: the table let the dice stand, although the sin does not take them.
    """

    seat: int
    sin: str
    penalty: int = 0
    copied: int | None = None
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """A game of Carnival of Sins; seats count from 0.

    `values` and `places` run beside `DICE`, `owners` (a seat, None on the table) beside `BLACK`; all three are empty
    before the roll. `again` holds the dice that are to be rolled again and read, the one thrown by Wrath first;
    `fallen` those that Wrath sent off the table, and `rounds` the rounds that are over.
    """

    setup: Setup
    devil: int
    values: tuple[int, ...] = ()
    places: tuple[Place | None, ...] = ()
    owners: tuple[int | None, ...] = ()
    plays: tuple[Play, ...] = ()
    again: tuple[str, ...] = ()
    fallen: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()

    @property
    def round(self) -> int:
        """The number of the round, from 1; after the end the last one."""
        return min(len(self.rounds) + 1, ROUNDS)

    @property
    def phase(self) -> str:
        """`roll`, `again` (the Devil rolls one die again), `reveal`, `throw` (by Wrath), `pride`, or `finished`."""
        if len(self.rounds) == ROUNDS:
            return "finished"
        if not self.values:
            return "roll"
        if self.again:
            return "throw" if self.plays else "again"
        return "reveal" if len(self.plays) < self.setup.seats else "pride"

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of reveal, the Devil first."""
        return tuple((self.devil + step) % self.setup.seats for step in range(self.setup.seats))

    @property
    def turn(self) -> int | None:
        """The seat that acts now, None after the end."""
        match self.phase:
            case "roll" | "again":
                return self.devil
            case "reveal":
                return self.order[len(self.plays)]
            case "throw":
                return self.plays[-1].seat
            case "pride":
                proud = self.proud
                return proud[self.pride_taken % len(proud)]
        return None

    @property
    def proud(self) -> tuple[int, ...]:
        """The seats that revealed Pride this round, in that order."""
        return tuple(play.seat for play in self.plays if play.sin == "pride")

    @property
    def pride_taken(self) -> int:
        """How many dice Pride has taken this round."""
        return sum(owner in self.proud for owner in self.owners)

    @property
    def on_table(self) -> tuple[str, ...]:
        """The black dice that are not locked."""
        return tuple(die for die, owner in zip(BLACK, self.owners, strict=False) if owner is None)

    def value(self, die: str) -> int:
        return self.values[DICE.index(die)]

    def place(self, die: str) -> Place | None:
        return self.places[DICE.index(die)]

    def owner(self, die: str) -> int | None:
        """Return the seat on whose sin a die lies, None on the table."""
        return self.owners[BLACK.index(die)] if die in BLACK else None

    def locked(self, seat: int) -> tuple[str, ...]:
        """Return the dice on the sin of `seat`."""
        return tuple(die for die, owner in zip(BLACK, self.owners, strict=False) if owner == seat)

    def line(self, play: Play) -> Line:
        """Return what a player has in this round as it stands."""
        dice = tuple((die, self.value(die)) for die in self.locked(play.seat))
        return Line(play.seat, play.sin, dice, play.penalty, play.copied, play.agreed)

    def points_so_far(self) -> tuple[int, ...]:
        """Return what each sin of `plays` earns as the dice lie now, before the white die."""
        points = before_white([self.line(play) for play in self.plays], self.setup.rules)
        return tuple(points[play.seat] for play in self.plays)

    def played(self, seat: int) -> tuple[str, ...]:
        """Return the sins that `seat` has revealed so far, this round's too."""
        before = [line.sin for this in self.rounds for line in this.lines if line.seat == seat]
        return (*before, *(play.sin for play in self.plays if play.seat == seat))

    def hand(self, seat: int) -> tuple[str, ...]:
        """Return the sins that `seat` still has."""
        played = self.played(seat)
        return tuple(sin for sin in SINS if sin not in played)

    @property
    def due(self) -> int:
        """The seat that should have the Devil Card in this round; by the table's word another one may have it."""
        return self.marks()[-1].devil if self.rounds else self.setup.devil

    def marks(self) -> tuple[Marks, ...]:
        """Return the marks of the rounds that are over."""
        return tuple(score_round(this, self.setup.names, self.setup.rules) for this in self.rounds)

    def totals(self) -> tuple[int, ...]:
        """Return the points so far, by seat."""
        marks = self.marks()
        return tuple(sum(one.scores[seat] for one in marks) for seat in range(self.setup.seats))


def dump(state: State) -> str:
    """Return the state as one line of canonical JSON."""
    return canonical_json(
        {
            "game": "carnival_of_sins",
            "version": _VERSION,
            "setup": state.setup.as_json(),
            "devil": state.devil,
            "values": list(state.values),
            "places": [None if place is None else list(place) for place in state.places],
            "owners": list(state.owners),
            "plays": [
                [play.seat, play.sin, play.penalty, play.copied, *_told(agreed=play.agreed)] for play in state.plays
            ],
            "again": list(state.again),
            "fallen": list(state.fallen),
            "rounds": [
                [
                    this.white,
                    [
                        [line.seat, line.sin, dict(line.dice), line.penalty, line.copied, *_told(agreed=line.agreed)]
                        for line in this.lines
                    ],
                ]
                for this in state.rounds
            ],
        }
    )


def _told(*, agreed: bool) -> list[bool]:
    """Return what ends a line: only dice that the table agreed to are told of."""
    return [True] if agreed else []


def load(text: str) -> State:
    """Return the state that `dump` wrote. Raises `InvalidInput` for any text that `dump` cannot write."""
    return read_back(text, _read, dump, _not_a_state)


def _not_a_state() -> InvalidInput:
    return InvalidInput(
        "not_a_state",
        say("This text is no state of a Carnival of Sins game, so nothing was loaded. Use the line as it was written."),
    )


def _read(document: Mapping[str, Any]) -> State:
    if document["game"] != "carnival_of_sins" or document["version"] != _VERSION:
        raise _not_a_state()
    setup = read_setup(document["setup"], "setup")
    state = State(
        setup,
        fields.seat(document["devil"], "devil", setup.seats),
        tuple(read_value(value, "values", die) for value, die in zip(document["values"], DICE, strict=False)),
        tuple(read_place(place, "places") for place in document["places"]),
        tuple(None if owner is None else fields.seat(owner, "owners", setup.seats) for owner in document["owners"]),
        tuple(
            Play(
                fields.seat(seat, "plays", setup.seats),
                _sin(sin),
                read_penalty(penalty, "plays", setup.rules),
                _copied(copied, setup),
                _agreed(agreed),
            )
            for seat, sin, penalty, copied, *agreed in document["plays"]
        ),
        tuple(_die(die) for die in document["again"]),
        tuple(_die(die) for die in document["fallen"]),
        tuple(_round(white, lines, setup) for white, lines in document["rounds"]),
    )
    if (len(state.values), len(state.places), len(state.owners)) not in ((0, 0, 0), (len(DICE), len(DICE), len(BLACK))):
        raise _not_a_state()
    if tuple(play.seat for play in state.plays) != state.order[: len(state.plays)] or len(state.rounds) > ROUNDS:
        raise _not_a_state()
    played = [state.played(seat) for seat in range(setup.seats)]
    if any(len(set(sins)) != len(sins) for sins in played) or (state.plays and not state.values):
        raise _not_a_state()
    if state.phase == "pride" and not state.proud:
        raise _not_a_state()
    return state


def _round(white: Any, lines: Any, setup: Setup) -> Round:
    this = Round(
        read_value(white, "rounds", "white"),
        tuple(
            Line(
                fields.seat(seat, "rounds", setup.seats),
                _sin(sin),
                tuple((die, read_value(dice[die], "rounds", die)) for die in BLACK if die in dice),
                read_penalty(penalty, "rounds", setup.rules),
                _copied(copied, setup),
                _agreed(agreed),
            )
            for seat, sin, dice, penalty, copied, *agreed in lines
        ),
    )
    if sorted(line.seat for line in this.lines) != list(range(setup.seats)):
        raise _not_a_state()
    return this


def read_value(value: Any, field: str, die: str) -> int:
    """Return the value of a die, by its name; a d10's 0 is 10."""
    if die == "d10" and value == 0 and isinstance(value, int) and not isinstance(value, bool):
        return 10
    if isinstance(value, int) and not isinstance(value, bool) and not 1 <= value <= faces(die):
        raise InvalidInput(
            "value_over_faces",
            say(
                "{value} is no value of {die}, which shows 1 to {faces}. Read it again.",
                die=die_name(die),
                faces=faces(die),
                value=value,
            ),
            field,
        )
    return fields.whole(value, field, low=1, high=faces(die), what=say("The value of a die"))


def read_place(value: Any, field: str) -> Place | None:
    """Return where a die lies, `[x, y]` in widths of a die, or None."""
    if value is None:
        return None
    numbers = fields.entries(value, field, of=say("two numbers"))
    good = len(numbers) == 2 and all(
        isinstance(one, int | float) and not isinstance(one, bool) and abs(one) <= 10_000 for one in numbers
    )
    if not good:
        raise InvalidInput("bad_place", say("The place of a die is two numbers, x and y, in widths of a die."), field)
    return float(numbers[0]), float(numbers[1])


def most_penalty(rules: HouseRules) -> int:
    """Return what all dice together cost when they fall and show their highest values."""
    return sum(faces(die) for die in DICE if die != WHITE or rules.white_counts)


def read_penalty(value: Any, field: str, rules: HouseRules) -> int:
    """Return what fallen dice cost, as a number from 0 on."""
    return fields.whole(value, field, low=0, high=most_penalty(rules), what=say("The value of fallen dice"))


def read_points(value: Any, field: str, rules: HouseRules) -> int:
    """Return what the Devil had when Envy was revealed."""
    low = -most_penalty(rules) if rules.envy_copies_penalty else 0
    return fields.whole(value, field, low=low, high=MOST_POINTS, what=say("The points that Envy copies"))


def _copied(value: Any, setup: Setup) -> int | None:
    return None if value is None else read_points(value, "copied", setup.rules)


def _agreed(told: list[Any]) -> bool:
    if told not in ([], [True]):
        raise _not_a_state()
    return bool(told)


def _sin(value: Any) -> str:
    return fields.choice(value, "sin", SINS, what=say("A sin"))


def _die(value: Any) -> str:
    return fields.choice(value, "die", DICE, what=say("A die"))
