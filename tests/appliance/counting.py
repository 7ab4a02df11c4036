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
from pathlib import Path

import cv2

from device.camera.bench import roll
from tests.appliance.foreign import CORE, mounted
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
given = {"detector": {"picture": ((1, 386, 578, 3), np.uint8)}, "pose": {"crops": ((12, 64, 64, 3), np.uint8)},
         "marks": {"patches": ((12, 3, 40, 40), np.float32)}, "colour": {"crops": ((12, 32, 32, 3), np.uint8)},
         "verifier": {"seen": ((4, 216), np.float32)}}
runs = [(open_session(name, models_folder(), 1),
         {feed: np.full(shape, 90 if kind is np.uint8 else 0.5, kind) for feed, (shape, kind) in feeds.items()})
        for name, feeds in given.items()]
for _ in range(1 + int(sys.argv[1])):
    for session, feed in runs:
        session.run(None, feed)
"""


def tools(qemu: Path, root: Path) -> list[str]:
    """Put the emulator with its libraries and the plugin into the aarch64 system; return the command that starts it
    there. What reads dice asks its own system about the processor, so it has to run inside."""
    folder = root / "counting"
    folder.mkdir(exist_ok=True)
    said = subprocess.run(["ldd", str(qemu)], capture_output=True, text=True, check=True).stdout
    libraries = re.findall(r"(/\S+) \(0x", said)
    for file in (qemu, *map(Path, libraries)):
        shutil.copy(file, folder / file.name)
    plugin = folder / "instructions.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-o", str(plugin), str(PLUGIN)], check=True)
    loader = next(Path(library).name for library in libraries if "/ld-" in library)
    start = [f"/counting/{loader}", "--library-path", "/counting", f"/counting/{qemu.name}", "-cpu", CORE]
    paths = "PYTHONPATH=/work:/venv/lib/python3.13/site-packages"
    for setting in (paths, "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "HOME=/root"):
        start += ["-E", setting]
    return ["chroot", str(root), *start, "-plugin", "/counting/instructions.so", "/usr/bin/python3.13"]


def instructions(start: list[str], script: str, *arguments: str) -> int:
    """Return how many instructions a Python script of the aarch64 system executes."""
    done = subprocess.run([*start, "-c", script, *arguments], capture_output=True, text=True, check=False)
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
    pictures = root / "work" / "counting"
    pictures.mkdir(exist_ok=True)
    (rolled, *_), empty = roll(7)
    names = []
    for picture, name in ((rolled, "roll.png"), (empty, "empty.png")):
        cv2.imwrite(str(pictures / name), picture)
        names.append(f"/work/counting/{name}")
    start, found = tools(asked.qemu, root), {}
    with mounted(root):
        for what, script in (("networks", NETWORKS), ("reading", READ), ("press", PRESS)):
            once, thrice = (instructions(start, script, count, *names) for count in ("1", "3"))
            found[what] = (thrice - once) // 2
            print(f"{what}: {found[what] / 1e6:.0f} million instructions", flush=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
