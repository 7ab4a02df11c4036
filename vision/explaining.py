"""Why a die was read as it was: its crop, the upright patches that were read, and the likeliest readings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.classify import NOTHING, NUMBERS, Classifier, cut
from vision.overlay import DARK, FAINT_INK, INKS, PAPER, write_words
from vision.reading import ReadDie, Reading
from vision.seen import SHAPES, with_chances

CROP_PIXELS = 192
PATCH_PIXELS = 96
GUESSES = 3


@dataclass(frozen=True, slots=True)
class Patch:
    """One upright patch (40 x 40 BGR) as the marks network saw it: the mark it takes it for, and how likely."""

    pixels: np.ndarray
    turn: float
    """How likely the pose network found this turn, 0..1 of the likeliest."""
    mark: str
    chance: float


@dataclass(frozen=True, slots=True)
class Explained:
    """One die: its crop (192 x 192 BGR), its patches, and the three likeliest readings and colours."""

    die: ReadDie
    crop: np.ndarray
    patches: tuple[Patch, ...]
    guesses: tuple[tuple[str, int, float], ...]
    """Shape, value and probability, the likeliest first."""
    colours: tuple[tuple[str, float], ...]


def explain(image: np.ndarray, reading: Reading, classifier: Classifier) -> list[Explained]:
    """Return what led to each die of `reading`, which was made of `image` (BGR uint8), in its order."""
    sights = classifier.see(image, [die.box for die in reading.dice])
    explained = []
    for die, sight in zip(reading.dice, sights, strict=True):
        patches = tuple(
            Patch(pixels, float(weight / sight.weights.max()), _mark(int(marks.argmax())), float(marks.max()))
            for pixels, marks, weight in zip(sight.patches, sight.marks, sight.weights, strict=True)
        )
        crop = cut(image, die.box, CROP_PIXELS).pixels
        explained.append(Explained(die, crop, patches, _guesses(die), _colours(die)))
    return explained


def _mark(place: int) -> str:
    """Return the word for a class of the marks network."""
    if place == NOTHING:
        return "no mark"
    return f"number {place}" if place < NUMBERS.stop else f"{place - NUMBERS.stop + 1} pips"


def _guesses(die: ReadDie) -> tuple[tuple[str, int, float], ...]:
    seen = with_chances(die)
    joint = seen.shapes[:, None] * seen.values
    best = np.argsort(-joint, axis=None)[:GUESSES]
    rows, columns = np.unravel_index(best, joint.shape)
    return tuple(
        (SHAPES[row].value, int(column) + 1, float(joint[row, column]))
        for row, column in zip(rows, columns, strict=True)
    )


def _colours(die: ReadDie) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(with_chances(die).colours.items(), key=lambda one: -one[1])[:GUESSES])


def write_explained(folder: Path, name: str, explained: Sequence[Explained]) -> dict[str, Any]:
    """Write the pictures of one photograph's dice under `folder` and return its part of the JSON document.

    `NAME.png` is a sheet of all dice with captions; `NAME/01.png` is the first die's crop and `NAME/01-1.png`, … its
    patches. Raises `OSError` where the folder cannot be written.
    """
    (folder / name).mkdir(parents=True, exist_ok=True)
    sheet = f"{name}.png" if explained else None
    if sheet is not None:
        write_picture(folder / sheet, contact_sheet(explained))
    dice = []
    for number, one in enumerate(explained, 1):
        crop = f"{name}/{number:02}.png"
        write_picture(folder / crop, one.crop)
        patches = []
        for place, patch in enumerate(one.patches, 1):
            picture = f"{name}/{number:02}-{place}.png"
            write_picture(folder / picture, patch.pixels)
            patches.append(
                {
                    "picture": picture,
                    "turn": _short(patch.turn),
                    "mark": patch.mark,
                    "probability": _short(patch.chance),
                }
            )
        dice.append(
            {
                **one.die.as_json(),
                "crop": crop,
                "patches": patches,
                "guesses": [
                    {"shape": shape, "value": value, "probability": _short(chance)}
                    for shape, value, chance in one.guesses
                ],
                "colours": [{"colour": colour, "probability": _short(chance)} for colour, chance in one.colours],
            }
        )
    return {"sheet": sheet, "dice": dice}


def write_document(folder: Path, photos: Sequence[dict[str, Any]]) -> None:
    """Write `explain.json`, which holds what `write_explained` returned of each photograph."""
    text = json.dumps({"photos": photos}, ensure_ascii=False, indent=2)
    (folder / "explain.json").write_text(text + "\n", encoding="utf-8")


def write_picture(path: Path, picture: np.ndarray) -> None:
    """Write `picture` (BGR uint8) as the ending of `path` says. Raises `OSError` with a sentence."""
    try:
        written, packed = cv2.imencode(path.suffix, picture)
    except cv2.error as error:
        raise OSError(f"A picture cannot be written as {path.suffix or 'a file without an ending'}.") from error
    if not written:
        raise OSError(f"The picture {path} cannot be written.")
    path.write_bytes(packed.tobytes())


def _short(chance: float) -> float:
    return round(chance, 4)


def contact_sheet(explained: Sequence[Explained]) -> np.ndarray:
    """Return one picture of all dice: a row each, with the crop, the patches and what they were taken for."""
    most = max((len(one.patches) for one in explained), default=0)
    return np.vstack([_row(number, one, most) for number, one in enumerate(explained, 1)])


def _row(number: int, one: Explained, most: int) -> np.ndarray:
    gap, words, height = 16, 330, CROP_PIXELS + 32
    row = np.full((height, CROP_PIXELS + 2 * words + (most + 1) * (PATCH_PIXELS + gap), 3), DARK, np.uint8)
    row[-2:] = FAINT_INK
    ink = INKS[one.die.state]
    _paste(row, one.crop, gap, gap)
    left = CROP_PIXELS + 2 * gap
    write_words(row, f"{number}: {one.die.shape} {one.die.value}", left, 46, 24, ink)
    for place, words_ in enumerate((one.die.colour, one.die.state.value, f"score {_score(one.die):.2f}")):
        write_words(row, words_, left, 84 + 30 * place, 14, PAPER)
    left += words - 2 * gap - 40
    for patch in one.patches:
        side = (PATCH_PIXELS, PATCH_PIXELS)
        _paste(row, cv2.resize(patch.pixels, side, interpolation=cv2.INTER_NEAREST), left, 40)
        write_words(row, patch.mark, left, 160, 10, PAPER)
        write_words(row, f"{patch.chance:.1%}", left, 180, 10, FAINT_INK)
        left += PATCH_PIXELS + gap
    left = CROP_PIXELS + words + most * (PATCH_PIXELS + gap) + gap
    for place, (shape, value, chance) in enumerate(one.guesses):
        write_words(row, f"{shape} {value}", left, 50 + 40 * place, 14, PAPER)
        write_words(row, f"{chance:.1%}", left + 90, 50 + 40 * place, 14, FAINT_INK)
    for place, (colour, chance) in enumerate(one.colours):
        write_words(row, colour, left + 190, 50 + 40 * place, 14, PAPER)
        write_words(row, f"{chance:.1%}", left + 290, 50 + 40 * place, 14, FAINT_INK)
    return row


def _score(die: ReadDie) -> float:
    return with_chances(die).score


def _paste(into: np.ndarray, picture: np.ndarray, left: int, top: int) -> None:
    height, width = picture.shape[:2]
    into[top : top + height, left : left + width] = picture
