"""What can be told of training without training: occasions are kept whole, and targets lie where the dice are."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.dice import Die, Shape
from vision.bench import read_labels
from vision.classify import FARTHEST_OFF, MOST_GROWTH, nudged, turn
from vision.detect import Detector, Found
from vision.reader import Reader
from vision.rendering import built_in_fonts, render_scene
from vision.training import crops, finds, pictures, scenes
from vision.training.holdout import lay_out
from vision.training.illustrating import ACROSS, TILE, failures, steps, wrong
from vision.training.photos import LICENSED, occasion, parts, photographs
from vision.training.synthesis import sample_of

HEAD = "image,x,y,w,h,shape,value,colour,colour_also,note\n"


@pytest.mark.parametrize(
    ("name", "other", "together"),
    [
        ("train_IMG_20191208_111816.jpg", "train_IMG_20191208_111833.jpg", True),
        ("train_IMG_20191208_111816.jpg", "train_IMG_20191208_111919.jpg", False),
        ("PXL_test_PXL_20240219_191515489_jpg.jpg", "PXL_train_PXL_20240219_191514108_jpg.jpg", True),
        ("train_WIN_20221211_13_11_15_Pro.jpg", "crop_five_WIN_20221211_13_11_03_Pro-die-1.jpg", True),
        ("train_dice_101_jpg.jpg", "valid_dice_104_jpg.jpg", True),
        ("train_dice_101_jpg.jpg", "train_dice_113_jpg.jpg", False),
    ],
)
def test_photographs_of_one_occasion_share_its_key(name: str, other: str, together: bool) -> None:
    assert (occasion("set", name, {}) == occasion("set", other, {})) is together


def test_a_listed_scene_is_an_occasion() -> None:
    scenes_listed = {"a.jpg": "d10_07", "b.jpg": "d10_07"}
    assert occasion("lurig", "a.jpg", scenes_listed) == occasion("lurig", "b.jpg", scenes_listed) == "lurig/d10_07"


def test_a_sixth_is_held_out_a_sixth_calibrates_and_the_rest_trains() -> None:
    dealt = parts({f"set/{number}" for number in range(600)})
    counts = [list(dealt.values()).count(part) for part in ("train", "heldout", "calibrate")]
    assert counts == [400, 100, 100]
    assert dealt == parts({f"set/{number}" for number in reversed(range(600))})


def test_a_labelled_folder_is_taken_in_with_blanks_and_alternatives(tmp_path: Path) -> None:
    (tmp_path / "byler_d6" / "images").mkdir(parents=True)
    (tmp_path / "byler_d6" / "labels.csv").write_text(
        HEAD + "a.jpg,1,2,30,40,d6,5,maroon,red|brown,\na.jpg,,,,,d6,,,,\n"
    )
    (photo,) = photographs(tmp_path, ("byler_d6",))
    assert photo.labels[0].box == (1, 2, 30, 40)
    assert photo.labels[0].colours == ("maroon", "red", "brown")
    assert (photo.labels[1].box, photo.labels[1].value) == (None, 0)


def test_what_training_never_saw_lies_in_folders_for_the_bench(tmp_path: Path) -> None:
    photos, target = tmp_path / "photos", tmp_path / "out"
    for source in LICENSED:
        (photos / source / "images").mkdir(parents=True)
        names = [f"{source}_{number}.jpg" for number in range(0, 120, 10)]
        for name in names:
            (photos / source / "images" / name).write_bytes(name.encode())
        rows = [f"{name},1,2,30,40,d6,{at % 6 + 1},red,,a note\n" for at, name in enumerate(names)]
        (photos / source / "labels.csv").write_text("".join([HEAD, *rows]))
    for _ in range(2):
        made = lay_out(photos, target)
    parts_of = {(photo.source, photo.path.name): photo for photo in photographs(photos)}
    assert {folder.relative_to(target).parts[0] for folder in made} == {"heldout", "calibrate"}
    for folder, count in made.items():
        labels = read_labels(folder / "labels.csv")
        assert len(labels) == count == len(list((folder / "images").iterdir()))
        for name, dice in labels.items():
            photo = parts_of.pop((folder.name, name))
            assert photo.part == folder.parent.name
            assert (folder / "images" / name).read_bytes() == photo.path.read_bytes()
            assert (dice[0].value, dice[0].box) == (photo.labels[0].value, photo.labels[0].box)
    assert {photo.part for photo in parts_of.values()} == {"train"}


def test_the_detectors_targets_peak_at_the_dice() -> None:
    boxes = np.array([[100, 60, 40, 44], [200, 200, 60, 50], [310, 160, 40, 40]], np.float32)
    scene = scenes.Scene(np.zeros((320, 320, 3), np.uint8), boxes, np.zeros((0, 4), np.float32))
    heat, weight, numbers, learn = scenes.targets(scene)
    assert heat.shape == weight.shape == learn.shape == (40, 40)
    rows, columns = np.nonzero(heat == 1)
    assert set(zip(rows.tolist(), columns.tolist(), strict=True)) == {(7, 12), (25, 25), (20, 38)}
    dx, dy, width, height = numbers[:, 7, 12]
    assert ((12 + dx) * 8, (7 + dy) * 8) == pytest.approx((100, 60))
    assert (32 * np.exp(width), 32 * np.exp(height)) == pytest.approx((40, 44))


def test_what_is_cut_off_or_uncertain_teaches_nothing() -> None:
    cut_off = np.array([[2, 160, 60, 60]], np.float32)
    uncertain = np.array([[160, 160, 60, 60]], np.float32)
    heat, weight, _, learn = scenes.targets(scenes.Scene(np.zeros((320, 320, 3), np.uint8), cut_off, uncertain))
    assert heat.max() == 0
    assert learn.max() == 0
    assert weight[20, 20] == 0
    assert weight[20, 1] == 0
    assert weight[5, 35] == 1


def spotted(size: int = 64) -> scenes.Scene:
    """Return a dark picture whose one die is a light oblong, and beside it an area that teaches nothing."""
    image = np.zeros((size, size, 3), np.uint8)
    image[10:20, 30:46] = 255
    return scenes.Scene(image, np.array([[38, 15, 16, 10]], np.float32), np.array([[8, 50, 6, 4]], np.float32))


@pytest.mark.parametrize("way", range(8))
def test_a_scene_laid_another_way_takes_its_dice_along(way: int) -> None:
    laid = scenes.mirrored(spotted(), way)
    rows, columns = np.nonzero(laid.image[..., 0])
    middle, size = laid.boxes[0, :2], laid.boxes[0, 2:]
    assert (columns.mean() + 0.5, rows.mean() + 0.5) == pytest.approx(tuple(middle))
    assert (np.ptp(columns) + 1, np.ptp(rows) + 1) == tuple(size)
    assert laid.ignored.shape == (1, 4)


def test_a_stock_gives_whole_batches_and_uses_its_scenes_again() -> None:
    made = []

    class Maker:
        rng = np.random.default_rng(1)

        def scene(self) -> scenes.Scene:
            made.append(spotted())
            return made[-1]

    stock = scenes.Stock(Maker(), batch=8, fresh=2, size=20)  # type: ignore[arg-type]
    assert [len(stock.draw()) for _ in range(10)] == [8] * 10
    assert len(made) == 2 * 8 + 8 * 2
    assert len(stock.scenes) == 20


def test_scenes_are_made_of_photographs_cut_outs_and_made_up_tables() -> None:
    rng = np.random.default_rng(3)
    scene = render_scene(rng, [Die("red", 3), Die("white", 5)], width=320, height=240, clutter=0, die_pixels=(50, 60))
    boxes = np.array([die.box for die in scene.dice], np.float32)
    boxes[:, :2] += boxes[:, 2:] / 2
    photo = scenes.Loaded("byler_d6", scene.image, boxes, np.zeros((0, 4), np.float32))
    maker = scenes.SceneMaker([photo], scenes.cut_out(photo), [photo], 192, rng)
    scenes_made = [maker.scene() for _ in range(24)]
    assert all(one.image.shape == (192, 192, 3) and one.image.dtype == np.uint8 for one in scenes_made)
    assert all(one.boxes.shape[1:] == (4,) and one.ignored.shape[1:] == (4,) for one in scenes_made)
    assert max(len(one.boxes) for one in scenes_made) > 2


def test_finds_are_sorted_into_dice_and_none_and_halfway_ones_are_left_out() -> None:
    dice = np.array([[100, 100, 40, 40], [300, 100, 40, 40]], float)
    ignored = np.array([[200, 300, 60, 60]], float)
    found = {
        "die": Found((82, 79, 42, 40), 0.8),
        "its face": Found((92, 92, 16, 16), 0.7),
        "beside": Found((110, 82, 40, 40), 0.6),
        "far": Found((400, 300, 30, 30), 0.5),
        "uncertain": Found((190, 290, 30, 30), 0.4),
    }
    told = dict(finds.sorted_out(list(found.values()), dice, ignored))
    assert told == {found["die"]: True, found["far"]: False}
    nothing = np.zeros((0, 4))
    assert [is_die for _, is_die in finds.sorted_out(list(found.values()), nothing, nothing)] == [False] * 5


def test_what_is_gathered_holds_dice_and_others_each_as_the_pose_network_sees_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    scene = render_scene(rng, [Die("red", 3)] * 4, width=480, height=480, die_pixels=(40, 60))
    boxes = np.array([die.box for die in scene.dice], np.float32)
    boxes[:, :2] += boxes[:, 2:] / 2
    none = np.zeros((0, 4), np.float32)
    tables = [pictures.ground(np.random.default_rng([9, seed]), 480) for seed in range(40)]
    seen = [("made up", scenes.Scene(table, none, none)) for table in tables]
    detector = Detector()
    told = finds.kept_finds(
        detector, iter([("byler_d6", scenes.Scene(scene.image, boxes, none)), *seen]), tmp_path / "finds.npz"
    )
    crops_seen, sizes, scores, dice, weights = told
    assert crops_seen.shape == (len(dice), 64, 64, 3)
    assert 3 <= dice.sum() <= 4
    assert scores[dice == 1].min() > 0.3
    assert np.abs(sizes[dice == 1]).max() < 0.6
    assert (sizes[dice == 0] == 0).all()
    assert weights[dice == 1].mean() > weights[dice == 0].mean()
    again = finds.kept_finds(detector, iter([]), tmp_path / "finds.npz")
    assert all((one == other).all() for one, other in zip(again, told, strict=True))


def test_a_made_up_table_fills_its_square_whatever_lies_on_it() -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        table = pictures.ground(rng, 96)
        pictures.strew(rng, table, 12)
        assert table.shape == (96, 96, 3)
        assert table.dtype == np.uint8


@pytest.mark.parametrize("shape", [Shape.D4, Shape.D6, Shape.D12])
def test_a_turned_sample_knows_where_its_up_face_went(shape: Shape) -> None:
    rng = np.random.default_rng(4)
    scene = render_scene(rng, [Die("red", 3, shape)], width=320, height=240, calm=True, clutter=0, die_pixels=(60, 60))
    sample = sample_of(scene, scene.dice[0])
    assert sample is not None
    assert sample.value == 3
    # A white spot laid on the up-face's middle must be where the turned sample says the middle is.
    marked = np.zeros_like(sample.pixels)
    centre = sample.centres[0]
    cv2.circle(marked, (round(float(centre[0])), round(float(centre[1]))), 3, (255, 255, 255), -1)
    only = crops.replace(sample, pixels=marked, centres=sample.centres[:1], faces=sample.faces[:1])
    for seed in range(5):
        made = crops.turned(np.random.default_rng(seed), only, colour=0.0)
        light = cv2.GaussianBlur(made.pixels.mean(axis=2), (0, 0), 2)
        row, column = np.unravel_index(light.argmax(), light.shape)
        assert abs(column - made.centre[0]) < 3
        assert abs(row - made.centre[1]) < 3


def test_samples_are_kept_and_taken_up_again_unchanged(tmp_path: Path) -> None:
    scene = render_scene(np.random.default_rng(2), [Die("blue", 6)], width=160, height=120, calm=True, clutter=0)
    sample = sample_of(scene, scene.dice[0])
    assert sample is not None
    crops.keep([sample], tmp_path / "dice.npz")
    (again,) = crops.kept(tmp_path / "dice.npz")
    assert np.array_equal(again.pixels, sample.pixels)
    assert (again.value, again.glyph, again.colours) == (6, 26, ("blue",))


def test_a_pose_that_is_off_is_put_right_by_what_the_marks_network_learns_to_tell() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        true_centre, true_face = rng.uniform(20, 60, 2), np.array([[14.0, 2.0], [2.0, 9.0]]) @ turn(rng.uniform(0, 6))
        centre = true_centre + rng.normal(0, 4, 2)
        face = true_face @ turn(rng.uniform(-3, 3)) * rng.uniform(0.8, 1.25)
        told = crops.off_by(centre, face, true_centre, true_face)
        right = nudged(centre, face, told)
        assert np.allclose(right[0], true_centre, atol=1e-4)
        assert np.allclose(right[1], true_face, atol=1e-4)


def test_what_the_marks_network_tells_never_moves_a_patch_far_away() -> None:
    centre, face = np.array([30.0, 30.0]), np.eye(2) * 10
    moved, grown = nudged(centre, face, np.array([40.0, -30.0, 8.0, 0.0]))
    assert np.hypot(*(moved - centre)) == pytest.approx(FARTHEST_OFF * 10)
    assert np.allclose(grown, face * MOST_GROWTH)
    assert np.isfinite(nudged(centre, face, np.zeros(4))[1]).all()


def test_the_pictures_of_a_reading_show_its_steps_and_its_failures() -> None:
    reader, fonts = Reader(), built_in_fonts()
    pictures_of = steps(reader, fonts)
    assert set(pictures_of) == {"found", "faces", "patches", "read"}
    assert all(picture.ndim == 3 and picture.std() > 10 for picture in pictures_of.values())
    failed = list(wrong(reader, fonts, tables=3))
    assert failed
    for scene, truth, read in failed:
        assert truth in scene.dice
        assert read is None or (read.shape, read.value) != (truth.die.shape, truth.die.value)
    assert failures(failed).shape[1] == ACROSS * (TILE + 4)
