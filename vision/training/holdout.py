"""The photographs that training never saw, as folders that `jurado bench` measures."""

from __future__ import annotations

import csv
from pathlib import Path

from vision.training.photos import photographs


def lay_out(photos: Path, target: Path) -> dict[Path, int]:
    """Lay out each set under `photos`, save its training part, in `target`/PART/SET: `images/` (links), `labels.csv`.

    Returns each folder made, with its number of photographs.
    """
    made: dict[Path, list[Path]] = {}
    for photo in photographs(photos):
        if photo.part != "train":
            made.setdefault(target / photo.part / photo.source, []).append(photo.path)
    for folder, pictures in made.items():
        (folder / "images").mkdir(parents=True, exist_ok=True)
        for picture in pictures:
            link = folder / "images" / picture.name
            link.unlink(missing_ok=True)
            link.symlink_to(picture.resolve())
        _keep_labels(photos / folder.name / "labels.csv", folder / "labels.csv", {picture.name for picture in pictures})
    return {folder: len(pictures) for folder, pictures in sorted(made.items())}


def _keep_labels(source: Path, target: Path, names: set[str]) -> None:
    with source.open(newline="", encoding="utf-8-sig") as lines, target.open("w", newline="", encoding="utf-8") as kept:
        rows = csv.DictReader(lines)
        writer = csv.DictWriter(kept, rows.fieldnames or ())
        writer.writeheader()
        writer.writerows(row for row in rows if row["image"] in names)
