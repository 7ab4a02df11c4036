"""What this machine has and lacks for a table, each finding with what to do about it."""

from __future__ import annotations

import errno
import hashlib
import importlib.metadata
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from device.camera.holding import camera_devices, holder_of
from device.checkup import pi
from device.config import Config, ConfigError, PanelConfig, load_config
from device.finding import Finding, Verdict
from device.listening import ports_of, try_to_listen
from engine.journal import LOCK
from engine.words import decimal, row, say, say_many

PATIENCE = 60.0
"""Seconds that an import in a child process may take; a small Pi reads it from a slow card."""

LITTLE, TIGHT = 500_000_000, 50_000_000
"""Free bytes below which the disk is worth a warning, and below which it is a problem."""


def examine(home: Path | None = None, file: Path | None = None) -> Iterator[Finding]:
    """Yield a finding for everything a table needs, by the settings of this home."""
    try:
        config = load_config(file, at=home)
        yield Finding(
            say("settings"),
            Verdict.OK,
            say("Those of {home}; what no file says there is as it comes.", home=config.home),
        )
    except ConfigError as error:
        config = load_config(Path(os.devnull), at=home)
        yield Finding(
            say("settings"), Verdict.PROBLEM, error.args[0], say("Correct the file; what follows is for the defaults.")
        )
    yield from needs(config)


def needs(config: Config) -> Iterator[Finding]:
    """Yield a finding for everything a table with these settings needs."""
    yield machine(platform.machine(), sys.maxsize > 2**32)
    yield python(sys.version_info[:2])
    yield onnxruntime()
    yield opencv()
    yield from models()
    yield disk(config.home)
    yield journal(config)
    yield camera(config)
    yield panel(config.panel)
    yield port(config)
    yield from pi(config)


def machine(name: str, is_64_bit: bool) -> Finding:
    if is_64_bit:
        return Finding(say("machine"), Verdict.OK, say("{name}, 64-bit.", name=name))
    return Finding(
        say("machine"),
        Verdict.PROBLEM,
        say(
            "This system is 32-bit ({name}). The reader of dice needs onnxruntime, which exists for 64-bit systems "
            "only.",
            name=name,
        ),
        say("Install the 64-bit Raspberry Pi OS (Pi 3, 4, 5 and Zero 2 W can run it)."),
    )


def python(version: tuple[int, int]) -> Finding:
    said = f"Python {version[0]}.{version[1]}."
    if (3, 11) <= version <= (3, 13):
        return Finding("python", Verdict.OK, said)
    return Finding(
        "python",
        Verdict.PROBLEM,
        say("{said} Jurado runs on 3.11 to 3.13.", said=said),
        say("Use the system's own Python."),
    )


def onnxruntime() -> Finding:
    code, out, error = _child("import onnxruntime; print(onnxruntime.__version__)")
    if code == 0:
        return Finding("onnxruntime", Verdict.OK, f"{out}.")
    if code == -signal.SIGILL:
        return Finding(
            "onnxruntime",
            Verdict.PROBLEM,
            say("This onnxruntime crashes here with an illegal instruction: it was built for a newer processor."),
            say("Install a later one: pip install --upgrade 'onnxruntime>=1.22'"),
        )
    return Finding(
        "onnxruntime", Verdict.PROBLEM, say("It cannot be loaded: {why}.", why=error), say("Install Jurado again.")
    )


def opencv() -> Finding:
    wheels = [name for name in ("opencv-python", "opencv-python-headless") if _version(name)]
    if len(wheels) == 2:
        return Finding(
            "opencv",
            Verdict.PROBLEM,
            say("opencv-python and opencv-python-headless are both installed and overwrite each other."),
            say("pip uninstall opencv-python opencv-python-headless, then pip install opencv-python-headless"),
        )
    if wheels == ["opencv-python"]:
        return Finding(
            "opencv",
            Verdict.WARNING,
            say("opencv-python brings windows along that a table has no use for, and that break picamera2's previews."),
            say("pip uninstall opencv-python, then pip install opencv-python-headless"),
        )
    code, out, error = _child("import cv2; print(cv2.__version__)")
    if code == 0:
        return Finding("opencv", Verdict.OK, f"{out}.")
    return Finding(
        "opencv", Verdict.PROBLEM, say("It cannot be loaded: {why}.", why=error), say("Install Jurado again.")
    )


