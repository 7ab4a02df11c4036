"""What is taken for what, and how often a reading is right that claims to be: the tables beneath the figures."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vision.reading import ReadDie

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""Where the reliability table's bins of confidence begin and end; the last bin holds 1 too."""
FIELDS = ("shape", "value", "colour")
MISSED = "missed"
"""What a labelled die that was not found is taken for."""
COMMONEST = 5

Table = dict[str, dict[str, int]]
"""How many dice, by what is labelled and by what was read."""


def tally(marks: Sequence[tuple[str, str]]) -> Table:
    """Return how often each (labelled, read) occurs."""
    table: Table = {}
    for (labelled, read), count in sorted(
        Counter(marks).items(), key=lambda one: (_order(one[0][0]), _order(one[0][1]))
    ):
        table.setdefault(labelled, {})[read] = count
    return table


def _order(name: str) -> tuple[int, int, str]:
    """Return what sorts values and shapes by their number, and `missed` last."""
    digits = name.removeprefix("d")
    return (int(name == MISSED), int(digits) if digits.isdigit() else 0, name)


def reliability(judged: Sequence[tuple[ReadDie, Mapping[str, bool]]]) -> dict[str, list[dict[str, Any]]]:
    """Return for each field its bins: `from`, `to`, `dice`, their mean `confidence`, and the share that is `right`.

    `judged` holds read dice and, for each field that is labelled, whether it is right. Empty bins are left out.
    """
    found: dict[str, list[dict[str, Any]]] = {}
    for field in FIELDS:
        claims = [(float(getattr(die.confidence, field)), right[field]) for die, right in judged if field in right]
        bins = []
        for low, high in itertools.pairwise(EDGES):
            some = [(claim, right) for claim, right in claims if low <= claim < high or claim >= high == EDGES[-1]]
            if some:
                mean = sum(claim for claim, _ in some) / len(some)
                share = sum(right for _, right in some) / len(some)
                bins.append(
                    {"from": low, "to": high, "dice": len(some), "confidence": round(mean, 4), "right": round(share, 4)}
                )
        found[field] = bins
    return found


def mistakes(table: Table) -> list[tuple[str, str, int]]:
    """Return what was taken for what and how often, the commonest first; missed dice are no mistake of reading."""
    wrong = [
        (labelled, read, count)
        for labelled, row in table.items()
        for read, count in row.items()
        if read not in (labelled, MISSED)
    ]
    return sorted(wrong, key=lambda one: -one[2])


def as_lines(confusion: Mapping[str, Any], bins: Mapping[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Yield the tables as lines for people."""
    if confusion["shape"]:
        yield ""
        yield "Shape: labelled (down) and read (across)"
        yield from _matrix(confusion["shape"])
    named: list[tuple[str, Table]] = [(f"Value of {shape}", table) for shape, table in confusion["value"].items()]
    named.append(("Colour", confusion["colour"]))
    for title, table in named:
        if not table:
            continue
        dice = sum(count for row in table.values() for read, count in row.items() if read != MISSED)
        right = sum(row.get(name, 0) for name, row in table.items())
        yield ""
        yield f"{title}: {right} of {dice} dice found are right"
        for labelled, read, count in mistakes(table)[:COMMONEST]:
            yield f"  {labelled} taken for {read}: {count} of {sum(table[labelled].values())}"
    for field, rows in bins.items():
        if rows:
            yield ""
            yield f"{field.capitalize()}: how often it is right when it is said to be"
            yield f"  {'said':>12} {'dice':>7} {'mean said':>10} {'right':>8}"
            for row in rows:
                span = f"{row['from']:.2f}-{row['to']:.2f}"
                yield f"  {span:>12} {row['dice']:>7} {row['confidence']:>10.3f} {row['right']:>8.3f}"


def columns(table: Table) -> list[str]:
    """Return what was read, and what is labelled, each once and in order."""
    return sorted({*table, *(read for row in table.values() for read in row)}, key=_order)


def _matrix(table: Table) -> Iterator[str]:
    across = columns(table)
    yield " " * 8 + "".join(f"{name:>8}" for name in across)
    for labelled, row in table.items():
        yield f"{labelled:>8}" + "".join(f"{row.get(name, 0) or '·':>8}" for name in across)
