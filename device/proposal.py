"""A proposal: a reading, or dice entered by hand, that waits for somebody to correct and confirm it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from statistics import median
from typing import Any

from device.problems import Problem, missing, problems
from engine.dice import DiceError, Die, DieState, Shape, check_colour
from engine.game import Expectation, IllegalMove, InvalidInput
from engine.words import row, say, say_many
from vision.reading import Box, Confidence, Guess, ReadDie, Reading

MOST_DICE = 60
"""Dice in one proposal; far over any roll, and few enough for a phone."""

USUAL = 16
"""Dice that would lie side by side across a picture in which none is seen yet."""

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
class ProposedDie:
    """One die of a proposal; `colour` and `value` are None until somebody says what they are.

    `index` names the die for as long as the proposal stands, also after others were removed. `looking`: somebody has
    pointed at its place, and the reader has not said yet what it sees there.
    """

    index: int
    shape: Shape = Shape.D6
    colour: str | None = None
    value: int | None = None
    state: DieState = DieState.UNSURE
    box: Box | None = None
    confidence: Confidence | None = None
    crop: str | None = None
    guesses: tuple[Guess, ...] = ()
    looking: bool = False

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
        said = replace(self, shape=new_shape, colour=new_colour, value=new_value, looking=False)
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
            "guesses": [guess.as_json() for guess in self.guesses],
            "looking": self.looking,
        }


def places(dice: Sequence[ProposedDie]) -> list[tuple[float, float]] | None:
    """Return where each die lies in the picture, in widths of a die; None unless all were seen there."""
    boxes = [die.box for die in dice if die.box is not None]
    if not boxes or len(boxes) < len(dice):
        return None
    width = width_of(boxes)
    return [
        (round(float(x + wide / 2) / width, 3), round(float(y + high / 2) / width, 3)) for x, y, wide, high in boxes
    ]


def width_of(boxes: Sequence[Box]) -> float:
    """Return the width of a usual die among `boxes` in pixels, 0 where there is none."""
    return median(float(max(wide, high)) for _, _, wide, high in boxes) if boxes else 0.0


@dataclass(frozen=True, slots=True)
class Proposal:
    """A roll that waits. `dice` are in the order of the picture, `order` lists their indexes doubtful ones first.

    `order` is fixed when the dice are read, so that a chip does not jump away under the finger that corrects it.
    `width` and `height` are the pixels that the boxes count in; the kept photograph may be smaller. `notes` speak of
    the reading as it was, so they go with the first correction; `warnings` of the picture, and stay with it.
    """

    id: str
    state: ProposalState
    source: Source
    photo: str | None = None
    width: int = 0
    height: int = 0
    dice: tuple[ProposedDie, ...] = ()
    order: tuple[int, ...] = ()
    removed: tuple[ProposedDie, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    error: Problem | None = None
    notice: str | None = None

    @property
    def doubtful(self) -> int:
        return sum(die.doubtful for die in self.dice)

    def check(self, expects: Expectation | None, *, accept_doubtful: bool) -> None:
        """Raise `IllegalMove` unless these dice can be confirmed now."""
        if found := problems(self.dice, expects):
            raise IllegalMove(found[0].code, found[0].message, "proposal")
        if self.doubtful and not accept_doubtful:
            raise IllegalMove(
                "doubtful_dice",
                say_many(
                    "{count} die is doubtful. Nothing was confirmed yet. Tap it first to say what it is, then confirm.",
                    "{count} dice are doubtful. Nothing was confirmed yet. "
                    "Tap them first to say what they are, then confirm.",
                    self.doubtful,
                ),
                "proposal",
            )

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
            removed=(*self.removed, gone),
            notes=(),
            notice=None,
        )

    def with_restored(self, index: Any) -> Proposal:
        """Return the proposal with a removed die back in it. Raises `InvalidInput`."""
        for die in self.removed:
            if die.index == index and not isinstance(index, bool):
                back = self.with_die(die)
                return replace(back, removed=tuple(other for other in self.removed if other is not die))
        message = say("No die number {index} was removed from this proposal. Look at it again.", index=repr(index))
        raise InvalidInput("unknown_die", message, "index")

    @property
    def next_index(self) -> int:
        return max((die.index for die in (*self.dice, *self.removed)), default=-1) + 1

    def box_at(self, at: tuple[float, float]) -> Box | None:
        """Return the box of a die at a place in the picture, as large as the others; None outside of the picture."""
        x, y = at
        if not (0 <= x < self.width and 0 <= y < self.height):
            return None
        side = width_of([die.box for die in self.dice if die.box is not None]) or self.width / USUAL
        return x - side / 2, y - side / 2, side, side

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
            "removed": [die.as_json() for die in self.removed],
            "missing": [{"shape": shape.value, "colour": colour} for shape, colour in missing(self.dice, expects)],
            "notes": list(self.notes),
            "warnings": list(self.warnings),
            "problems": [problem.message for problem in problems(self.dice, expects)] if ready else [],
            "milliseconds": {name: round(took, 1) for name, took in self.milliseconds.items()},
            "error": None if self.error is None else {"code": self.error.code, "message": self.error.message},
            "notice": self.notice,
            "doubtful": self.doubtful,
            "empty": sum(not die.complete for die in self.dice),
        }


def as_read(index: int, die: ReadDie, crop: str | None) -> ProposedDie:
    """Return the die that the reader saw, as it stands in a proposal."""
    return ProposedDie(index, die.shape, die.colour, die.value, die.state, die.box, die.confidence, crop, die.guesses())


def from_reading(reading: Reading, crops: Sequence[str | None]) -> tuple[tuple[ProposedDie, ...], tuple[int, ...]]:
    """Return the dice of a reading, and the order in which to show them: doubtful ones first, the least sure first."""
    dice = tuple(as_read(index, die, crop) for index, (die, crop) in enumerate(zip(reading.dice, crops, strict=True)))
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
