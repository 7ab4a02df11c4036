"""What all long runs share: a real table as a process, requests to it, its memory, and the file of what was done."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CODE = "SAMBA7"
PATIENCE = 120.0
"""Seconds after which something that never comes ends a run."""


@dataclass
class Run:
    """How large a run is to be, where it works, and where it tells what it does.

    `keep` is a file with one JSON line for each step that was done; `done` are those of earlier tries.
    """

    size: int
    seed: int
    folder: Path
    keep: Path | None = None
    say: Callable[[str], None] = print
    done: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.keep is not None and self.keep.exists():
            lines = self.keep.read_text(encoding="utf-8").splitlines()
            self.done = [json.loads(line) for line in lines if line.endswith("}")]

    def note(self, step: Mapping[str, Any]) -> None:
        """Keep what one step gave."""
        self.done.append(dict(step))
        if self.keep is not None:
            with self.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(step) + "\n")


class Refused(Exception):
    """An answer with a status from 400 on; `body` is its JSON."""

    def __init__(self, status: int, body: Any) -> None:
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body

    @property
    def code(self) -> str:
        return str(self.body["error"]["code"])


class Caller:
    """One phone: a connection that stays open, its cookies, and requests with JSON in and out."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._cookie = ""
        self.within = 0.0
        """Seconds that the last answer took within the table, as it says itself."""
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON of the answer, None for 304. Raises `Refused`, and `OSError` when the table is gone."""
        answer, content = self.raw(method, path, None if body is None else json.dumps(body).encode())
        if answer.status == 304:
            return None
        found = json.loads(content)
        if answer.status >= 400:
            raise Refused(answer.status, found)
        return found

    def raw(
        self, method: str, path: str, content: bytes | None = None, kind: str = "application/json"
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Return the answer and its content. Raises `OSError`."""
        headers = {"Cookie": self._cookie, **({} if content is None else {"Content-Type": kind})}
        for last in (False, True):
            fresh = self._connection is None
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            try:
                self._connection.request(method, path, content, headers)
                answer = self._connection.getresponse()
                found = answer.read()
                break
            except (OSError, http.client.HTTPException) as error:
                self.drop()
                # A connection that was kept open may have been closed meanwhile; only what asks nothing is repeated.
                if last or fresh or method != "GET":
                    raise OSError(str(error) or type(error).__name__) from error
        told = re.findall(r"dur=([0-9.]+)", answer.headers.get("Server-Timing", ""))
        self.within = sum(map(float, told)) / 1000
        if (cookie := answer.headers.get("Set-Cookie", "").split(";")[0]).startswith("jurado="):
            self._cookie = cookie
        return answer, found

    def send_and_hang_up(self, path: str, body: Any) -> None:
        """Send an act and close the connection before any answer can come."""
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nCookie: {self._cookie}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as wire:
            wire.sendall(head.encode() + content)

    def drop(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Table:
    """One running `jurado serve` in `home`, a process of its own. `settings` is the text of its settings file."""

    def __init__(self, home: Path, settings: str = "", *, before: Callable[[], None] | None = None) -> None:
        self.home = home
        home.mkdir(parents=True, exist_ok=True)
        (home / "settings.toml").write_text(settings, encoding="utf-8")
        self.port = free_port()
        self._before = before
        self.process: subprocess.Popen[bytes]

    def start(self) -> float:
        """Start it; return the seconds until its page answered."""
        began = time.monotonic()
        with (self.home / "output.txt").open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "device.cli", "serve", "--host", "127.0.0.1", "--port", str(self.port)],
                env={**os.environ, "JURADO_HOME": str(self.home), "PYTHONUNBUFFERED": "1"},
                stdout=output,
                stderr=output,
                preexec_fn=self._before,
            )
        while not self._answers():
            if self.process.poll() is not None:
                raise RuntimeError(f"the table ended by itself: {self.output()[-2000:]}")
            if time.monotonic() - began > PATIENCE:
                raise RuntimeError("the table never answered")
            time.sleep(0.02)
        return time.monotonic() - began

    def _answers(self) -> bool:
        try:
            Caller(self.port).ask("GET", "/healthz")
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """SIGKILL: nothing is written any more, nothing is told."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def output(self) -> str:
        return (self.home / "output.txt").read_text(encoding="utf-8", errors="replace")

    def __enter__(self) -> Table:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def resident_mb(process: int) -> float:
    """Return the megabytes of memory that a process holds."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(process)


def worked_s(process: int) -> float:
    """Return the seconds of a core that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(values: list[float], share: float) -> float:
    """Return the value that `share` (0..1) of `values` do not exceed; 0 where there is none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def left_behind(home: Path) -> Iterator[Path]:
    """Yield files that were begun and not finished."""
    for path in home.rglob("*"):
        if path.suffix in (".new", ".half", ".saved") or path.name.startswith(".keys"):
            yield path
