"""What is refused before any page sees it, and the one shape of every error."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.webui.stage import Stage
from webui.guard import host_allowed


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.20:8080",
        "10.42.0.1",
        "[fe80::1]:8080",
        "[::1]",
        "localhost:8080",
        "raspberrypi",
        "raspberrypi.local:8080",
        "RaspberryPi.local.",
        "dice.example.org",
    ],
)
def test_a_host_of_the_house_is_let_in(host: str) -> None:
    assert host_allowed(host, ["dice.example.org"])


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "192.168.1.20.evil.example",
        "127.0.0.1.nip.io",
        "a.b.local",
        "local.evil.com",
        "user@localhost",
        "localhost:99999",
        "localhost/evil",
        "-evil",
        "[::1",
        "evil.example:80:80",
    ],
)
def test_a_foreign_host_is_refused(host: str) -> None:
    assert not host_allowed(host, ["dice.example.org"])


@pytest.mark.parametrize("path", ["/", "/api/state", "/api/live", "/healthz", "/static/x/icon.svg", "/photos/x.jpg"])
def test_the_host_is_checked_on_every_route(phone: FlaskClient, path: str) -> None:
    answer = phone.get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 421
    if path.startswith("/api"):
        assert answer.json["error"]["code"] == "unknown_host"
        assert "evil.example" in answer.json["error"]["message"]
        assert "web.hosts" in answer.json["error"]["message"]


def test_a_configured_host_is_let_in(tmp_path: Path) -> None:
    stage = Stage(tmp_path, hosts=("dice.example.org",))
    assert stage.app.test_client().get("/api/state", headers={"Host": "dice.example.org"}).status_code == 200
    stage.close()


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_another_sites_page_cannot_post(stage: Stage, phone: FlaskClient, headers: dict[str, str]) -> None:
    stage.open_game()
    answer = phone.post("/api/capture", json={}, headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "foreign_origin")
    assert stage.station.proposal is None
    assert phone.post("/join", data={"code": "x"}, headers=headers).status_code == 403


def test_the_tables_own_page_may_post(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    answer = phone.post("/api/proposal/hand", json={}, headers={"Origin": "http://localhost"})
    assert answer.status_code == 200


def test_an_act_wants_json(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    form = phone.post("/api/undo", data={"count": "1"})
    assert (form.status_code, form.json["error"]["code"]) == (415, "wrong_content_type")
    broken = phone.post("/api/undo", data="{", content_type="application/json")
    assert (broken.status_code, broken.json["error"]["code"]) == (400, "not_json")
    bottomless = phone.post("/api/undo", data="[" * 100_000, content_type="application/json")
    assert (bottomless.status_code, bottomless.json["error"]["code"]) == (400, "not_json")
    a_list = phone.post("/api/undo", json=[1])
    assert a_list.json["error"]["code"] == "not_json"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/nothing", 404),
        ("get", "/photos/nothing.jpg", 404),
        ("get", "/photos/.hidden", 404),
        ("get", "/api/undo", 405),
        ("post", "/api/state", 405),
        ("delete", "/healthz", 405),
    ],
)
def test_programs_get_one_error_shape(phone: FlaskClient, method: str, path: str, status: int) -> None:
    answer = phone.open(path, method=method.upper())
    assert answer.status_code == status
    assert set(answer.json) == {"error"}
    assert set(answer.json["error"]) == {"code", "message", "field"}


def test_people_get_a_page_with_a_way_back(phone: FlaskClient) -> None:
    answer = phone.get("/nothing")
    assert answer.status_code == 404
    assert "There is nothing at this address" in answer.text
    assert 'href="/"' in answer.text


def test_a_break_is_told_in_a_sentence_and_nothing_of_the_inside(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stage.app.extensions["jurado"].snapshot, "text", lambda *_: 1 / 0)
    answer = stage.app.test_client().get("/api/state")
    assert (answer.status_code, answer.json["error"]["code"]) == (500, "broken")
    assert "division" not in answer.json["error"]["message"]


def test_a_photograph_that_is_too_large_is_refused_with_the_limit(tmp_path: Path) -> None:
    stage = Stage(tmp_path, upload_mb=1)
    stage.open_game()
    answer = stage.app.test_client().post("/api/photo", data=b"x" * 1_000_001, content_type="image/jpeg")
    assert (answer.status_code, answer.json["error"]["code"]) == (413, "too_large")
    assert "1 MB" in answer.json["error"]["message"]
    stage.close()


def test_a_move_of_a_megabyte_is_refused(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    answer = phone.post("/api/moves", json=stage.sent(move={"move": "x" * 300_000}))
    assert answer.status_code == 413


def test_pages_load_nothing_from_outside_and_cannot_be_framed(stage: Stage, phone: FlaskClient) -> None:
    stage.open_game()
    for path in ("/", "/log", "/end", "/new", "/strips", "/history", "/status", "/tv", "/join"):
        answer = phone.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self';")
        assert "frame-ancestors 'none'" in policy
        assert "style=" not in answer.text, "an inline style would be blocked"
        assert " on" + "click" not in answer.text


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(closed_stage: Stage) -> None:
    answer = closed_stage.app.test_client().post("/api/join", json={"code": "samba 7"})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
