"""The first run on the host's phone, tapped through in a real browser, and what its steps answer."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from gpiozero.pins.mock import MockFactory

from device.config import CameraConfig, Config, PanelConfig, WebConfig
from device.service import Service
from engine.arrangement import STEPS
from tests.waiting import until
from tests.webui.hands import come_in, put_down
from tests.webui.phone import Phone
from tests.webui.stage import CODE, Served, Stage
from tests.webui.test_every_page import Looked

SMALL = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    one = Phone()
    one.tool("Emulation.setDeviceMetricsOverride", **SMALL)
    yield one
    one.close()


class House:
    """A whole table as a Pi runs it: the rendered table for a camera, buttons on mock pins."""

    def __init__(self, home: Path, camera: CameraConfig, **web: Any) -> None:
        self.pins = MockFactory()
        self.config = replace(
            Config(home),
            web=WebConfig(host="127.0.0.1", port=0, **web),
            camera=camera,
            panel=PanelConfig(driver="mock"),
        )
        self.start()

    def start(self) -> None:
        self.service = Service(self.config, pin_factory=self.pins)
        settings = self.service.app.extensions["jurado"].settings
        # The rendered camera stands for a real one here; in the demo nobody is led away from the table.
        object.__setattr__(settings, "leads_to_setup", True)
        self.service.start()
        self.url = self.service.addresses()[0]

    def press(self, pin: int) -> None:
        self.pins.pin(pin).drive_low()

    def let_go(self, pin: int) -> None:
        self.pins.pin(pin).drive_high()


RENDERED = CameraConfig(backend="rendered", width=1280, height=960, timeout_s=20)


def at_step(phone: Phone, number: int) -> None:
    phone.waits_for(f"Step {number} of {len(STEPS)}", ".at-step")
    assert phone.run("return document.documentElement.scrollWidth <= innerWidth"), f"step {number} is too wide"


def type_in(phone: Phone, selector: str, words: str) -> None:
    phone.run(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('input'));",
        selector,
        words,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_whole_first_run_by_tapping(phone: Phone, tmp_path: Path, scheme: str) -> None:
    phone.tool("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    house = House(tmp_path / "home", RENDERED)
    phone.open(house.url)
    at_step(phone, 1)
    phone.tap("main [value='en']")
    at_step(phone, 2)
    type_in(phone, "[name='name']", "Kitchen table")
    phone.tap("button.main")
    at_step(phone, 3)
    for name in ("Ana", "Bia", "Caio"):
        phone.tap("#add")
        type_in(phone, "#person-name", name)
    phone.tap("[data-colour='green']")
    phone.tap("[data-seat='0']")
    phone.tap("#swap")
    phone.tap("[data-seat='1']")
    put_down(phone)
    house.service.stop()
    house.start()
    phone.open(f"{house.url}/setup")
    phone.waits_for("Kitchen table", "h1")
    phone.waits_for("Left open", ".answers")
    phone.tap("main .button.main")
    at_step(phone, 3)
    # Another port after the restart is another origin here, so what was typed and not sent has to be typed again.
    for name in ("Bia", "Ana", "Caio"):
        phone.tap("#add")
        type_in(phone, "#person-name", name)
    phone.tap("[data-colour='green']")
    phone.tap("#people .main")
    at_step(phone, 4)
    assert [one["name"] for one in house.service.table.arrangement.people] == ["Bia", "Ana", "Caio"]
    assert house.service.table.arrangement.people[2]["colour"] == "green"
    phone.waits_for("fits the 3 of you")
    phone.tap("[value='carnavalesco']")
    at_step(phone, 5)
    # What lies on the rendered table, and in which light, is drawn by chance; what is said of it is tested elsewhere.
    until(lambda: len(phone.all(".ring")) >= 2, "dice in the camera's picture")
    assert {one.get_attribute("data-check") for one in phone.all("#checks li")} == {"focus", "light", "size"}
    assert phone.all("[data-check='size'].check-good")
    first = phone.run("return document.querySelector('#frame img').src")
    assert first.startswith("data:image/jpeg")
    phone.tap("#use")
    at_step(phone, 6)
    for name, pin in (("capture", 17), ("confirm", 27), ("undo", 22)):
        house.press(pin)
        until(lambda key=f"{name}-press": phone.all(f".presses .down[data-button='{key}']"), f"{name} lights up")
        house.let_go(pin)
        until(lambda key=f"{name}-press": phone.all(f".presses .pressed[data-button='{key}']:not(.down)"), name)
    assert house.service.station.proposal is None, "nothing was photographed"
    phone.tap("[data-lamp='fault']")
    until(lambda: house.pins.pin(18).state and house.service.panel.shown == "fault", "the lamp blinks fast")
    phone.tap("#use")
    at_step(phone, 7)
    phone.waits_for(house.service.keys.join_code, ".code")
    assert phone.all("svg.qr")
    phone.tap("[value='game']")
    phone.waits_for("New game of Carnavalesco", "h1")
    assert phone.run("return [...document.querySelectorAll('[data-name]')].map((one) => one.value)") == [
        "Bia",
        "Ana",
        "Caio",
    ]
    phone.open(house.url)
    phone.waits_for("No game is open")
    phone.open(f"{house.url}/setup")
    for words in (
        "English",
        "Kitchen table",
        "Bia, Ana, Caio",
        "Carnavalesco",
        "The table’s camera",
        "Buttons at the table",
    ):
        phone.waits_for(words, ".answers")
    assert phone.complaints() == []
    put_down(phone)
    house.service.stop()


def test_every_step_is_for_everybody(phone: Phone, served: Served) -> None:
    phone.tool("Network.enable")
    phone.tool("Network.setCacheDisabled", cacheDisabled=True)
    wrong: list[str] = []
    look = Looked(phone, served.url, wrong, "set-up")

    def seen() -> None:
        until(lambda: phone.all("#checks li"), "what the camera check says")

    def pressed() -> None:
        until(lambda: phone.all(".presses li"), "the buttons")

    def seated() -> None:
        for name in ("Ana", "Bartolomeu da Silva", "Caio"):
            phone.tap("#add")
            type_in(phone, "#person-name", name)

    for at, step in enumerate(STEPS):
        waits = {"camera": seen, "panel": pressed, "people": seated}
        look.at(f"/setup/{step}", f"{at + 1} {step}", then=waits.get(step, lambda: None))
    look.at("/host")
    served.stage.table.arrange("name", {"name": "Attic"})
    look.at("/setup")
    phone.likes()
    phone.tool("Emulation.setDeviceMetricsOverride", **SMALL)
    put_down(phone)
    assert not wrong, "\n".join(wrong)


def test_what_was_typed_and_not_sent_outlives_a_sleeping_phone(phone: Phone, tmp_path: Path) -> None:
    house = House(tmp_path / "home", CameraConfig())
    phone.open(f"{house.url}/setup/people")
    phone.tap("#add")
    type_in(phone, "#person-name", "Ana")
    phone.open("about:blank")
    phone.open(f"{house.url}/setup/people")
    phone.waits_for("Ana", "[data-seat='0']")
    phone.tap("#add")
    phone.tap("#people .main")
    phone.waits_for("Seat 2 has no name", "#trouble")
    phone.tap("#remove")
    phone.tap("#people .main")
    at_step(phone, 4)
    put_down(phone)
    house.service.stop()


def test_without_camera_and_panel_there_is_a_way_on(phone: Phone, tmp_path: Path) -> None:
    missing = CameraConfig(backend="folder", folder=str(tmp_path / "no such folder"), timeout_s=1)
    house = House(tmp_path / "home", missing)
    until(lambda: house.service.camera_status()["state"] == "fault")
    phone.open(f"{house.url}/setup/camera")
    phone.waits_for("There is no folder", "#fault")
    assert phone.run("return document.querySelector('#use').disabled")
    phone.tap("[value='phones']")
    at_step(phone, 6)
    assert house.service.table.arrangement.camera == "phones"
    phone.tap("#without")
    at_step(phone, 7)
    put_down(phone)
    house.service.stop()
    none = House(tmp_path / "none", CameraConfig())
    phone.open(f"{none.url}/setup/camera")
    phone.waits_for("No camera is set up")
    assert not phone.all("#sight")
    phone.tap("[value='hand']")
    at_step(phone, 6)
    put_down(phone)
    none.service.stop()


def test_the_rest_is_skipped_in_one_tap(phone: Phone, tmp_path: Path) -> None:
    house = House(tmp_path / "home", CameraConfig())
    phone.open(house.url)
    at_step(phone, 1)
    phone.tap(".skip-all button")
    phone.waits_for("No game is open")
    assert not phone.all(".offer")
    put_down(phone)
    house.service.stop()


def test_another_phone_becomes_the_hosts_by_the_pin(phone: Phone, tmp_path: Path) -> None:
    house = House(tmp_path / "home", CameraConfig(), trust_loopback=False)
    keys = house.service.keys
    phone.browser.delete_all_cookies()
    phone.open(f"{house.url}/setup")
    phone.waits_for("Join with the table's code")
    phone.open(f"{house.url}/join?code={keys.join_code}")
    phone.open(house.url)
    phone.tap(".offer")
    phone.waits_for("Only the host may do this")
    phone.tap("main a.main")
    wrong = "000000" if keys.pin != "000000" else "111111"
    type_in(phone, "[name='pin']", wrong)
    phone.tap("form .main")
    phone.waits_for("That is not the host's PIN", "[role='alert']")
    type_in(phone, "[name='pin']", f"{keys.pin[:3]} {keys.pin[3:]}")
    phone.tap("form .main")
    at_step(phone, 1)
    put_down(phone)
    house.service.stop()


def test_the_demo_offers_and_leads_nowhere(tmp_path: Path) -> None:
    demo = Service(replace(Config(tmp_path), web=WebConfig(host="127.0.0.1", port=0)), demo=True)
    assert demo.app.extensions["jurado"].settings.leads_to_setup is False
    page = demo.app.test_client().get("/")
    assert page.status_code == 200
    assert "Set this table up" in page.text
    demo.journal.close()


def test_a_real_fresh_table_leads_its_host_and_nobody_else(tmp_path: Path) -> None:
    stage = Stage(tmp_path, leads_to_setup=True, trust_loopback=False)
    host, guest = stage.app.test_client(), stage.app.test_client()
    for one in (host, guest):
        one.post("/api/join", json={"code": CODE})
    host.post("/host", data={"pin": stage.keys.pin})
    assert host.get("/").headers["Location"] == "/setup"
    assert host.get("/setup").headers["Location"] == "/setup/language"
    assert guest.get("/").status_code == 200
    stage.open_game()
    assert host.get("/").status_code == 200, "once something was played, nobody is led away"
    stage.close()


def test_the_table_speaks_the_language_of_its_set_up(stage: Stage, phone_of_the_host: FlaskClient) -> None:
    answer = phone_of_the_host.post("/setup/language", data={"language": "pt"})
    assert answer.headers["Location"] == "/setup/name"
    assert "jurado_language=pt" in answer.headers["Set-Cookie"]
    somebody = stage.app.test_client()
    assert '<html lang="pt' in somebody.get("/?watch").text
    assert somebody.get("/api/state").json["language"] == "pt"


@pytest.fixture
def phone_of_the_host(stage: Stage) -> FlaskClient:
    return stage.app.test_client()


def test_a_step_alone_leads_back_once_all_is_set(stage: Stage, phone_of_the_host: FlaskClient) -> None:
    one = phone_of_the_host
    assert one.post("/setup/done").headers["Location"] == "/"
    assert one.post("/setup/name", data={"name": "Attic"}).headers["Location"] == "/setup"
    assert "Attic" in one.get("/setup").text
    assert one.get("/api/state").json["table"]["name"] == "Attic"
    assert one.post("/setup/camera", data={"camera": "hand"}).headers["Location"] == "/setup"
    assert one.get("/setup/colours").status_code == 404
    assert one.post("/setup/colours").status_code == 404


def test_a_bad_answer_is_told_and_what_was_typed_stays(stage: Stage, phone_of_the_host: FlaskClient) -> None:
    answer = phone_of_the_host.post("/setup/name", data={"name": "x" * 50})
    assert answer.status_code == 400
    assert "at most 40 letters" in answer.text
    assert "x" * 50 in answer.text
    twins = '[{"name": "Ana", "colour": "red"}, {"name": "ana", "colour": "blue"}]'
    answer = phone_of_the_host.post("/setup/people", data={"people": twins})
    assert "Two people are called ana" in answer.text
    assert '"name": "ana"' in answer.text
    for nonsense in ("", "[", "{}", "null", "[[", '"Ana"', "[" * 10_000):
        assert phone_of_the_host.post("/setup/people", data={"people": nonsense}).status_code == 400
    assert stage.table.arrangement.answered == {}


def test_a_new_code_lets_phones_stay_or_sends_them_away(tmp_path: Path) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    host, guest = stage.app.test_client(), stage.app.test_client()
    for one in (host, guest):
        one.post("/api/join", json={"code": CODE})
    host.post("/host", data={"pin": stage.keys.pin})
    host.post("/host/code")
    assert guest.get("/api/state").json["you"]["joined"] is True
    host.post("/host/code", data={"empty": "yes"})
    assert guest.get("/api/state").json["you"] == {
        "role": "guest",
        "seat": None,
        "acting": None,
        "joined": False,
        "host": False,
    }
    assert host.get("/api/state").json["you"]["host"] is True, "who sent them away stays"
    assert guest.post("/api/join", json={"code": CODE}).status_code == 200
    stage.close()


def test_a_phone_that_is_sent_away_hears_it_at_once(phone: Phone, tmp_path: Path) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    stage.open_game()
    house = Served(stage)
    come_in(phone, house, 0)
    until(lambda: phone.run("return document.documentElement.dataset.live") == "stream", "the live stream")
    host = stage.app.test_client()
    host.post("/api/join", json={"code": CODE})
    host.post("/host", data={"pin": stage.keys.pin})
    host.post("/host/code", data={"empty": "yes"})
    phone.waits_for("You are watching from outside")
    phone.open(f"{house.url}/join")
    phone.waits_for("Join the table", "h1")
    put_down(phone)
    house.close()
    stage.close()


def test_a_phone_leaves_the_table_by_itself(tmp_path: Path) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    guest = stage.app.test_client()
    guest.post("/api/join", json={"code": CODE})
    assert "Leave this table" in guest.get("/join").text
    assert guest.post("/leave").headers["Location"] == "/join"
    assert guest.get("/api/state").json["you"]["role"] == "guest"
    assert "Leave this table" not in guest.get("/join").text
    stage.close()


def test_the_door_leads_on_to_where_one_wanted_to_go_and_nowhere_else(tmp_path: Path) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    guest = stage.app.test_client()
    assert guest.get("/host").headers["Location"] == "/join?to=host"
    assert 'name="to" value="host"' in guest.get("/join?to=host").text
    assert 'name="to"' not in guest.get("/join?to=http://evil.example").text
    assert guest.post("/join", data={"code": CODE, "to": "host"}).headers["Location"] == "/host"
    other = stage.app.test_client()
    assert other.post("/join", data={"code": CODE, "to": "//evil.example"}).headers["Location"] == "/"
    assert stage.app.test_client().get(f"/join?code={CODE}&to=setup").headers["Location"] == "/setup"
    stage.close()


def test_only_the_host_forgets_all_dice(tmp_path: Path) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    stage.open_game()
    player = stage.app.test_client()
    player.post("/api/join", json={"code": CODE, "seat": 0})
    answer = player.post("/api/dice/forget", json={"die": "all"})
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_host")
    stage.close()


def test_the_host_is_no_longer_host_after_twelve_hours_or_a_new_pin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    host = stage.app.test_client()
    host.post("/api/join", json={"code": CODE})
    host.post("/host", data={"pin": stage.keys.pin})

    def is_host() -> bool:
        return bool(host.get("/api/state").json["you"]["host"])

    now = time.time()
    for hours, still in ((11, True), (13, False), (-1, False), (24 * 100, False)):
        monkeypatch.setattr(time, "time", lambda at=now + hours * 3600: at)
        assert is_host() is still
    monkeypatch.undo()
    assert is_host()
    stage.keys.change_pin()
    assert not is_host()
    host.post("/host", data={"pin": stage.keys.pin})
    assert is_host()
    host.post("/host/leave")
    assert not is_host()
    assert host.get("/api/state").json["you"]["joined"] is True
    stage.close()


def test_the_game_of_the_set_up_comes_first_until_one_was_played(stage: Stage, phone_of_the_host: FlaskClient) -> None:
    def listed() -> list[str]:
        return re.findall(r'data-game="(\w+)"', phone_of_the_host.get("/new").text)

    phone_of_the_host.post("/setup/game", data={"game": "roda_de_samba"})
    assert listed()[0] == "roda_de_samba"
    stage.open_game()
    assert listed()[0] == "carnavalesco"


def test_pin_and_code_lie_in_one_file_alone(tmp_path: Path) -> None:
    with_all = House(tmp_path, CameraConfig())
    keys, client = with_all.service.keys, with_all.service.app.test_client()
    for step, given in (("name", "Attic"), ("camera", "hand"), ("panel", "phones"), ("done", "")):
        assert client.post(f"/setup/{step}", data={step: given}).status_code == 302
    with_all.service.table.open_game("carnavalesco", {"players": [{"name": "Ana"}, {"name": "Bia"}]})
    with_all.service.stop()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    for secret in (keys.pin, keys.join_code, keys.pin_id):
        holding = [path.name for path in files if secret.encode() in path.read_bytes()]
        assert holding == ["keys.json"]


def test_neither_pin_nor_code_is_told_to_those_who_should_not_know(tmp_path: Path) -> None:
    stage = Stage(tmp_path, trust_loopback=False)
    guest = stage.app.test_client()
    host = stage.app.test_client()
    host.post("/api/join", json={"code": CODE})
    host.post("/host", data={"pin": stage.keys.pin})
    for path in ("/", "/?watch", "/setup", "/setup/done", "/host", "/status", "/api/state", "/healthz"):
        assert CODE not in guest.get(path).text
        assert not re.search(rf"\b{stage.keys.pin}\b", host.get(path).text), "the PIN is on no page at all"
    stage.close()
