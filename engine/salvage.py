"""Rows of a SQLite file that SQLite can no longer find its way through: each page that holds rows is read by itself.

What a tree of pages says of where rows lie is not asked, so that a damaged root or a lost page hides only its own.
After https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6, 2.1 and 4.1.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

Value = int | float | str | bytes | None

PAGE = 4096
"""Bytes of a page where the head of the file does not tell."""

_LEAF = 13
"""First byte of a page that holds rows of a table."""

_HEAD = 100
"""Bytes before the first page's own content."""

_WAL_HEAD, _FRAME_HEAD = 32, 24
"""Bytes at the beginning of a write-ahead log, and before each page in it."""


def rows(path: Path) -> Iterator[tuple[Value, ...]]:
    """Yield what may be rows of the file's tables: the row's number, then its columns; newer pages first, so that a row
    may come more than once.

    Nothing tells whether they are as they were written: whoever asks has to check them. Raises `OSError`.
    """
    content = path.read_bytes()
    log = path.with_name(path.name + "-wal")
    logged = log.read_bytes() if log.exists() else b""
    size = _page_size(content)
    known = {at + 1: content[at * size : (at + 1) * size] for at in range(-(-len(content) // size))}
    newer = list(_frames(logged, size))
    pages = {**known, **dict(newer)}
    for number, page in (*reversed(newer), *known.items()):
        yield from _rows_of(page, _HEAD if number == 1 else 0, size, pages)


def _page_size(content: bytes) -> int:
    told = int.from_bytes(content[16:18], "big")
    size = 65536 if told == 1 else told
    return size if 512 <= size <= 65536 and size.bit_count() == 1 else PAGE


def _frames(log: bytes, size: int) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of the pages in a write-ahead log, up to the last that was committed."""
    step, salt = _FRAME_HEAD + size, log[16:24]
    begun: list[tuple[int, bytes]] = []
    for at in range(_WAL_HEAD, len(log) - step + 1, step):
        head = log[at : at + _FRAME_HEAD]
        if head[8:16] != salt:
            return  # of an earlier log in the same file
        begun.append((int.from_bytes(head[:4], "big"), log[at + _FRAME_HEAD : at + step]))
        if int.from_bytes(head[4:8], "big"):
            yield from begun
            begun.clear()


def _rows_of(page: bytes, start: int, size: int, pages: Mapping[int, bytes]) -> Iterator[tuple[Value, ...]]:
    if page[start : start + 1] != bytes([_LEAF]):
        return
    count = int.from_bytes(page[start + 3 : start + 5], "big")
    for at in range(start + 8, min(start + 8 + 2 * count, len(page) - 1), 2):
        with contextlib.suppress(IndexError, ValueError):
            place = int.from_bytes(page[at : at + 2], "big")
            length, place = _varint(page, place)
            number, place = _varint(page, place)
            yield number, *_columns(_payload(page, place, length, size, pages))


def _payload(page: bytes, place: int, length: int, size: int, pages: Mapping[int, bytes]) -> bytes:
    """Return the `length` bytes of a row that begins at `place`, with those that lie on pages of their own."""
    if length > size * len(pages):
        raise ValueError("no row is longer than its file")
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    if length <= most:
        return page[place : place + length]
    here = least + (length - least) % (size - 4)
    here = here if here <= most else least
    parts, left = [page[place : place + here]], length - here
    following = int.from_bytes(page[place + here : place + here + 4], "big")
    while left > 0:
        more = pages.get(following, b"")
        if len(more) < 5:
            raise ValueError("the rest of a row is lost")
        parts.append(more[4 : 4 + min(left, size - 4)])
        left -= size - 4
        following = int.from_bytes(more[:4], "big")
    return b"".join(parts)


def _columns(payload: bytes) -> list[Value]:
    """Return the columns of a row. Raises `IndexError` or `ValueError` where it makes no sense."""
    end, at = _varint(payload, 0)
    place, columns = end, []
    while at < end:
        kind, at = _varint(payload, at)
        column, place = _column(payload, place, kind)
        columns.append(column)
    return columns


def _column(payload: bytes, place: int, kind: int) -> tuple[Value, int]:
    """Return the value of a column of some kind, and where the next one begins."""
    if kind in (0, 8, 9):
        return {0: None, 8: 0, 9: 1}[kind], place
    width = (1, 2, 3, 4, 6, 8, 8)[kind - 1] if kind < 8 else (kind - 12) // 2
    part = payload[place : place + width]
    if len(part) < width or kind in (7, 10, 11):
        raise ValueError("no journal has such a column")
    if kind < 7:
        return int.from_bytes(part, "big", signed=True), place + width
    return part.decode() if kind % 2 else part, place + width


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Return the number of one to nine bytes at a place, and the place after it."""
    value = 0
    for step in range(8):
        byte = content[at + step]
        value = value << 7 | byte & 127
        if byte < 128:
            return value, at + step + 1
    return value << 8 | content[at + 8], at + 9
