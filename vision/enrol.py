"""Lessons: pictures of the table's own dice with what people say they show, and what the networks make of them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from engine.dice import DiceError, Die, Shape, check_colour
from engine.words import Sentence, say
from vision.alike import looks_of
from vision.classify import CROP, FILL, Classifier, Sight, cut, faces_of, turn, upright
from vision.photo import PhotoError, load_photo

PICTURE = 128
"""Most pixels of a side of a lesson's picture; a patch of the up-face takes 40."""
QUALITY = 95
TURNS = 12
"""Turns of the whole picture, evenly round the circle, in which the pose network sees a lesson."""
ANGLES = 20
"""Turns of the up-face, evenly round the circle, in which the marks network sees a lesson."""
NUDGES = (
    ((0.0, 0.0), np.eye(2)),
    *(((0.0, 0.0), np.eye(2) * size) for size in (0.8, 0.9, 1.12, 1.25)),
    *(((0.2 * np.cos(way), 0.2 * np.sin(way)), np.eye(2)) for way in np.arange(8) * np.pi / 4),
    *(((0.0, 0.0), turn(way) @ np.diag([1.15, 1 / 1.15]) @ turn(-way)) for way in np.arange(4) * np.pi / 4),
)
"""How the up-face may be misjudged when it is met again: shifts (in inradii) and stretches that a lesson is seen in."""
MOST_A_FACE = 6
"""Pictures of one face of one die that are kept; the one that tells least makes room."""
MOST_A_COLOUR = 12
"""The same for dice that were shown for their colour alone."""
MOST_LESSONS = 500
"""Lessons of one table; a reading takes longer with each."""
LONGEST_NAME = 30


class EnrolError(ValueError):
    """Something that cannot be taught; `message` is a sentence for people, `code` the one for programs."""

    def __init__(self, message: Sentence | str, code: str = "bad_lesson") -> None:
        self.message, self.code = message, code
        super().__init__(message)


class Which(NamedTuple):
    """Which die of the table: its shape, its colour, and a name where two of these look different."""

    shape: Shape
    colour: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.colour} {self.shape}" + (f" ({self.name})" if self.name else "")


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """What the networks made of a lesson's picture, all that later dice are compared with.

    `models` says of which networks; `whole` (TURNS, 160) is the pose network's features of the picture turned round,
    `marks` (NUDGES x ANGLES, 128) the marks network's of its up-face; `look` is the body's L, a, b.
    `pose` (55), `seen` (P, 128), `chances` (P, 28) and `weights` (P) are what a reading would have seen (`Sight`).
    """

    models: str
    whole: np.ndarray
    marks: np.ndarray
    look: np.ndarray
    pose: np.ndarray
    seen: np.ndarray
    chances: np.ndarray
    weights: np.ndarray

    @property
    def sight(self) -> Sight:
        """The die as a reading would have seen it."""
        none = np.empty((len(self.weights), 0, 0, 3), np.uint8)
        return Sight(self.pose, self.chances, self.weights, none, self.whole[0].astype(np.float32), self.seen)


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """One picture of a die: `value` is None where it was shown for its colour alone.

    `picture` is a square JPEG as `classify.cut` cuts it; `corrected` tells a roll that was put right at the table from
    a die that was shown on purpose. `id` follows from picture and words: the same lesson has the same. `lean` (2) is
    how the table leant under it, None where that wasn't known.
    """

    id: str
    which: Which
    value: int | None
    corrected: bool
    picture: bytes
    traits: Traits
    lean: np.ndarray | None = None

    @property
    def face(self) -> tuple[Which, int | None]:
        return self.which, self.value

    def as_json(self) -> dict[str, object]:
        which = self.which
        return {
            "id": self.id,
            "shape": which.shape.value,
            "colour": which.colour,
            "name": which.name,
            "value": self.value,
            "corrected": self.corrected,
        }


