"""The nine scoring elements: one function each, from the four dice in it to the row that it earns.

Each function reads its rows from the top and stops at the first that fits (rulebook, Scoring Elements).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from engine.carnavalesco.board import ELEMENT_NAMES
from engine.carnavalesco.house_rules import HouseRules
from engine.dice import Die

PERFECT = 10

ROW_FOR_COUNT = (0, 1, 2, 3, PERFECT)
"""The row of Costumes and Theme Song for so many fitting dice."""

_COUNT = ("no", "one", "two", "three", "four")

_RUNS_OF_FOUR = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))
_RUNS_OF_FOUR_OVER_SIX = ((6, 1, 2, 3), (5, 6, 1, 2), (4, 5, 6, 1))
_RUNS_OF_THREE = ((1, 2, 3), (2, 3, 4), (3, 4, 5), (4, 5, 6))
_RUNS_OF_THREE_OVER_SIX = ((5, 6, 1), (6, 1, 2))


@dataclass(frozen=True, slots=True)
class Finding:
    """What the judges see in an element: `row` is 10 (perfect), 3, 2, 1 or 0 (nothing); `reason` names the dice."""

    row: int
    reason: str

    @property
    def perfect(self) -> bool:
        return self.row == PERFECT

    @property
    def bonus(self) -> int:
        return 0 if self.perfect else self.row


def label(die: Die) -> str:
    return f"{die.colour} {die.value}"


def listed(words: Collection[str]) -> str:
    """Return `a, b and c`."""
    several = list(words)
    return several[0] if len(several) == 1 else f"{', '.join(several[:-1])} and {several[-1]}"


def vanguard(dice: Sequence[Die]) -> Finding:
    """Four of one colour with a sum of 10 to 15; the sum is always that of all four dice."""
    colour, same = _commonest(die.colour for die in dice)
    total = sum(die.value for die in dice)
    in_range = 10 <= total <= 15
    are = f"{_COUNT[same].capitalize()} {colour} dice"
    if same == 4 and in_range:
        return Finding(PERFECT, f"{are} with a sum of {total}, which is in 10 to 15")
    if same == 3 and in_range:
        return Finding(3, f"{are}, and the sum {total} of all four is in 10 to 15")
    if same == 4:
        return Finding(2, f"{are}, but their sum {total} is not in 10 to 15")
    if same == 3:
        return Finding(1, f"{are}, but the sum {total} of all four is not in 10 to 15")
    return Finding(0, "No three dice of one colour")


def flag_bearers(dice: Sequence[Die], rules: HouseRules, official: Collection[str] | None = None) -> Finding:
    """Two identical even and two identical odd dice, in two colours; in solo play, the school's own colours only."""
    if official is not None and any(die.colour not in official for die in dice):
        return Finding(0, f"Not all four dice show the official colours {listed(official)}")
    best = Finding(0, "No two dice of one colour beside two of another colour")
    for pair, rest in _couples(dice, rules):
        finding = _couple(pair, rest)
        if finding.row > best.row:
            best = finding
    return best


def _couples(dice: Sequence[Die], rules: HouseRules) -> list[tuple[tuple[Die, Die], tuple[Die, Die]]]:
    """Return each way to see two dice of one colour and two of another one.

    Under `couple.two_colours = loose` the other two need only not share the pair's colour.
    """
    ways = []
    for one, two in combinations(range(4), 2):
        pair = (dice[one], dice[two])
        third, fourth = (dice[at] for at in range(4) if at not in (one, two))
        of_one_colour = pair[0].colour == pair[1].colour
        of_another = pair[0].colour not in (third.colour, fourth.colour)
        if of_one_colour and of_another and (rules.loose_couple or third.colour == fourth.colour):
            ways.append((pair, (third, fourth)))
    return ways


