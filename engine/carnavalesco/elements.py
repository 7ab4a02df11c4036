"""The nine scoring elements: one function each, from the four dice in it to the row that it earns.

Each function reads its rows from the top and stops at the first that fits (rulebook, Scoring Elements).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import NamedTuple

from engine.carnavalesco.board import ELEMENT_NAMES
from engine.carnavalesco.house_rules import HouseRules
from engine.dice import Die, colour_of, value_of
from engine.words import Sentence, listed, named, say

PERFECT = 10

BEST_BONUS = 3
"""The row next to a perfect mark."""

ROW_FOR_COUNT = (0, 1, 2, 3, PERFECT)
"""The row of Costumes and Theme Song for so many fitting dice."""

SEVERAL = {2: say("two"), 3: say("three"), 4: say("four")}
_DIFFERENT = {
    1: say("No two different dice"),
    2: say("Two different dice"),
    3: say("Three different dice"),
    4: say("Four different dice"),
}
_APART = {
    1: say("No two dice differ in both colour and value"),
    2: say("Two dice differ in both colour and value"),
    3: say("Three dice differ in both colour and value"),
    4: say("Four dice differ in both colour and value"),
}
_FIRST = {1: say("One"), 2: say("Two"), 3: say("Three"), 4: say("Four")}
_COLOURS = {1: say("One colour"), 2: say("Two colours"), 3: say("Three colours"), 4: say("Four colours")}
_VALUES = {1: say("one value"), 2: say("two values"), 3: say("three values"), 4: say("four values")}

_RUNS_OF_FOUR = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))
_RUNS_OF_FOUR_OVER_SIX = ((6, 1, 2, 3), (5, 6, 1, 2), (4, 5, 6, 1))
_RUNS_OF_THREE = ((1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6))
_RUNS_OF_THREE_OVER_SIX = ((5, 6, 1), (6, 1, 2))
_RUNS = (
    (_RUNS_OF_FOUR, PERFECT, False),
    (_RUNS_OF_FOUR_OVER_SIX, 3, True),
    (_RUNS_OF_THREE, 2, False),
    (_RUNS_OF_THREE_OVER_SIX, 1, True),
)
"""Progression's rows from the top: sequences, the row, and whether they go from 6 to 1."""


class Finding(NamedTuple):
    """What the judges see in an element: `row` is 10 (perfect), 3, 2, 1 or 0 (nothing); `reason` names the dice.

    The reason is put into words only when somebody asks for it: most marks are never read.
    """

    row: int
    say_reason: Callable[[], str]

    @property
    def reason(self) -> str:
        return self.say_reason()

    @property
    def perfect(self) -> bool:
        return self.row == PERFECT

    @property
    def bonus(self) -> int:
        return 0 if self.perfect else self.row


def label(die: Die) -> Sentence:
    return say("{colour} {value}", colour=named(die.colour), value=die.value)


def vanguard(dice: Sequence[Die]) -> Finding:
    """Four of one colour with a sum of 10 to 15; the sum is always that of all four dice."""
    colours = list(map(colour_of, dice))
    colour = max(colours, key=colours.count)
    same = colours.count(colour)
    total = sum(map(value_of, dice))
    in_range = 10 <= total <= 15
    if same == 4 and in_range:
        return Finding(
            PERFECT,
            lambda: say(
                "Four {colour} dice with a sum of {sum}, which is in 10 to 15", colour=named(colour), sum=total
            ),
        )
    if same == 3 and in_range:
        return Finding(
            3,
            lambda: say(
                "Three {colour} dice, and the sum {sum} of all four is in 10 to 15", colour=named(colour), sum=total
            ),
        )
    if same == 4:
        return Finding(
            2,
            lambda: say("Four {colour} dice, but their sum {sum} is not in 10 to 15", colour=named(colour), sum=total),
        )
    if same == 3:
        return Finding(
            1,
            lambda: say(
                "Three {colour} dice, but the sum {sum} of all four is not in 10 to 15", colour=named(colour), sum=total
            ),
        )
    return Finding(0, lambda: say("No three dice of one colour"))


def flag_bearers(dice: Sequence[Die], rules: HouseRules, official: Collection[str] | None = None) -> Finding:
    """Two identical even and two identical odd dice, in two colours; in solo play, the school's own colours only."""
    if official is not None and any(die.colour not in official for die in dice):
        return Finding(
            0,
            lambda: say("Not all four dice show the official colours {colours}", colours=listed(map(named, official))),
        )
    best = Finding(0, lambda: say("No two dice of one colour beside two of another colour"))
    for pair, rest in _couples(dice, rules):
        finding = _couple(pair, rest)
        if finding.row > best.row:
            best = finding
    return best


