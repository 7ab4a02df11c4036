"""What the lamp and the buzzer say: each state has a colour and a pattern of its own, so that either is enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import Any

CONFIRMED_S = 0.9
"""Seconds that the lamp says that a roll was confirmed."""


class Lamp(StrEnum):
    """What is to be said."""

    OFF = "off"
    READY = "ready"
    LOOKING = "looking"
    SURE = "sure"
    DOUBTFUL = "doubtful"
    CONFIRMED = "confirmed"
    FAULT = "fault"
    LEAVING = "leaving"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class Signal:
    """How a state looks and sounds.

    `colour` is red, green, blue. `pattern` is the seconds that the lamp is lit, dark, lit…, again and again; one number
    alone is steady light. `beeps` is the seconds of each sound when the state begins.
    """

    colour: tuple[bool, bool, bool]
    pattern: tuple[float, ...] = ()
    beeps: tuple[float, ...] = ()

    def lit(self, since: float) -> bool:
        """Return whether the lamp is lit so many seconds after the state began."""
        return bool(self.pattern) and self._part(since)[0] % 2 == 0

    def changes(self, since: float) -> float | None:
        """Return the seconds until the lamp changes, None for steady light."""
        return None if len(self.pattern) < 2 else self._part(since)[1]

    def _part(self, since: float) -> tuple[int, float]:
        """Return the part of the pattern that is played, and how long it goes on."""
        at = since % sum(self.pattern)
        ends = list(accumulate(self.pattern))
        part = next((number for number, end in enumerate(ends) if at < end), 0)
        return part, max(ends[part] - at, 1e-4)


SIGNALS = {
    Lamp.OFF: Signal((False, False, False)),
    Lamp.READY: Signal((False, True, False), (0.1, 2.9)),
    Lamp.LOOKING: Signal((False, False, True), (0.5, 0.5)),
    Lamp.SURE: Signal((False, True, False), (1.0,), (0.08,)),
    Lamp.DOUBTFUL: Signal((True, True, False), (0.15, 0.15, 0.15, 0.75), (0.08, 0.08)),
    Lamp.CONFIRMED: Signal((True, True, True), (0.15, 0.15), (0.04,)),
    Lamp.FAULT: Signal((True, False, False), (0.1, 0.1), (0.5,)),
    Lamp.LEAVING: Signal((True, False, True), (0.15, 0.15, 0.15, 0.15, 0.15, 0.45)),
    Lamp.CLOSING: Signal((True, False, True), (1.0, 0.2), (0.2, 0.2, 0.2)),
}


class Lights:
    """The lamp's pins and the buzzer's. `lights` are gpiozero's outputs: one of one colour, or red, green and blue."""

    def __init__(self, lights: Sequence[Any], buzzer: Any = None) -> None:
        self.lights = tuple(lights)
        self.buzzer = buzzer

    def show(self, lamp: Lamp, since: float) -> None:
        """Set the pins as they are so many seconds after a state began."""
        signal = SIGNALS[lamp]
        lit = signal.lit(since)
        wanted = [lit] if len(self.lights) == 1 else [lit and part for part in signal.colour]
        for light, on in zip(self.lights, wanted, strict=False):
            if bool(light.value) != on:
                light.value = on

    def sound(self, lamp: Lamp) -> None:
        """Give the sound with which a state begins, on a thread of the library's own."""
        beeps = SIGNALS[lamp].beeps
        if self.buzzer is not None and beeps:
            self.buzzer.beep(on_time=beeps[0], off_time=0.08, n=len(beeps))

    def close(self) -> None:
        for device in (*self.lights, self.buzzer):
            if device is not None:
                device.close()
