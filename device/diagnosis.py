"""All that helps somebody far away to see what is wrong, in one file: no names, no codes, photographs if wanted."""

from __future__ import annotations

import contextlib
import io
import json
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from device import logbook
from device.calibration import Calibrations
from device.checkup import model
from device.config import FILE_NAME, Config
from device.doctor import needs
from device.keys import KEYS_FILE
from engine.journal import JournalError, read_events

SECRET = ("join_code", "hosts")
"""Settings that are nobody's business."""

PHOTOGRAPHS = 5
"""The last ones that are put in where they are wanted."""

LINES = 400
"""Of the log."""


class Diagnosis:
    """Looks at one table's machine; `health` returns the health document of one that runs."""

    def __init__(self, config: Config, health: Callable[[], dict[str, Any]] | None = None) -> None:
        self._config = config
        self._health = health

    def findings(self) -> list[dict[str, Any]]:
        """Return everything that was looked at, as JSON."""
        return [finding.as_json() for finding in needs(self._config)]

    def packed(self, *, photos: bool = False) -> bytes:
        """Return it all as a ZIP file, with the last `photos` where they are wanted."""
        held = io.BytesIO()
        names = self._names()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
            for name, text in self._texts().items():
                file.writestr(name, _without(names, self._without_secrets(text)))
            for path in self._photographs() if photos else ():
                file.write(path, f"photographs/{path.name}")
        return held.getvalue()

    def _texts(self) -> dict[str, str]:
        about = {
            "machine": model(),
            "system": platform.platform(),
            "python": sys.version,
            "libraries": dict(sorted((one.name, one.version) for one in distributions())),
        }
        texts = {
            "findings.json": json.dumps(self.findings(), indent=1),
            "machine.json": json.dumps(about, indent=1),
            "settings.toml": self._settings(),
            "log.txt": self._log(),
        }
        if self._health is not None:
            texts["health.json"] = json.dumps(self._health(), indent=1, default=str)
        for path in Calibrations(self._config.home).all():
            known = json.loads(path.read_text(encoding="utf-8"))
            # The empty tray is a photograph of somebody's room.
            known.pop("empty", None)
            texts[f"cameras/{path.name}"] = json.dumps(known, indent=1)
        return texts

    def _log(self) -> str:
        """Return the end of the table's own log, else of the service's."""
        known = logbook.lines(self._config.home, LINES)
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in known) or log_lines()

    def _without_secrets(self, text: str) -> str:
        """Leave out join code, PIN and what signs cookies, wherever they stand."""
        secrets = [self._config.web.join_code]
        with contextlib.suppress(OSError, ValueError):
            keys = json.loads((self._config.home / KEYS_FILE).read_text(encoding="utf-8"))
            secrets += [str(value) for value in keys.values() if isinstance(value, str)]
        for secret in filter(None, secrets):
            text = re.sub(re.escape(secret), "(left out)", text, flags=re.IGNORECASE)
        return text

    def _settings(self) -> str:
        try:
            text = (self._config.home / FILE_NAME).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return "# There is no settings file.\n"
        return re.sub(rf"(?m)^(\s*(?:{'|'.join(SECRET)})\s*=).*$", r"\1 … (left out)", text)

    def _photographs(self) -> list[Path]:
        found = sorted((self._config.home / "photos").glob("*.jpg"))
        return [path for path in found if path.stem.count("-") == 1][-PHOTOGRAPHS:]

    def _names(self) -> list[str]:
        """Return the names of everybody who ever played here, the longest first."""
        try:
            events = read_events(self._config.journal)
        except JournalError:
            return []
        return sorted({name for event in events for name in _names_in(event.payload)}, key=len, reverse=True)


def _names_in(value: Any) -> Iterator[str]:
    """Yield what stands under `name` anywhere in a document."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key == "name" and isinstance(part, str) and part.strip():
                yield part
            yield from _names_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from _names_in(part)


def _without(names: Sequence[str], text: str) -> str:
    for number, name in enumerate(names, 1):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"player {number}", text)
    home = str(Path.home())
    return text if home in ("/", "/root") else text.replace(home, "~")


def log_lines() -> str:
    """Return the end of the service's log; why there is none, where there is none."""
    if shutil.which("journalctl") is None:
        return "There is no journalctl here.\n"
    command = ["journalctl", "-u", "jurado", "-n", str(LINES), "--no-pager", "--output", "short-iso"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    # The start prints the codes by which one comes in.
    kept = [line for line in done.stdout.splitlines() if "join code" not in line and "PIN" not in line]
    return "\n".join(kept) + "\n" if kept else f"The log is empty here ({done.stderr.strip()}).\n"
