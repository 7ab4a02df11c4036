"""`python -m vision.training.illustrating FOLDER`: the pictures of docs/reading.md, of rendered tables alone.

They show the steps of one reading, and the dice of sixty tables that were read wrongly, those first that seemed surest.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from engine.dice import Die, Shape
from vision.bench import LabelledDie, match
from vision.classify import ANGLE as TURNS
from vision.classify import CROP, REACH, cut, likely_angles, pose_of, softmax, turn
from vision.explaining import contact_sheet, explain, write_picture
from vision.overlay import DARK, INKS, PAPER, draw_overlay, write_words
from vision.reader import Reader
from vision.reading import ReadDie
from vision.rendering import render_scene
from vision.rendering.numerals import FontBook
from vision.rendering.scene import RenderedDie, Scene
from vision.training.synthesis import draw_scene

SEVEN = [
    Die("white", 3, Shape.D4),
    Die("red", 5, Shape.D6),
    Die("blue", 6, Shape.D8),
    Die("green", 7, Shape.D10),
    Die("purple", 11, Shape.D12),
    Die("orange", 17, Shape.D20),
    Die("black", 2, Shape.D6),
]
TABLES = 60
TILES, ACROSS = 24, 8
TILE = 150
WIDEST = 1000


def steps(reader: Reader, fonts: FontBook) -> dict[str, np.ndarray]:
    """Return the pictures of one reading by name: what is found, where up-faces lie, what they say, what is told."""
    scene = render_scene(
        np.random.default_rng(12), SEVEN, width=1000, height=750, fonts=fonts, die_pixels=(90, 95), tilt=(28, 30),
        clutter=5,
    )  # fmt: skip
    found = scene.image.copy()
    for die in reader.detector.find(scene.image, threshold=0.05):
        x, y, w, h = (round(edge) for edge in die.box)
        plain = die.score >= reader.detector.threshold
        cv2.rectangle(found, (x, y), (x + w, y + h), PAPER if plain else DARK, 3 if plain else 1)
        write_words(found, f"{die.score:.2f}", x + 4, y - 6, 16 if plain else 11, PAPER)
    reading = reader.read(scene.image)
    return {
        "found": found,
        "faces": up_faces(reader, scene.image, reading.dice),
        "patches": contact_sheet(explain(scene.image, reading, reader.classifier)[:4]),
        "read": draw_overlay(scene.image, reading),
    }


def up_faces(reader: Reader, image: np.ndarray, dice: Sequence[ReadDie]) -> np.ndarray:
    """Return the dice's crops side by side, the square that is cut out of each drawn on it, its upper side thick."""
    crops = [cut(image, die.box, CROP).pixels for die in dice]
    answers, _ = reader.classifier.pose(np.stack(crops))
    zoom, tiles = 3, []
    for crop, answer in zip(crops, answers, strict=True):
        tile = cv2.resize(crop, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
        centre, stretch = pose_of(answer)
        face = stretch @ turn(likely_angles(softmax(answer[TURNS]), 1)[0][0]) * REACH
        corners = [
            np.round((centre + 0.5 + face @ way) * zoom).astype(int)
            for way in np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        ]
        cv2.polylines(tile, [np.array(corners)], True, PAPER, 1, cv2.LINE_AA)
        cv2.line(tile, tuple(map(int, corners[0])), tuple(map(int, corners[1])), PAPER, 4, cv2.LINE_AA)
        tiles.append(tile)
    return np.hstack(tiles)


def wrong(reader: Reader, fonts: FontBook, tables: int = TABLES) -> Iterator[tuple[Scene, RenderedDie, ReadDie | None]]:
    """Yield each die of `tables` rendered tables that was missed (None) or read as another value or shape."""
    for number in range(tables):
        scene = draw_scene(np.random.default_rng([77, number]), fonts)
        dice = reader.read(scene.image).dice
        plain = [one for one in scene.dice if one.visible > 0.8 and not one.cocked]
        pairs = match([LabelledDie(one.box, one.die.shape.value, one.die.value, ()) for one in plain], dice)
        for place, one in enumerate(plain):
            read = dice[pairs[place]] if place in pairs else None
            if read is None or (read.shape, read.value) != (one.die.shape, one.die.value):
                yield scene, one, read
        print(f"table {number + 1} of {tables}", file=sys.stderr, flush=True)


def failures(found: Sequence[tuple[Scene, RenderedDie, ReadDie | None]]) -> np.ndarray:
    """Return tiles of what `wrong` found, the surest first: what lies there, and below it what was read."""
    order = sorted(found, key=lambda one: -(one[2].confidence.value if one[2] else 0))[:TILES]
    tiles = []
    for scene, truth, read in order:
        tile = np.full((TILE + 44, TILE + 4, 3), DARK, np.uint8)
        tile[2 : TILE + 2, 2 : TILE + 2] = cut(scene.image, truth.box, TILE).pixels
        write_words(tile, f"{truth.die.shape} {truth.die.value}", 6, TILE + 18, 12, PAPER)
        said = f"{read.shape} {read.value}, {read.confidence.value:.2f}" if read else "missed"
        write_words(tile, said, 6, TILE + 37, 12, INKS[read.state] if read else PAPER)
        tiles.append(tile)
    tiles += [np.full_like(tiles[0], DARK)] * (-len(tiles) % ACROSS) if tiles else []
    return np.vstack([np.hstack(tiles[first : first + ACROSS]) for first in range(0, len(tiles), ACROSS)])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training.illustrating", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path, default=None, help="a folder of models instead of those shipped")
    parser.add_argument("--fonts", type=Path, default=None, help="a folder of typefaces")
    chosen = parser.parse_args()
    reader, fonts = Reader(models=chosen.models), FontBook(chosen.fonts)
    pictures = steps(reader, fonts)
    pictures["failures"] = failures(list(wrong(reader, fonts)))
    for name, picture in pictures.items():
        wide = min(1.0, WIDEST / picture.shape[1])
        smaller = cv2.resize(picture, None, fx=wide, fy=wide, interpolation=cv2.INTER_AREA)
        write_picture(chosen.folder / f"reading-{name}.jpg", smaller)


if __name__ == "__main__":
    main()
