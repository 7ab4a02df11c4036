"""The address under which phones reach this machine, when nobody said it."""

from __future__ import annotations

import socket

from flask import request


def lan_address() -> str | None:
    """Return this machine's IP address on the local network, None without one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket only asks the routing table; this is a documentation address (RFC 5737).
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def guessed_addresses() -> list[str]:
    """Return base URLs for phones, from the request's own port: the IP address first, then the name that was used."""
    here = request.host_url.rstrip("/")
    address = lan_address()
    if address is None or address.startswith("127."):
        return [here]
    _, _, port = request.host.rpartition(":")
    return list(dict.fromkeys([f"http://{address}:{port}" if port.isdigit() else f"http://{address}", here]))
