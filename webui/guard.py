"""What is checked on each request before a page sees it: host, origin, content type; and the headers that go out."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, Response, request

from engine.words import say
from webui.errors import WebError

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}

LONG_BODIES = frozenset({"/api/photo", "/api/dice/import"})
"""Where photographs and files are taken; everything else that is sent is short."""


def host_name(host: str) -> str | None:
    """Return the name in a Host header without its port, in small letters; None when it cannot be a host."""
    try:
        parts = urlsplit(f"//{host.strip()}")
        parts.port  # noqa: B018  (raises ValueError on a port that is none)
    except ValueError:
        return None
    if parts.path or parts.query or parts.fragment or "@" in parts.netloc or not parts.hostname:
        return None
    return parts.hostname.lower().removesuffix(".")


def host_allowed(host: str, extra: Collection[str] = ()) -> bool:
    """Tell whether a page may be asked for under this Host header.

    Allowed: IP literals, localhost, *.local, names of one label, and `extra`. Everything else could be a foreign
    name that was pointed at this machine (DNS rebinding).
    """
    name = host_name(host)
    if name is None:
        return False
    if name in {entry.lower().removesuffix(".") for entry in extra}:
        return True
    try:
        ipaddress.ip_address(name.split("%")[0])
    except ValueError:
        pass
    else:
        return True
    labels = name.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels):
        return False
    return len(labels) == 1 or (len(labels) == 2 and labels[1] in ("local", "localhost"))


def from_this_machine() -> bool:
    """Tell whether the request comes from this very machine, not through a proxy that runs on it."""
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        address = ipaddress.ip_address((request.remote_addr or "").split("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def check_host(extra: Collection[str]) -> None:
    """Raise `WebError` unless the Host header names this machine."""
    host = request.headers.get("Host", "")
    if not host_allowed(host, extra):
        raise WebError(
            421,
            "unknown_host",
            say(
                "This page was asked for under the name {host}, which Jurado does not go by. Nothing was changed. "
                "Use the address that the table shows, or add the name to web.hosts in the settings.",
                host=repr(host[:80]),
            ),
        )


def check_origin() -> None:
    """Raise `WebError` when another site's page sent this request."""
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    foreign = request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site")
    origin = request.headers.get("Origin")
    if origin is not None:
        parts = urlsplit(origin)
        foreign = foreign or parts.scheme not in ("http", "https") or parts.netloc.lower() != request.host.lower()
    if foreign:
        raise WebError(
            403, "foreign_origin", say("Another site's page sent this. Nothing was changed. Open the table's own page.")
        )


def install(app: Flask, hosts: Collection[str]) -> None:
    """Check every request of `app`, and send the protecting headers with every answer."""

    @app.before_request
    def check() -> None:
        check_host(hosts)
        check_origin()

    @app.after_request
    def protect(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response
