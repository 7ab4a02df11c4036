"""What a Raspberry Pi itself may lack: memory, power, a clock, a network, its groups, libraries for its pins."""

from __future__ import annotations

import grp
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from device.calibration import STEPS, Calibrations
from device.config import CameraConfig, Config, PanelConfig
from device.finding import Finding, Verdict
from engine.words import listed, row, say

ROOMY = 700
"""Megabytes of memory from which full pictures and three buffers fit; a Zero 2 W has 512."""

EARLIEST = 1_764_000_000
"""A clock before this (24 November 2025) was never set."""

GPIOZERO = (2, 0, 1, 3)
"""The first gpiozero that knows a Pi 5's pins on present kernels: 2.0.1.post3."""

THROTTLED = {
    0: say("its voltage is too low now"),
    2: say("it is slowed down now"),
    16: say("its voltage was too low since the start"),
}
"""Bits of `vcgencmd get_throttled` that matter at a table."""


def pi(config: Config) -> Iterator[Finding]:
    """Yield a finding for each thing of the machine itself."""
    yield memory(Path("/proc/meminfo"), config.camera)
    yield power(answer_of)
    yield clock(time.time())
    yield network()
    yield service(answer_of, os.environ)
    if config.camera.backend in ("picamera", "usb"):
        yield groups("video", config.camera.backend)
    if config.panel.driver == "lgpio":
        yield groups("gpio", "lgpio")
        yield pins(_version)
        yield pipe(os.environ, config.panel)
    yield set_up(config)
    yield backups(config)


def memory(file: Path, camera: CameraConfig) -> Finding:
    """Say whether pictures of this size fit into the memory."""
    try:
        found = re.search(r"^MemTotal:\s+(\d+) kB", file.read_text(encoding="ascii"), re.MULTILINE)
    except OSError:
        found = None
    if found is None:
        return Finding(say("memory"), Verdict.OK, say("How much there is cannot be told here."))
    megabytes = int(found[1]) // 1000
    if megabytes >= ROOMY or camera.backend in ("none", "folder") or camera.width <= 1640:
        return Finding(say("memory"), Verdict.OK, f"{megabytes} MB.")
    return Finding(
        say("memory"),
        Verdict.WARNING,
        say(
            "{megabytes} MB is little for photographs of {width} pixels; the camera may fail to get its buffers.",
            megabytes=megabytes,
            width=camera.width,
        ),
        say("Set camera.width = 1536 and camera.height = 864. More CMA memory does not help."),
    )


def power(answer: Callable[[list[str]], str | None]) -> Finding:
    """Say whether the power supply is strong enough, as far as the Pi has noticed."""
    said = answer(["vcgencmd", "get_throttled"])
    found = re.search(r"0x([0-9a-f]+)", said or "")
    if found is None:
        return Finding(say("power"), Verdict.OK, say("Whether it is strong enough cannot be told here."))
    bits = int(found[1], 16)
    wrong = [words for bit, words in THROTTLED.items() if bits >> bit & 1]
    if not wrong:
        return Finding(say("power"), Verdict.OK, say("Strong enough since the start."))
    return Finding(
        say("power"),
        Verdict.WARNING,
        say(
            "The Pi says that {wrong} (0x{bits}). The camera and the card suffer first.",
            wrong=listed(wrong),
            bits=f"{bits:x}",
        ),
        say("Use the supply that belongs to this Pi, and a short cable."),
    )


def clock(now: float) -> Finding:
    """Say whether the clock was ever set; a Pi without network or battery wakes in the past."""
    if now >= EARLIEST:
        return Finding(say("clock"), Verdict.OK, time.strftime("%Y-%m-%d %H:%M", time.localtime(now)))
    said = say(
        "It says {date}. Games keep their order all the same.", date=time.strftime("%Y-%m-%d", time.localtime(now))
    )
    cure = say("Let it reach the internet once, or set it: sudo date -s '2026-12-24 20:00'.")
    return Finding(say("clock"), Verdict.WARNING, said, cure)


def network() -> Finding:
    """Say under which number phones find this machine."""
    from webui.address import lan_address

    number = lan_address()
    if number is not None:
        return Finding(say("network"), Verdict.OK, say("Phones find it at {number}.", number=number))
    return Finding(
        say("network"),
        Verdict.WARNING,
        say("This machine is in no network, so no phone finds it."),
        say("Join a Wi-Fi (sudo nmtui), or let it make one of its own: jurado hotspot says how."),
    )


def service(answer: Callable[[list[str]], str | None], environment: os._Environ[str] | dict[str, str]) -> Finding:
    """Say how the service stands where systemd has one."""
    state = answer(["systemctl", "is-active", "jurado.service"])
    if state in (None, "", "inactive", "unknown"):
        return Finding(
            say("service"), Verdict.OK, say("Not started by systemd here; jurado serve starts a table by hand.")
        )
    if state == "active":
        return Finding(say("service"), Verdict.OK, say("Running."))
    cure = say("Its last words: journalctl -u jurado -e. After five failures: sudo systemctl reset-failed jurado")
    return Finding(say("service"), Verdict.PROBLEM, say("It is {state}.", state=state), cure)


