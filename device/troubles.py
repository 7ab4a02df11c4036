"""What is wrong with a table now: looked for every few seconds, told to the log as it begins, changes and ends, and to
pages. What finds a fault need not log it itself."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from engine.words import Sentence

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
        self._stopped = False
        self._woken = threading.Event()
        self._looking = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="troubles", daemon=True)

    @property
    def sentences(self) -> list[str]:
        """What people at the table are to know, as sentences; nothing where all is well."""
        return [message for name, message in self._known.items() if name not in TOLD_ELSEWHERE]

    def start(self) -> None:
        """Look from now on."""
        self._thread.start()

    def wake(self) -> None:
        """Look soon: something has changed."""
        self._woken.set()

    def stop(self) -> None:
        self._stopped = True
        self._woken.set()

    def look(self) -> None:
        """Look now; log what has begun, changed or ended since the last time."""
        with self._looking:
            parts = {name: part for name, part in self._health().items() if isinstance(part, Mapping)}
            now = {name: part["message"] for name, part in parts.items() if not part["ok"]}
            begun = [name for name, message in now.items() if kind(message) != kind(self._known.get(name))]
            for name in begun:
                log.warning("%s: %s", name, now[name])
            for name in self._known.keys() - now.keys():
                log.info("%s: well again. %s", name, parts[name]["message"] if name in parts else "")
            news = begun or now.keys() != self._known.keys()
            self._known = now
        if news:
            self._changed()

    def _run(self) -> None:
        while True:
            try:
                self.look()
            except Exception:
                log.exception("the health of the table could not be looked at; it goes on")
            self._woken.wait(EVERY)
            self._woken.clear()
            if self._stopped:
                return


def kind(message: str | None) -> tuple[Any, ...]:
    """Return what a message says whatever it counts: megabytes or minutes that go on are no news."""
    if not isinstance(message, Sentence):
        return (message,)
    return message.message, *(kind(value) for value in message.values.values() if isinstance(value, Sentence))
