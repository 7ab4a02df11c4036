"""Waiting after wrong tries: a few are free, then it takes ever longer."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from flask.testing import FlaskClient

from tests.webui.stage import CODE, Stage
from webui.door import normal_code
from webui.tries import Tries


class Clock:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def tries(clock: Clock, **other: float) -> Tries:
    rules = {"free": 3, "wait_s": 10, "longest_s": 60, "most": 1000, "window_s": 60, **other}
    return Tries(clock, **rules)  # type: ignore[arg-type]


def test_the_waiting_time_grows_up_to_the_longest() -> None:
    clock = Clock()
    door = tries(clock)
    waits = []
    for _ in range(7):
        door.wrong("192.168.1.9")
        waits.append(door.wait("192.168.1.9"))
        clock.seconds += waits[-1]
    assert waits == [0, 0, 10, 20, 40, 60, 60]
    assert door.wait("192.168.1.10") == 0


def test_a_right_one_or_a_long_quiet_begins_anew() -> None:
    clock = Clock()
    door = tries(clock)
    for _ in range(3):
        door.wrong("a")
    door.right("a")
    door.wrong("a")
    assert door.wait("a") == 0
    for _ in range(4):
        door.wrong("a")
    clock.seconds += 1000
    door.wrong("a")
    assert door.wait("a") == 0


def test_one_house_of_ipv6_counts_as_one_address() -> None:
    door = tries(Clock())
    for number in range(3):
        door.wrong(f"fd00::{number + 1}%eth0")
    assert door.wait("fd00::ffff") == 10
    assert door.wait("fd00:0:0:1::1") == 0
    for _ in range(3):
        door.wrong("::ffff:192.168.1.9")
    assert door.wait("192.168.1.9") == 10


def test_many_addresses_together_make_everybody_wait() -> None:
    clock = Clock()
    door = tries(clock, most=5)
    for number in range(5):
        door.wrong(f"10.0.0.{number}")
        clock.seconds += 1
    assert door.wait("10.0.0.99") == 55
    clock.seconds += 55
    assert door.wait("10.0.0.99") == 0


def test_what_is_remembered_does_not_grow_without_end() -> None:
    door = tries(Clock())
    for _ in range(3):
        door.wrong("first")
    for number in range(2000):
        door.wrong(f"10.{number // 256}.{number % 256}.1")
    assert door.wait("first") == 0 or door.wait("first") == 60
    assert len(door._each) <= 1000


def test_guessing_the_pin_is_slowed_down_ever_more(closed_stage: Stage) -> None:
    phone = closed_stage.app.test_client()
    phone.post("/api/join", json={"code": CODE})
    wrong = "000000" if closed_stage.keys.pin != "000000" else "111111"
    answers = [phone.post("/host", data={"pin": wrong}) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [403, 403, 403, 403, 429]
    assert "That is not the host" in answers[0].text
    assert "jurado pin" in answers[0].text
    assert "Wait 31 seconds" in answers[-1].text or "Wait 30 seconds" in answers[-1].text
    refused = phone.post("/host", data={"pin": closed_stage.keys.pin})
    assert refused.status_code == 429, "the right one has to wait as well"
    closed_stage.seconds += 31
    assert phone.post("/host", data={"pin": wrong}).status_code == 403
    closed_stage.seconds += 31
    assert phone.post("/host", data={"pin": closed_stage.keys.pin}).status_code == 429, "it is a minute by now"
    closed_stage.seconds += 31
    assert phone.post("/host", data={"pin": closed_stage.keys.pin}).status_code == 302
    assert phone.get("/api/state").json["you"]["host"] is True


def test_many_guesses_at_the_same_instant_are_no_more_than_one_after_another(closed_stage: Stage) -> None:
    phones = [closed_stage.app.test_client() for _ in range(24)]
    for phone in phones:
        phone.post("/api/join", json={"code": CODE})
    wrong = "000000" if closed_stage.keys.pin != "000000" else "111111"
    together = threading.Barrier(len(phones))

    def guess(phone: FlaskClient) -> int:
        together.wait()
        return phone.post("/host", data={"pin": wrong}).status_code

    with ThreadPoolExecutor(len(phones)) as pool:
        answers = Counter(pool.map(guess, phones))
    assert answers == {403: 4, 429: 20}


def test_a_very_long_guess_is_looked_at_no_further_than_a_code_can_be(closed_stage: Stage) -> None:
    assert normal_code(CODE + "x" * 400_000) == normal_code(CODE + "x" * 100)
    phone = closed_stage.app.test_client()
    assert phone.post("/join", data={"code": "x" * 400_000}).status_code == 403
