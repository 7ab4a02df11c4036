"""Whatever breaks under a running table: the table goes on, the last good state stays, and everybody is told in words.

Each test names a fault; `told` holds it against what the page says, what /healthz says and what the log says.
"""

from __future__ import annotations

import contextlib
import html
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from device.config import CameraConfig, Config, PanelConfig, WebConfig
from device.panel import RESTLESS
from device.service import Service
from engine.journal import Journal, JournalBusy, JournalError, read_events
from tests.device.conftest import ScriptedReader
from tests.device.test_service import ask, open_game, running
from tests.device.test_troubles import Grounded
from tests.endurance.running import free_port
from tests.engine.test_journal import FIRST
from tests.waiting import until
from vision.detect import ModelError
from vision.reader import Reader


def settings(home: Path, **sections: Any) -> Config:
    return replace(Config(home), web=WebConfig(host="127.0.0.1", port=0), **sections)


def told(service: Service, part: str, words: str, log: pytest.LogCaptureFixture, *, page: bool = True) -> None:
    """Hold the fault of a `part` of the health against the table's page, the status page, health and log."""
    service.troubles.look()
    status, health = ask(service, "/healthz")
    assert status == 200, "the page serves, whatever else is wrong"
    assert words in health[part]["message"]
    assert health[part]["ok"] is False
    lines = [line for line in log.messages if words in line]
    assert len(lines) == 1, "told once"
    assert lines[0].startswith(f"{part}: ")
    assert words in seen(service, "/status")
    if page:
        sentences = ask(service, "/api/state")[1]["table"]["trouble"]
        assert any(words in one for one in sentences), sentences
        assert words in seen(service, "/?watch")


def seen(service: Service, path: str) -> str:
    """Return a page as text."""
    with urllib.request.urlopen(service.addresses()[0] + path, timeout=20) as answer:
        return html.unescape(answer.read().decode())


