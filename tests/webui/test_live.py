"""Live streams on a real server: states as they happen, signs of life, a full house, a stream that is replaced."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.waiting import until
from tests.webui.stage import CODE, Served, Stage
from webui.people import Visitor


class Stream:
    """One live stream, read event by event."""

    def __init__(self, url: str, client: str, cookie: str = "") -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)
        self._connection.request("GET", f"/api/live?client={client}", headers={"Cookie": cookie})
        self.answer = self._connection.getresponse()

    def next(self) -> tuple[str, Any]:
        """Return the next event's name and data; ("end", None) when the stream ended."""
        name = ""
        for line in iter(self.answer.readline, b""):
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                name = text.removeprefix("event: ")
            elif text.startswith("data: "):
                return name, json.loads(text.removeprefix("data: "))
        return "end", None

    def state(self) -> Any:
        """Return the next state, past the signs of life."""
        while (event := self.next())[0] == "alive":
            pass
        return event[1]

    def close(self) -> None:
        self.answer.close()
        self._connection.close()


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[Served]:
    """A server with room for two streams, and a quick heart."""
    stage = Stage(tmp_path, live_clients=2, heartbeat_s=0.2)
    server = Served(stage)
    yield server
    server.close()
    stage.close()


def test_a_stream_tells_the_state_at_once_and_every_change(served: Served) -> None:
    stream = Stream(served.url, "one")
    assert stream.answer.headers["Content-Type"].startswith("text/event-stream")
    kind, state = stream.next()
    assert (kind, state["game"]) == ("state", None)
    served.stage.open_game()
    kind, state = stream.next()
    assert (kind, state["game"]["seats"]) == ("state", ["Ana", "Bia"])
    served.stage.station.by_hand()
    assert stream.next()[1]["proposal"]["source"] == "hand"
    stream.close()


def test_a_silent_table_shows_that_it_lives(crowded: Served) -> None:
    stream = Stream(crowded.url, "one")
    version = stream.next()[1]["version"]
    assert stream.next() == ("alive", version)
    stream.close()


def test_a_full_house_is_told_and_its_places_come_back(crowded: Served) -> None:
    first, second = Stream(crowded.url, "one"), Stream(crowded.url, "two")
    first.next()
    second.next()
    third = Stream(crowded.url, "three")
    assert third.answer.status == 503
    assert json.loads(third.answer.read())["error"]["code"] == "too_many_streams"
    first.close()
    until(lambda: len(crowded.stage.app.extensions["jurado"].streams) < 2)
    fourth = Stream(crowded.url, "four")
    assert fourth.next()[0] == "state"
    fourth.close()
    second.close()


def test_a_page_that_comes_back_takes_its_old_place(crowded: Served) -> None:
    old, other = Stream(crowded.url, "one"), Stream(crowded.url, "two")
    old.next()
    other.next()
    new = Stream(crowded.url, "one")
    assert new.next()[0] == "state"
    while (event := old.next())[0] == "alive":
        pass
    assert event == ("end", None)
    new.close()
    other.close()


def test_streams_end_when_the_table_is_switched_off(served: Served) -> None:
    stream = Stream(served.url, "one")
    stream.next()
    services = served.stage.app.extensions["jurado"]
    services.streams.close()
    services.snapshot.touch()
    assert stream.next() == ("end", None)
    assert Stream(served.url, "two").answer.status == 503


def test_a_stream_goes_on_into_the_next_game_with_the_right_person(tmp_path: Path) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    house = Served(stage)
    stage.open_game()
    streams = []
    for seat in (0, 1):
        phone = stage.app.test_client()
        phone.post("/api/join", json={"code": CODE, "seat": seat})
        cookie = phone.get_cookie("jurado")
        assert cookie is not None
        streams.append(Stream(house.url, f"seat-{seat}", f"jurado={cookie.value}"))
    ana, bia = streams
    assert [stream.state()["you"]["seat"] for stream in streams] == [0, 1]
    stage.table.open_game("carnavalesco", {"players": [{"name": "Caio"}, {"name": "Ana"}]}, abandon=True)
    told = ana.state()
    assert (told["game"]["seats"], told["you"]["role"], told["you"]["seat"]) == (["Caio", "Ana"], "player", 1)
    assert bia.state()["you"] == {"role": "unseated", "seat": None, "acting": None, "joined": True, "host": False}
    stage.table.open_game("carnavalesco", {"players": [{"name": "Bia"}, {"name": "Caio"}]}, abandon=True)
    assert ana.state()["you"]["role"] == "unseated", "nobody becomes somebody else"
    assert bia.state()["you"]["seat"] == 0, "who is seated again is known again"
    for stream in streams:
        stream.close()
    house.close()
    stage.close()


def test_a_state_is_put_together_and_written_once_for_all_who_see_the_same(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = stage.app.extensions["jurado"].snapshot
    stage.open_game()
    compose, composed = snapshot._compose, []
    monkeypatch.setattr(snapshot, "_compose", lambda language: composed.append(language) or compose(language))
    together, texts = threading.Barrier(12), []
    watcher = Visitor({"watch": True}, table=False, host=False)
    player = Visitor({"seat": 1, "name": "Bia"}, table=False, host=False)

    def look() -> None:
        together.wait()
        texts.append(snapshot.text(watcher, {"code": CODE})[1])

    threads = [threading.Thread(target=look) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert composed == ["en"]
    assert len({id(text) for text in texts}) == 1
    assert json.loads(texts[0]) == json.loads(json.dumps(snapshot.state(watcher, {"code": CODE})))
    assert json.loads(snapshot.text(player, {"code": CODE})[1])["you"]["seat"] == 1
    assert "code" not in snapshot.text(Visitor({}, table=False, host=False), {"code": CODE})[1].split('"join":')[1][:20]
    stage.station.touch()
    snapshot.text(watcher, {"code": CODE})
    assert composed == ["en", "en"], "what has changed is told"
