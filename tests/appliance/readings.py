"""Reads photographs and writes what was read, to be compared between processors.

`python -m tests.appliance.readings FOLDER OUT.jsonl [--most N]` goes on where an earlier run ended;
`python -m tests.appliance.readings --compare ONE.jsonl OTHER.jsonl` says where two differ.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import math
import platform
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tests.appliance.release import ROOT

NEAR = 2e-2
"""Chances that differ by no more are the same: kernels add up in another order."""
GUESS = 0.6
"""What is less sure than this is a guess."""
SHIFT = 1.0
"""Pixels by which boxes may differ."""


def chosen(folder: Path, most: int) -> list[Path]:
    """Return `most` photographs of all labelled sets below `folder` in turn, those with the fewest dice first."""
    sets = []
    for labels in sorted(folder.rglob("labels.csv")):
        with labels.open(newline="", encoding="utf-8-sig") as lines:
            count = Counter(row["image"] for row in csv.DictReader(lines))
        photos = [
            labels.parent / "images" / name for name, _ in sorted(count.items(), key=lambda one: (one[1], one[0]))
        ]
        sets.append([photo for photo in photos if photo.is_file()])
    found: list[Path] = []
    for turn in range(max(map(len, sets), default=0)):
        # A few near-equal frames of one scene follow each other in some sets.
        found += [photos[min(turn * 7, len(photos) - 1)] for photos in sets]
    unique = list(dict.fromkeys(found))
    return unique[:most] or sorted(folder.glob("*.jp*g"))[:most]


def identity() -> str:
    """Return what changes with anything that a reading is made by: code, models and their cards."""
    found = hashlib.sha256()
    for pattern in ("vision/*.py", "models/*.onnx", "models/*.json"):
        for file in sorted(ROOT.glob(pattern)):
            found.update(file.name.encode() + file.read_bytes())
    return found.hexdigest()[:16]


def read(photos: list[Path], out: Path) -> None:
    """Read the photographs that `out` does not have yet from this very reader; a line of JSON each."""
    reader_id = identity()
    kept = [line for line in lines_of(out) if line.get("reader") == reader_id] if out.exists() else []
    out.write_text("".join(json.dumps(line) + "\n" for line in kept), encoding="utf-8")
    known = {line["photo"] for line in kept}
    began = time.monotonic()
    from vision.photo import load_photo
    from vision.reader import Reader

    reader = Reader(threads=1)
    print(f"{platform.machine()}: the models are loaded after {time.monotonic() - began:.1f} s", flush=True)
    for number, photo in enumerate(photos, 1):
        name = f"{photo.parent.parent.name}/{photo.name}"
        if name in known:
            continue
        began = time.monotonic()
        image, _ = load_photo(photo)
        reading = reader.read(image).as_json()
        line = {
            "photo": name,
            "reader": reader_id,
            "machine": platform.machine(),
            "seconds": round(time.monotonic() - began, 3),
            "dice": reading["dice"],
        }
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        print(f"{number}/{len(photos)} {name}: {len(reading['dice'])} dice, {line['seconds']} s", flush=True)


def differences(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> dict[str, Any]:
    """Return how two sets of readings differ: how much was read in both, and a sentence for each difference.

    Dice that are doubtful in both are asked about in any case, and a colour that is hardly more than a guess is one of
    a bag that holds no such colour: what is guessed there is told by itself.
    """
    others = {line["photo"]: line for line in other}
    different, guessed, dice, chance, shift = [], [], 0, 0.0, 0.0
    both = [line for line in one if line["photo"] in others]
    for line in both:
        there = others[line["photo"]]["dice"]
        if len(there) != len(line["dice"]):
            different.append(f"{line['photo']}: {len(line['dice'])} dice and {len(there)}")
            continue
        for at, (first, second) in enumerate(zip(line["dice"], there, strict=True)):
            dice += 1
            doubtful = first["state"] == second["state"] != "read"
            if first["state"] != second["state"]:
                different.append(f"{line['photo']}, die {at}: {first['state']} and {second['state']}")
            for field, sure in first["confidence"].items():
                also = second["confidence"][field]
                open_question = doubtful or max(sure, also) < GUESS
                if first[field] != second[field]:
                    ways = f"{field} {first[field]} ({sure}) and {second[field]} ({also})"
                    said = f"{line['photo']}, die {at}: {ways}"
                    (guessed if open_question else different).append(said)
                if not open_question:
                    # What is no number at all differs from every number.
                    chance = max(chance, math.inf if math.isnan(sure - also) else abs(sure - also))
            if doubtful:
                continue
            shift = max(shift, *(abs(a - b) for a, b in zip(first["box"], second["box"], strict=True)))
    if chance > NEAR:
        different.append(f"chances of sure dice differ by up to {chance:.3g}")
    if shift > SHIFT:
        different.append(f"boxes of sure dice differ by up to {shift:.2f} pixels")
    return {
        "photographs": len(both),
        "dice": dice,
        "chances of sure dice differ by at most": float(f"{chance:.2g}"),
        "boxes of sure dice differ by at most, pixels": float(f"{shift:.2g}"),
        "doubtful or guessed in both, and otherwise": guessed,
        "different": different,
    }


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.appliance.readings", description=__doc__)
    parser.add_argument("paths", type=Path, nargs=2)
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--most", type=int, default=20)
    asked = parser.parse_args()
    first, second = asked.paths
    if asked.compare:
        found = differences(lines_of(first), lines_of(second))
        print(json.dumps(found, indent=1))
        return 1 if found["different"] or not found["photographs"] else 0
    read(chosen(first, asked.most), second)
    return 0


if __name__ == "__main__":
    sys.exit(main())
