"""A second judge, slow and built in another way: every row is a sentence tried on every arrangement of the dice.

It shares no code with the engine, so that both can only agree by both being right. Dice are (colour, value) pairs,
boards are plain dicts, and the house rules are those of the book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations, product

Pair = tuple[str, int]
Plain = Mapping[str, Sequence[Pair]]

RUNS = ["1234", "2345", "3456"]
WRAPPED_RUNS = ["6123", "5612", "4561"]
SHORT_RUNS = ["123", "234", "345", "456"]
SHORT_WRAPPED_RUNS = ["561", "612"]


def some_order(dice: Sequence[Pair], says: Callable[[Pair, Pair, Pair, Pair], bool]) -> bool:
    """Return whether the four dice can be laid in an order for which `says` holds."""
    return any(says(*order) for order in permutations(dice))


def row(element: str, board: Plain, official: Sequence[str] | None = None) -> int:
    """Return 10, 3, 2, 1 or 0 for `element`."""
    four = board[element]
    rest = {name: dice for name, dice in board.items() if name != element}
    ladder = {
        "vanguard": _vanguard,
        "flag_bearers": lambda dice, rest: _flag_bearers(dice, official),
        "storyline": _storyline,
        "floats": _floats,
        "costumes": _costumes,
        "progression": _progression,
        "harmony": _harmony,
        "drums": _drums,
        "theme_song": _theme_song,
    }[element](four, rest)
    return next((points for points, holds in zip((10, 3, 2, 1), ladder, strict=True) if holds), 0)


def _vanguard(four: Sequence[Pair], rest: Plain) -> list[bool]:
    ten_to_fifteen = sum(value for _, value in four) in (10, 11, 12, 13, 14, 15)
    all_alike = some_order(four, lambda a, b, c, d: a[0] == b[0] == c[0] == d[0])
    three_alike = some_order(four, lambda a, b, c, d: a[0] == b[0] == c[0])
    return [
        all_alike and ten_to_fifteen,
        three_alike and ten_to_fifteen,
        all_alike and not ten_to_fifteen,
        three_alike and not ten_to_fifteen,
    ]


def _flag_bearers(four: Sequence[Pair], official: Sequence[str] | None) -> list[bool]:
    if official is not None and not {colour for colour, _ in four} <= set(official):
        return [False] * 4

    def two_and_two(a: Pair, b: Pair, c: Pair, d: Pair) -> bool:
        return a[0] == b[0] and c[0] == d[0] and a[0] != c[0]

    def even(*dice: Pair) -> bool:
        return all(value in (2, 4, 6) for _, value in dice)

    def odd(*dice: Pair) -> bool:
        return all(value in (1, 3, 5) for _, value in dice)

    return [
        some_order(four, lambda a, b, c, d: two_and_two(a, b, c, d) and a == b and even(a) and c == d and odd(c)),
        some_order(
            four,
            lambda a, b, c, d: (
                two_and_two(a, b, c, d) and a == b and ((even(a) and odd(c, d)) or (odd(a) and even(c, d)))
            ),
        ),
        some_order(four, lambda a, b, c, d: two_and_two(a, b, c, d) and a == b),
        some_order(four, two_and_two),
    ]


def _storyline(four: Sequence[Pair], rest: Plain) -> list[bool]:
    tellings = [
        chosen
        for chosen in product(rest, repeat=4)
        if all(die in rest[element] for die, element in zip(four, chosen, strict=True))
    ]
    in_four = any(len(set(chosen)) == 4 for chosen in tellings)
    in_three = any(len(set(chosen)) == 3 for chosen in tellings)
    four_different = some_order(four, lambda a, b, c, d: len({a, b, c, d}) == 4)
    three_different = some_order(four, lambda a, b, c, d: len({a, b, c}) == 3)
    return [
        four_different and in_four,
        three_different and in_four,
        four_different and in_three,
        three_different and in_three,
    ]


def _floats(four: Sequence[Pair], rest: Plain) -> list[bool]:
    colours, values = {colour for colour, _ in four}, {value for _, value in four}
    return [
        len(colours) == 4 and len(values) == 4,
        len(colours) == 4 and len(values) == 3,
        len(values) == 4 and len(colours) == 3,
        len(colours) == 3 and len(values) == 3,
    ]


def _costumes(four: Sequence[Pair], rest: Plain) -> list[bool]:
    most = max(
        sum(here == there for here, there in zip(four, order, strict=True)) for order in permutations(rest["floats"])
    )
    return [most == 4, most == 3, most == 2, most == 1]


def _progression(four: Sequence[Pair], rest: Plain) -> list[bool]:
    orders = {"".join(str(value) for _, value in order) for order in permutations(four)}
    return [
        any(run in orders for run in RUNS),
        any(run in orders for run in WRAPPED_RUNS),
        any(order.startswith(run) for order in orders for run in SHORT_RUNS),
        any(order.startswith(run) for order in orders for run in SHORT_WRAPPED_RUNS),
    ]


def _harmony(four: Sequence[Pair], rest: Plain) -> list[bool]:
    return [
        some_order(four, lambda a, b, c, d: a == b == c == d),
        some_order(four, lambda a, b, c, d: a == b == c),
        some_order(four, lambda a, b, c, d: a == b and c == d),
        some_order(four, lambda a, b, c, d: a == b),
    ]


def _drums(four: Sequence[Pair], rest: Plain) -> list[bool]:
    values = [(str(value), value) for _, value in four]
    if any(value == sung for _, value in four for _, sung in rest["harmony"]):
        return [False] * 4
    return _harmony(values, rest)


def _theme_song(four: Sequence[Pair], rest: Plain) -> list[bool]:
    elsewhere = [die for dice in rest.values() for die in dice]
    fresh = sum(
        all(colour != other for other, _ in elsewhere) or all(value != other for _, other in elsewhere)
        for colour, value in four
    )
    return [fresh == 4, fresh == 3, fresh == 2, fresh == 1]


def score(element: str, board: Plain, strip: Mapping[int, int], official: Sequence[str] | None = None) -> int:
    """Return the score 0..10 of `element`."""
    earned = row(element, board, official)
    if earned == 10:
        return 10
    return min(10, strip[sum(value for _, value in board[element])] + earned)


def beats(mine: tuple[int, int, int, int], theirs: tuple[int, int, int, int]) -> bool:
    """Return whether one school stands above another, each (total, perfect marks, couple's score, couple's colours)."""
    for ours, other in zip(mine, theirs, strict=True):
        if ours != other:
            return ours > other
    return False
