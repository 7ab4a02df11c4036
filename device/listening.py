"""The web server: waitress on a thread of its own, so that the main thread is free to wait for signals."""

from __future__ import annotations

import contextlib
import copy
import errno
import json
import os
import socket
import threading
import time
import weakref
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from engine.words import say, told

SPARE_THREADS = 8
"""Threads beside those that live streams hold for as long as they last."""

MOST_CONNECTIONS = 500
"""Connections open at once; a browser keeps up to six, and phones that sleep leave theirs behind."""

MOST_OF_ONE = 100
"""Connections that one device has open at once; this machine, on which a proxy may run, has any number."""

HERE = ("127.0.0.1", "::1")
"""This machine, as it calls itself."""

QUIET_S = 60
"""Seconds after which a connection is closed on which nothing happens, or whose other end reads nothing of what it is
sent; a live stream beats more often."""

SENT = 256_000
"""Bytes that a connection holds of what it is sending; a live stream keeps what it has sent until there are so many."""

SMALL = 1_000_000
"""Bytes from which a body is refused before it is taken in, where nothing long is asked for."""

LISTENS = "0A"
"""The state of a socket that waits for connections, in /proc/net/tcp."""

MOST_LONG = 4
"""Longer bodies that are taken in at once: they lie in memory or on the card before the app can look who sent them."""


def try_to_listen(host: str, port: int) -> None:
    """Raise `OSError` when the port is taken or the host is not this machine's; nothing listens afterwards."""
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            one.bind(address)


def ports_of(process: int | str) -> list[int]:
    """Return the TCP ports on which a process listens, as far as this user may see; none where it is gone."""
    found: set[int] = set()
    handles: set[str] = set()
    with contextlib.suppress(OSError):
        for handle in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(OSError):  # closed since it was listed
                handles.add(os.readlink(handle))
        for table in ("tcp", "tcp6"):
            for line in Path(f"/proc/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
                _, local, _, state, *_, inode = line.split()[:10]
                if state == LISTENS and f"socket:[{inode}]" in handles:
                    found.add(int(local.rpartition(":")[2], 16))
    return sorted(found)


class Listener:
    """Serves a WSGI app over HTTP. `live_clients` streams can stay open while requests are still answered.

    `long` are the paths that take bodies of up to `upload_mb` megabytes; what is refused before the app sees it is
    answered in the shape of its own errors, with `headers`. No device alone can hold it up: each has so many
    connections, with one request at a time, and one that nobody reads from is closed. Listening begins when it is made:
    raises `OSError` when the port is taken or the host is not this machine's.
    """

    def __init__(
        self,
        app: Callable[..., Any],
        *,
        host: str,
        port: int,
        live_clients: int,
        upload_mb: int,
        long: Collection[str] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        from waitress.server import create_server

        self._sockets: dict[int, Any] = {}
        try:
            self._server = create_server(
                app,
                map=self._sockets,
                host=host,
                port=port,
                threads=SPARE_THREADS + live_clients,
                # The app refuses what is too large in its own words; this only guards memory and disk.
                max_request_body_size=(upload_mb + 8) * 1_000_000,
                connection_limit=MOST_CONNECTIONS,
                channel_timeout=QUIET_S,
                outbuf_high_watermark=SENT,
                asyncore_use_poll=True,
                ident="jurado",
            )
        except ValueError as error:
            raise OSError(errno.EADDRNOTAVAIL, f"{host} is no address of this machine") from error
        channel = _channel(frozenset(long), {**(headers or {}), "Cache-Control": "no-store"})
        for listening in self._sockets.values():
            if hasattr(listening, "channel_class"):
                listening.channel_class = channel
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


def _channel(long: frozenset[str], headers: Mapping[str, str]) -> type:
    """Return the class of a connection: bodies are short but on the paths `long`, refusals are the app's own, what a
    request waited for its thread is told to the app, and nobody holds it up."""
    from waitress.channel import HTTPChannel
    from waitress.parser import HTTPRequestParser
    from waitress.task import ErrorTask, WSGITask
    from waitress.utilities import Error

    from webui.errors import BAD_REQUEST, BROKEN, error_body
    from webui.timing import WAITED
    from webui.tries import house

    long_ones: weakref.WeakSet[Any] = weakref.WeakSet()

    class Busy(Error):  # type: ignore[misc]
        code, reason = 503, "Service Unavailable"

    class Parser(HTTPRequestParser):  # type: ignore[misc]
        adj: Any
        came: float

        def received(self, data: bytes) -> int:
            taken: int = super().received(data)
            self.came = time.perf_counter()
            return taken

        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            if self.path not in long:
                self.adj = copy.copy(self.adj)
                self.adj.max_request_body_size = min(SMALL, self.adj.max_request_body_size)
            elif self.chunked or self.content_length > SMALL:
                if len(long_ones) >= MOST_LONG:
                    self.error, self.completed = Busy(""), True
                else:
                    long_ones.add(self)

    class Answer(WSGITask):  # type: ignore[misc]
        def get_environment(self) -> dict[str, Any]:
            environment: dict[str, Any] = super().get_environment()
            environment[WAITED] = time.perf_counter() - self.request.came
            return environment

    class Refusal(ErrorTask):  # type: ignore[misc]
        def execute(self) -> None:
            code = int(self.request.error.code)
            kind, message = BROKEN if code == 500 else _REFUSED.get(code, BAD_REQUEST)
            content = json.dumps(error_body(kind, told(message, "en"))).encode()
            self.status = f"{code} {self.request.error.reason}"
            self.response_headers.extend([("Content-Type", "application/json"), *headers.items()])
            self.set_close_on_finish()
            self.content_length = len(content)
            self.write(content)

    class Channel(HTTPChannel):  # type: ignore[misc]
        parser_class = Parser
        task_class = Answer
        error_task_class = Refusal

        def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
            super().__init__(server, sock, addr, adj, map=map)
            self._at_last, self._since = self.last_activity, time.monotonic()
            self.house = house(str(addr[0]))
            alike = sum(one.house == self.house for one in list(server.active_channels.values()))
            self.will_close = alike > MOST_OF_ONE and self.house not in HERE

        def readable(self) -> bool:
            # Asked at each turn of the server, every second at least. Its own look at the clock stands still for as
            # long as the clock has gone back, and leaves alone whoever asks for something and does not read it.
            if self.last_activity != self._at_last:
                self._at_last, self._since = self.last_activity, time.monotonic()
            elif time.monotonic() - self._since > QUIET_S and (self.total_outbufs_len or not self.requests):
                self.will_close = True
                with contextlib.suppress(OSError):
                    self.socket.shutdown(socket.SHUT_RDWR)  # what cannot be written to is not looked at
            return bool(super().readable())

        def received(self, data: bytes) -> bool:
            taken: bool = super().received(data)
            if len(self.requests) > 1:
                # No browser asks before it was answered. Whoever does, and reads nothing, would hold a thread for ever.
                with self.requests_lock:
                    del self.requests[1:]
                self.will_close = True
            return taken

    return Channel


_REFUSED = {
    413: ("too_large", say("This is longer than the table takes at once. Nothing was changed. Send less.")),
    431: (
        "too_large",
        say("The head of this request is too long. Nothing was changed. Load the page again, or clear its cookies."),
    ),
    503: (
        "busy",
        say("Several photographs are being sent already. Nothing was changed. Send this one again in a moment."),
    ),
    501: ("bad_request", say("This request is coded in a way that Jurado does not know. Nothing was changed.")),
}
"""Code and sentence of what is refused before the app sees it, by its HTTP status; what the app says too is its own."""
