"""The composition root: builds everything of one table, starts it, supervises it, and talks to systemd."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device import health, logbook, memory
from device.backup import Elsewhere
from device.calibration import Calibrations
from device.calibrator import Calibrator
from device.camera.choice import NoCamera, camera_for
from device.camera.watched import CameraState, Watched
from device.config import Config
from device.darkroom import Shooting
from device.diagnosis import Diagnosis
from device.keys import Keys, secret_of
from device.listening import Listener, try_to_listen
from device.loading import LoadingReader, Reads
from device.naming import NamingReader, to_known
from device.notify import Watchdog, notify, watchdog_seconds
from device.panel import Panel
from device.photos import PhotoRing
from device.power import Power
from device.station import Station, expected
from device.taught import FOLDER
from device.teaching import Teaching
from device.trial import Trial
from device.troubles import Troubles
from engine.game import Expectation
from engine.journal import LOCK, Journal, hold_folder
from engine.table import Table
from engine.words import say

log = logging.getLogger(__name__)

CAMERA_LOST = 75
"""Exit status of a table whose camera hangs for good (EX_TEMPFAIL of sysexits.h)."""

YOUNG_S = 75.0
"""Seconds that a table runs at least before it ends for such a camera: of those that end sooner and sooner, systemd
starts no more than five within five minutes, and the game can do without a camera but not without a table."""

SILENT = 90.0
"""Seconds of work without a sign after which the station counts as hung; loading the models takes up to a minute."""

Ready = Callable[[Sequence[str], str, str], None]
"""Is told the addresses for phones, the best first, the join code, and the host's PIN."""


