"""A card that hardly writes: only the confirm waits for it, the pages do not.

The table's process is put into a cgroup (version 1, blkio) that lets it write `WRITES` times a second to the disk that
its folder lies on: the kernel holds back the very writes that a worn-out SD card would. Needs root and that cgroup.
"""

from __future__ import annotations

import contextlib
import os
import random
import statistics
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.endurance.playing import act_for
from tests.endurance.running import Caller, Refused, Run, Table, percentile

WRITES = 5
GROUP = Path("/sys/fs/cgroup/blkio/jurado-slow-card")


@contextlib.contextmanager
def slow(folder: Path) -> Iterator[Path]:
    """Hand on the file that a process writes itself into to be slow on the disk of `folder`. Raises `OSError`."""
    device = os.stat(folder).st_dev
    GROUP.mkdir(exist_ok=True)
    try:
        whole = f"{os.major(device)}:{os.minor(device)}"
        (GROUP / "blkio.throttle.write_iops_device").write_text(f"{whole} {WRITES}")
        yield GROUP / "cgroup.procs"
    finally:
        with contextlib.suppress(OSError):
            GROUP.rmdir()


def possible(folder: Path) -> bool:
    """Tell whether this machine lets its disk be slowed down."""
    try:
        with slow(folder):
            return True
    except OSError:
        return False


class Looking(threading.Thread):
    """A phone that looks at the table all the time; `seconds` tells how long each answer took."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.seconds: list[float] = []
        self.over = threading.Event()
        self._phone = Caller(port)

    def run(self) -> None:
        while not self.over.wait(0.02):
            began = time.monotonic()
            self._phone.ask("GET", "/api/state")
            self.seconds.append(time.monotonic() - began)


def slow_card(run: Run) -> dict[str, Any]:
    """Confirm `run.size` moves on a quick card, and as many on a slow one; return the figures of both."""
    figures: dict[str, Any] = {"confirms": run.size, "wrong": []}
    for name in ("quick", "slow"):
        home = run.folder / name
        home.mkdir()
        with contextlib.ExitStack() as stack:
            procs = stack.enter_context(slow(home)) if name == "slow" else None
            table = Table(home, "[web]\ntrust_loopback = true\n")
            table.start()
            stack.callback(table.stop)
            if procs is not None:
                procs.write_text(str(table.process.pid))
            figures |= _measured(run, table, name)
            table.stop()
    return figures


def _measured(run: Run, table: Table, name: str) -> dict[str, Any]:
    chance, phone, looking = random.Random(run.seed), Caller(table.port), Looking(table.port)
    looking.start()
    took: list[float] = []
    while len(took) < run.size:
        state = phone.ask("GET", "/api/state")
        act = act_for(phone, state, chance)
        if act is None:
            continue
        began = time.monotonic()
        try:
            phone.ask("POST", act[0], {"version": state["version"], "id": f"{name}-{len(took)}", **act[1]})
        except Refused:
            continue
        took.append(time.monotonic() - began)
    looking.over.set()
    looking.join(30)
    run.say(f"{name}: {statistics.median(took) * 1000:.0f} ms a confirm")
    return {
        f"{name} card: confirm, median ms": round(percentile(took, 0.5) * 1000),
        f"{name} card: confirm, p95 ms": round(percentile(took, 0.95) * 1000),
        f"{name} card: the state, median ms": round(percentile(looking.seconds, 0.5) * 1000),
        f"{name} card: the state, p95 ms": round(percentile(looking.seconds, 0.95) * 1000),
    }
