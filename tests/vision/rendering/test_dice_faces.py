"""What is printed on a die: the arrangement of values, pips and numerals."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.dice import Shape
from vision.rendering.faces import arrange, face_picture, numeral_of
from vision.rendering.looks import draw_look
from vision.rendering.numerals import built_in_fonts, pip_tile
from vision.rendering.ornaments import draw_ornament
from vision.rendering.polyhedra import polyhedron


def looks(count, **options):
    rng = np.random.default_rng(5)
    return [draw_look(rng, "red", fonts=len(built_in_fonts()), **options) for _ in range(count)]


@pytest.mark.parametrize("shape", [Shape.D6, Shape.D8, Shape.D12, Shape.D20])
def test_opposite_faces_sum_to_one_more_than_the_faces(shape):
    solid = polyhedron(shape)
    for look in looks(10):
        values = arrange(solid, look).values
        assert sorted(values) == list(range(1, shape.faces + 1))
        assert {values[i] + values[j] for i, j in enumerate(solid.opposite)} == {shape.faces + 1}


def test_opposite_faces_of_a_d10_sum_to_nine_with_zero_for_ten():
    solid = polyhedron(Shape.D10)
    for look in looks(10):
        values = arrange(solid, look).values
        assert sorted(values) == list(range(1, 11))
        assert {values[i] % 10 + values[j] % 10 for i, j in enumerate(solid.opposite)} == {9}


def test_a_d4_has_its_values_on_its_corners():
    for look in looks(5):
        assert sorted(arrange(polyhedron(Shape.D4), look).values) == [1, 2, 3, 4]


def test_the_same_set_is_always_arranged_alike():
    look = looks(1)[0]
    solid = polyhedron(Shape.D20)
    one, two = arrange(solid, look), arrange(solid, look)
    assert one.values == two.values
    assert (one.down == two.down).all()


@pytest.mark.parametrize("shape", Shape)
def test_print_lies_in_its_face_and_reads_from_left_to_right(shape):
    solid = polyhedron(shape)
    prints = arrange(solid, looks(1)[0])
    for right, down, normal in zip(prints.right, prints.down, solid.normals, strict=True):
        assert abs(right @ normal) < 1e-9
        assert abs(down @ normal) < 1e-9
        assert np.cross(right, down) @ normal == pytest.approx(-1)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_pip_face_has_as_many_pips_as_its_value(value):
    for look in looks(12, pips=True, plain=True):
        inked = (pip_tile(value, look, 1.2) > 127).astype(np.uint8)
        assert cv2.connectedComponents(inked)[0] - 1 == value


@pytest.mark.parametrize("shape", Shape)
def test_every_face_with_a_numeral_has_ink_of_its_own(shape):
    solid = polyhedron(shape)
    look = looks(1, pips=False)[0]
    prints = arrange(solid, look)
    pictures = [face_picture(solid, i, prints, look, built_in_fonts()) for i in range(shape.faces)]
    assert all(picture.max() > 200 for picture in pictures)
    assert len({picture.tobytes() for picture in pictures}) == shape.faces


def test_the_ten_of_a_d10_is_a_zero_on_most_sets():
    for look in looks(20):
        assert numeral_of(Shape.D10, 10, look) == ("10" if look.ten else "0")
        assert numeral_of(Shape.D20, 10, look) == "10"


@pytest.mark.parametrize("shape", Shape)
def test_ornament_fills_the_face_round_a_numeral_that_stays_as_it_is(shape):
    rng = np.random.default_rng(12)
    solid = polyhedron(shape)
    busy = 0
    for look in looks(20, pips=False):
        plain = replace(look, frame=0.0)
        ornate = replace(plain, ornament=draw_ornament(rng))
        bare, full = (face_picture(solid, 0, arrange(solid, one), one, built_in_fonts()) for one in (plain, ornate))
        numeral = bare > 200
        beside = (cv2.dilate(bare, np.ones((3, 3), np.uint8)) > 40) & (bare < 20)
        if ornate.ornament.inked:
            assert full[numeral].mean() < 60
            assert (full[beside] > 200).mean() > 0.3
        else:
            assert full[numeral].mean() > 230
            assert np.median(full[beside]) < 40
        busy += bool((np.abs(full.astype(int) - bare) > 128).mean() > 0.03)
    assert busy >= 15


def test_a_set_bears_the_same_ornament_every_time_and_pips_bear_none():
    solid = polyhedron(Shape.D6)
    ornament = draw_ornament(np.random.default_rng(3))
    for pips in (False, True):
        look = replace(looks(1, pips=pips)[0], ornament=ornament)
        one, two = (face_picture(solid, 2, arrange(solid, look), look, built_in_fonts()) for _ in range(2))
        assert (one == two).all()
        bare = replace(look, ornament=None)
        assert (one == face_picture(solid, 2, arrange(solid, bare), bare, built_in_fonts())).all() == pips
