"""The door: the join code lets a phone in, the host's PIN makes it the host's; guessing either takes ever longer."""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Callable, MutableMapping
from typing import Any, Protocol

from engine.words import say, say_many
from webui.errors import WebError
from webui.tries import Tries

HOST_S = 12 * 3600
"""Seconds for which a phone stays the host's after its PIN was typed."""


class Keys(Protocol):
    """What the table is locked with, kept beside its state."""

    @property
    def join_code(self) -> str: ...
    @property
    def code_is_fixed(self) -> bool: ...
    @property
    def times_emptied(self) -> int: ...
    @property
    def pin(self) -> str: ...
    @property
    def pin_id(self) -> str: ...
    def change_code(self, *, empty: bool) -> None: ...


LONGEST = 40
"""Characters of what was typed that are looked at."""


def normal_code(text: str) -> str:
    """Return a join code or PIN as it is compared: capital letters, no spaces or dashes."""
    return "".join(letter for letter in text[:LONGEST].upper() if letter.isalnum())


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(normal_code(given).encode(), normal_code(wanted).encode())


class Door:
    """Checks join code and PIN, and writes into a phone's cookie what it came in by. `clock` counts seconds."""

    def __init__(self, keys: Keys, clock: Callable[[], float]) -> None:
        self.keys = keys
        self._lock = threading.Lock()
        self._codes = Tries(clock, free=6, wait_s=60, longest_s=900, most=60, window_s=60)
        # Any page on the internet can have a phone of the house ask for an address, but not send a form: so codes in
        # addresses are counted by themselves, and what is typed is not kept waiting by them.
        self._linked = Tries(clock, free=6, wait_s=60, longest_s=900, most=60, window_s=60)
        self._pins = Tries(clock, free=4, wait_s=30, longest_s=3600, most=40, window_s=3600)

    def enter(
        self, cookie: MutableMapping[str, Any], table_id: str, given: str, address: str, *, linked: bool = False
    ) -> None:
        """Let the phone of this cookie in. Raises `WebError` when that is not the code, or `address` has to wait.

        `linked`: the code stood in the address that was asked for.
        """
        tries = self._linked if linked else self._codes
        with self._lock:
            _must_not_wait(tries.wait(address), say("Too many wrong join codes."))
            if not _same(given, self.keys.join_code):
                tries.wrong(address)
                raise WebError(
                    403,
                    "wrong_code",
                    say(
                        "That is not this table's join code. You can watch meanwhile. Look at the table's screen or "
                        "status page for the code."
                    ),
                    field="code",
                )
            tries.right(address)
        if not self.knows(cookie, table_id):
            cookie.clear()
        self.stamp(cookie, table_id)

    def stamp(self, cookie: MutableMapping[str, Any], table_id: str) -> None:
        """Write into the cookie that this phone is in at this table, as it is locked now."""
        cookie["table"] = table_id
        cookie["door"] = self.keys.times_emptied

    def knows(self, cookie: MutableMapping[str, Any], table_id: str) -> bool:
        """Tell whether the phone of this cookie is in: at this table, and not sent away since."""
        return cookie.get("table") == table_id and cookie.get("door", 0) == self.keys.times_emptied

    def make_host(self, cookie: MutableMapping[str, Any], given: str, address: str) -> None:
        """Make the phone of this cookie the host's. Raises `WebError` when that is not the PIN, or it has to wait."""
        with self._lock:
            _must_not_wait(self._pins.wait(address), say("Too many wrong PINs."))
            if not _same(given, self.keys.pin):
                self._pins.wrong(address)
                raise WebError(
                    403,
                    "wrong_pin",
                    say(
                        "That is not the host's PIN. Nothing was changed. It was printed where the table was started, "
                        "and the command “jurado pin” shows it there."
                    ),
                    field="pin",
                )
            self._pins.right(address)
        cookie["host"] = self.keys.pin_id
        cookie["host_since"] = int(time.time())

    def unmake_host(self, cookie: MutableMapping[str, Any]) -> None:
        """Make the phone of this cookie one like the others."""
        cookie.pop("host", None)
        cookie.pop("host_since", None)

    def hosts(self, cookie: MutableMapping[str, Any]) -> bool:
        """Tell whether the phone of this cookie is the host's: by the PIN of now, not too long ago."""
        known, since = cookie.get("host"), cookie.get("host_since")
        if not isinstance(known, str) or not isinstance(since, int):
            return False
        return hmac.compare_digest(known.encode(), self.keys.pin_id.encode()) and 0 <= time.time() - since < HOST_S


def _must_not_wait(seconds: float, why: str) -> None:
    if seconds <= 0:
        return
    whole = int(seconds) + 1
    wait = (
        say_many("{count} second", "{count} seconds", whole)
        if whole < 120
        else say_many("{count} minute", "{count} minutes", -(-whole // 60))
    )
    raise WebError(
        429,
        "too_many_tries",
        say("{why} Nothing was changed. Wait {wait}, then try again.", why=why, wait=wait),
        retry_after=whole,
    )
