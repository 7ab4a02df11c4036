"""The table's log: for people on standard error, and as JSON lines in a file that never grows beyond its size."""

from __future__ import annotations

import contextlib
import json
import logging
import logging.handlers
import os
from datetime import UTC, datetime
from pathlib import Path

FOLDER, NAME = "log", "jurado.jsonl"
FILES = 3
"""Files that the log is spread over; the oldest goes when the newest is full."""


class JsonLines(logging.Formatter):
    """One JSON object a line: `at` (ISO 8601, UTC), `level`, `part`, `message`, and `trace` where something broke."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "part": record.name, "message": record.getMessage()}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class Capped(logging.handlers.RotatingFileHandler):
    """A file that is given up in silence while the disk is full: what cannot be logged must not stop a game."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (the name is the library's)
        if self.stream is not None:
            with contextlib.suppress(OSError):
                self.stream.close()
            self.stream = None


def begin(home: Path, megabytes: float) -> Path | None:
    """Log from now on, into `home` as well; return that file, or None where none can be written."""
    # How many requests wait for a thread, and that a phone went away before it was answered, says nothing to people and
    # would be most of the log.
    logging.getLogger("waitress").setLevel(logging.WARNING)
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    logging.root.handlers = [one for one in logging.root.handlers if not isinstance(one, logging.NullHandler)]
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    path = home / FOLDER / NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o750)
        size = int(megabytes * 1_000_000 / FILES)
        handler = Capped(path, maxBytes=size, backupCount=FILES - 1, encoding="utf-8", errors="replace")
    except OSError as error:
        # Where the folder itself cannot be used, no table starts, and says why.
        if os.access(home, os.W_OK):
            logging.getLogger(__name__).warning("no log can be written to %s (%s)", path, error.strerror)
        return None
    handler.setFormatter(JsonLines())
    logging.getLogger().addHandler(handler)
    return path


def lines(home: Path, most: int = 200) -> list[dict[str, str]]:
    """Return the newest lines of the log in `home`, oldest first."""
    found: list[dict[str, str]] = []
    for path in sorted((home / FOLDER).glob(f"{NAME}*"), reverse=True):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        for line in text.splitlines():
            try:
                one = json.loads(line)
            except ValueError:
                continue
            if isinstance(one, dict):
                found.append(one)
    return found[-most:]
