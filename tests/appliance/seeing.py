"""The camera: unmodified picamera2 over a camera whose picture, plug and silence are the test's."""

from __future__ import annotations

import time
from typing import Any

import cv2
import numpy as np

from tests.appliance.bench import Bench
from tests.appliance.rolls import plain
from tests.appliance.table import CAPTURE, JURADO, ATable, until

ALTERNATIONS = 8


def camera(bench: Bench) -> None:
    """Red is red, each photograph is of after its press, a camera without controls holds none, the cable out and in."""
    report = bench.report
    table = bench.playing()
    table.camera("ready")
    said = [line for line in table.log().splitlines() if "gives" in line][-1:]
    report.holds("one configuration runs, in the size that is wanted", any("1280 x 720" in line for line in said), said)
    report.holds("the camera has no controls, and holds nothing", any("holding nothing" in line for line in said))
    _colours(bench, table)
    _after_the_press(bench, table)
    _controls(bench, table)
    _cable(bench, table)


def faults(bench: Bench) -> None:
    """Others have the camera; it hangs; the same camera by OpenCV."""
    table = bench.playing()
    table.camera("ready")
    _busy(bench, table)
    _hangs(bench, table)
    _by_opencv(bench, table)


def _photographed(table: ATable) -> tuple[dict[str, Any], np.ndarray | None]:
    """Press, and return the proposal with its photograph."""
    proposal, _ = table.press_capture()
    if not proposal["photo"]:
        return proposal, None
    return proposal, cv2.imdecode(np.frombuffer(table.photo(proposal), np.uint8), cv2.IMREAD_COLOR)


def _colour(picture: np.ndarray | None) -> str:
    """Return which of red, green and blue a picture is, "none" where it is none of them."""
    if picture is None:
        return "none"
    blue, green, red = (float(part) for part in picture.reshape(-1, 3).mean(axis=0))
    names = {"red": red, "green": green, "blue": blue}
    most = max(names, key=lambda name: names[name])
    return most if names[most] > 150 and sum(names.values()) - names[most] < 120 else "none"


def _colours(bench: Bench, table: ATable) -> None:
    for name, picture in {"red": plain(30, 30, 210), "green": plain(30, 200, 30), "blue": plain(210, 30, 30)}.items():
        bench.lab.frame(picture)
        _, seen = _photographed(table)
        bench.report.holds(f"a {name} scene is {name}", _colour(seen) == name, _colour(seen))
        table.discard()


def _after_the_press(bench: Bench, table: ATable) -> None:
    """The scene changes, and then the button is pressed: what was on its way before must not be taken."""
    wrong = 0
    for number in range(ALTERNATIONS):
        name = ("red", "blue")[number % 2]
        bench.lab.frame(plain(30, 30, 210) if name == "red" else plain(210, 30, 30))
        _, seen = _photographed(table)
        wrong += _colour(seen) != name
        table.discard()
    bench.report.holds("the photograph is of after the press", wrong == 0, f"{wrong} of {ALTERNATIONS} were of before")


def _controls(bench: Bench, table: ATable) -> None:
    """What cannot be held is said to be so, and nothing else happens."""
    bench.lab.frame(plain(200, 200, 200))
    for step in ("focus", "white"):
        sent = {"version": table.state["version"], "id": f"camera-{step}", "step": step}
        done = table.caller.ask("POST", "/api/camera", sent)["done"][step]
        bench.report.holds(f"{step}: nothing can be held, and that is told", done["holds"] is False, done)
    table.camera("ready")


def _cable(bench: Bench, table: ATable) -> None:
    report, lab = bench.report, bench.lab
    roll = bench.rolls(19).next(table.expects)
    lab.frame(roll.jpeg)
    lab.unplug()
    proposal, took = table.press_capture()
    said = (proposal["error"] or {}).get("message", "")
    report.holds("a press with the cable out says so", proposal["state"] == "failed" and "camera" in said.lower(), said)
    report.figure("press to that sentence, s", round(took, 1))
    report.holds("the camera is said to be at fault", table.health()["camera"]["state"] == "fault")
    table.discard()
    table.act("/api/proposal/hand")
    report.holds("dice can be typed meanwhile", table.proposal()["source"] == "hand")
    table.discard()
    began, process = time.monotonic(), table.service("MainPID")
    lab.plug()
    table.camera("ready")
    report.figure("cable back to the camera being ready, without a restart, s", round(time.monotonic() - began, 1))
    proposal, _ = table.press_capture()
    good = proposal["state"] == "ready" and table.dice_of(proposal) == roll.dice
    report.holds(
        "with the cable back it photographs, in the same process", good and table.service("MainPID") == process
    )
    table.discard()
    lab.unplug()
    table.restart()
    missing = until(lambda: (c := table.health()["camera"])["state"] == "fault" and c, "the fault")
    report.holds("started without a camera, it says that none is there", "is not there" in missing["message"], missing)
    began, process = time.monotonic(), table.service("MainPID")
    lab.plug()
    try:
        table.camera("ready", 90)
        how = "by itself"
    except Exception:
        how = "with a restart"
        table.restart()
        table.camera("ready")
    report.figure("started without a camera, then plugged in: ready", f"{how}, {time.monotonic() - began:.0f} s")
    proposal, _ = table.press_capture()
    report.holds("and it photographs", table.dice_of(proposal) == roll.dice, proposal["error"])
    table.discard()


