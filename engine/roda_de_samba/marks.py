"""The marks of a circle: stars and colour bonuses of its sambists, less its crossed sambas, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from engine import fields
from engine.game import InvalidInput
from engine.roda_de_samba.cards import Brought, ColourBonus, Sambist, folded
from engine.roda_de_samba.circle import (
    CROSSED_COSTS,
    EMPTY,
    SPACES,
    Circle,
    crossed,
    crossed_sentence,
    space_of,
    stacks,
)
from engine.roda_de_samba.house_rules import HouseRules
from engine.words import joined, listed, named, say, say_many

TALLY_KEYS = ("stars", "colour_bonus", "crossed", "instruments", "different_instruments", "correction", "note")

_MOST_POINTS = 999

_MOST = {
    "stars": _MOST_POINTS,
    "colour_bonus": _MOST_POINTS,
    "crossed": SPACES,
    "instruments": _MOST_POINTS,
    "different_instruments": SPACES,
}
"""The highest figure that can be typed: a closed ring has as many pairs of neighbours as spaces."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Figures that were typed by hand and go before what the cards give (None: nothing typed).

    `correction` is added to the total, with a `note` that says why.
    """

    stars: int | None = None
    colour_bonus: int | None = None
    crossed: int | None = None
    instruments: int | None = None
    different_instruments: int | None = None
    correction: int = 0
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return what `read_tally` reads back, without what is not typed."""
        return {key: value for key in TALLY_KEYS if (value := getattr(self, key)) != getattr(NOTHING_TYPED, key)}


NOTHING_TYPED = Tally()


@dataclass(frozen=True, slots=True)
class Position:
    """All that a player's marks depend on; `sambists` in the order of invitation, the last one on top.

    `guest` is the colour of the instrument that the sambist on top brings, where it is known.
    """

    name: str
    circle: Circle = EMPTY
    sambists: tuple[Sambist, ...] = ()
    typed: Tally = NOTHING_TYPED
    guest: str | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """One player's marks; every `why` is a sentence. `counts` holds the colour bonus by cards, by spaces, and typed."""

    name: str
    stars: int
    colour_bonus: int
    crossed: int
    correction: int
    instruments: int
    different_instruments: int
    why: dict[str, str]
    counts: dict[str, int | None]

    @property
    def total(self) -> int:
        return self.stars + self.colour_bonus - CROSSED_COSTS * self.crossed + self.correction

    @property
    def standing(self) -> tuple[int, int, int]:
        """What players are ranked by: points, instrument cards in the circle, different instruments (R10)."""
        return self.total, self.instruments, self.different_instruments

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "stars": self.stars,
            "colour_bonus": self.colour_bonus,
            "crossed": self.crossed,
            "correction": self.correction,
            "total": self.total,
            "instruments": self.instruments,
            "different_instruments": self.different_instruments,
            "bonus_counts": self.counts,
            "why": self.why,
        }


def mark(position: Position, rules: HouseRules, *, over: bool = True) -> Mark:
    """Return the marks of `position` by the house rules, which may hide crossed sambas until the game is `over`."""
    typed = position.typed
    stars, why_stars = _stars(position)
    bonus, why_bonus = _colour_bonus(position, rules)
    pairs, why_crossed = _crossed(position, rules, over=over)
    lying = stacks(position.circle)
    cards = sum(len(stack.numbers) for stack in lying) if typed.instruments is None else typed.instruments
    different = len(lying) if typed.different_instruments is None else typed.different_instruments
    why = {
        "stars": why_stars,
        "colour_bonus": why_bonus,
        "crossed": why_crossed,
        "instruments": joined(
            say(
                "{cards} in the circle, {different}.",
                cards=say_many("{count} instrument card", "{count} instrument cards", count=cards),
                different=say_many("{count} different instrument", "{count} different instruments", count=different),
            ),
            _instruments_typed(typed),
        ),
    }
    if typed.correction:
        why["correction"] = joined(say("Corrected by hand: {points}.", points=typed.correction), typed.note)
    counts = {way: bonus_points(position, rules, way) for way in ("cards", "spaces")} | {"manual": typed.colour_bonus}
    one = Mark(position.name, stars, bonus, pairs, typed.correction, cards, different, why, counts)
    why["total"] = _total_sentence(one)
    return one


def _instruments_typed(typed: Tally) -> str:
    """Return which of the two counts of the tie-break nobody can see in the circle."""
    if typed.instruments is None and typed.different_instruments is None:
        return ""
    if typed.different_instruments is None:
        return say("The number of cards is typed by hand.")
    if typed.instruments is None:
        return say("The number of different instruments is typed by hand.")
    return say("Typed by hand.")