@contextlib.contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """Make `folder` a small file system of its own; skips where that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("needs the right to mount a tmpfs")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Fill a file system to the last byte."""
    ballast = folder / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        for size in (100_000, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(b"x" * size)
    return ballast


def roll(service: Service, name: str) -> tuple[int, Any]:
    state = ask(service, "/api/state")[1]
    expects = state["game"]["expects"]
    bag = [colour for colour, most in expects["colours"].items() for _ in range(most)][: expects["count"]]
    move = {"move": "roll", "dice": [{"colour": colour, "value": 3} for colour in bag]}
    return ask(service, "/api/moves", {"version": state["version"], "id": name, "move": move})


@pytest.mark.hardware
def test_a_disk_that_fills_up_while_a_game_is_played(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with mounted(tmp_path / "card", "3m") as card, running(settings(card), reader=ScriptedReader()) as service:
        open_game(service)
        before = ask(service, "/api/state")[1]
        ballast = fill(card)
        # What is left in pages that SQLite holds already may take a turn or two.
        for number in range(40):
            status, answer = roll(service, f"roll-{number}")
            if status != 200:
                break
            assert ask(service, "/api/undo", {**_now(service), "id": f"undo-{number}"})[0] in (200, 503)
        assert (status, answer["error"]["code"]) == (503, "disk_full")
        assert "does not count. The game stays as it was. Free some space" in answer["error"]["message"]
        told(service, "disk", "MB are free", caplog)
        told(service, "photos", "Photographs are not kept now (No space left on device)", caplog)
        told(service, "journal", "The disk is full", caplog)
        assert ask(service, "/api/state")[1]["game"]["prompt"] == before["game"]["prompt"]
        ballast.unlink()
        status, answer = roll(service, "after")
        assert status == 200
        service.troubles.look()
        assert any(line.startswith("journal: well again") for line in caplog.messages)


def _now(service: Service) -> dict[str, Any]:
    return {"version": ask(service, "/api/state")[1]["version"]}


@contextlib.contextmanager
def worn_out(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """Make a card of its own, and the file to write into when the kernel is to find a fault on it: it then turns the
    card read-only, as it does with one that is worn out. Skips where that is not allowed."""
    image, card = tmp_path / "card.img", tmp_path / "card"
    card.mkdir()
    with image.open("wb") as file:
        file.truncate(40_000_000)
    steps = (["mkfs.ext4", "-q", str(image)], ["mount", "-o", "loop,errors=remount-ro", str(image), str(card)])
    if any(shutil.which(step[0]) is None or subprocess.run(step, capture_output=True).returncode for step in steps):
        pytest.skip("needs the right to mount an image")
    try:
        device = next(line.split()[0] for line in Path("/proc/mounts").read_text().splitlines() if str(card) in line)
        yield card, Path("/sys/fs/ext4") / Path(device).name / "trigger_fs_error"
    finally:
        subprocess.run(["umount", "--lazy", str(card)], check=True)


@pytest.mark.hardware
def test_a_card_that_turns_read_only(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with worn_out(tmp_path) as (card, trigger), running(settings(card / "home"), reader=ScriptedReader()) as service:
        open_game(service)
        before = ask(service, "/api/state")[1]
        trigger.write_text("worn out")
        status, answer = roll(service, "read-only")
        assert (status, answer["error"]["code"]) == (503, "journal_failed")
        assert "does not count. The game stays as it was." in answer["error"]["message"]
        told(service, "journal", "could not be written", caplog)
        after = ask(service, "/api/state")[1]
        assert (after["game"], after["log"]) == (before["game"], before["log"])
        assert ask(service, "/api/proposal/hand", {})[0] == 200


def test_no_room_for_photographs(tmp_path: Path, caplog: pytest.LogCaptureFixture, pictures: Path) -> None:
    config = settings(tmp_path / "home", camera=CameraConfig(backend="folder", folder=str(pictures)))
    with running(config, reader=ScriptedReader()) as service:
        open_game(service)
        until(lambda: service.camera_status()["state"] == "ready")
        shutil.rmtree(service.photos.folder, ignore_errors=True)
        service.photos.folder.write_text("in the way")
        assert ask(service, "/api/capture", {})[0] == 202
        until(lambda: service.station.state == "proposal")
        proposal = ask(service, "/api/state")[1]["proposal"]
        assert proposal["state"] == "ready", "dice are read as before"
        assert any("could not be kept" in note for note in proposal["notes"])
        sent = {**_now(service), "id": "confirmed", "proposal": proposal["id"]}
        assert ask(service, "/api/proposal/confirm", sent)[0] == 200
        told(service, "photos", "Photographs are not kept now", caplog)


@pytest.mark.hardware
def test_a_card_without_room_for_photographs_that_gets_some(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, pictures: Path
) -> None:
    caplog.set_level(logging.INFO)
    camera = CameraConfig(backend="folder", folder=str(pictures))
    with (
        mounted(tmp_path / "card", "25m") as card,
        running(settings(card / "home", camera=camera), reader=ScriptedReader()) as service,
    ):
        open_game(service)
        until(lambda: service.camera_status()["state"] == "ready")
        told(service, "photos", "Photographs are not kept now (No space left on device)", caplog)
        photographed = []
        for room in ("25m", "100m"):
            subprocess.run(["mount", "-o", f"remount,size={room}", str(card)], check=True)
            until(lambda: service.station.press())
            until(lambda: service.station.state == "proposal")
            proposal = ask(service, "/api/state")[1]["proposal"]
            assert proposal["state"] == "ready"
            photographed.append(proposal["photo"] is not None)
            sent = {**_now(service), "id": f"with {room}", "proposal": proposal["id"]}
            assert ask(service, "/api/proposal/confirm", sent)[0] == 200
            service.table.undo()
        assert photographed == [False, True]
        service.troubles.look()
        assert any(line.startswith("photos: well again") for line in caplog.messages)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    import cv2
    import numpy as np

    folder = tmp_path / "pictures"
    folder.mkdir()
    assert cv2.imwrite(str(folder / "roll.jpg"), np.full((240, 320, 3), 180, np.uint8))
    return folder


def test_a_journal_that_was_damaged_while_the_table_was_off(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = settings(tmp_path)
    with running(config, reader=ScriptedReader()) as service:
        open_game(service)
        roll(service, "one")
    content = bytearray(config.journal.read_bytes())
    content[-4096:] = os.urandom(4096)
    config.journal.write_bytes(content)
    with running(config, reader=ScriptedReader()) as service:
        told(service, "journal", "The journal was damaged", caplog, page=False)
        state = ask(service, "/api/state")[1]
        assert "The damaged file is kept as" in state["table"]["notice"]
        aside = tmp_path / "journal-damaged-1.sqlite3"
        assert aside.read_bytes() == bytes(content)
        assert state["game"] is None or ask(service, "/api/undo", {**_now(service), "id": "x"})[0] in (200, 422)
        open_game_again = {"game": "carnavalesco", "setup": {"players": [{"name": "Ana"}]}, "abandon": True}
        assert ask(service, "/api/games", {**_now(service), "id": "new", **open_game_again})[0] in (201, 400)


def test_a_clock_that_jumps_back_a_year(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = settings(tmp_path)
    tmp_path.mkdir(exist_ok=True)
    with Journal(config.journal, now=lambda: "2099-11-30T20:00:00.000+00:00") as journal:
        journal.append("strip", {"division": "D", "numbers": {}, "by": None})
    with running(config, reader=ScriptedReader()) as service:
        open_game(service)
        told(service, "clock", "it has gone back", caplog)
        assert roll(service, "goes-on")[0] == 200
        lines = ask(service, "/api/log")[1]["log"]
        assert [line["seq"] for line in lines] == sorted((line["seq"] for line in lines), reverse=True)


def test_two_tables_on_one_folder(tmp_path: Path) -> None:
    with running(settings(tmp_path), reader=ScriptedReader()) as service:
        open_game(service)
        with pytest.raises(JournalBusy, match=r"already using .* Its game goes on; this one was not started"):
            Service(settings(tmp_path))
        assert roll(service, "goes-on")[0] == 200


def test_a_camera_that_is_not_there(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = settings(tmp_path, camera=CameraConfig(backend="folder", folder=str(tmp_path / "no")))
    with running(config, reader=ScriptedReader()) as service:
        until(lambda: service.camera_status()["state"] == "fault")
        told(service, "camera", "There is no folder", caplog, page=False)
        assert "There is no folder" in ask(service, "/api/state")[1]["camera"]["message"]


@pytest.mark.parametrize("fault", ["missing", "changed"])
def test_a_model_that_is_missing_or_is_another(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import models

    folder = tmp_path / "models"
    shutil.copytree(Path(models.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    detector = folder / "detector.onnx"
    if fault == "missing":
        detector.unlink()
    else:
        content = bytearray(detector.read_bytes())
        content[len(content) // 2] ^= 1
        detector.write_bytes(content)
    with pytest.raises(ModelError, match="cannot be read" if fault == "missing" else "damaged or exchanged"):
        Reader(models=folder)
    monkeypatch.setattr("device.service.reader_maker", lambda _: lambda: Reader(models=folder))
    with running(settings(tmp_path / "home")) as service:
        until(lambda: not service.loading.loading)
        told(service, "model", "dice entered by hand", caplog)
        open_game(service)
        assert ask(service, "/api/proposal/hand", {})[0] == 200, "the game goes on"


def test_buttons_that_cannot_be_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    config = settings(tmp_path, panel=PanelConfig(driver="lgpio"))
    with running(config, reader=ScriptedReader()) as service:
        until(lambda: service.panel.problem is not None)
        told(service, "buttons", "the phones have the same buttons", caplog)


@contextlib.contextmanager
def with_buttons(
    home: Path, pictures: Path, pin_class: type[MockPin] = MockPin, **pins: Any
) -> Iterator[tuple[Service, MockFactory]]:
    """Run a table with a camera and with buttons on pins that a test moves."""
    factory = MockFactory(pin_class=pin_class)
    camera = CameraConfig(backend="folder", folder=str(pictures))
    config = settings(home, panel=PanelConfig(driver="mock", **pins), camera=camera)
    with running(config, reader=ScriptedReader(), pin_factory=factory) as service:
        open_game(service)
        until(lambda: service.camera_status()["state"] == "ready")
        yield service, factory


def test_a_button_on_a_pin_that_something_else_drives(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, pictures: Path
) -> None:
    with with_buttons(tmp_path / "home", pictures) as (service, pins):
        clock = pins.pin(27)

        def ticks() -> bool:
            for _ in range(RESTLESS):
                clock.drive_low()
                clock.drive_high()
            return service.panel.trouble is not None

        until(ticks)
        before = service.table.version
        told(service, "buttons", "confirms (pin 27) changes without end and is not heeded", caplog)
        assert service.table.version == before
        assert roll(service, "goes on")[0] == 200


def test_a_button_on_a_pin_that_is_always_low(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.panel.STUCK_S", 0.3)
    with with_buttons(tmp_path / "home", pictures, Grounded) as (service, _):
        until(lambda: service.panel.trouble is not None)
        told(service, "buttons", "seconds: it hangs, or its wires touch", caplog)
        assert service.station.proposal is None, "nobody pressed it"


def test_two_buttons_on_one_pin(tmp_path: Path, caplog: pytest.LogCaptureFixture, pictures: Path) -> None:
    with with_buttons(tmp_path / "home", pictures, confirm_pin=17) as (service, _):
        until(lambda: service.panel.problem is not None)
        told(service, "buttons", "Check the wiring and the pins in the settings", caplog)


def test_a_button_that_bounces_photographs_once_and_is_a_button_all_the_same(tmp_path: Path, pictures: Path) -> None:
    with with_buttons(tmp_path / "home", pictures) as (service, pins):
        contact = pins.pin(17)
        for _ in range(12):
            contact.drive_low()
            contact.drive_high()
        contact.drive_low()
        until(lambda: service.station.state == "proposal")
        assert len({path.name.split("-")[0] for path in service.photos.folder.iterdir()}) == 1
        assert service.health()["buttons"]["ok"]


NO_NETWORK = """
import fcntl, json, socket, struct, sys, urllib.request
from dataclasses import replace
from pathlib import Path
from device import logbook
from device.config import Config, WebConfig
from device.service import Service
from tests.device.conftest import ScriptedReader
with socket.socket() as wire:  # the machine's own loop is up, as it is on any that is on no network
    fcntl.ioctl(wire, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
home = Path(sys.argv[1])
logbook.begin(home, 1)
service = Service(replace(Config(home), web=WebConfig(host="0.0.0.0", port=0)), reader=ScriptedReader())
service.start()
page = service.addresses()[0]
asked = {path: urllib.request.urlopen(page + path).read().decode() for path in ("/healthz", "/status")}
service.stop()
print(json.dumps([asked, [line["message"] for line in logbook.lines(home)], service.addresses()]))
"""


@pytest.mark.hardware
def test_a_machine_on_no_network(tmp_path: Path) -> None:
    command = ["unshare", "--net", sys.executable, "-c", NO_NETWORK, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    if "unshare" in done.stderr and not done.stdout:
        pytest.skip("needs the right to leave the network")
    asked, log, addresses = json.loads(done.stdout.splitlines()[-1])
    words = "on no network, so phones cannot find it. The game can be played here"
    assert words in json.loads(asked["/healthz"])["network"]["message"]
    assert words in asked["/status"]
    assert [words in line for line in log if line.startswith("network: ")] == [True]
    assert addresses[0].startswith("http://127.0.0.1")


def test_a_button_and_a_phone_that_confirm_at_the_same_instant_make_one_move(tmp_path: Path, pictures: Path) -> None:
    import threading

    config = settings(tmp_path / "home", camera=CameraConfig(backend="folder", folder=str(pictures)))
    with running(config, reader=ScriptedReader()) as service:
        open_game(service)
        until(lambda: service.camera_status()["state"] == "ready")
        for number in range(8):
            before = service.table.version
            until(lambda: service.station.press())
            until(lambda: service.station.state == "proposal")
            proposal = ask(service, "/api/state")[1]["proposal"]
            sent = {**_now(service), "id": f"confirm-{number}", "proposal": proposal["id"]}
            together, answers = threading.Barrier(3), []

            def phone(sent: dict[str, Any] = sent, together: threading.Barrier = together) -> None:
                together.wait()
                answers.append(ask(service, "/api/proposal/confirm", sent)[0])  # noqa: B023  (read in this turn)

            def button(together: threading.Barrier = together) -> None:
                together.wait()
                service.station.confirm_by_button(at=float("inf"))

            threads = [threading.Thread(target=phone), threading.Thread(target=button), threading.Thread(target=phone)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert service.table.version == before + 1, answers
            assert set(answers) <= {200, 409, 422}
            service.table.undo()


def test_nothing_listens_but_the_one_port(tmp_path: Path) -> None:
    config = settings(tmp_path)
    with running(config, reader=ScriptedReader()) as service:
        listening = _sockets(os.getpid())
        assert service.port in listening
    assert listening - _sockets(os.getpid()) == {service.port}


def _sockets(process: int) -> set[int]:
    """Return the ports on which a process listens, TCP and UDP."""
    own = set()
    for handle in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(OSError):
            own.add(os.readlink(handle))
    found = set()
    for kind, listens in (("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")):
        for line in Path(f"/proc/net/{kind}").read_text(encoding="ascii").splitlines()[1:]:
            words = line.split()
            if words[3] == listens and f"socket:[{words[9]}]" in own:
                found.add(int(words[1].split(":")[1], 16))
    return found


def raw(port: int, content: bytes) -> bytes:
    """Return what the server answers to bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as wire:
        wire.sendall(content)
        found = b""
        with contextlib.suppress(TimeoutError):
            while more := wire.recv(65536):
                found += more
    return found


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (b"GET / HTTP/1.1\r\nbad header\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 262_150 + b"\r\n\r\n", b"431"),
        (b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000000\r\n\r\n", b"413"),
        (b"POST /api/photo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000000\r\n\r\n", b"413"),
        (b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", b"400"),
        (b"POST /api/undo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", b"501"),
        (b"GET /photos/..%2fjournal.sqlite3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /photos/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /static/..%2f..%2fapp.py HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /static/x/%2e%2e/%2e%2e/app.py HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", b"404"),
        (b"GET /api/state HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", b"421"),
        (b"GET http://evil.example/api/state HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n", b"421"),
    ],
)
def test_what_is_refused_on_the_wire_has_the_shape_and_the_headers_of_everything_else(
    one: Service, asked: bytes, status: bytes
) -> None:
    head, _, content = raw(one.port, asked).partition(b"\r\n\r\n")
    assert head.split()[1] == status
    for name in (b"Content-Security-Policy: default-src 'self'", b"X-Content-Type-Options: nosniff", b"no-store"):
        assert name in head
    assert b"waitress" not in head + content
    assert b"root:" not in content
    assert b"SQLite" not in content
    if b"application/json" in head:
        assert set(json.loads(content)["error"]) == {"code", "message", "field"}
    else:
        assert b"data-code=" in content


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(settings(tmp_path_factory.mktemp("one")), reader=ScriptedReader()) as service:
        yield service


def test_no_secret_is_in_the_log_the_exports_or_the_diagnostics(tmp_path: Path) -> None:
    code = "from device.cli import main; main()"
    port = free_port()
    shutil.copy(FIRST, tmp_path / "journal.sqlite3")
    game = read_events(tmp_path / "journal.sqlite3")[0].game_id
    (tmp_path / "settings.toml").write_text(f'web = {{ join_code = "SAMBA7", host = "127.0.0.1", port = {port} }}\n')
    environment = {**os.environ, "JURADO_HOME": str(tmp_path), "JOURNAL_STREAM": "9:1", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", code, "serve"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        address = f"http://127.0.0.1:{port}"
        until(lambda: _answers(address))
        urllib.request.urlopen(f"{address}/join?code=SAMBA7", timeout=20).close()
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/join?code=WRONG1", timeout=20).close()
        with urllib.request.urlopen(f"{address}/doctor/diagnostics.zip", timeout=120) as answer:
            packed = answer.read()
        exported = {}
        for path in ("/history.csv", f"/history/{game}.csv", f"/history/{game}.json", "/healthz"):
            with urllib.request.urlopen(address + path, timeout=20) as answer:
                exported[path] = answer.read().decode()
        backup = tmp_path / "backup.zip"
        subprocess.run([sys.executable, "-c", code, "backup", str(backup)], env=environment, check=True)
        process.send_signal(signal.SIGTERM)
        assert process.stdout is not None
        output = process.stdout.read()
    keys = json.loads((tmp_path / "keys.json").read_text(encoding="utf-8"))
    assert (tmp_path / "keys.json").stat().st_mode & 0o077 == 0
    texts = {
        "output": output,
        **exported,
        "log": (tmp_path / "log" / "jurado.jsonl").read_text(encoding="utf-8"),
    }
    texts |= _unzipped(packed)
    kept = _unzipped(backup.read_bytes())
    assert "join_code" in kept.pop("settings.toml"), "what its owner wrote is kept as it is"
    texts |= {f"backup: {name}": text for name, text in kept.items()}
    assert "jurado pin" in output
    assert len(texts) > 10
    secrets = ["SAMBA7", keys["pin"], keys["pin_id"], keys["join_code"], (tmp_path / "secret").read_bytes().hex()]
    for name, text in texts.items():
        for secret in secrets:
            assert secret.lower() not in text.lower(), name


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address + "/healthz", timeout=20).close()
    except OSError:
        return False
    return True


def _unzipped(packed: bytes) -> dict[str, str]:
    import io
    import zipfile

    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}


def test_a_folder_that_cannot_be_written_to_starts_nothing_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file in its place")
    with pytest.raises(JournalError, match="Make it writable, or name another folder"):
        Service(settings(tmp_path / "home"))
    assert logging.getLogger().level <= logging.WARNING


def test_what_was_confirmed_is_there_after_all_of_this(one: Service) -> None:
    open_game(one)
    assert roll(one, "last")[0] == 200
    assert [event.kind for event in read_events(one.config.journal)][-1] == "move"
