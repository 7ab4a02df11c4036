"""Where the camera stands, and where up-faces lie: held against the renderer, which knows both."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.dice import Die, Shape
from vision.classify import SHAPES, Classifier, judge, leans_at, turn
from vision.geometry import FOCAL, RISE, CameraPose, seated, tilted
from vision.rendering.looks import draw_look
from vision.rendering.polyhedra import polyhedron
from vision.rendering.scene import Stage, draw_stage, render_scene
from vision.rendering.view import View

SIZE = (960, 720)


def stage_of(seed: int, tilt: float) -> Stage:
    return draw_stage(np.random.default_rng(seed), *SIZE, calm=True, die_pixels=(50, 70), tilt=(tilt, tilt))


def pose_of(view: View) -> CameraPose:
    x, y, z = (float(one) for one in view.axes[:, 2])
    return CameraPose((x, y, z), view.focal / max(SIZE))


@pytest.mark.parametrize("shape", RISE)
def test_the_rise_of_an_up_face_is_that_of_the_solid(shape: Shape) -> None:
    solid = polyhedron(shape)
    assert RISE[shape] == pytest.approx(solid.distance / solid.faces[0].inradius, rel=0.01)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 40.0, 55.0])
def test_a_step_up_looks_as_the_pose_says(tilt: float) -> None:
    view = stage_of(3, tilt).view
    places = np.array([[480.0, 360.0], [200.0, 500.0], [800.0, 200.0]])
    table = view.on_table(places, 9.0)
    steps = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]) * 0.1
    for here, lean in zip(table, pose_of(view).leans(places, SIZE), strict=True):
        at, up, east, north = view.project(np.vstack([here, here + steps]))
        across = np.linalg.svd(np.column_stack([east - at, north - at]))[1][0]
        assert (up - at) / across == pytest.approx(lean, abs=0.05)


@pytest.mark.parametrize("tilt", [2.0, 15.0, 35.0, 50.0])
def test_the_pose_follows_from_the_corners_of_the_tray(tilt: float) -> None:
    view = stage_of(4, tilt).view
    corners = view.project(np.array([[-90, -60, 0], [90, -60, 0], [90, 60, 0], [-90, 60, 0]], float))
    for picked in (corners, corners[::-1], np.roll(corners, 2, axis=0)):
        found = CameraPose.of_tray(picked, (180, 120), SIZE)
        assert np.degrees(np.arccos(np.dot(found.normal, view.axes[:, 2]))) < (8 if tilt < 10 else 2)
        assert found.tilt == pytest.approx(tilt, abs=8 if tilt < 10 else 2)


def test_a_tray_from_straight_above_is_level_whatever_the_camera() -> None:
    found = CameraPose.of_tray(np.array([[100, 100], [860, 100], [860, 620], [100, 620]], float), (76, 52), SIZE)
    assert found.tilt < 0.5
    assert found.focal == FOCAL


def test_corners_that_cross_are_refused() -> None:
    with pytest.raises(ValueError, match="go round the tray"):
        CameraPose.of_tray(np.array([[100, 100], [860, 620], [860, 100], [100, 620]], float), (76, 52), SIZE)


def test_a_pose_is_kept_as_text_and_nothing_else_is_taken_for_one() -> None:
    pose = CameraPose((0.6, 0.0, -0.8), 0.9)
    assert CameraPose.of_json(pose.as_json()) == pose
    for bad in ({}, {"normal": [0, 0, 1], "focal": 1}, {"normal": [0, 0, -1], "focal": float("nan")}):
        with pytest.raises((KeyError, ValueError)):
            CameraPose.of_json(bad)


def test_a_face_seen_from_above_is_not_squashed() -> None:
    assert tilted(np.zeros(2), 12.0) == pytest.approx(12.0 * np.eye(2))
    squashed = tilted(np.array([0.0, 0.8]), 10.0)
    assert squashed == pytest.approx(np.diag([10.0, 6.0]))


@pytest.mark.parametrize("shape", RISE)
@pytest.mark.parametrize("tilt", [10.0, 40.0])
def test_up_faces_lie_where_geometry_says(shape: Shape, tilt: float) -> None:
    stage = stage_of(7, tilt)
    dice = [Die("red", 1 + 3 * number % shape.faces, shape) for number in range(4)]
    scene = render_scene(np.random.default_rng(5), dice, width=SIZE[0], height=SIZE[1], stage=stage, clutter=0)
    for die in scene.dice:
        x, y, w, h = die.box
        middle = np.array([x + w / 2 - 0.5, y + h / 2 - 0.5])
        (lean,) = pose_of(stage.view).leans(middle[None], SIZE)
        face = die.jacobian.astype(float)
        inradius = float(np.linalg.svd(face)[1][0])
        angle = np.arctan2(face[1, 0] - face[0, 1], face[0, 0] + face[1, 1])
        centre, map_ = seated(middle, lean, shape, inradius, turn(float(angle)), np.array(die.centre))
        assert np.linalg.norm(centre - np.array(die.centre)) < (0.45 if shape is Shape.D10 else 0.3) * inradius
        assert map_ == pytest.approx(face, abs=0.2 * inradius)


def test_dice_seen_askew_are_read_better_where_the_camera_is_known_or_agreed_on() -> None:
    classifier, rng = Classifier(), np.random.default_rng(11)
    chance = {"known": 0.0, "agreed": 0.0, "each alone": 0.0}
    for seed in range(4):
        stage = stage_of(20 + seed, 48)
        dice = [Die("blue", int(rng.integers(1, 21)), Shape.D20) for _ in range(8)]
        looks = [replace(draw_look(rng, "blue", pips=False, plain=True), seed=die.value) for die in dice]
        scene = render_scene(rng, dice, width=SIZE[0], height=SIZE[1], stage=stage, clutter=0, looks=looks)
        boxes = [die.box for die in scene.dice]
        known = leans_at(pose_of(stage.view), scene.image, boxes)
        for name, leans in (("known", known), ("agreed", None), ("each alone", [None] * len(boxes))):
            sights = classifier.see(scene.image, boxes, leans=leans)
            for die, sight in zip(scene.dice, sights, strict=True):
                face = judge(sight, classifier.calibration)
                chance[name] += float(face.values[SHAPES.index(Shape.D20), die.die.value - 1]) / 32
    assert chance["known"] > chance["each alone"]
    assert chance["agreed"] > chance["each alone"]
