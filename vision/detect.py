"""Finding dice in a picture: `Detector` gives each die's box and how sure it is that a die lies there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime

import models
from engine.words import say

STRIDE = 8
"""Pixels of the reduced picture to one cell of the network's answer."""
COARSEST = 64
"""The reduced picture's sides are multiples of this many pixels."""
RIM = 1
"""Pixels of grey around the reduced picture, which the network's first convolution reaches into."""
GREY = 115
LARGE = 0.4
"""A die found at the second look spans at least this share of the picture's long side."""
MOST_DICE = 80
"""No more dice than this are taken from one picture, the likeliest first."""

FAINTEST_FIND = 0.06
"""What the network gives less than this is no find at all."""
WORTH_A_LOOK = 0.1
"""What it gives less than this stays as faint as it is."""
PLAIN = 0.95
"""What it gives at least this much needs no second opinion."""
DICE_ENOUGH = 3
"""From so many dice on it is known how large dice are in a picture."""
SMALL = 0.45
"""Of 2,562 labelled dice that lie with two others or more, none is less than .48 times as large as the middle one."""
FAIRLY_SURE = 0.8


class ModelError(RuntimeError):
    """A model that is missing, or is not the one its card describes."""


@dataclass(frozen=True, slots=True)
class Found:
    """A die in the picture: its box (x, y, width, height in pixels, edges may be fractions) and a score in 0..1.

    `glimpse` is what the pose network answered and saw of it (55 and 160 numbers), if it was asked already.
    """

    box: tuple[float, float, float, float]
    score: float
    glimpse: tuple[np.ndarray, np.ndarray] | None = field(default=None, compare=False, repr=False)

    @property
    def centre(self) -> tuple[float, float]:
        return self.box[0] + self.box[2] / 2, self.box[1] + self.box[3] / 2

    @property
    def side(self) -> float:
        """The longer side of the box in pixels."""
        return max(self.box[2], self.box[3])


Verify = Callable[[np.ndarray, Sequence[Found], Sequence[Found]], list[Found]]
"""Gives finds in a picture the scores that they deserve at a second look, beside those that are plain."""


def models_folder() -> Path:
    """Return the folder of the models that come with Jurado."""
    return Path(models.__file__).parent


def card(name: str, folder: Path) -> dict[str, Any]:
    """Return the card of the model `name`. Raises `ModelError` when it is not there or cannot be read."""
    path = folder / f"{name}.json"
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise ModelError(
            say(
                "The model card {path} cannot be read ({why}). No photograph can be read without it, the game goes on "
                "with dice entered by hand. Install Jurado again.",
                path=path,
                why=error,
            )
        ) from error


