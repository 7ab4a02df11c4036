"""Dominoes, buttons, tiles, chips: what tells them from dice, how they are laid, and that none counts as one."""

import cv2
import numpy as np
import pytest

from vision.rendering import built_in_fonts, draw_stage, render_scene
from vision.rendering.clutter import draw_things
from vision.rendering.lights import draw_lighting
from vision.rendering.pieces import KINDS, buttons, dominoes, letter_tiles, number_tiles
from vision.rendering.prints import PAGES, page
from vision.rendering.scene import photograph
from vision.rendering.sets import WAYS, draw_set
from vision.rendering.thing import Thing, box, circle, overlap
from vision.rendering.view import look_at
from vision.training.synthesis import BARE, draw_scene

GREY = np.full(3, 0.3, np.float32)
BOOK = built_in_fonts()


def from_above(tilt=0.0, scale=4.0):
    return look_at(320, 240, target=np.zeros(3), distance=400, tilt=tilt, azimuth=0.0, roll=0.0, scale=scale)


def pieces_of(kind, count=12):
    rng = np.random.default_rng(7)
    return [kind(rng, BOOK)(rng) for _ in range(count)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_piece_is_drawn_within_the_picture_and_whole(kind):
    rng = np.random.default_rng(1)
    for piece in pieces_of(kind):
        for tilt in (0, 50):
            view = from_above(tilt)
            sprite = piece.draw(view, draw_lighting(rng), GREY)
            height, width = sprite.cover.shape
            assert 0 <= sprite.x <= sprite.x + width <= view.width
            assert 0 <= sprite.y <= sprite.y + height <= view.height
            assert sprite.colour.shape == (height, width, 3)
            assert np.isfinite(sprite.colour).all()
            hull = cv2.convexHull(view.project(piece.corners()).astype(np.float32))
            assert 0.75 < sprite.cover.sum() / cv2.contourArea(hull) < 1.1


def test_a_domino_is_twice_as_long_as_wide_with_a_bar_between_its_halves():
    for piece in pieces_of(dominoes):
        long, wide = np.ptp(piece.outline, axis=0)
        assert long == pytest.approx(2 * wide)
        assert piece.whole
        rows = piece.print.shape[0]
        bar = piece.print[rows // 4 : 3 * rows // 4, rows - 1 : rows + 1].astype(float).mean(axis=(0, 1))
        beside = piece.print[rows // 4 : 3 * rows // 4, rows - 7 : rows - 4].astype(float).mean(axis=(0, 1))
        assert np.abs(bar - beside).max() > 25


@pytest.mark.parametrize("kind", [dominoes, number_tiles, letter_tiles])
def test_tiles_are_thin_where_a_die_is_as_high_as_wide(kind):
    for piece in pieces_of(kind):
        assert piece.high - piece.low < 0.4 * np.ptp(piece.outline, axis=0).min()


def test_through_a_buttons_holes_the_cloth_is_seen():
    light = draw_lighting(np.random.default_rng(1))
    for piece in pieces_of(buttons):
        view = from_above()
        sprite = piece.draw(view, light, GREY)
        assert len(piece.holes) in (2, 4)
        for hole in piece.holes:
            x, y = view.project(np.append(hole.mean(axis=0), piece.high))[0]
            assert sprite.cover[round(y) - sprite.y, round(x) - sprite.x] < 0.2
        x, y = view.project(np.append(piece.middle, piece.high))[0]
        assert sprite.cover[round(y) - sprite.y, round(x) - sprite.x] == 1


@pytest.mark.parametrize("way", WAYS)
def test_pieces_are_laid_on_the_table_or_on_one_another(way):
    rng = np.random.default_rng(5)
    laid = WAYS[way](rng, dominoes(rng, BOOK), np.array([30.0, -10.0]), 12)
    assert len(laid) == 1 if way == "alone" else len(laid) > 1
    for i, piece in enumerate(laid):
        below = [other for other in laid[:i] if overlap(piece.outline, other.outline) and other.high > piece.low]
        touching = [other for other in below if _overlap_share(piece, other) > 0.02]
        assert not touching
        assert piece.low == 0 or any(other.high == piece.low for other in laid[:i])
    assert any(piece.low > 0 for piece in laid) == (way in ("heap", "stack"))


def _overlap_share(one: Thing, other: Thing) -> float:
    shared, _ = cv2.intersectConvexConvex(one.outline.astype(np.float32), other.outline.astype(np.float32))
    return shared / cv2.contourArea(one.outline.astype(np.float32))


def test_a_set_covers_no_more_than_the_area_it_is_given():
    rng = np.random.default_rng(2)
    for _ in range(20):
        pieces = draw_set(rng, 4000.0, BOOK)
        flat = [piece for piece in pieces if not piece.low]
        assert len(flat) == 1 or sum(np.pi * piece.reach**2 for piece in flat) <= 4000.0 * 1.3


def test_the_pictures_edge_cuts_no_domino_in_half():
    rng = np.random.default_rng(3)
    view = from_above(30, scale=1.2)
    things = [thing for _ in range(12) for thing in draw_things(rng, view, 12, room=1.0)]
    whole = [thing for thing in things if thing.whole]
    assert len(whole) > 20
    assert all(thing.in_sight(view) for thing in whole)


def test_an_outline_runs_counter_clockwise_and_its_first_side_to_the_right():
    for outline in (box(30, 20), box(30, 20, 3), circle(8)):
        assert cv2.contourArea(outline.astype(np.float32), oriented=True) > 0
    for outline in (box(30, 20), box(30, 20, 3)):
        side = outline[1] - outline[0]
        assert side[0] > 0
        assert side[1] == pytest.approx(0)
        assert np.ptp(outline, axis=0) == pytest.approx([30, 20])


def test_relief_is_bright_on_the_side_that_faces_the_lamp():
    light = draw_lighting(np.random.default_rng(4))
    ramp = np.tile(np.linspace(0, 6, 64, dtype=np.float32), (64, 1))
    flat = np.full((64, 64, 3), 128, np.uint8)
    bright = []
    for slope in (ramp, ramp[:, ::-1]):
        thing = Thing(box(20, 20), 0.0, 2.0, GREY, flat, gloss=0.0, relief=np.ascontiguousarray(slope))
        sprite = thing.draw(from_above(), light, GREY)
        bright.append(float(sprite.colour[sprite.cover == 1].mean()))
    assert (bright[1] > bright[0]) == (light.towards[0] > 0)


def test_a_shadow_falls_on_a_page_as_on_the_table():
    stage = draw_stage(np.random.default_rng(8), 320, 240, calm=True, die_pixels=(60, 60), tilt=(0, 5), tray=False)
    sheet = Thing(box(900, 900), 0.0, 0.1, GREY, solid=False)
    block = Thing(box(30, 30), 0.0, 30.0, GREY)
    bare, shaded = (
        photograph(np.random.default_rng(1), stage, [], things, BOOK).image.astype(int)
        for things in ([sheet], [sheet, block])
    )
    outline = cv2.convexHull(stage.view.project(block.corners()).astype(np.float32)).astype(np.int32)
    beside = np.ones((240, 320), np.uint8)
    cv2.fillConvexPoly(beside, outline, 0)
    cv2.polylines(beside, [outline], True, 0, 5)
    assert np.quantile((bare - shaded).mean(axis=2)[beside > 0], 0.99) > 15


def test_every_page_is_printed_and_always_the_same():
    for number in range(PAGES):
        assert page(number).std() > 12
    first = page(0).copy()
    page.cache_clear()
    assert (page(0) == first).all()


def test_clutter_counts_as_no_die_and_a_seed_gives_the_same_clutter_again():
    one, two = (render_scene(np.random.default_rng(6), [], width=320, height=240, clutter=12) for _ in range(2))
    assert one.dice == ()
    assert (one.image == two.image).all()
    empty = render_scene(np.random.default_rng(6), [], width=320, height=240, clutter=0)
    assert (one.image != empty.image).any()


def test_about_one_scene_in_eight_is_all_clutter(monkeypatch):
    drawn = []

    def note(rng, dice, *, clutter, **_):
        drawn.append((len(dice), clutter))

    monkeypatch.setattr("vision.training.synthesis.render_scene", note)
    rng = np.random.default_rng(1)
    for _ in range(600):
        draw_scene(rng, BOOK)
    bare = [clutter for count, clutter in drawn if clutter is not None and count == 0]
    assert len(bare) / len(drawn) == pytest.approx(BARE, abs=0.04)
    assert min(bare) >= 5
    assert all(count == 0 for count, clutter in drawn if clutter is not None)
