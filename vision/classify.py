"""Reading dice that were found: shape, pose of the up-face, and the number or the pips on it, all dice in one batch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from engine.dice import Shape
from vision.agreeing import ENOUGH, Seats, agreed
from vision.detect import Found, card, models_folder, open_session
from vision.geometry import RISE, CameraPose, seated

CROP = 64
"""Side in pixels of the crop that the pose network sees."""
FILL = 0.78
"""The die's longer side as a share of the crop's."""
PATCH = 40
"""Side in pixels of the upright patch that the marks network sees."""
REACH = 1.25
"""Half of the patch's side, in inradii of the face."""
ANGLES = 36
SHAPES = tuple(Shape)
MOST_FACES = 20

# Columns of the pose network's answer.
SHAPE = slice(0, 6)
CENTRE = slice(6, 8)
STRETCH = slice(8, 11)
ANGLE = slice(11, 47)
COCKED = 47
NUMERAL = 48
PIPS = slice(49, 55)

# Classes of the marks network's answer.
NUMBERS = slice(0, 21)
PIP_MARKS = slice(21, 27)
NOTHING = 27
OFF = slice(28, 32)

LIKELIEST_ANGLES, ANGLES_ALL_ROUND = 4, 6
BLIND = math.radians(35)
"""No numeral is turned by more than this from the nearest angle at which it is looked for, as long as there are few."""
PLAIN_PIPS = 0.9
"""Where the pose network gives one number of pips so much, one patch is looked at instead of three."""

FEATURES = "features"
"""The networks' second output: what the last layer makes the answer of. `vision.enrol` tells dice by it."""


@dataclass(frozen=True, slots=True)
class Face:
    """What was read of one die, as calibrated probabilities.

    `shapes` (6) over `SHAPES`; `values` (6, 20) over values 1..20 for each shape; `cocked` and `numerals` in 0..1.
    """

    shapes: np.ndarray
    values: np.ndarray
    cocked: float
    numerals: float

    def value(self, shape: int) -> tuple[int, float]:
        """Return the likeliest value if the die has the shape number `shape`, and its probability."""
        best = int(self.values[shape].argmax())
        return best + 1, float(self.values[shape, best])


@dataclass(frozen=True, slots=True)
class Square:
    """A square piece of a picture from `left`, `top` on, `side` pixels wide, which is seen as `size` pixels."""

    left: int
    top: int
    side: int
    size: int

    @property
    def scale(self) -> float:
        """How many of the picture's pixels there are to one of its own."""
        return self.side / self.size

    def inside(self, point: np.ndarray) -> np.ndarray:
        """Return where a point (x, y) of the picture lies in the piece."""
        return (point + 0.5 - [self.left, self.top]) / self.scale - 0.5

    def outside(self, point: np.ndarray) -> np.ndarray:
        """Return where a point (x, y) of the piece lies in the picture."""
        return np.array([self.left, self.top]) + (point + 0.5) * self.scale - 0.5


@dataclass(frozen=True, slots=True)
class Crop(Square):
    """Such a piece with its `pixels`."""

    pixels: np.ndarray


def square_of(box: Sequence[float], size: int = CROP, fill: float = FILL) -> Square:
    """Return the square around `box` (x, y, w, h) in which it spans `fill`, to be seen as `size` pixels."""
    x, y, w, h = box
    side = max(4, round(max(w, h) / fill))
    return Square(round(x + w / 2 - side / 2), round(y + h / 2 - side / 2), side, size)


def grown(box: Sequence[float], size: float) -> tuple[float, float, float, float]:
    """Return the box (x, y, w, h) that is `size` times as large about the same middle."""
    x, y, w, h = box
    return x + w * (1 - size) / 2, y + h * (1 - size) / 2, w * size, h * size


