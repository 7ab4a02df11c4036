"""Accuracy and speed on a folder of labelled photographs: the figures that `jurado bench` prints."""

from __future__ import annotations

import csv
import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from engine.dice import DieState, Shape
from engine.words import say
from vision.confusion import MISSED, reliability, tally
from vision.photo import PhotoError, load_photo
from vision.reading import ReadDie, Reading

COLUMNS = ("image", "x", "y", "w", "h", "shape", "value", "colour")
"""What labels.csv must have; `colour_also` is read too, further columns are not."""


class BenchError(ValueError):
    """A folder that holds no labelled photographs; the message is a sentence."""


class ReadsPhotos(Protocol):
    """Anything that reads a picture as `vision.reader.Reader` does."""

    def read(self, image: np.ndarray) -> Reading: ...


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """One row of labels.csv; `box` is None for a die that is only known to be somewhere in the photograph."""

    box: tuple[float, float, float, float] | None
    shape: str
    value: int | None
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One photograph held against its labels: `pairs` of (label, read die or None), and read dice without a label."""

    photo: str
    pairs: tuple[tuple[LabelledDie, ReadDie | None], ...]
    extra: tuple[ReadDie, ...]
    exact: bool
    milliseconds: float | None


def bench(
    folder: Path,
    *,
    threads: int = 1,
    reader: ReadsPhotos | None = None,
    progress: Callable[[int, int], None] | None = None,
    unread: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Return the figures of the contract for `folder`, which has `images/` and `labels.csv`.

    `reader` reads instead of the shipped one; `progress` is called with photographs done and photographs in all,
    `unread` with a sentence about each that could not be opened.
    A photograph that is missing or cannot be opened counts as read wrongly, without any die. Raises `BenchError`.
    """
    labels = read_labels(folder / "labels.csv")
    if not any((folder / "images" / name).is_file() for name in labels):
        raise BenchError(
            say(
                "None of the photographs that labels.csv names is in {folder}. Nothing was measured. Put them there.",
                folder=folder / "images",
            )
        )
    if reader is None:
        from vision.reader import Reader

        reader = Reader(threads=threads)
    judged = []
    for done, (name, dice) in enumerate(labels.items(), 1):
        judged.append(_judge(reader, folder / "images" / name, dice, unread))
        if progress:
            progress(done, len(labels))
    return {**figures(judged), "threads": threads, **tables(judged)}


def read_labels(path: Path) -> dict[str, tuple[LabelledDie, ...]]:
    """Return the labelled dice of each photograph named in labels.csv (image,x,y,w,h,shape,value,colour[,colour_also]).

    A blank field is not labelled; a row with nothing but a name is a photograph without dice. Raises `BenchError`.
    """
    photos: dict[str, list[LabelledDie]] = {}
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            rows = csv.DictReader(lines)
            if not set(COLUMNS) <= set(rows.fieldnames or ()):
                raise BenchError(
                    say("{path} lacks columns. It must begin with {columns}.", path=path, columns=",".join(COLUMNS))
                )
            for row in rows:
                if None in row or any(row[column] is None for column in COLUMNS):
                    raise ValueError(say("it has not as many fields as the first line"))
                if not row["image"].strip():
                    raise ValueError(say("it names no photograph"))
                dice = photos.setdefault(row["image"], [])
                if any((row[column] or "").strip() for column in ("x", "shape", "value", "colour")):
                    dice.append(_label(row))
    except OSError as error:
        raise BenchError(
            say(
                "{path} cannot be read ({why}). Name a folder with images/ and labels.csv.",
                path=path,
                why=error.strerror,
            )
        ) from error
    except (TypeError, ValueError, csv.Error) as error:
        if isinstance(error, BenchError):
            raise
        raise BenchError(
            say(
                "{path}, line {line}, cannot be understood: {why}.",
                path=path,
                line=rows.line_num,
                why=error.args[0] if error.args else type(error).__name__,
            )
        ) from error
    if not photos:
        raise BenchError(say("{path} names no photographs. Nothing was measured. Add a row for each die.", path=path))
    return {name: tuple(dice) for name, dice in photos.items()}


def _label(row: dict[str, str]) -> LabelledDie:
    edges = [row[edge].strip() for edge in "xywh"]
    if any(edges) and not all(edges):
        raise ValueError(say("a box needs all of x, y, w and h, or none"))
    box = None if not all(edges) else (float(edges[0]), float(edges[1]), float(edges[2]), float(edges[3]))
    if box is not None and not all(map(math.isfinite, box)):
        raise ValueError(say("a box is made of numbers"))
    shape, text = row["shape"].strip(), row["value"].strip()
    faces = Shape(shape).faces if shape else max(Shape, key=lambda one: one.faces).faces
    value = int(text) if text else None
    if value is not None and not 0 <= value <= faces:
        raise ValueError(say("a die of {faces} faces does not show {value}", faces=faces, value=value))
    colours = [row["colour"], *(row.get("colour_also") or "").split("|")] if row["colour"].strip() else []
    return LabelledDie(box, shape, value, tuple(name.strip() for name in colours if name.strip()))


def _judge(
    reader: ReadsPhotos, path: Path, labels: Sequence[LabelledDie], unread: Callable[[str], None] | None
) -> Judged:
    try:
        image, _ = load_photo(path)
    except PhotoError as error:
        if unread:
            unread(error.message)
        return replace(judge(path.name, labels, (), None), exact=False)
    reading = reader.read(image)
    return judge(path.name, labels, reading.dice, reading.milliseconds.get("total"))


