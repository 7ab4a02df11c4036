"""The web server: waitress on a thread of its own, so that the main thread is free to wait for signals."""

from __future__ import annotations

import contextlib
import errno
import threading
from collections.abc import Callable
from typing import Any

SPARE_THREADS = 8
"""Threads beside those that live streams hold for as long as they last."""


class Listener:
    """Serves a WSGI app over HTTP. `live_clients` streams can stay open while requests are still answered.

    Listening begins when it is made: raises `OSError` when the port is taken or the host is not this machine's.
    """

    def __init__(self, app: Callable[..., Any], *, host: str, port: int, live_clients: int, upload_mb: int) -> None:
        from waitress.server import create_server

        self._sockets: dict[int, Any] = {}
        try:
            self._server = create_server(
                app,
                map=self._sockets,
                host=host,
                port=port,
                threads=SPARE_THREADS + live_clients,
                # The app refuses what is too large in its own words; this only guards the memory.
                max_request_body_size=(upload_mb + 8) * 1_000_000,
                ident="jurado",
            )
        except ValueError as error:
            raise OSError(errno.EADDRNOTAVAIL, f"{host} is no address of this machine") from error
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)

    @property
    def port(self) -> int:
        """The port that is listened on, also when any free one was asked for."""
        server = self._server
        return int(server.effective_port if hasattr(server, "effective_port") else server.effective_listen[0][1])

    @property
    def alive(self) -> bool:
        """Whether requests are being answered."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Answer requests from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more; requests under way have two seconds."""
        open_sockets = list(self._sockets.values())
        # The loop ends when it has nothing to watch; closing sockets under its hands would make it stumble.
        self._sockets.clear()
        trigger = getattr(self._server, "trigger", None)
        if trigger is not None:
            trigger.pull_trigger()  # it looks only once a second by itself
        if self._thread.is_alive():
            self._thread.join(3.0)
        self._server.task_dispatcher.shutdown(timeout=2)
        for each in open_sockets:
            with contextlib.suppress(Exception):
                each.close()
