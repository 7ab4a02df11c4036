"""Every page that the app has, as it can be opened at a running table: found in the app's own routes."""

from __future__ import annotations

import http.client
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any
from urllib.parse import urlsplit

from flask import Flask

NO_PAGES = ("/api/", "/static/", "/photos/", "/healthz")
"""Where programs, scripts and pictures are asked for."""


def addresses(app: Flask, known: Mapping[str, Sequence[str]], url: str) -> list[str]:
    """Return the address of every page of `app` that runs at `url`; one that leads on to another is none.

    `known` are the words that may stand in a place of an address, by its name. Fails for a route that they cannot fill.
    """
    found = []
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(NO_PAGES):
            continue
        if "." in rule.rule.rsplit("/", 1)[1]:  # a file
            continue
        names = sorted(rule.arguments)
        lacking = rule.arguments - known.keys()
        assert not lacking, f"nobody has told the tests what {sorted(lacking)} of {rule.rule} may be"
        for chosen in product(*(known[name] for name in names)):
            path = app.url_map.bind("").build(rule.endpoint, dict(zip(names, chosen, strict=True)))
            if _is_page(url, path):
                found.append(path)
    return found


def _is_page(url: str, path: str) -> bool:
    asked = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    asked.request("GET", path)
    answer = asked.getresponse()
    kind = answer.headers.get_content_type()
    asked.close()
    assert answer.status in (200, 302), f"{path} answers {answer.status}"
    return answer.status == 200 and kind == "text/html"


WEIGHT = """
const [main, ...rest] = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
return [main, ...rest].map(({ name, transferSize }) => [name, transferSize]);
"""


def fetched(phone: Any) -> dict[str, int]:
    """Return what the page has fetched so far: bytes on the way, by address. The live stream, which never ends, is
    not among them."""
    return {name: int(size) for name, size in phone.run(WEIGHT)}
