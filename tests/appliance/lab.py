"""Drives the virtual machine: a thin hand on the lab's own command, which boots it, presses, unplugs and cuts."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

QEMU = "qemu-system-x86_64"
PROCESSOR = "max,-avx,-avx2,-fma,-f16c"
"""The processor in the place of the lab's `max`: what reads dice takes its plainer ways then, and QEMU emulates those
six times as fast (a reading of twelve dice in 17 s in the place of 110)."""

AWAKE, ASLEEP = 0.05, 0.2
"""Seconds that the camera delivers frames, and none, in turn: an emulated machine would do nothing but take them in."""

PATIENCE = 600.0
"""Seconds after which something that never comes ends a scenario; the machine is emulated, so this is no measure."""


class LabMissing(RuntimeError):
    """There is no lab to work in; the message says what to do."""


class LabError(RuntimeError):
    """The lab, or a command in its machine, failed."""


class Lab:
    """One virtual machine. `folder` holds the lab's commands, `cache` its image, `state` this machine's disk."""

    def __init__(self, folder: Path, cache: Path, state: Path) -> None:
        self.folder = folder
        self.cache = cache
        self.state = state
        if not (folder / "lab").is_file():
            raise LabMissing(
                f"There is no lab in {folder}, so the appliance was not tried: name its folder with --lab (JURADO_LAB)."
            )
        if not (cache / "base.raw").exists():
            raise LabMissing(f"The lab has no image in {cache}: PILAB_CACHE={cache} {folder}/mkimage.sh makes it.")
        self._tools = tempfile.TemporaryDirectory(prefix="appliance-")
        self._resting = threading.Event()
        self._pace: threading.Thread | None = None
        self._environment = {
            **os.environ,
            "PATH": f"{self._plainer_qemu()}:{os.environ['PATH']}",
            "PILAB_CACHE": str(cache),
            "PILAB_STATE": str(state),
            # The camera's pictures are converted on this side, by the OpenCV of this environment.
            "PILAB_HOST_PYTHON": sys.executable,
        }

    def _plainer_qemu(self) -> str:
        """Return a folder with a QEMU that has the plainer processor."""
        real = shutil.which(QEMU)
        if real is None:
            raise LabMissing(f"There is no {QEMU} here, so the appliance was not tried: apt install qemu-system-x86")
        script = Path(self._tools.name) / QEMU
        arguments = f"('{PROCESSOR}' if one == 'max' else one for one in sys.argv[1:])"
        script.write_text(f"#!{sys.executable}\nimport os, sys\nos.execv('{real}', ['{real}', *{arguments}])\n")
        script.chmod(0o755)
        return self._tools.name

    def _command(self, *words: str) -> list[str]:
        return [sys.executable, str(self.folder / "lab"), *words]

    def do(self, *words: str, check: bool = True, patience: float = PATIENCE) -> subprocess.CompletedProcess[str]:
        """Run one of the lab's commands. Raises `LabError` when it fails and `check` is set."""
        if words[0] in ("cut", "unplug", "down") and (camera := self._camera()) is not None:
            # A camera that is held still would not end.
            self._signal(camera, signal.SIGCONT)
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            # Files, not pipes: what the lab leaves running would keep a pipe open.
            try:
                done = subprocess.run(
                    self._command(*words),
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    timeout=patience,
                    check=False,
                )
            except subprocess.TimeoutExpired as error:
                raise LabError(f"lab {' '.join(words)[:200]} did not end within {patience:g} s") from error
            out.seek(0)
            err.seek(0)
            said = subprocess.CompletedProcess(words, done.returncode, out.read(), err.read())
        if check and said.returncode:
            raise LabError(
                f"lab {' '.join(words)[:300]}: {said.returncode}\n{said.stdout[-1500:]}{said.stderr[-1500:]}"
            )
        return said

    def script(self, name: str) -> None:
        """Run another script of the lab's folder."""
        subprocess.run([str(self.folder / name)], env=self._environment, check=True)

    def up(self, *options: str) -> float:
        """Boot; return the seconds until the machine answered."""
        began = time.monotonic()
        if self._pace is None:
            self._pace = threading.Thread(target=self._pace_camera, name="camera's pace", daemon=True)
            self._pace.start()
        self.do("up", *options)
        return time.monotonic() - began

    def _pace_camera(self) -> None:
        """Let the camera deliver a few frames a second, as one does in dim light."""
        while True:
            time.sleep(AWAKE)
            if (camera := self._camera()) is not None:
                self._signal(camera, signal.SIGSTOP)
                time.sleep(ASLEEP)
                while self._resting.is_set():
                    time.sleep(ASLEEP)
                self._signal(camera, signal.SIGCONT)

    def _camera(self) -> int | None:
        """Return the process that is the camera, None while it is unplugged."""
        try:
            found = int((self.state / "usbcam.pid").read_text())
            return found if b"usbcam.py" in Path(f"/proc/{found}/cmdline").read_bytes() else None
        except (OSError, ValueError):
            return None

    @staticmethod
    def _signal(process: int, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(process, number)

    @property
    def is_up(self) -> bool:
        return '"up": true' in self.do("status").stdout

    @property
    def has_saved(self) -> bool:
        """Whether a running machine was kept."""
        disk = self.state / "disk.qcow2"
        if not disk.exists():
            return False
        return (
            " warm "
            in subprocess.run(
                ["qemu-img", "snapshot", "-U", "-l", str(disk)], capture_output=True, text=True, check=False
            ).stdout
        )

    def cut(self) -> None:
        """Pull the plug."""
        self.do("cut")

    def off(self) -> None:
        if self.is_up:
            self.cut()

    def run(self, script: str, *, check: bool = True, patience: float = PATIENCE) -> str:
        """Run a shell line in the machine as root; return what it printed. Raises `LabError` when it fails."""
        done = self.do("run", script, check=check, patience=patience)
        return done.stdout + (done.stderr if not check else "")

    def status_of(self, script: str, *, patience: float = PATIENCE) -> tuple[int, str]:
        """Run a shell line as root; return its exit status and all that it printed."""
        done = self.do("run", f"{{ {script}\n}} 2>&1", check=False, patience=patience)
        return done.returncode, done.stdout

    @contextmanager
    def running(self, script: str) -> Iterator[list[str]]:
        """Have a shell line run in the machine meanwhile; the list is filled with its lines once it has ended."""
        lines: list[str] = []
        process = subprocess.Popen(
            self._command("run", script),
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        reading = threading.Thread(target=lambda: lines.extend(process.stdout or ()), daemon=True)
        reading.start()
        try:
            yield lines
            process.wait(PATIENCE)
            reading.join(PATIENCE)
        finally:
            if process.poll() is None:
                process.kill()

    def push(self, source: Path, target: str) -> None:
        self.do("push", str(source), target)

    def pull(self, source: str, target: Path) -> None:
        self.do("pull", source, str(target))

    def write(self, target: str, text: str) -> None:
        """Put a text file into the machine."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / Path(target).name
            file.write_text(text, encoding="utf-8")
            self.push(file, target)

    def press(self, pin: int, milliseconds: int = 150) -> str:
        return self.do("press", str(pin), str(milliseconds)).stdout

    def level(self, pin: int) -> int:
        return int(self.do("level", str(pin)).stdout)

    def frame(self, jpeg: bytes) -> None:
        """Show the camera a picture from its next frame on."""
        with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
            file.write(jpeg)
            file.flush()
            self.do("frame", file.name)

    def unplug(self) -> None:
        self.do("unplug")

    def plug(self) -> None:
        self.do("plug")

    @contextmanager
    def camera_that_hangs(self) -> Iterator[None]:
        """Have the camera answer nothing, plugged in as it is."""
        self._resting.set()
        try:
            yield
        finally:
            self._resting.clear()

    def port(self, inside: int = 8080) -> int:
        """Return the port of this computer that leads to a port of the machine."""
        return int(self.do("url", str(inside)).stdout.strip().rpartition(":")[2])
