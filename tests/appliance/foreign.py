"""The processor that a Pi has: the same wheels, the same models, the same readings, emulated."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.appliance.bench import Bench
from tests.appliance.readings import chosen, differences, lines_of, read
from tests.appliance.release import ROOT

PHOTOS = 20
CORE = "cortex-a72"
"""The core that is emulated: a Pi 4's. With all that QEMU has (`max`: SVE and SME, which no Pi has) OpenCV's warps give
other pictures, and NaN among them."""


def arm64(bench: Bench) -> None:
    """Read photographs here and on an emulated aarch64, and hold the readings against each other."""
    report = bench.report
    if bench.photos is None:
        raise FileNotFoundError("The readings need photographs: name their folder with --photos.")
    root = bench.lab.cache / "arm64"
    if not (root / "venv" / "bin" / "python3").exists():
        report.say("making the aarch64 system and its wheels; this takes some ten minutes")
        bench.lab.script("arm64-check.sh")
    photos = chosen(bench.photos, PHOTOS)
    here, there = bench.work / "x86_64.jsonl", root / "work" / f"{CORE}.jsonl"
    read(photos, here)
    for name in ("engine", "vision", "models", "tests/appliance"):
        shutil.copytree(ROOT / name, root / "work" / name, dirs_exist_ok=True)
    for photo in photos:
        target = root / "work" / "photos" / photo.parent.parent.name / "images" / photo.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(photo, target)
    wanted = root / "work" / "photos.json"
    names = [f"photos/{photo.parent.parent.name}/images/{photo.name}" for photo in photos]
    wanted.write_text(json.dumps(names), encoding="utf-8")
    run = (
        "import json; from pathlib import Path; from tests.appliance.readings import read; "
        f"read([Path(name) for name in json.loads(Path('photos.json').read_text())], Path('{CORE}.jsonl'))"
    )
    with mounted(root):
        system = ["chroot", str(root), "/usr/bin/env", "-i", "-C", "/work", f"QEMU_CPU={CORE}"]
        command = [*system, "PATH=/usr/bin:/bin", "HOME=/root"]
        subprocess.run([*command, "/venv/bin/python3", "-c", run], check=True, stdout=sys.stdout)
    kept = bench.work / there.name
    shutil.copy(there, kept)
    found = differences(lines_of(here), lines_of(kept))
    report.holds("the readings on aarch64 are those on x86-64", not found["different"], found)
    slower = sum(line["seconds"] for line in lines_of(kept)) / sum(line["seconds"] for line in lines_of(here))
    report.figure("emulated, it takes so many times as long", round(slower))


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """Have /proc and /dev in another system's root meanwhile."""
    subprocess.run(["mount", "-t", "proc", "proc", str(root / "proc")], check=True)
    subprocess.run(["mount", "--bind", "/dev", str(root / "dev")], check=True)
    try:
        yield
    finally:
        for name in ("dev", "proc"):
            subprocess.run(["umount", "-l", str(root / name)], check=False)