def judge(photo: str, labels: Sequence[LabelledDie], dice: Sequence[ReadDie], milliseconds: float | None) -> Judged:
    """Hold the read `dice` of one photograph against its `labels`."""
    boxed = [label for label in labels if label.box is not None]
    partner = match(boxed, dice)
    pairs = tuple((label, dice[partner[place]] if place in partner else None) for place, label in enumerate(boxed))
    taken = set(partner.values())
    rest = [die for place, die in enumerate(dice) if place not in taken]
    right = all(die is not None and all(right_fields(label, die).values()) for label, die in pairs)
    somewhere = [label for label in labels if label.box is None]
    if somewhere:
        # Dice without a box stand for themselves by their values: those of the dice that no box has claimed.
        wanted = Counter(label.value for label in somewhere if label.value is not None)
        right = right and len(rest) == len(somewhere) and not wanted - Counter(die.value for die in rest)
        extra: tuple[ReadDie, ...] = ()
    else:
        extra = tuple(rest)
    return Judged(photo, pairs, extra, right and not extra, milliseconds)


def match(labels: Sequence[LabelledDie], dice: Sequence[ReadDie]) -> dict[int, int]:
    """Return, for each label that has one, its die: one to one, nearest centres first.

    A die can stand for a label when its centre lies in the labelled box grown by 10 % (a twentieth on each side).
    """
    near = []
    for place, label in enumerate(labels):
        if label.box is None:
            continue
        x, y, w, h = label.box
        for number, die in enumerate(dice):
            dx, dy = die.box[0] + die.box[2] / 2 - (x + w / 2), die.box[1] + die.box[3] / 2 - (y + h / 2)
            if abs(dx) <= 0.55 * w and abs(dy) <= 0.55 * h:
                near.append((dx * dx + dy * dy, place, number))
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for _, place, number in sorted(near):
        if place not in partner and number not in taken:
            partner[place] = number
            taken.add(number)
    return partner


def right_fields(label: LabelledDie, die: ReadDie) -> dict[str, bool]:
    """Return, for each field that is labelled, whether `die` has it right."""
    fields = {}
    if label.shape:
        fields["shape"] = die.shape.value == label.shape
    if label.value is not None:
        fields["value"] = die.value == label.value
    if label.colours:
        fields["colour"] = die.colour in label.colours
    return fields


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the contract's figures over photographs already judged; a share of nothing is None."""
    pairs = [pair for photo in judged for pair in photo.pairs]
    matched = [(label, die) for label, die in pairs if die is not None]
    sure = [(label, die) for label, die in matched if die.state is DieState.READ]
    wrong = sum(not all(right_fields(label, die).get(name, True) for name in ("shape", "value")) for label, die in sure)
    took = sorted(photo.milliseconds for photo in judged if photo.milliseconds is not None)
    return {
        "photos": len(judged),
        "dice": len(pairs),
        "found": _share(len(matched), len(pairs)),
        "extra_per_photo": _share(sum(len(photo.extra) for photo in judged), len(judged)),
        **{f"{name}_right": _right(pairs, name) for name in ("shape", "value", "colour")},
        "sure": _share(len(sure), len(matched)),
        "wrong_but_sure": _share(wrong, len(pairs)),
        "photo_exact": _share(sum(photo.exact for photo in judged), len(judged)),
        "milliseconds_per_photo": {
            "median": round(statistics.median(took), 1) if took else None,
            "p95": round(float(np.percentile(took, 95)), 1) if took else None,
        },
    }


def tables(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return `confusion` (what is taken for what: shape, value for each labelled shape, colour) and `reliability`.

    A colour that a fair judge accepts counts as the labelled one.
    """
    pairs = [pair for photo in judged for pair in photo.pairs]
    shapes, colours = [], []
    values: dict[str, list[tuple[str, str]]] = {}
    for label, die in pairs:
        right = right_fields(label, die) if die is not None else {}
        if label.shape:
            shapes.append((label.shape, die.shape.value if die is not None else MISSED))
        if label.value is not None and (label.shape or die is not None):
            shape = label.shape or (die.shape.value if die is not None else "")
            values.setdefault(shape, []).append((str(label.value), str(die.value) if die is not None else MISSED))
        if label.colours:
            named = MISSED if die is None else label.colours[0] if right["colour"] else die.colour
            colours.append((label.colours[0], named))
    by_faces = sorted(values, key=lambda shape: Shape(shape).faces)
    return {
        "confusion": {
            "shape": tally(shapes),
            "value": {shape: tally(values[shape]) for shape in by_faces},
            "colour": tally(colours),
        },
        "reliability": reliability([(die, right_fields(label, die)) for label, die in pairs if die is not None]),
    }


def _right(pairs: Sequence[tuple[LabelledDie, ReadDie | None]], name: str) -> float | None:
    carry = {
        "shape": lambda label: label.shape,
        "value": lambda label: label.value,
        "colour": lambda label: label.colours,
    }
    labelled = [(label, die) for label, die in pairs if carry[name](label)]
    return _share(sum(die is not None and right_fields(label, die)[name] for label, die in labelled), len(labelled))


def _share(some: int, whole: int) -> float | None:
    return round(some / whole, 4) if whole else None
