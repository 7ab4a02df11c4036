"""The truth that comes with a rendered picture fits what the picture shows."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.dice import Die, Shape
from vision.rendering import draw_die_value, draw_look, draw_stage, render_crop, render_scene
from vision.rendering.layout import footprint, lay_in_rows, lay_out
from vision.rendering.scene import draw_looks
from vision.rendering.solid import place_die
from vision.rendering.thing import Thing

DICE = [
    Die("red", 5),
    Die("blue", 2, Shape.D20),
    Die("white", 4, Shape.D4),
    Die("green", 7, Shape.D8),
    Die("black", 10, Shape.D10),
    Die("pink", 12, Shape.D12),
]
SMALL = {"width": 480, "height": 360, "die_pixels": (45, 55)}


def test_the_same_seed_draws_the_same_picture():
    one, two = (render_scene(np.random.default_rng(3), DICE, **SMALL) for _ in range(2))
    assert (one.image == two.image).all()
    assert [die.box for die in one.dice] == [die.box for die in two.dice]
    assert (render_scene(np.random.default_rng(4), DICE, **SMALL).image != one.image).any()


def test_a_scene_holds_the_dice_that_were_asked_for_in_order():
    scene = render_scene(np.random.default_rng(1), DICE, **SMALL)
    assert scene.image.shape == (360, 480, 3)
    assert scene.image.dtype == np.uint8
    assert [die.die for die in scene.dice] == DICE


@pytest.mark.parametrize("shape", Shape)
def test_the_value_is_on_the_face_that_looks_up(shape):
    rng = np.random.default_rng(2)
    for value in range(1, shape.faces + 1):
        placed = place_die(rng, Die("red", value, shape), draw_look(rng, "red"), 3, 4)
        assert placed.prints.values[placed.up] == value
        up = placed.solid.vertices[placed.up] if shape is Shape.D4 else placed.solid.normals[placed.up]
        assert (placed.turn @ up)[2] == pytest.approx(np.linalg.norm(up))
        assert placed.vertices[:, 2].min() == pytest.approx(0, abs=1e-9)


def test_only_where_a_die_lies_and_its_shadow_falls_does_the_picture_change():
    stage = draw_stage(np.random.default_rng(8), 480, 360, calm=True, die_pixels=(45, 55), tilt=(10, 20))
    die = [Die("red", 3)]
    look = [draw_look(np.random.default_rng(9), "red", pips=True, plain=True)]
    full = render_scene(np.random.default_rng(5), die, looks=look, stage=stage, clutter=0)
    x, y, w, h = full.dice[0].box
    empty = render_scene(np.random.default_rng(5), [], stage=stage, clutter=0)
    change = np.abs(full.image.astype(int) - empty.image).max(axis=2).astype(float)
    inside = change[int(y + 0.3 * h) : int(y + 0.7 * h), int(x + 0.3 * w) : int(x + 0.7 * w)].mean()
    far = np.ones(change.shape, bool)
    far[max(0, int(y - 1.2 * h)) : int(y + 2.2 * h), max(0, int(x - 1.2 * w)) : int(x + 2.2 * w)] = False
    assert inside > 40
    assert change[far].mean() < 12  # noise and exposure alone


@pytest.mark.parametrize("shape", Shape)
def test_the_box_holds_the_print_and_the_print_is_where_the_truth_says(shape):
    rng = np.random.default_rng(11)
    for value in (1, 2, 4):
        crop = render_crop(rng, Die("white", value, shape), size=96, neighbours=0, hard=0, coarse=0, tilt=(0, 25))
        truth = crop.dice[0]
        x, y, w, h = truth.box
        assert x < truth.centre[0] < x + w
        assert y < truth.centre[1] < y + h
        assert max(w, h) == pytest.approx(0.72 * 96, rel=0.2)
        assert np.linalg.det(truth.jacobian) > 0
        assert 1 <= len(truth.prints) <= (3 if shape is Shape.D4 else 1)
        assert truth.visible > 0.97


def test_ink_lies_under_the_print_of_a_plain_one():
    rng = np.random.default_rng(21)
    for _ in range(6):
        look = draw_look(rng, "white", pips=True, plain=True)
        crop = render_crop(
            rng, Die("white", 1), size=96, neighbours=0, hard=0, coarse=0, look=look, tilt=(0, 20), fill=(0.8, 0.82)
        )
        truth = crop.dice[0]
        grey = crop.image.mean(axis=2)
        side = np.array(truth.centre) + truth.jacobian @ [0.7, 0.0]
        centre = grey[round(truth.centre[1]), round(truth.centre[0])]
        assert centre < grey[round(side[1]), round(side[0])] - 30


def test_a_coarse_crop_tells_the_same_truth_as_a_fine_one():
    die = Die("white", 5)
    fine = render_crop(np.random.default_rng(3), die, size=96, neighbours=0, hard=0, coarse=0, fill=(0.7, 0.7))
    coarse = render_crop(np.random.default_rng(3), die, size=96, neighbours=0, hard=0, coarse=1, fill=(0.7, 0.7))
    assert coarse.image.shape == fine.image.shape
    for truth in (*fine.dice, *coarse.dice):
        x, y, w, h = truth.box
        assert max(w, h) == pytest.approx(0.7 * 96, rel=0.15)
        assert abs(x + w / 2 - 48) < 5
        assert abs(y + h / 2 - 48) < 5
        assert np.linalg.norm(np.array(truth.centre) - 48) < 24
        assert np.sqrt(np.linalg.det(truth.jacobian)) == pytest.approx(0.7 * 96 * 0.35, rel=0.4)


@pytest.mark.parametrize("shape", Shape)
def test_the_box_fits_the_die_as_it_was_projected(shape):
    rng = np.random.default_rng(17)
    look = replace(draw_look(rng, "red"), ball=1.0, bevel=0.03, radius=1.0)
    stage = draw_stage(rng, 320, 240, die_pixels=(60, 60), tray=False)
    placed, _ = lay_out(np.random.default_rng(3), [Die("red", 1, shape)], [look], stage.view, [])
    outline = stage.view.project(placed[0].vertices)
    scene = render_scene(np.random.default_rng(3), [Die("red", 1, shape)], looks=[look], stage=stage, clutter=0)
    x, y, w, h = scene.dice[0].box
    assert (x, y) == pytest.approx(outline.min(axis=0), abs=1.6)
    assert (x + w, y + h) == pytest.approx(outline.max(axis=0), abs=1.6)


def test_dice_never_lie_inside_one_another():
    rng = np.random.default_rng(6)
    for _ in range(3):
        dice = [draw_die_value(rng) for _ in range(14)]
        stage = draw_stage(rng, 640, 480, die_pixels=(40, 50))
        placed, _ = lay_out(rng, dice, draw_looks(rng, dice), stage.view, [])
        outlines = [footprint(die) for die in placed]
        for i, one in enumerate(outlines):
            for other in outlines[:i]:
                assert not _one_holds_a_corner_of(one, other)


def test_as_many_dice_lie_against_another_one_as_is_asked_for():
    rng = np.random.default_rng(8)
    dice = [Die("red", 3)] * 8
    for share, least, most in ((0.0, 0, 1), (1.0, 7, 8)):
        stage = draw_stage(rng, 1280, 960, die_pixels=(30, 32), tilt=(0, 5), tray=False)
        placed, _ = lay_out(rng, dice, draw_looks(rng, dice), stage.view, [], touching=share)
        outlines = [footprint(die) for die in placed]
        huddled = [any(_near(one, other) for other in outlines if other is not one) for one in outlines]
        assert least <= sum(huddled) <= most


def _near(one, other, gap=1.2):
    """Say whether two outlines (mm) lie about `gap` apart at most."""
    away = one - one.mean(axis=0)
    grown = one + gap * away / np.linalg.norm(away, axis=1, keepdims=True)
    return _one_holds_a_corner_of(grown, other) or _one_holds_a_corner_of(other, grown)


def _one_holds_a_corner_of(one, other):
    shrunk = one.mean(axis=0) + (one - one.mean(axis=0)) * 0.999
    hull = shrunk.astype(np.float32).reshape(-1, 1, 2)
    return any(cv2.pointPolygonTest(hull, (float(x), float(y)), False) > 0 for x, y in other)


def test_a_table_too_full_makes_the_dice_smaller_not_fewer():
    dice = [Die("red", 1 + i % 6) for i in range(40)]
    scene = render_scene(np.random.default_rng(2), dice, width=320, height=240, die_pixels=(60, 60), clutter=0)
    assert len(scene.dice) == 40


def test_hard_scenes_hold_cocked_and_half_hidden_dice_and_say_so():
    rng = np.random.default_rng(12)
    truths = []
    for _ in range(8):
        truths += render_scene(rng, [Die("red", 4)] * 4, hard=1.0, clutter=0, **SMALL).dice
    assert any(die.cocked for die in truths)
    assert any(die.visible < 0.85 for die in truths)
    easy = render_scene(rng, [Die("red", 4)] * 4, clutter=0, **SMALL).dice
    assert not any(die.cocked for die in easy)


def test_red_dice_look_red_and_white_ones_white():
    rng = np.random.default_rng(31)
    for colour in ("red", "white", "blue", "black"):
        look = draw_look(rng, colour, pips=True, plain=True)
        scene = render_scene(rng, [Die(colour, 1)], looks=[look], calm=True, **SMALL)
        truth = scene.dice[0]
        spot = np.array(truth.centre) + truth.jacobian @ [0.6, 0.6]
        blue, green, red = (int(v) for v in scene.image[round(spot[1]), round(spot[0])])
        fits = {
            "red": red > 1.4 * max(blue, green),
            "blue": blue > 1.2 * red,
            "white": min(red, green, blue) > 110,
            "black": max(red, green, blue) < 110,
        }
        assert fits[colour], (colour, blue, green, red)


def test_a_thing_that_covers_the_whole_table_is_cleared_away_for_the_dice():
    rng = np.random.default_rng(8)
    dice = [Die("red", 1), Die("blue", 2)]
    stage = draw_stage(rng, 320, 240, die_pixels=(40, 50))
    huge = Thing(np.array([[-999, -999], [999, -999], [999, 999], [-999, 999]], float), 0.0, 5.0, np.full(3, 0.3))
    looks = draw_looks(rng, dice)
    placed, things = lay_out(rng, dice, looks, stage.view, [huge])
    assert things == []
    assert all(die.radius > 0.3 * look.radius for die, look in zip(placed, looks, strict=True))


def test_sorted_dice_lie_face_to_face_in_rows_and_show_their_values():
    rng = np.random.default_rng(8)
    look = draw_look(rng, "white", pips=True, plain=True)
    dice = [Die("white", 1 + number % 6, Shape.D6) for number in range(12)]
    stage = draw_stage(rng, calm=True, die_pixels=(40, 50), tray=False)
    placed = lay_in_rows(rng, dice, [look] * 12, stage.view, columns=4)
    assert [die.die.value for die in placed] == [die.value for die in dice]
    edge = placed[0].radius * 2 / math.sqrt(3)
    gaps = [float(np.linalg.norm(one.place - other.place)) for one in placed for other in placed if one is not other]
    assert edge <= min(gaps) <= 1.13 * edge
    assert max(gaps) == pytest.approx(min(gaps) * math.hypot(3, 2), rel=1e-6)
    tops = [die.solid.normals[die.up] @ die.turn.T for die in placed]
    assert np.allclose(tops, [0, 0, 1], atol=1e-6)
    edges = [np.subtract(*die.vertices[list(die.solid.faces[die.up].corners[:2])]) for die in placed]
    ways = [math.degrees(math.atan2(y, x)) for x, y, _ in edges]
    assert all(abs((way - ways[0] + 45) % 90 - 45) < 0.01 for way in ways)
