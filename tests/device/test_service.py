"""The whole appliance put together: a real server, a real journal, real signals, a real systemd socket (ours)."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from device import service as service_module
from device.camera import PATIENCE, Camera, Frame
from device.camera.watched import MOST_LOST, Watched
from device.config import CameraConfig, Config, PanelConfig, WebConfig
from device.lamp import Lamp
from device.listening import MOST_LONG, MOST_OF_ONE, SENT, SPARE_THREADS, Listener
from device.notify import Watchdog, notify, watchdog_seconds
from device.service import Service
from engine.journal import JournalBusy, read_events
from tests.device.conftest import CARNAVALESCO_DICE, ScriptedReader
from tests.waiting import until


def settings(home: Path, **sections: Any) -> Config:
    return replace(Config(home), web=WebConfig(host="127.0.0.1", port=0), **sections)


@contextlib.contextmanager
def running(config: Config, **how: Any) -> Iterator[Service]:
    service = Service(config, **how)
    service.start()
    try:
        yield service
    finally:
        service.stop()


def ask(service: Service, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
    """Return the status and the JSON answer of a request to the table."""
    request = urllib.request.Request(
        service.addresses()[0] + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def open_game(service: Service) -> None:
    service.table.open_game("carnavalesco", {"players": [{"name": "Ana"}, {"name": "Bia"}]})


def proposal_of(service: Service) -> dict[str, Any]:
    until(lambda: service.station.state == "proposal", "the proposal")
    status, state = ask(service, "/api/state")
    assert status == 200
    return state["proposal"]


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    assert cv2.imwrite(str(folder / "roll.jpg"), np.full((240, 320, 3), 80, np.uint8))
    return folder


def test_from_a_button_to_a_turn_on_the_page(tmp_path: Path, pictures: Path) -> None:
    pins = MockFactory()
    config = settings(tmp_path / "home", camera=CameraConfig(backend="folder", folder=str(pictures)))
    with running(config, reader=ScriptedReader(), pin_factory=pins) as service:
        open_game(service)
        until(lambda: service.camera_status()["state"] == "ready")
        until(lambda: service.panel.shown is Lamp.READY)
        pins.pin(17).drive_low()
        proposal = proposal_of(service)
        assert [die["value"] for die in proposal["dice"]] == [die.value for die in CARNAVALESCO_DICE]
        assert service.panel.shown is Lamp.SURE
        with urllib.request.urlopen(service.addresses()[0] + proposal["photo"], timeout=20) as photo:
            assert photo.headers["Content-Type"] == "image/jpeg"
        status, state = ask(service, "/api/state")
        said = {"version": state["version"], "id": "confirming", "proposal": proposal["id"]}
        status, answer = ask(service, "/api/proposal/confirm", said)
        assert status == 200
        assert answer["state"]["game"]["view"]["phase"] == "take"
        assert service.panel.shown is Lamp.CONFIRMED
        until(lambda: service.panel.shown is Lamp.READY)
    assert read_events(config.journal)[-1].client_id == "confirming"


def test_health_says_what_works_and_what_does_not(tmp_path: Path) -> None:
    config = settings(
        tmp_path, camera=CameraConfig(backend="folder", folder=str(tmp_path / "no")), panel=PanelConfig(driver="lgpio")
    )
    with running(config, reader=ScriptedReader()) as service:
        until(lambda: service.panel.problem is not None)
        until(lambda: service.camera_status()["state"] == "fault")
        until(lambda: not service.loading.loading)
        status, health = ask(service, "/healthz")
        assert status == 200, "the page serves, whatever else is wrong"
        assert {name: health[name]["ok"] for name in ("camera", "buttons", "disk", "model", "journal")} == {
            "camera": False,
            "buttons": False,
            "disk": True,
            "model": True,
            "journal": True,
        }
        assert health["ok"] is False
        assert "There is no folder" in health["camera"]["message"]
        assert "phones have the same buttons" in health["buttons"]["message"]
        open_game(service)
        assert ask(service, "/api/capture", {})[0] == 202
        proposal = proposal_of(service)
        assert proposal["state"] == "failed"
        assert proposal["error"]["code"] == "camera_missing"
        assert ask(service, "/api/proposal/hand", {})[0] == 200
        assert proposal_of(service)["source"] == "hand"


class HangingCamera(Camera):
    """Opens, and then never answers again."""

    name = "hanging camera"

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def open(self) -> None:
        pass

    def capture(self, after: float, *, timeout: float = PATIENCE) -> Frame:
        self.let_go.wait(60)
        raise RuntimeError("too late")

    def close(self) -> None:
        pass


def test_a_camera_that_hangs_leaves_the_page_alive_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = HangingCamera()
    monkeypatch.setattr(service_module, "camera_for", lambda *_: Watched(lambda: camera, name="Pi camera 0"))
    config = settings(tmp_path, camera=CameraConfig(backend="picamera", timeout_s=0.6))
    with running(config, reader=ScriptedReader()) as service:
        open_game(service)
        until(lambda: service.camera_status()["state"] == "ready")
        version = ask(service, "/api/state")[1]["version"]
        assert ask(service, "/api/capture", {})[0] == 202
        assert ask(service, "/api/state")[1]["proposal"]["state"] == "capturing", "the page answers meanwhile"
        proposal = proposal_of(service)
        assert proposal["error"]["code"] == "camera_timeout"
        assert "did not answer within 0.6 s" in proposal["error"]["message"]
        assert ask(service, "/api/state")[1]["version"] > version
        assert ask(service, "/api/proposal/hand", {})[0] == 200
        camera.let_go.set()


@pytest.mark.parametrize("supervised", [True, False])
def test_a_camera_that_hangs_for_good_ends_a_table_that_is_started_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supervised: bool
) -> None:
    if supervised:
        monkeypatch.setenv("WATCHDOG_USEC", "30000000")
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
    monkeypatch.setattr(service_module, "YOUNG_S", 60.0)
    cameras: list[HangingCamera] = []

    def make() -> Camera:
        cameras.append(HangingCamera())
        return cameras[-1]

    monkeypatch.setattr(service_module, "camera_for", lambda *_: Watched(make, name="Pi camera 0", pace=0.01))
    config = settings(tmp_path, camera=CameraConfig(backend="picamera", timeout_s=0.5, rest_s=0, frames=1))
    with running(config, reader=ScriptedReader()) as service:
        open_game(service)
        for count in range(1, MOST_LOST + 1):
            until(lambda count=count: len(cameras) == count and service.camera_status()["state"] == "ready")
            assert service.station.press()
            assert proposal_of(service)["state"] == "failed"
            service.station.discard()
        assert service.camera.lost
        assert not service.failed, "it has only just begun: ended so soon, it would not be started for long"
        service._since -= 59.5
        service._give_up()
        if supervised:
            service.wait()
        assert service.failed is supervised
        for camera in cameras:
            camera.let_go.set()


def test_a_table_with_nothing_attached_is_a_healthy_table(tmp_path: Path) -> None:
    with running(settings(tmp_path), reader=ScriptedReader()) as service:
        until(lambda: service.panel.problem is not None)
        until(lambda: not service.loading.loading)
        health = service.health()
        assert health["ok"] is True
        assert health["camera"]["state"] == "none"
        assert health["buttons"]["state"] == "off"


def test_the_demo_shows_rendered_dice_of_the_roll_that_is_waited_for(tmp_path: Path) -> None:
    reader = ScriptedReader()
    with running(settings(tmp_path), demo=True, reader=reader) as service:
        open_game(service)
        until(lambda: service.camera_status()["state"] == "ready")
        assert ask(service, "/api/capture", {})[0] == 202
        proposal = proposal_of(service)
        assert proposal["state"] == "ready"
        picture = cv2.imread(str(tmp_path / proposal["photo"].lstrip("/")))
        assert picture.std() > 5, "something is drawn"
        assert reader.expects is not None
        assert reader.expects.count == 12


def test_a_second_table_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    with running(settings(tmp_path), reader=ScriptedReader()), pytest.raises(JournalBusy, match="already using"):
        Service(settings(tmp_path))


def test_a_port_that_is_taken_is_an_os_error(tmp_path: Path) -> None:
    with running(settings(tmp_path / "one"), reader=ScriptedReader()) as first:
        config = replace(Config(tmp_path / "two"), web=WebConfig(host="127.0.0.1", port=first.port))
        second = Service(config)
        with pytest.raises(OSError, match="in use"):
            second.start()
        second.stop()


def test_a_host_that_is_not_this_machine_is_an_os_error() -> None:
    with pytest.raises(OSError, match="no address"):
        Listener(lambda *_: [], host="no such host", port=0, live_clients=1, upload_mb=1)


def test_a_stream_that_stays_open_does_not_keep_what_it_has_sent() -> None:
    piece, count = b"x" * 30_000, 300
    all_read = threading.Event()

    def app(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        for _ in range(count):
            yield piece
        all_read.wait(30)

    listener = Listener(app, host="127.0.0.1", port=0, live_clients=1, upload_mb=1)
    listener.start()
    try:
        wire = http.client.HTTPConnection("127.0.0.1", listener.port, timeout=30)
        wire.request("GET", "/")
        assert len(wire.getresponse().read(count * len(piece))) == count * len(piece)
        (channel,) = listener._server.active_channels.values()
        kept = sum(len(one.buf.getfile().getvalue()) for one in channel.outbufs if one.buf is not None)
        assert kept < 2 * SENT
    finally:
        all_read.set()
        listener.stop()


@contextlib.contextmanager
def listening(app: Any) -> Iterator[Listener]:
    listener = Listener(app, host="127.0.0.1", port=0, live_clients=1, upload_mb=25, long=("/photo",))
    listener.start()
    try:
        yield listener
    finally:
        listener.stop()


def plain(environ: dict[str, Any], start_response: Any) -> Any:
    """Answers a megabyte, or as many bytes as the path says; `/stream` without end, a piece at a time."""
    path = environ["PATH_INFO"].removeprefix("/")
    if path == "stream":
        start_response("200 OK", [("Content-Type", "text/event-stream")])
        return itertools.repeat(b"x" * 100_000)
    content = b"x" * (int(path) if path.isdigit() else 1_000_000)
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(content)))])
    return [content]


def connected(listener: Listener, asked: bytes, source: str = "127.0.0.1") -> socket.socket:
    """Return a connection that asked for something and reads nothing of it."""
    wire = socket.socket()
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    wire.bind((source, 0))
    wire.settimeout(30)
    wire.connect(("127.0.0.1", listener.port))
    wire.sendall(asked)
    return wire


def answered(listener: Listener) -> bool:
    with contextlib.suppress(OSError), contextlib.closing(connected(listener, b"GET /5 HTTP/1.0\r\n\r\n")) as wire:
        wire.settimeout(2)
        return wire.recv(1000).startswith(b"HTTP/1.0 200")
    return False


def test_whoever_asks_again_before_the_answer_came_is_hung_up_on_and_holds_no_thread() -> None:
    with listening(plain) as listener:
        greedy = [connected(listener, b"GET / HTTP/1.1\r\n\r\n" * 100) for _ in range(SPARE_THREADS + 4)]
        until(lambda: answered(listener), "an answer for somebody else")
        for wire in greedy:
            came = 0
            with contextlib.suppress(ConnectionResetError):
                while more := wire.recv(1_000_000):
                    came += len(more)
            assert came < 10_000_000
            wire.close()


def test_a_stream_that_nobody_reads_gives_its_thread_back(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(plain) as listener:
        asleep = [connected(listener, b"GET /stream HTTP/1.1\r\n\r\n") for _ in range(SPARE_THREADS + 1)]
        until(lambda: not answered(listener), "that every thread is held")
        monkeypatch.setattr("device.listening.QUIET_S", 0.5)
        until(lambda: answered(listener), "an answer")
        for wire in asleep:
            wire.close()


def test_a_connection_is_closed_when_it_was_quiet_whatever_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(plain) as listener:
        wire = connected(listener, b"GET /5 HTTP/1.1\r\n\r\n")
        until(lambda: wire.recv(1000, socket.MSG_PEEK).endswith(b"xxxxx"))
        monkeypatch.setattr("waitress.server.time.time", lambda: 0.0)
        monkeypatch.setattr("device.listening.QUIET_S", 0.5)
        until(lambda: wire.recv(1000) == b"", "the end")
        wire.close()


def test_one_device_has_so_many_connections_and_others_come_in_all_the_same() -> None:
    with listening(plain) as listener:
        greedy = [connected(listener, b"", "127.0.0.2") for _ in range(MOST_OF_ONE)]
        until(lambda: len(listener._server.active_channels) == MOST_OF_ONE)
        refused = connected(listener, b"", "127.0.0.2")
        assert refused.recv(1) == b""
        other = connected(listener, b"GET /5 HTTP/1.0\r\n\r\n", "127.0.0.3")
        assert other.recv(1000).startswith(b"HTTP/1.0 200")
        assert answered(listener)
        for wire in (*greedy, refused, other):
            wire.close()


def test_so_many_photographs_are_taken_in_at_once_and_more_are_told_to_wait() -> None:
    asked = b"POST /photo HTTP/1.1\r\nContent-Length: 5000000\r\n\r\n"
    with listening(plain) as listener:
        slow = [connected(listener, asked) for _ in range(MOST_LONG)]
        until(lambda: [one.request is not None for one in _channels(listener)] == [True] * MOST_LONG)
        refused = connected(listener, asked)
        with http.client.HTTPResponse(refused, method="POST") as answer:
            answer.begin()
            assert answer.status == 503
            assert json.load(answer)["error"]["code"] == "busy"
        slow.pop().close()
        until(lambda: len(_channels(listener)) == MOST_LONG - 1)
        whole = connected(listener, asked + bytes(5_000_000))
        assert whole.recv(5000).startswith(b"HTTP/1.1 200")
        for wire in (*slow, refused, whole):
            wire.close()


def _channels(listener: Listener) -> list[Any]:
    return list(listener._server.active_channels.values())


def test_addresses_give_the_number_first_and_leave_out_the_usual_port(tmp_path: Path) -> None:
    service = Service(replace(Config(tmp_path), web=WebConfig(host="0.0.0.0", port=80)))
    addresses = service.addresses()
    assert addresses[0].startswith("http://")
    assert addresses[0].removeprefix("http://").replace(".", "").isdigit()
    service.journal.close()


@pytest.fixture
def systemd(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[socket.socket]:
    """The socket on which systemd would listen."""
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(address))
        listening.settimeout(20)
        monkeypatch.setenv("NOTIFY_SOCKET", str(address))
        yield listening


def test_the_watchdog_is_fed_only_while_the_table_lives(
    systemd: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    alive, asked = True, []
    monkeypatch.setenv("WATCHDOG_USEC", "60000")
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))

    def lives() -> bool:
        asked.append(alive)
        return alive

    watchdog = Watchdog(lives)
    watchdog.start()
    assert systemd.recv(100) == b"WATCHDOG=1"
    alive = False
    asked.clear()
    until(lambda: len(asked) >= 3)
    watchdog.stop()
    systemd.settimeout(0.01)
    with contextlib.suppress(TimeoutError):
        # What was sent while it still lived may wait in the socket, but no more than that.
        for _ in range(3):
            systemd.recv(100)
    asked.clear()
    with pytest.raises(TimeoutError):
        systemd.recv(100)


def test_without_systemd_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
        monkeypatch.delenv(name, raising=False)
    assert notify("READY=1") is False
    assert watchdog_seconds() is None
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    assert notify("READY=1") is False
    monkeypatch.setenv("WATCHDOG_USEC", "30000000")
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert watchdog_seconds() is None, "meant for another process"


def test_a_station_that_hangs_is_noticed(tmp_path: Path) -> None:
    service = Service(settings(tmp_path), reader=ScriptedReader())
    assert service.station.silent_for < 60
    service.station.close()
    assert service.station.silent_for == float("inf")
    service.journal.close()


SERVE = """
import sys
from dataclasses import replace
from pathlib import Path
from device.config import Config, WebConfig
from device.service import serve

config = replace(Config(Path(sys.argv[1])), web=WebConfig(host="127.0.0.1", port=0))
serve(config, ready=lambda addresses, code, pin: print(addresses[0], code, pin, flush=True))
print("stopped", flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_table_in_good_order(tmp_path: Path, systemd: socket.socket, number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path / "home")], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address, code, pin = process.stdout.readline().split()
        assert systemd.recv(100).startswith(b"READY=1")
        with urllib.request.urlopen(address + "/healthz", timeout=20) as health:
            assert json.load(health)["disk"]["ok"] is True
        assert (len(code), len(pin)) == (5, 6)
        process.send_signal(number)
        assert systemd.recv(100) == b"STOPPING=1"
        assert process.stdout.read().strip() == "stopped"
        assert process.wait(20) == 0


def test_what_is_imported_before_the_page_listens_is_light() -> None:
    heavy = "cv2 onnxruntime gpiozero picamera2 torch selenium"
    script = f"import sys, device.service; print([name for name in {heavy.split()!r} if name in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"
