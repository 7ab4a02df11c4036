"""What the C library holds back, counted in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

ARENA = 64 << 20
"""Bytes at whose multiples glibc lays what it takes memory from for threads, on machines of 64 bits."""

THREADS = """
import sys, threading
from device import memory
if sys.argv[1] == "few":
    memory.begin()
together = threading.Barrier(9)
def work():
    together.wait()
    kept = [bytes(5000) for _ in range(2000)]
    together.wait()
    together.wait()
for _ in range(8):
    threading.Thread(target=work, daemon=True).start()
together.wait()
together.wait()
print(open("/proc/self/maps").read())
"""


def arenas(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", THREADS, how], capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines() if line]
    return sum(len(line) == 5 and int(line[0].split("-")[0], 16) % ARENA == 0 and line[1] == "rw-p" for line in lines)


def test_threads_share_the_places_that_they_take_memory_from() -> None:
    usual = arenas("usual")
    if usual < 4:
        pytest.skip("not the C library that this is about")
    assert arenas("few") <= 2
