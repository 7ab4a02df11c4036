"""Trying the table's parts out: what the camera sees and how well, and whether each button and the lamp work."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from device.camera.base import PATIENCE, Camera, Image, setting_up
from device.lamp import Lamp
from device.loading import LoadingReader
from device.panel import Panel
from engine.game import InvalidInput
from engine.words import quoted, row, say

if TYPE_CHECKING:
    from device.camera.sight import Seen
    from vision.reading import Box

LONGEST = 960
"""Pixels of the longer side of the picture that is shown."""


class Trial:
    """Looks through the camera without keeping anything, and lets the panel be tried. Safe for threads."""

    def __init__(
        self,
        camera: Camera,
        reader: LoadingReader,
        panel: Panel,
        *,
        patience: float = PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera = camera
        self._reader = reader
        self._panel = panel
        self._patience = patience
        self._clock = clock
        self._one = threading.Lock()

    def look(self) -> dict[str, Any]:
        """Return what the camera sees now: `picture` as a data URL, `width` and `height` in pixels, `dice` (boxes x,
        y, width, height), and `checks`: focus, light and size, each with its verdict and what to do.

        Raises `CameraError`.
        """
        # OpenCV takes long to load, and the first page need not wait for it.
        from device.camera.sight import judged

        with self._one, setting_up():
            frame = self._camera.capture(self._clock(), timeout=self._patience)
            boxes, unread = self._dice(frame.image)
        height, width = frame.image.shape[:2]
        checks = judged(frame.image, boxes)
        return {
            "picture": _data_url(frame.image),
            "width": width,
            "height": height,
            "dice": [[round(edge) for edge in box] for box in boxes],
            "checks": [check.as_json() for check in ([*checks, unread] if unread is not None else checks)],
        }

    @property
    def switches_off(self) -> bool:
        """Whether the machine can be switched off from a page."""
        return self._panel.switches_off

    def switch_off(self) -> bool:
        """Have the machine switched off; return False when that was not possible."""
        return self._panel.switch_off()

    def press(self, lamp: Any = None) -> dict[str, Any]:
        """Return what was pressed since the panel is tried out, and what the lamp shows; `lamp` makes it show that.

        For some seconds from now on the buttons are counted, not obeyed. Raises `InvalidInput`.
        """
        if lamp is not None and lamp not in list(Lamp):
            message = say("The lamp cannot show {given}. It knows: {known}.", given=quoted(lamp), known=row(Lamp))
            raise InvalidInput("unknown_lamp", message, "lamp")
        return self._panel.try_out(None if lamp is None else Lamp(lamp))

    def _dice(self, image: Image) -> tuple[list[Box], Seen | None]:
        """Return where dice lie, and why that is not known, if so."""
        from device.camera.sight import Seen, Verdict

        if self._reader.loading:
            message = say("The models that read dice are still loading.")
            return [], Seen("reader", Verdict.UNKNOWN, "", message, say("Wait a moment."))
        if self._reader.error is not None:
            return [], Seen("reader", Verdict.BAD, "", self._reader.error.message)
        return [die.box for die in self._reader.read(image).dice], None


def _data_url(image: Image) -> str:
    import cv2

    scale = LONGEST / max(image.shape[:2])
    small = image if scale >= 1 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 75])
    return f"data:image/jpeg;base64,{base64.b64encode(coded.tobytes()).decode()}"
