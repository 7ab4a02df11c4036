"""The six solids are what they claim to be."""

import numpy as np
import pytest

from engine.dice import Shape
from vision.rendering.polyhedra import polyhedron, rotation, turning

CORNERS = {Shape.D4: 4, Shape.D6: 8, Shape.D8: 6, Shape.D10: 12, Shape.D12: 20, Shape.D20: 12}
SIDES = {Shape.D4: 3, Shape.D6: 4, Shape.D8: 3, Shape.D10: 4, Shape.D12: 5, Shape.D20: 3}


@pytest.mark.parametrize("shape", Shape)
def test_a_solid_has_its_faces_and_corners(shape):
    solid = polyhedron(shape)
    assert len(solid.faces) == shape.faces
    assert len(solid.vertices) == CORNERS[shape]
    assert all(len(face.corners) == SIDES[shape] for face in solid.faces)
    assert np.linalg.norm(solid.vertices, axis=1).max() == pytest.approx(1)


@pytest.mark.parametrize("shape", Shape)
def test_faces_are_wound_counter_clockwise_seen_from_outside(shape):
    solid = polyhedron(shape)
    for face, normal in zip(solid.faces, solid.normals, strict=True):
        first, second, third = solid.vertices[list(face.corners[:3])]
        assert np.cross(second - first, third - second) @ normal > 0


@pytest.mark.parametrize("shape", [shape for shape in Shape if shape is not Shape.D4])
def test_opposite_faces_look_away_from_each_other(shape):
    solid = polyhedron(shape)
    for index, other in enumerate(solid.opposite):
        assert solid.normals[index] @ solid.normals[other] == pytest.approx(-1)
        assert solid.opposite[other] == index


def test_the_circle_of_a_kite_touches_all_its_edges():
    face = polyhedron(Shape.D10).faces[0]
    corners = polyhedron(Shape.D10).vertices[list(face.corners)]
    nexts = np.roll(corners, -1, axis=0)
    along = (nexts - corners) / np.linalg.norm(nexts - corners, axis=1, keepdims=True)
    gaps = np.linalg.norm(np.cross(face.centre - corners, along), axis=1)
    assert gaps == pytest.approx(face.inradius, rel=0.03)


def test_turning_carries_one_direction_onto_another():
    rng = np.random.default_rng(1)
    for _ in range(20):
        one, two = (v / np.linalg.norm(v) for v in rng.normal(size=(2, 3)))
        assert turning(one, two) @ one == pytest.approx(two)
    up = np.array([0.0, 0.0, 1.0])
    assert turning(up, -up) @ up == pytest.approx(-up)
    assert rotation(up, np.pi / 2) @ [1, 0, 0] == pytest.approx([0, 1, 0])
