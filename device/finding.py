"""What was found when the machine was looked at: one thing, how bad it is, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """How bad a finding is; with a problem, the table does not work as the settings ask."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `cure` says what to do, and is empty when nothing needs doing."""

    about: str
    verdict: Verdict
    message: str
    cure: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
