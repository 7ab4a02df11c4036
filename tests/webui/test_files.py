"""Scripts and styles are asked for once and go out compressed; pages are neither kept nor heavy."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from flask.testing import FlaskClient

from webui.files import FOLDER, KEPT, made_of

ZIPPED = {"Accept-Encoding": "gzip, deflate"}


def test_a_file_is_kept_under_what_all_of_them_are_made_of(phone: FlaskClient) -> None:
    page = phone.get("/status").text
    (style,) = set(re.findall(r'href="(/static/\w+/css/page\.css)"', page))
    answer = phone.get(style)
    assert answer.headers["Cache-Control"] == KEPT
    older = phone.get(style.replace(made_of(FOLDER), "older"))
    assert (older.data, older.headers["Cache-Control"]) == (answer.data, "no-cache"), "a page left open still loads"
    assert phone.get("/static/older/css/../../app.py").status_code == 404


def test_another_file_or_another_content_makes_other_addresses(tmp_path: Path) -> None:
    seen = set()
    for name, content in (("a.js", "1"), ("a.js", "2"), ("b.js", "2")):
        (tmp_path / name).write_text(content)
        seen.add(made_of(tmp_path))
    assert len(seen) == 3


def test_text_goes_out_compressed_to_those_who_take_it(phone: FlaskClient) -> None:
    for path in ("/status", "/api/log", f"/static/{made_of(FOLDER)}/css/table.css"):
        plain, small = phone.get(path), phone.get(path, headers=ZIPPED)
        assert "Content-Encoding" not in plain.headers
        assert "Accept-Encoding" in small.headers["Vary"]
        if len(plain.data) > 1000:
            assert small.headers["Content-Encoding"] == "gzip"
            assert gzip.decompress(small.data) == plain.data
            assert len(small.data) < len(plain.data) / 2
    tag = phone.get("/api/state", headers=ZIPPED).headers["ETag"]
    assert phone.get("/api/state", headers={**ZIPPED, "If-None-Match": tag}).status_code == 304


def test_the_live_stream_is_not_held_back_to_be_compressed(phone: FlaskClient) -> None:
    answer = phone.get("/api/live", headers=ZIPPED)
    assert "Content-Encoding" not in answer.headers
    assert next(answer.response).startswith(b"retry:")
    answer.close()
