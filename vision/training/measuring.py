"""Figures for the cards: the bench on photographs held out of training, and on rendered tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.dice import COLOURS, Shape
from engine.game import Expectation
from vision.bench import bench, figures, judge
from vision.photo import load_photo
from vision.reader import Reader
from vision.rendering import RolledTable, built_in_fonts
from vision.training.calibration import labelled
from vision.training.photos import LICENSED, Photo, photographs
from vision.training.shipping import MODELS, amend
from vision.training.synthesis import draw_scene, labels_of

TABLES = ("confusion", "reliability")
"""What the bench tabulates beside its figures: too long for a card."""


def _of_card(whole: dict[str, Any]) -> dict[str, Any]:
    return {key: figure for key, figure in whole.items() if key not in TABLES}


def heldout(photos: Path, reader: Reader, *, part: str = "heldout") -> dict[str, Any]:
    """Return the bench's figures of each set over its photographs of `part`."""
    by_source: dict[str, list[Photo]] = {}
    for photo in photographs(photos, part=part):
        by_source.setdefault(photo.source, []).append(photo)
    return {source: read_all(some, reader) for source, some in by_source.items()}


def read_all(some: Sequence[Photo], reader: Reader, *, expecting: bool = False) -> dict[str, Any]:
    """Return the bench's figures over photographs; `expecting`: each held against the dice that lie in it."""
    judged = []
    for photo in some:
        expects = Expectation(Counter(Shape(one.shape) for one in photo.labels)) if expecting else None
        reading = reader.read(load_photo(photo.path)[0], expects=expects)
        judged.append(judge(photo.path.name, labelled(photo), reading.dice, reading.milliseconds["total"]))
    return _of_card(figures(judged))


SEVERAL_DICE = ("byler_d6", "roboflow_dice", "rune55_pxl", "bartek_polyhedral")
"""The sets whose photographs show rolls of several dice, whose shapes a game would know."""


def expecting(photos: Path, reader: Reader) -> dict[str, Any]:
    """Return the figures of each set of rolls where it is known, as in a game, how many dice of which shapes lie there.

    Of sets that train, only what is held out.
    """
    result = {}
    for source in SEVERAL_DICE:
        if (photos / source / "labels.csv").exists():
            part = "heldout" if source in LICENSED else None
            some = photographs(photos, (source,), part)
            whole = [photo for photo in some if photo.labels and all(one.shape for one in photo.labels)]
            result[source] = read_all(whole, reader, expecting=True)
    return result


DEMO_COLOURS = ("red", "yellow", "green", "blue", "white", "black")
"""The colours of the demo's dice, unless its table names others."""


def rendered_rolls(
    reader: Reader, *, tables: int, rolls: int, seed: int = 1000, colours: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return how well rolls of 12 d6 in six colours are read on `tables` rendered tables, `rolls` on each.

    The roll is also resolved against what the game expects, as in the demo. `colours` None draws six for each table.
    """
    dice = right = sure = wrong = rolls_right = rolls_sure = rolls_sure_and_wrong = shapes_right = 0
    took = []
    for table in range(tables):
        rng = np.random.default_rng([seed, table])
        six = colours or [str(name) for name in rng.choice(COLOURS, 6, replace=False)]
        expected = Expectation({Shape.D6: 12}, dict.fromkeys(six, 25))
        lying = RolledTable(np.random.default_rng(seed + table))
        for _ in range(rolls):
            lying.roll(expected)
            scene = lying.scene()
            truth = sorted(str(one.die) for one in scene.dice)
            reading = reader.read(scene.image, expects=expected)
            took.append(reading.milliseconds["total"])
            seen = sorted(str(die.die) for die in reading.dice)
            rolls_right += seen == truth
            all_sure = all(die.state.value == "read" for die in reading.dice) and len(seen) == len(truth)
            rolls_sure += all_sure
            rolls_sure_and_wrong += all_sure and seen != truth
            left = list(truth)
            for die in reading.dice:
                dice += 1
                shapes_right += die.shape is Shape.D6
                fits = str(die.die) in left
                if fits:
                    left.remove(str(die.die))
                right += fits
                sure += die.state.value == "read"
                wrong += die.state.value == "read" and not fits
    whole = tables * rolls
    return {
        "rolls": whole,
        "dice": whole * 12,
        "seen": dice,
        "dice_right": round(right / (whole * 12), 4),
        "sure": round(sure / max(1, dice), 4),
        "wrong_but_sure": round(wrong / (whole * 12), 4),
        "rolls_right": round(rolls_right / whole, 4),
        "rolls_without_a_question": round(rolls_sure / whole, 4),
        "rolls_sure_and_wrong": round(rolls_sure_and_wrong / whole, 4),
        "milliseconds_median": round(float(np.median(took)), 1),
    }


def rendered_scenes(reader: Reader, *, scenes: int, seed: int = 2000) -> dict[str, Any]:
    """Return the bench's figures on rendered scenes of all shapes that training never drew."""
    judged = []
    for number in range(scenes):
        scene = draw_scene(np.random.default_rng([seed, number]), built_in_fonts())
        reading = reader.read(scene.image)
        judged.append(judge(str(number), labels_of(scene), reading.dice, reading.milliseconds["total"]))
    return _of_card(figures(judged))


def measure(photos: Path, folder: Path, *, tables: int = 12, rolls: int = 4) -> dict[str, Any]:
    """Measure the models in `folder` and write the figures into their cards."""
    reader = Reader(models=folder)
    found: dict[str, Any] = {"heldout": heldout(photos, reader)}
    for name in ("bartek_polyhedral", "baylor_d6tray"):
        if (photos / name / "labels.csv").exists():
            found[name] = bench(photos / name, reader=reader)
    found["expecting"] = expecting(photos, reader)
    found["rendered_rolls"] = rendered_rolls(reader, tables=tables, rolls=rolls)
    found["demo_rolls"] = rendered_rolls(reader, tables=20, rolls=3, seed=90_000, colours=DEMO_COLOURS)
    found["rendered_scenes"] = rendered_scenes(reader, scenes=80)
    for name in MODELS:
        amend(folder / f"{name}.json", metrics=found)
    return found
