"""What a table knows of its camera: how it stands, what it holds, how the empty tray looks; one small file a camera."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.keys import write_private

if TYPE_CHECKING:
    from vision.geometry import CameraPose

log = logging.getLogger(__name__)

FOLDER = "cameras"

STEPS = ("frame", "empty", "focus", "white", "dice")
"""What is set up of a camera, in the order in which it is best done."""


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty tray: a small picture (JPEG, base64), and the light in each cell of a grid."""

    picture: str
    light: list[list[list[float]]]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is known of the camera with this identity; `made_with` is what machine and library it was found out with.

    `corners` are the tray's, as shares of the picture's width and height, `size` its sides in mm. `held` are the
    camera's own controls, by the step that found them. `done` says of each step when it was done and what it found.
    """

    camera: str
    made_with: dict[str, str] = field(default_factory=dict)
    corners: list[list[float]] | None = None
    size: list[float] | None = None
    pose: dict[str, Any] | None = None
    held: dict[str, dict[str, Any]] = field(default_factory=dict)
    empty: Empty | None = None
    done: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def controls(self) -> dict[str, Any]:
        """All controls that the camera is to hold."""
        return {name: value for step in self.held.values() for name, value in step.items()}

    def camera_pose(self) -> CameraPose | None:
        """Return how the camera stands over the table, None where that is not known."""
        from vision.geometry import CameraPose

        return None if self.pose is None else CameraPose.of_json(self.pose)

    def with_step(self, step: str, at: str, figures: Mapping[str, Any], **changes: Any) -> Calibration:
        """Return the calibration with a step done `at` a moment (ISO 8601)."""
        return replace(self, done={**self.done, step: {"at": at, **figures}}, **changes)


def made_with() -> dict[str, str]:
    """Return what colours and focus depend on beside the camera: the machine, and the library that drives it."""
    try:
        model = Path("/proc/device-tree/model").read_text(encoding="utf-8").rstrip("\0")
    except OSError:
        model = platform.machine()
    try:
        library = version("picamera2")
    except PackageNotFoundError:
        library = ""
    return {"machine": model, "picamera2": library}


class Calibrations:
    """The calibrations in a table's folder, one file for each camera. A file that cannot be used is left aside."""

    def __init__(self, home: Path) -> None:
        self.folder = home / FOLDER

    def of(self, camera: str) -> Calibration:
        """Return what is known of a camera; nothing where nothing is, or where it was found out on another machine."""
        try:
            known = json.loads(self._path(camera).read_text(encoding="utf-8"))
            empty = known.pop("empty", None)
            found = Calibration(**known, empty=None if empty is None else Empty(**empty))
            found.camera_pose()
        except FileNotFoundError:
            return Calibration(camera, made_with())
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            log.warning("what was known of %s cannot be read (%s); it is set up anew", camera, error)
            return Calibration(camera, made_with())
        if found.made_with != made_with():
            # Colours and focus found with another machine or library do not hold here; where it stands does.
            done = {step: one for step, one in found.done.items() if step == "frame"}
            return replace(found, made_with=made_with(), held={}, empty=None, done=done)
        return found

    def keep(self, known: Calibration) -> None:
        """Write it down, whole or not at all. Raises `GameError`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_private(self._path(known.camera), json.dumps(asdict(known), indent=1, ensure_ascii=False).encode())

    def forget(self, camera: str) -> None:
        """Forget what is known of a camera."""
        self._path(camera).unlink(missing_ok=True)

    def all(self) -> list[Path]:
        """Return the files that are there."""
        return sorted(self.folder.glob("*.json"))

    def _path(self, camera: str) -> Path:
        tidy = "".join(letter if letter.isalnum() else "-" for letter in camera).strip("-")[-40:]
        return self.folder / f"{tidy}-{hashlib.sha256(camera.encode()).hexdigest()[:8]}.json"


def packed(jpeg: bytes) -> str:
    return base64.b64encode(jpeg).decode("ascii")


def unpacked(text: str) -> bytes:
    return base64.b64decode(text)
