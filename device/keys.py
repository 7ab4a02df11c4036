"""What locks a table: the secret that signs cookies, the join code, the host's PIN; kept for this user's eyes only."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.game import GameError
from engine.words import say

KEYS_FILE = "keys.json"

CODE_LETTERS = "CFHJKMNPRTWXY34679"
"""Letters and digits of a join code. Left out are those that are taken for one another on a screen or aloud (0 O D Q,
1 I L, 2 Z, 5 S, 8 B, 6 G, U V), and A and E, so that no code spells a word."""

CODE_LENGTH = 5
PIN_LENGTH = 6


class Keys:
    """Join code and PIN of the table whose state lies in `home`, made at its first start; safe for threads.

    `fixed_code` is the join code that the settings name, empty where they name none. What is written by another
    process (`jurado pin --new`) counts from the next question on.
    """

    def __init__(self, home: Path, *, fixed_code: str = "") -> None:
        self._path = home / KEYS_FILE
        self._fixed_code = fixed_code
        self._lock = threading.Lock()
        self._read_of: tuple[int, int] | None = None
        self._kept: dict[str, Any] = {}
        self._now()

    @property
    def join_code(self) -> str:
        """What phones type to come in."""
        return self._fixed_code or str(self._now()["join_code"])

    @property
    def code_is_fixed(self) -> bool:
        """Whether the settings name the join code, so that no other can be made here."""
        return bool(self._fixed_code)

    @property
    def times_emptied(self) -> int:
        """How often all phones were sent away; a phone that came in before the last time is out."""
        return int(self._now()["times_emptied"])

    @property
    def pin(self) -> str:
        """What makes a phone that has joined the host's."""
        return str(self._now()["pin"])

    @property
    def pin_id(self) -> str:
        """A name of this very PIN, which tells nothing of it; another one after a new PIN."""
        return str(self._now()["pin_id"])

    def change_code(self, *, empty: bool) -> None:
        """Make a new join code, unless the settings fix it; `empty`: all phones that are in have to join again."""
        now = self._now()
        fresh = {} if self.code_is_fixed else {"join_code": _fresh_code()}
        self._write({**now, **fresh, "times_emptied": int(now["times_emptied"]) + empty})

    def change_pin(self) -> str:
        """Make a new PIN and return it; phones that were the host's by the old one are so no more."""
        self._write({**self._now(), **_fresh_pin()})
        return self.pin

    def _now(self) -> Mapping[str, Any]:
        with self._lock:
            try:
                found = os.stat(self._path)
                stamp = (found.st_mtime_ns, found.st_ino)
                if stamp != self._read_of:
                    self._kept = _checked(json.loads(self._path.read_text(encoding="utf-8")))
                    self._read_of = stamp
                return self._kept
            except FileNotFoundError:
                pass
            except (OSError, ValueError):
                # As good as no keys; but what stands there may help whoever looks for what went wrong.
                _moved_aside(self._path)
        self._write({"join_code": _fresh_code(), "times_emptied": 0, **_fresh_pin()})
        return self._kept

    def _write(self, keys: dict[str, Any]) -> None:
        with self._lock:
            write_private(self._path, json.dumps(keys, indent=1).encode())
            found = os.stat(self._path)
            self._read_of, self._kept = (found.st_mtime_ns, found.st_ino), keys


def _fresh_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _fresh_pin() -> dict[str, str]:
    return {"pin": f"{secrets.randbelow(10**PIN_LENGTH):0{PIN_LENGTH}d}", "pin_id": secrets.token_hex(8)}


def _checked(keys: Any) -> dict[str, Any]:
    """Return the content of the file. Raises `ValueError` when it is not what is written there."""
    kinds = {"join_code": str, "times_emptied": int, "pin": str, "pin_id": str}
    if not isinstance(keys, dict) or not all(isinstance(keys.get(name), kind) for name, kind in kinds.items()):
        raise ValueError("these are no keys of a table")
    return keys


def _moved_aside(path: Path) -> None:
    try:
        os.replace(path, path.with_name(f"keys-damaged-{secrets.token_hex(3)}.json"))
    except OSError as error:
        raise _unwritable(path.parent, error) from error


def secret_of(home: Path) -> bytes:
    """Return the secret that signs this table's cookies, made at the first start and kept for this user's eyes only.

    Raises `GameError` when the folder cannot be written to.
    """
    path = home / "secret"
    try:
        if path.exists() and len(known := path.read_bytes()) >= 32:
            return known
    except OSError as error:
        raise _unwritable(home, error) from error
    fresh = secrets.token_bytes(32)
    write_private(path, fresh)
    return fresh


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only this user may read, whole or not at all. Raises `GameError` when it cannot be written."""
    part = path.with_name(f".{path.name}.{secrets.token_hex(3)}")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                with contextlib.suppress(OSError):
                    # Root may write for the table's user, who has to read it afterwards.
                    before = os.stat(path)
                    os.fchown(file.fileno(), before.st_uid, before.st_gid)
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _unwritable(path.parent, error) from error


def _unwritable(home: Path, error: OSError) -> GameError:
    return GameError(
        "home_unwritable",
        say(
            "The folder {folder} cannot be used ({why}). The table was not started. "
            "Make it writable, or name another folder with JURADO_HOME.",
            folder=home,
            why=error.strerror,
        ),
    )
