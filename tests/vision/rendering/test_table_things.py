"""Trays, clutter, grounds and light: what lies about dice in a rendered picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.dice import Die, Shape
from vision.rendering import draw_stage, render_scene
from vision.rendering.clutter import draw_thing, draw_things
from vision.rendering.grounds import KINDS, draw_ground
from vision.rendering.lights import draw_lighting
from vision.rendering.looks import COLOUR_NAMES, draw_colour
from vision.rendering.noise import SIZE, noise_tile
from vision.rendering.thing import Thing
from vision.rendering.tray import draw_tray
from vision.rendering.view import look_at


def from_above(tilt=20.0):
    return look_at(320, 240, target=np.zeros(3), distance=400, tilt=tilt, azimuth=1.0, roll=0.1, scale=2.0)


def test_a_view_sees_where_it_looks_and_finds_its_way_back_to_the_table():
    view = from_above()
    assert view.project(np.zeros(3))[0] == pytest.approx([160, 120])
    spots = np.array([[10.0, 20.0], [300.0, 200.0]])
    assert view.project(view.on_table(spots, 7.0)) == pytest.approx(spots)
    ground = view.ground() @ [30.0, -20.0, 1.0]
    assert ground[:2] / ground[2] == pytest.approx(view.project(np.array([30.0, -20.0, 0.0]))[0])


def test_dice_thrown_into_a_tray_lie_on_its_floor():
    rng = np.random.default_rng(4)
    for _ in range(3):
        wide = draw_stage(rng, 480, 360, die_pixels=(20, 25), tray=True)
        middle = wide.tray.floor.mean(axis=0)
        small = replace(wide.tray, floor=middle + (wide.tray.floor - middle) * 0.5)
        stage = replace(wide, tray=small)
        scene = render_scene(rng, [Die("red", 2)] * 5, stage=stage, clutter=0)
        floor = cv2.convexHull(
            stage.view.project(np.column_stack([stage.tray.floor, np.zeros(len(stage.tray.floor))])).astype(np.float32)
        )
        for truth in scene.dice:
            x, y, w, h = truth.box
            assert cv2.pointPolygonTest(floor, (x + w / 2, y + h / 2), False) > 0


def test_a_tray_knows_what_is_on_its_floor_and_what_crosses_its_wall():
    tray = draw_tray(np.random.default_rng(1), from_above(0))
    coin = np.array([[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]])
    assert tray.holds(coin + tray.floor.mean(axis=0))
    assert not tray.holds(coin + tray.floor[0])
    assert tray.crosses(coin + tray.floor[0])
    assert not tray.crosses(coin + np.array([9999.0, 0.0]))


def test_solid_things_keep_clear_of_one_another_but_for_those_of_a_set():
    things = [t for t in draw_things(np.random.default_rng(2), from_above(), 20) if t.solid]
    sets = {id(t.among) for t in things if t.among is not None}
    assert len(sets) > 1
    for i, one in enumerate(things):
        for other in things[:i]:
            apart = np.linalg.norm(one.middle - other.middle) > one.reach + other.reach
            assert apart or (one.among is not None and one.among is other.among)


def test_things_lie_in_a_tray_or_beside_it():
    view = from_above()
    tray = draw_tray(np.random.default_rng(3), view)
    things = draw_things(np.random.default_rng(2), view, 20, tray=tray)
    assert len(things) > 4
    assert not any(tray.crosses(thing.outline) for thing in things)


def test_clutter_is_painted_and_is_no_die():
    rng = np.random.default_rng(5)
    view, light = from_above(), draw_lighting(rng)
    drawn = 0
    for _ in range(40):
        thing = draw_thing(rng, 0.0, 0.0)
        assert isinstance(thing, Thing)
        sprite = thing.draw(view, light, np.full(3, 0.3, np.float32))
        drawn += sprite is not None and sprite.cover.max() == 1
    assert drawn > 35


def test_a_print_is_not_mirrored():
    tile = np.zeros((90, 90, 3), np.uint8)
    tile[:30, :30] = 255  # white in the upper left corner
    square = np.array([[-20.0, 20.0], [20.0, 20.0], [20.0, -20.0], [-20.0, -20.0]])[::-1]
    view = look_at(200, 200, target=np.zeros(3), distance=400, tilt=0, azimuth=0, roll=0, scale=2.0)
    light = draw_lighting(np.random.default_rng(1), calm=True)
    thing = Thing(square, 0.0, 0.1, np.zeros(3, np.float32), tile)
    sprite = thing.draw(view, light, np.zeros(3, np.float32))
    bright = sprite.colour.mean(axis=2) > sprite.colour.max() / 2
    corners = [bright[20, 20], bright[20, -20], bright[-20, 20], bright[-20, -20]]
    assert sum(corners) == 1
    # from the bright corner, the print's right and down must turn the same way as the picture's
    thing_axis = square[1] - square[0]
    right = view.axes[:2] @ np.append(thing_axis / np.linalg.norm(thing_axis), 0)
    down = np.array([-right[1], right[0]])
    corner = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)][corners.index(True)])
    assert corner @ (-right - down) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_grounds_of_every_kind_are_drawn(kind):
    rng = np.random.default_rng(3)
    ground = next(ground for ground in (draw_ground(rng) for _ in range(500)) if ground.kind == kind)
    assert ground.tile.shape == (SIZE, SIZE, 3)
    assert ground.tile.dtype == np.uint8
    assert (ground.mean > 0).all()


@pytest.mark.parametrize("kind", ["swirl", "fleck", "grain", "cloud", "white"])
def test_noise_is_seamless_and_always_the_same(kind):
    tile = noise_tile(kind, 1)
    noise_tile.cache_clear()
    assert (noise_tile(kind, 1) == tile).all()
    assert tile.min() >= 0
    assert tile.max() <= 1
    if kind == "cloud":
        assert np.abs(tile[0] - tile[-1]).max() < 0.1


@pytest.mark.parametrize("name", COLOUR_NAMES)
def test_a_colour_has_the_hue_of_its_name(name):
    rng = np.random.default_rng(1)
    hues = {"red": 0, "orange": 24, "yellow": 53, "green": 120, "blue": 220, "purple": 280, "pink": 333, "brown": 22}
    for _ in range(20):
        colour = (draw_colour(rng, name)[None, None] ** (1 / 2.2)).astype(np.float32)
        hue, saturation, value = cv2.cvtColor(colour, cv2.COLOR_BGR2HSV)[0, 0]
        if name in hues:
            assert abs((hue - hues[name] + 180) % 360 - 180) < 45
            assert saturation > 0.25
        else:
            assert saturation < 0.4
        assert {"white": value > 0.8, "black": value < 0.2}.get(name, True)


def test_every_shape_is_drawn_at_every_tilt():
    rng = np.random.default_rng(9)
    dice = [Die("green", 1, shape) for shape in Shape]
    for tilt in (0, 30, 60):
        scene = render_scene(rng, dice, width=320, height=240, die_pixels=(25, 30), tilt=(tilt, tilt), clutter=0)
        assert all(truth.box[2] > 5 and truth.box[3] > 5 for truth in scene.dice)
