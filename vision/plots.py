"""The bench's tables as pictures, drawn with OpenCV: confusion matrices, and how far confidence can be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.confusion import MISSED, Table, columns
from vision.explaining import write_picture
from vision.overlay import Ink, words_width, write_words

PAPER = 255
INK: Ink = (46, 27, 29)
QUIET: Ink = (150, 140, 140)
RIGHT = np.array([120, 160, 60], float)
WRONG = np.array([60, 70, 215], float)
CELL = 56
PANEL = 420
FEW = 20
"""A bin of fewer dice says little, and is drawn in grey."""


def draw_tables(folder: Path, figures: Mapping[str, Any]) -> list[Path]:
    """Write the pictures of `figures` (as the bench returns them) into `folder` and return them. Raises `OSError`.

    `confusion-shape.png`, `confusion-colour.png`, `confusion-value-d6.png`, …, and `reliability.png`; an empty table
    has no picture.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tables: dict[str, Table] = {"shape": figures["confusion"]["shape"], "colour": figures["confusion"]["colour"]}
    tables |= {f"value-{shape}": table for shape, table in figures["confusion"]["value"].items()}
    written = []
    for name, table in tables.items():
        if table:
            written.append(folder / f"confusion-{name}.png")
            write_picture(written[-1], draw_confusion(table, name.replace("value-", "value of ")))
    if any(figures["reliability"].values()):
        written.append(folder / "reliability.png")
        write_picture(written[-1], draw_reliability(figures["reliability"]))
    return written


def draw_confusion(table: Table, title: str) -> np.ndarray:
    """Return a matrix: a row for each label, a column for each reading; the fuller a cell, the larger its share."""
    across = columns(table)
    edge = 36 + round(max(words_width(name, 13) for name in across))
    left, top = edge, 76 + edge
    width, height = left + CELL * len(across) + 24, top + CELL * len(table) + 24
    sheet = np.full((height, max(width, 460), 3), PAPER, np.uint8)
    write_words(sheet, f"{title}: labelled (down), read (across)", 20, 40, 16, INK)
    for column, name in enumerate(across):
        wide = words_width(name, 13)
        if wide < CELL - 6:
            write_words(sheet, name, left + CELL * (column + 0.5) - wide / 2, top - 12, 13, INK)
        else:
            _write_upwards(sheet, name, left + CELL * column + CELL // 2 + 7, top - 10)
    for line, (labelled, row) in enumerate(table.items()):
        y = top + CELL * line
        write_words(sheet, labelled, left - 14 - words_width(labelled, 13), y + CELL / 2 + 6, 13, INK)
        whole = sum(row.values())
        for column, read in enumerate(across):
            x, count = left + CELL * column, row.get(read, 0)
            share = count / whole
            full = RIGHT if read == labelled else np.array([150.0] * 3) if read == MISSED else WRONG
            shade = PAPER + (full - PAPER) * (0.12 + 0.88 * share if count else 0)
            colour = tuple(float(part) for part in shade)
            cv2.rectangle(sheet, (x + 1, y + 1), (x + CELL - 2, y + CELL - 2), colour, -1)
            cv2.rectangle(sheet, (x, y), (x + CELL, y + CELL), (225, 225, 225), 1)
            if count:
                words = str(count)
                letters = 13 if words_width(words, 13) < CELL - 8 else 10
                ink = (255, 255, 255) if share > 0.7 else INK
                at = x + CELL / 2 - words_width(words, letters) / 2
                write_words(sheet, words, at, y + CELL / 2 + letters / 2, letters, ink)
    return sheet


def _write_upwards(sheet: np.ndarray, words: str, left: int, base: int) -> None:
    piece = np.full((22, round(words_width(words, 13)) + 4, 3), PAPER, np.uint8)
    write_words(piece, words, 2, 17, 13, INK)
    turned = cv2.rotate(piece, cv2.ROTATE_90_COUNTERCLOCKWISE)
    x, y = left - 17, base - turned.shape[0]
    sheet[y:base, x : x + turned.shape[1]] = turned


def draw_reliability(bins: Mapping[str, list[dict[str, Any]]]) -> np.ndarray:
    """Return a panel for each field: how often it is right (bar) beside how sure it was said to be (line), per bin."""
    return np.hstack([_panel(field, rows) for field, rows in bins.items() if rows])


def _panel(field: str, rows: list[dict[str, Any]]) -> np.ndarray:
    left, top, floor = 70, 80, 60
    slot = 74
    sheet = np.full((top + PANEL + floor, left + slot * max(len(rows), 5) + 30, 3), PAPER, np.uint8)
    write_words(sheet, f"{field}: right (bar), said (line)", 20, 36, 15, INK)
    right_edge = sheet.shape[1] - 20
    for tick in range(0, 101, 20):
        y = round(top + PANEL * (1 - tick / 100))
        cv2.line(sheet, (left, y), (right_edge, y), (228, 228, 228), 1)
        write_words(sheet, f"{tick}%", left - 12 - words_width(f"{tick}%", 11), y + 5, 11, QUIET)
    for place, row in enumerate(rows):
        x = left + slot * place + 10
        bar, said = (round(top + PANEL * (1 - row[key])) for key in ("right", "confidence"))
        kept = row["right"] >= row["confidence"] - 0.05
        fill = QUIET if row["dice"] < FEW else RIGHT if kept else WRONG
        cv2.rectangle(sheet, (x, bar), (x + slot - 20, top + PANEL), tuple(map(float, fill)), -1)
        cv2.line(sheet, (x - 6, said), (x + slot - 14, said), INK, 4, cv2.LINE_AA)
        middle = x + (slot - 20) / 2
        for words, y, letters, ink in (
            (f"{row['dice']}", min(bar, said) - 10, 11, INK),
            (f"{row['from']:g}", top + PANEL + 20, 11, INK),
            (f"-{row['to']:g}", top + PANEL + 40, 11, INK),
        ):
            write_words(sheet, words, middle - words_width(words, letters) / 2, y, letters, ink)
    return sheet
