"""The table in the machine, as a phone sees it and as fingers press it."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import secrets
import time
from collections.abc import Callable
from typing import Any, TypeVar

from engine.dice import Shape
from engine.game import Expectation
from tests.appliance.lab import PATIENCE, Lab, LabError
from tests.endurance.playing import SETUP
from tests.endurance.running import Caller, Refused

CAPTURE, CONFIRM, UNDO = 17, 27, 22
LAMP = {"red": 18, "green": 23, "blue": 24}
STATE = "/var/lib/jurado"
AS_JURADO = f"cd {STATE} && setpriv --reuid jurado --regid jurado --init-groups env JURADO_HOME={STATE} "
JURADO = AS_JURADO + "/opt/jurado/venv/bin/jurado "

SETTINGS = """\
[camera]
backend = "{backend}"
width = 1280
height = 720
timeout_s = {timeout_s}
{camera}
[panel]
driver = "lgpio"
green_pin = 23
blue_pin = 24
one_button = {one_button}
"""

Found = TypeVar("Found")


def until(found: Callable[[], Found], what: str, patience: float = PATIENCE, every: float = 0.3) -> Found:
    """Return what `found()` returns once it is true; what the table refuses or does not answer counts as not yet."""
    deadline = time.monotonic() + patience
    while True:
        try:
            if value := found():
                return value
        except (OSError, ValueError):
            pass
        if time.monotonic() > deadline:
            raise LabError(f"{what} did not come within {patience:g} s")
        time.sleep(every)


class ATable:
    """The one table of the machine. `caller` is a phone that all share."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self.caller = Caller(lab.port())
        self._count = itertools.count(1)
        self._name = f"lab-{secrets.token_hex(3)}"

    def settle(
        self, *, backend: str = "picamera", timeout_s: float = 20, one_button: bool = False, camera: str = ""
    ) -> None:
        """Give it settings and start it anew with them."""
        text = SETTINGS.format(backend=backend, timeout_s=timeout_s, one_button=str(one_button).lower(), camera=camera)
        self.lab.write(f"{STATE}/settings.toml", text)
        self.restart()

    def restart(self) -> None:
        self.lab.run("systemctl reset-failed jurado.service; systemctl restart jurado.service")
        self.caller.drop()
        self.ready()

    def booted(self) -> None:
        """Go on with a machine that was booted anew: the phone is the same, with the cookie that it has."""
        self.caller.drop()
        self.caller.port = self.lab.port()

    def ready(self, patience: float = PATIENCE) -> float:
        """Wait until the page answers and the models are loaded; return the seconds."""
        began = time.monotonic()
        until(lambda: self.health()["model"]["state"] == "ready", "the table", patience)
        return time.monotonic() - began

    def answers(self, patience: float = PATIENCE) -> None:
        """Wait until the page answers; the models may still be loading."""
        until(self.health, "the page", patience)

    def camera(self, state: str, patience: float = PATIENCE) -> dict[str, Any]:
        """Wait until the camera stands so."""
        return until(lambda: (c := self.health()["camera"])["state"] == state and c, f"camera {state}", patience)

    def health(self) -> dict[str, Any]:
        return dict(self.caller.ask("GET", "/healthz"))

    @property
    def state(self) -> dict[str, Any]:
        return dict(self.caller.ask("GET", "/api/state"))

    def join(self) -> None:
        """Come in as the phone that all share, with the code that the machine tells root, and as the host."""
        said = self.lab.run(JURADO + "pin --all")
        # That took a while, after which the table has closed the connection that was kept.
        self.caller.drop()
        code, pin = re.search(r"join code: (\S+)", said), re.search(r"PIN: (\d+)", said)
        assert code is not None, said
        assert pin is not None, said
        self.caller.ask("POST", "/api/join", {"code": code[1]})
        self.caller.ask("POST", "/api/join", {"seat": "all"})
        self.caller.raw("POST", "/host", f"pin={pin[1]}".encode(), "application/x-www-form-urlencoded")

    def open_game(self) -> None:
        """Open a game that begins with a roll."""
        self.act("/api/games", game="carnavalesco", setup=SETUP, abandon=True)

    def act(self, path: str, **what: Any) -> dict[str, Any]:
        sent = {"version": self.state["version"], "id": f"{self._name}-{next(self._count)}", **what}
        return dict(self.caller.ask("POST", path, sent)["state"])

    @property
    def expects(self) -> Expectation:
        """The dice that the game waits for, all of them d6."""
        told = self.state["game"]["expects"]
        return Expectation({Shape.D6: told["count"]}, told["colours"])

    def proposal(self, after: str | None = None, patience: float = PATIENCE) -> dict[str, Any]:
        """Return the proposal that follows the one named, once it is made."""

        def made() -> dict[str, Any] | None:
            one = self.state["proposal"]
            return dict(one) if one and one["id"] != after and one["state"] != "capturing" else None

        return dict(until(made, "the proposal", patience) or {})

    def press_capture(self, patience: float = PATIENCE) -> tuple[dict[str, Any], float]:
        """Press the button that photographs; return the proposal that comes of it, and the seconds that it took."""
        before = (self.state["proposal"] or {}).get("id")
        began = time.monotonic()
        self.lab.press(CAPTURE)
        proposal = self.proposal(before, patience)
        return proposal, time.monotonic() - began

    def press_confirm(self, patience: float = 120) -> dict[str, Any]:
        """Press the button that confirms; return the newest line of the log once there is one more."""
        before = self.state["log"][0]["seq"]
        self.lab.press(CONFIRM)
        return dict(until(lambda: (n := self.state["log"][0])["seq"] > before and n, "the confirmed roll", patience))

    def discard(self) -> None:
        with contextlib.suppress(Refused):
            self.act("/api/proposal/discard")

    def photo(self, proposal: dict[str, Any]) -> bytes:
        """Return the photograph of a proposal, as JPEG."""
        answer, content = self.caller.raw("GET", proposal["photo"])
        assert answer.status == 200, content[:300]
        return content

    def dice_of(self, proposal: dict[str, Any]) -> tuple[tuple[str, int], ...]:
        return tuple(sorted((die["colour"], die["value"]) for die in proposal["dice"]))

    def log(self, since: str = "-b") -> str:
        """Return what the service said."""
        return self.lab.run(f"journalctl -u jurado {since} --no-pager -o short-monotonic --quiet", check=False)

    def service(self, *properties: str) -> dict[str, str]:
        asked = " ".join(f"-p {name}" for name in properties)
        lines = self.lab.run(f"systemctl show jurado.service {asked}").splitlines()
        return dict(line.split("=", 1) for line in lines if "=" in line)

    def exported(self) -> dict[str, Any]:
        """Return the last game as the command of the machine prints it from the journal."""
        return dict(json.loads(self.lab.run(JURADO + "export last")))
