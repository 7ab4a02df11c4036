"""Styles, scripts and pictures, at addresses that tell what they are made of: a phone asks for each once."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from flask import Flask, Response

FOLDER = Path(__file__).parent / "static"

KEPT = "public, max-age=31536000, immutable"


def made_of(folder: Path) -> str:
    """Return a few letters that change when any file in `folder` does."""
    whole = hashlib.sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(f"{file.relative_to(folder)}\0".encode() + file.read_bytes())
    return whole.hexdigest()[:10]


def install(app: Flask) -> None:
    """Serve the files of `static/` with what they are made of in their address, which scripts hand on by relative
    imports. A page that was opened before they changed gets those of now, and may not keep them."""
    now = made_of(FOLDER)
    app.static_folder = str(FOLDER)

    def static(version: str, filename: str) -> Response:
        response = app.send_static_file(filename)
        response.headers["Cache-Control"] = KEPT if version == now else "no-cache"
        return response

    app.add_url_rule("/static/<version>/<path:filename>", view_func=static)

    @app.url_defaults
    def of_now(endpoint: str, given: dict[str, Any]) -> None:
        if endpoint == "static":
            given.setdefault("version", now)
