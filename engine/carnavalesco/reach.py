"""What an unfinished element can still earn: the best row, whatever dice come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product

from engine.carnavalesco import elements as rules_of
from engine.carnavalesco.board import SPACES, Board, Spaces
from engine.carnavalesco.elements import PERFECT, ROW_FOR_COUNT, Finding, label
from engine.carnavalesco.house_rules import HouseRules
from engine.dice import Die

_COLOUR_BLIND = ("progression", "drums")


def still_possible(board: Board, element: str, rules: HouseRules, official: tuple[str, str] | None = None) -> str:
    """Return, for an element with empty spaces, what lies there and the most that it can still earn."""
    dice = board.dice(element)
    if not dice:
        return "No dice yet: a perfect 10 is possible."
    there = f"{len(dice)} of {SPACES} dice: {', '.join(label(die) for die in dice)}."
    row = best_row(board, element, rules, official)
    if row == PERFECT:
        return f"{there} A perfect 10 is still possible."
    if row:
        return f"{there} No perfect 10 any more; at best +{row}."
    return f"{there} No perfect 10 and no bonus any more."


def best_row(board: Board, element: str, rules: HouseRules, official: tuple[str, str] | None = None) -> int:
    """Return the best row (10, 3, 2, 1, 0) that an unfinished `element` can still reach; dice already there stay."""
    dice = board.dice(element)
    match element:
        case "storyline":
            return _best_storyline(dice, board, rules)
        case "costumes":
            return _best_costumes(dice, board)
        case "theme_song":
            elsewhere = [die for there in board.others(element).values() for die in there]
            fresh = rules_of.fresh_dice(dice, elsewhere, rules)
            return ROW_FOR_COUNT[len(fresh) + board.free(element)]
        case _:
            sung = board.dice("harmony") if element == "drums" else ()
            return _best_alone(element, board.element_spaces(element), rules, official, sung)


def _best_storyline(dice: Sequence[Die], board: Board, rules: HouseRules) -> int:
    """Return Storyline's best row if every empty space, here and elsewhere, is filled as it needs."""
    others = board.others("storyline")
    empty_elsewhere = sum(board.free(element) for element in others)
    at_home = [die for die in dice if any(die in there for there in others.values())]
    if len(set(dice) - set(at_home)) > empty_elsewhere:
        return 0
    empty = board.free("storyline")
    different = min(SPACES, rules_of.different_dice(dice, rules) + empty)
    told = rules_of.elements_told(at_home, others, rules)
    return rules_of.storyline_row(different, min(SPACES, told + empty + empty_elsewhere))


def _best_costumes(dice: Sequence[Die], board: Board) -> int:
    """Return the best row of Costumes: a die here that Floats & Props lacks needs an empty space there."""
    floats = board.dice("floats")
    shared = (Counter(dice) & Counter(floats)).total()
    lost = max(0, len(dice) - shared - board.free("floats"))
    return ROW_FOR_COUNT[SPACES - lost]


@lru_cache(maxsize=4096)
def _best_alone(
    element: str,
    spaces: Spaces,
    rules: HouseRules,
    official: tuple[str, str] | None,
    sung: tuple[Die, ...],
) -> int:
    """Return the best row over every way to fill the empty spaces, for elements that wait for no other.

    Colours that are not there yet are all alike, so as many fresh ones as there are empty spaces stand for all six;
    where colour does not count at all, one will do.
    """
    finds: dict[str, Callable[[Sequence[Die]], Finding]] = {
        "vanguard": rules_of.vanguard,
        "flag_bearers": lambda four: rules_of.flag_bearers(four, rules, official),
        "floats": rules_of.floats,
        "progression": lambda four: rules_of.progression(four, rules),
        "harmony": rules_of.harmony,
        "drums": lambda four: rules_of.drums(four, sung, rules),
    }
    missing = spaces.count(None)
    colours = {die.colour for die in spaces if die is not None}
    fresh = official or [f"another-{at}" for at in range(missing)]
    palette = ["any"] if element in _COLOUR_BLIND else sorted(colours | set(fresh))
    faces = [Die(colour, value) for colour in palette for value in range(1, 7)]
    best = 0
    ways = product(faces, repeat=missing) if element == "progression" else combinations_with_replacement(faces, missing)
    for more in ways:
        best = max(best, finds[element](_filled(spaces, more)).row)
        if best == PERFECT:
            break
    return best


def _filled(spaces: Spaces, more: Sequence[Die]) -> list[Die]:
    """Return four dice: those of `spaces`, and `more` in its empty ones from first to last."""
    coming = iter(more)
    return [die if die is not None else next(coming) for die in spaces]
