"""The bag: what is left in it, which dice a board could use, and the chance that the next draw holds one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from typing import Any

from engine.carnavalesco.board import ELEMENTS, SPACES, Board
from engine.carnavalesco.draft import draw
from engine.carnavalesco.house_rules import HouseRules
from engine.carnavalesco.perfect import perfect_in_reach
from engine.carnavalesco.state import State
from engine.dice import Die, Shape

_FACES = range(1, Shape.D6.faces + 1)


def bag_json(state: State) -> dict[str, Any]:
    """Return the bag as it is now, and what the next draw can bring to the seat that has the marker.

    `left` counts the dice in the bag by colour, of `each` that there are in the box; `draw` is the size of the next
    draw. While a draw is waited for, `chances` gives the chance of at least one die of each colour, and, for each
    element that is not full, the `dice` (values by colour) of which any one, placed there, keeps a perfect mark within
    reach, with the `chance` that at least one of them is among the dice drawn and rolled. It is null while the dice of
    a round lie on the table.
    """
    lying = Counter(die.colour for die, taken in zip(state.roll, state.taken, strict=True) if taken is None)
    left = {colour: max(0, count - lying[colour]) for colour, count in state.left_in_bag().items()}
    bag: dict[str, Any] = {
        "left": left,
        "each": state.setup.dice_of_a_colour,
        "draw": draw(state.setup.seats),
        "seat": state.first,
        "chances": None,
    }
    if state.phase == "roll":
        board, setup = state.boards[state.first], state.setup
        elements = {
            element: useful_dice(board, element, setup.colours, setup.rules, setup.official)
            for element in ELEMENTS
            if not board.full(element)
        }
        bag["chances"] = {
            "colours": {colour: float(chance_of_colour(left, colour, bag["draw"])) for colour in left},
            "elements": {
                element: {
                    "spaces": board.free(element),
                    "dice": _by_colour(dice),
                    "chance": float(chance_of_one(left, dice, bag["draw"])),
                }
                for element, dice in elements.items()
            },
        }
    return bag


@lru_cache(maxsize=256)
def useful_dice(
    board: Board, element: str, colours: tuple[str, ...], rules: HouseRules, official: tuple[str, str] | None
) -> tuple[Die, ...]:
    """Return the dice of which any one, placed in `element`, keeps its perfect mark within reach; none when it is lost.

    Within reach: some dice in the spaces that are then empty, here and elsewhere, would make it perfect.
    """
    if board.full(element) or not perfect_in_reach(board, element, rules, official):
        return ()
    empty = [space for space in range(SPACES) if board.element_spaces(element)[space] is None]
    spaces = empty if element == "progression" and rules.ordered_spaces else empty[:1]
    return tuple(
        die
        for die in (Die(colour, value) for colour in colours for value in _FACES)
        if any(perfect_in_reach(board.put(element, die, space), element, rules, official) for space in spaces)
    )


def chance_of_colour(left: Mapping[str, int], colour: str, count: int) -> Fraction:
    """Return the chance that `count` dice drawn from the bag hold at least one of `colour` (hypergeometric, exact)."""
    return chance_of_one(left, [Die(colour, value) for value in _FACES], count)


def chance_of_one(left: Mapping[str, int], wanted: Collection[Die], count: int) -> Fraction:
    """Return the chance that, of `count` dice drawn from the bag and rolled, at least one is among `wanted` (exact).

    How many dice of each colour are drawn is multivariate hypergeometric, and every die then shows each of its values
    alike. So the chance to miss is a sum, over the colours' counts x, of products of C(left, x) · (misses / 6)^x.
    """
    values = Counter(die.colour for die in set(wanted))
    alike: Counter[int] = Counter()  # dice in the bag by the number of their faces that miss
    for colour, number in left.items():
        alike[len(_FACES) - values[colour]] += number
    count = min(count, alike.total())
    missed = [1] + [0] * count  # for each number of dice, the ways to draw so many that all miss
    for faces, number in alike.items():
        ways = [comb(number, drawn) * faces**drawn for drawn in range(count + 1)]
        missed = [sum(missed[at - drawn] * ways[drawn] for drawn in range(at + 1)) for at in range(count + 1)]
    return 1 - Fraction(missed[count], prod([comb(alike.total(), count), len(_FACES) ** count]))


def _by_colour(dice: Collection[Die]) -> dict[str, list[int]]:
    return {
        colour: [die.value for die in dice if die.colour == colour]
        for colour in dict.fromkeys(die.colour for die in dice)
    }
