"""The settings of a table: one TOML file, every setting with a default and a line that explains it."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NoReturn

from engine.words import LANGUAGES, row, say

FILE_NAME = "settings.toml"


class ConfigError(ValueError):
    """A settings file that cannot be used; the message names the file, the setting, and what is allowed."""


def home() -> Path:
    """Return the folder that holds all of a table's state: `JURADO_HOME`, else the platform's own place."""
    named = os.environ.get("JURADO_HOME")
    if named and named.strip():
        return Path(named).expanduser()
    import platformdirs

    return platformdirs.user_data_path("jurado")


@dataclass(frozen=True, slots=True)
class Rule:
    """What a setting may be: `words` for people, and `check`, which returns the value to use or raises `ValueError`."""

    words: str
    check: Callable[[Any], Any]


def _refuse(value: Any) -> NoReturn:
    raise ValueError(value)


def whole(least: int, most: int) -> Rule:
    def check(value: Any) -> int:
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return int(value) if fits else _refuse(value)

    return Rule(say("a whole number from {least} to {most}", least=least, most=most), check)


def number(least: float, most: float) -> Rule:
    def check(value: Any) -> float:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        return float(value) if fits else _refuse(value)

    return Rule(say("a number from {least} to {most}", least=f"{least:g}", most=f"{most:g}"), check)


def one_of(*names: str) -> Rule:
    def check(value: Any) -> str:
        return value if isinstance(value, str) and value in names else _refuse(value)

    return Rule(say("one of {known}", known=row(f'"{name}"' for name in names)), check)


def either(*numbers: int) -> Rule:
    def check(value: Any) -> int:
        return value if isinstance(value, int) and value in numbers else _refuse(value)

    return Rule(say("{some} or {last}", some=row(map(str, numbers[:-1])), last=numbers[-1]), check)


def matching(words: str, fits: Callable[[str], bool]) -> Rule:
    def check(value: Any) -> str:
        return value if isinstance(value, str) and fits(value) else _refuse(value)

    return Rule(words, check)


def flag() -> Rule:
    return Rule(say("true or false"), lambda value: value if isinstance(value, bool) else _refuse(value))


def pin() -> Rule:
    numbered = whole(0, 27)
    return Rule(
        say('a BCM pin number from 0 to 27, or "none"'),
        lambda value: None if value == "none" else numbered.check(value),
    )


def names() -> Rule:
    def check(value: Any) -> tuple[str, ...]:
        fits = isinstance(value, list) and all(isinstance(name, str) and name.strip() for name in value)
        return tuple(name.strip().lower() for name in value) if fits else _refuse(value)

    return Rule(say('a list of names such as ["jurado.example.org"]'), check)


def setting(default: Any, rule: Rule, doc: str) -> Any:
    """Return a dataclass field for one setting."""
    return field(default=default, metadata={"rule": rule, "doc": doc})


def _is_join_code(text: str) -> bool:
    return text == "" or (4 <= len(text) <= 12 and text.isascii() and text.isalnum())


@dataclass(frozen=True, slots=True)
class WebConfig:
    """The page that phones open."""

    host: str = setting(
        "0.0.0.0",
        matching(say("an address of this machine"), bool),
        "Address to listen on; 127.0.0.1 shuts phones out.",
    )
    port: int = setting(8080, whole(1, 65535), "Port of the page; below 1024 needs more rights.")
    join_code: str = setting(
        "",
        matching(say("4 to 12 letters and digits, or empty"), _is_join_code),
        "Code that phones join with; empty: made at the first start, and changed on the page.",
    )
    trust_loopback: bool = setting(True, flag(), "Whether this machine itself may play without the code.")
    hosts: tuple[str, ...] = setting(
        (), names(), "Further host names that the page answers to, beside addresses, localhost and *.local."
    )
    live_clients: int = setting(12, whole(1, 64), "Most phones with a live stream at once; the others ask by and by.")
    upload_mb: int = setting(25, whole(1, 200), "Megabytes of the largest photograph that a phone may send.")
    language: str = setting("en", one_of(*LANGUAGES), "Language that the rules and the pages speak in.")


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """The camera over the table."""

    backend: str = setting(
        "none",
        one_of("none", "picamera", "usb", "folder", "rendered"),
        "Which camera: the Pi's own, a USB one, a folder of pictures, rendered dice, or none.",
    )
    device: str = setting(
        "0",
        matching(say('a number such as "0", or a path such as "/dev/video0"'), bool),
        "Which of several cameras, for picamera (its number) and usb (its number or path).",
    )
    folder: str = setting("", matching(say("a path"), lambda _: True), "The pictures that the folder camera shows.")
    width: int = setting(2304, whole(320, 8192), "Pixels of a photograph from left to right.")
    height: int = setting(
        1296, whole(240, 8192), "Pixels of a photograph from top to bottom; a Pi camera keeps to its sensor's shape."
    )
    timeout_s: float = setting(3.0, number(0.5, 30), "Seconds after which a camera that does not answer is given up.")
    frames: int = setting(3, whole(1, 8), "Photographs of a press; those after the first help where a die is doubtful.")
    rest_s: float = setting(
        4.0, number(0, 30), "Most seconds that a press waits for rolling dice to come to rest; 0: it does not wait."
    )
    mains_hz: int = setting(50, either(50, 60), "Frequency of the mains, with which lamps flicker.")


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """The buttons and the lamp."""

    driver: str = setting(
        "off", one_of("off", "lgpio", "mock"), "What drives the pins: lgpio on a Pi, mock for trying out, or off."
    )
    capture_pin: int | None = setting(17, pin(), "Pin of the button that photographs.")
    confirm_pin: int | None = setting(27, pin(), "Pin of the button that confirms.")
    undo_pin: int | None = setting(22, pin(), "Pin of the button that discards or undoes.")
    lamp_pin: int | None = setting(18, pin(), "Pin of the lamp, or of the red part of one with three colours.")
    green_pin: int | None = setting(None, pin(), "Pin of the lamp's green part.")
    blue_pin: int | None = setting(None, pin(), "Pin of the lamp's blue part.")
    buzzer_pin: int | None = setting(None, pin(), "Pin of a buzzer that sounds by itself when it is switched on.")
    one_button: bool = setting(
        False, flag(), "The capture button does all: short photographs, short again confirms, long discards."
    )
    hold_s: float = setting(1.0, number(0.3, 10), "Seconds after which a press is a long one.")
    power_off_s: float = setting(
        5.0, number(0, 30), "Seconds after which holding undo (or the one button) switches the machine off; 0: never."
    )


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """The reading of photographs."""

    threads: int = setting(2, whole(1, 16), "Threads that read one photograph; leave one core to the camera.")
    teach_corrections: bool = setting(
        False, flag(), "Whether rolls teach the table's own dice: what was put right, and faces hardly known yet."
    )


@dataclass(frozen=True, slots=True)
class PhotosConfig:
    """The photographs that are kept."""

    megabytes: int = setting(200, whole(5, 100_000), "Space for photographs; the oldest make room for new ones.")


@dataclass(frozen=True, slots=True)
class BackupConfig:
    """The copies of the games."""

    keep: int = setting(5, whole(1, 100), "Copies that are kept; one is made at the end of each game.")
    also_in: str = setting(
        "",
        matching(say("a path, or empty"), lambda _: True),
        "A folder elsewhere, such as a USB stick's, for a copy more.",
    )


@dataclass(frozen=True, slots=True)
class LogConfig:
    """What is written down of the table's own doings, for whoever looks for a fault."""

    megabytes: int = setting(3, whole(1, 1000), "Space for the log; the oldest lines make room for new ones.")


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, and the folder of the table's state."""

    home: Path
    web: WebConfig = WebConfig()
    camera: CameraConfig = CameraConfig()
    panel: PanelConfig = PanelConfig()
    reader: ReaderConfig = ReaderConfig()
    photos: PhotosConfig = PhotosConfig()
    log: LogConfig = LogConfig()
    backup: BackupConfig = BackupConfig()

    @property
    def journal(self) -> Path:
        """The file that holds the games."""
        return self.home / "journal.sqlite3"


