"""A printed sheet of four ArUco markers: whole it shows how the camera stands, cut apart it frames the tray as well."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera.base import Image

Points = NDArray[np.float64]

PAGE_MM = (210.0, 297.0)
"""A4. What is printed keeps clear of the edges of US Letter as well."""

MARKER_MM = 40.0
BORDER_MM = 8.0
"""White round a marker, without which it is not found: each is cut out with it."""

SPAN_MM = (186.0, 256.0)
"""From the outer edge of one cut-out piece to that of the one opposite."""

IDS = (0, 1, 2, 3)
"""The markers' numbers, clockwise from the upper left."""

_CELLS = 6
"""Cells of a marker of 4 x 4 with its black rim."""

_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)

_TITLE = "Jurado: markers for the camera. Print at 100 %, not fitted to the page."
_USE = (
    "Lay the sheet flat under the camera. Or cut the squares out along the lines and put one into each corner "
    "of the tray."
)
_RULER = "This line is 100 mm long."


@dataclass(frozen=True, slots=True)
class Framed:
    """What markers tell: the `corners` (4, 2; pixels) of a rectangle on the table, clockwise in the picture, its `size`
    in mm (the side after the first corner, then the next), and whether it is the `whole` sheet.
    """

    corners: Points
    size: tuple[float, float]
    whole: bool


def framed(image: Image) -> Framed | None:
    """Return what the four markers in a picture (BGR) tell; None unless all of them are seen.

    The pieces may lie in any order and turned by quarters; each lies with two edges along the rectangle's own.
    """
    found = _found(image)
    if found is None:
        return None
    middles = found.mean(axis=1)
    middle = middles.mean(axis=0)
    # Clockwise in the picture (y runs down), beginning at the upper left.
    order = np.argsort(np.arctan2(*(middles - middle).T[::-1]))
    begin = int(np.argmin(middles[order].sum(axis=1)))
    pieces = found[np.roll(order, -begin)]
    outer = np.array([piece[np.argmax(np.linalg.norm(piece - middle, axis=1))] for piece in pieces])
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_unit = cv2.getPerspectiveTransform(outer.astype(np.float32), unit)
    flat = cv2.perspectiveTransform(pieces.reshape(-1, 1, 2).astype(np.float32), to_unit).reshape(4, 4, 2)
    extents = np.ptp(flat, axis=1).mean(axis=0)
    if not (extents > 1e-3).all() or not (extents < 0.5).all():
        return None
    wide, deep = (float(MARKER_MM / extent) for extent in extents)
    grown = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (BORDER_MM / wide, BORDER_MM / deep) + unit
    back = cv2.getPerspectiveTransform(unit, outer.astype(np.float32))
    corners = cv2.perspectiveTransform(grown[:, None].astype(np.float32), back)[:, 0].astype(float)
    size = (wide + 2 * BORDER_MM, deep + 2 * BORDER_MM)
    whole = any(np.allclose(size, sheet, rtol=0.04) for sheet in (SPAN_MM, SPAN_MM[::-1]))
    return Framed(corners, size, whole)


def _found(image: Image) -> Points | None:
    """Return the corners (4 markers, 4 corners, 2), None unless all four markers are seen."""
    corners, ids, _ = cv2.aruco.ArucoDetector(_DICTIONARY).detectMarkers(image)
    if ids is None:
        return None
    # OpenCV 4 wraps numbers and corners into one more dimension than OpenCV 5 does.
    known = {int(one): np.asarray(four, float).reshape(4, 2) for one, four in zip(np.ravel(ids), corners, strict=True)}
    return np.array([known[one] for one in IDS]) if set(IDS) <= set(known) else None


def _pieces() -> list[tuple[float, float]]:
    """Return the upper left corner of each cut-out piece in mm from that of the page."""
    side = MARKER_MM + 2 * BORDER_MM
    left, top = ((page - span) / 2 for page, span in zip(PAGE_MM, SPAN_MM, strict=True))
    right, bottom = left + SPAN_MM[0] - side, top + SPAN_MM[1] - side
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def _black(number: int) -> list[tuple[int, int]]:
    """Return the black cells (column, row) of a marker."""
    cells = cv2.aruco.generateImageMarker(_DICTIONARY, number, _CELLS)
    return [(int(x), int(y)) for y, x in np.argwhere(cells == 0)]