_PAIRS = tuple((pair, tuple({0, 1, 2, 3} - set(pair))) for pair in combinations(range(4), 2))
"""Each way to choose two of four dice, and the two that are left."""


def _couples(dice: Sequence[Die], rules: HouseRules) -> list[tuple[tuple[Die, Die], tuple[Die, Die]]]:
    """Return each way to see two dice of one colour and two of another one.

    Under `couple.two_colours = loose` the other two need only not share the pair's colour.
    """
    colours = list(map(colour_of, dice))
    ways = []
    for (one, two), (three, four) in _PAIRS:
        of_one_colour = colours[one] == colours[two]
        of_another = colours[one] not in (colours[three], colours[four])
        if of_one_colour and of_another and (rules.loose_couple or colours[three] == colours[four]):
            ways.append(((dice[one], dice[two]), (dice[three], dice[four])))
    return ways


def _couple(pair: tuple[Die, Die], rest: tuple[Die, Die]) -> Finding:
    """Return the row for `pair`, two dice of one colour, and `rest`, two of another."""
    parity = pair[0].value % 2
    others_of_other_parity = all(die.value % 2 != parity for die in rest)
    identical = pair[0] == pair[1]

    def two() -> Sentence:
        if identical:
            return say("Two identical (each {die})", die=label(pair[0]))
        return say("Two {colours} dice", colours=_colours(pair))

    if identical and rest[0] == rest[1] and others_of_other_parity:
        return Finding(
            PERFECT,
            lambda: say(
                "{two} and two identical (each {die}), one pair even and one odd", two=two(), die=label(rest[0])
            ),
        )
    if identical and others_of_other_parity and parity:
        return Finding(3, lambda: say("{two} and two even {colours} dice", two=two(), colours=_colours(rest)))
    if identical and others_of_other_parity:
        return Finding(3, lambda: say("{two} and two odd {colours} dice", two=two(), colours=_colours(rest)))
    row = 2 if identical else 1
    return Finding(row, lambda: say("{two} and two {colours} dice", two=two(), colours=_colours(rest)))


def _colours(dice: Sequence[Die]) -> str:
    return listed(map(named, dict.fromkeys(die.colour for die in dice)))


def storyline(dice: Sequence[Die], others: Mapping[str, Sequence[Die]], rules: HouseRules) -> Finding:
    """Four different dice, each of them found in an element of its own among the other eight."""
    homes = []
    for die in dice:
        with_it = [element for element, there in others.items() if die in there]
        if not with_it:
            return Finding(0, partial(_homeless, die))
        homes.append(with_it)
    told = elements_told(dice, homes, others, rules)
    if told == 0:
        return Finding(0, lambda: say("Identical dice need a twin each in the other elements, and one is missing"))
    different = different_dice(dice, rules)

    def reason() -> Sentence:
        if rules.different_in_both:
            if told == 1:
                return say("{dice}; all are found in one other element", dice=_APART[different])
            return say(
                "{dice}; all are found in {elements} other elements", dice=_APART[different], elements=SEVERAL[told]
            )
        if told == 1:
            return say("{dice}, found in one other element", dice=_DIFFERENT[different])
        return say("{dice}, found in {elements} other elements", dice=_DIFFERENT[different], elements=SEVERAL[told])

    return Finding(storyline_row(different, told), reason)


def _homeless(die: Die) -> Sentence:
    return say("The {die} is in no other element", die=label(die))


def storyline_row(different: int, told: int) -> int:
    """Return Storyline's row for so many different dice, found in so many other elements."""
    if different == 4 and told == 4:
        return PERFECT
    if different >= 3 and told == 4:
        return 3
    if different == 4 and told >= 3:
        return 2
    if different >= 3 and told >= 3:
        return 1
    return 0


def different_dice(dice: Sequence[Die], rules: HouseRules) -> int:
    """Return how many of the dice differ from each other: not identical, or (house rule) in colour and in value too."""
    if not rules.different_in_both:
        return len(set(dice))
    counts = (
        count
        for count in range(len(dice), 0, -1)
        for chosen in combinations(dice, count)
        if len({die.colour for die in chosen}) == len({die.value for die in chosen}) == count
    )
    return next(counts, 0)


