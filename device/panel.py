"""The panel: capture, confirm and undo buttons, a lamp and a buzzer on GPIO pins, with a debounce of our own.

The GPIO library's callbacks run on its own thread and lose edges when they take long, so they only note which pin
changed and when (the kernel's own time of it); the panel's thread makes presses of that.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any, Protocol

from device.config import PanelConfig
from device.lamp import CONFIRMED_S, SIGNALS, Lamp, Lights
from device.power import Power
from device.trying import Tried
from engine.words import quoted, say

log = logging.getLogger(__name__)

BOUNCE = 0.03
"""Seconds after a change in which a contact may bounce; what it settles on counts."""

HOLD = 1.0
"""Seconds after which a press is a long one."""

AGAIN = 0.3
"""Seconds after a press in which the same button is not obeyed again."""


RESTLESS, RESTLESS_S, QUIET_S = 200, 2.0, 5.0
"""Changes of a contact within so many seconds that no finger makes, bounces and all; and the quiet that ends it."""

WARNS = 2.0
"""Seconds after which a button that is held on its way to switching off means nothing any more when it is let go; at
the latest half-way there."""

LATEST = 2.0
"""Seconds by which the library may come late with a change, its thread having to wait for others; what claims to be
older is taken to have happened now."""

STUCK_S = 20.0
"""Seconds after which a button that is still pressed hangs."""

BUTTONS = {
    "capture": say("The button that photographs"),
    "confirm": say("The button that confirms"),
    "undo": say("The button that undoes"),
}

_NO_BUTTON = ""
"""The name under which the panel's thread is woken without a change of any button."""


class PanelError(RuntimeError):
    """There are no buttons; the message says why and that the phones do the same."""


class Gesture(StrEnum):
    """What a button does: `press` at once, `short` on release, `long`, `leaving` and `off` while still held."""

    PRESS = "press"
    SHORT = "short"
    LONG = "long"
    LEAVING = "leaving"
    OFF = "off"


class Contact:
    """One button's contact: raw changes in, settled changes out. Pure; times are `time.monotonic` seconds.

    The first change counts at once; for `bounce` seconds nothing more does, and then what the contact settled on.
    """

    def __init__(self, bounce: float = BOUNCE) -> None:
        self.bounce = bounce
        self.closed = False
        self._raw = False
        self._quiet_from = float("-inf")

    def begin_closed(self) -> None:
        """Be closed from the beginning, which is no change."""
        self.closed = self._raw = True

    def change(self, closed: bool, at: float) -> bool | None:
        """Take a raw change; return the settled state when it changed, else None."""
        self._raw = closed
        return self.settle(at)

    def settle(self, now: float) -> bool | None:
        """Return the settled state when it has changed by `now`, else None."""
        if now < self._quiet_from or self._raw == self.closed:
            return None
        self.closed = self._raw
        self._quiet_from = now + self.bounce
        return self.closed

    @property
    def due(self) -> float | None:
        """When `settle` must be asked, None when nothing is open."""
        return None if self._raw == self.closed else self._quiet_from


class Unrest:
    """Tells a contact that changes without end (a loose wire, a pin that something else drives) from a button. Pure.

    From `RESTLESS` changes within `RESTLESS_S` seconds on it is not heeded, until it was quiet for `QUIET_S`.
    """

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=RESTLESS)
        self._muted = False

    def change(self, at: float) -> None:
        """Take a raw change at `at` (`time.monotonic` seconds)."""
        self._times.append(at)
        if len(self._times) == RESTLESS and at - self._times[0] < RESTLESS_S:
            self._muted = True

    def heeded(self, now: float) -> bool:
        """Return whether the contact is to be taken for a button's."""
        if self._muted and now - self._times[-1] >= QUIET_S:
            self._muted = False
            self._times.clear()
        return not self._muted