def _couple(pair: tuple[Die, Die], rest: tuple[Die, Die]) -> Finding:
    """Return the row for `pair`, two dice of one colour, and `rest`, two of another."""
    parity = pair[0].value % 2
    others_of_other_parity = all(die.value % 2 != parity for die in rest)
    two = f"Two {_colours(pair)} dice" if pair[0] != pair[1] else f"Two identical (each {label(pair[0])})"
    if pair[0] == pair[1] and rest[0] == rest[1] and others_of_other_parity:
        return Finding(PERFECT, f"{two} and two identical (each {label(rest[0])}), one pair even and one odd")
    if pair[0] == pair[1] and others_of_other_parity:
        return Finding(3, f"{two} and two {'even' if parity else 'odd'} {_colours(rest)} dice")
    if pair[0] == pair[1]:
        return Finding(2, f"{two} and two {_colours(rest)} dice")
    return Finding(1, f"{two} and two {_colours(rest)} dice")


def _colours(dice: Sequence[Die]) -> str:
    return listed(dict.fromkeys(die.colour for die in dice))


def storyline(dice: Sequence[Die], others: Mapping[str, Sequence[Die]], rules: HouseRules) -> Finding:
    """Four different dice, each of them found in an element of its own among the other eight."""
    homeless = [die for die in dice if not any(die in there for there in others.values())]
    if homeless:
        return Finding(0, f"{label(homeless[0]).capitalize()} is in no other element")
    told = elements_told(dice, others, rules)
    if told == 0:
        return Finding(0, "Identical dice need a twin each in the other elements, and one is missing")
    different = different_dice(dice, rules)
    reason = (
        f"{_COUNT[different].capitalize()} different {_plural('die', different)}, "
        f"found in {_COUNT[told]} other {_plural('element', told)}"
    )
    return Finding(storyline_row(different, told), reason)


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


def elements_told(dice: Sequence[Die], others: Mapping[str, Sequence[Die]], rules: HouseRules) -> int:
    """Return the most elements that the dice can be found in, each die in one; 0 when a die can be found in none.

    Every way to give each die an element is tried, for a greedy choice can miss the best one. Under
    `storyline.twin = physical` identical dice cannot share one die there.
    """
    homes = [[element for element, there in others.items() if die in there] for die in dice]
    most = 0
    for elements in product(*homes):
        if rules.physical_twins:
            wanted = Counter(zip(dice, elements, strict=True))
            if any(count > list(others[element]).count(die) for (die, element), count in wanted.items()):
                continue
        most = max(most, len(set(elements)))
        if most == len(dice):
            break
    return most


def floats(dice: Sequence[Die]) -> Finding:
    """Four colours and four values."""
    colours = len({die.colour for die in dice})
    values = len({die.value for die in dice})
    rows = {(4, 4): PERFECT, (4, 3): 3, (3, 4): 2, (3, 3): 1}
    shown = f"{_COUNT[colours].capitalize()} {_plural('colour', colours)}"
    return Finding(rows.get((colours, values), 0), f"{shown} and {_COUNT[values]} {_plural('value', values)}")


def costumes(dice: Sequence[Die], floats_dice: Sequence[Die]) -> Finding:
    """The same four dice as in Floats & Props; one die there answers for one die here."""
    shared = list((Counter(dice) & Counter(floats_dice)).elements())
    if not shared:
        return Finding(0, f"No die of {ELEMENT_NAMES['floats']}")
    who = f"{_COUNT[len(shared)].capitalize()} of the dice in {ELEMENT_NAMES['floats']}"
    return Finding(ROW_FOR_COUNT[len(shared)], f"{who} ({listed([label(die) for die in shared])})")


def progression(dice: Sequence[Die], rules: HouseRules) -> Finding:
    """Four values in a row; colours do not matter, nor (unless `progression.ordered_spaces`) do the spaces."""
    values = [die.value for die in dice]
    rows = (
        (_RUNS_OF_FOUR, PERFECT, "{} in sequence"),
        (_RUNS_OF_FOUR_OVER_SIX, 3, "{} in sequence, going from 6 to 1"),
        (_RUNS_OF_THREE, 2, "{} in sequence"),
        (_RUNS_OF_THREE_OVER_SIX, 1, "{} in sequence, going from 6 to 1"),
    )
    for runs, row, reason in rows:
        for run in runs:
            if _shows(values, run, in_order=rules.ordered_spaces):
                return Finding(row, reason.format("-".join(map(str, run))))
    return Finding(0, "No three values in sequence")


