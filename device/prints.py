"""Where `jurado read` puts the pictures of what it read: overlays (`--show`) and explanations (`--explain`)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from device.usage import taken
from engine.words import row, say
from vision.classify import Classifier
from vision.explaining import explain, write_document, write_explained, write_picture
from vision.overlay import draw_overlay
from vision.reading import Reading

PICTURES = (".jpg", ".jpeg", ".png", ".webp")


class PrintError(ValueError):
    """A place that pictures cannot be written to; the message is a sentence, `option` the one that names it."""

    def __init__(self, message: str, option: str) -> None:
        super().__init__(message)
        self.message = message
        self.option = option


class Prints:
    """The pictures of a run over `photos`. `show` is a picture or a folder, `explain` a folder; None: not asked for.

    Raises `PrintError` for a place that cannot be, before anything is read.
    """

    def __init__(self, photos: Sequence[str], *, show: Path | None = None, explain: Path | None = None) -> None:
        self._photos = photos
        self._names = names(photos)
        self._overlays = [] if show is None else overlay_paths(show, self._names)
        self._folder = explain
        self._explained: list[dict[str, Any]] = []
        sources = {Path(photo).resolve() for photo in photos}
        for path in self._overlays:
            if path.resolve() in sources:
                message = say("{path} is one of the photographs. Nothing was read. Name another picture.", path=path)
                raise PrintError(message, "show")
            if path.is_file():
                raise PrintError(taken(path), "show")
        if self._overlays:
            _make(self._overlays[0].parent, "show")
        if explain is not None:
            _make(explain, "explain")

    def add(self, number: int, image: np.ndarray, reading: Reading, classifier: Classifier) -> None:
        """Write what was asked for of photograph `number` (from 0). Raises `PrintError`."""
        if self._overlays:
            try:
                write_picture(self._overlays[number], draw_overlay(image, reading))
            except OSError as error:
                raise _unwritten(self._overlays[number], error, "show") from error
        if self._folder is not None:
            try:
                told = write_explained(self._folder, self._names[number], explain(image, reading, classifier))
                self._explained.append({"photo": self._photos[number], **told})
                write_document(self._folder, self._explained)
            except OSError as error:
                raise _unwritten(self._folder, error, "explain") from error


def names(photos: Sequence[str]) -> list[str]:
    """Return a name for each photograph's pictures: its own without the ending, with a number where it comes again."""
    given: list[str] = []
    for photo in photos:
        stem = Path(photo).stem or "photo"
        name, number = stem, 2
        while name in given:
            name, number = f"{stem}-{number}", number + 1
        given.append(name)
    return given


def overlay_paths(show: Path, photos: Sequence[str]) -> list[Path]:
    """Return the file of each overlay; `photos` are the photographs' names without endings.

    A `show` that ends like a picture is that picture, or with several photographs OUT-1.jpg, OUT-2.jpg, …; else it is
    a folder of NAME.jpg. Raises `PrintError` for an ending that no picture has.
    """
    if show.is_dir() or not show.suffix:
        return [show / f"{name}.jpg" for name in photos]
    if show.suffix.lower() not in PICTURES:
        message = say(
            "{path} is no picture's name. Nothing was read. End it in one of {endings}.",
            path=show,
            endings=row(PICTURES),
        )
        raise PrintError(message, "show")
    if len(photos) == 1:
        return [show]
    return [show.with_name(f"{show.stem}-{number}{show.suffix}") for number in range(1, len(photos) + 1)]


def _make(folder: Path, option: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = say(
            "The folder {folder} cannot be written ({why}). Nothing was read. Name another place.",
            folder=folder,
            why=error.strerror or say("it is no folder"),
        )
        raise PrintError(message, option) from error


def _unwritten(path: Path, error: OSError, option: str) -> PrintError:
    message = say("{path} cannot be written ({why}). Name another place.", path=path, why=error.strerror or error)
    return PrintError(message, option)
