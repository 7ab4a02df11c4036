"""What an unfinished element can still earn: the best row, whatever dice come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, product

from engine.carnavalesco import elements as rules_of
from engine.carnavalesco.board import COLOUR_COUNT, SPACES, Board, Spaces
from engine.carnavalesco.elements import BEST_BONUS, PERFECT, ROW_FOR_COUNT, Finding, label
from engine.carnavalesco.house_rules import HouseRules
from engine.carnavalesco.perfect import perfect_in_reach
from engine.dice import Die, Shape, colour_of, value_of
from engine.words import joined, row, say

_COLOUR_BLIND = ("progression", "drums")


def still_possible(board: Board, element: str, rules: HouseRules, official: tuple[str, str] | None = None) -> str:
    """Return, for an element with empty spaces, what lies there and the most that it can still earn."""
    dice = board.dice(element)
    if not dice:
        return say("No dice yet: a perfect 10 is possible.")
    there = say("{count} of {spaces} dice: {dice}.", count=len(dice), spaces=SPACES, dice=row(map(label, dice)))
    best = best_row(board, element, rules, official)
    if best == PERFECT:
        return joined(there, say("A perfect 10 is still possible."))
    if best:
        return joined(there, say("No perfect 10 any more; at best +{bonus}.", bonus=best))
    return joined(there, say("No perfect 10 and no bonus any more."))


def best_row(board: Board, element: str, rules: HouseRules, official: tuple[str, str] | None = None) -> int:
    """Return the best row (10, 3, 2, 1, 0) that an unfinished `element` can still reach; dice already there stay."""
    dice = board.dice(element)
    match element:
        case "storyline":
            return _best_storyline(dice, board, rules)
        case "costumes":
            return _best_costumes(dice, board)
        case "theme_song":
            return _best_theme_song(dice, board, rules)
        case _ if perfect_in_reach(board, element, rules, official):
            return PERFECT
        case _:
            sung = frozenset(map(value_of, board.dice("harmony") if element == "drums" else ()))
            own = official if element == "flag_bearers" else None
            return _best_alone(element, _alike(element, board.element_spaces(element), rules, own), rules, own, sung)


def _alike(element: str, spaces: Spaces, rules: HouseRules, official: tuple[str, str] | None) -> Spaces:
    """Return spaces that come to the same row: their dice in order, colours that could be others renamed.

    Many boards come to the same few of them, so that a row is looked for once.
    """
    if element == "progression" and rules.ordered_spaces:
        return tuple(None if die is None else Die("any", die.value) for die in spaces)
    dice = [die for die in spaces if die is not None]
    if element in _COLOUR_BLIND:
        dice = sorted((Die("any", die.value) for die in dice), key=value_of)
    elif official is None:
        counts = Counter(map(colour_of, dice))
        dice.sort(key=lambda die: (counts[die.colour], die.value))
        names = {colour: f"colour-{at}" for at, colour in enumerate(dict.fromkeys(map(colour_of, dice)))}
        dice = [Die(names[die.colour], die.value) for die in dice]
    return (*dice, *(None,) * (SPACES - len(dice)))


def _best_storyline(dice: Sequence[Die], board: Board, rules: HouseRules) -> int:
    """Return Storyline's best row if every empty space, here and elsewhere, is filled as it needs.

    A die here is told by an element that holds its like or has an empty space for it; an empty space there serves one.
    """
    told = _most_told(dice, board, rules)
    if dice and not told:
        return 0
    empty = board.free("storyline")
    different = min(SPACES, rules_of.different_dice(dice, rules) + empty)
    return rules_of.storyline_row(different, min(SPACES, told + empty))


def _most_told(dice: Sequence[Die], board: Board, rules: HouseRules) -> int:
    """Return the most elements that can tell the dice of an unfinished Storyline; 0 when one of them has none."""
    homes = [
        [element for element, there in board.others("storyline").items() if die in there or len(there) < SPACES]
        for die in dice
    ]
    if rules_of.most_apart(homes) == len(dice):
        return len(dice)  # an element for each: no two need the same empty space
    told = [
        len(set(chosen))
        for chosen in product(*homes)
        if all(_can_tell(board, home, [die for die, at in zip(dice, chosen, strict=True) if at == home], rules)
               for home in set(chosen))
    ]  # fmt: skip
    return max(told, default=0)


def _can_tell(board: Board, element: str, dice: Sequence[Die], rules: HouseRules) -> bool:
    """Return whether `element` holds the likes of these dice, or has empty spaces for those that it lacks."""
    lacking = Counter(dice) - Counter(board.dice(element))
    if not rules.physical_twins:
        lacking = Counter(set(dice) - set(board.dice(element)))
    return lacking.total() <= board.free(element)


def _best_theme_song(dice: Sequence[Die], board: Board, rules: HouseRules) -> int:
    """Return the best row of Theme Song: an empty space helps while some colour or value lies nowhere else."""
    elsewhere = board.elsewhere("theme_song")
    free = board.free("theme_song")
    by_colour = free if len({die.colour for die in elsewhere}) < COLOUR_COUNT else 0
    by_value = free if len({die.value for die in elsewhere}) < Shape.D6.faces else 0
    if rules.uniform_song:
        fresh = max(
            len(rules_of.fresh_by_colour(dice, elsewhere)) + by_colour,
            len(rules_of.fresh_by_value(dice, elsewhere)) + by_value,
        )
    else:
        fresh = len(rules_of.fresh_dice(dice, elsewhere, rules)) + max(by_colour, by_value)
    return ROW_FOR_COUNT[fresh]


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
    sung: frozenset[int],
) -> int:
    """Return the best row over every way to fill the empty spaces, for elements that wait for no other and that cannot
    become perfect.

    `sung` are the values in Harmony, for Drums.

    Colours that are not there yet are all alike, so as many fresh ones as there are empty spaces stand for all six;
    where colour does not count at all, one will do.
    """
    finds: dict[str, Callable[[Sequence[Die]], Finding]] = {
        "vanguard": rules_of.vanguard,
        "flag_bearers": lambda four: rules_of.flag_bearers(four, rules, official),
        "floats": rules_of.floats,
        "progression": lambda four: rules_of.progression(four, rules),
        "harmony": rules_of.harmony,
        "drums": lambda four: rules_of.drums(four, [Die("any", value) for value in sung], rules),
    }
    missing = spaces.count(None)
    colours = {die.colour for die in spaces if die is not None}
    only = official if element == "flag_bearers" else None
    fresh = only or [f"another-{at}" for at in range(missing)]
    palette = ["any"] if element in _COLOUR_BLIND else sorted(colours | set(fresh))
    faces = [Die(colour, value) for colour in palette for value in range(1, 7)]
    best = 0
    ways = product(faces, repeat=missing) if element == "progression" else combinations_with_replacement(faces, missing)
    for more in ways:
        best = max(best, finds[element](_filled(spaces, more)).row)
        if best == BEST_BONUS:
            break
    return best


def _filled(spaces: Spaces, more: Sequence[Die]) -> list[Die]:
    """Return four dice: those of `spaces`, and `more` in its empty ones from first to last."""
    coming = iter(more)
    return [die if die is not None else next(coming) for die in spaces]
