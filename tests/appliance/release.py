"""What is carried to the machine: a checkout, the wheels, and an apt archive with what only a Pi's archive has."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITE = "opt/lab/venv/lib/python3.13/site-packages"
OURS = {"numpy"}
"""What picamera2 needs and the pinned wheels bring."""


def checkout(target: Path, *, version: str | None = None, spoil: str | None = None) -> None:
    """Write the last commit's files into `target`, as a clone has them; `version` in the place of its own.

    `spoil` breaks it: "import" (a syntax error), "crash" (it ends soon after it is ready), "model" (one is not whole).
    """
    target.mkdir(parents=True)
    with tempfile.TemporaryFile() as file:
        subprocess.run(["git", "-C", str(ROOT), "archive", "HEAD"], stdout=file, check=True)
        file.seek(0)
        with tarfile.open(fileobj=file) as packed:
            packed.extractall(target, filter="data")
    if version is not None:
        _edit(target / "pyproject.toml", r'(?m)^version = ".*"$', f'version = "{version}"')
    if spoil == "import":
        _edit(target / "device" / "service.py", r"\A", "this is no Python\n")
    elif spoil == "crash":
        ends = "    threading.Timer(8, os._exit, [3]).start()\n    service.wait()\n"
        _edit(target / "device" / "service.py", r"(?m)^    service\.wait\(\)\n", "    import os\n" + ends)
    elif spoil == "model":
        model = sorted((target / "models").glob("*.onnx"))[0]
        model.write_bytes(model.read_bytes()[:-1000])


def _edit(path: Path, pattern: str, put: str) -> None:
    text, count = re.subn(pattern, lambda _: put, path.read_text(encoding="utf-8"), count=1)
    assert count == 1, f"{path} has no {pattern}"
    path.write_text(text, encoding="utf-8")


def wheels(target: Path, *, machine: str = "x86_64") -> None:
    """Fill `target` as somebody does whose Pi has no internet."""
    command = [sys.executable, str(ROOT / "systemd" / "wheels.py"), str(target), "--machine", machine]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def archive(cache: Path, target: Path) -> None:
    """Make a flat apt archive in `target` of what the lab's image has of `python3-picamera2` and `python3-lgpio`.

    Debian has no such packages; Raspberry Pi's archive, which has, is not to be reached here.
    """
    site = cache / "rootfs" / SITE
    known = {_key(one.metadata["Name"]): one for one in distributions(path=[str(site)])}
    wanted = {"python3-picamera2": _needed(known, "picamera2"), "python3-lgpio": [known["lgpio"]]}
    target.mkdir(parents=True)
    entries = []
    for package, parts in wanted.items():
        deb = target / f"{package}.deb"
        version = next(one.version for one in parts if package.endswith(_key(one.metadata["Name"])))
        control = (
            f"Package: {package}\nVersion: {version}\nArchitecture: amd64\nMaintainer: the lab <lab@localhost>\n"
            f"Description: what stands in the lab for Raspberry Pi's own {package}\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            tree = Path(folder) / "tree"
            for part in parts:
                _copy(site, part, tree / "usr/lib/python3/dist-packages")
            (tree / "DEBIAN").mkdir(mode=0o755)
            (tree / "DEBIAN" / "control").write_text(control, encoding="utf-8")
            tree.chmod(0o755)
            subprocess.run(
                ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(tree), str(deb)],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        digest = hashlib.sha256(deb.read_bytes()).hexdigest()
        entries.append(f"{control}Filename: ./{deb.name}\nSize: {deb.stat().st_size}\nSHA256: {digest}\n")
    (target / "Packages").write_text("\n".join(entries), encoding="utf-8")


def _needed(known: dict[str, Distribution], name: str) -> list[Distribution]:
    """Return a distribution and all that it needs of those that are there."""
    found, ask = {}, [name]
    while ask:
        key = ask.pop()
        if key in found or key in OURS or key not in known:
            continue
        found[key] = known[key]
        for line in known[key].requires or ():
            if "extra ==" not in line:
                ask.append(_key(re.split(r"[^\w.-]", line)[0]))
    return list(found.values())


def _copy(site: Path, part: Distribution, target: Path) -> None:
    for file in part.files or ():
        source = (site / file).resolve()
        if source.is_relative_to(site) and source.is_file() and "__pycache__" not in source.parts:
            there = target / source.relative_to(site)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, there)


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
