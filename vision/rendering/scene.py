"""A whole photograph of dice on a table, with exact labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.dice import COLOURS, Die, Shape
from vision.reading import Box
from vision.rendering.body import Sprite, draw_die
from vision.rendering.clutter import draw_things
from vision.rendering.grounds import Ground, draw_ground
from vision.rendering.layout import TOUCHING, lay_out
from vision.rendering.lens import Lens, Photo, draw_lens, expose
from vision.rendering.lights import Lighting, draw_lighting
from vision.rendering.looks import Look, draw_look
from vision.rendering.numerals import FontBook, built_in_fonts
from vision.rendering.solid import PlacedDie
from vision.rendering.table import Caster, draw_table
from vision.rendering.thing import Thing
from vision.rendering.tray import Tray, draw_tray
from vision.rendering.view import View, look_at

Picture = NDArray[np.float32]

_GREY = np.array([0.0722, 0.7152, 0.2126], np.float32)

COMMON_MM = 18.0
"""Width in mm at which a common d6 lying askew is seen: what `die_pixels` measures."""


ROOMY, FULL = 0.3, 1.5
"""The most of what is seen that one set of pieces covers: on a table with dice, and on one without."""


@dataclass(frozen=True, slots=True)
class RenderedDie:
    """The truth about one die in a picture.

    `box` holds what is seen of it, `centre` is the middle of the upward print in px, `jacobian` (2x2) carries
    steps right and down of the upright print, in inradii of the face, to px; `prints` holds every print that tells
    the value as (centre, jacobian), best seen first: one, or those of a d4's three that look at the camera.
    `visible` is the seen share, 0..1; a die wholly hidden has 0 and an empty box.
    Points count from the middle of the first pixel, boxes from its corner.
    """

    die: Die
    box: Box
    centre: tuple[float, float]
    jacobian: NDArray[np.float32]
    prints: tuple[tuple[tuple[float, float], NDArray[np.float32]], ...]
    pips: bool
    cocked: bool
    visible: float
    look: Look


@dataclass(frozen=True, slots=True)
class Stage:
    """A table that waits for dice: what the camera sees of it, its top, its light, and the camera's lens."""

    view: View
    ground: Ground
    ground_seed: int
    light: Lighting
    lens: Lens
    tray: Tray | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A photograph (BGR, 8 bits) and the truth about its dice, in the order in which they were asked for."""

    image: Photo
    dice: tuple[RenderedDie, ...]
    again: tuple[Photo, ...] = ()
    """More photographs of the same, one right after the other."""


def render_scene(
    rng: np.random.Generator,
    dice: Sequence[Die],
    *,
    width: int = 1280,
    height: int = 960,
    calm: bool = False,
    stage: Stage | None = None,
    looks: Sequence[Look] | None = None,
    fonts: FontBook | None = None,
    die_pixels: tuple[float, float] = (45, 90),
    tilt: tuple[float, float] | None = None,
    clutter: int | None = None,
    hard: float = 0.0,
    touching: float = TOUCHING,
    again: int = 0,
) -> Scene:
    """Return a photograph of `dice` lying on a table, values up, and as many more of it as `again` says.

    `calm` is a table set up with care (soft light, plain ground, legible dice), else anything people do.
    `die_pixels` is the range of a common d6's width in px; `tilt` of the camera in degrees from straight down.
    A `stage` settles all of these. `looks` gives each die's look, else sets are drawn. `clutter` is how many things
    that are no dice lie about (None: by chance, none when calm). `hard` is the share of dice that lean cocked or lie
    half hidden, `touching` the share of those that lie against another one.
    """
    book = fonts if fonts is not None else built_in_fonts()
    if stage is None:
        stage = draw_stage(rng, width, height, calm=calm, die_pixels=die_pixels, tilt=tilt)
    chosen = list(looks) if looks is not None else draw_looks(rng, dice, fonts=len(book), plain=calm)
    things = _draw_clutter(rng, stage, clutter, calm, FULL if not dice else ROOMY, book)
    placed, things = lay_out(rng, dice, chosen, stage.view, things, tray=stage.tray, hard=hard, touching=touching)
    return photograph(rng, stage, placed, things, book, again)


def draw_die_value(rng: np.random.Generator, shapes: Sequence[Shape] = tuple(Shape)) -> Die:
    """Return a die of random shape, colour and value; d6 come three times as often as each other shape."""
    chances = np.array([3.0 if shape is Shape.D6 else 1.0 for shape in shapes])
    shape = shapes[int(rng.choice(len(shapes), p=chances / chances.sum()))]
    return Die(COLOURS[int(rng.integers(len(COLOURS)))], int(rng.integers(1, shape.faces + 1)), shape)


def draw_looks(rng: np.random.Generator, dice: Sequence[Die], *, fonts: int = 1, plain: bool = False) -> list[Look]:
    """Return a look for each die; dice of one colour and shape often come from one set."""
    sets: dict[tuple[str, Shape], Look] = {}
    looks = []
    pips = True if plain else None
    sharing = rng.random() < 0.6
    for die in dice:
        key = (die.colour, die.shape)
        if key not in sets or not (sharing or plain):
            sets[key] = draw_look(rng, die.colour, pips=pips, fonts=fonts, plain=plain)
        looks.append(sets[key])
    return looks


def draw_stage(
    rng: np.random.Generator,
    width: int = 1280,
    height: int = 960,
    *,
    calm: bool = False,
    die_pixels: tuple[float, float] = (45, 90),
    tilt: tuple[float, float] | None = None,
    tray: bool | None = None,
) -> Stage:
    """Return a random table without dice; `tray` None leaves a tray to chance, the rest is as for `render_scene`."""
    lean = tilt if tilt is not None else ((0, 18) if calm else (0, 45))
    view = _draw_view(rng, width, height, die_pixels, lean)
    wanted = rng.random() < (0.5 if calm else 0.3) if tray is None else tray
    return staged(rng, view, calm, draw_tray(rng, view, calm=calm) if wanted else None)


def staged(rng: np.random.Generator, view: View, calm: bool, tray: Tray | None = None) -> Stage:
    return Stage(
        view,
        draw_ground(rng, calm=calm),
        int(rng.integers(2**31)),
        draw_lighting(rng, calm=calm),
        draw_lens(rng, calm=calm),
        tray,
    )


def _draw_view(
    rng: np.random.Generator, width: int, height: int, die_pixels: tuple[float, float], tilt: tuple[float, float]
) -> View:
    scale = float(rng.uniform(*die_pixels)) / COMMON_MM
    field = width / scale
    return look_at(
        width,
        height,
        target=np.zeros(3),
        distance=field * float(rng.uniform(0.8, 1.8)),
        tilt=float(rng.uniform(*tilt)),
        azimuth=float(rng.uniform(0, 2 * math.pi)),
        roll=float(rng.normal(0, 0.06)),
        scale=scale,
    )


def _draw_clutter(
    rng: np.random.Generator, stage: Stage, clutter: int | None, calm: bool, room: float, fonts: FontBook
) -> list[Thing]:
    if clutter is None:
        clutter = 0 if calm or rng.random() < 0.4 else int(rng.integers(1, 14))
    return draw_things(rng, stage.view, clutter, tray=stage.tray, room=room, fonts=fonts)


def photograph(
    rng: np.random.Generator,
    stage: Stage,
    placed: Sequence[PlacedDie],
    things: Sequence[Thing],
    fonts: FontBook,
    again: int = 0,
) -> Scene:
    view, light, ground = stage.view, stage.light, stage.ground
    floor = ground if stage.tray is None else stage.tray.ground
    sheets, standing = ([thing for thing in things if thing.solid is solid] for solid in (False, True))
    casters = [Caster(_rounded_corners(die), die.look.clear) for die in placed]
    casters += [Caster(thing.corners()) for thing in standing]
    picture = draw_table(np.random.default_rng(stage.ground_seed), ground, view, light, casters, stage.tray, sheets)
    owner = np.full((view.height, view.width), -1, np.int16)
    whole = np.zeros(len(placed))
    items: list[PlacedDie | Thing] = [*placed, *standing]
    for item in sorted(items, key=lambda item: -_depth(item, view)):
        if isinstance(item, PlacedDie):
            sprite = draw_die(item, view, light, floor.mean, fonts, placed)
            number = next(i for i, die in enumerate(placed) if die is item)
        else:
            sprite, number = item.draw(view, light, floor.mean), -1
        if sprite is not None:
            seen = _paint(picture, owner, sprite, number)
            if number >= 0:
                whole[number] = seen
    anchor = _anchor(picture, light, stage.lens.metering)
    image, *more = (expose(rng, picture, stage.lens, anchor) for _ in range(1 + again))
    dice = [_label(die, view, owner, i, float(whole[i])) for i, die in enumerate(placed)]
    return Scene(image, tuple(dice), tuple(more))


def _depth(item: PlacedDie | Thing, view: View) -> float:
    if isinstance(item, PlacedDie):
        return float(np.linalg.norm(item.place - view.eye))
    return item.depth(view.eye)


def _rounded_corners(die: PlacedDie) -> NDArray[np.float64]:
    middle = die.place
    return middle + (die.vertices - middle) * (0.35 + 0.65 * die.ball)


def _paint(picture: Picture, owner: NDArray[np.int16], sprite: Sprite, number: int) -> int:
    part = sprite.paint(picture)
    mine = sprite.cover > 0.5
    owner[part][mine] = number
    return int(mine.sum())


def _anchor(picture: Picture, light: Lighting, metering: float) -> float:
    """Return the brightness that becomes middle grey: the picture's own, never burning much out, or the light's."""
    small = cv2.resize(picture, (64, 48), interpolation=cv2.INTER_AREA)
    grey = small @ _GREY
    seen = max(float(grey.mean()) ** 0.45 * 0.2**0.55, float(np.quantile(grey, 0.97)) * 0.26)
    falling = float((light.glow + light.key * np.float32(light.towards[2])) @ _GREY) * 0.21
    return float(seen ** (1 - metering) * falling**metering)


def _label(die: PlacedDie, view: View, owner: NDArray[np.int16], number: int, whole: float) -> RenderedDie:
    seen = cv2.boundingRect((owner == number).astype(np.uint8))
    count = int((owner == number).sum())
    hull = cv2.convexHull(view.project(die.vertices).astype(np.float32))
    area = max(cv2.contourArea(hull), 1.0)
    edge = np.array([[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]], np.float32)
    inside = cv2.intersectConvexConvex(hull, edge)[0] / area
    visible = inside * count / whole if whole else 0.0
    prints = die.faces_up(view)
    return RenderedDie(
        die.die,
        tuple(float(v) for v in seen),  # type: ignore[arg-type]
        prints[0][0],
        prints[0][1],
        prints,
        die.look.pips and die.solid.shape is Shape.D6,
        die.cocked,
        float(min(visible, 1.0)),
        die.look,
    )
