"""What the pages can be told by the settings file; each has a default that suits a living room."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WebSettings:
    """How the pages behave.

    `trust_loopback`: requests from this machine need no join code. `hosts`: further host names that may be asked for.
    `live_clients`: most phones with a live stream at once; the others poll. `heartbeat_s`: seconds between signs of
    life on a stream. `upload_mb`: the largest photograph a phone may send, in megabytes. `language`: the one that
    the rules and the pages speak in (`en`, `pt`, `es`) to phones that have chosen none. `leads_to_setup`: the host of
    a table that was never set up nor played at is led to the set-up by itself.
    """

    trust_loopback: bool = True
    hosts: tuple[str, ...] = ()
    live_clients: int = 12
    heartbeat_s: float = 15.0
    upload_mb: int = 25
    language: str = "en"
    leads_to_setup: bool = False