def elements_told(
    dice: Sequence[Die], homes: Sequence[Sequence[str]], others: Mapping[str, Sequence[Die]], rules: HouseRules
) -> int:
    """Return the most elements that the dice can be found in, each die in one of its `homes`; 0 when that cannot be.

    Under `storyline.twin = physical` identical dice cannot share one die there, so every way is tried.
    """
    if not rules.physical_twins:
        return most_apart(homes)
    most = 0
    for elements in product(*homes):
        wanted = Counter(zip(dice, elements, strict=True))
        if all(count <= others[element].count(die) for (die, element), count in wanted.items()):
            most = max(most, len(set(elements)))
    return most


def most_apart(homes: Sequence[Collection[str]]) -> int:
    """Return how many of the dice can have a home that no other has: a greatest matching, by augmenting paths."""
    owner: dict[str, int] = {}

    def settle(die: int, tried: set[str]) -> bool:
        for home in homes[die]:
            if home not in owner:
                owner[home] = die
                return True
        for home in homes[die]:
            if home not in tried:
                tried.add(home)
                if settle(owner[home], tried):
                    owner[home] = die
                    return True
        return False

    for die in range(len(homes)):
        settle(die, set())
    return len(owner)


_FLOATS_ROWS = {(4, 4): PERFECT, (4, 3): 3, (3, 4): 2, (3, 3): 1}
"""By the number of colours and the number of values."""


def floats(dice: Sequence[Die]) -> Finding:
    """Four colours and four values."""
    colours = len(set(map(colour_of, dice)))
    values = len(set(map(value_of, dice)))
    row = _FLOATS_ROWS.get((colours, values), 0)
    return Finding(row, lambda: say("{colours} and {values}", colours=_COLOURS[colours], values=_VALUES[values]))


def costumes(dice: Sequence[Die], floats_dice: Sequence[Die]) -> Finding:
    """The same four dice as in Floats & Props; one die there answers for one die here."""
    left, shared = list(floats_dice), []
    for die in dice:
        if die in left:
            left.remove(die)
            shared.append(die)
    if not shared:
        return Finding(0, lambda: say("No die of {element}", element=ELEMENT_NAMES["floats"]))
    return Finding(
        ROW_FOR_COUNT[len(shared)],
        lambda: say(
            "{number} of the dice in {element} ({dice})",
            number=_FIRST[len(shared)],
            element=ELEMENT_NAMES["floats"],
            dice=listed(map(label, shared)),
        ),
    )


def progression(dice: Sequence[Die], rules: HouseRules) -> Finding:
    """Four values in a row; colours do not matter, nor (unless `progression.ordered_spaces`) do the spaces."""
    values = list(map(value_of, dice))
    there = set(values)
    for runs, mark, over_six in _RUNS if len(there) >= 3 else ():
        for run in runs:
            if there.issuperset(run) and (not rules.ordered_spaces or _in_order(values, run)):
                return Finding(mark, partial(_sequence, run, over_six))
    if rules.ordered_spaces:
        return Finding(0, lambda: say("No three values in sequence, in the order of the spaces"))
    return Finding(0, lambda: say("No three values in sequence"))


def _sequence(run: Sequence[int], over_six: bool) -> Sentence:
    values = "-".join(map(str, run))
    if over_six:
        return say("{run} in sequence, going from 6 to 1", run=values)
    return say("{run} in sequence", run=values)


def _in_order(values: Sequence[int], run: Sequence[int]) -> bool:
    """Return whether `run` is met from the first space to the last."""
    spaces = iter(values)
    return all(step in spaces for step in run)


def harmony(dice: Sequence[Die]) -> Finding:
    """Four identical dice."""
    counts = {die: dice.count(die) for die in dice}
    twins = [die for die, count in counts.items() if count >= 2]
    most = max(counts.values())
    if most == 4:
        return Finding(PERFECT, lambda: say("Four identical ({die})", die=label(twins[0])))
    if most == 3:
        return Finding(3, lambda: say("Three identical ({die})", die=label(twins[0])))
    if len(twins) == 2:
        return Finding(2, lambda: say("Two pairs of identical dice ({dice})", dice=listed(map(label, twins))))
    if most == 2:
        return Finding(1, lambda: say("Two identical ({die})", die=label(twins[0])))
    return Finding(0, lambda: say("No two identical dice"))


