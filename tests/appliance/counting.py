"""What a reading costs a Pi's processor in instructions: `python -m tests.appliance.counting --cache FOLDER`.

A roll of twelve dice and an empty table are read on an emulated aarch64 under QEMU's user emulation, whose plugin
counts. Each is read once, then three times: half of the difference is one reading, without start and loading.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

from engine.dice import Shape
from engine.game import Expectation
from tests.appliance.rolls import Rolls

PLUGIN = Path(__file__).with_name("instructions.c")
TWELVE = {"red": 3, "yellow": 3, "green": 3, "blue": 3, "white": 3, "black": 3}

READ = """
import json, sys, cv2
from vision.reader import Reader
reader, picture = Reader(threads=1), cv2.imread(sys.argv[1])
reader.read(picture)
for _ in range(int(sys.argv[2])):
    seen = reader.read(picture)
print(len(seen.dice))
"""
NETWORKS = """
import sys, numpy as np
from vision.detect import models_folder, open_session
given = {"detector": ("picture", (1, 386, 578, 3), np.uint8), "pose": ("crops", (12, 64, 64, 3), np.uint8),
         "marks": ("patches", (12, 3, 40, 40), np.float32), "colour": ("crops", (12, 32, 32, 3), np.uint8)}
runs = [(open_session(name, models_folder(), 1), {feed: np.full(shape, 90, kind)})
        for name, (feed, shape, kind) in given.items()]
for _ in range(1 + int(sys.argv[2])):
    for session, feed in runs:
        session.run(None, feed)
"""


def instructions(qemu: Path, plugin: Path, root: Path, script: str, *arguments: str) -> int:
    """Return how many instructions a Python script of the aarch64 system executes."""
    command = [str(qemu), "-L", str(root), "-E", "PYTHONPATH=/work", "-E", "OMP_NUM_THREADS=1", "-plugin", str(plugin)]
    program = [str(root / "venv" / "bin" / "python3"), "-c", script, *arguments]
    done = subprocess.run([*command, *program], capture_output=True, text=True, check=True, cwd=root / "work")
    counted = re.search(r"instructions: (\d+)", done.stderr)
    assert counted is not None, done.stderr
    return int(counted[1])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.appliance.counting", description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="the lab's cache, where arm64 has run")
    parser.add_argument("--qemu", type=Path, default=Path("/usr/bin/qemu-aarch64"), help="of the package qemu-user")
    asked = parser.parse_args()
    root = asked.cache.resolve() / "arm64"
    rolls = Rolls(7)
    with tempfile.TemporaryDirectory(dir=root / "work") as name:
        folder = Path(name)
        plugin = folder / "instructions.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", str(plugin), str(PLUGIN)], check=True)
        (folder / "roll.jpg").write_bytes(rolls.next(Expectation({Shape.D6: 12}, TWELVE)).jpeg)
        (folder / "empty.jpg").write_bytes(rolls.empty())
        found = {}
        for what, script, picture in (
            ("a reading of twelve dice", READ, "roll"),
            ("its networks alone", NETWORKS, "roll"),
            ("a reading of an empty table", READ, "empty"),
        ):
            path = f"/work/{folder.name}/{picture}.jpg"
            once, thrice = (instructions(asked.qemu, plugin, root, script, path, count) for count in ("1", "3"))
            found[what] = (thrice - once) // 2
            print(f"{what}: {found[what] / 1e6:.0f} million instructions", flush=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
