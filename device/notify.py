"""Talks to systemd: that the table is ready, that it is alive, that it stops. Without systemd nothing happens."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable


def notify(message: str) -> bool:
    """Send one line such as `READY=1` to systemd; return False when nobody listens."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return False
    if address.startswith("@"):
        # An abstract socket: systemd writes its leading zero byte as @.
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as to_systemd:
            to_systemd.sendto(message.encode(), address)
    except OSError:
        return False
    return True


def watchdog_seconds() -> float | None:
    """Return the seconds in which systemd wants a sign of life, None when it wants none from this process."""
    try:
        microseconds = int(os.environ.get("WATCHDOG_USEC", ""))
        meant = int(os.environ.get("WATCHDOG_PID", "") or os.getpid())
    except ValueError:
        return None
    return microseconds / 1e6 if microseconds > 0 and meant == os.getpid() else None


class Watchdog:
    """Tells systemd that the table lives, for as long as `alive` says so; else systemd starts it anew."""

    def __init__(self, alive: Callable[[], bool]) -> None:
        self._alive = alive
        self._stopped = threading.Event()
        self._seconds = watchdog_seconds()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin, if systemd wants it."""
        if self._seconds is not None:
            self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def _run(self) -> None:
        assert self._seconds is not None
        while not self._stopped.wait(self._seconds / 3):
            if self._alive():
                notify("WATCHDOG=1")
