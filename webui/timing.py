"""How long an answer took, told with it (Server-Timing): browsers show it beside what the network took."""

from __future__ import annotations

import time

from flask import Flask, Response, g, request

WAITED = "jurado.waited"
"""Seconds that a request waited for a thread, in its environment; the web server puts it there."""


def install(app: Flask) -> None:
    """Tell with every answer of `app` how many milliseconds it waited for a thread and was worked on."""

    @app.before_request
    def begin() -> None:
        g.began = time.perf_counter()

    @app.after_request
    def tell(response: Response) -> Response:
        worked = time.perf_counter() - g.pop("began", time.perf_counter())
        waited = request.environ.get(WAITED, 0.0)
        response.headers["Server-Timing"] = f"wait;dur={waited * 1000:.1f}, work;dur={worked * 1000:.1f}"
        return response
