"""What keeps a perfect mark within reach: one function an element, from the dice in it, be they four or fewer.

Within reach means: some dice in the spaces that are still empty, here and in other elements, make the element perfect.
What the bag still holds is not asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from engine.carnavalesco import elements as rules_of
from engine.carnavalesco.board import COLOUR_COUNT, SPACES, Board, Spaces
from engine.carnavalesco.house_rules import HouseRules
from engine.dice import Die, Shape


def perfect_in_reach(board: Board, element: str, rules: HouseRules, official: Collection[str] | None = None) -> bool:
    """Return whether `element` can still become (or, when it is full, stay or become) perfect."""
    dice = board.dice(element)
    match element:
        case "vanguard":
            return _vanguard(dice)
        case "flag_bearers":
            return _flag_bearers(dice, official)
        case "storyline":
            return _storyline(dice, board, rules)
        case "floats":
            return len({die.colour for die in dice}) == len({die.value for die in dice}) == len(dice)
        case "costumes":
            return (Counter(dice) - Counter(board.dice("floats"))).total() <= board.free("floats")
        case "progression":
            return _progression(board.element_spaces(element), rules)
        case "harmony":
            return len(set(dice)) <= 1
        case "drums":
            values = {die.value for die in dice}
            return len(values) <= 1 and values.isdisjoint(die.value for die in board.dice("harmony"))
        case _:
            return _theme_song(dice, board, rules)


def _vanguard(dice: Sequence[Die]) -> bool:
    total, empty = sum(die.value for die in dice), SPACES - len(dice)
    return len({die.colour for die in dice}) <= 1 and total + empty <= 15 and total + Shape.D6.faces * empty >= 10


def _flag_bearers(dice: Sequence[Die], official: Collection[str] | None) -> bool:
    if official is not None and any(die.colour not in official for die in dice):
        return False
    pairs = Counter(dice)
    if len(pairs) > 2 or any(count > 2 for count in pairs.values()):
        return False
    return len(pairs) < 2 or (len({die.colour for die in pairs}) == 2 and len({die.value % 2 for die in pairs}) == 2)


def _storyline(dice: Sequence[Die], board: Board, rules: HouseRules) -> bool:
    """Each die needs an element of its own that holds its like or has an empty space for it."""
    if rules_of.different_dice(dice, rules) < len(dice):
        return False
    homes = [
        {element for element, there in board.others("storyline").items() if die in there or len(there) < SPACES}
        for die in dice
    ]
    return rules_of.most_apart(homes) == len(dice)


def _progression(spaces: Spaces, rules: HouseRules) -> bool:
    if rules.ordered_spaces:
        starts = {die.value - at for at, die in enumerate(spaces) if die is not None}
        return len(starts) <= 1 and starts <= {1, 2, 3}
    values = [die.value for die in spaces if die is not None]
    return len(set(values)) == len(values) and (not values or max(values) - min(values) < SPACES)


def _theme_song(dice: Sequence[Die], board: Board, rules: HouseRules) -> bool:
    """Every die must stand out, and every empty space must still have a colour or a value to stand out by."""
    elsewhere = board.elsewhere("theme_song")
    empty = len(dice) < SPACES
    by_colour = not empty or len({die.colour for die in elsewhere}) < COLOUR_COUNT
    by_value = not empty or len({die.value for die in elsewhere}) < Shape.D6.faces
    if rules.uniform_song:
        return (by_colour and len(rules_of.fresh_by_colour(dice, elsewhere)) == len(dice)) or (
            by_value and len(rules_of.fresh_by_value(dice, elsewhere)) == len(dice)
        )
    return (by_colour or by_value) and len(rules_of.fresh_dice(dice, elsewhere, rules)) == len(dice)
