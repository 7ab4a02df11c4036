"""How well a camera sees the table: how sharp, how light, how large the dice are; each as a verdict, and what to do.

The limits of sharpness come from blurring photographs of nine sets of dice and the rendered table step by step: with
edges wider than 0.15 of a die hardly a die is read surely any more, up to 0.10 nothing is lost. Those of light from
darkening them: with dice whose lightest parts are under 85 half of the colours are mistaken, over 120 none; values are
read much longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.base import Image
from engine.words import decimal, say
from vision.reading import Box

Grey = NDArray[np.uint8]

SHARP_PIXELS = 3.5
"""An edge no wider than this is as sharp as a picture can show it, however small the die."""
SOFT, BLURRED = 0.10, 0.15
"""Widths of an edge, in sides of a die, from which reading suffers, and from which it fails."""

DIM, DARK = 120, 85
"""Brightness (0..255) of the lightest parts of the dice under which it is dim, and under which it is dark."""
NIGHT = 45
"""The same of the whole picture, when no die is seen: even a dark table is lighter by day."""
GLARING, BLINDING = 0.08, 0.25
"""Shares of the picture that are burnt out to white."""
BURNT = 252

REDUCED = 576
"""Pixels of the long side that a picture is taken to have where `FAINT` and `LOST` count."""
SMALL, TINY = 45, 28
"""Sides of a die in pixels of the photograph: under the first it is often doubted, under the second misread."""
FAINT, LOST = 24, 14
"""The same in the reduced picture: of dice under the first one in ten is missed, under the second nearly half."""
HUGE = 0.4
"""Share of the picture's shorter side from which a die is so large that few fit in."""


class Verdict(StrEnum):
    """How good it is; unknown without a die to measure at."""

    GOOD = "good"
    DOUBT = "doubt"
    BAD = "bad"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing that was measured: `figure` in its unit, what it means, and what to do about it (empty: nothing)."""

    key: str
    verdict: Verdict
    figure: str
    message: str
    advice: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.key,
            "verdict": self.verdict.value,
            "figure": self.figure,
            "message": self.message,
            "advice": self.advice,
        }


def judged(image: Image, boxes: Sequence[Box]) -> list[Seen]:
    """Return what is to be said about a picture (BGR) in which dice lie in `boxes`: focus, light, size."""
    grey: Grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    return [focus(grey, boxes), light(grey, boxes), size(image.shape[0], image.shape[1], boxes)]


def warnings(image: Image, boxes: Sequence[Box]) -> tuple[str, ...]:
    """Return what about a photograph (BGR) is so bad that its dice cannot be trusted, each with what to do."""
    grey: Grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    bad = [seen for seen in (focus(grey, boxes), light(grey, boxes)) if seen.verdict is Verdict.BAD]
    return tuple(say("{what} {advice}", what=seen.message, advice=seen.advice) for seen in bad)


def focus(grey: Grey, boxes: Sequence[Box]) -> Seen:
    """Return how sharp the edges of the dice are."""
    widths = [edge_width(die) for box in boxes if (die := _cut(grey, box)).size]
    if not widths:
        message = say("Sharpness is measured at dice, and none is seen.")
        return Seen("focus", Verdict.UNKNOWN, "", message, say("Lay three dice under the camera."))
    width, side = float(np.median(widths)), _side(boxes)
    share = width / side
    figure = say("edges {width} pixels wide, dice {side}", width=decimal(width), side=round(side))
    if width <= SHARP_PIXELS or share < SOFT:
        return Seen("focus", Verdict.GOOD, figure, say("Sharp."))
    advice = say(
        "Turn the lens to this distance, or raise the camera a little; a lens that focuses by itself needs an edge to "
        "look at. Wipe the lens."
    )
    if share < BLURRED:
        return Seen("focus", Verdict.DOUBT, figure, say("A little soft: some dice will be asked about."), advice)
    return Seen("focus", Verdict.BAD, figure, say("Blurred: most dice will be asked about."), advice)


def light(grey: Grey, boxes: Sequence[Box]) -> Seen:
    """Return whether there is enough light on the dice, and none that glares."""
    burnt = float((grey >= BURNT).mean())
    if burnt > GLARING:
        figure = say("{share} % of the picture is burnt out", share=round(burnt * 100))
        advice = say("Turn the lamp so that it is not mirrored on the table, or lay a dull cloth under the dice.")
        if burnt > BLINDING:
            return Seen("light", Verdict.BAD, figure, say("Too bright: dice drown in the light."), advice)
        return Seen("light", Verdict.DOUBT, figure, say("A lamp glares: dice there may be misread."), advice)
    lightest = [float(np.percentile(die, 95)) for box in boxes if (die := _cut(grey, box)).size]
    bright = float(np.median(lightest)) if lightest else float(np.percentile(grey, 99))
    dim, dark = (DIM, DARK) if lightest else (NIGHT, NIGHT)
    figure = say("brightness {bright} of 255", bright=round(bright))
    if bright < dim:
        advice = say("Switch on a lamp beside the camera, not behind whoever sits there.")
        if bright < dark:
            return Seen("light", Verdict.BAD, figure, say("Too dark: colours are mistaken."), advice)
        return Seen("light", Verdict.DOUBT, figure, say("Dim: some colours may be mistaken."), advice)
    if not lightest:
        message = say("Light is measured at dice, and none is seen.")
        return Seen("light", Verdict.UNKNOWN, figure, message, say("Lay three dice under the camera."))
    return Seen("light", Verdict.GOOD, figure, say("Enough light."))


def size(height: int, width: int, boxes: Sequence[Box]) -> Seen:
    """Return whether dice are large enough in a picture of so many pixels, and not too large."""
    if not boxes:
        message = say("No die is seen.")
        advice = say("Lay three dice under the camera. If they lie there: more light, or bring the camera nearer.")
        return Seen("size", Verdict.UNKNOWN, "", message, advice)
    side = _side(boxes)
    reduced = side * min(1.0, REDUCED / max(height, width))
    figure = say("a die is {side} pixels wide", side=round(side))
    if side > HUGE * min(height, width):
        message = say("So near that few dice fit into the picture.")
        return Seen("size", Verdict.DOUBT, figure, message, say("Raise the camera."))
    nearer = say("Bring the camera nearer, or photograph with more pixels (camera.width, camera.height).")
    if side < TINY or reduced < LOST:
        return Seen("size", Verdict.BAD, figure, say("Too small to be read."), nearer)
    if side < SMALL or reduced < FAINT:
        return Seen("size", Verdict.DOUBT, figure, say("Small: some dice will be asked about."), nearer)
    return Seen("size", Verdict.GOOD, figure, say("Large enough."))


def edge_width(grey: NDArray[np.uint8]) -> float:
    """Return the width in pixels of the sharpest edges in a picture: its contrast over its steepest slopes."""
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.7)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) / 8
    along = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) / 8
    slope = float(np.percentile(np.hypot(across, along), 98))
    contrast = float(np.percentile(smooth, 97) - np.percentile(smooth, 3))
    return contrast / max(slope, 1e-3)


def _side(boxes: Sequence[Box]) -> float:
    return float(np.median([max(box[2], box[3]) for box in boxes]))


def _cut(grey: Grey, box: Box) -> Grey:
    left, top = max(0, int(box[0])), max(0, int(box[1]))
    return grey[top : int(box[1] + box[3]) + 1, left : int(box[0] + box[2]) + 1]
