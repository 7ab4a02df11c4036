"""A photograph with what was read drawn on it: a mark round each die, its value and shape, the doubt plain to see."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.dice import DieState
from vision.reading import Box, ReadDie, Reading

Ink = tuple[int, int, int]
"""Blue, green, red, 0..255."""

DARK: Ink = (46, 27, 29)
PAPER: Ink = (255, 255, 255)
FAINT_INK: Ink = (205, 200, 200)
INKS: dict[DieState, Ink] = {
    DieState.READ: (170, 235, 120),
    DieState.CORRECTED: (255, 200, 110),
    DieState.UNSURE: (60, 190, 255),
    DieState.COCKED: (120, 95, 255),
}
"""Green, blue, amber and red, light enough to stand on the dark rim that goes round every line."""
WORDS: dict[DieState, str] = {
    DieState.READ: "sure",
    DieState.CORRECTED: "corrected",
    DieState.UNSURE: "unsure: check",
    DieState.COCKED: "cocked: roll again",
}
FONT = cv2.FONT_HERSHEY_DUPLEX
SMALLEST = 1000
"""Pixels of the longer side that a picture has at least: a smaller one is enlarged, so that words can be read on it."""
DASHES = 12


def draw_overlay(image: np.ndarray, reading: Reading) -> np.ndarray:
    """Return a copy of `image` (BGR uint8) on which the dice of `reading` are marked, above a strip that says how many.

    A sure die has a whole ring, a doubtful one a broken ring and `?` at its value, a cocked one a tilted square and
    `!`. A picture with less than 1000 pixels on its longer side is enlarged.
    """
    height, width = image.shape[:2]
    zoom = max(1.0, SMALLEST / max(height, width))
    if zoom > 1:
        size = max(1, round(width * zoom)), max(1, round(height * zoom))
        picture = cv2.resize(image, size, interpolation=cv2.INTER_CUBIC)
    else:
        picture = image.copy()
    longest = max(picture.shape[:2])
    boxes = [_times(die.box, zoom) for die in reading.dice]
    side = float(np.median([max(box[2], box[3]) for box in boxes])) if boxes else 0.0
    letters = float(np.clip(side * 0.36, longest * 0.015, longest * 0.04))
    line = max(2, round(longest / 420))
    for die, box in zip(reading.dice, boxes, strict=True):
        _mark(picture, die.state, box, line)
    labels = [_label(die, letters) for die in reading.dice]
    places: dict[int, Box] = {}
    # Those with the most neighbours choose first.
    centres = np.array([(x + w / 2, y + h / 2) for x, y, w, h in boxes]).reshape(-1, 2)
    crowd = [int((np.hypot(*(centres - one).T) < 3 * side).sum()) for one in centres]
    for number in sorted(range(len(boxes)), key=lambda one: -crowd[one]):
        taken = [*boxes, *places.values()]
        places[number] = _free_place(boxes[number], labels[number].size, picture.shape[1], picture.shape[0], taken)
    for number, label in enumerate(labels):
        _lead(picture, boxes[number], places[number], label.ink, line)
    for number, label in enumerate(labels):
        label.write(picture, places[number])
    return np.vstack([picture, _strip(reading.dice, picture.shape[1], round(longest * 0.045))])


def write_words(
    picture: np.ndarray, words: str, left: float, base: float, height: float, ink: Ink, *, weight: int | None = None
) -> None:
    """Write `words` on `picture` with capitals `height` pixels high, from `left` on, standing on `base`."""
    place = (round(left), round(base))
    cv2.putText(picture, plain(words), place, FONT, _scale(height), ink, weight or _weight(height), cv2.LINE_AA)


def words_width(words: str, height: float) -> float:
    """Return how many pixels wide `words` are with capitals `height` pixels high."""
    return float(cv2.getTextSize(plain(words), FONT, _scale(height), _weight(height))[0][0])


def plain(words: str) -> str:
    """Return `words` without accents: OpenCV's letters have none."""
    return unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()


def _scale(height: float) -> float:
    return height / 22


def _weight(height: float) -> int:
    return max(1, round(height / 14))


def _times(box: Box, zoom: float) -> Box:
    x, y, w, h = box
    return x * zoom, y * zoom, w * zoom, h * zoom


def _mark(picture: np.ndarray, state: DieState, box: Box, line: int) -> None:
    x, y, w, h = box
    centre = (round(x + w / 2), round(y + h / 2))
    reach = (max(4, round(w * 0.64)), max(4, round(h * 0.64)))
    for ink, thick in ((DARK, line * 2 + 2), (INKS[state], line)):
        if state is DieState.COCKED:
            span = 1.4 * max(reach)
            corners = cv2.boxPoints((centre, (span, span), 25.0))
            cv2.polylines(picture, [np.round(corners).astype(np.int32)], True, ink, thick, cv2.LINE_AA)
        elif state is DieState.UNSURE:
            step = 360 / DASHES
            for dash in range(DASHES):
                cv2.ellipse(picture, centre, reach, 0, dash * step, (dash + 0.55) * step, ink, thick, cv2.LINE_AA)
        else:
            cv2.ellipse(picture, centre, reach, 0, 0, 360, ink, thick, cv2.LINE_AA)


