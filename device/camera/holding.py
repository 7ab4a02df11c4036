"""Who holds a camera: a device is somebody else's when a process of theirs has its file open."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def device_path(source: int | str) -> Path:
    """Return the file of a source: `/dev/video0` of 0 (or "0"), and of a path the path itself."""
    text = str(source)
    return Path(f"/dev/video{text}") if text.isdigit() else Path(text)


def camera_devices() -> list[Path]:
    """Return the device files through which libcamera reaches cameras."""
    return [*Path("/dev").glob("media[0-9]*"), *Path("/dev").glob("video[0-9]*")]


def holder_of(*devices: Path) -> str | None:
    """Return who has one of `devices` open beside us ("guvcview (process 812)"), as far as this user may see."""
    try:
        targets = {device.resolve() for device in devices}
        processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return None
    for process in processes:
        if int(process.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            for handle in (process / "fd").iterdir():
                with contextlib.suppress(OSError):
                    if handle.resolve() in targets:
                        name = (process / "comm").read_text().strip()
                        return f"{name} (process {process.name})"
    return None
