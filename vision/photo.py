"""Opening a photograph: any file or bytes in, an upright BGR picture or a clear sentence out."""

from __future__ import annotations

import stat
import struct
import time
from pathlib import Path

import cv2
import numpy as np

from engine.words import say

MOST_PIXELS = 100_000_000
"""A picture with so many pixels is refused before it is decoded: it would fill a small computer's memory."""

MOST_WHOLE = 25_000_000
"""A JPEG with more pixels is opened at half its width and height, in a quarter of the memory (six bytes a pixel are
held at once); other kinds have no such way and are refused."""

MOST_BYTES = 200_000_000
"""A file larger than this is no photograph that a camera made."""

MOST_PARTS = 100_000
"""Segments of a JPEG, or chunks of a PNG, that are looked at; no picture comes near it, and millions take long."""


class PhotoError(ValueError):
    """A file that cannot be read as a photograph; `message` is a sentence for people."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def load_photo(source: Path | str | bytes, *, most: int = MOST_PIXELS) -> tuple[np.ndarray, float]:
    """Return the photograph as people see it (BGR uint8, EXIF orientation applied) and the milliseconds it took.

    `source` is a file or the bytes of one: JPEG, PNG, WebP or BMP. A JPEG of more than `MOST_WHOLE` pixels comes at
    half its width and height. Raises `PhotoError` for a file that is missing, empty, no picture, cut short, or of
    `most` pixels or more (of another kind than JPEG: `MOST_WHOLE`); the size is taken from the header, before anything
    is decoded.
    """
    began = time.perf_counter()
    if isinstance(source, (bytes, bytearray, memoryview)):
        name, packed = say("The photograph"), bytes(source)
    else:
        name, packed = say("The photograph {name}", name=Path(source).name), _bytes_of(Path(source))
    if not packed:
        raise PhotoError(
            say(
                "{photo} is empty. The game is as it was. Take another photograph, or enter the dice by hand.",
                photo=name,
            )
        )
    kind = _kind(packed)
    if kind is None and (other := _unread(packed)) is not None:
        raise PhotoError(
            say(
                "{photo} is a {kind} picture, a kind that is not read here. The game is as it was. "
                "Send a photograph as JPEG, PNG or WebP, as the camera of a phone makes it.",
                photo=name,
                kind=other,
            )
        )
    if kind is None:
        raise PhotoError(
            say(
                "{photo} is no picture that can be read. The game is as it was. Send a JPEG, PNG or WebP picture.",
                photo=name,
            )
        )
    size = _SIZES[kind](packed)
    most = most if kind == "jpeg" else min(most, MOST_WHOLE)
    if size is not None and size[0] * size[1] >= most:
        raise PhotoError(
            say(
                "{photo} is too large: {width} x {height} pixels, and it must have less than {most} megapixels. "
                "The game is as it was. Send a smaller picture.",
                photo=name,
                width=size[0],
                height=size[1],
                most=most // 1_000_000,
            )
        )
    if not _WHOLE[kind](packed):
        raise PhotoError(
            say(
                "{photo} is cut short: its end is missing. The game is as it was. "
                "Take another photograph, or enter the dice by hand.",
                photo=name,
            )
        )
    try:
        # What does not tell its size is not decoded: nobody knows how much memory it would take.
        image = None if size is None else cv2.imdecode(np.frombuffer(packed, np.uint8), _how(size))
    except cv2.error:
        image = None
    if image is None:
        raise PhotoError(
            say(
                "{photo} is damaged and cannot be read. The game is as it was. "
                "Take another photograph, or enter the dice by hand.",
                photo=name,
            )
        )
    return image, (time.perf_counter() - began) * 1000


def _how(size: tuple[int, int]) -> int:
    return cv2.IMREAD_REDUCED_COLOR_2 if size[0] * size[1] > MOST_WHOLE else cv2.IMREAD_COLOR


def _bytes_of(path: Path) -> bytes:
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise IsADirectoryError
        if not stat.S_ISREG(about.st_mode):
            raise PhotoError(say("{path} is no file. The game is as it was. Name a picture.", path=path))
        if about.st_size > MOST_BYTES:
            raise PhotoError(
                say(
                    "The photograph {path} is too large: {mb} MB. The game is as it was. Send a smaller picture.",
                    path=path,
                    mb=about.st_size // 1_000_000,
                )
            )
        return path.read_bytes()
    except FileNotFoundError as error:
        message = say("There is no photograph {path}. The game is as it was. Check the name.", path=path)
        raise PhotoError(message) from error
    except IsADirectoryError as error:
        message = say("{path} is a folder, not a photograph. The game is as it was. Name a picture in it.", path=path)
        raise PhotoError(message) from error
    except OSError as error:
        message = say(
            "The photograph {path} cannot be opened ({why}). The game is as it was. "
            "Take another photograph, or enter the dice by hand.",
            path=path,
            why=error.strerror or error,
        )
        raise PhotoError(message) from error


def _kind(packed: bytes) -> str | None:
    if packed.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if packed.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if packed[:4] == b"RIFF" and packed[8:12] == b"WEBP":
        return "webp"
    if packed.startswith(b"BM"):
        return "bmp"
    return None


def _unread(packed: bytes) -> str | None:
    """Return what people call a kind of picture that is known and not read."""
    if packed.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    if packed.startswith((b"II*\0", b"MM\0*")):
        return "TIFF"
    if packed[4:8] == b"ftyp":
        return {b"heic": "HEIC", b"heix": "HEIC", b"mif1": "HEIC", b"avif": "AVIF"}.get(packed[8:12])
    return None


_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_BARE = frozenset((0x01, *range(0xD0, 0xD9)))


def _jpeg_size(packed: bytes) -> tuple[int, int] | None:
    """Return width and height from the first frame header (ITU-T T.81, B.2.2)."""
    for marker, start, length in _jpeg_segments(packed):
        if marker in _FRAMES and length >= 7 and start + 7 <= len(packed):
            height, width = struct.unpack_from(">HH", packed, start + 3)
            return (width, height) if width and height else None
    return None


def _jpeg_segments(packed: bytes, at: int = 2) -> list[tuple[int, int, int]]:
    """Return (marker, start, length) of each segment up to and including the first scan's header (T.81, B.1.1)."""
    segments: list[tuple[int, int, int]] = []
    for _ in range(MOST_PARTS):
        if at + 4 > len(packed) or packed[at] != 0xFF:
            break
        marker = packed[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker in _BARE:
            at += 2
            continue
        if marker == 0xD9:
            break
        (length,) = struct.unpack_from(">H", packed, at + 2)
        segments.append((marker, at + 2, length))
        if marker == 0xDA:
            break
        at += 2 + length
    return segments


def _jpeg_whole(packed: bytes) -> bool:
    """Return whether the picture's own end marker is there (that of an embedded thumbnail doesn't count)."""
    segments = _jpeg_segments(packed)
    if not segments or segments[-1][0] != 0xDA:
        return False
    return packed.find(b"\xff\xd9", segments[-1][1] + segments[-1][2]) >= 0


def _png_size(packed: bytes) -> tuple[int, int] | None:
    if len(packed) < 24 or packed[12:16] != b"IHDR":
        return None
    width, height = struct.unpack_from(">II", packed, 16)
    return (width, height) if width and height else None


def _png_whole(packed: bytes) -> bool:
    at = 8
    for _ in range(MOST_PARTS):
        if at + 12 > len(packed):
            break
        (length,) = struct.unpack_from(">I", packed, at)
        if packed[at + 4 : at + 8] == b"IEND":
            return True
        at += 12 + length
    return False


def _webp_size(packed: bytes) -> tuple[int, int] | None:
    """Return width and height from the first chunk: VP8X, VP8L or VP8 (RFC 9649)."""
    kind = packed[12:16]
    if kind == b"VP8X" and len(packed) >= 30:
        width, height = int.from_bytes(packed[24:27], "little") + 1, int.from_bytes(packed[27:30], "little") + 1
        return width, height
    if kind == b"VP8L" and len(packed) >= 25:
        bits = int.from_bytes(packed[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and len(packed) >= 30:
        width, height = struct.unpack_from("<HH", packed, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _webp_whole(packed: bytes) -> bool:
    return len(packed) >= 8 + int(struct.unpack_from("<I", packed, 4)[0])


def _bmp_size(packed: bytes) -> tuple[int, int] | None:
    if len(packed) < 26:
        return None
    width, height = struct.unpack_from("<ii", packed, 18)
    return (width, abs(height)) if width > 0 and height else None


def _bmp_whole(packed: bytes) -> bool:
    return len(packed) >= int(struct.unpack_from("<I", packed, 2)[0]) if len(packed) >= 6 else False


_SIZES = {"jpeg": _jpeg_size, "png": _png_size, "webp": _webp_size, "bmp": _bmp_size}
_WHOLE = {"jpeg": _jpeg_whole, "png": _png_whole, "webp": _webp_whole, "bmp": _bmp_whole}
