"""The photographs of the table: a ring of JPEG files, capped by size; a roll leads to its own."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
import shutil
import threading
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from device.camera.base import Image
from vision.reading import Box

PHOTO_URL = "/photos/"
"""Where the page serves the files of the ring."""

LONGEST = 2400
"""Pixels of the longer side of a kept photograph."""

CROP = 192
"""Pixels of the longer side of the picture of one die."""

RESERVE = 30_000_000
"""Bytes of disk that photographs leave free: a turn that cannot be written down is worse than a picture less."""

HALF = ".new"
"""What the name of a file ends with until it is whole."""

_MARGIN = 0.18
_STEM = re.compile(r"(\d{6,})-[0-9a-f]{8}")


class PhotoRing:
    """Keeps photographs in `folder` until they fill `megabytes`, then drops the oldest.

    A photograph is `NUMBER-CHANCE.jpg`, its dice are `NUMBER-CHANCE-INDEX.jpg`, and once its roll is confirmed
    `NUMBER-CHANCE.json` says which turn it belongs to. Numbers count up, since a Pi's clock may be wrong after a
    power cut. Safe for threads.
    """

    def __init__(self, folder: Path, *, megabytes: float = 200.0, quality: int = 85) -> None:
        self.folder = Path(folder)
        self.bytes = int(megabytes * 1_000_000)
        self.quality = quality
        self._failed: str | None = None
        self._lock = threading.Lock()
        self._sizes: dict[str, int] | None = None
        self._of_turn: dict[int, str] = {}

    @property
    def problem(self) -> str | None:
        """Why photographs are not kept now, None while they are."""
        with self._lock:
            try:
                # The folder is made with the first photograph; until then the one that it will lie in tells.
                there = next(folder for folder in (self.folder, *self.folder.parents) if folder.exists())
                if not os.access(there, os.W_OK):
                    return os.strerror(errno.EACCES)
                return os.strerror(errno.ENOSPC) if shutil.disk_usage(there).free < RESERVE else self._failed
            except OSError as error:
                return error.strerror

    def keep(self, image: Image) -> str:
        """Write a photograph and return its stem. Raises `OSError` when it cannot be written."""
        try:
            stem = self._keep(image)
        except OSError as error:
            self._failed = error.strerror or str(error)
            raise
        self._failed = None
        return stem

    def _keep(self, image: Image) -> str:
        with self._lock:
            sizes = self._index()
            self.folder.mkdir(parents=True, exist_ok=True)
            self._prune()
            if shutil.disk_usage(self.folder).free < RESERVE:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            number = max((int(stem.split("-")[0]) for stem in sizes), default=0) + 1
            stem = f"{number:06d}-{secrets.token_hex(4)}"
            sizes[stem] = 0
            self._write(stem, f"{stem}.jpg", self._jpeg(_reduced(image, LONGEST)))
            self._prune(spare=stem)
        return stem

    def keep_dice(self, stem: str, image: Image, boxes: Sequence[Box]) -> list[str | None]:
        """Write the picture of each die and return the files' names, None for one that could not be written.

        A name that was given once never comes back for another picture: phones keep what they have seen.
        """
        names: list[str | None] = []
        with self._lock:
            first = len(list(self.folder.glob(f"{stem}-*.jpg")))
            for index, box in enumerate(boxes, first):
                name = f"{stem}-{index}.jpg"
                try:
                    self._write(stem, name, self._jpeg(_die(image, box)))
                except (OSError, ValueError):
                    names.append(None)
                else:
                    names.append(name)
        return names

    def image(self, stem: str) -> Image | None:
        """Return the kept photograph with this stem, None when it is not there (any more)."""
        import cv2

        image = cv2.imread(str(self.folder / f"{stem}.jpg")) if _STEM.fullmatch(stem) else None
        return None if image is None else cast(Image, image)

    def link(self, stem: str, turn: int, facts: Mapping[str, Any]) -> None:
        """Note that the photograph belongs to the event number `turn`; `facts` says what was read and confirmed."""
        with self._lock:
            self._index()
            text = json.dumps({"turn": turn, **facts}, ensure_ascii=False, sort_keys=True)
            self._write(stem, f"{stem}.json", text.encode())
            self._of_turn[turn] = stem

    def of_turn(self, turn: int) -> str | None:
        """Return the file's name of the photograph of the event number `turn`, None when there is none (any more)."""
        with self._lock:
            # A folder that cannot be read has none; the table must not stop for that.
            with contextlib.suppress(OSError):
                self._index()
            stem = self._of_turn.get(turn)
        return None if stem is None else f"{stem}.jpg"

    def forget(self, turns: Collection[int]) -> None:
        """Delete the photographs of these turns, as far as they are there."""
        with self._lock, contextlib.suppress(OSError):
            self._index()
            for stem in {self._of_turn[turn] for turn in turns if turn in self._of_turn}:
                self._drop(stem)

    def _index(self) -> dict[str, int]:
        """Return the bytes of each photograph with its dice, by stem; read from the disk once."""
        if self._sizes is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._sizes = {}
            for entry in os.scandir(self.folder):
                match = _STEM.match(entry.name)
                if match is None:
                    continue
                if entry.name.endswith(HALF):
                    # Power went while it was written.
                    with contextlib.suppress(OSError):
                        os.unlink(entry.path)
                    continue
                stem = match.group(0)
                self._sizes[stem] = self._sizes.get(stem, 0) + entry.stat().st_size
                if entry.name == f"{stem}.json":
                    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
                        self._of_turn[int(json.loads(Path(entry.path).read_text())["turn"])] = stem
        return self._sizes

    def _jpeg(self, image: Image) -> bytes:
        import cv2

        done, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        if not done:
            raise ValueError("this picture cannot be written as JPEG")
        return coded.tobytes()

    def _write(self, stem: str, name: str, content: bytes) -> None:
        """Write a file at once or not at all."""
        path = self.folder / name
        half = path.with_suffix(path.suffix + HALF)
        try:
            half.write_bytes(content)
            half.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                half.unlink()
            raise
        assert self._sizes is not None
        self._sizes[stem] = self._sizes.get(stem, 0) + len(content)

    def _prune(self, spare: str = "") -> None:
        """Drop the oldest photographs until the rest fits and the disk has its reserve; `spare` stays in any case."""
        assert self._sizes is not None
        total = sum(self._sizes.values())
        excess = max(total - self.bytes, RESERVE - shutil.disk_usage(self.folder).free)
        for stem in sorted(self._sizes, key=lambda stem: int(stem.split("-")[0])):
            if excess <= 0 or stem == spare:
                return
            excess -= self._sizes[stem]
            self._drop(stem)

    def _drop(self, stem: str) -> None:
        assert self._sizes is not None
        for path in self.folder.glob(f"{stem}*"):
            with contextlib.suppress(OSError):
                path.unlink()
        del self._sizes[stem]
        self._of_turn = {turn: kept for turn, kept in self._of_turn.items() if kept != stem}


def stem_of(address: str) -> str:
    """Return the stem of the photograph at an address that the page serves."""
    return address.removeprefix(PHOTO_URL).removesuffix(".jpg")


def _reduced(image: Image, longest: int) -> Image:
    import cv2

    height, width = image.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1:
        return image
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def _die(image: Image, box: Box) -> Image:
    """Return the die's square of the picture with a margin, enlarged or reduced to `CROP` pixels."""
    import cv2

    height, width = image.shape[:2]
    x, y, w, h = box
    half = max(w, h) * (0.5 + _MARGIN)
    left, top = int(max(0, x + w / 2 - half)), int(max(0, y + h / 2 - half))
    right, bottom = int(min(width, x + w / 2 + half)), int(min(height, y + h / 2 + half))
    if right <= left or bottom <= top:
        raise ValueError("the box lies outside the picture")
    crop = image[top:bottom, left:right]
    scale = CROP / max(crop.shape[:2])
    size = (max(1, round(crop.shape[1] * scale)), max(1, round(crop.shape[0] * scale)))
    return cv2.resize(crop, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)  # type: ignore[return-value]
