"""The commands that keep a table going: backups and back, the camera's set-up, the sheet of markers, a hotspot."""

from __future__ import annotations

import io
import secrets
import shlex
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from device.usage import (
    Command,
    Failure,
    fail,
    home_option,
    language_option,
    print_json,
    put,
    spoken,
    unused,
    unwritable,
)
from engine.game import GameError, InvalidInput
from engine.words import quoted, say, say_many, told

HOTSPOT_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of a made-up password that are not taken for one another."""


@click.command(cls=Command)
@click.option("--photos", is_flag=True, help="The photographs as well.")
@home_option
@language_option
@click.argument("file", required=False, type=click.Path(path_type=Path))
def backup(file: Path | None, photos: bool, home: Path | None) -> None:
    """Write games, settings, taught dice and cameras into one file, also while the table is played."""
    from device.backup import back_up
    from device.config import home as usual_home

    target = unused(file or Path(f"jurado-{datetime.now():%Y-%m-%d-%H%M}.zip"))
    try:
        events = back_up(home or usual_home(), target, photos=photos)
    except GameError as error:
        raise Failure(error.message) from error
    put(
        told(
            say_many("{file}: {count} event.", "{file}: {count} events.", events, file=target),
            spoken(),
        )
    )


@click.command(cls=Command)
@home_option
@language_option
@click.argument("file", type=click.Path(path_type=Path))
def restore(file: Path, home: Path | None) -> None:
    """Put a backup back. What is there is moved aside, never overwritten; a table that runs is left alone."""
    from device import backup as backups
    from device.config import home as usual_home

    folder = home or usual_home()
    try:
        events, aside = backups.restore(folder, file)
    except GameError as error:
        raise Failure(error.message) from error
    said = say_many("{count} event is back in {folder}.", "{count} events are back in {folder}.", events, folder=folder)
    put(told(said, spoken()))
    if aside is not None:
        put(told(say("What was there is in {folder}.", folder=aside), spoken()))


@click.command(cls=Command)
@language_option
@click.argument("file", type=click.Path(path_type=Path))
def markers(file: Path) -> None:
    """Write the sheet of markers for the camera into FILE, a PDF or a PNG by its name."""
    from device.markers import sheet_pdf, sheet_png

    if file.suffix.lower() not in (".pdf", ".png"):
        raise Failure(say("{file} is neither a .pdf nor a .png. Name it so, and it is made so.", file=file))
    unused(file)
    try:
        file.write_bytes(sheet_pdf() if file.suffix.lower() == ".pdf" else sheet_png())
    except OSError as error:
        raise Failure(unwritable(file, error)) from error
    put(told(say("{file}: print it at 100 %, not fitted to the page.", file=file), spoken()))


@click.command(cls=Command)
@click.option(
    "--corners",
    help="With frame: the tray's corners as shares of the picture, clockwise, such as "
    '"0.1,0.1 0.9,0.1 0.9,0.9 0.1,0.9".',
)
@click.option("--size", help="With frame: the tray's sides in mm, such as 300x200.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@home_option
@language_option
@click.argument(
    "step",
    required=False,
    metavar="[STEP]",
    type=click.Choice(["frame", "markers", "empty", "focus", "white", "dice", "forget"]),
)
def calibrate(step: str | None, corners: str | None, size: str | None, as_json: bool, home: Path | None) -> None:
    """Do one STEP of the camera's set-up, or show what is known. A running table has a page for that."""
    from device.config import ConfigError, load_config
    from device.doctor import running_table

    try:
        config = load_config(at=home)
    except ConfigError as error:
        raise Failure(error.args[0]) from error
    try:
        given = _given(step, corners, size)
    except GameError as error:
        fail(error, as_json)
    if running_table(config.home):
        raise Failure(
            say(
                "The table is running and has the camera. Use its page “Camera”, or stop it first. Nothing was changed."
            )
        )
    try:
        known = _calibrated(config, step, given)
    except GameError as error:
        fail(error, as_json)
    if as_json:
        print_json(told(known, spoken()))
        return
    put(f"{told(known['camera'], spoken())}")
    for name, one in known["done"].items():
        when = datetime.fromisoformat(one["at"]).astimezone().strftime("%Y-%m-%d %H:%M")
        put(f"  {name:<8} {when}")
    if not known["done"]:
        put("  " + told(say("Nothing was set up yet. Begin with: jurado calibrate frame, or markers."), spoken()))


