"""The panel, on gpiozero's mock pins and a clock that the test turns."""

from __future__ import annotations

import itertools
import random
import time

import pytest
from gpiozero.pins.mock import MockFactory

from device.config import PanelConfig
from device.lamp import CONFIRMED_S, SIGNALS, Lamp
from device.panel import AGAIN, BOUNCE, LATEST, WARNS, ButtonWatch, Contact, Gesture, Panel
from device.power import ASKED, Power
from device.station import Station
from engine.dice import DieState
from engine.table import Table
from tests.device.conftest import CARNAVALESCO_DICE, ScriptedCamera, ScriptedReader, read_die
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
        self.doubtful = False
        self.confirmed_at = float("-inf")
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
    assert asked.asked[0] == ("press", pytest.approx(start, abs=0.01)), (
        "a photograph counts from the press, not from the release"
    )
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
    assert asked.asked == [("press", pytest.approx(pressed_at, abs=0.01))]
    panel.close()


@pytest.fixture
def kernel(pins: MockFactory, clock: Clock) -> MockFactory:
    """Pins whose changes bear the time of the test's clock, or an earlier one, as those of a kernel do."""
    pins.ticks = clock
    return pins


def test_a_change_that_the_library_tells_late_counts_from_when_it_was(
    asked: RecordingStation, kernel: MockFactory, clock: Clock
) -> None:
    panel = opened(asked, kernel, clock)
    pressed_at = clock.now
    clock.now += 0.7
    panel._devices["capture"]._fire_events(pressed_at, True)
    panel.turn()
    assert asked.asked == [("press", pytest.approx(pressed_at))]
    clock.now += 1
    panel._devices["confirm"]._fire_events(clock.now - 5 * LATEST, True)
    panel.turn()
    assert asked.asked[1:] == [("confirm", pytest.approx(clock.now))], "nobody waits so long: a clock of another kind"
    panel.close()


def test_a_burst_that_the_library_tells_long_after_is_one_press(
    asked: RecordingStation, kernel: MockFactory, clock: Clock
) -> None:
    panel = opened(asked, kernel, clock)
    began = clock.now
    for number in range(80):
        # The contact is open again by the time that most of its 0.2 s are told.
        clock.now += 0.02
        panel._devices["capture"]._fire_events(began + 0.0025 * number, number % 2 == 0)
        panel.turn()
    clock.now += 1
    panel.turn()
    assert [name for name, _ in asked.asked] == ["press"]
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
    assert panel.shown is Lamp.READY
    for state, failed, doubtful, ill, lamp in (
        ("capturing", False, False, False, Lamp.LOOKING),
        ("proposal", False, False, False, Lamp.SURE),
        ("proposal", False, True, False, Lamp.DOUBTFUL),
        ("proposal", True, False, False, Lamp.FAULT),
        ("idle", False, False, True, Lamp.FAULT),
        ("capturing", False, False, True, Lamp.LOOKING),
        ("idle", False, False, False, Lamp.READY),
    ):
        asked.state, asked.failed, asked.doubtful, faulty = state, failed, doubtful, ill
        panel.show()
        assert panel.shown is lamp
        assert pins.pin(18).state, "every state begins with light"
    asked.state, asked.stuck = "proposal", True
    panel.show()
    assert panel.shown is Lamp.FAULT, "a refused confirmation"
    panel.close()
    panel.show()


LIGHT = {"red": 18, "green": 23, "blue": 24}


def played(panel: Panel, pins: MockFactory, clock: Clock, seconds: float) -> tuple[set[str], list[float]]:
    """Return the colours that were lit, and for how long the lamp was lit, dark, lit… within so many seconds."""
    began, colours, changes = clock.now, set(), [clock.now]
    was = any(pins.pin(pin).state for pin in LIGHT.values())
    while clock.now < began + seconds:
        panel.turn()
        lit = {name for name, pin in LIGHT.items() if pins.pin(pin).state}
        colours |= lit
        if bool(lit) != was:
            was = bool(lit)
            changes.append(clock.now)
        clock.now += 0.01
    return colours, [round(after - before, 1) for before, after in itertools.pairwise(changes)]


