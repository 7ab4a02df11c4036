"""What keeps proposed dice from being the roll that the game waits for, in words; and which dice are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.dice import Shape
from engine.game import Expectation
from engine.words import Sentence, listed, named, row, say, say_many


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that must be put right before the dice can be confirmed."""

    code: str
    message: str


class Lying(Protocol):
    """A die that lies there, as far as it is known."""

    @property
    def shape(self) -> Shape: ...

    @property
    def colour(self) -> str | None: ...

    @property
    def value(self) -> int | None: ...

    @property
    def complete(self) -> bool: ...


def missing(dice: Sequence[Lying], expects: Expectation | None) -> list[tuple[Shape, str | None]]:
    """Return the dice that are waited for and not there: shape, and colour where it goes with the shape."""
    if expects is None:
        return []
    known: Sequence[tuple[Shape, str | None]] = expects.dice or [
        (shape, None) for shape, count in expects.shapes.items() for _ in range(count)
    ]
    left: Counter[tuple[Shape, str | None]] = Counter(known)
    # Dice whose colour goes with their shape are told apart by it, where several of one shape lie there.
    for die in sorted(dice, key=lambda one: one.colour is None):
        fits = [one for one in left if one[0] == die.shape and left[one]]
        if fits:
            left[max(fits, key=lambda one: one[1] == die.colour)] -= 1
    return list(left.elements())


def rest(dice: Sequence[Lying], expects: Expectation | None) -> Expectation | None:
    """Return what is waited for beside `dice`; everything where nothing is missing."""
    if expects is None:
        return None
    lacking = Counter(shape for shape, _ in missing(dice, expects)) or expects.shapes
    if expects.colours is None:
        return replace(expects, shapes=dict(lacking), dice=None)
    seen = Counter(die.colour for die in dice)
    colours = {colour: most - seen[colour] for colour, most in expects.colours.items() if most > seen[colour]}
    return replace(expects, shapes=dict(lacking), colours=colours or expects.colours, dice=None)


def likely_missing(
    dice: Sequence[Lying], expects: Expectation | None, shape: str | None = None
) -> tuple[Shape, str | None]:
    """Return the shape of the die that most likely has to be added, and its colour where that goes with the shape.

    `shape` is what somebody says it is.
    """
    lacking = [one for one in missing(dice, expects) if shape in (None, one[0].value)]
    return lacking[0] if lacking else (dice[-1].shape if dice else Shape.D6, None)


def problems(dice: Sequence[Lying], expects: Expectation | None) -> list[Problem]:
    """Return everything that keeps these dice from being the roll that the game waits for."""
    if expects is None:
        message = say("No roll is waited for now, so these dice cannot be confirmed. Discard them.")
        return [Problem("no_roll_expected", message)]
    found = [*_count_problems(dice, expects), *_shape_problems(dice, expects), *_colour_problems(dice, expects)]
    lacking = [die for die in dice if not die.complete]
    if lacking:
        found.append(_incomplete(lacking))
    return found


def _incomplete(dice: Sequence[Lying]) -> Problem:
    """Return what these dice still lack."""
    count = len(dice)
    if all(die.value is not None for die in dice):
        message = say_many(
            "{count} die has no colour yet: tap it.", "{count} dice have no colour yet: tap them.", count
        )
        return Problem("missing_colour", message)
    if all(die.colour is not None for die in dice):
        message = say_many("{count} die has no value yet: tap it.", "{count} dice have no value yet: tap them.", count)
        return Problem("missing_value", message)
    message = say_many(
        "{count} die has no colour or no value yet: tap it.",
        "{count} dice have no colour or no value yet: tap them.",
        count,
    )
    return Problem("missing_value", message)


