"""Closes a contact again and again as fast as this machine can: `bounce.py PIN COUNT MICROSECONDS`.

Prints how long it took in all, in milliseconds: an emulated machine takes longer than it is asked to.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

pin, count, apart = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]) / 1e6
base = Path(Path("/run/pilab/gpio-dir").read_text().strip())
file = os.open(base / f"sim_gpio{pin}" / "pull", os.O_WRONLY)
began = time.monotonic()
for _ in range(count):
    for pull in (b"pull-down", b"pull-up"):
        os.pwrite(file, pull, 0)
        until = time.monotonic() + apart
        while time.monotonic() < until:
            pass
print(round((time.monotonic() - began) * 1000, 1))