class Service:
    """One table: journal, rules, camera, reader, panel and page. `start` listens at once; slow things follow."""

    def __init__(
        self,
        config: Config,
        *,
        demo: bool = False,
        reader: Reads | None = None,
        pin_factory: Any = None,
    ) -> None:
        if demo:
            config = replace(config, camera=replace(config.camera, backend="rendered"))
        self.config = config
        self.journal = Journal(config.journal, now=now, backups=config.backup.keep)
        if config.backup.also_in:
            self.journal.after_backup = Elsewhere(Path(config.backup.also_in).expanduser(), config.backup.keep).copy
        self.table = Table(self.journal)
        calibrations = Calibrations(config.home)
        self.camera: Watched | NoCamera = camera_for(
            config.camera, self._expected, lambda identity: calibrations.of(identity).controls
        )
        self.loading = LoadingReader(reader_maker(config.reader.threads) if reader is None else lambda: reader)
        self.photos = PhotoRing(config.home / "photos", megabytes=config.photos.megabytes)
        self.teaching = Teaching(
            config.home / FOLDER,
            self.loading,
            self.photos.folder,
            lambda: self.table.tints,
            corrections=config.reader.teach_corrections,
        )
        reading = NamingReader(self.loading, lambda: self.table.tints, lambda: self.teaching.colours)
        self.calibrator = Calibrator(
            calibrations,
            self.camera,
            self.loading,
            now=now,
            patience=config.camera.timeout_s,
            changed=lambda: self.station.touch(),
        )
        self.station = Station(
            self.table,
            self.camera,
            reading,
            self.photos,
            patience=config.camera.timeout_s,
            teaching=self.teaching,
            shooting=Shooting(config.camera.frames, config.camera.rest_s),
            knows=self.calibrator,
        )
        self.panel = Panel(
            self.station, config.panel, power=Power.of_service(), pin_factory=pin_factory, faulty=self._faulty
        )
        self.trial = Trial(self.camera, self.loading, self.panel, patience=config.camera.timeout_s)
        self.keys = Keys(config.home, fixed_code=config.web.join_code)
        self.watchdog = Watchdog(self._alive)
        self.troubles = Troubles(self.health, lambda: self.station.touch())
        self.app = self._app()
        self._listener: Listener | None = None
        self._waking: threading.Thread | None = None
        self._stopped = threading.Event()
        self._since = time.monotonic()
        self._ending: threading.Timer | None = None
        self.failed = False
        """Whether it ends because something hangs that only another process can use again."""

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return self.config.web.port if self._listener is None else self._listener.port

    def addresses(self) -> list[str]:
        """Return the addresses of the page for phones, the best first: by number, since names fail on some phones."""
        host, port = self.config.web.host, "" if self.port == 80 else f":{self.port}"
        if host not in ("", "0.0.0.0", "::"):
            return [f"http://{f'[{host}]' if ':' in host else host}{port}"]
        from webui.address import lan_address

        number = lan_address()
        hosts = [number or "127.0.0.1"]
        name = socket.gethostname().split(".")[0]
        if number is not None and name and name != "localhost":
            hosts.append(f"{name}.local")
        return [f"http://{host}{port}" for host in hosts]

    def start(self) -> None:
        """Listen, then start camera, reader and panel in the background. Raises `OSError` when it cannot listen."""
        from webui.guard import HEADERS, LONG_BODIES

        web = self.config.web
        self._listener = Listener(
            self.app,
            host=web.host,
            port=web.port,
            live_clients=web.live_clients,
            upload_mb=web.upload_mb,
            long=LONG_BODIES,
            headers=HEADERS,
        )
        self._listener.start()
        self.camera.subscribe(self.station.touch)
        self.camera.subscribe(self._give_up)
        self.camera.subscribe(self.troubles.wake)
        self.loading.subscribe(self.station.touch)
        self.loading.subscribe(self.troubles.wake)
        self.station.subscribe(self.panel.show)
        self.watchdog.start()
        self.troubles.start()
        self._waking = threading.Thread(target=self._wake, name="waking", daemon=True)
        self._waking.start()

    def _expected(self) -> Expectation | None:
        """Return the dice that are waited for, in the colour names that everybody knows."""
        return to_known(expected(self.table.now()), self.table.tints)

    def _wake(self) -> None:
        """Start what takes long, the cheapest first."""
        self.panel.open()
        self.panel.start()
        self.camera.open()
        if not self._stopped.is_set():
            self.loading.start()
        self.station.touch()
        self.troubles.wake()

    def _give_up(self) -> None:
        """End, where systemd starts the table anew: a camera that hangs for good answers another process only."""
        if not self.camera.lost or watchdog_seconds() is None or self._stopped.is_set():
            return
        if (wait := self._since + YOUNG_S - time.monotonic()) > 0:
            if self._ending is None or not self._ending.is_alive():
                self._ending = threading.Timer(wait, self._give_up)
                self._ending.daemon = True
                self._ending.start()
            return
        log.error("the camera hangs for good; the table ends, to be started anew")
        self.failed = True
        self.ask_to_stop()

    def wait(self) -> None:
        """Return when `stop` was asked for."""
        # In slices: a signal that comes just before a wait begins is only heard when that wait ends.
        while not self._stopped.wait(0.5):
            pass

    def ask_to_stop(self, *_: object) -> None:
        """Let `wait` return; made for signal handlers."""
        self._stopped.set()

    def stop(self) -> None:
        """Let everything go in good order. What is confirmed is on the disk already."""
        self._stopped.set()
        if self._ending is not None:
            self._ending.cancel()
        self.watchdog.stop()
        self.troubles.stop()
        self.app.extensions["jurado"].streams.close()
        self.station.touch()
        if self._listener is not None:
            self._listener.stop()
        self.station.close()
        self.teaching.close()
        self.camera.close()
        if self._waking is not None:
            self._waking.join(SILENT)
        self.loading.close()
        self.journal.close()
        # The last thing: once the lamp is dark, nothing of a game is still to be written.
        self.panel.close()

    def camera_status(self) -> dict[str, Any]:
        """Return how the camera stands, as phones see it."""
        status = self.camera.status
        return {"state": status.state.value, "message": status.message, "name": status.name}

    def health(self) -> dict[str, Any]:
        """Return what works and what does not: camera, buttons, disk, model, journal…, each with a sentence."""
        from webui.address import lan_address

        parts = {
            "camera": self._camera_health(),
            "calibration": self.calibrator.health(),
            "buttons": self._buttons_health(),
            "disk": health.disk(self.config.home),
            "photos": health.photographs(self.photos),
            "model": self._model_health(),
            "journal": health.journal((self.table.notice, self.journal.problem)),
            "clock": health.clock(self.journal.newest_at, now()),
            "network": health.network(self.config.web.host, lan_address()),
        }
        return {"ok": all(part["ok"] for part in parts.values()), **parts}

    def _camera_health(self) -> dict[str, Any]:
        status = self.camera_status()
        good = status["state"] != CameraState.FAULT
        message = status["message"] or (
            say("No camera is set up. Phones can send photographs.")
            if status["state"] == CameraState.NONE
            else say("Ready.")
        )
        return {"ok": good, **status, "message": message}

    def _buttons_health(self) -> dict[str, Any]:
        if self.panel.problem is not None:
            off = self.config.panel.driver == "off"
            return {"ok": off, "state": "off" if off else "fault", "message": self.panel.problem}
        if self.panel.trouble is not None:
            return {"ok": False, "state": "fault", "message": self.panel.trouble}
        return {"ok": True, "state": "on", "message": say("Ready.")}

    def _model_health(self) -> dict[str, Any]:
        if self.loading.error is not None:
            return {"ok": False, "state": "fault", "message": self.loading.error.message}
        if self.loading.loading:
            return {"ok": True, "state": "loading", "message": say("The models are loading.")}
        return {"ok": True, "state": "ready", "message": say("Ready.")}

    def _alive(self) -> bool:
        return self.station.silent_for < SILENT and self._listener is not None and self._listener.alive

    def _faulty(self) -> bool:
        return self.camera.status.state is CameraState.FAULT or self.loading.error is not None

    def _app(self) -> Any:
        from webui import create_app
        from webui.settings import WebSettings

        web = self.config.web
        return create_app(
            table=self.table,
            station=self.station,
            settings=WebSettings(
                trust_loopback=web.trust_loopback,
                hosts=web.hosts,
                live_clients=web.live_clients,
                upload_mb=web.upload_mb,
                language=web.language,
                leads_to_setup=self.config.camera.backend != "rendered",
            ),
            health=self.health,
            trouble=lambda: self.troubles.sentences,
            photos=self.photos.folder,
            teaching=self.teaching,
            trial=self.trial,
            calibrator=None if isinstance(self.camera, NoCamera) else self.calibrator,
            markers=sheet,
            diagnosis=Diagnosis(self.config, self.health),
            keys=self.keys,
            secret=secret_of(self.config.home),
            camera=self.camera_status,
            addresses=self.addresses,
        )


