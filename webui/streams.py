"""The live streams that are open: how many, and one a page."""

from __future__ import annotations

import itertools
import threading


class Streams:
    """Counts live streams up to `most`; a page that opens a second one gives up its first.

    When the house is full, a phone that has joined takes the place of somebody who only looks from outside.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._open: dict[str, int] = {}
        self._outside: set[int] = set()
        self._tickets = itertools.count(1)
        self._closed = False

    def enter(self, client: str, *, joined: bool = True) -> int | None:
        """Return a ticket for `client`, or None when the house is full; its older ticket holds no more."""
        with self._lock:
            if self._closed:
                return None
            if client not in self._open and len(self._open) >= self.most:
                outsider = next((one for one, held in self._open.items() if held in self._outside), None)
                if not joined or outsider is None:
                    return None
                self._give_up(outsider)
            self._give_up(client)
            ticket = next(self._tickets)
            self._open[client] = ticket
            if not joined:
                self._outside.add(ticket)
            return ticket

    def _give_up(self, client: str) -> None:
        self._outside.discard(self._open.pop(client, 0))

    def holds(self, client: str, ticket: int) -> bool:
        """Tell whether this ticket is still the one its page listens to."""
        with self._lock:
            return not self._closed and self._open.get(client) == ticket

    def leave(self, client: str, ticket: int) -> None:
        """Give the place back."""
        with self._lock:
            if self._open.get(client) == ticket:
                self._give_up(client)

    def __len__(self) -> int:
        with self._lock:
            return len(self._open)

    def drop(self) -> None:
        """Let every open stream end; the pages open new ones, as who they are by now."""
        with self._lock:
            self._open.clear()
            self._outside.clear()

    def close(self) -> None:
        """Let every stream end, and no new one in: the table is being switched off."""
        with self._lock:
            self._closed = True
            self._open.clear()
