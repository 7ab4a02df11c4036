"""Fingers on buttons, and the lamp: real edges on a real chip, read by the library that a Pi uses."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.appliance.bench import Bench
from tests.appliance.lab import Lab
from tests.appliance.table import CAPTURE, CONFIRM, LAMP, UNDO, ATable, until

BURSTS = ((3, 4000), (6, 2000), (10, 300), (20, 500), (40, 100))
"""Contacts that bounce: so many closings, of so many microseconds each."""

LATE = 0.06
"""Seconds between the pins of one lamp that are the machine's, and no colour."""

LONGEST = 250.0
"""Milliseconds of a burst that is still one press; an emulated machine may stretch one to more, which then is none."""


def press(bench: Bench) -> None:
    """Press, photograph, proposal over HTTP, the second button, a line in the log, and an event in the journal."""
    report = bench.report
    table = bench.playing()
    rolls = bench.rolls()
    for number in (1, 2):
        roll = rolls.next(table.expects)
        bench.lab.frame(roll.jpeg)
        proposal, took = table.press_capture()
        report.figure(f"press to proposal, roll {number} (emulated), s", round(took, 1))
        seen = table.dice_of(proposal)
        report.holds(f"roll {number} is read as it lies", proposal["state"] == "ready" and seen == roll.dice, seen)
        report.figure("parts, ms", {name: round(ms) for name, ms in proposal["milliseconds"].items()})
        line = table.press_confirm()
        report.holds("the second button confirms it", line["kind"] == "move", line["text"])
        moves = table.exported()["moves"]
        dice = sorted((die["colour"], die["value"]) for die in moves[-1]["dice"])
        report.holds("it is in the journal", dice == list(roll.dice), len(moves))
        report.holds("its photograph lies at the turn", until(lambda: table.state["log"][0]["photo"], "its photograph"))
        if number == 1:
            table.act("/api/undo", count=1)


def bounce(bench: Bench) -> None:
    """A contact that bounces is one press, three presses are three."""
    report = bench.report
    # Without its camera, so that an emulated machine has its time for the edges.
    table = bench.playing(backend="none")
    for count, microseconds in BURSTS:
        for _ in range(6):
            presses = _presses(table, "capture")
            took = float(bench.lab.run(f"python3 /opt/helpers/bounce.py {CAPTURE} {count} {microseconds}"))
            time.sleep(3)
            came = _presses(table, "capture") - presses
            table.proposal()
            table.discard()
            if took <= LONGEST:
                break
            report.say(f"the machine stretched {count} closings to {took:g} ms; again")
        what = f"{count} closings of {microseconds / 1000:g} ms each, one after the other, are one press"
        report.holds(what, came == 1 and took <= LONGEST, f"{came}, in {took:g} ms")
    presses = _presses(table, "capture")
    for _ in range(3):
        bench.lab.press(CAPTURE, 120)
        time.sleep(1)
    came = _presses(table, "capture") - presses
    report.holds("three presses are three presses", came == 3, came)


def panel(bench: Bench) -> None:
    """The lamp says each state; one button does it alone."""
    table = bench.playing()
    rolls = bench.rolls(11)
    _lamp(bench, table, rolls)
    _one_button(bench, table, rolls)


def _presses(table: ATable, button: str) -> int:
    return table.log().count(f"{button} button: ")


@contextmanager
def _lamp_seen(lab: Lab, seconds: float) -> Iterator[list[str]]:
    """Have every change of the lamp's pins noted meanwhile."""
    pins = " ".join(str(pin) for pin in LAMP.values())
    with lab.running(f"python3 -u /opt/helpers/lamp.py {seconds:g} {pins}") as lines:
        until(lambda: lines, "the lamp's watcher")
        yield lines


def _colours(lines: list[str]) -> dict[str, Any]:
    """Return how long each colour was seen (s), and how often it went on."""
    notes = [json.loads(line) for line in lines if line.startswith("{")]
    seen: dict[str, Any] = {}
    for note, after in itertools.pairwise(notes):
        name = "+".join(colour for colour, on in zip(LAMP, note["levels"], strict=True) if on) or "dark"
        known = seen.setdefault(name, {"s": 0.0, "times": 0})
        known["s"] = round(known["s"] + after["at"] - note["at"], 2)
        known["times"] += 1
    return seen


