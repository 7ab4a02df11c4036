"""`python -m tests.appliance [--lab FOLDER] [NAME…]`: every scenario by its name, or all of them in order."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from pathlib import Path

from tests.appliance.bench import Bench
from tests.appliance.lab import Lab, LabMissing
from tests.appliance.report import Report

SCENARIOS = {
    "install": ("installing", "a bare machine becomes a table"),
    "press": ("pressing", "press, photograph, proposal, confirm, logged"),
    "refuses": ("installing", "other systems get one sentence"),
    "update": ("installing", "again, newer, and broken releases that are taken back"),
    "uninstall": ("installing", "away, with and without the games"),
    "watched": ("serving", "killed, hung, hung in its worker, killed too often; a leak ends in its limit"),
    "hardened": ("hardening", "each line of the unit by itself: camera, pins, network, and what it forbids"),
    "written": ("serving", "what playing writes, by a listing of every file"),
    "camera": ("seeing", "after the press, red is red, a USB camera's controls, the cable out and in"),
    "faults": ("seeing", "the camera is somebody else's, hangs, hangs for good; by OpenCV"),
    "bounce": ("pressing", "contacts that bounce are one press"),
    "panel": ("pressing", "the lamp's colours and patterns, one button alone"),
    "poweroff": ("pressing", "undo held: the machine is switched off, and the lamp says so"),
    "cuts": ("cutting", "power cuts between presses of confirm: no confirmed move is lost"),
    "arm64": ("foreign", "the same readings on a Pi's processor, emulated (needs --photos)"),
    "figures": ("figuring", "boot to ready, idle processor and memory, size"),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.appliance",
        description="The appliance in a virtual machine. "
        + "; ".join(f"{name}: {what}" for name, (_, what) in SCENARIOS.items()),
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios; all of them, where none is named")
    parser.add_argument("--lab", type=Path, default=os.environ.get("JURADO_LAB"), help="the lab's folder (JURADO_LAB)")
    parser.add_argument("--cache", type=Path, default=os.environ.get("PILAB_CACHE"), help="its image (PILAB_CACHE)")
    parser.add_argument("--state", type=Path, default=os.environ.get("PILAB_STATE"), help="its disk (PILAB_STATE)")
    parser.add_argument("--report", type=Path, default=Path("build/appliance"), help="folder of the reports")
    parser.add_argument("--photos", type=Path, help="folder of photographs, with labels.csv or without, for `arm64`")
    parser.add_argument("--cuts", type=int, default=10, help="how often `cuts` cuts the power; it goes on where it was")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(SCENARIOS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(SCENARIOS)}")
    if asked.lab is None:
        parser.error("the appliance is tried in a lab: name its folder with --lab, or in JURADO_LAB")
    try:
        lab = Lab(asked.lab.resolve(), *(found.resolve() for found in _folders(asked)))
    except LabMissing as error:
        parser.error(str(error))
    wrong = {}
    for name in asked.names or SCENARIOS:
        module, what = SCENARIOS[name]
        print(f"{name}: {what}", flush=True)
        report = Report(name, asked.report)
        try:
            scenario = getattr(importlib.import_module(f"tests.appliance.{module}"), name)
            scenario(Bench(lab, report, cuts=asked.cuts, photos=asked.photos))
        except Exception as error:
            traceback.print_exc()
            report.holds(f"the scenario came to its end ({type(error).__name__}: {str(error)[:400]})", False)
        report.keep()
        if report.wrong:
            wrong[name] = report.wrong
    lab.off()
    for name, lines in wrong.items():
        print(f"{name}: {len(lines)} wrong: {'; '.join(lines)}")
    print(f"The reports lie in {asked.report}.")
    return 1 if wrong else 0


def _folders(asked: argparse.Namespace) -> tuple[Path, Path]:
    return asked.cache or asked.lab / "cache", asked.state or asked.lab / "state"


if __name__ == "__main__":
    sys.exit(main())
