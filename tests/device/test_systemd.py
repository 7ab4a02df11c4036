"""The files that put Jurado on a Pi: they fit each other, the settings, and the program."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from device.config import Config, PanelConfig, WebConfig, load_config
from device.lamp import Lamp
from device.power import ASKED, UNIT

HOUSE = Path(__file__).parents[2]
SYSTEMD = HOUSE / "systemd"
GUIDE = (HOUSE / "docs" / "raspberry-pi.md").read_text()


def unit() -> dict[str, dict[str, list[str]]]:
    """Return the unit's sections: each key with all its values, in order."""
    sections: dict[str, dict[str, list[str]]] = {}
    for line in (SYSTEMD / "jurado.service").read_text().splitlines():
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            section.setdefault(key, []).append(value)
    return sections


def test_the_unit_starts_the_program_that_install_puts_there() -> None:
    service = unit()["Service"]
    assert service["ExecStart"] == ["/opt/jurado/venv/bin/jurado serve"]
    script = (SYSTEMD / "install.sh").read_text()
    assert "PREFIX=/opt/jurado\n" in script
    assert "STATE=/var/lib/jurado\n" in script
    assert service["StateDirectory"] == ["jurado"]
    assert service["User"] == ["jurado"]


def test_the_unit_lets_the_table_see_camera_and_pins_and_be_watched() -> None:
    sections = unit()
    service = sections["Service"]
    assert service["Type"] == ["notify"]
    assert int(service["WatchdogSec"][0]) >= 30, "reading a large photograph takes a small Pi some seconds"
    assert service["SupplementaryGroups"] == ["video gpio"]
    assert "AF_NETLINK" in service["RestrictAddressFamilies"][0], "libcamera finds cameras through it"
    assert "GPIOZERO_PIN_FACTORY=lgpio" in service["Environment"]
    assert "LG_WD=%t/jurado" in service["Environment"]
    assert not {"PrivateDevices", "MemoryDenyWriteExecute", "DynamicUser"} & set(service)
    assert "network-online.target" not in sections["Unit"]["After"][0]


def test_systemd_understands_the_unit_where_there_is_a_systemd_to_ask(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        return
    text = (SYSTEMD / "jurado.service").read_text()
    for key, here in (("ExecStart", "/bin/true"), ("User", "root"), ("Group", "root")):
        text = re.sub(rf"(?m)^{key}=.*$", f"{key}={here}", text)
    path = tmp_path / "jurado.service"
    path.write_text(text.replace("SupplementaryGroups=video gpio", "SupplementaryGroups=root"))
    answer = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True)
    assert "jurado.service" not in answer.stderr, answer.stderr


def module_of(name: str) -> ModuleType:
    """Return a script that install.sh runs, as a module."""
    spec = importlib.util.spec_from_file_location(name, SYSTEMD / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("minor", "other"), [(11, 13), (13, 11)])
def test_wheels_are_fetched_for_the_python_of_the_pi_and_not_of_the_computer(minor: int, other: int) -> None:
    script = module_of("wheels")
    lock = (HOUSE / "requirements" / "table.txt").read_text()
    kept = script.for_python(lock, minor)
    assert " ; " not in "".join(line for line in kept.splitlines() if not line.startswith(" "))
    names = re.findall(r"(?m)^([\w.-]+)==", kept)
    assert len(names) == len(set(names)), "each library once"
    assert set(names) == set(re.findall(r"(?m)^([\w.-]+)==", lock)), "and all of them"
    assert kept != script.for_python(lock, other), "numpy differs"
    assert all(f"{name}==" in kept for name in ("numpy", "onnxruntime", "opencv-python-headless"))


def test_wheels_do_not_guess_at_a_condition_that_they_cannot_judge() -> None:
    with pytest.raises(ValueError, match="cannot judge"):
        module_of("wheels").for_python("this==1 ; sys_platform == 'linux' \\\n    --hash=sha256:00\n", 13)