def _lamp(bench: Bench, table: ATable, rolls: Any) -> None:
    report, lab = bench.report, bench.lab

    def shows(what: str, colour: str, seconds: float, flashes: tuple[int, int]) -> None:
        with _lamp_seen(lab, seconds) as lines:
            pass
        seen = _colours(lines)
        least, most = flashes
        # One pin follows the other, which an emulated machine draws out.
        others = {name for name, one in seen.items() if one["s"] > LATE * one["times"]} - {colour, "dark"}
        times = seen.get(colour, {"times": 0})["times"]
        report.holds(f"the lamp at {what} is {colour}", not others and least <= times <= most, seen)

    shows("ready", "green", 9, (2, 4))
    roll = rolls.next(table.expects)
    lab.frame(roll.jpeg)
    with _lamp_seen(lab, 40) as lines:
        lab.press(CAPTURE)
        proposal = table.proposal()
    report.holds(
        "the lamp while it looks is blue", _colours(lines).get("blue", {"times": 0})["times"] > 0, _colours(lines)
    )
    report.holds("the proposal is sure", proposal["doubtful"] == 0 and not proposal["problems"])
    shows("a sure proposal", "red+green" if proposal["doubtful"] else "green", 6, (1, 1))
    with _lamp_seen(lab, 6) as lines:
        lab.press(CONFIRM)
        time.sleep(1)
    report.holds("the lamp when it was confirmed is white", "red+green+blue" in _colours(lines), _colours(lines))
    table.act("/api/undo", count=1)
    fewer = rolls.next(table.expects.__class__(dict.fromkeys(table.expects.shapes, 3), table.expects.colours))
    lab.frame(fewer.jpeg)
    table.press_capture()
    shows("a roll with dice that are missing", "red+green", 6, (6, 14))
    lab.press(CONFIRM)
    until(lambda: (table.state["proposal"] or {}).get("notice"), "the notice")
    shows("a roll that cannot be confirmed so", "red", 5, (10, 30))
    lab.press(UNDO)
    until(lambda: table.state["proposal"] is None, "the discarded roll")
    report.holds("the third button throws the reading away", True)
    shows("ready again", "green", 9, (2, 4))


def _one_button(bench: Bench, table: ATable, rolls: Any) -> None:
    report, lab = bench.report, bench.lab
    table.settle(one_button=True)
    table.camera("ready")
    roll = rolls.next(table.expects)
    lab.frame(roll.jpeg)
    table.press_capture()
    lab.press(CAPTURE, 1800)
    until(lambda: table.state["proposal"] is None, "the discarded roll")
    report.holds("one button: held, it throws the reading away", True)
    proposal, _ = table.press_capture()
    report.holds("one button: short, it photographs", table.dice_of(proposal) == roll.dice)
    before = table.state["log"][0]["seq"]
    lab.press(CAPTURE)
    line = until(lambda: (n := table.state["log"][0])["seq"] > before and n, "the confirmed roll")
    report.holds("one button: short again, it confirms", line["kind"] == "move", line["text"])


def poweroff(bench: Bench) -> None:
    """Undo held: for three seconds, nothing but a violet lamp; for five, the machine is off; nothing is undone."""
    report, lab = bench.report, bench.lab
    table = bench.playing()
    roll = bench.rolls(13).next(table.expects)
    lab.frame(roll.jpeg)
    table.press_capture()
    line = table.press_confirm()
    with _lamp_seen(lab, 12) as lines:
        lab.press(UNDO, 3500)
    seen = _colours(lines)
    report.holds("held for three and a half seconds, the lamp warns", "red+blue" in seen, seen)
    newest = table.state["log"][0]
    report.holds("let go then, nothing is undone and nothing is switched off", newest["seq"] == line["seq"], newest)
    began = time.monotonic()
    with _lamp_seen(lab, 60) as lines, lab.running(f"pilab-gpio press {UNDO} 6500"):
        until(lambda: not lab.is_up, "the machine switched off", 240, every=2)
    report.figure("held undo to the machine being off (emulated), s", round(time.monotonic() - began))
    seen = _colours(lines)
    report.holds("the lamp flashed violet meanwhile", seen.get("red+blue", {"times": 0})["times"] >= 1, seen)
    lab.off()
    lab.up()
    table = ATable(lab)
    table.ready()
    table.join()
    newest = table.state["log"][0]
    report.holds("after it, the game is as it was", newest["seq"] == line["seq"], newest["text"])
    report.holds("and the machine stays on", lab.run("ls /run/jurado").find("poweroff") < 0)