def sheet_png(dots_per_inch: int = 200) -> bytes:
    """Return the sheet as a PNG picture."""
    scale = dots_per_inch / 25.4
    page = np.full((round(PAGE_MM[1] * scale), round(PAGE_MM[0] * scale)), 255, np.uint8)
    for number, (x, y) in zip(IDS, _pieces(), strict=True):
        side = MARKER_MM + 2 * BORDER_MM
        outline = [round(edge * scale) for edge in (x, y, x + side, y + side)]
        cv2.rectangle(page, (outline[0], outline[1]), (outline[2], outline[3]), 190, 1)
        marker = cv2.aruco.generateImageMarker(_DICTIONARY, number, round(MARKER_MM * scale))
        left, top = round((x + BORDER_MM) * scale), round((y + BORDER_MM) * scale)
        page[top : top + marker.shape[0], left : left + marker.shape[1]] = marker
    for line, text in enumerate((_TITLE, *_broken(_USE), _RULER)):
        place = (round(30 * scale), round((120 + 8 * line) * scale))
        cv2.putText(
            page, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale * 0.11, 0, max(1, round(scale * 0.15)), cv2.LINE_AA
        )
    ruler = round(170 * scale)
    cv2.line(page, (round(55 * scale), ruler), (round(155 * scale), ruler), 0, max(1, round(scale * 0.3)))
    _, coded = cv2.imencode(".png", page)
    return _with_resolution(coded.tobytes(), dots_per_inch)


def sheet_pdf() -> bytes:
    """Return the sheet as a PDF page of the right size, in lines and rectangles."""
    point = 72 / 25.4
    height = PAGE_MM[1]
    drawn = ["0.7 G 0.3 w"]
    side = MARKER_MM + 2 * BORDER_MM
    for x, y in _pieces():
        drawn.append(_rectangle(x, height - y - side, side, side, "S"))
    drawn.append("0 g 0 G")
    cell = MARKER_MM / _CELLS
    for number, (x, y) in zip(IDS, _pieces(), strict=True):
        for column, row in _black(number):
            left, top = x + BORDER_MM + column * cell, y + BORDER_MM + row * cell
            drawn.append(_rectangle(left, height - top - cell, cell, cell, "f"))
    for line, text in enumerate((_TITLE, *_broken(_USE), _RULER)):
        drawn.append(f"BT /F1 9 Tf {30 * point:.2f} {(height - 120 - 7 * line) * point:.2f} Td ({text}) Tj ET")
    drawn.append(
        f"1 w {55 * point:.3f} {(height - 170) * point:.3f} m {155 * point:.3f} {(height - 170) * point:.3f} l S"
    )
    content = "\n".join(drawn).encode("ascii")
    media = " ".join(f"{edge * point:.3f}" for edge in PAGE_MM)
    return _pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {media}] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
    )


def _rectangle(x: float, y: float, wide: float, high: float, paint: str) -> str:
    point = 72 / 25.4
    return f"{x * point:.3f} {y * point:.3f} {wide * point:.3f} {high * point:.3f} re {paint}"


def _pdf(objects: Sequence[bytes]) -> bytes:
    """Return a PDF file of these objects, the first of which is its catalogue."""
    out, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (count, table, count, len(out))
    )


def _with_resolution(png: bytes, dots_per_inch: int) -> bytes:
    """Return a PNG that says how large it is to be printed: a pHYs chunk after the header."""
    per_metre = round(dots_per_inch / 0.0254).to_bytes(4, "big")
    body = b"pHYs" + per_metre * 2 + b"\x01"
    chunk = (9).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    return png[:33] + chunk + png[33:]


def _broken(text: str, width: int = 76) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width)
