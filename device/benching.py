"""What a table costs this machine: one document for `jurado bench --report`, without names and without photographs."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import resource
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from device.camera.bench import ROUNDS, WAYS, Press, measure
from device.checkup import answer_of, model
from device.config import Config

LIBRARIES = ("jurado", "numpy", "onnxruntime", "opencv-python-headless", "gpiozero", "picamera2")
"""Whose versions are told; of those that are not installed, nothing."""

THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
SPEED = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq")
SYSTEM = Path("/etc/os-release")


def report(
    config: Config, *, rounds: int = ROUNDS, progress: Callable[[int, int], None] | None = None
) -> dict[str, Any]:
    """Return what was measured with the reader of this table, and on what; times in milliseconds.

    Each of `rounds` presses photographs one rendered roll of twelve dice, the same on every machine. `progress` is
    called with presses done and presses in all.
    """
    before = condition()
    took = measure(rounds=rounds, threads=config.reader.threads, progress=progress)
    return {
        "report": 1,
        "machine": machine(),
        "settings": {"threads": config.reader.threads, "camera": config.camera.backend, "panel": config.panel.driver},
        "presses": rounds,
        "press": {way: _figures(took[way]) for way in WAYS},
        "memory_peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000),
        "before": before,
        "after": condition(),
    }


def _figures(presses: Sequence[Press]) -> dict[str, Any]:
    walls = [press.milliseconds for press in presses]
    names = sorted({name for press in presses for name in press.parts})
    return {
        "least": round(min(walls)),
        "median": round(statistics.median(walls)),
        "most": round(max(walls)),
        "cpu": round(min(press.cpu for press in presses)),
        "parts": {name: round(statistics.median(press.parts.get(name, 0.0) for press in presses), 1) for name in names},
        "dice_read": min(press.dice for press in presses),
    }


def machine() -> dict[str, Any]:
    """Return which machine this is, and the versions of what it runs."""
    versions = {}
    for name in LIBRARIES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    named = re.search(r'(?m)^PRETTY_NAME="?([^"\n]*)', _text(SYSTEM) or "")
    memory = re.search(r"(?m)^MemTotal:\s+(\d+) kB", _text(Path("/proc/meminfo")) or "")
    return {
        "model": model(),
        "processor": _processor(_text(Path("/proc/cpuinfo")) or ""),
        "cores": os.cpu_count(),
        "memory_mb": int(memory[1]) // 1000 if memory else None,
        "system": named[1] if named else platform.system(),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "libraries": versions,
    }


def condition() -> dict[str, Any]:
    """Return how warm, how fast and how busy the machine is now; None for what it does not tell."""
    warm, fast = _text(THERMAL), _text(SPEED)
    throttled = re.search(r"0x[0-9a-f]+", answer_of(["vcgencmd", "get_throttled"]) or "")
    return {
        "temperature_c": round(int(warm) / 1000, 1) if warm else None,
        "mhz": int(fast) // 1000 if fast else None,
        "throttled": throttled[0] if throttled else None,
        "load": round(os.getloadavg()[0], 2),
    }


def _processor(told: str) -> str:
    """Return the processor's name, or the numbers that an ARM core goes by."""
    name = re.search(r"(?m)^model name\s*:\s*(.+)$", told)
    part = re.search(r"(?m)^CPU part\s*:\s*(\S+)", told)
    revision = re.search(r"(?m)^CPU variant\s*:\s*(\S+)", told)
    if name is not None:
        return name[1].strip()
    return f"ARM part {part[1]}, variant {revision[1] if revision else '?'}" if part else platform.machine()


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
