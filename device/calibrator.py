"""Setting a camera up: each step looks through it and keeps what it found; later pictures are held against that."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from device.calibration import STEPS, Calibration, Calibrations, Empty, packed, unpacked
from device.camera.base import PATIENCE, Image, Settling, setting_up
from device.loading import LoadingReader
from engine.dice import DieState
from engine.game import IllegalMove, InvalidInput
from engine.words import row, say, say_many

if TYPE_CHECKING:
    from device.camera.choice import NoCamera
    from device.camera.watched import Watched
    from vision.geometry import CameraPose
    from vision.reading import Box

SETTLING = 8.0
"""Seconds that finding focus or light may take."""

PATCH = 0.3
"""Share of the picture's width and height that the white sheet must fill in its middle."""

PALE, BURNT = 60, 250
"""Grey levels between which a white sheet is neither too dark nor burnt out."""

UNEVEN = 0.12
"""Share by which the sheet's red or blue may differ from its green once the white balance is held."""

SURELY = 2
"""Photographs in a row that must show the camera elsewhere before people are told; one may show a hand."""


class Calibrator:
    """The set-up of one table's camera. Safe for threads; `now` returns the present moment as ISO 8601 text.

    `changed` is called when what is known has changed, or what there is to be said about it.
    """

    def __init__(
        self,
        calibrations: Calibrations,
        camera: Watched | NoCamera,
        reader: LoadingReader,
        *,
        now: Callable[[], str],
        patience: float = PATIENCE,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._calibrations = calibrations
        self._camera = camera
        self._reader = reader
        self._now = now
        self._patience = patience
        self._changed = changed
        self._step = threading.Lock()
        self._known: Calibration | None = None
        self._elsewhere = 0
        self._relit = 0

    # What is known

    @property
    def known(self) -> Calibration:
        """What is known of the camera that is open."""
        known = self._known
        if known is None or known.camera != self._camera.identity:
            known = self._known = self._calibrations.of(self._camera.identity)
            self._elsewhere = self._relit = 0
        return known

    @property
    def pose(self) -> CameraPose | None:
        """How the camera stands, None where that is not known, or no longer certain."""
        return None if self._elsewhere else self.known.camera_pose()

    @property
    def camera_moved(self) -> bool:
        """Whether the camera was seen to stand elsewhere than when it was set up."""
        return self._elsewhere >= SURELY

    @property
    def light_changed(self) -> bool:
        """Whether the light was seen to be another one than when the camera was set up."""
        return self._relit >= SURELY

    @property
    def message(self) -> str:
        """What there is to be said of the camera's set-up; empty when all is as it was."""
        if self.camera_moved:
            return say(
                "The camera has moved since it was set up. Dice are read as if nothing was known of where it stands. "
                "Put it back, or set it up again on the page “Camera”."
            )
        if self.light_changed:
            return say(
                "The light has changed since the camera was set up, so colours may be mistaken. Switch the lamp on as "
                "it was, or do the steps “Empty tray” and “White sheet” again on the page “Camera”."
            )
        return ""

    def health(self) -> dict[str, Any]:
        """Return the part of /healthz about this."""
        done = [step for step in STEPS if step in self.known.done]
        message = self.message or (
            say_many("{count} step of {all} done.", "{count} steps of {all} done.", len(done), all=len(STEPS))
            if done
            else say("The camera was not set up; it works without, a little less well.")
        )
        return {
            "ok": not self.message,
            "state": "moved" if self.camera_moved else "relit" if self.light_changed else "done" if done else "open",
            "message": message,
        }

    def as_json(self) -> dict[str, Any]:
        """Return what a page shows of it."""
        known = self.known
        return {
            "camera": self._camera.name,
            "corners": known.corners,
            "size": known.size,
            "tilt": None if (pose := known.camera_pose()) is None else round(pose.tilt, 1),
            "done": {step: {**one, "held": known.held.get(step, {})} for step, one in known.done.items()},
            "message": self.message,
        }

    def note(self, image: Image) -> tuple[str, ...]:
        """Hold a photograph by this camera against the empty tray; return what is to be said about it."""
        known = self.known
        if known.empty is None:
            return ()
        from device.drift import light_of, moved, relit, shift_of

        before = self.message
        self._elsewhere = self._elsewhere + 1 if moved(shift_of(_grey(known.empty), image)) else 0
        self._relit = self._relit + 1 if relit(_light(known.empty), light_of(image)) else 0
        if self.message != before:
            self._changed()
        return (self.message,) if self.message else ()

    def covered(self, image: Image, boxes: Sequence[Box]) -> tuple[str, ...]:
        """Return what is to be said where something reaches into a photograph, beside the dice in `boxes` (pixels),
        that was not there when the tray was empty."""
        known = self.known
        if known.empty is None or self.camera_moved:
            return ()
        from device.drift import light_of, reaching

        height, width = image.shape[:2]
        dice = [(x / width, y / height, wide / width, high / height) for x, y, wide, high in boxes]
        if not reaching(_light(known.empty), light_of(image), dice, known.corners):
            return ()
        return (
            say(
                "Something reaches into the picture that was not there when the tray was empty: a hand, a sleeve, a "
                "cup? Dice under it are not seen. Take it away and photograph again, or look at the dice closely."
            ),
        )

    # Its steps

    def do(self, step: Any, given: Mapping[str, Any]) -> dict[str, Any]:
        """Do a step, or `markers` or `forget`, and return `as_json`.

        `frame` takes `corners` (four x, y as shares of the picture) and `size` (its sides in mm).
        Raises `CameraError`, `InvalidInput`, `IllegalMove`.
        """
        steps: dict[str, Callable[[], None]] = {
            "frame": lambda: self._frame(given.get("corners"), given.get("size")),
            "markers": self._markers,
            "empty": self._empty,
            "focus": self._focus,
            "white": self._white,
            "dice": self._dice,
            "forget": self._forget,
        }
        if step not in steps:
            known = row(steps)
            raise InvalidInput("unknown_step", say("There is no such step. It is one of {known}.", known=known), "step")
        with self._step, setting_up():
            steps[step]()
        self._changed()
        return self.as_json()

    def _picture(self) -> Image:
        return self._camera.capture(time.monotonic(), timeout=self._patience).image

    def _keep(self, known: Calibration) -> None:
        self._calibrations.keep(known)
        self._known = known
        self._elsewhere = self._relit = 0

    def _frame(self, corners: Any, size: Any) -> None:
        import numpy as np

        from vision.geometry import CameraPose

        tidy, sides = checked_frame(corners, size)
        height, width = self._picture().shape[:2]
        try:
            pose = CameraPose.of_tray(np.array(tidy) * (width, height), (sides[0], sides[1]), (width, height))
        except ValueError as error:
            message = say("These corners go round no tray. Nothing was changed. Put one on each corner, going round.")
            raise InvalidInput("bad_corners", message, "corners") from error
        self._framed(tidy, sides, pose, "corners")

    def _markers(self) -> None:
        from device.markers import framed
        from vision.geometry import CameraPose

        image = self._picture()
        found = framed(image)
        if found is None:
            raise IllegalMove(
                "no_markers",
                say(
                    "The four markers were not all found. Nothing was changed. Lay them flat, none covered and none in "
                    "the glare of a lamp, with their white borders, and try again."
                ),
            )
        height, width = image.shape[:2]
        pose = CameraPose.of_tray(found.corners, found.size, (width, height))
        corners = (found.corners / (width, height)).round(4).tolist()
        self._framed(corners, [round(side, 1) for side in found.size], pose, "sheet" if found.whole else "markers")

    def _framed(self, corners: list[list[float]], size: list[float], pose: CameraPose, by: str) -> None:
        figures = {"by": by, "tilt": round(pose.tilt, 1)}
        kept = self.known.with_step("frame", self._now(), figures, corners=corners, size=size, pose=pose.as_json())
        self._keep(kept)

    def _empty(self) -> None:
        self.learn_empty(self._picture())

    def learn_empty(self, image: Image) -> None:
        """Keep how the empty tray looks in a picture."""
        import cv2

        from device.camera.rest import small
        from device.drift import FEWEST, light_of, shift_of

        grey = small(image)
        _, coded = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, 90])
        empty = Empty(packed(coded.tobytes()), light_of(image).round(1).tolist())
        tells = shift_of(_grey(empty), image) is not None
        figures = {"brightness": round(float(grey.mean())), "tells": tells, "fewest": FEWEST}
        self._keep(self.known.with_step("empty", self._now(), figures, empty=empty))

    def _focus(self) -> None:
        from device.camera.sight import edge_width

        def proof(image: Image) -> dict[str, Any]:
            return {"edge": round(edge_width(_middle(image).mean(axis=2).astype("uint8")), 1)}

        self._hold("focus", "focus", proof)

    def _white(self) -> None:
        self._hold("white", "light", _looks_white)

    def _hold(self, step: str, what: Settling, proof: Callable[[Image], dict[str, Any]]) -> None:
        """Let the camera find what it then is to hold, and have it opened anew with that; a picture taken then is its
        own proof. Without one all stays as it was."""
        before = self.known
        held = dict(self._camera.settle(what, timeout=SETTLING))
        self._keep(replace(before, held={**before.held, step: held}))
        try:
            if held:
                self._camera.reopen()
            image = self._camera.capture(time.monotonic(), timeout=SETTLING).image
            self._keep(self.known.with_step(step, self._now(), {**proof(image), "holds": bool(held)}))
        except BaseException:
            self._keep(before)
            if held:
                self._camera.reopen()
            raise

    def _dice(self) -> None:
        reading = self._reader.read(self._picture(), camera=self.pose)
        if not reading.dice:
            message = say("No die is seen. Lay some dice down whose numbers you know, and try again.")
            raise IllegalMove("no_dice", message)
        read = [f"{die.colour} {die.shape.value} {die.value}" for die in reading.dice]
        sure = sum(die.state is DieState.READ for die in reading.dice)
        self._keep(self.known.with_step("dice", self._now(), {"read": read, "sure": sure}))

    def _forget(self) -> None:
        held = self.known.controls
        self._calibrations.forget(self._camera.identity)
        self._known = None
        self._elsewhere = self._relit = 0
        if held:
            self._camera.reopen()


