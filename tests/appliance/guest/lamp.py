"""Notes every change of some pins: `lamp.py SECONDS PIN…` prints a line of JSON for each, and one at its end."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

base = Path(Path("/run/pilab/gpio-dir").read_text().strip())
files = [open(base / f"sim_gpio{pin}" / "value") for pin in sys.argv[2:]]  # noqa: SIM115 (open until the end)
began, last = time.monotonic(), None
while (at := time.monotonic() - began) < float(sys.argv[1]):
    levels = []
    for file in files:
        file.seek(0)
        levels.append(int(file.read()))
    if levels != last:
        print(json.dumps({"at": round(at, 3), "levels": levels}), flush=True)
        last = levels
    time.sleep(0.01)
print(json.dumps({"at": round(at, 3), "levels": last}), flush=True)
