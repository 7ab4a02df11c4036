"""Training pictures from our own renderer: whole scenes for the detector, and each of their dice for the reader."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from engine.dice import COLOURS, Die, Shape
from engine.game import Expectation
from vision.bench import LabelledDie
from vision.classify import SHAPES
from vision.rendering import Look, RolledTable, draw_look, draw_stage, render_scene
from vision.rendering.layout import TOUCHING, lay_in_rows
from vision.rendering.looks import brightness, linear
from vision.rendering.numerals import FontBook
from vision.rendering.ornaments import draw_ornament
from vision.rendering.scene import RenderedDie, Scene, draw_looks, photograph
from vision.training import crops
from vision.training.crops import Sample

CHUNK = 40
"""Scenes in one file."""


def draw_dice(rng: np.random.Generator, count: int, *, numerals: bool = False) -> list[Die]:
    """Return `count` dice for one table: a handful of d6, or a mix of shapes; each value of a shape equally likely."""
    only_d6 = rng.random() < (0.1 if numerals else 0.4)
    palette = rng.choice((*COLOURS, "ivory", "maroon"), int(rng.integers(1, 8)), replace=False)
    dice = []
    for _ in range(count):
        shape = Shape.D6 if only_d6 or rng.random() < 0.2 else SHAPES[rng.integers(len(SHAPES))]
        dice.append(Die(str(rng.choice(palette)), int(rng.integers(1, shape.faces + 1)), shape))
    return dice


def draw_scene(rng: np.random.Generator, fonts: FontBook) -> Scene:
    """Return a rendered photograph: from a tidy tray seen from above to a messy table askew, some without dice."""
    if rng.random() < SORTED:
        return draw_sorted(rng, fonts)
    calm = rng.random() < 0.3
    near = rng.random() < 0.45
    side = math.exp(rng.uniform(*np.log((70, 150) if near else (26, 100))))
    count = int(rng.integers(0, 15)) if rng.random() < 0.3 else int(rng.integers(5, 15))
    bare = rng.random() < BARE
    count = 0 if bare else min(count, int(0.35 * 640 * 480 / (side * 1.4) ** 2))
    dice = draw_dice(rng, count, numerals=near)
    plain = calm and rng.random() < 0.6
    looks = [altered(rng, look) for look in draw_looks(rng, dice, fonts=len(fonts), plain=plain)]
    return render_scene(
        rng,
        dice,
        width=640,
        height=480,
        calm=calm,
        looks=looks,
        fonts=fonts,
        die_pixels=(side * 0.9, side * 1.1),
        tilt=(35, 64) if not calm and rng.random() < 0.35 else None,
        clutter=int(rng.integers(5, 21)) if bare else None,
        hard=0.1,
        touching=HUDDLED if rng.random() < 0.35 else TOUCHING,
    )


def draw_sorted(rng: np.random.Generator, fonts: FontBook) -> Scene:
    """Return d6 that lie sorted in rows, face to face."""
    columns, rows = int(rng.integers(2, 10)), int(rng.integers(1, 7))
    palette = rng.choice((*COLOURS, "ivory", "maroon"), rows, replace=False)
    by_row = rng.random() < 0.6
    names = [str(palette[number // columns] if by_row else rng.choice(palette)) for number in range(columns * rows)]
    dice = [Die(name, int(rng.integers(1, 7)), Shape.D6) for name in names]
    sets = {name: altered(rng, draw_look(rng, name, fonts=len(fonts))) for name in palette}
    looks = [replace(sets[name], radius=1.0) for name in names]
    side = min(math.exp(rng.uniform(*np.log((28, 120)))), 560 / math.hypot(columns, rows))
    lean = (0.0, 25.0) if rng.random() < 0.5 else (25.0, 60.0)
    stage = draw_stage(rng, 640, 480, die_pixels=(side * 0.9, side * 1.1), tilt=lean, tray=False)
    return photograph(rng, stage, lay_in_rows(rng, dice, looks, stage.view, columns), [], fonts)


def draw_roll(rng: np.random.Generator) -> Scene:
    """Return a roll of 12 d6 in up to six colours on a table set up with care, 1280 pixels wide."""
    colours = [str(name) for name in rng.choice(COLOURS, int(rng.integers(1, 7)), replace=False)]
    table = RolledTable(rng, touching=HUDDLED if rng.random() < 0.5 else TOUCHING)
    table.roll(Expectation({Shape.D6: 12}, dict.fromkeys(colours, 25)))
    return table.scene()


ORNATE = 0.4
"""The share of dice with numerals whose faces are filled with ornament."""


def altered(rng: np.random.Generator, look: Look) -> Look:
    """Return `look`, now and then ornate, in two colours that swirl, or with marks that hardly stand out."""
    if not look.pips and rng.random() < ORNATE:
        return replace(look, ornament=draw_ornament(rng))
    fate = rng.random()
    if fate < 0.07:
        share = float(rng.uniform(0.15, 0.5))
        return replace(look, ink=(look.base * (1 - share) + look.ink * share).astype(np.float32))
    if fate < 0.15 and look.base.mean() < 0.12:
        hue = np.full(3, 0.005, np.float32)
        hue[rng.integers(3)] = rng.uniform(0.06, 0.5)
        return replace(look, ink=hue, one_ink=hue)
    if fate < 0.4:
        share = float(rng.uniform(0.35, 0.9))
        other = rng.uniform(0.6, 0.95) if rng.random() < 0.65 else 0.01
        second = (look.base * (1 - share) + other * share).astype(np.float32)
        bold = linear(rng.choice(BOLD))
        ink = bold if abs(brightness(bold) - brightness(look.base)) > 0.12 else look.ink
        clear = float(rng.uniform(0.2, 0.8)) if rng.random() < 0.5 else look.clear
        return replace(look, pattern="marble", second=second, ink=ink, one_ink=ink, clear=clear)
    return look


def called(colour: str) -> tuple[str, ...]:
    """Return the names that are right for a die drawn in `colour`."""
    return (colour, "red") if colour == "maroon" else (colour,)


LABELLED = 0.6
"""A rendered die of which less is seen is not labelled."""


def labels_of(scene: Scene) -> list[LabelledDie]:
    """Return the labels of a scene's dice but of those that are too much hidden; a cocked one has no value."""
    return [
        LabelledDie(die.box, die.die.shape.value, None if die.cocked else die.die.value, called(die.die.colour))
        for die in scene.dice
        if die.visible >= LABELLED
    ]


