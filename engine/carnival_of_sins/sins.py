"""The seven sins: their names, how many dice each can hold, and which dice each may take (rulebook, Sin Effects)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import cos, dist, radians, sin
from typing import TYPE_CHECKING

from engine.dice import Shape
from engine.words import named, say

if TYPE_CHECKING:
    from engine.carnival_of_sins.house_rules import HouseRules
    from engine.carnival_of_sins.state import State

SINS = ("greed", "gluttony", "envy", "lust", "pride", "sloth", "wrath")

SIN_NAMES = {
    "greed": say("Greed"),
    "gluttony": say("Gluttony"),
    "envy": say("Envy"),
    "lust": say("Lust"),
    "pride": say("Pride"),
    "sloth": say("Sloth"),
    "wrath": say("Wrath"),
}

MOST_DICE = {"greed": 2, "gluttony": 1, "envy": 0, "lust": 2, "pride": 6, "sloth": 1, "wrath": 0}
"""How many dice a sin can hold."""

_RULES = {
    "greed": say("Greed takes two unlocked dice of the same value from the table, or none when no two match."),
    "gluttony": say("Gluttony takes the unlocked die of the highest value, one of them when several tie."),
    "envy": say("Envy takes no dice: it scores what the Devil scores."),
    "lust": say(
        "Lust takes one odd and one even die, at least one of them from the table and the other from the table or from "
        "another player; none when there is no such pair."
    ),
    "pride": say("Pride takes its dice at the end of the round, so none now."),
    "sloth": say("Sloth takes the unlocked die that lies nearest to the player, or none when all are locked."),
    "wrath": say("Wrath throws one black die again, from the table or from another player."),
}

_ENVY_AT_REVEAL = say("Envy takes no dice: it scores what the Devil has when Envy is revealed.")
_LUST_OPTIONAL = say(
    "Lust takes one odd and one even die, at least one of them from the table and the other from the table or from "
    "another player; or none."
)


def rule_of(sin: str, rules: HouseRules) -> str:
    """Return what a sin takes, as this table plays it."""
    if sin == "envy" and rules.envy_when == "reveal":
        return _ENVY_AT_REVEAL
    return _LUST_OPTIONAL if sin == "lust" and rules.lust_optional else _RULES[sin]


BLACK = tuple(shape.value for shape in Shape)
"""The black dice by their shapes; there is one of each."""

WHITE = "white"
DICE = (*BLACK, WHITE)
"""All seven dice by name."""

Choice = tuple[str, ...]
"""Dice that a sin may take, by name, in the order of `BLACK`."""

SEAT_DISTANCE = 20.0
"""How far a player sits from the middle of the dice, in widths of a die: about 40 cm at a small table."""

TOO_CLOSE = 1.0
"""Within a die's width nobody can tell from a picture which of two dice is nearer."""


def faces(die: str) -> int:
    """Return how many faces a die has."""
    return Shape.D6.faces if die == WHITE else Shape(die).faces


def die_name(die: str) -> str:
    """Return what people call one of the seven dice, as it stands within a sentence."""
    return say("the white d6") if die == WHITE else say("the {die}", die=named(die))


_TAKEN = {"greed": (0, 2), "gluttony": (0, 1), "envy": (0,), "lust": (0, 2), "pride": (0,), "sloth": (0, 1)}
"""How many dice each sin takes when it is revealed; Wrath keeps none and throws one."""


def could_lie(state: State, sin: str, dice: Choice) -> bool:
    """Tell whether `dice` could lie on a sin at all, whatever they show and wherever they lay: as many as it takes, and
    none of them locked, but for one of Lust's.
    """
    locked = sum(state.owner(die) is not None for die in dice)
    return len(dice) in _TAKEN.get(sin, ()) and locked <= (sin == "lust")


@dataclass(frozen=True, slots=True)
class Distance:
    """How far an unlocked die lies from a player, in widths of a die."""

    die: str
    away: float


def choices(state: State, seat: int, sin: str) -> list[Choice]:
    """Return every set of dice that `seat` may take by `sin` now; the empty one where the sin takes nothing."""
    return _CHOICES[sin](state, seat)


def _greed(state: State, seat: int) -> list[Choice]:
    pairs: list[Choice] = [
        pair for pair in combinations(state.on_table, 2) if state.value(pair[0]) == state.value(pair[1])
    ]
    return pairs or [()]


def _gluttony(state: State, seat: int) -> list[Choice]:
    highest = max((state.value(die) for die in state.on_table), default=0)
    return _each(die for die in state.on_table if state.value(die) == highest)


def _none(state: State, seat: int) -> list[Choice]:
    return [()]


def _lust(state: State, seat: int) -> list[Choice]:
    pairs: list[Choice] = [
        pair
        for pair in combinations(BLACK, 2)
        if (state.value(pair[0]) + state.value(pair[1])) % 2 and any(state.owner(die) is None for die in pair)
    ]
    return [*pairs, ()] if state.setup.rules.lust_optional or not pairs else pairs


def _sloth(state: State, seat: int) -> list[Choice]:
    away = distances(state, seat)
    if away is None:
        return _each(state.on_table)
    nearest = [one.die for one in away if one.away - away[0].away < TOO_CLOSE]
    return _each(die for die in state.on_table if die in nearest)


def _wrath(state: State, seat: int) -> list[Choice]:
    return [(die,) for die in BLACK]


def _each(dice: Iterable[str]) -> list[Choice]:
    return [(die,) for die in dice] or [()]


_CHOICES: Mapping[str, Callable[[State, int], list[Choice]]] = {
    "greed": _greed,
    "gluttony": _gluttony,
    "envy": _none,
    "lust": _lust,
    "pride": _none,
    "sloth": _sloth,
    "wrath": _wrath,
}


def distances(state: State, seat: int) -> list[Distance] | None:
    """Return the unlocked dice from the nearest to `seat` on; None when the seat or one of them has no known place.

    The player is taken to sit `SEAT_DISTANCE` from the middle of the dice, in the direction of the seat's angle.
    """
    angle = state.setup.players[seat].angle
    known = [place for place in state.places if place is not None]
    if angle is None or any(state.place(die) is None for die in state.on_table) or not known:
        return None
    middle = (sum(x for x, _ in known) / len(known), sum(y for _, y in known) / len(known))
    towards = radians(angle)
    here = (middle[0] + SEAT_DISTANCE * sin(towards), middle[1] - SEAT_DISTANCE * cos(towards))
    away = []
    for die in state.on_table:
        place = state.place(die)
        assert place is not None
        away.append(Distance(die, round(dist(here, place), 3)))
    return sorted(away, key=lambda one: one.away)
