"""The photographs of the roll that is waited for which do not count: everybody may see them, and take one after all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from device.proposal import Proposal, Source

MOST = 6
"""Photographs that are remembered; a roll rarely takes three."""

AGAIN, DISCARDED, UNSEEN = "again", "discarded", "unseen"
"""Why a photograph does not count, beside `engine.play.VOID_REASONS`: another was taken, it was thrown away, or no die
is seen in it and a reading stood."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """One photograph (its address), where it came from, what was read in it, and why it does not count."""

    photo: str
    source: Source
    dice: Sequence[dict[str, Any]]
    why: str

    def as_json(self) -> dict[str, Any]:
        return {"photo": self.photo, "source": self.source.value, "dice": list(self.dice), "why": self.why}


def with_earlier(known: Sequence[Earlier], ended: Proposal, why: str) -> tuple[Earlier, ...]:
    """Return `known`, oldest first, and a proposal that ended without being confirmed, where it has a photograph."""
    if ended.photo is None:
        return tuple(known)
    others = without(known, ended.photo)
    dice = [{"shape": die.shape.value, "colour": die.colour, "value": die.value} for die in ended.dice]
    return (*others, Earlier(ended.photo, ended.source, dice, why))[-MOST:]


def without(known: Sequence[Earlier], photo: str | None) -> tuple[Earlier, ...]:
    """Return `known` without the photograph at this address."""
    return tuple(one for one in known if one.photo != photo)
