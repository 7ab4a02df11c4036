"""The door: the code, its rate limit, seats, and acting for somebody else."""

from __future__ import annotations

import time
from datetime import datetime, tzinfo

import pytest
from flask.testing import FlaskClient

from tests.webui.stage import CODE, Stage
from webui import sessions

TAKE = {"move": "take", "seat": 0, "places": [{"die": 0, "element": "drums"}, {"die": 1, "element": "harmony"}]}


def joined(stage: Stage, seat: object = None) -> FlaskClient:
    phone = stage.app.test_client()
    assert phone.post("/api/join", json={"code": CODE, "seat": seat}).status_code == 200
    return phone


def you(phone: FlaskClient) -> dict[str, object]:
    return phone.get("/api/state").json["you"]


def test_somebody_new_is_led_to_the_door_and_may_look_but_not_touch(closed_stage: Stage) -> None:
    closed_stage.open_game()
    phone = closed_stage.app.test_client()
    assert phone.get("/").headers["Location"] == "/join"
    assert phone.get("/?watch").status_code == 200
    assert you(phone)["role"] == "guest"
    answer = phone.post("/api/undo", json=closed_stage.sent(count=1))
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_joined")


def test_the_code_is_not_shown_to_those_outside(closed_stage: Stage) -> None:
    phone = closed_stage.app.test_client()
    for path in ("/?watch", "/tv", "/status", "/join", "/api/state"):
        assert CODE not in phone.get(path).text
    assert CODE in joined(closed_stage).get("/status").text


def test_the_qr_code_lets_in(closed_stage: Stage) -> None:
    closed_stage.open_game()
    phone = closed_stage.app.test_client()
    assert phone.get(f"/join?code={CODE}").status_code == 302
    assert you(phone) == {"role": "unseated", "seat": None, "acting": None, "joined": True, "host": False}
    assert "Bia" in phone.get("/join").text


def test_the_form_works_without_scripts(closed_stage: Stage) -> None:
    closed_stage.open_game()
    phone = closed_stage.app.test_client()
    wrong = phone.post("/join", data={"code": "nope"})
    assert wrong.status_code == 403
    assert "not this table" in wrong.text
    assert phone.post("/join", data={"code": "samba-7"}).headers["Location"] == "/join"
    assert phone.post("/join", data={"seat": "1"}).headers["Location"] == "/"
    assert you(phone)["seat"] == 1
    phone.post("/join", data={"seat": "watch"})
    assert you(phone)["role"] == "watcher"
    assert phone.post("/join", data={"seat": "7"}).status_code == 400


def test_guessing_the_code_is_slowed_down(closed_stage: Stage) -> None:
    phone = closed_stage.app.test_client()
    codes = [phone.post("/api/join", json={"code": f"guess{at}"}).status_code for at in range(6)]
    assert codes == [403] * 6
    refused = phone.post("/api/join", json={"code": CODE})
    assert (refused.status_code, refused.json["error"]["code"]) == (429, "too_many_tries")
    other = phone.post("/api/join", json={"code": CODE}, environ_base={"REMOTE_ADDR": "192.168.1.77"})
    assert other.status_code == 200
    closed_stage.seconds += 61
    assert phone.post("/api/join", json={"code": CODE}).status_code == 200


def test_links_that_a_page_elsewhere_makes_a_phone_follow_do_not_keep_the_code_from_being_typed(
    closed_stage: Stage,
) -> None:
    phone = closed_stage.app.test_client()
    answers = [phone.get(f"/join?code=guess{at}").text for at in range(7)]
    assert "Too many wrong join codes" in answers[-1]
    assert "Too many wrong join codes" in phone.get(f"/join?code={CODE}").text
    assert phone.post("/join", data={"code": CODE}).status_code == 302


def test_a_seat_takes_dice_only_on_its_own_turn(closed_stage: Stage) -> None:
    closed_stage.open_game()
    closed_stage.roll()
    ana, bia = joined(closed_stage, 0), joined(closed_stage, 1)
    refused = bia.post("/api/moves", json=closed_stage.sent(move=TAKE))
    assert (refused.status_code, refused.json["error"]["code"]) == (403, "not_your_turn")
    assert "Ana" in refused.json["error"]["message"]
    done = ana.post("/api/moves", json=closed_stage.sent(move=TAKE))
    assert done.status_code == 200
    assert done.json["state"]["log"][0]["by"] == 0


