"""The camera's set-up and the look at the machine, tapped through in a real browser on a whole table."""

from __future__ import annotations

import io
import json
import re
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.power import ASKED, Power
from tests.waiting import until
from tests.webui.phone import Phone
from tests.webui.stage import Stage
from tests.webui.test_first_run import RENDERED, House

SMALL = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    one = House(tmp_path_factory.mktemp("house"), RENDERED)
    until(lambda: one.service.camera_status()["state"] == "ready")
    until(lambda: not one.service.loading.loading)
    yield one
    one.service.stop()


@pytest.fixture(scope="module")
def phone() -> Iterator[Phone]:
    one = Phone()
    one.tool("Emulation.setDeviceMetricsOverride", **SMALL)
    yield one
    one.close()


def settled(phone: Phone, step: str) -> None:
    until(lambda: phone.all(f".camera-steps [data-done='{step}']"), step)


def test_the_tray_is_framed_by_keys_and_by_dragging_and_stays_framed(house: House, phone: Phone) -> None:
    phone.open(f"{house.url}/camera")
    until(lambda: len(phone.all(".corner")) == 4, "four corners over the picture")
    assert phone.run("return document.documentElement.scrollWidth <= innerWidth")
    # With the keys, as somebody without a pointer does.
    right = "new KeyboardEvent('keydown', {key: 'ArrowRight', shiftKey: true})"
    for _ in range(3):
        phone.run(f"arguments[0].focus(); arguments[0].dispatchEvent({right})", phone.all("[data-corner='0']")[0])
    # And by dragging.
    phone.run(
        "const c = arguments[0], box = document.getElementById('frame').getBoundingClientRect();"
        "c.setPointerCapture = () => 0; c.hasPointerCapture = () => true;"
        "const at = {bubbles: true, clientX: box.left + box.width * 0.8, clientY: box.top + box.height * 0.9};"
        "c.dispatchEvent(new PointerEvent('pointermove', at));",
        phone.all("[data-corner='2']")[0],
    )
    phone.run(
        "const f = document.querySelector('[data-size=\"1\"]'); f.value = 250; f.dispatchEvent(new Event('input'))"
    )
    phone.tap("[data-step='frame']")
    settled(phone, "frame")
    known = house.service.calibrator.known
    assert known.corners is not None
    assert known.corners[0] == pytest.approx([0.21, 0.15], abs=0.001)
    assert known.corners[2] == pytest.approx([0.8, 0.9], abs=0.01)
    assert known.size == [300, 250]
    assert house.service.calibrator.pose is not None
    phone.open(f"{house.url}/camera")
    settled(phone, "frame")
    until(lambda: phone.all(".corner"), "the corners again")
    assert phone.run("return document.querySelector('[data-corner=\"0\"]').style.left") == "21%"


def test_each_step_is_done_alone_and_what_fails_says_why_beside_it(house: House, phone: Phone) -> None:
    phone.open(f"{house.url}/camera")
    until(lambda: phone.all("[data-step='markers']"))
    phone.tap("[data-step='markers']")
    phone.waits_for("were not all found", ".camera-steps [role=alert]")
    phone.tap("[data-step='empty']")
    settled(phone, "empty")
    phone.tap("[data-step='focus']")
    settled(phone, "focus")
    phone.tap("[data-step='dice']")
    settled(phone, "dice")
    assert re.search(r"[23] dice read: .*d6 [1-6]", phone.all("[data-done='dice']")[0].text)
    assert set(house.service.calibrator.known.done) >= {"empty", "focus", "dice"}
    health = json.load(urllib.request.urlopen(f"{house.url}/healthz", timeout=20))
    assert health["calibration"]["ok"]
    phone.run("window.confirm = () => true")
    phone.tap("#forget")
    until(lambda: not phone.all("[data-done]"), "all forgotten")
    assert house.service.calibrator.known.done == {}


def test_the_machine_is_looked_at_and_packed_for_helpers(house: House, phone: Phone) -> None:
    phone.open(f"{house.url}/status")
    phone.tap("a[href='/doctor']")
    until(lambda: phone.all("[data-verdict]"), "what was found", 120)
    assert phone.run("return document.documentElement.scrollWidth <= innerWidth")
    about = [one.text.splitlines()[0] for one in phone.all("[data-verdict]")]
    assert {"camera", "panel", "memory", "backups"} <= set(about)
    packed = urllib.request.urlopen(f"{house.url}/doctor/diagnostics.zip", timeout=120)
    assert packed.headers["Content-Disposition"].endswith('filename="jurado-diagnostics.zip"')
    with zipfile.ZipFile(io.BytesIO(packed.read())) as file:
        names = file.namelist()
        found = json.loads(file.read("findings.json"))
    assert "health.json" in names
    assert any(one["about"] == "camera" and "Rendered dice" in one["message"] for one in found)
    assert not any(name.endswith(".jpg") for name in names)


def test_the_host_switches_the_pi_off_from_the_page(
    tmp_path: Path, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir()
    monkeypatch.setattr(Power, "of_service", classmethod(lambda cls: cls(runtime)))
    house = House(tmp_path / "home", RENDERED)
    phone.open(f"{house.url}/status")
    phone.tap("details summary")
    phone.tap("form[action='/host/off'] button")
    phone.waits_for("The Pi is being switched off", "h1")
    assert (runtime / ASKED).exists()
    assert house.service.panel.shown == "closing"
    house.service.stop()


@pytest.mark.parametrize(("kind", "begins"), [("pdf", b"%PDF-"), ("png", b"\x89PNG")])
def test_the_sheet_of_markers_is_there_to_print(house: House, kind: str, begins: bytes) -> None:
    answer = urllib.request.urlopen(f"{house.url}/camera/markers.{kind}", timeout=20)
    assert answer.read().startswith(begins)


def test_a_table_without_a_camera_says_so(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    at_the_table = stage.app.test_client()
    assert "No camera is set up" in at_the_table.get("/camera").text
    refused = at_the_table.post("/api/camera", json={"step": "empty"})
    assert (refused.status_code, refused.json["error"]["code"]) == (404, "no_camera")
    assert at_the_table.get("/doctor").status_code == 404
    assert "Switch the Pi off" not in at_the_table.get("/status").text
    assert at_the_table.post("/host/off").status_code == 422
    stage.close()