def sample_of(scene: Scene, die: RenderedDie) -> Sample | None:
    """Return one die of a scene as the reader's training takes it, or None when too little of it is seen."""
    if die.visible < 0.75 or min(die.box[2:]) < 12:
        return None
    pixels, box, scale, offset = crops.around(scene.image, die.box)
    centres = np.array([centre for centre, _ in die.prints], float)
    faces = np.array([face for _, face in die.prints], float)
    value = die.die.value
    glyph = (
        20 + value if die.pips else (0 if die.die.shape is Shape.D10 and value == 10 and not die.look.ten else value)
    )
    return Sample(
        "rendered",
        pixels,
        box,
        SHAPES.index(die.die.shape),
        value,
        int(die.pips),
        glyph,
        called(die.die.colour),
        (centres - offset + 0.5) * scale - 0.5,
        faces * scale,
        int(die.cocked),
    )


SORTED = 0.06
"""The share of tables on which d6 lie sorted in rows."""
BARE = 1 / 8
"""The share of tables on which no dice lie, but much that is taken for dice: dominoes, buttons, tiles."""
BOLD = ((0.95, 0.78, 0.3), (0.95, 0.95, 0.93), (0.03, 0.03, 0.04))
"""Inks (viewer's RGB) that two-coloured dice bear: gold, white, black."""

HUDDLED = 0.65
"""The share of dice that lie against another one where a detector learns to tell them apart."""
ROLLS_EVERY = 6
"""Every sixth file holds rolls as the demo shows them, instead of tables of any kind."""


def render(folder: Path, *, chunks: int, seed: int = 3, fonts: Path | None = None, first: int = 0) -> None:
    """Write `chunks` files of scenes and of dice into `folder`; a chunk that is there already is left as it is."""
    cv2.setNumThreads(1)
    folder.mkdir(parents=True, exist_ok=True)
    book = FontBook(fonts)
    for number in range(first, first + chunks):
        target = folder / f"scenes_{number:04}.npz"
        if target.exists():
            continue
        began = time.time()
        rng = np.random.default_rng([seed, number])
        pictures, boxes, dice = [], [], []
        for _ in range(CHUNK):
            scene = draw_roll(rng) if number % ROLLS_EVERY == ROLLS_EVERY - 1 else draw_scene(rng, book)
            small = min(1.0, 640 / scene.image.shape[1])
            picture = cv2.resize(scene.image, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
            pictures.append(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
            edges = np.array([(*die.box, die.visible) for die in scene.dice], np.float32).reshape(-1, 5)
            boxes.append(edges * np.array([small, small, small, small, 1], np.float32))
            dice += [sample for die in scene.dice if (sample := sample_of(scene, die))]
        crops.keep(dice, folder / f"dice_{number:04}.npz")
        ragged = np.empty(len(pictures), dtype=object), np.empty(len(boxes), dtype=object)
        ragged[0][:], ragged[1][:] = pictures, boxes
        np.savez(target, pictures=ragged[0], boxes=ragged[1])
        print(f"chunk {number}: {len(dice)} dice in {time.time() - began:.0f} s", flush=True)
