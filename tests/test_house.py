"""The house stands as it was drawn: imports run one way, hardware stays in `device`, the wheel holds what it should."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "vision", "device", "webui")
HARDWARE = {"picamera2", "libcamera", "gpiozero", "lgpio"}
MAY_IMPORT = {
    "engine": {"engine"},
    "vision": {"vision", "engine", "models"},
    "webui": {"webui", "engine"},
    "device": {"device", "vision", "engine", "webui", "models"},
}


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


def imports(source: Path) -> Iterator[tuple[str, bool]]:
    """Yield every imported module's full name, and whether it is imported as the module loads."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    inside = {
        node
        for scope in ast.walk(tree)
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef)
        or (isinstance(scope, ast.If) and "TYPE_CHECKING" in ast.dump(scope.test))
        for node in ast.walk(scope)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name, node not in inside) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, node not in inside
            yield from ((f"{node.module}.{name.name}", node not in inside) for name in node.names)


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_run_one_way(room: str) -> None:
    for source in modules(room):
        rooms = {name.split(".")[0] for name, _ in imports(source)} & {*ROOMS, "models", "tests"}
        assert rooms <= MAY_IMPORT[room], f"{source.relative_to(ROOT)} imports {rooms - MAY_IMPORT[room]}"


def test_the_rules_have_no_chance_and_no_clock() -> None:
    # The players; the journal's ids of events, and their dates told in the table's time zone.
    may = {"engine/selfplay.py": {"random", "time"}, "engine/journal.py": {"secrets", "datetime"}}
    for source in modules("engine"):
        where = str(source.relative_to(ROOT))
        used = {name.split(".")[0] for name, _ in imports(source)} & {"random", "secrets", "time", "datetime", "uuid"}
        assert used <= may.get(where, set()), f"{where} imports {used}"
        assert "engine.selfplay" not in {name for name, _ in imports(source)}, f"{where} imports the players"


def test_vision_knows_only_the_dice_the_expectation_and_the_sentences_of_the_engine() -> None:
    for source in modules("vision"):
        engine = {name for name, _ in imports(source) if name.startswith("engine.")}
        strays = {name for name in engine if not name.startswith(("engine.dice", "engine.game", "engine.words"))}
        assert not strays, f"{source.relative_to(ROOT)} imports {strays}"


def test_hardware_is_imported_in_device_alone_and_lazily() -> None:
    for room in ROOMS:
        for source in modules(room):
            for name, at_load in imports(source):
                if name.split(".")[0] in HARDWARE:
                    where = source.relative_to(ROOT)
                    assert room == "device", f"{where} imports {name}"
                    assert not at_load, f"{where} imports {name} as it loads"


def test_the_reader_has_no_secret_passage_from_the_renderer() -> None:
    for source in modules("vision"):
        if source.parent.name in ("rendering", "training"):
            continue
        names = {name for name, _ in imports(source)}
        strays = {name for name in names if name.startswith(("vision.rendering", "vision.training"))}
        assert not strays, f"{source.relative_to(ROOT)} imports {strays}"


def test_training_is_never_imported_at_the_table() -> None:
    for room in ("engine", "device", "webui"):
        for source in modules(room):
            strays = {name for name, _ in imports(source) if name.startswith("vision.training")}
            assert not strays, f"{source.relative_to(ROOT)} imports {strays}"


def test_the_wheel_holds_the_rooms_and_the_models_and_no_tests(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in (*ROOMS, "models"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(tmp_path), str(source)], check=True)
    (wheel,) = tmp_path.glob("jurado-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {*ROOMS, "models"}
    for room in (*ROOMS, "models"):
        for wanted in (ROOT / room).rglob("*"):
            if wanted.suffix in (".py", ".onnx", ".json", ".html", ".css", ".js", ".svg", ".po", ".mo", ".toml"):
                assert str(wanted.relative_to(ROOT)) in names


@pytest.mark.parametrize("extra", [None, "test", "train"])
def test_everything_that_is_installed_is_pinned_with_hashes(extra: str | None) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(project["optional-dependencies"][extra] if extra else [])]
    lock = (ROOT / "requirements" / f"{extra or 'table'}.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^([\w.-]+)==([\w.+-]+)[^\n]*\\\n    --hash=sha256:", lock, re.MULTILINE)
    assert len(pins) == len(re.findall(r"^\w", lock, re.MULTILINE))
    for requirement in map(Requirement, wanted):
        versions = [version for name, version in pins if name == requirement.name.lower()]
        assert versions, f"{requirement.name} is not in the lock: requirements/lock.sh"
        assert all(version in requirement.specifier for version in versions), f"{requirement} is pinned to {versions}"
