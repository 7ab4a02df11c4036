"""A proposal: a reading, or dice entered by hand, that waits for somebody to correct and confirm it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import median
from typing import Any

from engine.dice import DiceError, Die, DieState, Shape, check_colour
from engine.game import Expectation, InvalidInput
from engine.words import Sentence, listed, named, row, say, say_many
from vision.reading import Box, Confidence, Reading

MOST_DICE = 60
"""Dice in one proposal; far over any roll, and few enough for a phone."""

DOUBTFUL = (DieState.UNSURE, DieState.COCKED)


class ProposalState(StrEnum):
    """Where a proposal stands."""

    CAPTURING = "capturing"
    READY = "ready"
    FAILED = "failed"


class Source(StrEnum):
    """Where its dice come from."""

    CAMERA = "camera"
    PHONE = "phone"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that must be put right before the dice can be confirmed."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ProposedDie:
    """One die of a proposal; `colour` and `value` are None until somebody says what they are.

    `index` names the die for as long as the proposal stands, also after others were removed.
    """

    index: int
    shape: Shape = Shape.D6
    colour: str | None = None
    value: int | None = None
    state: DieState = DieState.UNSURE
    box: Box | None = None
    confidence: Confidence | None = None
    crop: str | None = None

    @property
    def complete(self) -> bool:
        return self.colour is not None and self.value is not None

    @property
    def doubtful(self) -> bool:
        """Whether it shows a guess that nobody has looked at."""
        return self.complete and self.state in DOUBTFUL

    @property
    def die(self) -> Die:
        """The die as the rules know it; it must be complete."""
        assert self.colour is not None
        assert self.value is not None
        return Die(self.colour, self.value, self.shape)

    def corrected(self, *, shape: Any = None, colour: Any = None, value: Any = None) -> ProposedDie:
        """Return the die as a person says it is; with nothing given, that it is right as it stands.

        Raises `InvalidInput` for what no die can be.
        """
        try:
            new_shape = self.shape if shape is None else Shape(shape)
        except ValueError:
            raise InvalidInput(
                "bad_die",
                say(
                    "{given} is no shape of a die. It is one of {known}.",
                    given=repr(shape),
                    known=row(one.value for one in Shape),
                ),
                "shape",
            ) from None
        new_colour = self.colour if colour is None else colour
        new_value = self.value if value is None else value
        try:
            if new_colour is not None:
                check_colour(new_colour)
        except DiceError as error:
            raise InvalidInput("bad_die", error.args[0], "colour") from error
        try:
            if new_value is not None:
                Die("white", new_value, new_shape)
        except DiceError as error:
            raise InvalidInput("bad_die", error.args[0], "value") from error
        said = replace(self, shape=new_shape, colour=new_colour, value=new_value)
        return replace(said, state=DieState.CORRECTED if said.complete else self.state)

    def as_json(self) -> dict[str, Any]:
        return {
            "index": self.index,
            "shape": self.shape.value,
            "colour": self.colour,
            "value": self.value,
            "state": self.state.value,
            "box": None if self.box is None else [round(float(edge), 1) for edge in self.box],
            "confidence": None if self.confidence is None else self.confidence.as_json(),
            "crop": self.crop,
        }


def places(dice: Sequence[ProposedDie]) -> list[tuple[float, float]] | None:
    """Return where each die lies in the picture, in widths of a die; None unless all were seen there."""
    boxes = [die.box for die in dice if die.box is not None]
    if not boxes or len(boxes) < len(dice):
        return None
    width = median(float(max(wide, high)) for _, _, wide, high in boxes)
    return [
        (round(float(x + wide / 2) / width, 3), round(float(y + high / 2) / width, 3)) for x, y, wide, high in boxes
    ]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A roll that waits. `dice` are in the order of the picture, `order` lists their indexes doubtful ones first.

    `order` is fixed when the dice are read, so that a chip does not jump away under the finger that corrects it.
    `width` and `height` are the pixels that the boxes count in; the kept photograph may be smaller. `notes` speak of
    the reading as it was, so they go with the first correction.
    """

    id: str
    state: ProposalState
    source: Source
    photo: str | None = None
    width: int = 0
    height: int = 0
    dice: tuple[ProposedDie, ...] = ()
    order: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    error: Problem | None = None
    notice: str | None = None

    @property
    def doubtful(self) -> int:
        return sum(die.doubtful for die in self.dice)

    def die(self, index: Any) -> ProposedDie:
        """Return the die with this index. Raises `InvalidInput`."""
        for die in self.dice:
            if die.index == index and not isinstance(index, bool):
                return die
        message = say("This proposal has no die number {index}. Look at it again.", index=repr(index))
        raise InvalidInput("unknown_die", message, "index")

    def with_die(self, die: ProposedDie) -> Proposal:
        """Return the proposal with `die` in the place of the one with its index, or added at the end."""
        if any(old.index == die.index for old in self.dice):
            dice = tuple(die if old.index == die.index else old for old in self.dice)
            return replace(self, dice=dice, notes=(), notice=None)
        return replace(self, dice=(*self.dice, die), order=(*self.order, die.index), notes=(), notice=None)

    def without_die(self, index: int) -> Proposal:
        """Return the proposal without one die. Raises `InvalidInput`."""
        gone = self.die(index)
        return replace(
            self,
            dice=tuple(die for die in self.dice if die is not gone),
            order=tuple(other for other in self.order if other != gone.index),
            notes=(),
            notice=None,
        )

    @property
    def next_index(self) -> int:
        return max((die.index for die in self.dice), default=-1) + 1

    def as_json(self, expects: Expectation | None) -> dict[str, Any]:
        """Return what a phone sees; `problems` are those against what the game expects now."""
        by_index = {die.index: die for die in self.dice}
        ready = self.state is ProposalState.READY
        return {
            "id": self.id,
            "state": self.state.value,
            "source": self.source.value,
            "photo": self.photo,
            "width": self.width,
            "height": self.height,
            "dice": [by_index[index].as_json() for index in self.order],
            "notes": list(self.notes),
            "problems": [problem.message for problem in problems(self.dice, expects)] if ready else [],
            "milliseconds": {name: round(took, 1) for name, took in self.milliseconds.items()},
            "error": None if self.error is None else {"code": self.error.code, "message": self.error.message},
            "notice": self.notice,
            "doubtful": self.doubtful,
            "empty": sum(not die.complete for die in self.dice),
        }


