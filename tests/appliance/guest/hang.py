"""Stops one thread of a table, as a driver that never comes back does: `hang.py PID SECONDS`.

It is the one that wakes up every two seconds: the darkroom's.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import time
from pathlib import Path

SEIZE, INTERRUPT, DETACH = 0x4206, 0x4207, 17
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def wakings(pid: int) -> dict[int, int]:
    """Return how often each thread has gone to sleep of its own will."""
    found = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                found[int(task.name)] = int(line.split()[1])
    return found


def main() -> None:
    pid, seconds = int(sys.argv[1]), float(sys.argv[2])
    before, began = wakings(pid), time.monotonic()
    time.sleep(30)
    passed = time.monotonic() - began
    rates = {task: (count - before.get(task, count)) / passed for task, count in wakings(pid).items()}
    task = min(rates, key=lambda one: abs(rates[one] - 0.5))
    print("wakes a second:", {one: round(rate, 2) for one, rate in sorted(rates.items())}, "stopped:", task, flush=True)
    if libc.ptrace(SEIZE, task, None, None) or libc.ptrace(INTERRUPT, task, None, None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    print(f"stopped at {time.monotonic():.1f}", flush=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end and Path(f"/proc/{pid}").exists():
        # A thread that was ended meanwhile stays until who held it takes note.
        with contextlib.suppress(ChildProcessError):
            os.waitpid(task, os.WNOHANG | 0x40000000)
        time.sleep(0.5)
    print(f"gone at {time.monotonic():.1f}" if not Path(f"/proc/{pid}").exists() else "still there", flush=True)


main()
