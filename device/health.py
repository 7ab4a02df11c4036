"""Parts of a table's health that can be told from outside: disk, photographs, clock, network; each with a sentence."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from device.photos import PhotoRing
from engine.words import say

LOW_DISK = 50_000_000
"""Bytes free below which the page warns; a turn takes a few thousand, a photograph half a million."""

CLOCK_SLACK = timedelta(hours=1)
"""How far a clock may be behind the last turn before it is told: a Pi has no battery, and starts a little late."""

Health = dict[str, Any]


def disk(home: Path) -> Health:
    """Return whether turns can be kept in `home`."""
    try:
        free = shutil.disk_usage(home).free
    except OSError as error:
        message = say("The folder {folder} cannot be looked at ({why}).", folder=home, why=error.strerror)
        return {"ok": False, "message": message}
    megabytes = free // 1_000_000
    if not os.access(home, os.W_OK):
        message = say(
            "The folder {folder} cannot be written to, so no turn can be kept. The game stays as it is. Make it "
            "writable; where the card has turned read-only, it is worn out: copy it, and replace it.",
            folder=home,
        )
        return {"ok": False, "message": message, "free_mb": megabytes}
    if free < LOW_DISK:
        message = say(
            "Only {free} MB are free at {folder}. Turns may not be kept. Free some space.", free=megabytes, folder=home
        )
        return {"ok": False, "message": message, "free_mb": megabytes}
    message = say("{free} MB free.", free=megabytes) if free < 10**10 else say("{free} GB free.", free=free // 10**9)
    return {"ok": True, "message": message, "free_mb": megabytes}


def photographs(ring: PhotoRing) -> Health:
    """Return whether photographs are kept."""
    if (why := ring.problem) is None:
        return {"ok": True, "message": say("Kept, up to {megabytes} MB.", megabytes=ring.bytes // 1_000_000)}
    message = say(
        "Photographs are not kept now ({why}). Games go on, and dice are read as before. Free some space at {folder}, "
        "or make it writable.",
        why=why,
        folder=ring.folder,
    )
    return {"ok": False, "message": message}


def clock(newest: str, now: str) -> Health:
    """Return whether the clock goes on from the `newest` event; both are ISO 8601 text, `newest` empty for none."""
    try:
        behind = datetime.fromisoformat(newest) - datetime.fromisoformat(now) if newest else timedelta(0)
    except (ValueError, TypeError):  # of another form, or without a zone: nothing can be told
        behind = timedelta(0)
    if behind <= CLOCK_SLACK:
        return {"ok": True, "message": say("It goes on from the last turn.")}
    message = say(
        "This machine's clock says {now}, but the last turn was written at {newest}: it has gone back. Games keep "
        "their order; their dates are wrong until the clock is right. Let the machine reach the internet once, or set "
        "it.",
        now=now[:16].replace("T", " "),
        newest=newest[:16].replace("T", " "),
    )
    return {"ok": False, "message": message}


def network(host: str, address: str | None) -> Health:
    """Return whether phones can reach the page: `host` is what is listened on, `address` this machine's own."""
    if host not in ("", "0.0.0.0", "::"):
        return {"ok": True, "message": say("The page is at {address} alone.", address=host)}
    if address is None:
        message = say(
            "This machine is on no network, so phones cannot find it. The game can be played here. Join it to the "
            "Wi-Fi, or plug in a cable."
        )
        return {"ok": False, "message": message}
    return {"ok": True, "message": say("Phones find it at {address}.", address=address)}


def journal(notices: Sequence[str | None]) -> Health:
    """Return whether every turn is kept: what stands in the way of it comes first in `notices`."""
    told = next(filter(None, notices), None)
    return {"ok": told is None, "message": told or say("Every turn is kept.")}
