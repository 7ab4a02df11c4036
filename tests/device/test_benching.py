"""`jurado bench --report`: a document that tells what a machine gives, and nothing about those who own it."""

from __future__ import annotations

import json
import os
import socket
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from device import benching
from device.benching import LIBRARIES, condition, machine, report
from device.camera.bench import WAYS
from device.cli import main
from device.config import Config


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return report(Config(tmp_path_factory.mktemp("home")), rounds=1)


def test_every_way_of_photographing_is_measured_in_its_parts(measured: dict[str, Any]) -> None:
    assert list(measured["press"]) == list(WAYS)
    for way, figures in measured["press"].items():
        assert 0 < figures["least"] <= figures["median"] <= figures["most"], way
        assert figures["cpu"] > 0
        assert figures["dice_read"] == 12, "the roll is the same everywhere, and is read whole"
        assert {"camera", "press", "total"} <= set(figures["parts"])
        assert figures["parts"]["press"] <= figures["most"] + 1
    assert measured["memory_peak_mb"] > 100


def test_it_tells_the_machine_and_its_libraries() -> None:
    told = machine()
    assert told["cores"] == os.cpu_count()
    assert told["memory_mb"] > 100
    assert told["processor"]
    assert {"numpy", "onnxruntime"} <= set(told["libraries"]) <= set(LIBRARIES)


def test_what_a_machine_does_not_tell_is_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benching, "THERMAL", tmp_path / "none")
    monkeypatch.setattr(benching, "SPEED", tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = condition()
    assert (found["temperature_c"], found["mhz"], found["throttled"]) == (None, None, None)
    assert found["load"] >= 0


def test_temperature_speed_and_throttling_are_told_where_the_machine_tells_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temp").write_text("51540\n")
    (tmp_path / "khz").write_text("1800000\n")
    (tmp_path / "vcgencmd").write_text("#!/bin/sh\necho throttled=0x50005\n")
    (tmp_path / "vcgencmd").chmod(0o755)
    monkeypatch.setattr(benching, "THERMAL", tmp_path / "temp")
    monkeypatch.setattr(benching, "SPEED", tmp_path / "khz")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = condition()
    assert (found["temperature_c"], found["mhz"], found["throttled"]) == (51.5, 1800, "0x50005")


def test_an_arm_processor_is_told_by_its_numbers() -> None:
    pi_5 = "processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x4\nCPU part\t: 0xd0b\n"
    assert benching._processor(pi_5) == "ARM part 0xd0b, variant 0x4"


def test_the_command_writes_it_and_says_what_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benching, "report", partial(report, rounds=1))
    target = tmp_path / "report.json"
    done = CliRunner().invoke(main, ["bench", "--report", str(target), "--home", str(tmp_path / "home")])
    assert done.exit_code == 0, done.output
    written = target.read_text(encoding="utf-8")
    assert json.loads(written)["machine"]["cores"] == os.cpu_count()
    assert all(way in done.stdout for way in WAYS)
    assert str(target) in done.stdout
    assert socket.gethostname() not in written, "who owns it is nobody's business"
    assert str(tmp_path) not in written


def test_a_report_that_cannot_be_written_is_said_before_anything_is_measured(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["bench", "--report", str(tmp_path / "no" / "report.json")])
    assert done.exit_code == 2
    assert "There is no folder" in done.stderr


def test_a_bench_of_nothing_says_what_there_is_to_measure() -> None:
    done = CliRunner().invoke(main, ["bench"])
    assert done.exit_code == 2
    assert "--report" in done.stderr