def _count_problems(dice: Sequence[Lying], expects: Expectation) -> list[Problem]:
    seen, wanted = len(dice), expects.count
    lacking = _lacking(dice, expects)
    if seen < wanted and len(lacking) == wanted - seen:
        message = say_many(
            "{seen} of {wanted} dice seen: {dice} is missing. Did it fall? Add it, or photograph again.",
            "{seen} of {wanted} dice seen: {dice} are missing. Did they fall? Add them, or photograph again.",
            wanted - seen,
            seen=seen,
            wanted=wanted,
            dice=listed(lacking),
        )
        return [Problem("dice_missing", message)]
    if seen < wanted:
        message = say_many(
            "{seen} of {wanted} dice seen. Add the missing die, or photograph again.",
            "{seen} of {wanted} dice seen. Add the {count} missing dice, or photograph again.",
            wanted - seen,
            seen=seen,
            wanted=wanted,
        )
        return [Problem("dice_missing", message)]
    if seen > wanted and (spare := _spare(dice, expects)):
        message = say_many(
            "{seen} dice seen, but the game waits for {wanted}: {dice} too many. Remove it, or photograph again.",
            "{seen} dice seen, but the game waits for {wanted}: {dice} too many. Remove them, or photograph again.",
            seen - wanted,
            seen=seen,
            wanted=wanted,
            dice=listed(say("{count} {shape}", count=count, shape=shape.value) for shape, count in spare.items()),
        )
        return [Problem("too_many_dice", message)]
    if seen > wanted:
        message = say_many(
            "{seen} dice seen, but the game waits for {wanted}. Remove {count}, or photograph again.",
            "{seen} dice seen, but the game waits for {wanted}. Remove {count}, or photograph again.",
            seen - wanted,
            seen=seen,
            wanted=wanted,
        )
        return [Problem("too_many_dice", message)]
    return []


def _lacking(dice: Sequence[Lying], expects: Expectation) -> list[Sentence]:
    """Return the dice that are waited for and not seen, in words; none where only their number can be told."""
    if len(expects.shapes) < 2:
        return []
    twins = Counter(shape for shape, _ in set(expects.dice or ()))
    return [
        say("the {colour} {shape}", colour=named(colour), shape=shape.value)
        if colour is not None and twins[shape] > 1
        else say("the {shape}", shape=shape.value)
        for shape, colour in missing(dice, expects)
    ]


def _spare(dice: Sequence[Lying], expects: Expectation) -> Counter[Shape]:
    """Return how many of which shape lie there too many, where that is all that is wrong with their number."""
    over = Counter(die.shape for die in dice) - Counter(expects.shapes)
    return over if len(expects.shapes) > 1 and over.total() == len(dice) - expects.count else Counter()


def _shape_problems(dice: Sequence[Lying], expects: Expectation) -> list[Problem]:
    seen = Counter(die.shape for die in dice)
    over = {shape: seen[shape] - expects.shapes.get(shape, 0) for shape in seen}
    wrong = [
        say("{count} {shape} too many", count=count, shape=shape.value)
        for shape, count in sorted(over.items())
        if count > 0
    ]
    if not wrong or (len(expects.shapes) == 1 and set(seen) == set(expects.shapes)) or _spare(dice, expects):
        return []
    message = say(
        "{wrong}: the game waits for {wanted}. Tap a die to correct its shape.",
        wrong=row(wrong),
        wanted=row(f"{count} {shape}" for shape, count in expects.shapes.items()),
    )
    return [Problem("wrong_shape", message)]


def _colour_problems(dice: Sequence[Lying], expects: Expectation) -> list[Problem]:
    if expects.colours is None or _spare(dice, expects):
        return []
    seen = Counter(die.colour for die in dice if die.colour is not None)
    found = []
    for colour, count in sorted(seen.items()):
        most = expects.colours.get(colour, 0)
        if count > most:
            found.append(Problem("wrong_colour", _too_many(count, colour, most)))
    return found


def _too_many(count: int, colour: str, most: int) -> str:
    if not most:
        return say_many(
            "{count} {colour} die seen, but none can lie there. Tap a die to correct its colour.",
            "{count} {colour} dice seen, but none can lie there. Tap a die to correct its colour.",
            count,
            colour=named(colour),
        )
    return say_many(
        "{count} {colour} die seen, but at most {most} can lie there. Tap a die to correct its colour.",
        "{count} {colour} dice seen, but at most {most} can lie there. Tap a die to correct its colour.",
        count,
        colour=named(colour),
        most=most,
    )