def test_install_says_everything_that_can_be_asked_of_it() -> None:
    script = (SYSTEMD / "install.sh").read_text()
    head = script.partition("set -eu")[0]
    for option in ("--plan", "--wheels", "--yes", "uninstall", "--with-games"):
        assert option in head, option
        assert f"{option}" in GUIDE, option


def test_install_tells_how_it_is_used_and_does_nothing_then() -> None:
    told = subprocess.run(["sh", str(SYSTEMD / "install.sh"), "--help"], capture_output=True, text=True, check=True)
    for option in ("--plan", "--wheels", "--yes", "uninstall", "--with-games"):
        assert option in told.stdout, option


def test_switching_off_by_the_button_is_asked_for_where_it_is_listened_for() -> None:
    path = (SYSTEMD / "jurado-poweroff.path").read_text()
    assert f"PathExists=/run/jurado/{ASKED}\n" in path
    assert unit()["Service"]["RuntimeDirectory"] == ["jurado"]
    assert f"rm -f /run/jurado/{ASKED}\n" in (SYSTEMD / "jurado-poweroff.service").read_text()
    script = (SYSTEMD / "install.sh").read_text()
    assert f"POWEROFF={UNIT.with_suffix('')}\n" in script


def shown_at_the_end(tmp_path: Path, settings: str, verb: str = "poweroff") -> list[str]:
    """Return what the last thing at switching off asks of the pins, on a machine with these settings."""
    (tmp_path / "settings.toml").write_text(settings)
    (tmp_path / "pinctrl").write_text('#!/bin/sh\necho "$@" >> "$OUT"\n')
    (tmp_path / "sleep").write_text("#!/bin/sh\n")
    for name in ("pinctrl", "sleep"):
        (tmp_path / name).chmod(0o755)
    out = tmp_path / "out"
    out.write_text("")
    environment = {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "OUT": str(out),
        "JURADO_SETTINGS": str(tmp_path / "settings.toml"),
    }
    subprocess.run([SYSTEMD / "jurado-lamp.sh", verb], check=True, env=environment)
    return out.read_text().splitlines()


def test_the_last_thing_at_switching_off_is_three_flashes_of_the_lamp(tmp_path: Path) -> None:
    installed = (SYSTEMD / "settings.toml").read_text()
    assert shown_at_the_end(tmp_path, installed) == ["set 18 op dh", "set 18 op dl"] * 3
    assert shown_at_the_end(tmp_path, '[panel]\ndriver = "lgpio"\nlamp_pin = 5\n')[0] == "set 5 op dh"
    assert shown_at_the_end(tmp_path, '[panel]\ndriver = "lgpio"\nlamp_pin = "none"\n') == []
    assert shown_at_the_end(tmp_path, '[panel]\ndriver = "off"\n') == [], "the pins are somebody else's"
    assert shown_at_the_end(tmp_path, installed, "reboot") == []


def test_the_first_settings_are_valid_and_switch_camera_and_buttons_on() -> None:
    config = load_config(SYSTEMD / "settings.toml", at=Path("/nowhere"))
    assert config.camera.backend == "picamera"
    assert config.panel == PanelConfig(driver="lgpio")
    assert config.web == Config(Path("/nowhere")).web


def test_the_page_is_announced_on_the_port_where_it_is() -> None:
    announced = ElementTree.parse(SYSTEMD / "jurado.avahi.service").getroot()
    assert announced.findtext("service/port") == str(WebConfig().port)
    assert announced.findtext("service/type") == "_http._tcp"


def test_the_scripts_are_sound_shell() -> None:
    for script in SYSTEMD.glob("*.sh"):
        assert script.stat().st_mode & 0o111, "it can be started"
        subprocess.run(["sh", "-n", script], check=True)
        if shutil.which("shellcheck") is not None:
            answer = subprocess.run(["shellcheck", script], capture_output=True, text=True)
            assert answer.returncode == 0, answer.stdout