def cut(image: np.ndarray, box: Sequence[float], size: int = CROP, fill: float = FILL) -> Crop:
    """Return the square around `box` (x, y, w, h) as `size` pixels; beyond the picture's edge, its edge goes on."""
    square = square_of(box, size, fill)
    left, top, side = square.left, square.top, square.side
    height, width = image.shape[:2]
    x0, y0, x1, y1 = max(0, left), max(0, top), min(width, left + side), min(height, top + side)
    piece = image[y0:y1, x0:x1]
    if piece.shape[:2] != (side, side):
        piece = cv2.copyMakeBorder(piece, y0 - top, top + side - y1, x0 - left, left + side - x1, cv2.BORDER_REPLICATE)
    way = cv2.INTER_AREA if side > size else cv2.INTER_LINEAR
    return Crop(left, top, side, size, cv2.resize(piece, (size, size), interpolation=way))


def reduced(pixels: np.ndarray, centre: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the three with the picture reduced to about the patch's own grain where it is a good deal finer."""
    coarse = float(np.sqrt(abs(face[0, 0] * face[1, 1] - face[0, 1] * face[1, 0]))) * REACH / (PATCH / 2)
    if coarse <= FINE_ENOUGH:
        return pixels, centre, face
    shrink = 1 / coarse
    smaller = cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return smaller, (centre + 0.5) * shrink - 0.5, face * shrink


FINE_ENOUGH = 1.5
"""So many of a picture's pixels to one of the patch's need no reducing first."""


def upright(pixels: np.ndarray, centre: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Return the patch of `pixels` around `centre` (x, y), un-squashed and turned upright.

    `face` is the 2x2 map from the face's plane (inradius 1, the numeral upright) to pixels.
    """
    pixels, centre, face = reduced(pixels, centre, face)
    step = face * (REACH / (PATCH / 2))
    corner = centre - step @ np.array([PATCH / 2 - 0.5, PATCH / 2 - 0.5])
    warp = np.column_stack([step, corner])
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch: np.ndarray = cv2.warpAffine(pixels, warp, (PATCH, PATCH), flags=way, borderMode=cv2.BORDER_REPLICATE)
    return patch


OPPONENT = np.array([[1 / 3, 1 / 3, 1 / 3], [0.0, -1.0, 1.0], [-1.0, 0.5, 0.5]], np.float32)
"""From blue, green, red to light, red against green, yellow against blue."""
FAINTEST = np.array([4.0, 3.0, 3.0], np.float32)
"""What is added to each of these channels' spread, so that mere noise isn't blown up."""


def evened(patches: np.ndarray) -> np.ndarray:
    """Return BGR patches (N, 40, 40, 3) as the marks network takes them: (N, 3, 40, 40), light and two hues.

    Each channel of each patch is brought to mean 0 and spread about 1: red pips on a dark die, which differ from it in
    hue alone, stand out as plainly as white ones.
    """
    even = np.tensordot(OPPONENT, patches.astype(np.float32), axes=(1, 3)).transpose(1, 0, 2, 3)
    even = even - even.mean(axis=(2, 3), keepdims=True)
    even = even / (even.std(axis=(2, 3), keepdims=True) + FAINTEST[None, :, None, None])
    return np.ascontiguousarray(even)


def turn(angle: float) -> np.ndarray:
    """Return the 2x2 rotation by `angle` radians (clockwise on a picture whose y points down)."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])


def likely_angles(chances: np.ndarray, most: int = LIKELIEST_ANGLES) -> list[tuple[float, float]]:
    """Return up to `most` peaks (angle in radians, its share) of a ring of angle bins, the likeliest first."""
    smooth = _smoothed(chances)
    peaks = np.nonzero((smooth >= np.roll(smooth, 1)) & (smooth > np.roll(smooth, -1)))[0]
    order = peaks[np.argsort(-smooth[peaks])][:most]
    found = []
    for place in order:
        before, here, after = smooth[place - 1], smooth[place], smooth[(place + 1) % ANGLES]
        bend = before - 2 * here + after
        shift = 0.5 * (before - after) / bend if bend < -1e-9 else 0.0
        found.append(((place + 0.5 + shift) * 2 * np.pi / ANGLES, float(here)))
    return found or [(0.0, 1.0)]


def all_round(chances: np.ndarray, most: int = ANGLES_ALL_ROUND) -> list[tuple[float, float]]:
    """Return the likely angles and, up to `most`, those farthest from all of them.

    What a patch shows may be turned by nearly `BLIND` and still be read, and be put right.
    """
    angles, smooth = likely_angles(chances), _smoothed(chances)
    ring = (np.arange(ANGLES) + 0.5) * 2 * np.pi / ANGLES
    while len(angles) < most:
        apart = np.abs(np.angle(np.exp(1j * (ring[:, None] - [angle for angle, _ in angles])))).min(axis=1)
        place = int(apart.argmax())
        if apart[place] < BLIND:
            break
        angles.append((float(ring[place]), float(smooth[place])))
    return angles


def _smoothed(chances: np.ndarray) -> np.ndarray:
    smooth: np.ndarray = chances + 0.5 * (np.roll(chances, 1) + np.roll(chances, -1))
    return smooth


def softmax(logits: np.ndarray) -> np.ndarray:
    """Return probabilities along the last axis."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares: np.ndarray = powers / powers.sum(axis=-1, keepdims=True)
    return shares


def sigmoid(logit: float) -> float:
    """Return the probability of a logit."""
    return float(1 / (1 + np.exp(-float(logit))))


@dataclass(frozen=True, slots=True)
class Sight:
    """What the two networks said of one die before calibration: the pose network's answer and the patches' chances.

    `patches` (P, 40, 40, 3) are the up-face, turned upright at each likely angle, BGR;
    `marks` (P, 28) are the marks network's probabilities on the `patches`, `weights` (P) how likely each angle was.
    `whole` (160) and `features` (P, 128) are what the two networks made their answers of; empty in models without.
    `lean` (2) is how the table leans there, as the dice agree or somebody knew; None where neither.
    """

    pose: np.ndarray
    marks: np.ndarray
    weights: np.ndarray
    patches: np.ndarray
    whole: np.ndarray
    features: np.ndarray
    lean: np.ndarray | None = None


class Classifier:
    """Reads dice with the pose network and the marks network; the cards hold the calibration."""

    def __init__(self, *, threads: int = 1, models: Path | None = None) -> None:
        folder = models or models_folder()
        self.calibration: dict[str, float] = card("pose", folder)["calibration"]
        self.digest = ".".join(str(card(name, folder).get("sha256", ""))[:16] for name in ("pose", "marks"))
        """Which networks these are: what was remembered of others says nothing to them."""
        self._pose = open_session("pose", folder, threads)
        self._marks = open_session("marks", folder, threads)

    def read(self, image: np.ndarray, dice: Sequence[Found]) -> list[Face]:
        """Return what is read of each of `dice`, found in `image` (BGR uint8)."""
        return [judge(sight, self.calibration) for sight in self.see(image, [die.box for die in dice])]

    def glimpses(self, image: np.ndarray, boxes: Sequence[Sequence[float]]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return what the pose network answers (55) and sees (160) of each of `boxes` (x, y, w, h)."""
        if not boxes:
            return []
        return list(zip(*self.pose(np.stack([cut(image, box).pixels for box in boxes])), strict=True))

    def see(
        self,
        image: np.ndarray,
        boxes: Sequence[Sequence[float]],
        *,
        leans: Sequence[np.ndarray | None] | None = None,
        glimpses: Sequence[tuple[np.ndarray, np.ndarray] | None] = (),
    ) -> list[Sight]:
        """Return what the networks say of the dice in `boxes` (x, y, w, h), before calibration.

        `leans` tell for each how the table leans there (`CameraPose.leans`), so that geometry tells where its up-face
        lies; where nobody says, the dice agree on them if they can. `glimpses` are those of this picture that were
        taken already.
        """
        if not boxes:
            return []
        known = dict(enumerate(glimpses))
        missing = [place for place in range(len(boxes)) if known.get(place) is None]
        known.update(zip(missing, self.glimpses(image, [boxes[place] for place in missing]), strict=True))
        answers, whole = (np.stack(part) for part in zip(*(known[place] for place in range(len(boxes))), strict=True))
        if leans is None:
            leans = _agreed(image, boxes, answers)
        firsts = [_looks(image, *about) for about in zip(answers, boxes, leans, strict=True)]
        told = self._read(firsts)
        seconds = [
            [] if _shows_pips(answer) else _second_looks(looks, marks[0])
            for answer, looks, marks in zip(answers, firsts, told, strict=True)
        ]
        again = self._read(seconds)
        return [
            Sight(
                answer,
                softmax(np.concatenate([before[0], after[0]])[:, : NOTHING + 1]),
                np.array([look.weight for look in (*first, *second)]),
                np.stack([look.patch for look in (*first, *second)]),
                features,
                np.concatenate([before[1], after[1]]),
                lean,
            )
            for answer, features, first, second, before, after, lean in zip(
                answers, whole, firsts, seconds, told, again, leans, strict=True
            )
        ]

    def leans(self, image: np.ndarray, boxes: Sequence[Sequence[float]]) -> list[np.ndarray | None]:
        """Return how the table leans at each of `boxes` (x, y, w, h), as the dice in them agree; None where they don't.

        See `CameraPose.leans`.
        """
        return _agreed(image, boxes, np.array([answer for answer, _ in self.glimpses(image, boxes)]))

    def _read(self, looks: Sequence[Sequence[Look]]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the marks network's answers (N, 32) and features on each die's looks, all of them in one batch."""
        patches = [look.patch for some in looks for look in some]
        answers, features = self.marks(np.stack(patches) if patches else np.empty((0, PATCH, PATCH, 3), np.uint8))
        ends = np.cumsum([len(some) for some in looks])[:-1]
        return list(zip(np.split(answers, ends), np.split(features, ends), strict=True))

    def pose(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the pose network's answers (N, 55) on `crops` (N, 64, 64, 3 BGR uint8), and its features (N, 160)."""
        return _run(self._pose, "crops", crops)

    def marks(self, patches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the marks network's answers (N, 32) on `patches` (N, 40, 40, 3 BGR uint8), and features (N, 128)."""
        return _run(self._marks, "patches", evened(patches))

    @property
    def has_features(self) -> bool:
        """Whether these models give their features, so that a table's own dice can be taught."""
        return all(len(session.get_outputs()) > 1 for session in (self._pose, self._marks))


def _run(session: onnxruntime.InferenceSession, name: str, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    answers = session.run(None, {name: given})
    return answers[0], answers[1] if len(answers) > 1 else np.empty((len(given), 0), np.float32)


@dataclass(frozen=True, slots=True)
class Look:
    """One patch (40, 40, 3 BGR) of an up-face, the pose in `pixels` that it was made with, and how likely that is."""

    pixels: np.ndarray
    centre: np.ndarray
    face: np.ndarray
    weight: float
    patch: np.ndarray


def look_at(pixels: np.ndarray, centre: np.ndarray, face: np.ndarray, weight: float) -> Look:
    return Look(pixels, centre, face, weight, upright(pixels, centre, face))


def nudged(centre: np.ndarray, face: np.ndarray, off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pose put right by what the marks network says of its patch: `off` (4).

    The first two are where the up-face's centre lies, in the plane of `face`; the other two the turn, and the growth,
    that bring it upright, as the cosine and the sine of an angle times a factor.
    """
    away = off[:2] / max(1.0, float(np.hypot(*off[:2])) / FARTHEST_OFF)
    along, across = off[2:]
    size = max(float(np.hypot(along, across)), 1e-6)
    fit = float(np.clip(size, 1 / MOST_GROWTH, MOST_GROWTH)) / size
    return centre + face @ away, face @ (fit * np.array([[along, -across], [across, along]]))


FARTHEST_OFF = 1.2
"""No patch is moved by more inradii of its face than this."""
MOST_GROWTH = 1.5
SECOND_LOOKS = 2


def _second_looks(looks: Sequence[Look], marks: np.ndarray) -> list[Look]:
    """Return the likeliest of a die's `looks` once more, put right by what the marks network said of them."""
    legible = np.array([look.weight for look in looks]) * (1 - softmax(marks[:, : NOTHING + 1])[:, NOTHING])
    best = np.argsort(-legible)[:SECOND_LOOKS]
    return [
        look_at(
            looks[place].pixels, *nudged(looks[place].centre, looks[place].face, marks[place, OFF]), looks[place].weight
        )
        for place in best
    ]


def pose_of(answer: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the up-face's centre (x, y) and its symmetric un-squashing matrix, both in pixels of the 64-pixel crop.

    Of several answers (N, 55) all centres (N, 2) and all matrices (N, 2, 2).
    """
    half = CROP / 2
    stretch = (answer[..., STRETCH] * half)[..., [[0, 1], [1, 2]]]
    return answer[..., CENTRE] * half + half - 0.5, stretch


def pose_in(answer: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the same in pixels of a crop of `size` pixels."""
    centre, stretch = pose_of(answer)
    ratio = size / CROP
    return (centre + 0.5) * ratio - 0.5, stretch * ratio


def faces_of(
    answer: np.ndarray, size: int, angles: Sequence[float], middle: np.ndarray, lean: np.ndarray | None
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return centre (x, y) and map (2x2) of a die's up-face turned by each of `angles`, in a crop of `size` pixels.

    They are as the pose network's `answer` has them; where the table's `lean` is known, as geometry has them, for a die
    whose box has its `middle` (x, y) there.
    """
    centre, stretch = pose_in(answer, size)
    shape = SHAPES[int(answer[SHAPE].argmax())]
    if lean is None or shape not in RISE:
        return [(centre, stretch @ turn(angle)) for angle in angles]
    inradius = math.sqrt(abs(float(np.linalg.det(stretch)))) / (1 - float(lean @ lean)) ** 0.25
    return [seated(middle, lean, shape, inradius, turn(angle), centre) for angle in angles]


def _shows_pips(answer: np.ndarray) -> bool:
    """Return whether the pose network is plain about it that a die bears pips."""
    return bool(answer[NUMERAL] < -1.5 and answer[SHAPE].argmax() == 1)


def _looks(image: np.ndarray, answer: np.ndarray, box: Sequence[float], lean: np.ndarray | None) -> list[Look]:
    """Return one die's up-face at its likeliest angles; `lean` is the table's at the die, where it is known."""
    seen = cut(image, box, size=min(224, max(CROP, square_of(box).side)))
    if _shows_pips(answer):
        # Pips mean the same however they are turned: three turns are three opinions.
        angles = [(0.0, 1.0), (0.75 * np.pi, 1.0), (1.5 * np.pi, 1.0)]
        angles = angles[:1] if softmax(answer[PIPS]).max() > PLAIN_PIPS else angles
    else:
        angles = all_round(softmax(answer[ANGLE]))
    middle = seen.inside(middles([box])[0])
    places = faces_of(answer, len(seen.pixels), [angle for angle, _ in angles], middle, lean)
    return [look_at(*reduced(seen.pixels, *place), weight) for place, (_, weight) in zip(places, angles, strict=True)]


def size_of(image: np.ndarray) -> tuple[int, int]:
    """Return a picture's width and height."""
    return image.shape[1], image.shape[0]


def middles(boxes: Sequence[Sequence[float]]) -> np.ndarray:
    """Return the middles (N, 2) of boxes (x, y, w, h), where the middle of a picture's first pixel is at 0, 0."""
    return np.array([(x + w / 2 - 0.5, y + h / 2 - 0.5) for x, y, w, h in boxes])


def _agreed(image: np.ndarray, boxes: Sequence[Sequence[float]], answers: np.ndarray) -> list[np.ndarray | None]:
    """Return how the table leans at each of `boxes`, as the pose network's `answers` (N, 55) on them agree."""
    if len(boxes) < ENOUGH:
        return [None] * len(boxes)
    squares = [square_of(box) for box in boxes]
    centres, stretches = pose_of(answers)
    seats = Seats(
        [SHAPES[place] for place in answers[:, SHAPE].argmax(axis=1)],
        middles(boxes),
        np.array([square.outside(centre) for square, centre in zip(squares, centres, strict=True)]),
        np.sqrt(np.abs(np.linalg.det(stretches))) * [square.scale for square in squares],
    )
    camera = agreed(seats, size_of(image))
    return [None] * len(boxes) if camera is None else [*leans_at(camera, image, boxes)]


def leans_at(camera: CameraPose, image: np.ndarray, boxes: Sequence[Sequence[float]]) -> list[np.ndarray]:
    """Return how the table leans at each of `boxes` in an `image` by this camera."""
    return list(camera.leans(middles(boxes), size_of(image))) if boxes else []


def judge(sight: Sight, calibration: dict[str, float]) -> Face:
    """Return the calibrated probabilities of one die from what the two networks said of it.

    Pips are judged twice, on the crop and on the patch; the two opinions are pooled, so that where they differ neither
    is sure. A numeral is judged on the patches at all likely angles, as much as each is legible.
    """
    pose = sight.pose.astype(float)
    shapes = softmax(pose[SHAPE] / calibration["shape_temperature"])
    numerals = sigmoid(pose[NUMERAL] / calibration["numeral_temperature"])
    direct = np.log(softmax(pose[PIPS]) + 1e-6)
    looked = np.log(sight.marks[:, PIP_MARKS] + 1e-4).mean(axis=0)
    pips = softmax(calibration["pips_direct"] * direct + calibration["pips_patch"] * looked)
    numbers = _numbers(sight, calibration)
    values = np.zeros((len(SHAPES), MOST_FACES))
    for place, shape in enumerate(SHAPES):
        seen = numbers[1 : shape.faces + 1].copy()
        if shape is Shape.D10:
            seen[9] += numbers[0]
        chances = seen + calibration["numeral_doubt"] / shape.faces
        chances = chances / chances.sum()
        if shape is Shape.D6:
            chances = numerals * chances + (1 - numerals) * pips
        values[place, : shape.faces] = chances
    return Face(shapes, values, sigmoid(pose[COCKED]), numerals)


def fused(views: Sequence[Face]) -> Face:
    """Return one face from several pictures of the same die: the geometric mean of their probabilities.

    Pictures of one camera from one moment are no independent witnesses: where they agree, the chances stay as they are;
    where they differ, neither is sure.
    """
    shapes = np.exp(np.mean([np.log(one.shapes + TINY) for one in views], axis=0))
    values = np.exp(np.mean([np.log(one.values + TINY) for one in views], axis=0))
    for place, shape in enumerate(SHAPES):
        values[place, shape.faces :] = 0
    return Face(
        shapes / shapes.sum(),
        values / values.sum(axis=1, keepdims=True),
        float(np.mean([one.cocked for one in views])),
        float(np.mean([one.numerals for one in views])),
    )


TINY = 1e-6


def _numbers(sight: Sight, calibration: dict[str, float]) -> np.ndarray:
    """Return how legible each number 0..20 is on all of its patches together, after the temperature."""
    sharp = sight.marks[:, NUMBERS] ** (1 / calibration["number_temperature"])
    weight = (sight.weights / sight.weights.max()) ** calibration["angle_weight"]
    legible: np.ndarray = (sharp * weight[:, None]).sum(axis=0)
    return legible
