"""A Reading held against what the game expects: the sure dice settle doubtful shapes and colours; nothing is forced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from engine.dice import DieState, Shape
from engine.game import Expectation
from engine.words import named, say, say_many
from vision.alike import alike
from vision.colour import among
from vision.reading import Confidence, Reading
from vision.seen import SHAPES, SeenDie, doubts, state_of, with_chances

TINY = 1e-6
FORCED = 0.02
"""A shape or colour that the die itself gives less than this is not settled on, whatever the roll asks for."""
TRUST = 0.97
"""How surely a die on the table is one that the game waits for."""


def resolve(reading: Reading, expectation: Expectation) -> Reading:
    """Return `reading` with each die's shape, colour and value as the roll as a whole makes them likeliest.

    Dice that look alike weigh as one in the question of their colour (`vision.alike`).
    The shapes are assigned jointly to those of `expectation.shapes`, the colours to `expectation.colours` with at most
    as many of each as can lie there. A die that fits nothing stays as it was seen, `unsure`, and a note says so. Dice
    that a person has corrected stay as they are. States follow from the new probabilities.
    """
    dice = [with_chances(die) for die in reading.dice]
    notes = _counted(len(dice), expectation)
    shapes, odd = _shapes(dice, expectation.shapes)
    notes += odd
    colours, over = _colours(dice, expectation.colours)
    notes += over
    settled = []
    for die, (shape, shape_sure), (colour, colour_sure, spread) in zip(dice, shapes, colours, strict=True):
        if die.state is DieState.CORRECTED:
            settled.append(die)
            continue
        if shape is None:
            settled.append(replace(die, state=_demoted(die.state), colour=colour, colours=spread))
            continue
        place = SHAPES.index(shape)
        chances = die.values[place, : shape.faces]
        value = int(chances.argmax()) + 1
        sure = float(chances[value - 1])
        asked = colour_sure if expectation.colours is not None else None
        state = state_of(die.state is DieState.COCKED, sure, shape_sure, die.needs, colour=asked)
        confidence = Confidence(shape_sure, colour_sure, sure)
        settled.append(
            replace(die, shape=shape, colour=colour, value=value, state=state, confidence=confidence, colours=spread)
        )
    old = set(doubts(reading.dice))
    kept = [note for note in reading.notes if note not in old]
    return replace(reading, dice=tuple(settled), notes=(*kept, *notes, *doubts(settled)))


def _demoted(state: DieState) -> DieState:
    return DieState.UNSURE if state is DieState.READ else state


def _counted(seen: int, expectation: Expectation) -> list[str]:
    wanted = expectation.count
    if seen < wanted:
        return [
            say(
                "{seen} of {wanted} dice seen. Part dice that touch or hide one another, or add the missing ones by "
                "hand.",
                seen=seen,
                wanted=wanted,
            )
        ]
    if seen > wanted:
        return [
            say_many(
                "{seen} dice seen, but {count} is rolled. Take away what is no die of this roll, or remove it here.",
                "{seen} dice seen, but {count} are rolled. Take away what is no die of this roll, or remove it here.",
                wanted,
                seen=seen,
            )
        ]
    return []


def _shapes(dice: Sequence[SeenDie], wanted: Mapping[Shape, int]) -> tuple[list[tuple[Shape | None, float]], list[str]]:
    """Return each die's shape and how sure it is (None: it fits nothing), and notes."""
    free = Counter({shape: count for shape, count in wanted.items() if count > 0})
    for die in dice:
        if die.state is DieState.CORRECTED:
            free[die.shape] -= 1
    open_dice = [place for place, die in enumerate(dice) if die.state is not DieState.CORRECTED]
    chances = [{shape: _believed(dice[place], shape) for shape in SHAPES} for place in open_dice]
    given = deal(chances, free, [dice[place].score for place in open_dice])
    found: list[tuple[Shape | None, float]] = [(die.shape, die.confidence.shape) for die in dice]
    notes: list[str] = []
    used = Counter(given)
    spare = [shape for shape in SHAPES if free[shape] > used[shape]]
    for row, place in enumerate(open_dice):
        die, shape = dice[place], given[row]
        if shape is None or chances[row][shape] < FORCED:
            found[place] = (None, 0.0)
            if not free[die.shape] > 0:
                notes.append(
                    say(
                        "One die looks like a {shape}, and this roll has none left of these. Check it.",
                        shape=die.shape.value,
                    )
                )
            continue
        odds = _rivalry(row, shape, given, chances)
        odds += max((chances[row][other] for other in spare if other is not shape), default=0.0) / chances[row][shape]
        # Whatever is no part of this roll keeps a small share.
        odds += (1 - TRUST) * (1 - chances[row][shape]) / chances[row][shape]
        found[place] = (shape, 1 / (1 + odds))
    return found, notes