def _total_sentence(one: Mark) -> str:
    if one.correction:
        return say(
            "{stars} for stars, {bonus} for colours, {crossed} for crossed sambas, {correction} by hand: {total}.",
            stars=one.stars,
            bonus=one.colour_bonus,
            crossed=-CROSSED_COSTS * one.crossed,
            correction=one.correction,
            total=one.total,
        )
    return say(
        "{stars} for stars, {bonus} for colours, {crossed} for crossed sambas: {total}.",
        stars=one.stars,
        bonus=one.colour_bonus,
        crossed=-CROSSED_COSTS * one.crossed,
        total=one.total,
    )


def _stars(position: Position) -> tuple[int, str]:
    if position.typed.stars is not None:
        return position.typed.stars, say("Typed by hand.")
    if not position.sambists:
        return 0, say("No sambist was invited.")
    stars = sum(sambist.stars or 0 for sambist in position.sambists)
    known = [
        say("{name} {stars}", name=one.name, stars=one.stars) for one in position.sambists if one.stars is not None
    ]
    unknown = [one.name for one in position.sambists if one.stars is None]
    return stars, joined(
        say("Stars: {sambists}.", sambists=listed(known)) if known else "",
        say("Stars not known yet: {names}.", names=listed(unknown)) if unknown else "",
    )


def _colour_bonus(position: Position, rules: HouseRules) -> tuple[int, str]:
    """Return the points of all colour bonuses, and the sentences about them (R8)."""
    if position.typed.colour_bonus is not None:
        return position.typed.colour_bonus, say("Typed by hand.")
    bonuses = [(one.name, bonus) for one in position.sambists for bonus in one.colour_bonus or ()]
    if not bonuses:
        return 0, say("No sambist gives a colour bonus.")
    if rules.bonus_count == "manual":
        return 0, say("The colour bonus is typed by hand, and nobody has typed it yet.")
    words = [_bonus_sentence(position, rules, name, bonus) for name, bonus in bonuses]
    return bonus_points(position, rules, rules.bonus_count), joined(*words)


def bonus_points(position: Position, rules: HouseRules, way: str) -> int:
    """Return the colour bonus when bonuses count `cards` (as they say themselves) or all of them `spaces`."""
    bonuses = [bonus for one in position.sambists for bonus in one.colour_bonus or ()]
    return sum(bonus.points * _counted(position, rules, bonus, way)[0] for bonus in bonuses)


def _counted(position: Position, rules: HouseRules, bonus: ColourBonus, way: str) -> tuple[int, str]:
    """Return how often `bonus` is given, and by what it counts: `card`, `space` or `fixed`."""
    if bonus.per == "fixed":
        return 1, "fixed"
    per = "space" if way == "spaces" else bonus.per
    lying = [stack for stack in stacks(position.circle) if stack.colour == bonus.colour]
    count = len(lying) if per == "space" else sum(len(stack.numbers) for stack in lying)
    guest = _guest(position) if rules.guest_instrument and position.guest == bonus.colour else None
    if guest is not None and (per == "card" or space_of(position.circle, guest.instrument) is None):
        count += 1
    return count, per


def _guest(position: Position) -> Brought | None:
    """Return the instrument that the sambist on top brings; a covered one's no longer counts."""
    return position.sambists[-1].brings if position.sambists else None


def _bonus_sentence(position: Position, rules: HouseRules, name: str, bonus: ColourBonus) -> str:
    count, per = _counted(position, rules, bonus, rules.bonus_count)
    points = bonus.points * count
    if per == "fixed":
        return say_many("{name} gives {count} point.", "{name} gives {count} points.", count=points, name=name)
    if per == "space":
        return say_many(
            "{name} gives {each} for a space with {colour}, and there is {count}: {points}.",
            "{name} gives {each} for a space with {colour}, and there are {count}: {points}.",
            count=count,
            name=name,
            each=bonus.points,
            colour=named(bonus.colour),
            points=points,
        )
    return say_many(
        "{name} gives {each} for a card in {colour}, and there is {count}: {points}.",
        "{name} gives {each} for a card in {colour}, and there are {count}: {points}.",
        count=count,
        name=name,
        each=bonus.points,
        colour=named(bonus.colour),
        points=points,
    )