HOLDER = (
    "from picamera2 import Picamera2; import time; one = Picamera2(0); "
    "one.configure(one.create_video_configuration(main={'format': 'RGB888', 'size': (640, 480)})); one.start(); "
    "print('held', flush=True); time.sleep(90)"
)


def _busy(bench: Bench, table: ATable) -> None:
    report, lab = bench.report, bench.lab
    for user in ("jurado", "root"):
        lab.run("systemctl stop jurado.service")
        as_user = "setpriv --reuid jurado --regid jurado --init-groups " if user == "jurado" else ""
        with lab.running(f'cd /tmp; {as_user}/opt/jurado/venv/bin/python -c "{HOLDER}"') as lines:
            until(lambda: any("held" in line for line in lines), "the other program", 120)
            table.restart()
            fault = until(lambda: (c := table.health()["camera"])["state"] == "fault" and c, "the fault")
            named = "python (process" in fault["message"]
            report.holds(f"a camera that {user} has is in use", "in use" in fault["message"], fault["message"])
            report.figure(f"the holder's name is told, where {user} has it", named)
            lab.run("pkill -f '[c]reate_video'; true")
        table.camera("ready")
        report.holds(f"and ready once {user} let it go, without a restart", True)


def _hangs(bench: Bench, table: ATable) -> None:
    """Plugged in and silent: told in time, alive again by itself, and ended for a new start where it never is."""
    report, lab = bench.report, bench.lab
    table.settle(timeout_s=5)
    table.camera("ready")
    with lab.camera_that_hangs():
        proposal, took = table.press_capture()
        said = (proposal["error"] or {}).get("message", "")
        report.holds("a camera that is silent is told in time", "answer" in said, said)
        report.figure("press to that sentence (its limit is 5 s), s", round(took, 1))
        table.discard()
    table.camera("ready")
    lab.frame(plain(30, 30, 210))
    report.holds("and photographs again once it answers", _colour(_photographed(table)[1]) == "red")
    table.discard()
    began = time.monotonic()

    def started_anew() -> bool:
        lab.press(CAPTURE)
        time.sleep(12)
        return int(table.service("NRestarts")["NRestarts"]) > 0

    with lab.camera_that_hangs():
        until(started_anew, "the new start", 400)
    report.holds("silent for good: the service is started anew", True, f"{time.monotonic() - began:.0f} s of presses")
    # libcamera's own calls hold Python's lock: then it is the watchdog that ends the table.
    said = [line for line in table.log().splitlines() if "hangs for good" in line or "Watchdog timeout" in line]
    report.figure("who ended it", said)
    table.caller.drop()
    table.ready()
    table.camera("ready")
    report.holds("after that it photographs", _colour(_photographed(table)[1]) == "red")
    table.discard()


def _by_opencv(bench: Bench, table: ATable) -> None:
    """The same camera as `usb`, through OpenCV."""
    report, lab = bench.report, bench.lab
    roll = bench.rolls(23).next(table.expects)
    lab.frame(roll.jpeg)
    table.settle(backend="usb")
    table.camera("ready")
    proposal, _ = table.press_capture()
    seen = table.dice_of(proposal)
    report.holds("as backend usb the roll is read as it lies", seen == roll.dice, [seen, proposal["error"]])
    table.discard()
    process = table.service("MainPID")
    lab.unplug()
    proposal, _ = table.press_capture()
    said = (proposal["error"] or {}).get("message", "")
    report.holds("usb: a press with the cable out says so", proposal["state"] == "failed", said)
    table.discard()
    lab.plug()
    table.camera("ready")
    proposal, _ = table.press_capture()
    report.holds(
        "usb: with the cable back it photographs, in the same process, whatever its number now",
        table.dice_of(proposal) == roll.dice and table.service("MainPID") == process,
        [lab.run("ls /dev/video*", check=False).split(), proposal["error"]],
    )
    table.discard()
    said = lab.run("systemctl stop jurado; " + JURADO + "calibrate white", check=False)
    report.figure("calibrate white with a camera without controls", said.strip()[-300:])
