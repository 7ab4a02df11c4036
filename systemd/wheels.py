#!/usr/bin/env python3
"""Fills a folder with the libraries that a Raspberry Pi without internet needs: `python3 systemd/wheels.py FOLDER`.

Run it on any computer with internet and pip, carry checkout and folder to the Pi, and install there with
`sudo systemd/install.sh --wheels FOLDER`. Every file is held against the hash that is pinned.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LOCKS = [Path(__file__).resolve().parents[1] / "requirements" / name for name in ("table.txt", "camera.txt")]
GLIBCS = ("2_28", "2_27", "2_17", "2_5")
_MARKED = re.compile(r"^(\S+) ; python_full_version (<|>=) '3\.(\d+)'", re.MULTILINE)


def for_python(lock: str, minor: int) -> str:
    """Return a lock with the lines alone that count for Python 3.`minor`: pip would judge them by its own Python."""
    parts = re.split(r"(?m)^(?=\S)", lock)
    kept = []
    for part in parts:
        marked = _MARKED.match(part)
        if marked is None:
            if " ; " in part.split("\n")[0]:
                raise ValueError(f"a line that this cannot judge: {part.splitlines()[0]}")
            kept.append(part)
        elif (minor < int(marked[3])) == (marked[2] == "<"):
            kept.append(marked[1] + part[marked.end() :])
    return "".join(kept)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default="3.13", help="the Pi's Python: 3.13 on Debian 13 (Trixie), 3.11 on 12")
    parser.add_argument("--machine", default="aarch64", help="its processor, as uname -m says it")
    asked = parser.parse_args()
    minor = int(asked.python.removeprefix("3."))
    platforms = [f"--platform=manylinux_{glibc}_{asked.machine}" for glibc in GLIBCS]
    platforms += [f"--platform=manylinux{year}_{asked.machine}" for year in ("2014", "1")]
    asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for lock in LOCKS:
            own = Path(folder) / lock.name
            own.write_text(for_python(lock.read_text(encoding="utf-8"), minor), encoding="utf-8")
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
            command += ["--only-binary=:all:", "--implementation=cp", f"--python-version={asked.python}", *platforms]
            done = subprocess.run([*command, "--dest", str(asked.folder), "--requirement", str(own)], check=False)
            if done.returncode:
                return done.returncode
    count = len(list(asked.folder.glob("*.whl")))
    print(f"{count} wheels for Python {asked.python} on {asked.machine} in {asked.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
