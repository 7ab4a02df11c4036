"""Single dice for the reader's training: cut from photographs or from rendered scenes, with what is known of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.classify import CROP, FILL, PATCH, SHAPES, upright
from vision.detect import Detector
from vision.training import pictures
from vision.training.photos import Photo

KEPT_SIDE = 96
"""A die kept for training spans at most this many pixels."""
MARGIN = 0.9
"""How much of the die's side is kept around its box on each side."""
NUMERAL_D6 = {"lurig"}
"""Sets whose six-sided dice bear numerals; in the others they bear pips."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One die: `pixels` (BGR uint8) around it, its `box` (cx, cy, w, h) in them, and what is known.

    `shape` is a place in `SHAPES`; `value` 0 where unknown; `pips` 1, 0 or -1 (unknown); `glyph` the marks
    network's class or -1; `centres` (K, 2) and `faces` (K, 2, 2) place each print that tells the value (a d4 has
    three), None where unknown; `cocked` 1, 0 or -1.
    """

    source: str
    pixels: np.ndarray
    box: tuple[float, float, float, float]
    shape: int
    value: int
    pips: int
    glyph: int
    colours: tuple[str, ...] = ()
    centres: np.ndarray | None = None
    faces: np.ndarray | None = None
    cocked: int = -1
    photo: str = ""