@pytest.mark.parametrize(
    ("lamp", "colours", "parts"),
    [
        (Lamp.READY, {"green"}, [0.1, 2.9]),
        (Lamp.LOOKING, {"blue"}, [0.5, 0.5]),
        (Lamp.SURE, {"green"}, []),
        (Lamp.DOUBTFUL, {"red", "green"}, [0.2, 0.1, 0.2, 0.7]),
        (Lamp.CONFIRMED, {"red", "green", "blue"}, [0.2, 0.1, 0.2]),
        (Lamp.FAULT, {"red"}, [0.1, 0.1]),
        (Lamp.LEAVING, {"red", "blue"}, [0.2, 0.1, 0.2, 0.1, 0.2, 0.4]),
        (Lamp.CLOSING, {"red", "blue"}, [1.0, 0.2]),
        (Lamp.OFF, set(), []),
    ],
)
def test_each_state_has_a_colour_and_a_pattern(
    lamp: Lamp, colours: set[str], parts: list[float], asked: RecordingStation, pins: MockFactory, clock: Clock
) -> None:
    panel = opened(asked, pins, clock, green_pin=23, blue_pin=24)
    panel.try_out(lamp)
    shown, took = played(panel, pins, clock, 3.5)
    assert shown == colours
    assert took[: len(parts)] == pytest.approx(parts, abs=0.11)
    panel.close()


def test_no_two_states_are_alike_in_colour_nor_in_pattern() -> None:
    lit = [signal for lamp, signal in SIGNALS.items() if lamp is not Lamp.OFF]
    assert len({signal.pattern for signal in lit}) == len(lit), "one colour is enough"
    assert len({signal.colour for signal in lit}) == len(lit) - 2, "ready and sure are green, what leads off is violet"


def test_a_confirmed_roll_is_told_for_a_moment(asked: RecordingStation, pins: MockFactory, clock: Clock) -> None:
    panel = opened(asked, pins, clock)
    asked.confirmed_at = clock.now
    panel.show()
    assert panel.shown is Lamp.CONFIRMED
    clock.now += CONFIRMED_S + 0.01
    panel.turn()
    assert panel.shown is Lamp.READY
    panel.close()


def test_the_buzzer_sounds_when_a_state_begins(asked: RecordingStation, pins: MockFactory, clock: Clock) -> None:
    panel = opened(asked, pins, clock, buzzer_pin=25, lamp_pin=None)
    asked.state = "proposal"
    panel.show()
    until(lambda: [part.state for part in pins.pin(25).states].count(True) == 1, "one sound for a sure roll")
    until(lambda: not pins.pin(25).state, "its end")
    asked.doubtful = True
    panel.show()
    until(lambda: [part.state for part in pins.pin(25).states].count(True) == 3, "two more for a doubtful one")
    panel.close()


def test_holding_undo_switches_off_and_undoes_nothing(
    asked: RecordingStation, pins: MockFactory, clock: Clock, tmp_path
) -> None:
    panel = Panel(asked, PanelConfig(), pin_factory=pins, clock=clock, power=Power(tmp_path))
    panel.open()
    push(panel, pins, clock, 22, WARNS - 0.1)
    assert asked.asked == [("undo", None)], "slowly pressed, it is an undo"
    clock.now += 1
    push(panel, pins, clock, 22, 5.2)
    assert asked.asked == [("undo", None)]
    assert (tmp_path / ASKED).exists()
    assert panel.shown is Lamp.CLOSING
    asked.state = "proposal"
    panel.show()
    assert panel.shown is Lamp.CLOSING, "nothing else is said any more"
    panel.close()


@pytest.mark.parametrize("seconds", [WARNS + 0.1, 3.0, 4.9])
def test_undo_held_and_let_go_before_it_switches_off_does_nothing(
    asked: RecordingStation, pins: MockFactory, clock: Clock, tmp_path, seconds: float
) -> None:
    panel = Panel(asked, PanelConfig(), pin_factory=pins, clock=clock, power=Power(tmp_path))
    panel.open()
    pins.pin(22).drive_low()
    panel.turn()
    assert panel.shown is Lamp.READY
    clock.now += seconds
    panel.turn()
    assert panel.shown is Lamp.LEAVING, "the lamp says what holding on leads to"
    pins.pin(22).drive_high()
    panel.turn()
    assert panel.shown is Lamp.READY
    assert asked.asked == []
    assert not (tmp_path / ASKED).exists()
    clock.now += 1
    push(panel, pins, clock, 22, 0.2)
    assert asked.asked == [("undo", None)], "the next press is one"
    panel.close()