def test_the_guide_names_the_pins_that_the_settings_have() -> None:
    pins = PanelConfig()
    places = {17: 11, 27: 13, 22: 15, 18: 12}
    drawing = (HOUSE / "docs" / "pictures" / "wiring.svg").read_text()
    ElementTree.fromstring(drawing)
    for name, pin in (
        ("capture", pins.capture_pin),
        ("confirm", pins.confirm_pin),
        ("undo", pins.undo_pin),
        ("lamp, through 330 Ω", pins.lamp_pin),
    ):
        assert pin is not None
        assert f"| {name} | {pin} | {places[pin]} |" in GUIDE
        assert f"BCM {pin}<" in drawing or name.startswith("lamp")


def test_the_guide_tells_every_state_of_the_lamp() -> None:
    table = GUIDE.split("| the lamp means |")[1].split("\n\n")[0]
    assert table.count("\n|") - 1 == len(Lamp)


def test_each_of_the_25_pitfalls_is_handled_or_named_as_not_applying() -> None:
    rows = re.findall(r"^\| (\d+) \| .+ \| (.+) \| (.+) \|$", (HOUSE / "docs" / "platform.md").read_text(), re.M)
    assert [int(number) for number, _, _ in rows] == list(range(1, 26))
    for number, where, tried in rows:
        assert set(re.findall(r"\w+(?: \w+)*", tried)) <= {"test", "lab", "Pi", "does not apply"}, number
        for path in re.findall(r"`([\w./]+/[\w./]+)`", where):
            assert (HOUSE / path).exists(), f"{number}: {path}"


def test_the_guide_quotes_what_the_program_says() -> None:
    said = {
        "is not there": "device/camera/picamera.py",
        "is in use by another program": "device/camera/picamera.py",
        "has stopped answering for good": "device/camera/watched.py",
        "The Pi camera's library does not fit this numpy": "device/camera/picamera.py",
        "may not be opened by this user": "device/camera/usb.py",
        "The buttons cannot be used": "device/panel.py",
        "The disk is full": "engine/journal.py",
    }
    for sentence, file in said.items():
        assert sentence in GUIDE
        assert sentence in (HOUSE / file).read_text(), f"{file} no longer says “{sentence}”"


@pytest.fixture
def new_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, Path]]:
    """Return `up.py` beside a table that says it is ready, and the file of how often systemd started that anew."""

    class Ready(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = b'{"model": {"state": "ready"}}'
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None: ...

    restarts, systemctl = tmp_path / "restarts", tmp_path / "systemctl"
    restarts.write_text("0\n")
    systemctl.write_text(f"#!/bin/sh\ncat {restarts}\n")
    systemctl.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("JURADO_HOME", str(tmp_path))
    up = module_of("up")
    with ThreadingHTTPServer(("127.0.0.1", 0), Ready) as server:
        (tmp_path / "settings.toml").write_text(f'[web]\nhost = "127.0.0.1"\nport = {server.server_port}\n')
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield up, restarts
        server.shutdown()


def test_a_release_that_is_ready_and_goes_on_has_come_up(
    new_release: tuple[ModuleType, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    up, _ = new_release
    monkeypatch.setattr(up, "GOES_ON", 1.5)
    assert up.main() == 0


def test_a_release_that_ends_soon_after_it_is_ready_has_not(new_release: tuple[ModuleType, Path]) -> None:
    up, restarts = new_release
    threading.Timer(1.5, restarts.write_text, ["1\n"]).start()
    assert up.main() == 1


def test_an_answer_that_breaks_off_is_none(new_release: tuple[ModuleType, Path]) -> None:
    up, _ = new_release
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def breaks_off() -> None:
            one, _ = listener.accept()
            with one:
                one.recv(4096)
                one.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 668\r\n\r\n{"model"')

        threading.Thread(target=breaks_off, daemon=True).start()
        assert up.health("127.0.0.1", listener.getsockname()[1]) is None
