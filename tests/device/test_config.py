"""The settings file: defaults, what it may hold, what is said about mistakes, and that all of it is documented."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from device.config import SECTIONS, Config, ConfigError, home, load_config

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "settings.md"
ALL = [(section, one) for section, kind in SECTIONS.items() for one in fields(kind)]


def written(folder: Path, text: str) -> Path:
    file = folder / "settings.toml"
    file.write_text(text, encoding="utf-8")
    return file


def as_toml(value: Any) -> str:
    if value is None:
        return '"none"'
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def test_the_folder_is_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JURADO_HOME", str(tmp_path))
    assert home() == tmp_path
    monkeypatch.delenv("JURADO_HOME")
    assert home().name == "jurado"


def test_without_a_file_all_is_default(tmp_path: Path) -> None:
    assert load_config(at=tmp_path) == Config(tmp_path)


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    written(
        tmp_path,
        '[web]\nport = 9000\nhosts = ["Table.Example.org"]\n[panel]\nundo_pin = "none"\nhold_s = 2\n[camera]\n',
    )
    config = load_config(at=tmp_path)
    assert (config.web.port, config.web.hosts) == (9000, ("table.example.org",))
    assert (config.panel.undo_pin, config.panel.hold_s, config.panel.capture_pin) == (None, 2.0, 17)
    assert config.camera == Config(tmp_path).camera


def test_a_file_named_by_hand_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"elsewhere\.toml cannot be read"):
        load_config(tmp_path / "elsewhere.toml", at=tmp_path)


def test_every_default_is_allowed_by_its_own_rule(tmp_path: Path) -> None:
    for section, one in ALL:
        file = written(tmp_path, f"[{section}]\n{one.name} = {as_toml(one.default)}\n")
        assert load_config(file, at=tmp_path) == Config(tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[web]\nprot = 1", r"no setting web\.prot\. In \[web\] are host, port"),
        ("[wep]\nport = 1", r"no section \[wep\]\. The sections are web, camera"),
        ("web = 3", r"web must be a section"),
        ("[web]\nport = 70000", r"web\.port is 70000, but must be a whole number from 1 to 65535"),
        ('[web]\nport = "80"', r"web\.port is '80'"),
        ("[web]\nport = true", r"web\.port is True"),
        ("[web]\ntrust_loopback = 1", r"must be true or false"),
        ('[web]\njoin_code = "a b"', r"4 to 12 letters and digits"),
        ('[web]\nhosts = "one"', r"a list of names"),
        ('[camera]\nbackend = "webcam"', r'must be one of "none", "picamera", "usb", "folder", "rendered"'),
        ("[camera]\ntimeout_s = 99", r"a number from 0.5 to 30"),
        ("[panel]\ncapture_pin = 40", r"a BCM pin number from 0 to 27"),
        ("[web\nport", r"is not valid TOML"),
        ("a = " + "[" * 100_000, r"is not valid TOML"),
    ],
)
def test_a_mistake_is_said_with_its_file_its_setting_and_what_is_allowed(tmp_path: Path, text: str, said: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(ConfigError, match=said) as refused:
        load_config(at=tmp_path)
    assert str(file) in str(refused.value)


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not valid TOML"):
        load_config(at=tmp_path)


def test_every_setting_is_documented_with_its_default_and_what_is_allowed() -> None:
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    for section, one in ALL:
        allowed, doc = one.metadata["rule"].words, one.metadata["doc"]
        assert f"| `{section}.{one.name}` | `{as_toml(one.default)}` | {allowed} | {doc} |" in lines


def test_nothing_is_documented_that_is_no_setting() -> None:
    documented = re.findall(r"^\| `(\w+\.\w+)` \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert documented == [f"{section}.{one.name}" for section, one in ALL]


def test_every_setting_is_used_outside_the_settings_themselves() -> None:
    room = DOCUMENT.parents[1] / "device"
    used = "".join(file.read_text(encoding="utf-8") for file in room.rglob("*.py") if file.name != "config.py")
    unused = [f"{section}.{one.name}" for section, one in ALL if not re.search(rf"\.{one.name}\b", used)]
    assert unused == []


def test_the_settings_that_are_installed_on_a_pi_are_allowed(tmp_path: Path) -> None:
    config = load_config(DOCUMENT.parents[1] / "systemd" / "settings.toml", at=tmp_path)
    assert config.camera.backend == "picamera"
    assert config.panel.driver == "lgpio"
