"""The panel, on gpiozero's mock pins and a clock that the test turns."""

from __future__ import annotations

import random
import time

import pytest
from gpiozero.pins.mock import MockFactory

from device.config import PanelConfig
from device.panel import AGAIN, BOUNCE, ButtonWatch, Contact, Gesture, Lamp, Panel
from device.station import Station
from engine.table import Table
from tests.device.conftest import ScriptedCamera
from tests.waiting import until


class Clock:
    """A clock that only a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class RecordingStation:
    """Notes what the panel asks for."""

    def __init__(self) -> None:
        self.state = "idle"
        self.failed = False
        self.stuck = False
        self.asked: list[tuple[str, float | None]] = []

    def press(self, at: float | None = None) -> bool:
        self.asked.append(("press", at))
        return True

    def confirm_by_button(self, at: float | None = None) -> bool:
        self.asked.append(("confirm", at))
        return True

    def undo_by_button(self) -> bool:
        self.asked.append(("undo", None))
        return True

    def discard(self) -> bool:
        self.asked.append(("discard", None))
        return True


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pins() -> MockFactory:
    factory = MockFactory()
    yield factory
    factory.reset()


@pytest.fixture
def asked() -> RecordingStation:
    return RecordingStation()


def opened(station, pins: MockFactory, clock: Clock, **settings) -> Panel:
    panel = Panel(station, PanelConfig(**settings), pin_factory=pins, clock=clock)
    panel.open()
    assert panel.problem is None
    return panel


def push(panel: Panel, pins: MockFactory, clock: Clock, pin: int, seconds: float) -> None:
    """Hold a button that pulls its pin to ground, and let the panel look at it as often as it wants to."""
    pins.pin(pin).drive_low()
    panel.turn()
    end = clock.now + seconds
    while clock.now < end:
        clock.now = min(end, clock.now + 0.01)
        panel.turn()
    pins.pin(pin).drive_high()
    panel.turn()
    clock.now += BOUNCE + 0.001
    panel.turn()


def test_each_button_does_its_own_at_the_moment_of_the_press(asked: RecordingStation, pins: MockFactory, clock: Clock):
    panel = opened(asked, pins, clock)
    start = clock.now
    push(panel, pins, clock, 17, 0.2)
    push(panel, pins, clock, 27, 0.2)
    push(panel, pins, clock, 22, 3.0)
    assert [name for name, _ in asked.asked] == ["press", "confirm", "undo"]
    assert asked.asked[0] == ("press", start), "a photograph counts from the press, not from the release"
    panel.close()


def test_a_callback_only_notes_and_the_time_of_the_edge_counts(
    asked: RecordingStation, pins: MockFactory, clock: Clock
) -> None:
    panel = opened(asked, pins, clock)
    pressed_at = clock.now
    pins.pin(17).drive_low()
    assert asked.asked == []
    clock.now += 0.25
    panel.turn()
    assert asked.asked == [("press", pressed_at)]
    panel.close()


@pytest.mark.parametrize("seed", range(20))
def test_however_a_contact_bounces_one_push_is_one_press(
    asked: RecordingStation, pins: MockFactory, clock: Clock, seed: int
) -> None:
    chance = random.Random(seed)
    panel = opened(asked, pins, clock)
    pin = pins.pin(17)
    for _ in range(3):
        before = len(asked.asked)
        for rest in (pin.drive_low, pin.drive_high):
            bounces_until = clock.now + BOUNCE * 0.9
            while clock.now < bounces_until:
                chance.choice((pin.drive_low, pin.drive_high))()
                if chance.random() < 0.5:
                    panel.turn()
                clock.now += chance.uniform(0.0001, 0.004)
            rest()
            panel.turn()
            clock.now += 0.2
            panel.turn()
        assert len(asked.asked) == before + 1
        clock.now += 1.0
        panel.turn()
    panel.close()


def test_two_pushes_in_quick_succession_are_one(asked: RecordingStation, pins: MockFactory, clock: Clock) -> None:
    panel = opened(asked, pins, clock)
    push(panel, pins, clock, 22, 0.05)
    push(panel, pins, clock, 22, 0.05)
    assert len(asked.asked) == 1
    clock.now += AGAIN
    push(panel, pins, clock, 22, 0.05)
    assert len(asked.asked) == 2
    panel.close()


def test_one_button_captures_confirms_and_discards(asked: RecordingStation, pins: MockFactory, clock: Clock) -> None:
    panel = opened(asked, pins, clock, one_button=True)
    push(panel, pins, clock, 17, 0.2)
    released_at = clock.now - BOUNCE - 0.001
    assert asked.asked == [("press", pytest.approx(released_at))], "short acts on release"
    asked.state = "proposal"
    clock.now += 2
    push(panel, pins, clock, 17, 0.2)
    assert asked.asked[1][0] == "confirm"
    clock.now += 2
    push(panel, pins, clock, 17, 1.5)
    assert [name for name, _ in asked.asked[2:]] == ["discard"], "long acts once, and the release after it does nothing"
    panel.close()


def test_one_button_acts_on_a_long_press_while_it_is_held(
    asked: RecordingStation, pins: MockFactory, clock: Clock
) -> None:
    panel = opened(asked, pins, clock, one_button=True, hold_s=0.8)
    pins.pin(17).drive_low()
    panel.turn()
    clock.now += 0.79
    panel.turn()
    assert asked.asked == []
    clock.now += 0.02
    panel.turn()
    assert asked.asked == [("discard", None)]
    panel.close()


def test_after_a_failed_capture_one_button_captures_again(
    asked: RecordingStation, pins: MockFactory, clock: Clock
) -> None:
    panel = opened(asked, pins, clock, one_button=True)
    asked.state, asked.failed = "proposal", True
    push(panel, pins, clock, 17, 0.2)
    assert asked.asked[0][0] == "press"
    panel.close()


def test_a_lost_release_is_not_taken_for_a_long_press() -> None:
    watch = ButtonWatch(eager=False, hold=1.0)
    assert list(watch.change(True, 10.0)) == []
    assert list(watch.tick(11.5, closed=False)) == [], "the pin says that it was let go; nobody knows when"
    assert watch.due is None or watch.due > 11.5
    assert list(watch.change(True, 13.0)) == []
    assert list(watch.change(False, 13.2)) == [(Gesture.SHORT, 13.2)]


def test_a_contact_that_settles_after_its_bounces_is_noticed_without_a_further_edge() -> None:
    contact = Contact(bounce=0.03)
    assert contact.change(True, 1.0) is True
    assert contact.change(False, 1.01) is None
    assert contact.due == pytest.approx(1.03)
    assert contact.settle(1.02) is None
    assert contact.settle(1.031) is False


def test_the_lamp_says_how_the_station_stands(pins: MockFactory, clock: Clock, asked: RecordingStation) -> None:
    faulty = False
    panel = Panel(asked, PanelConfig(), pin_factory=pins, faulty=lambda: faulty, clock=clock)
    panel.open()
    assert panel.shown is Lamp.OFF
    for state, failed, ill, lamp in (
        ("capturing", False, False, Lamp.BLINK),
        ("proposal", False, False, Lamp.ON),
        ("proposal", True, False, Lamp.FAST),
        ("idle", False, True, Lamp.FAST),
        ("capturing", False, True, Lamp.BLINK),
        ("idle", False, False, Lamp.OFF),
    ):
        asked.state, asked.failed, faulty = state, failed, ill
        panel.show()
        assert panel.shown is lamp
        if lamp in (Lamp.ON, Lamp.OFF):
            assert bool(pins.pin(18).state) is (lamp is Lamp.ON)
    asked.state, asked.stuck = "proposal", True
    panel.show()
    assert panel.shown is Lamp.FAST, "a refused confirmation"
    panel.close()
    panel.show()


def test_the_lamp_follows_a_real_station(
    station: Station, camera: ScriptedCamera, table: Table, pins: MockFactory
) -> None:
    panel = Panel(station, PanelConfig(), pin_factory=pins)
    station.subscribe(panel.show)
    panel.open()
    panel.start()
    camera.hold()
    pins.pin(17).drive_low()
    until(lambda: panel.shown is Lamp.BLINK)
    pins.pin(17).drive_high()
    camera.go.set()
    until(lambda: panel.shown is Lamp.ON)
    time.sleep(AGAIN)
    pins.pin(27).drive_low()
    until(lambda: panel.shown is Lamp.OFF)
    assert table.game is not None
    assert table.game.view(table.state)["phase"] == "take"
    panel.close()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (PanelConfig(driver="off"), "switched off"),
        (PanelConfig(driver="lgpio"), "phones have the same buttons"),
        (PanelConfig(driver="mock", capture_pin=5, confirm_pin=5), "cannot be used"),
    ],
)
def test_without_buttons_the_panel_says_why_and_nothing_else_happens(
    settings: PanelConfig, says: str, asked: RecordingStation
) -> None:
    panel = Panel(asked, settings)
    panel.open()
    panel.start()
    panel.show()
    panel.close()
    assert panel.problem is not None
    assert says in panel.problem
    assert panel.problem.endswith((".", "lgpio"))


def test_pins_that_are_not_there_are_left_out(asked: RecordingStation, pins: MockFactory, clock: Clock) -> None:
    panel = opened(asked, pins, clock, confirm_pin=None, undo_pin=None, lamp_pin=None)
    push(panel, pins, clock, 17, 0.1)
    panel.show()
    assert [name for name, _ in asked.asked] == ["press"]
    assert panel.shown is None
    panel.close()