def checked_frame(corners: Any, size: Any) -> tuple[list[list[float]], list[float]]:
    """Return the tray's four corners (x, y as shares of the picture) and its two sides in mm. Raises `InvalidInput`."""
    tidy, sides = _numbers(corners, 4, 2), _numbers([size], 1, 2)
    if tidy is None or not all(0 <= edge <= 1 for corner in tidy for edge in corner):
        message = say("A frame has four corners inside the picture. Nothing was changed. Put them where the tray is.")
        raise InvalidInput("bad_corners", message, "corners")
    if sides is None or not all(20 <= side <= 3000 for side in sides[0]):
        message = say("The tray’s sides are two lengths of 20 to 3000 mm. Nothing was changed. Measure them inside.")
        raise InvalidInput("bad_size", message, "size")
    return tidy, sides[0]


def _grey(empty: Empty) -> Any:
    import cv2
    import numpy as np

    return cv2.imdecode(np.frombuffer(unpacked(empty.picture), np.uint8), cv2.IMREAD_GRAYSCALE)


def _light(empty: Empty) -> Any:
    import numpy as np

    return np.array(empty.light)


def _looks_white(image: Image) -> dict[str, Any]:
    """Return how bright and how tinted its middle is. Raises `IllegalMove` when no white sheet is there."""
    blue, green, red = _middle(image).reshape(-1, 3).mean(axis=0)
    tint = max(abs(red / max(green, 1) - 1), abs(blue / max(green, 1) - 1))
    if not PALE < green < BURNT or tint > UNEVEN:
        raise IllegalMove(
            "no_white_sheet",
            say(
                "The middle of the picture does not look like a white sheet (brightness {level} of 255, tinted by "
                "{tint} %). All stays as it was. Lay a plain white sheet there, turn the lamp a little, and try again.",
                level=round(float(green)),
                tint=round(float(tint) * 100),
            ),
        )
    return {"brightness": round(float(green)), "tint": round(float(tint), 3)}


def _middle(image: Image) -> Image:
    height, width = image.shape[:2]
    high, wide = int(height * PATCH / 2), int(width * PATCH / 2)
    return image[height // 2 - high : height // 2 + high, width // 2 - wide : width // 2 + wide]


def _numbers(given: Any, rows: int, columns: int) -> list[list[float]] | None:
    """Return `given` as a table of that many numbers, None when it is none."""
    fits = isinstance(given, Sequence) and len(given) == rows
    if not fits or not all(isinstance(one, Sequence) and len(one) == columns for one in given):
        return None
    if not all(isinstance(edge, int | float) and not isinstance(edge, bool) for one in given for edge in one):
        return None
    return [[float(edge) for edge in one] for one in given]
