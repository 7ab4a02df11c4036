"""The doctor's findings, each with what to do; on this machine, and on others as they have been seen to fail."""

from __future__ import annotations

import hashlib
import json
import socket
from pathlib import Path

import pytest

from device import doctor
from device.config import CameraConfig, Config, PanelConfig, WebConfig
from device.doctor import Verdict
from engine.journal import Journal


def opened(config: Config) -> Journal:
    return Journal(config.journal, now=lambda: "now")


def test_it_looks_at_everything_and_changes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    findings = list(doctor.examine(home))
    about = [finding.about for finding in findings]
    for wanted in (
        "machine",
        "python",
        "settings",
        "onnxruntime",
        "opencv",
        "disk",
        "journal",
        "camera",
        "panel",
        "port",
    ):
        assert wanted in about
    assert any(name.startswith("model") for name in about)
    assert all(finding.cure for finding in findings if finding.verdict is Verdict.PROBLEM)
    assert not home.exists()


def test_a_wrong_settings_file_is_a_finding_and_the_rest_is_still_looked_at(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[web]\nport = 0\n")
    findings = {finding.about: finding for finding in doctor.examine(tmp_path)}
    assert findings["settings"].verdict is Verdict.PROBLEM
    assert "web.port is 0" in findings["settings"].message
    assert "disk" in findings


def test_a_32_bit_system_is_told_what_to_install() -> None:
    finding = doctor.machine("armv7l", False)
    assert finding.verdict is Verdict.PROBLEM
    assert "64-bit" in finding.cure
    assert doctor.machine("aarch64", True).verdict is Verdict.OK


def test_an_unknown_python_is_a_problem() -> None:
    assert doctor.python((3, 9)).verdict is Verdict.PROBLEM
    assert doctor.python((3, 13)).verdict is Verdict.OK


def test_a_library_that_crashes_hurts_only_its_own_process(monkeypatch: pytest.MonkeyPatch) -> None:
    crash = "import os, signal; os.kill(os.getpid(), signal.SIGILL)"
    real = doctor._child
    monkeypatch.setattr(doctor, "_child", lambda _: real(crash))
    finding = doctor.onnxruntime()
    assert "illegal instruction" in finding.message
    assert "onnxruntime>=1.22" in finding.cure


@pytest.mark.parametrize(
    ("error", "cure"),
    [
        ("ValueError: numpy.dtype size changed, may indicate binary incompatibility", "simplejpeg"),
        ("ModuleNotFoundError: No module named 'libcamera'", "--system-site-packages"),
        ("ModuleNotFoundError: No module named 'picamera2'", "python3-picamera2"),
    ],
)
def test_picamera_troubles_have_their_known_cures(error: str, cure: str) -> None:
    assert cure in doctor.picamera_cure(error)


def test_models_are_held_against_their_cards(tmp_path: Path) -> None:
    assert [finding.verdict for finding in doctor.models(tmp_path)] == [Verdict.PROBLEM]
    for name, content in (("good", b"right"), ("bad", b"changed"), ("gone", None), ("odd", b"x")):
        if content is not None:
            (tmp_path / f"{name}.onnx").write_bytes(content)
        card = {"sha256": hashlib.sha256(b"right").hexdigest()} if name != "odd" else []
        (tmp_path / f"{name}.json").write_text(json.dumps(card))
    found = {finding.about: finding.verdict for finding in doctor.models(tmp_path)}
    assert found == {
        "model bad": Verdict.PROBLEM,
        "model gone": Verdict.PROBLEM,
        "model good": Verdict.OK,
        "model odd": Verdict.PROBLEM,
    }


def test_a_full_disk_is_seen_before_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.disk(tmp_path / "new").verdict in (Verdict.OK, Verdict.WARNING)
    usage = type("Usage", (), {"free": 10_000_000})
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: usage)
    assert doctor.disk(tmp_path).verdict is Verdict.PROBLEM
    usage.free = 200_000_000
    assert doctor.disk(tmp_path).verdict is Verdict.WARNING


def test_a_folder_that_is_a_file_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert doctor.disk(tmp_path / "file" / "home").verdict is Verdict.PROBLEM


def test_the_journal_is_read_and_a_running_table_named(tmp_path: Path) -> None:
    config = Config(tmp_path)
    assert "none yet" in doctor.journal(config).message
    with opened(config) as journal:
        journal.append("note", {})
        assert "using it now" in doctor.journal(config).message
    assert doctor.journal(config).message == "1 events."
    config.journal.write_bytes(b"damage " * 1000)
    assert doctor.journal(config).verdict is Verdict.PROBLEM
    opened(config).close()
    assert "moved aside" in doctor.journal(config).message


def test_the_camera_is_looked_for_as_the_settings_ask(tmp_path: Path) -> None:
    assert doctor.camera(CameraConfig(backend="rendered")).verdict is Verdict.OK
    assert doctor.camera(CameraConfig(backend="folder", folder=str(tmp_path))).verdict is Verdict.PROBLEM
    (tmp_path / "a.jpg").write_bytes(b"")
    assert doctor.camera(CameraConfig(backend="folder", folder=str(tmp_path))).verdict is Verdict.OK
    finding = doctor.camera(CameraConfig(backend="usb", device="/dev/video-none"))
    assert "no camera at /dev/video-none" in finding.message


def test_the_panel_is_looked_for_as_the_settings_ask() -> None:
    assert doctor.panel(PanelConfig(driver="off")).verdict is Verdict.OK
    assert doctor.panel(PanelConfig(driver="mock")).verdict is Verdict.WARNING


def test_a_taken_port_is_a_problem_unless_the_table_itself_has_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        config = Config(tmp_path, web=WebConfig(host="127.0.0.1", port=other.getsockname()[1]))
        assert doctor.port(config).verdict is Verdict.PROBLEM
        with opened(config):
            assert doctor.port(config).verdict is Verdict.OK
    assert doctor.port(config).verdict is Verdict.OK