def open_session(name: str, folder: Path, threads: int) -> onnxruntime.InferenceSession:
    """Return a session of `folder/name.onnx` on `threads` CPU threads that never spin. Raises `ModelError`."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Patterns are kept for each shape of input, and the number of dice changes all the time: memory would grow.
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    path = folder / f"{name}.onnx"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ModelError(
            f"The model {path} cannot be read ({error.strerror}). No photograph can be read without it, the game goes "
            "on with dice entered by hand. Install Jurado again."
        ) from error
    if path.with_suffix(".json").exists():
        wanted = card(name, folder).get("sha256")
        if wanted is not None and hashlib.sha256(content).hexdigest() != wanted:
            raise ModelError(
                f"The model {path} is not the one that its card describes: it was damaged or exchanged, and what it "
                "read could not be trusted. No photograph is read, the game goes on with dice entered by hand. "
                "Install Jurado again."
            )
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises classes of its own that share no public root
        raise ModelError(
            say(
                "The model {path} cannot be loaded ({why}). No photograph can be read without it, the game goes on "
                "with dice entered by hand. Install Jurado again.",
                path=path,
                why=error,
            )
        ) from error


class Detector:
    """Finds dice with a fully convolutional network on a picture whose long side is reduced to 576 pixels.

    One look finds dice that span 12 to 290 of them. Where it finds none, a second one at half the size looks for a die
    that fills the picture. Where more dice must lie than were found, `find_closer` tells dice apart that touch.
    Of what isn't plain a second opinion is asked, `verify` (`Verifier.weigh`); without it the first one stands.
    """

    def __init__(self, *, threads: int = 1, models: Path | None = None, verify: Verify | None = None) -> None:
        folder = models or models_folder()
        settings = card("detector", folder)["settings"]
        self.threshold = float(settings["threshold"])
        self.longest, self.again = int(settings["longest"]), int(settings["again"])
        self._session = open_session("detector", folder, threads)
        self._verify = verify

    def find(self, image: np.ndarray, *, threshold: float | None = None) -> list[Found]:
        """Return the dice in `image` (BGR uint8), the surest first; those scoring under `threshold` are left out."""
        floor = self.threshold if threshold is None else threshold
        small = reduced(image, self.longest)
        found = [die for die in self._look(small, image) if die.score >= floor]
        if max(image.shape[:2]) > self.again and not any(die.score >= self.threshold for die in found):
            near = [die for die in self._look(reduced(small, self.again), image) if die.score >= self.threshold]
            found += [die for die in near if die.side > LARGE * max(image.shape[:2])]
        return _apart(found)[:MOST_DICE]

    def find_closer(self, image: np.ndarray, *, threshold: float) -> list[Found]:
        """Return the dice in `image` as seen at twice the size, which takes four times as long."""
        closer = self._look(reduced(image, 2 * self.longest), image)
        return _apart([die for die in closer if die.score >= threshold])[:MOST_DICE]

    def _look(self, small: np.ndarray, image: np.ndarray) -> list[Found]:
        """Return what is seen in `small`, a reduced copy of `image`, in pixels of `image`, and verified there."""
        supposed = _apart(self._suppose(small, image))[:MOST_DICE]
        doubtful = [die for die in supposed if WORTH_A_LOOK <= die.score < PLAIN]
        if self._verify is None or not doubtful:
            return _of_one_table(supposed)
        rest = [die for die in supposed if not WORTH_A_LOOK <= die.score < PLAIN]
        return _of_one_table(rest + self._verify(image, doubtful, [die for die in rest if die.score >= PLAIN]))

    def _suppose(self, small: np.ndarray, image: np.ndarray) -> list[Found]:
        """Return what the network takes for dice in `small`, however faintly, in pixels of `image`."""
        height, width = image.shape[:2]
        high, wide = small.shape[:2]
        sides = (2 * RIM + -(-side // COARSEST) * COARSEST for side in (high, wide))
        canvas = np.full((*sides, 3), GREY, np.uint8)
        canvas[RIM : RIM + high, RIM : RIM + wide] = small
        answer = self._session.run(None, {"picture": canvas[None]})[0][0]
        found = []
        for row, column in _peaks(answer[0], FAINTEST_FIND):
            x, y, w, h = answer[1:, row, column]
            w, h = min(float(w), 2.0 * wide), min(float(h), 2.0 * high)
            cx, cy = (column + float(x)) * STRIDE, (row + float(y)) * STRIDE
            left, top = max(0.0, cx - w / 2) * width / wide, max(0.0, cy - h / 2) * height / high
            right, bottom = min(wide, cx + w / 2) * width / wide, min(high, cy + h / 2) * height / high
            if right - left >= 2 and bottom - top >= 2:
                found.append(Found((left, top, right - left, bottom - top), float(answer[0, row, column])))
        return found


def reduced(image: np.ndarray, longest: int) -> np.ndarray:
    """Return `image` with its long side reduced to `longest` pixels, or as it is where it is no longer.

    It is halved as often as it can be, which is quick, and the rest is interpolated.
    """
    height, width = image.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1:
        return image
    size = max(1, round(width * scale)), max(1, round(height * scale))
    while max(image.shape[:2]) >= 2 * longest and min(image.shape[:2]) >= 2:
        even = image[: image.shape[0] // 2 * 2, : image.shape[1] // 2 * 2]
        image = cv2.resize(even, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)


def _peaks(heat: np.ndarray, floor: float) -> list[tuple[int, int]]:
    """Return the cells (row, column) that reach `floor` and no neighbour exceeds."""
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= floor) & (heat >= highest))
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]


def _of_one_table(found: list[Found]) -> list[Found]:
    """Return `found` without what is far too small beside the dice that are fairly sure, unless it is plain itself."""
    sides = [die.side for die in found if die.score >= FAIRLY_SURE]
    if len(sides) < DICE_ENOUGH:
        return found
    least = SMALL * float(np.median(sides))
    return [die for die in found if die.side >= least or die.score >= PLAIN]


def _apart(found: list[Found]) -> list[Found]:
    """Return `found`, the surest first, without those that a surer one covers.

    Their centres lie well inside it, or they are a good deal smaller and lie in it: its numerals and faces.
    """
    kept: list[Found] = []
    for die in sorted(found, key=lambda one: -one.score):
        x, y = die.centre
        for other in kept:
            near = max(0.25 * (die.side + other.side), 0.5 * other.side if die.side < 0.6 * other.side else 0.0)
            if abs(x - other.centre[0]) < near and abs(y - other.centre[1]) < near:
                break
        else:
            kept.append(die)
    return kept
