"""What a press costs a Pi's processor in instructions: `python -m tests.appliance.counting --cache FOLDER`.

A photograph of twelve dice is pressed, read, and put through the networks alone on an emulated aarch64, under QEMU's
user emulation, of which a plugin counts. Each is done once, then three times: half of the difference is one, without
start and loading.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import cv2

from device.camera.bench import roll
from tests.appliance.foreign import CORE
from tests.appliance.release import ROOT

PLUGIN = Path(__file__).with_name("instructions.c")

PRESS = """
import sys, cv2
from device.camera import bench
pictures = [cv2.imread(name) for name in sys.argv[2:]]
bench.roll = lambda seed: ([pictures[0]] * 3, pictures[1])
bench.WAYS = {"one photograph": bench.WAYS["one photograph"]}
(press, *_) = bench.measure(rounds=int(sys.argv[1]), threads=1)["one photograph"]
print(press.dice, "dice")
"""
READ = """
import sys, cv2
from device.camera.bench import TWELVE
from vision.reader import Reader
reader, picture = Reader(threads=1), cv2.imread(sys.argv[2])
for _ in range(1 + int(sys.argv[1])):
    seen = reader.read(picture, expects=TWELVE)
print(len(seen.dice), "dice")
"""
NETWORKS = """
import sys, numpy as np
from vision.detect import models_folder, open_session
given = {"detector": ("picture", (1, 386, 578, 3), np.uint8), "pose": ("crops", (12, 64, 64, 3), np.uint8),
         "marks": ("patches", (12, 3, 40, 40), np.float32), "colour": ("crops", (12, 32, 32, 3), np.uint8)}
runs = [(open_session(name, models_folder(), 1), {feed: np.full(shape, 90, kind)})
        for name, (feed, shape, kind) in given.items()]
for _ in range(1 + int(sys.argv[1])):
    for session, feed in runs:
        session.run(None, feed)
"""


def instructions(qemu: Path, plugin: Path, root: Path, script: str, *arguments: str) -> int:
    """Return how many instructions a Python script of the aarch64 system executes."""
    command = [
        str(qemu),
        "-cpu",
        CORE,
        "-L",
        str(root),
        "-E",
        "PYTHONPATH=/work",
        "-E",
        "OMP_NUM_THREADS=1",
        "-plugin",
        str(plugin),
    ]
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
    for room in ("engine", "vision", "models", "device", "webui"):
        shutil.copytree(ROOT / room, root / "work" / room, dirs_exist_ok=True)
    with tempfile.TemporaryDirectory(dir=root / "work") as name:
        folder = Path(name)
        plugin = folder / "instructions.so"
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", str(plugin), str(PLUGIN)], check=True)
        (rolled, *_), empty = roll(7)
        for picture, file in ((rolled, "roll.png"), (empty, "empty.png")):
            cv2.imwrite(str(folder / file), picture)
        pictures = [f"/work/{folder.name}/{file}" for file in ("roll.png", "empty.png")]
        found = {}
        for what, script in (("a press", PRESS), ("its reading", READ), ("its networks", NETWORKS)):
            once, thrice = (instructions(asked.qemu, plugin, root, script, count, *pictures) for count in ("1", "3"))
            found[what] = (thrice - once) // 2
            print(f"{what}: {found[what] / 1e6:.0f} million instructions", flush=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