def _crossed(position: Position, rules: HouseRules, *, over: bool) -> tuple[int, str]:
    """Return how many sambas are crossed, and the sentences about them; none before the end without hints (R14)."""
    if position.typed.crossed is not None:
        return position.typed.crossed, say("Typed by hand.")
    if not rules.harmony_hint and not over:
        return 0, say("Crossed sambas are counted at the end.")
    pairs = crossed(position.circle, closed=rules.ring_closed)
    if not pairs:
        return 0, say("No samba is crossed.")
    costs = say_many(
        "{count} crossed samba costs {points}.",
        "{count} crossed sambas cost {points}.",
        count=len(pairs),
        points=CROSSED_COSTS * len(pairs),
    )
    return len(pairs), joined(*crossed_sentence(position.circle, pairs), costs)


def ranking(marks: Sequence[Mark]) -> list[list[int]]:
    """Return groups of indices into `marks`, best first; those that no tie-break parts share a group."""
    order = sorted(range(len(marks)), key=lambda at: marks[at].standing, reverse=True)
    return [list(group) for _, group in groupby(order, key=lambda at: marks[at].standing)]


def victory_sentence(marks: Sequence[Mark]) -> str:
    """Return who wins with how many points."""
    best = [marks[at] for at in ranking(marks)[0]]
    if len(best) > 1:
        return say_many(
            "{names} share the victory with {count} point each.",
            "{names} share the victory with {count} points each.",
            count=best[0].total,
            names=listed([one.name for one in best]),
        )
    return say_many(
        "{name} wins with {count} point.", "{name} wins with {count} points.", count=best[0].total, name=best[0].name
    )


def tie_sentence(marks: Sequence[Mark]) -> str:
    """Return how the first place was parted from others with as many points; nothing when nobody had as many."""
    first, *rest = ranking(marks)
    best = marks[first[0]]
    behind = [marks[group[0]] for group in rest if marks[group[0]].total == best.total]
    if behind and behind[0].instruments != best.instruments:
        return say(
            "The tie was broken by more instrument cards in the circle: {mine} to {theirs}.",
            mine=best.instruments,
            theirs=behind[0].instruments,
        )
    if behind:
        return say(
            "The tie was broken by more different instruments in the circle: {mine} to {theirs}.",
            mine=best.different_instruments,
            theirs=behind[0].different_instruments,
        )
    if len(first) > 1:
        return say("They also have as many instrument cards and as many different instruments.")
    return ""


def read_tally(value: Any, field: str) -> Tally:
    """Return figures typed by hand, each of which may be left out. Raises `InvalidInput`."""
    given = fields.record(value, field, may=TALLY_KEYS)
    note = _read_note(given.get("note", ""), fields.inside(field, "note"))
    correction = fields.whole(
        given.get("correction", 0),
        fields.inside(field, "correction"),
        low=-_MOST_POINTS,
        high=_MOST_POINTS,
        what=say("A correction"),
    )
    figures = {key: _figure(given.get(key), fields.inside(field, key), most) for key, most in _MOST.items()}
    cards, different = figures["instruments"], figures["different_instruments"]
    if cards is not None and different is not None and different > cards:
        raise InvalidInput(
            "contradiction",
            say(
                "{cards} instrument cards cannot be {different} different instruments. Correct one of the two.",
                cards=cards,
                different=different,
            ),
            fields.inside(field, "different_instruments"),
        )
    return Tally(**figures, correction=correction, note=note)


def _figure(value: Any, field: str, most: int) -> int | None:
    if value is None:
        return None
    return fields.whole(value, field, low=0, high=most, what=say("A figure typed by hand"))


def _read_note(value: Any, field: str) -> str:
    if value == "":
        return ""
    try:
        return fields.name(value, field)
    except InvalidInput as error:
        message = say("A note is printable text of at most 60 characters. Write a shorter one.")
        raise InvalidInput("bad_note", message, field) from error


def guest_colour(sambists: Sequence[Sambist], known: dict[str, str]) -> str | None:
    """Return the colour of what the sambist on top brings: its own, or that of the instrument in `known` (folded)."""
    brought = sambists[-1].brings if sambists else None
    if brought is None:
        return None
    return brought.colour or known.get(folded(brought.instrument))


def check_manual(position: Position, rules: HouseRules, field: str) -> None:
    """Complain when the colour bonus is to be typed by hand, is needed, and is not there."""
    needed = any(one.colour_bonus for one in position.sambists)
    if rules.bonus_count == "manual" and needed and position.typed.colour_bonus is None:
        raise InvalidInput(
            "missing_bonus",
            say("The colour bonus of {name} is typed by hand, and none is given. Add it.", name=position.name),
            f"{field}.tally.colour_bonus",
        )