class ButtonWatch:
    """One button: settled changes in, gestures out. Pure, like `Contact`.

    `eager` gives `press` at once; otherwise `short` comes on release, unless the button was held for `hold` seconds,
    which gives `long`, or for `off` seconds, which gives `off` (None: never). On the way to `off` comes `leaving`: from
    then on letting go means nothing.
    """

    def __init__(
        self, *, eager: bool, bounce: float = BOUNCE, hold: float | None = HOLD, off: float | None = None
    ) -> None:
        self.eager = eager
        self.contact = Contact(bounce)
        leaving = None if off is None else min(WARNS, off / 2)
        held = ((hold, Gesture.LONG), (leaving, Gesture.LEAVING), (off, Gesture.OFF))
        there = [(after, gesture) for after, gesture in held if after is not None]
        self._when_held = () if eager else tuple(sorted(there, key=lambda one: one[0]))
        self.closed_since: float | None = None
        """When the contact closed, None while it is open."""
        self._held_since: float | None = None
        self._next = 0
        self._obeyed_at = float("-inf")

    def begin_closed(self, at: float) -> None:
        """Take it that the contact is closed as the table starts: nobody has pressed, it hangs or is wired wrongly."""
        self.contact.begin_closed()
        self.closed_since = at

    def change(self, closed: bool, at: float) -> Iterator[tuple[Gesture, float]]:
        """Yield what a raw change at `at` means, with the time it happened."""
        yield from self._settled(self.contact.change(closed, at), at)

    def tick(self, now: float, closed: bool) -> Iterator[tuple[Gesture, float]]:
        """Yield what the passing of time means; `closed` is what the pin says now: edges may be late, or lost."""
        if not closed and self.contact.closed and (due := self._held_due) is not None and now >= due:
            # The release was lost: nobody knows whether it was a short press or a long one.
            self._held_since = None
        yield from self._settled(self.contact.change(closed, now), now)
        if closed and (due := self._held_due) is not None and now >= due:
            gesture = self._when_held[self._next][1]
            self._next += 1
            self._obeyed_at = now
            yield gesture, now

    @property
    def leaving(self) -> bool:
        """Whether it is held and will switch off unless it is let go."""
        passed = [gesture for _, gesture in self._when_held[: self._next]]
        return self._held_since is not None and Gesture.LEAVING in passed and Gesture.OFF not in passed

    @property
    def due(self) -> float | None:
        """When `tick` must be called, None when nothing is under way."""
        return min((at for at in (self.contact.due, self._held_due) if at is not None), default=None)

    @property
    def _held_due(self) -> float | None:
        """When holding the button on will mean something more."""
        if self._held_since is None or self._next >= len(self._when_held):
            return None
        return self._held_since + self._when_held[self._next][0]

    def _settled(self, closed: bool | None, at: float) -> Iterator[tuple[Gesture, float]]:
        if closed is None:
            return
        self.closed_since = at if closed else None
        if self.eager:
            if closed:
                yield from self._obey(Gesture.PRESS, at)
        elif closed:
            self._held_since, self._next = at, 0
        elif self._held_since is not None:
            self._held_since = None
            if self._next == 0:
                yield from self._obey(Gesture.SHORT, at)

    def _obey(self, gesture: Gesture, at: float) -> Iterator[tuple[Gesture, float]]:
        if at - self._obeyed_at >= AGAIN:
            self._obeyed_at = at
            yield gesture, at


class PressedStation(Protocol):
    """What the panel asks of a station."""

    @property
    def state(self) -> str: ...
    @property
    def failed(self) -> bool: ...
    @property
    def stuck(self) -> bool: ...
    @property
    def doubtful(self) -> bool: ...
    @property
    def confirmed_at(self) -> float: ...
    def press(self, at: float | None = None) -> bool: ...
    def confirm_by_button(self, at: float | None = None) -> bool: ...
    def undo_by_button(self) -> bool: ...
    def discard(self) -> bool: ...


