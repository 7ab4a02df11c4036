"""What teaching is worth: labelled photographs read with lessons from other table tops than their own."""

from __future__ import annotations

import csv
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from engine.dice import DieState, Shape
from engine.words import say
from vision.bench import BenchError, Judged, LabelledDie, figures, judge, match, read_labels, right_fields, tables
from vision.colour import crops_of
from vision.enrol import Lesson, Which, lesson
from vision.photo import PhotoError, load_photo
from vision.reader import Reader
from vision.reading import Confidence, ReadDie

UNNAMED = ""
"""The colour of a die whose labels name none: the lesson takes the one that the reader sees."""


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled die that can be shown: its photograph, table top, place among the labels, and what it is."""

    photo: str
    scene: str
    place: int
    which: Which
    value: int | None


def bench_taught(
    folder: Path,
    each: int,
    *,
    threads: int = 1,
    colours_only: bool = False,
    seed: int = 1,
    progress: Callable[[int, int], None] | None = None,
    unread: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Return the figures of `vision.bench` as `taught`, beside those without teaching as `untaught`.

    Each table top in turn is read after `each` pictures of every face were taught from the others (`colours_only`: of
    every colour). Dice are told apart by shape, colour and the column `die` of labels.csv, where it has one; the table
    top of a photograph is its `scene` there, else its `group` in scenes.csv, else each photograph is its own. A blank
    value whose `note` says "logo face: N" is N. Raises `BenchError`.
    """
    labels = read_labels(folder / "labels.csv")
    examples, scenes, labels = _examples(folder, labels, colours_only)
    reader = Reader(threads=threads)
    if not reader.classifier.has_features:
        raise BenchError(say("These models cannot be taught. Nothing was measured. Install Jurado again."))
    pictures = _Pictures(folder)
    lessons = _lessons(reader, pictures, labels, examples, each, seed)
    tops = sorted(set(scenes.values()))
    taught = {scene: _from_elsewhere(lessons, scene, each) for scene in tops}
    without: list[Judged] = []
    with_lessons: list[Judged] = []
    for scene in tops:
        names = [name for name in labels if scenes[name] == scene]
        for judged, some in ((without, ()), (with_lessons, taught[scene])):
            reader.teach(some)
            for name in names:
                judged.append(_judged(reader, pictures, name, labels[name], unread if some else None))
                if progress:
                    progress(len(without) + len(with_lessons), 2 * len(labels))
    return {
        "photos": len(labels),
        "table_tops": len(tops),
        "lessons": max(map(len, taught.values())),
        "untaught": figures(without),
        "taught": figures(with_lessons),
        "faces": _shares_right(without, with_lessons, labels, examples),
        "threads": threads,
        **tables(with_lessons),
    }


def _examples(
    folder: Path, labels: dict[str, tuple[LabelledDie, ...]], colours_only: bool
) -> tuple[list[Example], dict[str, str], dict[str, tuple[LabelledDie, ...]]]:
    """Return what can be shown, each photograph's table top, and the labels with the logos' values filled in."""
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    with (folder / "labels.csv").open(newline="", encoding="utf-8-sig") as lines:
        for row in csv.DictReader(lines):
            if any(row[column].strip() for column in ("x", "shape", "value", "colour")):
                rows[row["image"]].append(row)
    scenes = {name: name for name in labels}
    grouped = folder / "scenes.csv"
    if grouped.exists():
        with grouped.open(newline="", encoding="utf-8-sig") as lines:
            scenes |= {row["image"]: row["group"] for row in csv.DictReader(lines) if row["image"] in scenes}
    examples = []
    filled = {}
    for name, dice in labels.items():
        whole = []
        for place, (label, row) in enumerate(zip(dice, rows[name], strict=True)):
            scenes[name] = row.get("scene") or scenes[name]
            note = row.get("note") or ""
            value = label.value
            if value is None and note.startswith("logo face:"):
                value = int(note.removeprefix("logo face:"))
            label = LabelledDie(label.box, label.shape, value, label.colours)
            whole.append(label)
            if label.box is None or not label.shape or (colours_only and not label.colours):
                continue
            if value is not None or colours_only:
                colour = label.colours[0] if label.colours else UNNAMED
                which = Which(Shape(label.shape), colour, "" if colours_only else row.get("die") or "")
                shown = None if colours_only or value is None else value or label_faces(label.shape)
                examples.append(Example(name, scenes[name], place, which, shown))
        filled[name] = tuple(whole)
    if not examples:
        raise BenchError(say("{folder} has no die that could be taught. Nothing was measured.", folder=folder))
    return _one_colour_a_name(examples), scenes, filled


def label_faces(shape: str) -> int:
    """Return what a labelled 0 means: the die's highest value."""
    return Shape(shape).faces


