"""The whole product as a process of its own: `jurado serve --demo` in an empty folder, spoken to over HTTP."""

from __future__ import annotations

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import until

PATIENCE = 60.0
"""Seconds after which a thing that never comes fails the test; nothing here is timed."""

JURADO = str(Path(sys.executable).with_name("jurado"))

_ids = itertools.count(1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Product:
    """One running table, its folder, and what a phone can ask of it."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._options = options
        self.start()

    def start(self) -> None:
        """Start the process and wait for its page."""
        self._log = (self.home.parent / f"{self.home.name}.log").open("ab")
        self.process = subprocess.Popen(
            [JURADO, "serve", "--demo", "--host", "127.0.0.1", "--port", str(self.port), *self._options],
            env={**os.environ, "JURADO_HOME": str(self.home)},
            stdout=self._log,
            stderr=self._log,
        )
        until(self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the table ended by itself"
        try:
            return self.get("/healthz")[0] == 200
        except (OSError, urllib.error.URLError):
            return False

    def kill(self) -> None:
        """Pull the plug: SIGKILL."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE)
        self._log.close()

    def get(self, path: str) -> tuple[int, Any]:
        return self._ask(urllib.request.Request(self.url + path))

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        return self.send(path, json.dumps(body).encode(), "application/json")

    def send(self, path: str, body: bytes, kind: str) -> tuple[int, Any]:
        return self._ask(urllib.request.Request(self.url + path, body, {"Content-Type": kind}))

    @staticmethod
    def _ask(request: urllib.request.Request) -> tuple[int, Any]:
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    @property
    def state(self) -> dict[str, Any]:
        status, state = self.get("/api/state")
        assert status == 200
        return dict(state)

    def act(self, path: str, **what: Any) -> dict[str, Any]:
        """Do something that was decided on the state as it is; return the new state."""
        sent = {"version": self.state["version"], "id": f"e2e-{next(_ids)}", **what}
        status, answer = self.post(path, sent)
        assert status in (200, 201), answer
        return dict(answer["state"])

    def read_roll(self) -> dict[str, Any]:
        """Press the button on the screen; return the proposal once it is ready."""
        before = (self.state["proposal"] or {}).get("id")
        assert self.post("/api/capture", {})[0] == 202
        return self.proposal(after=before)

    def proposal(self, after: str | None = None) -> dict[str, Any]:
        """Return the proposal that came after the one named, once it is no longer being made."""

        def ready() -> dict[str, Any] | None:
            found = self.state["proposal"]
            if found and found["id"] != after and found["state"] != "capturing":
                return dict(found)
            return None

        return dict(until(ready))


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    one = Product(tmp_path / "home")
    yield one
    one.stop()


@pytest.fixture
def two_schools(product: Product) -> Product:
    """The product with a two-player game of Carnavalesco open."""
    players = [
        {"name": "Ana", "division": "D", "table": "practice"},
        {"name": "Bia", "division": "D", "table": "practice"},
    ]
    product.act("/api/games", game="carnavalesco", setup={"players": players})
    return product