def build(config: Config, *, demo: bool = False) -> Service:
    """Return one table, not yet started. Raises `GameError` when its journal cannot be used."""
    return Service(config, demo=demo)


def serve(config: Config, *, demo: bool = False, ready: Ready | None = None) -> None:
    """Run a table until it is told to stop (Ctrl-C, or SIGTERM from systemd).

    Raises `GameError` when the journal cannot be used, `OSError` when the page cannot listen; no new
    folder is left of a table that was not started.
    """
    if (config.home / LOCK).exists():
        hold_folder(config.home).close()
    try_to_listen(config.web.host, config.web.port)
    memory.begin()
    logbook.begin(config.home, config.log.megabytes)
    service = build(config, demo=demo)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, service.ask_to_stop)
    try:
        service.start()
    except BaseException:
        service.stop()
        raise
    notify("READY=1\nSTATUS=The table is open.")
    if ready is not None:
        ready(service.addresses(), service.keys.join_code, service.keys.pin)
    service.wait()
    notify("STOPPING=1")
    service.stop()
    if service.failed:
        sys.exit(CAMERA_LOST)


def reader_maker(threads: int) -> Callable[[], Reads]:
    """Return what builds the real reader; it imports onnxruntime, so it runs in the background."""

    def make() -> Reads:
        import numpy as np

        from vision.reader import Reader

        reader = Reader(threads=threads)
        # The first reading of all takes longer than the others; better now than at the first press.
        reader.read(np.zeros((480, 640, 3), np.uint8))
        return reader

    return make


def sheet(kind: str) -> bytes:
    """Return the sheet of markers as `pdf` or `png`."""
    # OpenCV takes long to load, and the first page need not wait for it.
    from device.markers import sheet_pdf, sheet_png

    return sheet_pdf() if kind == "pdf" else sheet_png()


def now() -> str:
    """Return the present moment as ISO 8601 text."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
