"""Acts that the table's journal does not know (a capture, a die added to the reading), each done once all the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

KEPT = 256
"""Ids remembered; a phone repeats an act within seconds."""


class Once:
    """Does an act the first time that its id comes, and not again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._done: OrderedDict[str, None] = OrderedDict()

    def do(self, client_id: str | None, act: Callable[[], object]) -> None:
        """Call `act` unless this id (None: always) was done; what `act` raises is passed on, and it may be repeated."""
        if client_id is None:
            act()
            return
        with self._lock:
            if client_id in self._done:
                return
            # Before it is done: the repeat may come while the first is still at work.
            self._done[client_id] = None
            while len(self._done) > KEPT:
                self._done.popitem(last=False)
        try:
            act()
        except BaseException:
            with self._lock:
                self._done.pop(client_id, None)
            raise