def test_a_second_press_may_follow_a_short_hold_of_power_off(
    asked: RecordingStation, pins: MockFactory, clock: Clock, tmp_path
) -> None:
    settings = PanelConfig(one_button=True, hold_s=6.0, power_off_s=1.0)
    panel = Panel(asked, settings, pin_factory=pins, clock=clock, power=Power(tmp_path))
    panel.open()
    push(panel, pins, clock, 17, 0.7)
    assert asked.asked == [], "half-way to switching off, letting go means nothing"
    clock.now += 1
    push(panel, pins, clock, 17, 1.1)
    assert (tmp_path / ASKED).exists(), "whichever comes first, whatever order the settings name them in"
    assert asked.asked == []
    panel.close()


def test_while_it_is_tried_out_a_held_button_is_pressed_once_and_the_lamp_stays(
    asked: RecordingStation, pins: MockFactory, clock: Clock, tmp_path
) -> None:
    panel = Panel(asked, PanelConfig(), pin_factory=pins, clock=clock, power=Power(tmp_path))
    panel.open()
    panel.try_out(Lamp.SURE)
    pins.pin(22).drive_low()
    panel.turn()
    for _ in range(12):
        clock.now += 0.5
        panel.turn()
        seen = panel.try_out()
    assert {one["name"]: one["count"] for one in seen["buttons"]} == {"capture": 0, "confirm": 0, "undo": 1}
    assert panel.shown is Lamp.SURE
    assert not (tmp_path / ASKED).exists()
    panel.close()


def test_a_lost_release_never_switches_off(asked: RecordingStation, pins: MockFactory, clock: Clock, tmp_path) -> None:
    panel = Panel(asked, PanelConfig(), pin_factory=pins, clock=clock, power=Power(tmp_path))
    panel.open()
    pins.pin(22).drive_low()
    panel.turn()
    device = panel._devices["undo"]
    device.when_deactivated = None  # the edge of letting go gets lost
    clock.now += 2
    pins.pin(22).drive_high()
    clock.now += 4
    panel.turn()
    assert not (tmp_path / ASKED).exists()
    panel.close()


def test_one_button_held_on_discards_and_then_switches_off(
    asked: RecordingStation, pins: MockFactory, clock: Clock, tmp_path
) -> None:
    panel = Panel(asked, PanelConfig(one_button=True), pin_factory=pins, clock=clock, power=Power(tmp_path))
    panel.open()
    push(panel, pins, clock, 17, 2.0)
    assert asked.asked == [("discard", None)]
    assert not (tmp_path / ASKED).exists()
    clock.now += 1
    push(panel, pins, clock, 17, 5.5)
    assert (tmp_path / ASKED).exists()
    panel.close()


def test_where_nobody_listens_nothing_is_switched_off(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    assert not Power.of_service(tmp_path).there
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    assert not Power.of_service(tmp_path / "no.path").there
    assert Power.of_service(tmp_path).there
    assert not Power(None).off()
    assert not Power(tmp_path / "gone").off()


def test_the_lamp_follows_a_real_station(
    station: Station, camera: ScriptedCamera, table: Table, pins: MockFactory
) -> None:
    panel = Panel(station, PanelConfig(), pin_factory=pins)
    station.subscribe(panel.show)
    panel.open()
    panel.start()
    camera.hold()
    pins.pin(17).drive_low()
    until(lambda: panel.shown is Lamp.LOOKING)
    pins.pin(17).drive_high()
    camera.go.set()
    until(lambda: panel.shown is Lamp.SURE)
    time.sleep(AGAIN)
    pins.pin(27).drive_low()
    until(lambda: panel.shown is Lamp.CONFIRMED)
    until(lambda: panel.shown is Lamp.READY)
    assert table.game is not None
    assert table.game.view(table.state)["phase"] == "take"
    panel.close()


def test_a_doubtful_die_is_seen_on_the_lamp(station: Station, pins: MockFactory, reader: ScriptedReader) -> None:
    panel = Panel(station, PanelConfig(), pin_factory=pins)
    station.subscribe(panel.show)
    panel.open()
    reader.dice = [read_die(die, DieState.UNSURE, 0.5) for die in CARNAVALESCO_DICE]
    station.press()
    until(lambda: panel.shown is Lamp.DOUBTFUL)
    for index in range(len(reader.dice)):
        station.edit(index)
    assert panel.shown is Lamp.SURE
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