def _calibrated(config: Any, step: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """Do a step with the camera that the settings name, and return what is known then."""
    from device.calibration import Calibrations
    from device.calibrator import Calibrator
    from device.camera.base import CameraError, setting_up
    from device.camera.choice import NoCamera, camera_for
    from device.loading import LoadingReader
    from device.service import now, reader_maker

    calibrations = Calibrations(config.home)
    camera = camera_for(config.camera, lambda: None, lambda identity: calibrations.of(identity).controls)
    if isinstance(camera, NoCamera):
        message = say(
            "This table has no camera to set up. Nothing was changed. Name one in the settings: camera.backend."
        )
        raise GameError("no_camera", message)
    reader = LoadingReader(reader_maker(config.reader.threads))
    calibrator = Calibrator(calibrations, camera, reader, now=now, patience=max(config.camera.timeout_s, 10.0))
    try:
        camera.open()
        if step == "dice":
            reader.start()
        # Which camera it is, is known once it is open; the first picture waits for that.
        with setting_up():
            camera.capture(0.0, timeout=20.0)
        return calibrator.as_json() if step is None else calibrator.do(step, given)
    except CameraError as error:
        raise GameError(error.code, error.message) from error
    finally:
        camera.close()


def _given(step: str | None, corners: str | None, size: str | None) -> dict[str, Any]:
    """Return what the words say of the tray. Raises `InvalidInput`, before a camera is looked for."""
    from device.calibrator import checked_frame

    given = {
        "corners": None if corners is None else [_pair(part, ",", "corners") for part in corners.split()],
        "size": None if size is None else _pair(size.lower(), "x", "size"),
    }
    if step == "frame":
        checked_frame(given["corners"], given["size"])
    elif corners is not None or size is not None:
        message = say("--corners and --size go with the step “frame” alone. Nothing was changed. Leave them out.")
        raise InvalidInput("bad_options", message, "corners" if corners is not None else "size")
    return given


def _pair(text: str, between: str, option: str) -> list[float]:
    """Return the two numbers in `text`. Raises `InvalidInput`, which quotes it."""
    try:
        first, second = map(float, text.split(between))
    except ValueError:
        example = {"corners": "0.1,0.9", "size": "300x200"}[option]
        message = say(
            "{given} in --{option} is not two numbers, such as {example}. Nothing was changed. Correct it.",
            given=quoted(text),
            option=option,
            example=example,
        )
        raise InvalidInput(f"bad_{option}", message, option) from None
    return [first, second]


@click.command(cls=Command)
@click.option("--name", default="Jurado", help="Name of the network.")
@click.option("--password", help="Its password, 8 to 63 characters; without it one is made up.")
@click.option("--country", default="BR", help="Where the radio is used, two letters; its law says on which channels.")
@click.option("--port", default=8080, type=click.IntRange(1, 65535), help="Port of the page.")
@language_option
def hotspot(name: str, password: str | None, country: str, port: int) -> None:
    """Say how this machine makes a Wi-Fi of its own, with two QR codes: into the network, and to the page."""
    import segno
    from segno.helpers import make_wifi

    password = password or "".join(secrets.choice(HOTSPOT_LETTERS) for _ in range(12))
    if not 8 <= len(password) <= 63 or not password.isascii():
        raise Failure(say("A Wi-Fi password has 8 to 63 plain letters, digits and signs. Nothing was changed."))
    if not 1 <= len(name.encode()) <= 32:
        raise Failure(say("A network’s name has 1 to 32 letters. Nothing was changed."))
    if len(country) != 2 or not country.isalpha():
        raise Failure(say("A country is two letters, such as BR or DE. Nothing was changed."))
    ssid, secret = shlex.quote(name), shlex.quote(password)
    put(told(say("Do this once; the Pi leaves its other Wi-Fi while the hotspot is on:"), spoken()))
    for line in (
        f"sudo raspi-config nonint do_wifi_country {country.upper()}",
        " ".join(
            (
                f"sudo nmcli connection add type wifi ifname wlan0 con-name jurado-hotspot ssid {ssid}",
                "autoconnect no 802-11-wireless.mode ap 802-11-wireless.band bg ipv4.method shared",
                f"wifi-sec.key-mgmt wpa-psk wifi-sec.proto rsn wifi-sec.pairwise ccmp wifi-sec.psk {secret}",
            )
        ),
        "sudo nmcli connection up jurado-hotspot",
    ):
        put(f"  {line}")
    put(
        told(say("Back into the other Wi-Fi: {command}", command="sudo nmcli connection down jurado-hotspot"), spoken())
    )
    address = f"http://10.42.0.1{'' if port == 80 else f':{port}'}"
    for title, code in (
        (
            say("1. Into the network {name} (password {password}):", name=name, password=password),
            make_wifi(ssid=name, password=password, security="WPA"),
        ),
        (say("2. To the page {address}:", address=address), segno.make(address, error="l")),
    ):
        put()
        put(told(title, spoken()))
        picture = io.StringIO()
        code.terminal(picture, border=2, compact=True)
        try:
            put(picture.getvalue())
        except UnicodeEncodeError:
            put(told(say("(This terminal cannot show the QR code.)"), spoken()))
