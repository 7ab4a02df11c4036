"""Every route × role: docs/http.md names the least role of each route, and each is asked in every role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.webui.stage import CODE, Stage
from tests.webui.test_http_docs import DOCS, routes_of

LINE = re.compile(r"^\| `(GET|POST) (/\S*)` \| (\w+) \|", re.MULTILINE)
STATED = {(method, rule): role for method, rule, role in LINE.findall(DOCS.read_text(encoding="utf-8"))}
ROLES = ("guest", "watcher", "player", "host")
LEAST = {"anybody": 0, "watch": 1, "play": 2, "host": 3}
TOLD = {"guest": "not_joined", "watcher": "no_seat", "player": "not_host"}
"""The code of the refusal of somebody in this role; where the host is needed, a watcher is told that as well."""

DOORS = {("POST", "/api/join"), ("POST", "/host")}
"""Where people come in: without code or PIN that is refused to those who may ask as well, and counted."""


def come_in(stage: Stage, role: str) -> FlaskClient:
    """Return a phone in this role."""
    phone = stage.app.test_client()
    if role != "guest":
        seat = None if role == "watcher" else 0
        assert phone.post("/api/join", json={"code": CODE, "seat": seat}).status_code == 200
    if role == "host":
        assert phone.post("/host", data={"pin": stage.keys.pin}).status_code == 302
    return phone


def refusal(asked: TestResponse) -> str:
    """Return the code of an error, whether it is JSON or a page; empty for anything else."""
    if asked.status_code < 400:
        return ""
    if asked.is_json:
        return str(asked.json["error"]["code"])
    found = re.search(r'data-code="(\w+)"', asked.text)
    return "" if found is None else found[1]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    stage = Stage(tmp_path_factory.mktemp("house"), trust_loopback=False)
    yield stage
    stage.close()


def test_every_route_states_its_role(house: Stage) -> None:
    assert set(STATED) == routes_of(house)
    assert set(STATED.values()) == set(LEAST)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("method", "rule"), sorted(STATED))
def test_a_route_answers_whoever_may_ask_and_nobody_else(house: Stage, method: str, rule: str, role: str) -> None:
    if house.table.game is None:
        house.open_game()
    house.seconds += 4000  # no wait from the last time at a door
    phone = come_in(house, role)
    path = re.sub(r"<(?:\w+:)?\w+>", "none", rule)
    before = house.table.version
    # An act decided on nothing: nobody changes anything by it, and those who may ask are told what is missing.
    asked = phone.open(path, method=method, json={} if method == "POST" else None, buffered=False)
    code = refusal(asked)
    asked.close()
    assert house.table.version == before
    if ROLES.index(role) < LEAST[STATED[method, rule]]:
        wanted = "not_host" if role != "guest" and STATED[method, rule] == "host" else TOLD[role]
        assert (asked.status_code, code) == (403, wanted)
    elif (method, rule) in DOORS and asked.status_code == 403:
        assert code == ("not_joined" if role == "guest" else "wrong_pin")
    else:
        assert asked.status_code < 500
        assert code not in TOLD.values()


def test_a_view_that_states_no_role_is_the_hosts_alone(tmp_path: Path) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    stage.app.add_url_rule("/forgotten", "forgotten", lambda: "found")
    stage.open_game()
    answers = {role: come_in(stage, role).get("/forgotten").status_code for role in ROLES}
    assert answers == {"guest": 403, "watcher": 403, "player": 403, "host": 200}
    stage.close()
