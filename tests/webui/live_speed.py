"""Measures how soon a change is on every phone of the running demo: twelve with a stream, two more that poll, the big
screen among them; a browser's page that slept, and one that was open over a restart.

    .venv/bin/python -m tests.webui.live_speed

A measuring script, not a test: its figures go into the README. A change counts from the moment before it is asked for.
"""

from __future__ import annotations

import http.client
import json
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.conftest import Product
from tests.webui.phone import Phone

STREAMS = 12
POLLERS = 2
POLL = 0.4
"""Seconds between two questions of a page without a stream (`POLL_FULL` in state.js)."""
CHANGES = 60


class Ear(threading.Thread):
    """One phone; `heard` holds when it knew of which version first."""

    def __init__(self, product: Product, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self.netloc = urlsplit(product.url).netloc
        self.heard: dict[int, float] = {}
        self.status = 0
        self.over = False

    def knows(self, version: int) -> float | None:
        return min((at for known, at in list(self.heard.items()) if known >= version), default=None)


class Streamer(Ear):
    def run(self) -> None:
        connection = http.client.HTTPConnection(self.netloc, timeout=60)
        connection.request("GET", f"/api/live?client={self.name}")
        answer = connection.getresponse()
        self.status = answer.status
        with suppress(OSError, ValueError):
            for line in iter(answer.readline, b""):
                if line.startswith(b"data: {"):
                    self.heard[json.loads(line[6:])["version"]] = time.monotonic()


class Poller(Ear):
    def run(self) -> None:
        connection = http.client.HTTPConnection(self.netloc, timeout=60)
        version = 0
        while not self.over:
            connection.request("GET", f"/api/state?since={version}")
            answer = connection.getresponse()
            text = answer.read()
            if answer.status == 200:
                version = json.loads(text)["version"]
                self.heard[version] = time.monotonic()
            time.sleep(POLL)


def changes(product: Product) -> Iterator[Callable[[], int]]:
    """Yield acts that change what phones see; each returns the version that it led to."""
    for number in range(CHANGES):
        path, body = ("/api/proposal/hand", {}) if number % 2 == 0 else ("/api/proposal/discard", {})
        yield lambda path=path, body=body: int(product.post(path, body)[1]["state"]["version"])


def spread(name: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    p95 = ordered[int(len(ordered) * 0.95)]
    median = statistics.median(ordered)
    print(f"{name:44} median {median * 1000:5.0f}   p95 {p95 * 1000:5.0f}   slowest {ordered[-1] * 1000:5.0f} ms")


def fan_out(product: Product) -> None:
    streamers = [Streamer(product, f"phone-{at}") for at in range(STREAMS)]
    for one in streamers:
        one.start()
    while not all(one.heard for one in streamers):
        time.sleep(0.01)
    refused = Streamer(product, "one-more")
    refused.start()
    refused.join()
    print(f"the stream of phone {STREAMS + 1}: answered {refused.status}, so it polls every {POLL} s")
    pollers = [Poller(product, f"poller-{at}") for at in range(POLLERS)]
    for poller in pollers:
        poller.start()
    time.sleep(1)
    took: dict[str, list[float]] = {"streams": [], "all": [], "polls": []}
    for change in changes(product):
        began = time.monotonic()
        version = change()
        while not all(one.knows(version) for one in (*streamers, *pollers)):
            time.sleep(0.002)
        late = [float(one.knows(version) or 0) - began for one in streamers]
        took["streams"] += late
        took["all"].append(max(late))
        took["polls"] += [float(one.knows(version) or 0) - began for one in pollers]
        time.sleep(0.13)
    spread(f"a change on one of {STREAMS} phones", took["streams"])
    spread(f"a change on the last of {STREAMS} phones", took["all"])
    spread(f"the same on phones {STREAMS + 1} and {STREAMS + POLLERS}, which poll", took["polls"])
    for ear in (*streamers, *pollers):
        ear.over = True


def until_shown(phone: Phone, words: str, began: float) -> float:
    while not phone.sees(words, "#prompt"):
        time.sleep(0.005)
    return time.monotonic() - began


def page(product: Product) -> None:
    players = [{"name": name, "table": "practice"} for name in ("Ana", "Bia")]
    phone = Phone()
    asleep: list[float] = []
    restarted: list[float] = []
    try:
        phone.tool("Network.enable")
        phone.open(product.url)
        for _ in range(5):
            until_shown(phone, "Ana draws", 0)
            product.kill()
            time.sleep(3)
            product.start()
            product.act("/api/proposal/hand")
            restarted.append(until_shown(phone, "Type the roll", time.monotonic()))
            product.act("/api/proposal/discard")
        # Once frozen, a page stays hidden in this browser, and polls slowly: that comes last.
        for _ in range(10):
            product.act("/api/games", game="carnavalesco", setup={"players": players}, abandon=True)
            phone.open(product.url)
            until_shown(phone, "Ana draws", 0)
            phone.tool("Page.setWebLifecycleState", state="frozen")
            product.act("/api/proposal/hand")
            time.sleep(0.5)
            began = time.monotonic()
            phone.tool("Page.setWebLifecycleState", state="active")
            asleep.append(until_shown(phone, "Type the roll", began))
            product.act("/api/proposal/discard")
    finally:
        phone.close()
    spread("a page that was frozen is right after", asleep)
    spread("a page left open over a restart is right after", restarted)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        product = Product(Path(folder) / "home")
        try:
            players = [{"name": name, "table": "practice"} for name in ("Ana", "Bia")]
            product.act("/api/games", game="carnavalesco", setup={"players": players})
            fan_out(product)
            page(product)
        finally:
            product.stop()


if __name__ == "__main__":
    main()
