"""What of the lab's scenarios can be held without the lab: the rest needs `python -m tests.appliance --lab FOLDER`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.appliance import readings
from tests.appliance.__main__ import SCENARIOS
from tests.appliance.hardening import FORBIDS, GIVES, UNIT, lines_of
from tests.appliance.readings import chosen, differences, identity, read
from tests.appliance.release import ROOT, checkout

SERVICE = {
    *("Type", "NotifyAccess", "ExecStart", "User", "Group", "StateDirectory", "StateDirectoryMode"),
    *("RuntimeDirectory", "WorkingDirectory", "Environment", "WatchdogSec", "Restart", "RestartSec"),
    *("TimeoutStartSec", "TimeoutStopSec"),
}
"""Lines of the unit that say what runs and how; all others harden it."""


def said(*options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "tests.appliance", *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={"PATH": "/usr/bin:/bin"}, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "name its folder with --lab"),
        (("--lab", "/nowhere"), "There is no lab in /nowhere"),
        (("--lab", "/nowhere", "fly"), "there is no fly"),
    ],
)
def test_a_lab_that_is_missing_is_said_in_one_sentence(options: tuple[str, ...], words: str) -> None:
    status, complaint = said(*options)
    assert status == 2
    assert words in complaint
    assert "Traceback" not in complaint


def test_every_line_that_hardens_the_unit_is_tried_in_the_lab() -> None:
    lines = lines_of(UNIT.read_text(encoding="utf-8"))
    assert set(lines) - SERVICE == {*FORBIDS, *GIVES}


def test_every_probe_of_the_lab_is_there() -> None:
    probe = (ROOT / "tests" / "appliance" / "guest" / "probe.py").read_text(encoding="utf-8")
    assert {name for name in FORBIDS if f'"{name}":' in probe} == set(FORBIDS)


def test_every_scenario_is_told_in_the_document() -> None:
    document = (ROOT / "docs" / "platform.md").read_text(encoding="utf-8")
    for name in SCENARIOS:
        assert re.search(rf"`{name}`", document), name


def test_a_checkout_is_what_a_clone_has_and_can_be_spoilt(tmp_path: Path) -> None:
    checkout(tmp_path / "whole", version="0.9.1")
    assert 'version = "0.9.1"' in (tmp_path / "whole" / "pyproject.toml").read_text()
    assert (tmp_path / "whole" / "systemd" / "install.sh").stat().st_mode & 0o111
    assert not (tmp_path / "whole" / ".venv").exists()
    checkout(tmp_path / "broken", spoil="import")
    with pytest.raises(SyntaxError):
        compile((tmp_path / "broken" / "device" / "service.py").read_text(), "service.py", "exec")
    checkout(tmp_path / "dying", spoil="crash")
    compile((tmp_path / "dying" / "device" / "service.py").read_text(), "service.py", "exec")


def reading(photo: str, *dice: tuple[str, int, str, float]) -> dict[str, object]:
    return {
        "photo": photo,
        "dice": [
            {
                "shape": "d6",
                "colour": colour,
                "value": value,
                "state": state,
                "box": [1.0, 2.0, 30.0, 30.0],
                "confidence": {"shape": 1.0, "colour": 0.97, "value": sure},
            }
            for colour, value, state, sure in dice
        ],
    }


def test_readings_of_other_models_are_not_taken_for_these(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    lines = [{**reading("a"), "reader": "other"}, {**reading("b"), "reader": identity()}]
    kept.write_text("".join(json.dumps(line) + "\n" for line in lines))
    read([], kept)
    assert [line["photo"] for line in readings.lines_of(kept)] == ["b"]


def test_readings_that_are_the_same_differ_in_nothing() -> None:
    one = [reading("a", ("red", 3, "read", 0.98)), reading("b")]
    other = [reading("b"), reading("a", ("red", 3, "read", 0.979))]
    found = differences(one, other)
    assert (found["photographs"], found["dice"], found["different"]) == (2, 1, [])


@pytest.mark.parametrize(
    "other",
    [
        ("red", 4, "read", 0.98),
        ("blue", 3, "read", 0.98),
        ("red", 3, "unsure", 0.98),
        ("red", 3, "read", 0.9),
        ("red", 3, "read", float("nan")),
    ],
)
def test_readings_that_are_not_are_told(other: tuple[str, int, str, float]) -> None:
    assert differences([reading("a", ("red", 3, "read", 0.98))], [reading("a", other)])["different"]


def test_photographs_are_chosen_from_every_set_the_emptiest_first(tmp_path: Path) -> None:
    for name, counts in {"one": (3, 1, 2), "two": (5,)}.items():
        (tmp_path / name / "images").mkdir(parents=True)
        rows = ["image,x,y,w,h,shape,value,colour"]
        for number, count in enumerate(counts):
            (tmp_path / name / "images" / f"{number}.jpg").touch()
            rows += [f"{number}.jpg,0,0,9,9,d6,1,red"] * count
        (tmp_path / name / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    names = [str(photo.relative_to(tmp_path)) for photo in chosen(tmp_path, 3)]
    assert names[:2] == ["one/images/1.jpg", "two/images/0.jpg"]
    assert json.dumps(names).count("one/") == 2
