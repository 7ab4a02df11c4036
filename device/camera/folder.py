"""A folder of pictures shown in order, one a capture: a camera for trying out, for tests, and for old rolls."""

from __future__ import annotations

import time
from pathlib import Path

from device.camera.base import PATIENCE, BadPicture, Camera, CameraMissing, Frame
from engine.words import say

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})


class FolderCamera(Camera):
    """Shows the pictures of `folder` in the order of their names and starts again after the last.

    Pictures that are added while it runs are shown in their turn. A file that is no picture is named in a
    `BadPicture`, and the next capture goes on with the next file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)
        self.name = say("folder {folder}", folder=self.folder.name)
        self._last: str | None = None

    def open(self) -> None:
        self._pictures()

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        from vision.reader import PhotoError, load_photo

        pictures = self._pictures()
        later = [picture for picture in pictures if self._last is None or picture.name > self._last]
        picture = (later or pictures)[0]
        self._last = picture.name
        try:
            image, _ = load_photo(picture)
        except PhotoError as error:
            raise BadPicture(
                say("{file} cannot be shown. {why}", file=picture.name, why=error.message),
                say("Capture again for the next picture"),
            ) from error
        return Frame(image, time.monotonic(), source=picture.name)

    def follow(self, first: Frame, count: int, *, timeout: float = PATIENCE) -> list[Frame]:
        """Return nothing: the next picture shows another roll."""
        return []

    def glance(self, after: float, *, timeout: float = PATIENCE) -> None:
        """Nothing moves in a picture."""

    def close(self) -> None:
        self._last = None

    def _pictures(self) -> list[Path]:
        """Return the pictures in order. Raises `CameraMissing` when there is none."""
        if not self.folder.is_dir():
            raise CameraMissing(
                say("There is no folder {folder}.", folder=self.folder), say("Correct camera.folder in the settings")
            )
        pictures = sorted(path for path in self.folder.iterdir() if path.suffix.lower() in SUFFIXES)
        if not pictures:
            raise CameraMissing(
                say("The folder {folder} holds no pictures.", folder=self.folder), say("Put some there (.jpg or .png)")
            )
        return pictures