def _believed(die: SeenDie, shape: Shape) -> float:
    """Return the probability of a shape, never quite 0, so that a roll can be weighed."""
    return float(max(die.shapes[SHAPES.index(shape)], TINY))


def _rivalry(row: int, shape: Shape, given: Sequence[Shape | None], chances: Sequence[Mapping[Shape, float]]) -> float:
    """Return the odds of the likeliest roll in which this die has swapped its shape with another's."""
    odds = 0.0
    for other, theirs in enumerate(given):
        if other != row and theirs is not None and theirs is not shape:
            swapped = chances[other][shape] * chances[row][theirs]
            odds = max(odds, swapped / (chances[other][theirs] * chances[row][shape]))
    return odds


def _colours(
    dice: Sequence[SeenDie], most: Mapping[str, int] | None
) -> tuple[list[tuple[str, float, dict[str, float]]], list[str]]:
    """Return each die's colour, how sure it is and the colours' probabilities, and notes."""
    if most is None or not most:
        return [(die.colour, die.confidence.colour, die.colours) for die in dice], []
    names = list(most)
    spreads = [among(die.colours, names) if die.colours else among({die.colour: 0.9}, names) for die in dice]
    spreads = alike([die.look for die in dice], spreads)
    left = Counter(dict(most))
    for die in dice:
        if die.state is DieState.CORRECTED:
            left[die.colour] -= 1
    open_dice = [place for place, die in enumerate(dice) if die.state is not DieState.CORRECTED]
    given = deal([spreads[place] for place in open_dice], left)
    found = [(die.colour, die.confidence.colour, die.colours) for die in dice]
    notes: list[str] = []
    for row, place in enumerate(open_dice):
        spread, colour = spreads[place], given[row]
        liked = max(spread, key=spread.__getitem__)
        if colour is None or spread[colour] < FORCED:
            notes.append(
                say_many(
                    "More dice look {colour} than the {count} that can lie here. Check their colours.",
                    "More dice look {colour} than the {count} that can lie here. Check their colours.",
                    most[liked],
                    colour=named(liked),
                )
            )
            found[place] = (liked, min(spread[liked], 0.5), spread)
            continue
        found[place] = (colour, spread[colour], spread)
    return found, list(dict.fromkeys(notes))


Name = TypeVar("Name", bound=str)


def deal(
    chances: Sequence[Mapping[Name, float]], most: Mapping[Name, int], scores: Sequence[float] | None = None
) -> list[Name | None]:
    """Return a name for each die so that the product of their chances is largest and no name is used over `most` times.

    With more dice than names those that fit worst, weighed by their `scores`, get None. Exact: the Hungarian method.
    """
    if not chances:
        return []
    liked = [max(chance, key=chance.__getitem__) for chance in chances]
    if all(count <= most.get(name, 0) for name, count in Counter(liked).items()):
        return list(liked)
    places = [name for name, count in most.items() for _ in range(min(max(0, count), len(chances)))]
    if not places:
        return [None] * len(chances)
    weights = scores or [1.0] * len(chances)
    likely = np.array(
        [[chance.get(name, 0.0) * weight for name in places] for chance, weight in zip(chances, weights, strict=True)]
    )
    cost = -np.log(np.maximum(likely, TINY * TINY))
    given: list[Name | None] = [None] * len(chances)
    if len(chances) > len(places):
        for place, row in enumerate(_least_cost(cost.T)):
            given[row] = places[place]
    else:
        for row, place in enumerate(_least_cost(cost)):
            given[row] = places[place]
    return given


def _least_cost(cost: np.ndarray) -> list[int]:
    """Return each row's column of least total cost; there must be no more rows than columns.

    Kuhn and Munkres with potentials: O(rows squared times columns).
    """
    rows, columns = cost.shape
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    owner = np.zeros(columns + 1, dtype=int)
    came_from = np.zeros(columns + 1, dtype=int)
    for row in range(1, rows + 1):
        owner[0] = row
        here = 0
        slack = np.full(columns + 1, np.inf)
        done = np.zeros(columns + 1, dtype=bool)
        while True:
            done[here] = True
            reduced = cost[owner[here] - 1] - row_price[owner[here]] - column_price[1:]
            nearer = ~done[1:] & (reduced < slack[1:])
            slack[1:][nearer] = reduced[nearer]
            came_from[1:][nearer] = here
            open_slack = np.where(done, np.inf, slack)
            open_slack[0] = np.inf
            following = int(open_slack.argmin())
            step = open_slack[following]
            row_price[owner[done]] += step
            column_price[done] -= step
            slack[~done] -= step
            here = following
            if owner[here] == 0:
                break
        while here:
            owner[here] = owner[came_from[here]]
            here = came_from[here]
    columns_of = [0] * rows
    for column in range(1, columns + 1):
        if owner[column]:
            columns_of[owner[column] - 1] = column - 1
    return columns_of
