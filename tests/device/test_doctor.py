"""The doctor's findings, each with what to do; on this machine, and on others as they have been seen to fail."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import socket
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from device import checkup, doctor
from device.config import BackupConfig, CameraConfig, Config, PanelConfig, WebConfig
from device.diagnosis import Diagnosis
from device.finding import Finding, Verdict
from engine.journal import Journal
from engine.table import Table


def opened(config: Config) -> Journal:
    return Journal(config.journal, now=lambda: "now")


def asking(home: Path, **camera: str) -> Config:
    return replace(Config(home), camera=CameraConfig(**camera))  # type: ignore[arg-type]


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
        "memory",
        "power",
        "clock",
        "network",
        "service",
        "set-up of the camera",
        "backups",
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


def test_the_libraries_of_this_machine_load_and_tell_their_versions() -> None:
    for finding in (doctor.onnxruntime(), doctor.opencv()):
        assert finding.verdict is Verdict.OK, finding
        assert finding.message[0].isdigit()


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
    assert doctor.journal(config).message == "1 event."
    config.journal.write_bytes(b"damage " * 1000)
    assert doctor.journal(config).verdict is Verdict.PROBLEM
    opened(config).close()
    assert "moved aside" in doctor.journal(config).message


def test_the_camera_is_looked_for_as_the_settings_ask(tmp_path: Path) -> None:
    assert doctor.camera(asking(tmp_path, backend="rendered")).verdict is Verdict.OK
    assert doctor.camera(asking(tmp_path, backend="folder", folder=str(tmp_path))).verdict is Verdict.PROBLEM
    (tmp_path / "a.jpg").write_bytes(b"")
    assert doctor.camera(asking(tmp_path, backend="folder", folder=str(tmp_path))).verdict is Verdict.OK
    finding = doctor.camera(asking(tmp_path, backend="usb", device="/dev/video-none"))
    assert "no camera at /dev/video-none" in finding.message
    film = tmp_path / "film"
    film.write_bytes(b"")
    assert doctor.camera(asking(tmp_path, backend="usb", device=str(film))).verdict is Verdict.OK


def test_who_has_the_camera_is_named(tmp_path: Path) -> None:
    film = tmp_path / "film"
    film.write_bytes(b"")
    script = "import sys; f = open(sys.argv[1], 'rb'); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(film)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        finding = doctor.camera(asking(tmp_path, backend="usb", device=str(film)))
        assert finding.verdict is Verdict.PROBLEM
        assert f"process {other.pid}" in finding.message
        (tmp_path / "jurado.lock").write_text(str(other.pid))
        with opened(Config(tmp_path)):
            (tmp_path / "jurado.lock").write_text(str(other.pid))
            assert doctor.camera(asking(tmp_path, backend="usb", device=str(film))).verdict is Verdict.OK, "the table"
        assert other.stdin is not None
        other.stdin.close()


# The Pi itself


def test_little_memory_asks_for_smaller_pictures(tmp_path: Path) -> None:
    file = tmp_path / "meminfo"
    file.write_text("MemTotal:         432956 kB\nMemFree: 1 kB\n")
    small = checkup.memory(file, CameraConfig(backend="picamera"))
    assert small.verdict is Verdict.WARNING
    assert "camera.width = 1536" in small.cure
    assert checkup.memory(file, CameraConfig(backend="picamera", width=1536)).verdict is Verdict.OK
    file.write_text("MemTotal:        3884956 kB\n")
    assert checkup.memory(file, CameraConfig(backend="picamera")).verdict is Verdict.OK
    assert checkup.memory(tmp_path / "none", CameraConfig()).verdict is Verdict.OK


@pytest.mark.parametrize(
    ("said", "verdict", "words"),
    [
        (None, Verdict.OK, "cannot be told"),
        ("throttled=0x0", Verdict.OK, "Strong enough"),
        ("throttled=0x50005", Verdict.WARNING, "too low now, it is slowed down now and its voltage was"),
        ("throttled=0x10000", Verdict.WARNING, "since the start"),
    ],
)
def test_a_weak_supply_is_told(said: str | None, verdict: Verdict, words: str) -> None:
    finding = checkup.power(lambda _: said)
    assert finding.verdict is verdict
    assert words in finding.message


def test_a_clock_that_was_never_set_is_told() -> None:
    assert checkup.clock(0.0).verdict is Verdict.WARNING
    assert checkup.clock(1_900_000_000.0).verdict is Verdict.OK


def test_a_service_that_fails_is_told_with_the_way_to_its_log() -> None:
    assert checkup.service(lambda _: None, {}).verdict is Verdict.OK
    assert checkup.service(lambda _: "active", {}).verdict is Verdict.OK
    failed = checkup.service(lambda _: "failed", {})
    assert failed.verdict is Verdict.PROBLEM
    assert "reset-failed" in failed.cure


def test_libraries_for_the_pins_that_cannot_work_are_told() -> None:
    def versions(gpiozero: str, lgpio: str | None) -> Finding:
        return checkup.pins({"gpiozero": gpiozero, "lgpio": lgpio}.get)

    assert versions("2.0.1.post3", None).verdict is Verdict.OK
    assert versions("2.1", "0.2.2.0").verdict is Verdict.OK
    assert "Pi 5" in versions("2.0.1.post1", None).message
    assert "apt install python3-lgpio" in versions("2.0.1.post3", "0.0.0.2").cure


def test_where_lgpio_cannot_make_its_pipe_is_told(tmp_path: Path) -> None:
    assert checkup.pipe({"LG_WD": str(tmp_path)}, PanelConfig()).verdict is Verdict.OK
    assert "LG_WD" in checkup.pipe({"LG_WD": str(tmp_path / "no")}, PanelConfig()).cure


def test_a_group_that_is_not_there_is_told() -> None:
    assert checkup.groups("no-such-group", "lgpio").verdict is Verdict.WARNING


def test_a_stick_that_is_not_in_is_told(tmp_path: Path) -> None:
    config = replace(Config(tmp_path), backup=BackupConfig(also_in=str(tmp_path / "stick")))
    assert checkup.backups(config).verdict is Verdict.WARNING
    (tmp_path / "stick").mkdir()
    assert checkup.backups(config).verdict is Verdict.OK


# The file for whoever helps


def test_the_file_for_helpers_holds_no_names_no_codes_and_no_photographs(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('[web]\njoin_code = "SECRET7"\nlanguage = "pt"\n')
    with opened(Config(tmp_path)) as journal:
        table = Table(journal)
        table.open_game("carnavalesco", {"players": [{"name": "Ana Maria"}, {"name": "Bia"}]})
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "000001-0123abcd.jpg").write_bytes(b"a room")
    (photos / "000001-0123abcd-0.jpg").write_bytes(b"a die")
    cameras = tmp_path / "cameras"
    cameras.mkdir()
    (cameras / "one.json").write_text('{"camera": "one", "empty": {"picture": "a room"}}')
    diagnosis = Diagnosis(Config(tmp_path), lambda: {"ok": True, "said": "Ana Maria and Bia play; Biarritz is a town."})
    with zipfile.ZipFile(io.BytesIO(diagnosis.packed())) as file:
        texts = {name: file.read(name).decode() for name in file.namelist()}
    assert {"findings.json", "machine.json", "settings.toml", "log.txt", "health.json"} <= set(texts)
    whole = "".join(texts.values())
    assert "Ana" not in whole
    assert "player 1 and player 2 play; Biarritz" in texts["health.json"]
    assert "SECRET7" not in whole
    assert 'language = "pt"' in texts["settings.toml"]
    assert "a room" not in whole
    assert json.loads(texts["cameras/one.json"]) == {"camera": "one"}
    assert json.loads(texts["machine.json"])["libraries"]["numpy"]
    with zipfile.ZipFile(io.BytesIO(diagnosis.packed(photos=True))) as file:
        assert [name for name in file.namelist() if name.endswith(".jpg")] == ["photographs/000001-0123abcd.jpg"]


def test_the_panel_is_looked_for_as_the_settings_ask() -> None:
    assert doctor.panel(PanelConfig(driver="off")).verdict is Verdict.OK
    assert doctor.panel(PanelConfig(driver="mock")).verdict is Verdict.WARNING


def test_a_taken_port_is_a_problem_unless_the_table_itself_has_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        config = Config(tmp_path, web=WebConfig(host="127.0.0.1", port=other.getsockname()[1]))
        assert doctor.port(config).verdict is Verdict.PROBLEM
        with opened(config):
            assert "by the table itself" in doctor.port(config).message
    assert doctor.port(config).verdict is Verdict.OK


def test_a_table_that_runs_at_another_port_than_the_settings_name_is_found_there(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = Config(tmp_path, web=WebConfig(host="127.0.0.1", port=port))
    with opened(config), socket.create_server(("127.0.0.1", 0)) as own:
        own.listen()
        listens, found = own.getsockname()[1], doctor.port(config)
    assert found.verdict is Verdict.OK
    assert re.search(rf"\(process {os.getpid()}\) is at port [\d, ]*{listens}[, ].* {port}, which", found.message)
