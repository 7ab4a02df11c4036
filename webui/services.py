"""What the pages are handed: the table, the station, the state that phones see, and the join code."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from flask import current_app

from webui.door import Door
from webui.once import Once
from webui.past import PastGames
from webui.settings import WebSettings
from webui.snapshot import Snapshot
from webui.streams import Streams


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a page may use. `addresses` returns the table's base URLs, the best for a phone first."""

    table: Any
    station: Any
    settings: WebSettings
    health: Callable[[], dict[str, Any]]
    photos: Path
    addresses: Callable[[], Sequence[str]]
    snapshot: Snapshot
    streams: Streams
    door: Door
    past: PastGames
    teaching: Any = None
    """What the table's own dice are taught with; None where nothing can be taught."""
    trial: Any = None
    """What camera and panel are tried out with; None where there are none."""
    calibrator: Any = None
    """What the camera is set up with; None where there is no camera."""
    markers: Callable[[str], bytes] | None = None
    """Returns the sheet of markers as `pdf` or `png`."""
    diagnosis: Any = None
    """What looks at the machine; None where it cannot be looked at."""
    clock: Callable[[], float] = field(default=time.monotonic)
    once: Once = field(default_factory=Once)


def services() -> Services:
    """Return the services of the app that serves this request."""
    return cast(Services, current_app.extensions["jurado"])
