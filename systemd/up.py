"""Waits until the table of JURADO_HOME serves its page, has loaded its models and goes on; exits with 1 when it cannot.

install.sh asks this of a new release before it lets the old one go.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from device.config import load_config

GOES_ON = 20.0
"""Seconds for which a table that is ready must go on: one that ends soon after is none."""


def health(host: str, port: int) -> dict[str, Any] | None:
    """Return what the table says of itself, None while it does not answer."""
    here = "127.0.0.1" if host in ("", "0.0.0.0", "::") else host
    try:
        with urllib.request.urlopen(
            f"http://{f'[{here}]' if ':' in here else here}:{port}/healthz", timeout=30
        ) as answer:
            return dict(json.load(answer))
    except (OSError, ValueError, http.client.HTTPException):
        return None


def started_again() -> bool:
    """Return whether the service ended by itself since it was started."""
    asked = ["systemctl", "show", "jurado.service", "--property=NRestarts", "--value"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() != "0"


def main() -> int:
    web = load_config().web
    ready_at: float | None = None
    while True:
        if started_again():
            print("It ended by itself.", file=sys.stderr)
            return 1
        found = health(web.host, web.port)
        state = found["model"]["state"] if found else "silent"
        if state == "ready":
            ready_at = ready_at or time.monotonic()
            if time.monotonic() - ready_at >= GOES_ON:
                return 0
        elif found and state != "loading":
            print(found["model"]["message"], file=sys.stderr)
            return 1
        time.sleep(1)


if __name__ == "__main__":
    sys.exit(main())