def checked(shape: object, colour: object, value: object, name: object = "") -> tuple[Which, int | None]:
    """Return the die and the value that these words mean. Raises `EnrolError`."""
    try:
        die = Shape(str(shape))
        check_colour(colour)  # type: ignore[arg-type]
        if value is not None:
            Die("white", value, die)  # type: ignore[arg-type]
    except DiceError as error:
        raise EnrolError(error.args[0], "bad_die") from error
    except ValueError:
        shapes = ", ".join(Shape)
        raise EnrolError(
            say("{shape} is no shape of a die. Use one of {shapes}.", shape=str(shape), shapes=shapes), "bad_die"
        ) from None
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable():
        raise EnrolError(
            say("A die's name has at most {most} printable characters. Shorten it.", most=LONGEST_NAME), "bad_die"
        )
    assert isinstance(colour, str)
    assert value is None or isinstance(value, int)
    return Which(die, colour, name.strip()), value


def lesson(
    classifier: Classifier,
    image: np.ndarray,
    box: Sequence[float],
    which: Which,
    value: int | None,
    *,
    corrected: bool = False,
    lean: np.ndarray | None = None,
) -> Lesson:
    """Return what the die in `box` (x, y, w, h) of `image` (BGR uint8) teaches. Raises `EnrolError`.

    `lean` (2) is how the table leans there (`Classifier.leans`), None where that isn't known.
    """
    return lesson_of(classifier, picture_of(image, box), which, value, corrected=corrected, lean=lean)


def lesson_of(
    classifier: Classifier,
    picture: bytes,
    which: Which,
    value: int | None,
    *,
    corrected: bool = False,
    lean: np.ndarray | None = None,
) -> Lesson:
    """Return what a `picture`, made by `picture_of`, teaches; `lean` as in `lesson`. Raises `EnrolError`."""
    traits = traits_of(classifier, picture, faces=value is not None, lean=lean)
    return Lesson(name_of(picture, which, value), which, value, corrected, picture, traits, lean)


def name_of(picture: bytes, which: Which, value: int | None) -> str:
    """Return the id of a lesson: 16 hexadecimal digits."""
    words = f"{which.shape.value}|{which.colour}|{which.name}|{value}|"
    return hashlib.sha256(words.encode() + picture).hexdigest()[:16]


