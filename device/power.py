"""Switching the machine off from the panel: the table may not do that itself, so it asks for it.

A file in the service's runtime folder is what the unit `jurado-poweroff.path` waits for; root then switches off.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

log = logging.getLogger(__name__)

ASKED = "poweroff"
"""Name of the file."""

UNIT = Path("/etc/systemd/system/jurado-poweroff.path")
"""The unit that acts on it."""


class Power:
    """The machine's switch; `folder` is where to ask, None where nobody listens."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    @classmethod
    def of_service(cls, unit: Path = UNIT) -> Power:
        """Return the switch of a service that systemd has started and whose helper unit is installed."""
        runtime = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
        return cls(Path(runtime) if runtime and unit.exists() else None)

    @property
    def there(self) -> bool:
        """Whether the machine can be switched off from here."""
        return self.folder is not None

    def off(self) -> bool:
        """Ask for it; return False when that was not possible."""
        if self.folder is None:
            return False
        try:
            (self.folder / ASKED).touch()
        except OSError as error:
            log.warning("the machine cannot be switched off from the panel (%s)", error)
            return False
        log.warning("switching off, as the button asked")
        return True