def drums(dice: Sequence[Die], harmony_dice: Sequence[Die], rules: HouseRules) -> Finding:
    """Four dice of one value, and no value here on any die in Harmony.

    Under `drums.check = matching_only` a value in Harmony only silences the dice that show it.
    """
    sung = set(map(value_of, harmony_dice))
    clash = sorted(sung.intersection(map(value_of, dice)))
    if clash and not rules.drums_matching_only:
        if len(clash) == 1:
            return Finding(0, lambda: say("The value {value} is in Harmony too", value=clash[0]))
        return Finding(0, lambda: say("The values {values} are in Harmony too", values=listed(map(str, clash))))
    beats = Counter(die.value for die in dice if die.value not in sung).most_common()

    def silent() -> Sentence:
        if rules.drums_matching_only:
            return say("no value of theirs is in Harmony")
        return say("no value here is in Harmony")

    counts = [count for _, count in beats]
    if counts[:1] == [4]:
        return Finding(PERFECT, lambda: say("Four dice show {value}, and {silent}", value=beats[0][0], silent=silent()))
    if counts[:1] == [3]:
        return Finding(3, lambda: say("Three dice show {value}, and {silent}", value=beats[0][0], silent=silent()))
    if counts[:2] == [2, 2]:
        pair, other = sorted(value for value, _ in beats)
        return Finding(
            2,
            lambda: say(
                "Two dice show {pair} and two show {other}, and {silent}", pair=pair, other=other, silent=silent()
            ),
        )
    if counts[:1] == [2]:
        return Finding(1, lambda: say("Two dice show {value}, and {silent}", value=beats[0][0], silent=silent()))
    if clash:
        return Finding(0, lambda: say("No two dice share a value that is not in Harmony"))
    return Finding(0, lambda: say("No two dice of one value"))


def theme_song(dice: Sequence[Die], elsewhere: Sequence[Die], rules: HouseRules) -> Finding:
    """Four dice, each with a colour or a value that no die of the other eight elements has.

    Under `song.mode = uniform` all of them must stand out by colour, or all of them by value.
    """
    fresh = fresh_dice(dice, elsewhere, rules)
    if not fresh:
        return Finding(0, lambda: say("Every colour and every value here is found in another element"))
    if rules.uniform_song:
        return Finding(ROW_FOR_COUNT[len(fresh)], partial(_in_one_way, fresh, elsewhere))

    def reason() -> Sentence:
        if len(fresh) == 1:
            return say("One die with a colour or value found in no other element ({die})", die=label(fresh[0]))
        return say(
            "{number} dice with a colour or value found in no other element ({dice})",
            number=_FIRST[len(fresh)],
            dice=listed(map(label, fresh)),
        )

    return Finding(ROW_FOR_COUNT[len(fresh)], reason)


def _in_one_way(fresh: Sequence[Die], elsewhere: Sequence[Die]) -> Sentence:
    """Return the reason under `song.mode = uniform`, where `fresh` stand out by colour, else by value."""
    by_colour = len(fresh_by_colour(fresh, elsewhere)) == len(fresh)
    if len(fresh) == 1 and by_colour:
        return say("One die with a colour found in no other element ({die})", die=label(fresh[0]))
    if len(fresh) == 1:
        return say("One die with a value found in no other element ({die})", die=label(fresh[0]))
    some = {"number": _FIRST[len(fresh)], "dice": listed(map(label, fresh))}
    if by_colour:
        stand_out = say("{number} dice with a colour found in no other element ({dice})", **some)
    else:
        stand_out = say("{number} dice with a value found in no other element ({dice})", **some)
    return say("{dice}, as all must do it by colour or all by value", dice=stand_out)


def fresh_dice(dice: Sequence[Die], elsewhere: Sequence[Die], rules: HouseRules) -> list[Die]:
    """Return those of `dice` whose colour or value no die of `elsewhere` has."""
    if rules.uniform_song:
        return max(fresh_by_colour(dice, elsewhere), fresh_by_value(dice, elsewhere), key=len)
    colours = set(map(colour_of, elsewhere))
    values = set(map(value_of, elsewhere))
    return [die for die in dice if die.colour not in colours or die.value not in values]


def fresh_by_colour(dice: Sequence[Die], elsewhere: Sequence[Die]) -> list[Die]:
    """Return those of `dice` whose colour no die of `elsewhere` has."""
    colours = set(map(colour_of, elsewhere))
    return [die for die in dice if die.colour not in colours]


def fresh_by_value(dice: Sequence[Die], elsewhere: Sequence[Die]) -> list[Die]:
    """Return those of `dice` whose value no die of `elsewhere` has."""
    values = set(map(value_of, elsewhere))
    return [die for die in dice if die.value not in values]