def _shows(values: Sequence[int], run: Sequence[int], *, in_order: bool) -> bool:
    """Return whether all of `run` is among `values`; `in_order` asks for it from the first space to the last."""
    if not in_order:
        return set(run) <= set(values)
    spaces = iter(values)
    return all(step in spaces for step in run)


def harmony(dice: Sequence[Die]) -> Finding:
    """Four identical dice."""
    counts = Counter(dice).most_common()
    twins = [die for die, count in counts if count >= 2]
    most = counts[0][1]
    if most == 4:
        return Finding(PERFECT, f"Four identical ({label(twins[0])})")
    if most == 3:
        return Finding(3, f"Three identical ({label(twins[0])})")
    if len(twins) == 2:
        return Finding(2, f"Two pairs of identical dice ({listed([label(die) for die in twins])})")
    if most == 2:
        return Finding(1, f"Two identical ({label(twins[0])})")
    return Finding(0, "No two identical dice")


def drums(dice: Sequence[Die], harmony_dice: Sequence[Die], rules: HouseRules) -> Finding:
    """Four dice of one value, and no value here on any die in Harmony.

    Under `drums.check = matching_only` a value in Harmony only silences the dice that show it.
    """
    sung = {die.value for die in harmony_dice}
    clash = sorted({die.value for die in dice} & sung)
    if clash and not rules.drums_matching_only:
        are = f"The value {clash[0]} is" if len(clash) == 1 else f"The values {listed([str(v) for v in clash])} are"
        return Finding(0, f"{are} in Harmony too")
    beats = Counter(die.value for die in dice if die.value not in sung).most_common()
    silent = "no value of theirs in Harmony" if rules.drums_matching_only else "no value here is in Harmony"
    counts = [count for _, count in beats]
    if counts[:1] == [4]:
        return Finding(PERFECT, f"Four dice show {beats[0][0]}, and {silent}")
    if counts[:1] == [3]:
        return Finding(3, f"Three dice show {beats[0][0]}, and {silent}")
    if counts[:2] == [2, 2]:
        pair, other = sorted(value for value, _ in beats)
        return Finding(2, f"Two dice show {pair} and two show {other}, and {silent}")
    if counts[:1] == [2]:
        return Finding(1, f"Two dice show {beats[0][0]}, and {silent}")
    if clash:
        return Finding(0, "No two dice share a value that is not in Harmony")
    return Finding(0, "No two dice of one value")


def theme_song(dice: Sequence[Die], elsewhere: Sequence[Die], rules: HouseRules) -> Finding:
    """Four dice, each with a colour or a value that no die of the other eight elements has.

    Under `song.mode = uniform` all of them must stand out by colour, or all of them by value.
    """
    fresh = fresh_dice(dice, elsewhere, rules)
    if not fresh:
        return Finding(0, "Every colour and every value here is found in another element")
    count = len(fresh)
    who = f"{_COUNT[count].capitalize()} {_plural('die', count)}"
    reason = f"{who} with a colour or value found in no other element ({listed([label(die) for die in fresh])})"
    return Finding(ROW_FOR_COUNT[count], reason)


def fresh_dice(dice: Sequence[Die], elsewhere: Sequence[Die], rules: HouseRules) -> list[Die]:
    """Return those of `dice` whose colour or value no die of `elsewhere` has."""
    by_colour = fresh_by_colour(dice, elsewhere)
    by_value = fresh_by_value(dice, elsewhere)
    if rules.uniform_song:
        return max(by_colour, by_value, key=len)
    return [die for die in dice if die in by_colour or die in by_value]


def fresh_by_colour(dice: Sequence[Die], elsewhere: Sequence[Die]) -> list[Die]:
    """Return those of `dice` whose colour no die of `elsewhere` has."""
    colours = {die.colour for die in elsewhere}
    return [die for die in dice if die.colour not in colours]


def fresh_by_value(dice: Sequence[Die], elsewhere: Sequence[Die]) -> list[Die]:
    """Return those of `dice` whose value no die of `elsewhere` has."""
    values = {die.value for die in elsewhere}
    return [die for die in dice if die.value not in values]


def _commonest(words: Iterable[str]) -> tuple[str, int]:
    return Counter(words).most_common(1)[0]


def _plural(word: str, count: int) -> str:
    return word if count == 1 else {"die": "dice"}.get(word, f"{word}s")