@dataclass(frozen=True, slots=True)
class _Label:
    """What stands beside a die, in letters `height` pixels high: its value large, its shape and colour small."""

    value: str
    shape: str
    colour: str
    ink: Ink
    height: float

    @property
    def gap(self) -> float:
        return self.height * 0.35

    @property
    def size(self) -> tuple[float, float]:
        small = max(words_width(words, self.height * 0.5) for words in (self.shape, self.colour))
        return words_width(self.value, self.height) + 3 * self.gap + small, self.height + 2 * self.gap

    def write(self, picture: np.ndarray, place: Box) -> None:
        x, y, wide, tall = place
        corners = (round(x), round(y)), (round(x + wide), round(y + tall))
        cv2.rectangle(picture, *corners, DARK, -1, cv2.LINE_AA)
        cv2.rectangle(picture, *corners, self.ink, max(1, round(self.height / 14)), cv2.LINE_AA)
        write_words(picture, self.value, x + self.gap, y + self.gap + self.height, self.height, self.ink)
        right, small = x + 2 * self.gap + words_width(self.value, self.height), self.height * 0.5
        write_words(picture, self.shape, right, y + self.gap + small * 0.8, small, PAPER)
        write_words(picture, self.colour, right, y + self.gap + self.height * 1.05, small, FAINT_INK)


def _label(die: ReadDie, height: float) -> _Label:
    sign = {DieState.UNSURE: "?", DieState.COCKED: "!"}.get(die.state, "")
    return _Label(f"{die.value}{sign}", die.shape.value, die.colour, INKS[die.state], height)


def _free_place(box: Box, size: tuple[float, float], width: int, height: int, taken: Sequence[Box]) -> Box:
    """Return the place (x, y, w, h) around `box` that covers the least of what is `taken`, inside the picture."""
    (x, y, w, h), (wide, tall) = box, size
    best, least = (0.0, 0.0, wide, tall), float("inf")
    for far in (1.0, 1.5, 2.2):
        for turn in range(16):
            angle = turn * np.pi / 8
            # The middle of the label goes round the die on an ellipse that keeps the two apart.
            across = np.cos(angle) * (0.7 * w + wide / 2) * far
            along = np.sin(angle) * (0.7 * h + tall / 2) * far
            left = float(np.clip(x + w / 2 + across - wide / 2, 0, max(0.0, width - wide - 1)))
            top = float(np.clip(y + h / 2 + along - tall / 2, 0, max(0.0, height - tall - 1)))
            place = (left, top, wide, tall)
            covered = sum(_shared(place, other) for other in taken) / (wide * tall)
            # To the right, above, below or left rather than askew; near rather than far.
            covered += 0.02 * (turn % 4 > 0) + 0.06 * (far - 1) + 0.001 * turn
            if covered < least:
                best, least = place, covered
    return best


def _lead(picture: np.ndarray, box: Box, place: Box, ink: Ink, line: int) -> None:
    """Draw a line from the label's `place` to the die, when they stand apart."""
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    end = np.clip([x, y], place[:2], [place[0] + place[2], place[1] + place[3]])
    way = end - np.array([x, y])
    reach = np.hypot(way[0] / max(4, box[2] * 0.64), way[1] / max(4, box[3] * 0.64))
    if reach > 1:
        begin = np.array([x, y]) + way / reach
        ends = [tuple(int(edge) for edge in np.round(point)) for point in (begin, end)]
        for colour, thick in ((DARK, line * 2 + 2), (ink, line)):
            cv2.line(picture, ends[0], ends[1], colour, thick, cv2.LINE_AA)


def _shared(one: Box, other: Box) -> float:
    wide = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    tall = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return wide * tall if wide > 0 and tall > 0 else 0.0


def _strip(dice: Sequence[ReadDie], width: int, height: int) -> np.ndarray:
    """Return the strip below the picture: each state's mark as it is drawn, and how many dice have it."""
    strip = np.full((height, width, 3), DARK, np.uint8)
    counts = [(state, sum(die.state is state for die in dice)) for state in INKS]
    shown = [(state, f"{count} {WORDS[state]}") for state, count in counts if count]
    if not shown:
        write_words(strip, "No dice were seen.", height * 0.4, height * 0.66, height * 0.36, PAPER)
        return strip
    letters = height * 0.36
    while sum(words_width(words, letters) + 1.9 * height for _, words in shown) > width and letters > 7:
        letters *= 0.9
    left = 0.0
    for state, words in shown:
        mark = height * 0.42
        _mark(strip, state, (left + height * 0.6 - mark / 2, (height - mark) / 2, mark, mark), max(1, height // 16))
        write_words(strip, words, left + height * 1.15, height / 2 + letters / 2, letters, PAPER)
        left += words_width(words, letters) + 1.9 * height
    return strip
