"""Memory that is free but held back: a table runs for days, on threads each of which would keep some of its own.

The C library (glibc) takes memory for threads from up to eight places a core, and what is freed in one serves only
there: with twenty threads that pass states of 20 kB along, it grew by 1.5 MB a minute. Other C libraries do without.
"""

from __future__ import annotations

import ctypes
import threading
import time

ARENAS = 2
"""Places from which threads take memory."""

EVERY = 60.0
"""Seconds after which what nothing uses is given back."""

_M_ARENA_MAX = -8
"""What `mallopt` is to set (malloc.h)."""


def begin() -> None:
    """Hold little back from now on. To be called before other threads begin."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallopt") or not hasattr(library, "malloc_trim"):
        return
    library.mallopt(_M_ARENA_MAX, ARENAS)
    threading.Thread(target=_give_back, args=(library,), name="memory", daemon=True).start()


def _give_back(library: ctypes.CDLL) -> None:
    while True:
        time.sleep(EVERY)
        library.malloc_trim(0)
