"""Waiting for what another thread, process or page does; the limit only keeps a broken test from hanging."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def until(found: Callable[[], Found], what: str = "it", seconds: float = 60.0) -> Found:
    """Return what `found()` returns once it is true."""
    deadline = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < deadline, f"{what} never came"
        time.sleep(0.01)
    return value
