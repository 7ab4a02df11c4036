"""Every fault leaves a line that people understand: on the page, in /healthz and in the log; each ends when it ends."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from device import health, logbook
from device.config import PanelConfig
from device.panel import QUIET_S, RESTLESS, STUCK_S, Panel
from device.photos import HALF, PhotoRing
from device.station import Station
from device.troubles import Troubles
from engine.words import say, told
from tests.device.conftest import ScriptedCamera


def test_a_clock_that_jumps_back_is_told_and_one_that_starts_late_is_not() -> None:
    newest = "2026-11-30T20:00:00.000+00:00"
    assert health.clock(newest, "2026-11-30T20:05:00.000+00:00")["ok"]
    assert health.clock(newest, "2026-11-30T19:30:00.000+00:00")["ok"]
    assert health.clock("", "1970-01-01T00:00:00+00:00")["ok"]
    assert health.clock("some time", "2026-11-30T19:30:00.000+00:00")["ok"]
    gone_back = health.clock(newest, "2025-11-30T20:00:00.000+00:00")
    assert not gone_back["ok"]
    assert "says 2025-11-30 20:00, but the last turn was written at 2026-11-30 20:00" in gone_back["message"]


def test_a_machine_without_a_network_says_so_unless_it_keeps_to_itself() -> None:
    assert "on no network" in health.network("0.0.0.0", None)["message"]
    assert health.network("127.0.0.1", None)["ok"]
    assert health.network("0.0.0.0", "192.168.1.20") == {"ok": True, "message": "Phones find it at 192.168.1.20."}


def test_what_begins_and_ends_is_logged_once_and_told_to_the_pages(caplog: pytest.LogCaptureFixture) -> None:
    parts: dict[str, Any] = {"ok": True, "disk": {"ok": True, "message": "50 GB free."}}
    rings: list[bool] = []
    troubles = Troubles(lambda: parts, lambda: rings.append(True))
    with caplog.at_level(logging.INFO):
        troubles.look()
        assert (troubles.sentences, rings, caplog.messages) == ([], [], [])
        for free in (49, 48):
            parts["disk"] = {"ok": False, "message": say("Only {free} MB are free.", free=free)}
            troubles.look()
        assert troubles.sentences == ["Only 48 MB are free."]
        assert caplog.messages == ["disk: Only 49 MB are free."], "counting on is no news"
        parts["disk"] = {"ok": False, "message": say("It cannot be written to.")}
        troubles.look()
        assert caplog.messages[1:] == ["disk: It cannot be written to."], "another fault is"
        parts["disk"] = {"ok": True, "message": "50 GB free."}
        troubles.look()
    assert troubles.sentences == []
    assert caplog.messages[-1] == "disk: well again. 50 GB free."
    assert len(rings) == 3


def test_the_log_is_json_lines_that_never_grow_beyond_their_size(tmp_path: Path) -> None:
    root = logging.getLogger()
    before = list(root.handlers)
    path = logbook.begin(tmp_path, 0.03)
    assert path is not None
    try:
        logging.getLogger("device.station").warning("The camera is %s.", "missing")
        try:
            raise ValueError("one")
        except ValueError:
            logging.getLogger("device.station").exception("it broke")
        logging.getLogger("waitress").info("Client disconnected while serving /api/live")
        logging.getLogger("waitress.queue").warning("Task queue depth is 1")
        first, broken = logbook.lines(tmp_path)[-2:]
        assert (first["level"], first["part"], first["message"]) == (
            "warning",
            "device.station",
            "The camera is missing.",
        )
        assert "ValueError: one" in broken["trace"]
        for number in range(2000):
            logging.getLogger("device").warning("line %d of many: São João", number)
        assert sum(file.stat().st_size for file in path.parent.iterdir()) <= 31_000
        assert logbook.lines(tmp_path)[-1]["message"] == "line 1999 of many: São João"
        assert all(json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    finally:
        for handler in root.handlers[:]:
            if handler not in before:
                root.removeHandler(handler)
                handler.close()


def test_a_folder_in_which_no_log_can_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("in the way")
    assert logbook.begin(tmp_path, 1) is None


def test_half_written_photographs_go_at_the_next_start(tmp_path: Path) -> None:
    half = tmp_path / f"000001-0123abcd.jpg{HALF}"
    half.write_bytes(b"cut short")
    ring = PhotoRing(tmp_path)
    assert ring.of_turn(1) is None
    assert not half.exists()


class Grounded(MockPin):
    """A pin that lies on ground, whatever pulls it up."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        self._change_state(False)


class Held:
    """A panel on pins that a test moves, and a clock that a test turns."""

    def __init__(self, station: Station, pin_class: type[MockPin] = MockPin, **settings: Any) -> None:
        self.now = 100.0
        self.pins = MockFactory(pin_class=pin_class)
        self.panel = Panel(
            station, PanelConfig(driver="mock", **settings), pin_factory=self.pins, clock=lambda: self.now
        )

    def __enter__(self) -> Held:
        return self

    def __exit__(self, *error: object) -> None:
        self.panel.close()


def test_a_button_that_is_closed_as_the_table_starts_presses_nothing_and_is_told(
    station: Station, camera: ScriptedCamera
) -> None:
    with Held(station, Grounded, power_off_s=3.0) as held:
        held.panel.open()
        for _ in range(40):
            held.now += 1
            held.panel.turn()
        assert camera.asked == []
        said = held.panel.trouble
        assert said is not None
        assert "The button that photographs (pin 17) has been pressed for 40 seconds" in told(said, "en")
        held.pins.pin(17).drive_high()
        held.now += 1
        held.panel.turn()
        held.pins.pin(17).drive_low()
        held.panel.turn()
        station.close()
        assert len(camera.asked) == 1, "once it was let go, it is a button again"


def test_a_button_that_hangs_presses_once_and_is_told(station: Station, camera: ScriptedCamera) -> None:
    with Held(station) as held:
        held.panel.open()
        held.pins.pin(27).drive_low()
        held.panel.turn()
        assert held.panel.trouble is None
        held.now += STUCK_S
        held.panel.turn()
        said = held.panel.trouble
        assert said is not None
        assert "The button that confirms (pin 27)" in told(said, "en")
        held.pins.pin(27).drive_high()
        held.panel.turn()
        assert held.panel.trouble is None


def test_a_pin_that_something_else_drives_is_not_heeded_until_it_is_quiet(
    station: Station, camera: ScriptedCamera
) -> None:
    with Held(station) as held:
        held.panel.open()
        pin = held.pins.pin(17)
        for _ in range(RESTLESS * 5):
            held.now += 0.001
            pin.drive_low()
            held.now += 0.001
            pin.drive_high()
            held.panel.turn()
        said = held.panel.trouble
        assert said is not None
        assert "changes without end" in told(said, "en")
        held.now += QUIET_S
        held.panel.turn()
        assert held.panel.trouble is None
        before = len(camera.asked)
        pin.drive_low()
        held.panel.turn()
        station.close()
        assert len(camera.asked) <= before + 2
        assert len(camera.asked) <= 3, "what came before it was seen through is a press or two"
