"""What is wrong with a table now: looked for every few seconds, told to the log as it begins and ends, and to pages."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

log = logging.getLogger(__name__)

EVERY = 10.0
"""Seconds between two looks."""

TOLD_ELSEWHERE = ("camera", "calibration", "network")
"""Parts of the health that the table's page tells in a place of their own, or that only this machine could show."""


class Troubles:
    """Holds the health of a table against what it was before. `changed` is called when something began or ended."""

    def __init__(self, health: Callable[[], Mapping[str, Any]], changed: Callable[[], None]) -> None:
        self._health = health
        self._changed = changed
        self._known: dict[str, str] = {}
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="troubles", daemon=True)

    @property
    def sentences(self) -> list[str]:
        """What people at the table are to know, as sentences; nothing where all is well."""
        return [message for name, message in self._known.items() if name not in TOLD_ELSEWHERE]

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def look(self) -> None:
        """Look now; log what has begun or ended since the last time."""
        parts = {name: part for name, part in self._health().items() if isinstance(part, Mapping)}
        now = {name: part["message"] for name, part in parts.items() if not part["ok"]}
        for name, message in now.items():
            if name not in self._known:
                log.warning("%s: %s", name, message)
        for name in self._known.keys() - now.keys():
            log.info("%s: well again. %s", name, parts[name]["message"] if name in parts else "")
        # What merely counts on (megabytes, minutes) is no news for phones.
        news = now.keys() != self._known.keys()
        self._known = now
        if news:
            self._changed()

    def _run(self) -> None:
        while True:
            try:
                self.look()
            except Exception:
                log.exception("the health of the table could not be looked at; it goes on")
            if self._stopped.wait(EVERY):
                return
