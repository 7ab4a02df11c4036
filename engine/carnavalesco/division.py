"""Divisions and their scoring strips: the base mark for every sum of four dice.

The printed strips are not public. A table copies its own once; until then there is a practice strip, made up here and
called so wherever it shows, or the base typed by hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import fields
from engine.words import row, say, say_many

DIVISIONS = ("D", "C", "B", "A", "S")
"""From the easiest to the Special division."""

LEAST_SUM = 4
SUMS = range(LEAST_SUM, 25)
"""Every sum that four six-sided dice can show."""

TABLE_KINDS = ("user", "practice", "manual")
"""Where a school's base marks come from: the table's own strip, the made-up strip, or typed by hand."""

KNOWN_BASE = ("D", 17, 6)
"""The one printed number that is public (rulebook, Tabulating the Scores, example 2)."""

Strip = tuple[int, ...]
"""Base marks 0..10 for the sums 4..24, 21 numbers."""


def practice_strip(division: str) -> Strip:
    """Return the made-up strip of `division`: 1 + sum // 3 in D, one less a division, never under 0."""
    step = DIVISIONS.index(division)
    return tuple(max(0, 1 + total // 3 - step) for total in SUMS)


def base_on(strip: Strip, total: int) -> int:
    """Return the base mark that `strip` gives to four dice with sum `total` (4..24)."""
    return strip[total - LEAST_SUM]


def read_division(value: Any, field: str) -> str:
    """Return a division's letter."""
    return fields.choice(value, field, DIVISIONS, what=say("A division"), code="unknown_division")


def read_strip(value: Any, field: str) -> Strip:
    """Return the strip written as `{"4": 2, … "24": 9}`: a whole number from 0 to 10 for each sum."""
    numbers = fields.record(value, field, needs=[str(total) for total in SUMS])
    return tuple(
        fields.whole(
            numbers[str(total)],
            fields.inside(field, str(total)),
            low=0,
            high=10,
            what=say("The base for sum {sum}", sum=total),
        )
        for total in SUMS
    )


def strip_json(strip: Strip) -> dict[str, int]:
    """Return what `read_strip` reads back."""
    return {str(total): base_on(strip, total) for total in SUMS}


def read_strips(value: Any, field: str) -> dict[str, Strip]:
    """Return the strips of `{"D": {…}, …}`, the easiest division first; divisions may be missing, null means none."""
    tables = {} if value is None else fields.record(value, field, may=DIVISIONS)
    return {
        division: read_strip(tables[division], fields.inside(field, division))
        for division in DIVISIONS
        if division in tables
    }


def validate_strip(
    numbers: Any, division: Any, others: Mapping[str, Any] | None = None, *, field: str = "numbers"
) -> list[str]:
    """Return warnings about a strip copied from print; a strange strip is warned of, never refused.

    `numbers` and each strip of `others` (by division) are written as for `read_strip`. Raises `InvalidInput` for what
    cannot be a strip: a sum missing, a number that is not whole or not in 0..10.
    """
    letter = read_division(division, "division")
    strip = read_strip(numbers, field)
    warnings: list[str] = [
        say(
            "The base falls from {before} at sum {last} to {after} at sum {sum}. Compare both with the print.",
            before=before,
            last=total - 1,
            after=after,
            sum=total,
        )
        for total, before, after in zip(SUMS[1:], strip, strip[1:], strict=False)
        if after < before
    ]
    known_division, known_sum, known_base = KNOWN_BASE
    if letter == known_division and base_on(strip, known_sum) != known_base:
        warnings.append(
            say(
                "The rulebook's example gives {known} for sum {sum} in division {division}; this strip gives {base}. "
                "Check that it is the right strip.",
                known=known_base,
                sum=known_sum,
                division=known_division,
                base=base_on(strip, known_sum),
            )
        )
    for other, other_numbers in (others or {}).items():
        other = read_division(other, "others")
        if other == letter:
            continue
        warnings += _harder_is_kinder(letter, strip, other, read_strip(other_numbers, fields.inside("others", other)))
    return warnings


def _harder_is_kinder(division: str, strip: Strip, other: str, other_strip: Strip) -> list[str]:
    """Return a warning when the harder of two divisions gives more than the easier one at some sum."""
    easy, hard = (strip, other_strip), (division, other)
    if DIVISIONS.index(division) > DIVISIONS.index(other):
        easy, hard = (other_strip, strip), (other, division)
    sums = [total for total in SUMS if base_on(easy[1], total) > base_on(easy[0], total)]
    if not sums:
        return []
    warning = say_many(
        "Division {hard} is harder than {easy} but gives more at sum {sums}. Check that the strips were not swapped.",
        "Division {hard} is harder than {easy} but gives more at sum {sums}. Check that the strips were not swapped.",
        len(sums),
        hard=hard[1],
        easy=hard[0],
        sums=row(map(str, sums)),
    )
    return [warning]