def around(
    image: np.ndarray, box: Sequence[float]
) -> tuple[np.ndarray, tuple[float, float, float, float], float, np.ndarray]:
    """Return the piece of `image` round `box` (x, y, w, h), the box in it (cx, cy, w, h), its scale and its offset."""
    x, y, w, h = box
    side, cx, cy = max(w, h), x + w / 2, y + h / 2
    reach = int(side * (0.5 + MARGIN)) + 1
    left, top = int(cx) - reach, int(cy) - reach
    height, width = image.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + 2 * reach), min(height, top + 2 * reach)
    piece = cv2.copyMakeBorder(
        image[y0:y1, x0:x1], y0 - top, top + 2 * reach - y1, x0 - left, left + 2 * reach - x1, cv2.BORDER_REPLICATE
    )
    scale = min(1.0, KEPT_SIDE / side)
    if scale < 1:
        piece = cv2.resize(piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return piece, ((cx - left) * scale, (cy - top) * scale, w * scale, h * scale), scale, np.array([left, top])


def from_photos(photos: Sequence[Photo], detector: Detector | None = None) -> list[Sample]:
    """Return the labelled dice of `photos`, framed as `detector` frames them where it finds them (as at the table).

    A die that the detector misses keeps its labelled box, unless that box holds the top face alone.
    """
    samples = []
    for photo in photos:
        image = photo.image()
        found = [die.box for die in detector.find(image)] if detector and not photo.is_crop else []
        for label in photo.labels:
            if label.box is None or not label.shape:
                continue
            box = _framed(label.box, found)
            if box is None:
                if photo.source == "matteop65_d6":
                    continue
                box = label.box
            pixels, inside, _, _ = around(image, box)
            shape = SHAPES.index(label.shape)
            pips = int(shape == 1 and photo.source not in NUMERAL_D6)
            glyph = -1 if not label.value else (20 + label.value if pips else label.value)
            samples.append(
                Sample(
                    photo.source,
                    pixels,
                    inside,
                    shape,
                    label.value,
                    pips,
                    glyph,
                    label.colours,
                    cocked=0,
                    photo=photo.path.name,
                )
            )
    return samples


def _framed(box: Sequence[float], found: Sequence[Sequence[float]]) -> Sequence[float] | None:
    """Return the found box that frames the labelled die, if there is one and only one."""
    cx, cy = box[0] + box[2] / 2, box[1] + box[3] / 2
    near = [
        one
        for one in found
        if abs(one[0] + one[2] / 2 - cx) < 0.4 * max(one[2:]) and abs(one[1] + one[3] / 2 - cy) < 0.4 * max(one[2:])
    ]
    return near[0] if len(near) == 1 else None


@dataclass(frozen=True, slots=True)
class Turned:
    """A sample as the pose network meets it in training: its 64-pixel crop and where the up-face went, if known."""

    pixels: np.ndarray
    centre: np.ndarray | None
    face: np.ndarray | None


def turned(rng: np.random.Generator, sample: Sample, *, full: float = 0.6, colour: float = 1.0) -> Turned:
    """Return `sample` turned, scaled, shifted, sheared and squeezed, in other light; dice with pips also mirrored."""
    cx, cy, w, h = sample.box
    angle = rng.uniform(0, 2 * math.pi) if rng.random() < full else rng.normal(0, 0.15)
    step = max(w, h) / (CROP * FILL) * math.exp(rng.normal(0, 0.09))
    cos, sin = math.cos(angle), math.sin(angle)
    back = step * np.array([[cos, -sin], [sin, cos]]) @ (np.eye(2) + rng.normal(0, 0.05, (2, 2)))
    if sample.pips == 1 and sample.faces is None and rng.random() < 0.5:
        back = back @ np.diag([-1.0, 1.0])
    if rng.random() < pictures.OFTEN_SQUEEZED:
        narrow = math.exp(rng.uniform(0, pictures.SQUEEZED))
        back = back @ np.diag([narrow, 1.0] if rng.random() < 0.5 else [1.0, narrow])
    offset = np.array([cx, cy]) - 0.5 + rng.normal(0, 0.04 * max(w, h), 2)
    corner = offset - back @ np.array([CROP / 2 - 0.5, CROP / 2 - 0.5])
    pixels = sample.pixels
    warp = np.column_stack([back, corner])
    if step > 1.4:
        shrink = 1.2 / step
        pixels = cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        warp = warp * shrink
    crop = cv2.warpAffine(
        pixels, warp, (CROP, CROP), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    if rng.random() < 0.2:
        coarse = int(CROP * rng.uniform(0.45, 0.9))
        crop = cv2.resize(cv2.resize(crop, (coarse, coarse), interpolation=cv2.INTER_AREA), (CROP, CROP))
    crop = pictures.shake(rng, crop, colour=colour, grain=9.0, blur=1.1)
    if sample.centres is None or sample.faces is None:
        return Turned(crop, None, None)
    there = np.linalg.inv(back)
    centres = (sample.centres - corner) @ there.T
    # Of a d4's three prints the lowest in the picture is meant, whichever way the die is turned.
    print_ = int(centres[:, 1].argmax())
    return Turned(crop, centres[print_], there @ sample.faces[print_])


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch (40, 40, 3 float BGR) as the marks network meets it in training, and its class.

    `off` (4) is what `vision.classify.nudged` needs to put it right; `turn_known` says whether its turn is known, too.
    """

    pixels: np.ndarray
    glyph: int
    off: np.ndarray
    turn_known: bool


def patch(rng: np.random.Generator, sample: Sample) -> Patch:
    """Return a patch of `sample`, whose pose must be known.

    The pose is off by as much as the pose network is; some patches are turned wrong or beside the face, and are then
    to be called illegible.
    """
    assert sample.centres is not None
    assert sample.faces is not None
    print_ = int(rng.integers(len(sample.centres)))
    pixels = sample.pixels
    glyph, face = sample.glyph, sample.faces[print_]
    inradius = math.sqrt(abs(float(np.linalg.det(face))))
    lean = rng.normal(0, 0.13) if rng.random() < 0.75 else rng.uniform(-0.65, 0.65)
    slip = _slip(rng, inradius)
    turn_known = glyph not in (0, 8, 11) and glyph <= 20
    fate = rng.random()
    if glyph > 20:
        lean = rng.uniform(0, 2 * math.pi)
        if fate < 0.05:
            glyph, slip = 27, _aside(rng, inradius)
    elif fate < 0.2:
        lean = rng.uniform(0.8, 2 * math.pi - 0.8)
        half = abs(lean - math.pi) < 0.8
        if glyph == 1 and half:
            lean = 1.5
        if not (glyph in (0, 8, 11) and half):
            glyph = 27
    elif fate < 0.27:
        glyph, slip, lean = 27, _aside(rng, inradius), rng.uniform(0, 2 * math.pi)
    cos, sin = math.cos(lean), math.sin(lean)
    bent = (np.eye(2) + rng.normal(0, 0.06, (2, 2))) @ face @ np.array([[cos, -sin], [sin, cos]])
    bent = bent * math.exp(rng.normal(0, 0.12))
    off = off_by(slip, bent, np.zeros(2), face)
    shrink = rng.uniform(20, 80) / max(sample.box[2:]) if rng.random() < 0.5 else 1.0
    centre = sample.centres[print_] + slip
    if shrink < 0.9:
        pixels = cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        centre, bent = (centre + 0.5) * shrink - 0.5, bent * shrink
    made = upright(pixels, centre, bent).astype(np.float32) * np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
    if rng.random() < 0.3:
        made = made.mean(axis=2, keepdims=True) * (1 - (keep := rng.uniform(0, 1))) + made * keep
    if rng.random() < 0.3:
        made = np.ascontiguousarray(made[..., rng.permutation(3)])
    if rng.random() < 0.25:
        made = cv2.GaussianBlur(made, (0, 0), rng.uniform(0.4, 1.1))
    grain = rng.uniform(0, 0.3) * max(3.0, float(made.std()))
    made = made + rng.normal(0, grain, (PATCH, PATCH, 3 if rng.random() < 0.5 else 1)).astype(np.float32)
    if rng.random() < 0.15:
        made = -made
    return Patch(made, glyph, off, turn_known)


def off_by(centre: np.ndarray, face: np.ndarray, true_centre: np.ndarray, true_face: np.ndarray) -> np.ndarray:
    """Return the four numbers with which `vision.classify.nudged` puts a pose right: what `MarksNet` has to tell."""
    back = np.linalg.inv(face)
    right = back @ true_face
    along, across = (right[0, 0] + right[1, 1]) / 2, (right[1, 0] - right[0, 1]) / 2
    return np.array([*(back @ (true_centre - centre)), along, across], np.float32)


def _slip(rng: np.random.Generator, inradius: float) -> np.ndarray:
    """Return how far (x, y, pixels) a patch lies off its face's centre: as a rule little, at times much."""
    if rng.random() < 0.75:
        return rng.normal(0, 0.1 * inradius, 2)
    angle = rng.uniform(0, 2 * math.pi)
    return np.array([math.cos(angle), math.sin(angle)]) * rng.uniform(0.1, 0.65) * inradius


def _aside(rng: np.random.Generator, inradius: float) -> np.ndarray:
    angle = rng.uniform(0, 2 * math.pi)
    return np.array([math.cos(angle), math.sin(angle)]) * rng.uniform(0.75, 1.6) * inradius


def posed(sample: Sample, centre: np.ndarray, face: np.ndarray) -> Sample:
    """Return `sample` with a pose, in its own pixels."""
    return replace(sample, centres=centre[None], faces=face[None])


def keep(samples: Sequence[Sample], path: Path) -> None:
    """Write `samples` to an .npz that `kept` reads; pixels as lossless PNG."""
    np.savez(path, samples=np.array([_packed(sample) for sample in samples], dtype=object))


def kept(path: Path) -> list[Sample]:
    """Return the samples that `keep` wrote to `path` (a file of our own: pickled)."""
    with np.load(path, allow_pickle=True) as stored:
        return [replace(sample, pixels=cv2.imdecode(sample.pixels, cv2.IMREAD_COLOR)) for sample in stored["samples"]]


def _packed(sample: Sample) -> Sample:
    return replace(sample, pixels=cv2.imencode(".png", sample.pixels)[1])
