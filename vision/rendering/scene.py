"""A whole photograph of dice on a table, with exact labels; and the crop of a single die."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.dice import COLOURS, Die, Shape
from vision.reading import Box
from vision.rendering.body import Sprite, draw_die
from vision.rendering.clutter import Thing, draw_things
from vision.rendering.grounds import Ground, draw_ground
from vision.rendering.layout import TOUCHING, lay_out
from vision.rendering.lens import Lens, Photo, draw_lens, expose
from vision.rendering.lights import Lighting, draw_lighting
from vision.rendering.looks import RADIUS_MM, Look, draw_look
from vision.rendering.numerals import FontBook, built_in_fonts
from vision.rendering.solid import PlacedDie, place_die
from vision.rendering.table import Caster, draw_table
from vision.rendering.tray import Tray, draw_tray
from vision.rendering.view import View, look_at

Picture = NDArray[np.float32]

_GREY = np.array([0.0722, 0.7152, 0.2126], np.float32)

COMMON_MM = 18.0
"""Width in mm at which a common d6 lying askew is seen: what `die_pixels` measures."""


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
    things = _draw_clutter(rng, stage, clutter, calm)
    placed, things = lay_out(rng, dice, chosen, stage.view, things, tray=stage.tray, hard=hard, touching=touching)
    return _photograph(rng, stage, placed, things, book, again)


def render_crop(
    rng: np.random.Generator,
    die: Die | None = None,
    *,
    size: int = 96,
    fonts: FontBook | None = None,
    fill: tuple[float, float] = (0.62, 0.82),
    tilt: tuple[float, float] = (0, 55),
    neighbours: int | None = None,
    hard: float = 0.08,
    coarse: float = 0.35,
    look: Look | None = None,
) -> Scene:
    """Return a square picture of one die and of what lies next to it; `dice[0]` is the die asked for.

    `fill` is the range of its share of the picture; `neighbours` None leaves their number (0..3) to chance.
    `coarse` is the share of pictures enlarged from a photograph in which the die was small.
    """
    if rng.random() < coarse:
        small = render_crop(
            rng,
            die,
            size=max(24, round(size * rng.uniform(0.3, 0.85))),
            fonts=fonts,
            fill=fill,
            tilt=tilt,
            neighbours=neighbours,
            hard=hard,
            coarse=0,
            look=look,
        )
        return _enlarged(small, size)
    book = fonts if fonts is not None else built_in_fonts()
    wanted = die if die is not None else draw_die_value(rng)
    own = look if look is not None else draw_look(rng, wanted.colour, fonts=len(book))
    count = int(rng.choice(4, p=[0.4, 0.3, 0.2, 0.1])) if neighbours is None else neighbours
    solid_mm = RADIUS_MM[wanted.shape] * own.radius * 1.75
    pixels = size * rng.uniform(*fill)
    lean = float(rng.uniform(0.15, 0.5)) if rng.random() < hard else 0.0
    placed = [_leaning(rng, wanted, own, 0.0, 0.0, lean)]
    for _ in range(count):
        other = draw_die_value(rng)
        same = rng.random() < 0.5
        other_look = own if same else draw_look(rng, other.colour, fonts=len(book))
        if same:
            other = Die(wanted.colour, other.value, other.shape)
        away, around = rng.uniform(1.0, 1.9), rng.uniform(0, 2 * math.pi)
        reach = (placed[0].radius + RADIUS_MM[other.shape] * other_look.radius) * away
        candidate = _leaning(rng, other, other_look, reach * math.cos(around), reach * math.sin(around), 0.0)
        gaps = [np.linalg.norm(p.place[:2] - candidate.place[:2]) - p.radius - candidate.radius for p in placed]
        if min(gaps) > 0:
            placed.append(candidate)
    view = look_at(
        size,
        size,
        target=placed[0].place,
        distance=float(rng.uniform(150, 700)),
        tilt=float(rng.uniform(*tilt)),
        azimuth=float(rng.uniform(0, 2 * math.pi)),
        roll=0.0,
        scale=pixels / solid_mm,
    )
    outline = view.project(placed[0].vertices)
    low, high = outline.min(axis=0), outline.max(axis=0)
    middle = size / 2 - (low + high) / 2
    zoomed = View(size, size, view.focal * pixels / float((high - low).max()), view.eye, view.axes, view.middle)
    outline = zoomed.project(placed[0].vertices)
    middle = size / 2 - (outline.min(axis=0) + outline.max(axis=0)) / 2
    stage = _staged(rng, zoomed.moved(float(middle[0]), float(middle[1])), calm=False)
    return _photograph(rng, stage, placed, [], book)


def _enlarged(scene: Scene, size: int) -> Scene:
    """Return a square scene at another size, its truth scaled with it."""
    zoom = size / scene.image.shape[0]
    image = np.asarray(cv2.resize(scene.image, (size, size), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    shift = (zoom - 1) / 2  # pixels are counted from the middle of the first one

    def moved(
        prints: tuple[tuple[float, float], NDArray[np.float32]],
    ) -> tuple[tuple[float, float], NDArray[np.float32]]:
        (x, y), jacobian = prints
        return (x * zoom + shift, y * zoom + shift), jacobian * np.float32(zoom)

    dice = []
    for die in scene.dice:
        prints = tuple(moved(each) for each in die.prints)
        x, y, width, height = (edge * zoom for edge in die.box)
        dice.append(replace(die, box=(x, y, width, height), centre=prints[0][0], jacobian=prints[0][1], prints=prints))
    return Scene(image, tuple(dice))


def _leaning(rng: np.random.Generator, die: Die, look: Look, x: float, y: float, share: float) -> PlacedDie:
    flat = place_die(rng, die, look, x, y)
    if not share:
        return flat
    return place_die(rng, die, look, x, y, lean=share * math.degrees(flat.solid.neighbour_angle))


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
    return _staged(rng, view, calm, draw_tray(rng, view, calm=calm) if wanted else None)


def _staged(rng: np.random.Generator, view: View, calm: bool, tray: Tray | None = None) -> Stage:
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


def _draw_clutter(rng: np.random.Generator, stage: Stage, clutter: int | None, calm: bool) -> list[Thing]:
    if clutter is None:
        clutter = 0 if calm or rng.random() < 0.4 else int(rng.integers(1, 14))
    things = draw_things(rng, stage.view, clutter)
    if stage.tray is None:
        return things
    return [thing for thing in things if not stage.tray.crosses(thing.outline)]


def _photograph(
    rng: np.random.Generator,
    stage: Stage,
    placed: Sequence[PlacedDie],
    things: Sequence[Thing],
    fonts: FontBook,
    again: int = 0,
) -> Scene:
    view, light, ground = stage.view, stage.light, stage.ground
    floor = ground if stage.tray is None else stage.tray.ground
    casters = [Caster(_rounded_corners(die), die.look.clear) for die in placed]
    casters += [Caster(thing.corners()) for thing in things]
    picture = draw_table(np.random.default_rng(stage.ground_seed), ground, view, light, casters, stage.tray)
    owner = np.full((view.height, view.width), -1, np.int16)
    whole = np.zeros(len(placed))
    items: list[PlacedDie | Thing] = [*placed, *things]
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
    height, width = sprite.cover.shape
    part = (slice(sprite.y, sprite.y + height), slice(sprite.x, sprite.x + width))
    picture[part] = picture[part] * (1 - sprite.cover[..., None]) + sprite.colour
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