class Panel:
    """Buttons, lamp and buzzer of one table.

    `settings` name the pins (BCM numbers) and the driver; no other is tried. `pin_factory` (gpiozero's) is for tests.
    `problem` says why there are no buttons; the game goes on without. `faulty` tells whether something beside the
    station is wrong, `power` switches the machine off.
    """

    def __init__(
        self,
        station: PressedStation,
        settings: PanelConfig,
        *,
        power: Power | None = None,
        pin_factory: Any = None,
        faulty: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.station = station
        self.settings = settings
        self.problem: str | None = None
        self._faulty = faulty
        self._clock = clock
        self._factory = pin_factory
        self._tried = Tried(clock)
        self._tried_lamp: Lamp | None = None
        self._changes: queue.SimpleQueue[tuple[str, bool, float] | None] = queue.SimpleQueue()
        self._devices: dict[str, Any] = {}
        self._watches: dict[str, ButtonWatch] = {}
        self._unrest: dict[str, Unrest] = {}
        self._power = power if power is not None and power.there and settings.power_off_s else None
        self._closing = False
        self._lights: Lights | None = None
        self._shown: Lamp | None = None
        self._shown_since = 0.0
        self._showing = threading.Lock()
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Take the pins; when that fails, `problem` says why and nothing else happens."""
        try:
            self._take_pins()
        except PanelError as error:
            self.problem = error.args[0]
        except Exception as error:
            self._let_go()
            self.problem = say(
                "The buttons cannot be used ({why}). The game goes on: the phones have the same buttons. "
                "Check the wiring and the pins in the settings, then restart Jurado.",
                why=str(error) or type(error).__name__,
            )
        if self.problem is not None and self.settings.driver == "off":
            log.info("%s", self.problem)
        self.show()

    def start(self) -> None:
        """Watch the buttons on a thread of the panel's own."""
        if self._devices or self._lights is not None:
            self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Let go of the pins; the lamp goes out."""
        if self._thread is not None:
            self._changes.put(None)
            self._thread.join(2.0)
            self._thread = None
        self._let_go()

    def turn(self, wait: float = 0.0) -> bool:
        """Obey what has happened since, waiting at most `wait` seconds for something; return False at the end."""
        dues = [self._tried.due, self._lamp_due, *(watch.due for watch in self._watches.values())]
        due = min((at for at in dues if at is not None), default=None)
        if due is not None:
            wait = min(wait, max(0.0, due - self._clock()))
        with contextlib.suppress(queue.Empty):
            while True:
                change = self._changes.get(timeout=wait) if wait > 0 else self._changes.get_nowait()
                if change is None:
                    return False
                wait = 0.0
                name, closed, at = change
                if name in self._watches:
                    self._unrest[name].change(at)
                    if self._unrest[name].heeded(at):
                        self._obey(name, self._watches[name].change(closed, at))
        now = self._clock()
        for name, watch in self._watches.items():
            if self._unrest[name].heeded(now):
                self._obey(name, watch.tick(now, bool(self._devices[name].is_active)))
        self.show()
        return True

    def try_out(self, lamp: Lamp | None = None) -> dict[str, Any]:
        """Count presses for some seconds more, and obey none; return `buttons` and `lamp` as they are now.

        `lamp` is what the lamp shows until the trial ends. `problem` says why there is nothing to try.
        """
        self._tried.renew()
        if lamp is not None:
            self._tried_lamp = lamp
        self.show()
        self._wake()
        gestures = (Gesture.SHORT, Gesture.LONG) if self.settings.one_button else (Gesture.PRESS,)
        buttons = [
            {
                "name": name,
                "gesture": gesture.value,
                "pin": pin,
                "count": self._tried.count(name, gesture),
                "closed": name in self._devices and bool(self._devices[name].is_active),
            }
            for name, pin in self._wanted_pins().items()
            for gesture in gestures
        ]
        shown = None if self._shown is None else self._shown.value
        return {
            "problem": self.problem,
            "buttons": [] if self.problem is not None else buttons,
            "lamp": {"pin": self.settings.lamp_pin, "colours": self._colours, "shown": shown}
            if self._lights is not None and self._lights.lights
            else None,
        }

    @property
    def trouble(self) -> str | None:
        """What is wrong with a button, as a sentence; None while all behave like buttons."""
        now = self._clock()
        for name, watch in tuple(self._watches.items()):
            about = {"button": BUTTONS[name], "pin": self._wanted_pins()[name]}
            if not self._unrest[name].heeded(now):
                return say(
                    "{button} (pin {pin}) changes without end and is not heeded until it is quiet. The game goes on: "
                    "the phones have the same buttons. Look for a loose wire, and whether it is the pin that the "
                    "settings name.",
                    **about,
                )
            if watch.closed_since is not None and now - watch.closed_since >= STUCK_S:
                return say(
                    "{button} (pin {pin}) has been pressed for {seconds} seconds: it hangs, or its wires touch. The "
                    "game goes on: the phones have the same buttons.",
                    seconds=int(now - watch.closed_since),
                    **about,
                )
        return None

    @property
    def switches_off(self) -> bool:
        """Whether the machine can be switched off from here."""
        return self._power is not None

    def switch_off(self) -> bool:
        """Have the machine switched off, and the lamp say so; return False when that was not possible."""
        self._closing = self._power is not None and self._power.off()
        self.show()
        return self._closing

    def show(self) -> None:
        """Make the lamp say how the station stands; call it after each change."""
        now = self._clock()
        with self._showing:
            if self._lights is None:
                return
            if not self._tried.on:
                self._tried_lamp = None
            wanted = self._tried_lamp or self._own_lamp or lamp_for(self.station, faulty=self._faulty(), now=now)
            fresh = wanted is not self._shown
            if fresh:
                self._shown, self._shown_since = wanted, now
            self._lights.show(wanted, now - self._shown_since)
            if fresh:
                self._lights.sound(wanted)
        if fresh:
            self._wake()

    @property
    def _own_lamp(self) -> Lamp | None:
        """What the lamp says of switching off, None while there is nothing to say of that."""
        if self._closing:
            return Lamp.CLOSING
        leaving = not self._tried.on and any(watch.leaving for watch in tuple(self._watches.values()))
        return Lamp.LEAVING if leaving else None

    def _wake(self) -> None:
        """Have the panel's thread look how long it may sleep."""
        self._changes.put((_NO_BUTTON, False, self._clock()))

    @property
    def _lamp_due(self) -> float | None:
        """When the lamp changes by itself."""
        if self._shown is None:
            return None
        now = self._clock()
        wait = SIGNALS[self._shown].changes(now - self._shown_since)
        ends = self.station.confirmed_at + CONFIRMED_S if self._shown is Lamp.CONFIRMED else None
        times = [None if wait is None else now + wait, ends]
        return min((at for at in times if at is not None), default=None)

    @property
    def shown(self) -> Lamp | None:
        """What the lamp says now."""
        return self._shown

    def _run(self) -> None:
        while True:
            try:
                if not self.turn(wait=60.0):
                    return
            except Exception:
                log.exception("the panel stumbled and goes on")
                time.sleep(0.5)

    def _obey(self, name: str, gestures: Iterator[tuple[Gesture, float]]) -> None:
        for gesture, at in gestures:
            log.info("%s button: %s", name, gesture)
            if self._tried.on:
                # A button that acts on release does so for the sake of being held; pressed is pressed, and once.
                if self.settings.one_button or gesture is not Gesture.OFF:
                    self._tried.note(name, gesture if self.settings.one_button else Gesture.PRESS)
            elif gesture is Gesture.OFF:
                self.switch_off()
            elif gesture is not Gesture.LEAVING:
                obey(self.station, name, gesture, at)

    def _take_pins(self) -> None:
        pins = self._pins()
        if self._factory is None:
            self._factory = _factory_named(self.settings.driver)
        from gpiozero import Buzzer, DigitalInputDevice, DigitalOutputDevice

        one = self.settings.one_button
        off = None if self._power is None else self.settings.power_off_s
        for name, pin in pins.items():
            # No bounce time and no hold time of the library's own: both are known to lose or to repeat events.
            device = DigitalInputDevice(pin, pull_up=True, bounce_time=None, pin_factory=self._factory)
            self._devices[name] = device
            self._watches[name] = (
                ButtonWatch(eager=False, hold=self.settings.hold_s, off=off)
                if one
                else ButtonWatch(eager=name != "undo" or off is None, hold=None, off=off)
            )
            self._unrest[name] = Unrest()
            if device.is_active:
                self._watches[name].begin_closed(self._clock())
            device.when_activated = self._noting(name, device, closed=True)
            device.when_deactivated = self._noting(name, device, closed=False)
        colours = (self.settings.lamp_pin, self.settings.green_pin, self.settings.blue_pin)
        pins_of_lamp = colours if self._colours else (self.settings.lamp_pin,)
        lights = [DigitalOutputDevice(pin, pin_factory=self._factory) for pin in pins_of_lamp if pin is not None]
        buzzer = self.settings.buzzer_pin
        sound = None if buzzer is None else Buzzer(buzzer, pin_factory=self._factory)
        self._lights = Lights(lights, sound) if lights or sound is not None else None

    @property
    def _colours(self) -> bool:
        """Whether the lamp has the three colours of light."""
        settings = self.settings
        return None not in (settings.lamp_pin, settings.green_pin, settings.blue_pin)

    def _pins(self) -> Mapping[str, int]:
        settings = self.settings
        if settings.driver == "off" and self._factory is None:
            raise PanelError(say("The panel is switched off in the settings. The phones have the same buttons."))
        return self._wanted_pins()

    def _wanted_pins(self) -> Mapping[str, int]:
        settings = self.settings
        pins = {"capture": settings.capture_pin}
        if not settings.one_button:
            pins |= {"confirm": settings.confirm_pin, "undo": settings.undo_pin}
        return {name: pin for name, pin in pins.items() if pin is not None}

    def _noting(self, name: str, device: Any, *, closed: bool) -> Callable[[], None]:
        def note() -> None:
            # Counted from the moment that the kernel has seen the change, also where this thread had to wait.
            age = (device.active_time if closed else device.inactive_time) or 0.0
            self._changes.put((name, closed, self._clock() - (age if 0 <= age <= LATEST else 0.0)))

        return note

    def _let_go(self) -> None:
        with self._showing:
            lights, self._lights, self._shown = self._lights, None, None
        for device in (*self._devices.values(), lights):
            if device is not None:
                with contextlib.suppress(Exception):
                    device.close()
        self._devices.clear()
        self._watches.clear()


def obey(station: PressedStation, name: str, gesture: Gesture, at: float) -> None:
    """Do what a button means. On one button alone a short press goes on, a long one discards."""
    if gesture is Gesture.LONG:
        station.discard()
    elif gesture is Gesture.SHORT and name == "capture":
        if station.state == "proposal" and not station.failed:
            station.confirm_by_button(at)
        else:
            station.press(at)
    elif name == "capture":
        station.press(at)
    elif name == "confirm":
        station.confirm_by_button(at)
    elif name == "undo":
        station.undo_by_button()


def lamp_for(station: PressedStation, *, faulty: bool, now: float) -> Lamp:
    """Return what the lamp says about a station; `now` is in `time.monotonic` seconds."""
    state = station.state
    if state == "capturing":
        return Lamp.LOOKING
    if state == "proposal" and not station.failed:
        if station.stuck:
            return Lamp.FAULT
        return Lamp.DOUBTFUL if station.doubtful else Lamp.SURE
    if now - station.confirmed_at < CONFIRMED_S:
        return Lamp.CONFIRMED
    return Lamp.FAULT if faulty or station.failed else Lamp.READY


def _factory_named(driver: str) -> Any:
    """Return the GPIO library's pin factory. Raises `PanelError` that names what is missing."""
    try:
        if driver == "mock":
            from gpiozero.pins.mock import MockFactory

            return MockFactory()
        if driver == "lgpio":
            # lgpio makes a pipe in its working folder, which a service may not be allowed to write to.
            os.environ.setdefault("LG_WD", os.environ.get("RUNTIME_DIRECTORY", "/tmp").split(":")[0])
            from gpiozero.pins.lgpio import LGPIOFactory

            return LGPIOFactory()
    except ImportError as error:
        raise PanelError(
            say(
                "The buttons cannot be used, since {library} is not installed. The game goes on: the phones have the "
                "same buttons. On a Raspberry Pi install it with: sudo apt install python3-lgpio",
                library=error.name or say("a library"),
            )
        ) from error
    except Exception as error:
        raise PanelError(
            say(
                "The buttons cannot be used ({why}). The game goes on: the phones have the same buttons. "
                "Check that this is a Raspberry Pi and that the user is in the group gpio.",
                why=str(error) or type(error).__name__,
            )
        ) from error
    raise PanelError(
        say("There is no panel driver {driver}. Use lgpio, mock or off in the settings.", driver=quoted(driver))
    )