def groups(name: str, of: str) -> Finding:
    """Say whether this user is in a group."""
    about = say("group {name}", name=name)
    try:
        number = grp.getgrnam(name).gr_gid
    except KeyError:
        return Finding(
            about, Verdict.WARNING, say("There is no group {name} here, so this is no Raspberry Pi OS.", name=name)
        )
    if number in (*os.getgroups(), os.getegid()) or os.geteuid() == 0:
        return Finding(about, Verdict.OK, say("This user is in it."))
    cure = say(
        "sudo adduser $USER {name}, then log in again; the service has it from its unit (SupplementaryGroups).",
        name=name,
    )
    return Finding(about, Verdict.PROBLEM, say("This user is not in it, and {of} needs it.", of=of), cure)


def pins(version: Callable[[str], str | None]) -> Finding:
    """Say whether the libraries for the pins are ones that work."""
    gpiozero, lgpio = version("gpiozero"), version("lgpio")
    numbers = tuple(int(part) for part in re.findall(r"\d+", gpiozero or "0"))
    if numbers < GPIOZERO:
        cure: str = say("In Jurado's environment: pip install 'gpiozero>=2.0.1.post3'")
        return Finding(
            say("pins"),
            Verdict.PROBLEM,
            say("gpiozero {gpiozero} does not know the pins of a Pi 5.", gpiozero=gpiozero),
            cure,
        )
    if lgpio == "0.0.0.2":
        cure = "pip uninstall lgpio; sudo apt install python3-lgpio"
        return Finding(say("pins"), Verdict.PROBLEM, say("lgpio 0.0.0.2 from pip is an empty placeholder."), cure)
    return Finding(
        say("pins"),
        Verdict.OK,
        say("gpiozero {gpiozero}, lgpio {lgpio}.", gpiozero=gpiozero, lgpio=lgpio or say("from apt")),
    )


def pipe(environment: os._Environ[str] | dict[str, str], settings: PanelConfig) -> Finding:
    """Say whether lgpio may make its pipe, which lies in its working folder."""
    folder = environment.get("LG_WD") or environment.get("RUNTIME_DIRECTORY", "/tmp").split(":")[0]
    if os.access(folder, os.W_OK):
        return Finding(say("pipe of lgpio"), Verdict.OK, say("It is made in {folder}.", folder=folder))
    cure = say("Set LG_WD to a folder that can be written; the unit has LG_WD=%t/jurado.")
    return Finding(
        say("pipe of lgpio"),
        Verdict.PROBLEM,
        say("lgpio makes a pipe in {folder}, and may not write there.", folder=folder),
        cure,
    )


def set_up(config: Config) -> Finding:
    """Say what was set up of the camera."""
    if config.camera.backend not in ("picamera", "usb"):
        return Finding(say("set-up of the camera"), Verdict.OK, say("Nothing to set up."))
    known = Calibrations(config.home).all()
    if not known:
        cure = say("On the host's phone: Set-up, Set the camera up. Or: jurado calibrate.")
        said = say(
            "It was not set up, so focus and colours follow the light, and numerals seen askew are read less well."
        )
        return Finding(say("set-up of the camera"), Verdict.WARNING, said, cure)
    return Finding(
        say("set-up of the camera"),
        Verdict.OK,
        say("Known of {count}; the steps are {steps}.", count=len(known), steps=row(STEPS)),
    )


def backups(config: Config) -> Finding:
    """Say whether copies of the games are there, and elsewhere."""
    there = sorted((config.home / "backups").glob("journal-*.sqlite3"))
    if config.backup.also_in and not os.access(config.backup.also_in, os.W_OK):
        cure = say("Put the stick in and mount it, or empty backup.also_in.")
        return Finding(
            say("backups"), Verdict.WARNING, say("{folder} cannot be written to.", folder=config.backup.also_in), cure
        )
    home, count = config.home / "backups", len(there)
    if config.backup.also_in:
        said = say("{count} in {home}, and in {folder}.", count=count, home=home, folder=config.backup.also_in)
        return Finding(say("backups"), Verdict.OK, said)
    return Finding(say("backups"), Verdict.OK, say("{count} in {home}.", count=count, home=home))


def answer_of(command: list[str]) -> str | None:
    """Return what a program prints, None where there is no such program."""
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    return done.stdout.strip()


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def model() -> str:
    """Return what machine this is."""
    try:
        return Path("/proc/device-tree/model").read_text(encoding="utf-8").rstrip("\0")
    except OSError:
        return platform.machine()
