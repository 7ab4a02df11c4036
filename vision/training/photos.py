"""The labelled photographs that training may use, and the rule that keeps some of them out of it."""

from __future__ import annotations

import csv
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.bench import read_labels

LICENSED = {
    "byler_d6": "BSD-3-Clause, (c) 2019 Nell Byler",
    "roboflow_dice": 'CC BY 4.0, Roboflow public "6 Sided Dice" dataset',
    "rune55_pxl": "CC BY 4.0, Rune55 by rune-zkmvl, Roboflow Universe",
    "lurig": "CC0, Mario Lurig",
    "skovy_catan": "MIT, (c) 2022 skovy",
    "chase_casino_crops": "MIT, (c) 2024 Chase",
    "matteop65_d6": "MIT, (c) 2021 Matteo Anthony Penlington",
}
"""The sets whose licence lets a model that is trained on them be shipped, with the credit each asks for."""

PARTS = ("train", "calibrate", "heldout")
TOP_FACE_ONLY = {"matteop65_d6"}
"""Sets whose boxes hold the top face's pips, not the whole die."""


@dataclass(frozen=True, slots=True)
class Label:
    """One labelled die: its box (x, y, w, h in pixels, None when it is only known to be there) and what is known."""

    box: tuple[float, float, float, float] | None
    shape: str
    value: int
    """0 where it is not labelled."""
    colours: tuple[str, ...]
    """Every name that a fair judge accepts; empty where the colour is not labelled."""


@dataclass(frozen=True, slots=True)
class Photo:
    """One photograph of a set and its labels; `part` is where the split puts it."""

    source: str
    path: Path
    part: str
    labels: tuple[Label, ...]

    @property
    def is_crop(self) -> bool:
        """Whether the picture is one die cut out of a photograph: fit for reading, not for finding."""
        return self.source == "chase_casino_crops" or self.path.name.startswith("crop_")

    def image(self) -> np.ndarray:
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if image is None:
            raise ValueError(f"{self.path} cannot be read as a picture.")
        return image


def occasion(source: str, name: str, scenes: dict[str, str]) -> str:
    """Return the key of the occasion on which a photograph was taken; an occasion is never split between parts.

    It is the scene where the set lists scenes, else the minute in the file's name, else its running number by tens.
    """
    if name in scenes:
        return f"{source}/{scenes[name]}"
    moment = re.search(r"(20\d{6})_?(\d{2})_?(\d{2})", name)
    if moment:
        return f"{source}/{'_'.join(moment.groups())}"
    number = re.search(r"(\d+)\D*$", name)
    stem = name[: number.start()] if number else name
    stem = re.sub(r"^(train|valid|test)_", "", stem)
    return f"{source}/{stem}/{int(number.group(1)) // 10 if number else 0}"


def parts(occasions: set[str]) -> dict[str, str]:
    """Return the part of each occasion of one set: dealt out in the order of a hash of the key.

    A sixth is held out, a sixth calibrates, the rest trains.
    """
    dealt = sorted(occasions, key=lambda key: (zlib.crc32(key.encode()), key))
    return {key: _DEAL[place % len(_DEAL)] for place, key in enumerate(dealt)}


_DEAL = ("heldout", "train", "calibrate", "train", "train", "train")


def photographs(folder: Path, sources: tuple[str, ...] = tuple(LICENSED), part: str | None = None) -> list[Photo]:
    """Return the photographs of `sources` under `folder` (each with `images/` and `labels.csv`), sorted by name.

    Only those of `part` when it is given.
    """
    found: list[Photo] = []
    for source in sources:
        scenes = _scenes(folder / source / "scenes.csv")
        labelled = [
            (name, tuple(Label(die.box, die.shape, die.value or 0, die.colours) for die in dice))
            for name, dice in sorted(read_labels(folder / source / "labels.csv").items())
        ]
        dealt = parts({occasion(source, name, scenes) for name, _ in labelled})
        for name, labels in labelled:
            photo_part = dealt[occasion(source, name, scenes)]
            if part in (None, photo_part):
                found.append(Photo(source, folder / source / "images" / name, photo_part, labels))
    return found


def _scenes(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as lines:
        return {row["image"]: row["group"] for row in csv.DictReader(lines)}
