"""Plays a leak: `eat.py GROUP MEGABYTES` enters a control group and takes memory until it has so much, or is ended."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

Path("/sys/fs/cgroup", sys.argv[1], "cgroup.procs").write_text(str(os.getpid()))
held = [b"x" * 10_000_000 for _ in range(int(sys.argv[2]) // 10)]
print(f"has {sum(map(len, held))} bytes", flush=True)
time.sleep(60)