def models(folder: Path | None = None) -> Iterator[Finding]:
    """Yield a finding for each model: it is there, and its bytes are those that its card names."""
    import models as package

    folder = Path(package.__file__).parent if folder is None else folder
    cards = sorted(folder.glob("*.json"))
    if not cards:
        cure = say("Install Jurado again. Until then dice are entered by hand.")
        yield Finding(say("models"), Verdict.PROBLEM, say("There are no models in {folder}.", folder=folder), cure)
    for card in cards:
        model = card.with_suffix(".onnx")
        about = say("model {name}", name=model.stem)
        try:
            wanted = json.loads(card.read_text(encoding="utf-8"))["sha256"]
            found = hashlib.sha256(model.read_bytes()).hexdigest()
        except (OSError, ValueError, KeyError, TypeError) as error:
            yield Finding(
                about, Verdict.PROBLEM, say("It cannot be read ({why}).", why=error), say("Install Jurado again.")
            )
            continue
        if found == wanted:
            yield Finding(
                about, Verdict.OK, say("{size} MB, as its card says.", size=decimal(model.stat().st_size / 1e6))
            )
        else:
            said = say("Its bytes are not those that its card names, so its readings cannot be trusted.")
            yield Finding(about, Verdict.PROBLEM, said, say("Install Jurado again."))


def disk(home: Path) -> Finding:
    try:
        there = next(folder for folder in (home.absolute(), *home.absolute().parents) if folder.exists())
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"jurado")
            file.flush()
            os.fsync(file.fileno())
        free = shutil.disk_usage(there).free
    except OSError as error:
        cure = say("Give this user the right to write there, free some space, or name another folder with JURADO_HOME.")
        return Finding(
            say("disk"),
            Verdict.PROBLEM,
            say("Nothing can be written in {home}: {why}.", home=home, why=error.strerror),
            cure,
        )
    said = say("{megabytes} MB free in {home}.", megabytes=f"{free / 1e6:.0f}", home=home)
    if free < TIGHT:
        return Finding(
            say("disk"), Verdict.PROBLEM, said, say("Free some space before a game, or moves will be refused.")
        )
    if free < LITTLE:
        return Finding(say("disk"), Verdict.WARNING, said, say("Free some space, or lower photos.megabytes."))
    return Finding(say("disk"), Verdict.OK, said)


def journal(config: Config) -> Finding:
    from engine.journal import JournalError, read_events

    if not config.journal.exists():
        return Finding(say("journal"), Verdict.OK, say("There is none yet; the first game makes it."))
    try:
        events = read_events(config.journal)
    except JournalError as error:
        cure = say("Start the table: it keeps the damaged file, saves what can be read, and says what it did.")
        return Finding(say("journal"), Verdict.PROBLEM, error.message, cure)
    running = running_table(config.home)
    said = say_many("{count} event.", "{count} events.", len(events))
    if running:
        said = say("{events} A table is using it now (process {running}).", events=said, running=running)
    damaged = sorted(config.home.glob("*-damaged-*.sqlite3"))
    if damaged:
        cure = say("Keep it if a game is missing; else delete it.")
        return Finding(
            say("journal"),
            Verdict.WARNING,
            say("{said} A damaged one was moved aside: {file}.", said=said, file=damaged[-1]),
            cure,
        )
    return Finding(say("journal"), Verdict.OK, said)


def camera(config: Config) -> Finding:
    settings = config.camera
    if settings.backend == "none":
        seen = _seen_cameras()
        none = say("None is set; phones can photograph, and dice be typed.")
        said = say("{none} There is {seen}, though.", none=none, seen=seen) if seen else none
        cure = say("Set camera.backend to use it.") if seen else ""
        return Finding(say("camera"), Verdict.WARNING if seen else Verdict.OK, said, cure)
    if settings.backend == "rendered":
        return Finding(say("camera"), Verdict.OK, say("Rendered dice; no camera is needed."))
    if settings.backend == "folder":
        there = Path(settings.folder).is_dir() and any(Path(settings.folder).iterdir())
        if settings.folder and there:
            return Finding(say("camera"), Verdict.OK, say("The pictures in {folder}.", folder=settings.folder))
        return Finding(
            say("camera"),
            Verdict.PROBLEM,
            say("There are no pictures in {folder}.", folder=f"{settings.folder!r}"),
            say("Correct camera.folder."),
        )
    return _usb(config) if settings.backend == "usb" else _picamera(config)


def _usb(config: Config) -> Finding:
    settings = config.camera
    named = Path(f"/dev/video{settings.device}" if settings.device.isdigit() else settings.device)
    if not named.exists():
        cure = say("Plug it in, or correct camera.device; seen are: {seen}.", seen=_seen_cameras() or say("none"))
        return Finding(say("camera"), Verdict.PROBLEM, say("There is no camera at {named}.", named=named), cure)
    if not os.access(named, os.R_OK | os.W_OK):
        cure = say("Add this user to the group video, then log in again.")
        return Finding(say("camera"), Verdict.PROBLEM, say("This user may not use {named}.", named=named), cure)
    return _held(config, named) or Finding(say("camera"), Verdict.OK, say("{named} is there.", named=named))


def _held(config: Config, *devices: Path) -> Finding | None:
    """Return the finding that another program has the camera; the table itself may."""
    holder = holder_of(*devices)
    if holder is None or ((table := running_table(config.home)) and f"process {table})" in holder):
        return None
    said = say("The camera is in use by {holder}. The game can go on with dice that are typed in.", holder=holder)
    return Finding(say("camera"), Verdict.PROBLEM, said, say("Close that program, then try again."))