def test_a_phone_may_act_for_another_seat_after_saying_so(closed_stage: Stage) -> None:
    closed_stage.open_game()
    closed_stage.roll()
    bia = joined(closed_stage, 1)
    assert bia.post("/api/acting", json={"seat": 0}).json["state"]["you"] == {
        "role": "player",
        "seat": 1,
        "acting": 0,
        "joined": True,
        "host": False,
    }
    assert bia.post("/api/moves", json=closed_stage.sent(move=TAKE)).status_code == 200
    assert bia.post("/api/acting", json={"seat": None}).json["state"]["you"]["acting"] == 1
    bia.post("/api/acting", json={"seat": 0})
    closed_stage.table.open_game("carnavalesco", {"players": [{"name": "Bia"}, {"name": "Ana"}]}, abandon=True)
    assert you(bia) == {"role": "player", "seat": 0, "acting": 0, "joined": True, "host": False}, (
        "the name keeps its seat"
    )


def test_one_phone_for_all_seats(closed_stage: Stage) -> None:
    closed_stage.open_game()
    closed_stage.roll()
    shared = joined(closed_stage, "all")
    assert you(shared)["role"] == "shared"
    assert shared.post("/api/moves", json=closed_stage.sent(move=TAKE)).status_code == 200


def test_a_watcher_does_not_play(closed_stage: Stage) -> None:
    closed_stage.open_game()
    watcher = joined(closed_stage)
    answer = watcher.post("/api/capture", json={})
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "no_seat")


def test_the_table_itself_needs_no_code(stage: Stage, phone: FlaskClient) -> None:
    assert you(phone)["role"] == "host"
    behind_a_proxy = phone.get("/api/state", headers={"X-Forwarded-For": "203.0.113.9"})
    assert behind_a_proxy.json["you"]["role"] == "guest"
    from_afar = phone.get("/api/state", environ_base={"REMOTE_ADDR": "192.168.1.9"})
    assert from_afar.json["you"]["role"] == "guest"


def test_a_forged_cookie_lets_nobody_in(closed_stage: Stage) -> None:
    phone = closed_stage.app.test_client()
    phone.set_cookie("jurado", "eyJ0YWJsZSI6ImFueSJ9.Zm9vYmE.c2lnbmF0dXJl")
    assert you(phone)["role"] == "guest"


def test_a_phone_stays_in_when_the_tables_clock_jumps(closed_stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    closed_stage.open_game()
    phone = joined(closed_stage, 0)
    now = time.time()
    for days, role in ((-400, "player"), (0, "player"), (100, "player"), (181, "guest")):
        with monkeypatch.context() as patched:
            patched.setattr(sessions, "datetime", Jumped(now + days * 86400))
            assert you(phone)["role"] == role


class Jumped:
    """A clock that stands at `at` (seconds since 1970)."""

    def __init__(self, at: float) -> None:
        self.at = at

    def now(self, zone: tzinfo) -> datetime:
        return datetime.fromtimestamp(self.at, zone)


def test_an_answer_carries_the_cookie_only_when_it_changes(
    closed_stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed_stage.open_game()
    phone = closed_stage.app.test_client()
    assert "Set-Cookie" in phone.post("/api/join", json={"code": CODE}).headers
    assert not any("Set-Cookie" in phone.get(path).headers for path in ("/", "/api/state", "/log", "/status"))
    monkeypatch.setattr(sessions, "datetime", Jumped(time.time() + 86400 + 60))
    assert "Set-Cookie" not in phone.get("/api/state").headers, "one that was asked for before a seat was taken"
    assert "Set-Cookie" in phone.get("/").headers, "a page renews it"


def test_the_cookies_age_is_the_phones_to_count(closed_stage: Stage) -> None:
    cookie = closed_stage.app.test_client().post("/api/join", json={"code": CODE}).headers["Set-Cookie"]
    assert f"Max-Age={180 * 86400}" in cookie
