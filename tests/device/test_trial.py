"""Trying the panel out: presses are counted and not obeyed, the lamp shows what is asked, and all ends by itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from device.camera.base import CameraMissing
from device.camera.choice import NoCamera
from device.config import PanelConfig
from device.loading import LoadingReader
from device.panel import Lamp, Panel
from device.trial import Trial
from device.trying import LASTS_S
from engine.game import InvalidInput
from tests.device.conftest import ScriptedCamera, ScriptedReader
from tests.device.test_panel import RecordingStation
from tests.waiting import until


class Bench:
    """A panel on mock pins, turned by hand, with a clock that a test moves."""

    def __init__(self, **settings: object) -> None:
        self.now = 100.0
        self.pins = MockFactory()
        self.station = RecordingStation()
        self.panel = Panel(
            self.station, PanelConfig(driver="mock", **settings), pin_factory=self.pins, clock=lambda: self.now
        )
        self.panel.open()
        self.reader = LoadingReader(ScriptedReader)
        self.trial = Trial(ScriptedCamera(), self.reader, self.panel, clock=lambda: self.now)

    def press(self, pin: int, seconds: float = 0.1) -> None:
        self.pins.pin(pin).drive_low()
        self.panel.turn()
        self.now += seconds
        self.panel.turn()
        self.pins.pin(pin).drive_high()
        self.panel.turn()
        self.now += 0.5
        self.panel.turn()

    def counts(self) -> dict[str, int]:
        return {f"{one['name']} {one['gesture']}": one["count"] for one in self.trial.press()["buttons"]}


@pytest.fixture
def bench() -> Iterator[Bench]:
    one = Bench()
    yield one
    one.panel.close()


def test_presses_are_counted_and_not_obeyed(bench: Bench) -> None:
    assert bench.counts() == {"capture press": 0, "confirm press": 0, "undo press": 0}
    bench.press(17)
    bench.press(27)
    bench.press(17)
    assert bench.counts() == {"capture press": 2, "confirm press": 1, "undo press": 0}
    assert bench.station.asked == []


def test_after_the_trial_the_buttons_are_obeyed_again(bench: Bench) -> None:
    bench.trial.press()
    bench.now += LASTS_S + 0.1
    bench.press(17)
    assert [name for name, _ in bench.station.asked] == ["press"]
    assert bench.counts()["capture press"] == 0, "a new trial begins with nothing"


def test_a_button_that_is_held_is_told(bench: Bench) -> None:
    bench.trial.press()
    bench.pins.pin(22).drive_low()
    (undo,) = (one for one in bench.trial.press()["buttons"] if one["name"] == "undo")
    assert (undo["closed"], undo["pin"]) == (True, 22)


def test_the_lamp_shows_what_is_asked_until_the_trial_ends(bench: Bench) -> None:
    for lamp in Lamp:
        assert bench.trial.press(lamp.value)["lamp"] == {"pin": 18, "colours": False, "shown": lamp.value}
    assert bench.trial.press()["lamp"]["shown"] == lamp.value, "it goes on showing it"
    bench.now += LASTS_S + 0.1
    bench.panel.turn()
    assert bench.panel.shown is Lamp.READY
    with pytest.raises(InvalidInput, match="cannot show 'purple'"):
        bench.trial.press("purple")


def test_one_button_is_tried_short_and_long() -> None:
    bench = Bench(one_button=True)
    assert bench.counts() == {"capture short": 0, "capture long": 0}
    bench.press(17)
    bench.press(17, seconds=1.5)
    assert bench.counts() == {"capture short": 1, "capture long": 1}
    assert bench.station.asked == []
    bench.panel.close()


def test_without_a_panel_the_reason_is_told() -> None:
    panel = Panel(RecordingStation(), PanelConfig(driver="off"))
    panel.open()
    told = Trial(NoCamera(), LoadingReader(ScriptedReader), panel).press()
    assert "switched off" in told["problem"]
    assert (told["buttons"], told["lamp"]) == ([], None)


def test_a_look_is_a_picture_with_its_dice_and_what_is_to_be_said(bench: Bench) -> None:
    early = bench.trial.look()
    assert early["picture"].startswith("data:image/jpeg;base64,")
    assert [check["key"] for check in early["checks"]] == ["focus", "light", "size", "reader"]
    bench.reader.start()
    until(lambda: not bench.reader.loading)
    seen = bench.trial.look()
    assert (seen["width"], seen["height"]) == (640, 480)
    assert len(seen["dice"]) == 12
    assert [check["key"] for check in seen["checks"]] == ["focus", "light", "size"]


def test_a_table_without_a_camera_says_so() -> None:
    panel = Panel(RecordingStation(), PanelConfig(driver="off"))
    with pytest.raises(CameraMissing, match=r"^This table has no camera\. Nothing was changed\. Send a photograph"):
        Trial(NoCamera(), LoadingReader(ScriptedReader), panel).look()