def _picamera(config: Config) -> Finding:
    if held := _held(config, *camera_devices()):
        return held
    asked = "from picamera2 import Picamera2; print(len(Picamera2.global_camera_info()))"
    code, out, error = _child(asked)
    if code == 0 and out.splitlines()[-1:] not in ([], ["0"]):
        return Finding(say("camera"), Verdict.OK, say("picamera2 sees {count}.", count=out.splitlines()[-1]))
    if code == 0:
        cure = say("Switch off, then check the ribbon cable at both ends. rpicam-hello --list-cameras must show it.")
        return Finding(say("camera"), Verdict.PROBLEM, say("picamera2 works, but sees no camera."), cure)
    return Finding(
        say("camera"), Verdict.PROBLEM, say("picamera2 cannot be loaded: {why}.", why=error), picamera_cure(error)
    )


def picamera_cure(error: str) -> str:
    """Return what helps against an import error of picamera2."""
    if "numpy.dtype size changed" in error or "_ARRAY_API" in error or "multiarray" in error:
        return say(
            "A library from apt was built for another numpy than the one in this environment. "
            "In it: pip install --force-reinstall 'simplejpeg>=1.8.2' 'numpy>=2'"
        )
    if "libcamera" in error:
        return say(
            "libcamera belongs to the system's own Python: sudo apt install python3-libcamera, and make the "
            "environment with it: /usr/bin/python3 -m venv --system-site-packages"
        )
    return say("On a Pi: sudo apt install python3-picamera2 --no-install-recommends; else set another camera.backend.")


def panel(settings: PanelConfig) -> Finding:
    if settings.driver == "off":
        return Finding(say("panel"), Verdict.OK, say("Switched off; the page has the same buttons."))
    if settings.driver == "mock":
        return Finding(
            say("panel"),
            Verdict.WARNING,
            say("The mock driver hears no real button."),
            say('Set panel.driver = "lgpio".'),
        )
    code, _, error = _child("import lgpio; lgpio.gpiochip_open")
    if code != 0:
        cure = say("sudo apt install python3-lgpio, in an environment made with --system-site-packages.")
        return Finding(say("panel"), Verdict.PROBLEM, say("lgpio cannot be loaded: {why}.", why=error), cure)
    chips = sorted(Path("/dev").glob("gpiochip*"))
    if not chips:
        return Finding(
            say("panel"), Verdict.PROBLEM, say("This machine has no GPIO pins."), say('Set panel.driver = "off".')
        )
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        cure = say("Add this user to the group gpio, then log in again.")
        return Finding(say("panel"), Verdict.PROBLEM, say("This user may not use {chip}.", chip=chips[0]), cure)
    return Finding(say("panel"), Verdict.OK, say("lgpio and the pins are there."))


def port(config: Config) -> Finding:
    running = running_table(config.home)
    listens = ports_of(running) if running else []
    if listens and config.web.port not in listens:
        said = say(
            "The table (process {running}) is at port {ports}, started so in the place of {port}, which the settings "
            "name.",
            running=running,
            ports=row(map(str, listens)),
            port=config.web.port,
        )
        return Finding(say("port"), Verdict.OK, said)
    try:
        try_to_listen(config.web.host, config.web.port)
    except OSError as error:
        return _taken(config, error, running)
    if running:
        said = say(
            "The table (process {running}) is at another port than {port}, which the settings name; at which, only its "
            "own user and root may see.",
            running=running,
            port=config.web.port,
        )
        return Finding(say("port"), Verdict.OK, said)
    return Finding(say("port"), Verdict.OK, say("{number} is free.", number=config.web.port))


def _taken(config: Config, error: OSError, running: str | None) -> Finding:
    if error.errno == errno.EADDRINUSE and running:
        return Finding(
            say("port"),
            Verdict.OK,
            say("{port} is in use, by the table itself (process {running}).", port=config.web.port, running=running),
        )
    cure = say("Stop the program that has it, or set web.port (and web.host) otherwise.")
    said = say(
        "{host}, port {port}, cannot be used: {why}.",
        host=config.web.host,
        port=config.web.port,
        why=error.strerror or error,
    )
    return Finding(say("port"), Verdict.PROBLEM, said, cure)


def running_table(home: Path) -> str | None:
    """Return the number of the process that has the folder, None when it is free."""
    import fcntl

    try:
        with (home / LOCK).open("r", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError:
                return file.read(20).strip() or "unknown"
    except (OSError, ValueError):
        pass  # no table was ever started here
    return None


def _seen_cameras() -> str:
    return ", ".join(str(path) for path in sorted(Path("/dev").glob("video*"))[:4])


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _child(code: str) -> tuple[int, str, str]:
    """Return exit status, output and the complaint's last line of code run apart, where a crash hurts nobody."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return 1, "", f"it did not answer within {PATIENCE:g} s"
    complaint = done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"]
    return done.returncode, done.stdout.strip(), complaint[-1].rstrip(".")