SECTIONS: Mapping[str, type] = {
    "web": WebConfig,
    "camera": CameraConfig,
    "panel": PanelConfig,
    "reader": ReaderConfig,
    "photos": PhotosConfig,
    "log": LogConfig,
    "backup": BackupConfig,
}


def load_config(path: Path | None = None, *, at: Path | None = None) -> Config:
    """Return the settings of the file `path`, else of `settings.toml` in `at` (else `home()`) where it exists.

    Raises `ConfigError` naming the file, the setting and what is allowed.
    """
    folder = home() if at is None else at
    file = folder / FILE_NAME if path is None else path
    if path is None and not file.exists():
        return Config(folder)
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            say("The settings file {file} cannot be read ({why}). Nothing was started.", file=file, why=error.strerror)
        ) from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            say(
                "The settings file {file} is not valid TOML: {why}. Nothing was done. Correct it, or move it away.",
                file=file,
                why=error,
            )
        ) from error
    sections = {}
    for name, content in document.items():
        if name not in SECTIONS:
            raise ConfigError(
                say(
                    "{file}: there is no section [{name}]. The sections are {known}.",
                    file=file,
                    name=name,
                    known=row(SECTIONS),
                )
            )
        sections[name] = _section(file, name, content)
    return Config(folder, **sections)


def _section(file: Path, section: str, content: Any) -> Any:
    kind = SECTIONS[section]
    known = {one.name: one.metadata["rule"] for one in fields(kind)}
    if not isinstance(content, dict):
        raise ConfigError(
            say(
                "{file}: {section} must be a section: [{section}], then one line for each setting.",
                file=file,
                section=section,
            )
        )
    values = {}
    for key, value in content.items():
        if key not in known:
            raise ConfigError(
                say(
                    "{file}: there is no setting {section}.{key}. In [{section}] are {known}.",
                    file=file,
                    section=section,
                    key=key,
                    known=row(known),
                )
            )
        rule = known[key]
        try:
            values[key] = rule.check(value)
        except ValueError:
            raise ConfigError(
                say(
                    "{file}: {section}.{key} is {value}, but must be {allowed}.",
                    file=file,
                    section=section,
                    key=key,
                    value=repr(value),
                    allowed=rule.words,
                )
            ) from None
    return kind(**values)