def _one_colour_a_name(examples: Sequence[Example]) -> list[Example]:
    """Return `examples` with the colour that most pictures of a named die are labelled with."""
    told: dict[tuple[Shape, str], list[str]] = defaultdict(list)
    for one in examples:
        if one.which.name and one.which.colour != UNNAMED:
            told[one.which.shape, one.which.name].append(one.which.colour)
    settled = []
    for one in examples:
        colours = told.get((one.which.shape, one.which.name))
        which = one.which._replace(colour=max(sorted(set(colours)), key=colours.count)) if colours else one.which
        settled.append(Example(one.photo, one.scene, one.place, which, one.value))
    return settled


class _Pictures:
    """The folder's photographs, the last one kept; one that cannot be opened is None."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "images"
        self._last: tuple[str, np.ndarray | None, str] = ("", None, "")

    def __call__(self, name: str) -> tuple[np.ndarray | None, str]:
        """Return the picture `name` and nothing, or None and why."""
        if self._last[0] != name:
            try:
                self._last = (name, load_photo(self._folder / name)[0], "")
            except PhotoError as error:
                self._last = (name, None, error.message)
        return self._last[1:]


def _lessons(
    reader: Reader,
    pictures: _Pictures,
    labels: Mapping[str, Sequence[LabelledDie]],
    examples: Sequence[Example],
    each: int,
    seed: int,
) -> list[tuple[Example, Lesson]]:
    """Return lessons of each face, `each` of them wherever one table top is left out.

    They are drawn by chance, one from each table top before a second from any; only dice that the detector finds are
    shown, as people at a table would.
    """
    chance = random.Random(seed)
    faces: dict[tuple[Which, int | None], list[Example]] = defaultdict(list)
    for one in examples:
        faces[one.which, one.value].append(one)
    taught = []
    for face in sorted(faces, key=str):
        drawn = faces[face]
        chance.shuffle(drawn)
        met: Counter[str] = Counter()
        ranks = {}
        for one in drawn:
            ranks[id(one)] = met[one.scene]
            met[one.scene] += 1
        got: Counter[str] = Counter()
        for one in sorted(drawn, key=lambda one: ranks[id(one)]):
            if got.total() - max(got.values(), default=0) >= each:
                break
            image, _ = pictures(one.photo)
            found = [] if image is None else reader.detector.find(image)
            dice = [_somewhere(die.box) for die in found]
            partner = match(labels[one.photo], dice)
            if image is not None and one.place in partner:
                die = found[partner[one.place]]
                lean = reader.classifier.leans(image, [other.box for other in found])[partner[one.place]]
                which = one.which
                if which.colour == UNNAMED:
                    [chances] = reader.namer.name(crops_of(image, [die]))
                    which = which._replace(colour=max(chances, key=chances.__getitem__))
                taught.append((one, lesson(reader.classifier, image, die.box, which, one.value, lean=lean)))
                got[one.scene] += 1
    return taught


def _somewhere(box: tuple[float, float, float, float]) -> ReadDie:
    """Return a die of which only the place matters."""
    return ReadDie(Shape.D6, "white", 1, DieState.UNSURE, box, Confidence(1, 1, 1))


def _from_elsewhere(lessons: Sequence[tuple[Example, Lesson]], scene: str, each: int) -> list[Lesson]:
    """Return the first `each` lessons of every face that come from another table top than `scene`."""
    counts: Counter[tuple[Which, int | None]] = Counter()
    kept = []
    for example, one in lessons:
        face = example.which, example.value
        if example.scene != scene and counts[face] < each:
            counts[face] += 1
            kept.append(one)
    return kept


def _judged(
    reader: Reader,
    pictures: _Pictures,
    name: str,
    labels: Sequence[LabelledDie],
    unread: Callable[[str], None] | None,
) -> Judged:
    image, why = pictures(name)
    if image is None:
        if unread:
            unread(why)
        return replace(judge(name, labels, (), None), exact=False)
    reading = reader.read(image)
    return judge(name, labels, reading.dice, reading.milliseconds.get("total"))


def _shares_right(
    without: Sequence[Judged],
    with_lessons: Sequence[Judged],
    labels: Mapping[str, Sequence[LabelledDie]],
    examples: Sequence[Example],
) -> dict[str, dict[str, float]]:
    """Return for each die of the table how many are labelled, and the shares right in shape and value, both ways."""
    die_of = {(one.photo, one.place): str(one.which) for one in examples}
    shares: dict[str, dict[str, float]] = {}
    for mode, judged in (("untaught", without), ("taught", with_lessons)):
        right: dict[str, list[bool]] = defaultdict(list)
        for photo in judged:
            boxed = [place for place, label in enumerate(labels[photo.photo]) if label.box is not None]
            for place, (label, die) in zip(boxed, photo.pairs, strict=True):
                which = die_of.get((photo.photo, place))
                if which is not None:
                    right[which].append(die is not None and all(right_fields(label, die).values()))
        for which in sorted(right):
            entry = shares.setdefault(which, {"dice": len(right[which])})
            entry[mode] = round(sum(right[which]) / len(right[which]), 4)
    return shares
