"""Nobody gets in who should not: each route under a foreign name, from a foreign page, with names that are traps."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.webui.stage import CODE, Stage
from tests.webui.test_roles import STATED, come_in
from webui.guard import HEADERS
from webui.streams import Streams

TRAP = "<img src=x onerror=alert(1)>\"'{{7*7}}"


def path_of(rule: str, name: str = "none") -> str:
    return re.sub(r"<(?:\w+:)?\w+>", name, rule)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    stage = Stage(tmp_path_factory.mktemp("security"), trust_loopback=False)
    stage.open_game({"players": [{"name": "Ana", "table": "practice"}, {"name": TRAP[:20], "table": "practice"}]})
    yield stage
    stage.close()


@pytest.fixture(scope="module")
def host(house: Stage) -> FlaskClient:
    return come_in(house, "host")


@pytest.mark.parametrize(("method", "rule"), sorted(STATED))
def test_no_route_answers_under_a_foreign_name(house: Stage, host: FlaskClient, method: str, rule: str) -> None:
    before = house.table.version
    answer = host.open(path_of(rule), method=method, json={}, headers={"Host": "table.evil.example"})
    assert answer.status_code == 421
    assert house.table.version == before


@pytest.mark.parametrize("rule", sorted(rule for method, rule in STATED if method == "POST"))
def test_no_route_takes_what_another_sites_page_sends(house: Stage, host: FlaskClient, rule: str) -> None:
    before = house.table.version, house.keys.join_code, house.keys.times_emptied
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = host.post(path_of(rule), data={"x": "1"}, headers=headers)
        assert answer.status_code == 403
        assert "Set-Cookie" not in answer.headers or "seat" not in answer.headers["Set-Cookie"]
    assert (house.table.version, house.keys.join_code, house.keys.times_emptied) == before


class Suspicious(HTMLParser):
    """Finds what a page with this policy must not have: scripts and styles within it, handlers, things from outside."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.within = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.found.append("a script within the page")
        if tag in ("style", "iframe", "object", "embed", "base"):
            self.found.append(f"<{tag}>")
        for name, value in attributes:
            if name.startswith("on") or name == "style" or (value or "").strip().lower().startswith("javascript:"):
                self.found.append(f"{tag} {name}={value}")
            outside = re.match(r"(https?:)?//", value or "") is not None
            if outside and name in ("src", "href", "action") and tag in ("script", "link", "img", "form"):
                self.found.append(f"{tag} {name}={value}")


@pytest.mark.parametrize("rule", sorted(rule for method, rule in STATED if method == "GET" and rule != "/api/live"))
def test_every_answer_carries_the_headers_and_no_page_a_trap(house: Stage, host: FlaskClient, rule: str) -> None:
    game_id = house.table.game_id or "none"
    for name in (game_id, "none", "people"):
        answer = host.get(path_of(rule, name))
        for header, value in HEADERS.items():
            assert answer.headers[header] == value
        if answer.mimetype == "text/html":
            seen = Suspicious()
            seen.feed(answer.text)
            assert seen.found == []
            assert "<img src=x" not in answer.text
        if "<" not in rule:
            break


def test_names_that_are_traps_stay_words(house: Stage, host: FlaskClient) -> None:
    state = host.get("/api/state").json
    sent = {"version": state["version"], "id": "trap", "text": TRAP, "edits": 0}
    assert host.post(f"/api/games/{house.table.game_id}/notes", json=sent).status_code == 200
    for path in (
        "/",
        "/log",
        "/history",
        f"/history/{house.table.game_id}",
        "/tv",
        "/setup/people",
        "/new/carnavalesco",
    ):
        page = host.get(path).text
        assert "<img src=x" not in page
        assert "49" not in re.findall(r"'(\d+)", page)


@pytest.mark.parametrize(
    "name",
    [
        "../journal.sqlite3",
        "..%2fjournal.sqlite3",
        "%2e%2e/keys.json",
        "....//secret",
        "000001-0123abcd.json",
        "000001-0123abcd.jpg.new",
        "000001-0123abcd.jpg%00.json",
        "/etc/passwd",
        "journal.sqlite3",
    ],
)
def test_no_address_leads_to_another_file_than_a_picture(house: Stage, host: FlaskClient, name: str) -> None:
    house.photos.folder.mkdir(exist_ok=True)
    for file in ("000001-0123abcd.json", "000001-0123abcd.jpg.new"):
        (house.photos.folder / file).write_text("not to be told")
    for base in ("/photos/", "/dice/", "/static/", "/history/", "/setup/", "/new/"):
        answer = host.get(base + name)
        assert answer.status_code in (302, 308, 404)
        assert "not to be told" not in answer.text
        assert "SQLite" not in answer.text


def test_a_page_leads_back_only_into_itself(host: FlaskClient) -> None:
    for back in (
        "//evil.example",
        "/\\evil.example",
        "http://evil.example/",
        "javascript:alert(1)",
        "/\t/evil.example",
    ):
        answer = host.post("/preferences", data={"language": "en", "back": back})
        assert answer.status_code == 303
        assert re.match(r"/(?![/\\\t])|/$", answer.headers["Location"])
    answer = host.post("/join", data={"code": CODE, "to": "//evil.example"})
    assert answer.headers["Location"].startswith("/")


def test_a_host_is_one_for_twelve_hours_and_not_after_a_new_pin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    stage.open_game()
    phone = come_in(stage, "host")
    assert phone.get("/setup").status_code == 200
    import time

    now = time.time()
    monkeypatch.setattr("webui.door.time.time", lambda: now + 12 * 3600 + 1)
    assert phone.get("/setup").status_code == 403
    monkeypatch.setattr("webui.door.time.time", lambda: now)
    assert phone.get("/setup").status_code == 200
    stage.keys.change_pin()
    assert phone.get("/setup").status_code == 403
    stage.close()


def test_a_cookie_that_was_changed_or_signed_elsewhere_is_nobodys(house: Stage) -> None:
    phone = come_in(house, "host")
    cookie = phone.get_cookie("jurado")
    assert cookie is not None
    body, at, signature = cookie.value.rsplit(".", 2)
    for forged in (
        f"{body}x.{at}.{signature}",
        f"{body}.{at}.{signature[:-2]}xx",
        json.dumps({"host": "x"}),
        "",
        "a.b.c",
    ):
        stranger = house.app.test_client()
        stranger.set_cookie("jurado", forged)
        assert stranger.get("/api/state").json["you"]["joined"] is False
        assert stranger.get("/setup").status_code in (302, 403)


def test_a_phone_that_has_joined_comes_before_somebody_who_only_looks() -> None:
    streams = Streams(2)
    outside = [streams.enter(f"out-{at}", joined=False) for at in range(2)]
    assert None not in outside
    assert streams.enter("out-3", joined=False) is None
    inside = streams.enter("in-1")
    assert inside is not None
    assert not streams.holds("out-0", outside[0] or 0)
    assert streams.enter("in-2") is not None
    assert streams.enter("in-3") is None, "nobody who has joined gives way"
    streams.leave("in-1", inside)
    assert streams.enter("in-3") is not None
    assert len(streams) == 2