def picture_of(image: np.ndarray, box: Sequence[float]) -> bytes:
    """Return the die in `box` (x, y, w, h) as a lesson keeps it: a square JPEG in which it spans `FILL`."""
    side = round(max(box[2], box[3]) / FILL)
    crop = cut(image, box, size=max(CROP, min(PICTURE, side)))
    done, packed = cv2.imencode(".jpg", crop.pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise EnrolError(say("This die's picture cannot be kept. Photograph the die again."))
    return packed.tobytes()


def pixels_of(picture: bytes) -> np.ndarray:
    """Return a lesson's picture as BGR uint8, square. Raises `EnrolError`."""
    damaged = say("A picture of a taught die is damaged. Forget this die, and show it again.")
    try:
        image, _ = load_photo(picture, most=PICTURE * PICTURE + 1)
    except PhotoError as error:
        raise EnrolError(damaged, "bad_file") from error
    if image.shape[0] != image.shape[1] or not CROP <= len(image) <= PICTURE:
        raise EnrolError(damaged, "bad_file")
    return image


def traits_of(classifier: Classifier, picture: bytes, *, faces: bool = True, lean: np.ndarray | None = None) -> Traits:
    """Return what the networks make of a lesson's picture; without `faces` its `marks` and `whole` are empty.

    Raises `EnrolError` when these models cannot tell.
    """
    if not classifier.has_features:
        raise EnrolError(
            say(
                "These models cannot be taught: they are older than teaching. The dice are read as before. "
                "Install Jurado again."
            ),
            "models_too_old",
        )
    pixels = pixels_of(picture)
    side = len(pixels)
    wide = FILL * side
    box = ((side - wide) / 2, (side - wide) / 2, wide, wide)
    [sight] = classifier.see(pixels, [box], leans=[lean])
    small = cut(pixels, box)
    whole = np.empty((0, sight.whole.shape[-1]))
    marks = np.empty((0, sight.features.shape[-1]))
    if faces:
        turned = np.stack([_turned(small.pixels, 2 * np.pi * number / TURNS) for number in range(TURNS)])
        _, whole = classifier.pose(turned)
        _, marks = classifier.marks(np.stack(_views(pixels, sight.pose, lean)))
    return Traits(
        classifier.digest,
        whole.astype(np.float16),
        marks.astype(np.float16),
        looks_of(small.pixels[None], FILL)[0].astype(np.float32),
        sight.pose.astype(np.float32),
        sight.features.astype(np.float32),
        sight.marks.astype(np.float32),
        sight.weights.astype(np.float32),
    )


def _views(pixels: np.ndarray, pose: np.ndarray, lean: np.ndarray | None) -> list[np.ndarray]:
    """Return the up-face of a lesson's picture, nudged and turned in all the ways in which it may be met again."""
    angles = [2 * np.pi * number / ANGLES for number in range(ANGLES)]
    middle = np.full(2, (len(pixels) - 1) / 2)
    faces = zip(angles, faces_of(pose, len(pixels), angles, middle, lean), strict=True)
    flat = [(centre, face @ turn(-angle), turn(angle)) for angle, (centre, face) in faces]
    return [
        upright(pixels, centre + stretch @ np.array(shift), stretch @ change @ turned)
        for shift, change in NUDGES
        for centre, stretch, turned in flat
    ]


def _turned(crop: np.ndarray, angle: float) -> np.ndarray:
    middle = (len(crop) - 1) / 2
    way = cv2.getRotationMatrix2D((middle, middle), np.degrees(angle), 1.0)
    return cv2.warpAffine(crop, way, crop.shape[:2], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def fit_in(lessons: Iterable[Lesson]) -> tuple[Lesson, ...]:
    """Return `lessons` without twins and without more of a face than are kept.

    Of a face that has too many, the picture that is most like another of its own goes, those that were corrected
    before those that were shown on purpose.
    """
    faces: dict[tuple[Which, int | None], list[Lesson]] = defaultdict(list)
    for one in {one.id: one for one in lessons}.values():
        faces[one.face].append(one)
    kept = []
    for (_, value), some in faces.items():
        most = MOST_A_COLOUR if value is None else MOST_A_FACE
        while len(some) > most:
            some.pop(_spare(some))
        kept.extend(some)
    if len(kept) > MOST_LESSONS:
        raise EnrolError(
            say(
                "More than {most} pictures of dice cannot be kept. Forget a die, then teach this one.",
                most=MOST_LESSONS,
            ),
            "too_many_lessons",
        )
    return tuple(kept)


def _spare(some: Sequence[Lesson]) -> int:
    """Return the place of the lesson that tells least beside the others: the one whose look another has nearly too."""
    looks = np.stack([one.traits.look for one in some])
    near = -np.linalg.norm(looks[:, None] - looks[None], axis=2)
    if some[0].value is not None:
        views = np.stack([one.traits.marks[:ANGLES].astype(np.float32) for one in some])
        views /= np.linalg.norm(views, axis=2, keepdims=True) + 1e-9
        near = near / 100 + np.einsum("ad,bkd->abk", views[:, 0], views).max(axis=2)
    np.fill_diagonal(near, -np.inf)
    likeness = near.max(axis=1) + np.array([1000.0 * one.corrected for one in some])
    return int(likeness.argmax())


def faces_known(lessons: Iterable[Lesson]) -> dict[Which, dict[int, int]]:
    """Return, for each die that was taught, how many pictures of each face there are (of colour alone: none)."""
    known: dict[Which, dict[int, int]] = {}
    for one in lessons:
        counts = known.setdefault(one.which, {})
        if one.value is not None:
            counts[one.value] = counts.get(one.value, 0) + 1
    return {which: dict(sorted(known[which].items())) for which in sorted(known)}