def from_reading(reading: Reading, crops: Sequence[str | None]) -> tuple[tuple[ProposedDie, ...], tuple[int, ...]]:
    """Return the dice of a reading, and the order in which to show them: doubtful ones first, the least sure first."""
    dice = tuple(
        ProposedDie(index, die.shape, die.colour, die.value, die.state, die.box, die.confidence, crop)
        for index, (die, crop) in enumerate(zip(reading.dice, crops, strict=True))
    )
    order = sorted(
        dice, key=lambda die: (not die.doubtful, die.confidence.value if die.doubtful and die.confidence else 0)
    )
    return dice, tuple(die.index for die in order)


def by_hand(expects: Expectation) -> tuple[ProposedDie, ...]:
    """Return the dice that are waited for, still empty; a colour is filled in where only one can be."""
    if expects.dice is not None:
        return tuple(ProposedDie(index, shape, colour) for index, (shape, colour) in enumerate(expects.dice))
    only = "white" if expects.colours is None else None
    if expects.colours is not None and len(expects.colours) == 1:
        only = next(iter(expects.colours))
    shapes = [shape for shape, count in expects.shapes.items() for _ in range(count)]
    return tuple(ProposedDie(index, shape, only) for index, shape in enumerate(shapes))


def missing_shape(dice: Sequence[ProposedDie], expects: Expectation | None) -> Shape:
    """Return the shape of the die that most likely has to be added."""
    if expects is None:
        return dice[-1].shape if dice else Shape.D6
    seen = Counter(die.shape for die in dice)
    return max(expects.shapes, key=lambda shape: expects.shapes[shape] - seen[shape], default=Shape.D6)


def problems(dice: Sequence[ProposedDie], expects: Expectation | None) -> list[Problem]:
    """Return everything that keeps these dice from being the roll that the game waits for."""
    if expects is None:
        message = say("No roll is waited for now, so these dice cannot be confirmed. Discard them.")
        return [Problem("no_roll_expected", message)]
    found = [*_count_problems(dice, expects), *_shape_problems(dice, expects), *_colour_problems(dice, expects)]
    lacking = [die for die in dice if not die.complete]
    if lacking:
        found.append(_incomplete(lacking))
    return found


def _incomplete(dice: Sequence[ProposedDie]) -> Problem:
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


def _count_problems(dice: Sequence[ProposedDie], expects: Expectation) -> list[Problem]:
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


def _lacking(dice: Sequence[ProposedDie], expects: Expectation) -> list[Sentence]:
    """Return the dice that are waited for and not seen, in words; none where only their number can be told."""
    if len(expects.shapes) < 2:
        return []
    left = Counter(expects.dice if expects.dice is not None else {(one, ""): n for one, n in expects.shapes.items()})
    # Dice whose colour goes with their shape are told apart by it, where several of one shape lie there.
    for die in sorted(dice, key=lambda one: one.colour is None):
        fits = [one for one in left if one[0] == die.shape and left[one]]
        if fits:
            left[max(fits, key=lambda one: one[1] == die.colour)] -= 1
    twins = Counter(shape for shape, _ in set(expects.dice or ()))
    return [
        say("the {colour} {shape}", colour=named(colour), shape=shape.value)
        if twins[shape] > 1
        else say("the {shape}", shape=shape.value)
        for shape, colour in left.elements()
    ]


def _shape_problems(dice: Sequence[ProposedDie], expects: Expectation) -> list[Problem]:
    seen = Counter(die.shape for die in dice)
    over = {shape: seen[shape] - expects.shapes.get(shape, 0) for shape in seen}
    wrong = [
        say("{count} {shape} too many", count=count, shape=shape.value)
        for shape, count in sorted(over.items())
        if count > 0
    ]
    if not wrong or (len(expects.shapes) == 1 and set(seen) == set(expects.shapes)):
        return []
    message = say(
        "{wrong}: the game waits for {wanted}. Tap a die to correct its shape.",
        wrong=row(wrong),
        wanted=row(f"{count} {shape}" for shape, count in expects.shapes.items()),
    )
    return [Problem("wrong_shape", message)]


def _colour_problems(dice: Sequence[ProposedDie], expects: Expectation) -> list[Problem]:
    if expects.colours is None:
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
