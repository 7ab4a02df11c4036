"""Each line of the unit's hardening by itself: the table's hardware works with it, and what it forbids fails."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.appliance.bench import Bench

UNIT = Path(__file__).resolve().parents[2] / "systemd" / "jurado.service"

FORBIDS = {
    "NoNewPrivileges": "gains rights by a setuid program",
    "ProtectSystem": "writes to /usr and /etc",
    "ProtectHome": "looks into /root",
    "PrivateTmp": "sees what others have in /tmp",
    "ProtectKernelTunables": "turns a knob in /proc/sys",
    "ProtectKernelModules": "loads a module of the kernel",
    "ProtectControlGroups": "makes a control group",
    "ProtectKernelLogs": "reads the kernel's log",
    "ProtectHostname": "renames the machine",
    "CapabilityBoundingSet": "gives a file away",
    "LockPersonality": "changes its personality",
    "RestrictSUIDSGID": "makes a setuid file",
    "RestrictNamespaces": "makes a namespace",
    "RestrictRealtime": "runs in real time",
    "SystemCallArchitectures": "makes a 32-bit call",
    "RestrictAddressFamilies": "opens a packet socket",
    "UMask": "makes a file that everybody may read",
    "MemoryMax": "takes more memory than it may",
    "TasksMax": "starts more threads than it may",
}
"""The lines that forbid something, and what is tried against each; without the line, root can do it."""

GIVES = {"SupplementaryGroups": "opens pins and camera", "ReadWritePaths": "writes to a stick at /media/jurado"}
"""The lines that allow something to a user who has nothing else."""


def lines_of(unit: str) -> dict[str, str]:
    """Return the [Service] lines of a unit, the last value of each."""
    section = unit.partition("[Service]")[2].partition("\n[")[0]
    return dict(re.findall(r"(?m)^(\w+)=(.*)$", section))


def hardened(bench: Bench) -> None:
    """Hold every line that the unit has against the machine."""
    report, lab = bench.report, bench.lab
    bench.playing()
    lab.run("systemctl stop jurado.service; mkdir -p /media/jurado; touch /tmp/of-others; chown jurado /media/jurado")
    lab.run("install -m 4755 /usr/bin/id /usr/local/bin/probe-id")
    lines = lines_of(UNIT.read_text(encoding="utf-8"))
    missing = set(FORBIDS) | set(GIVES)
    report.holds("every line that is tried is in the unit", missing <= set(lines), sorted(missing - set(lines)))

    def tried(what: str, *, user: str, properties: list[str]) -> dict[str, str]:
        given = " ".join(f"-p '{one}'" for one in properties)
        identity = "-p User=jurado -p Group=jurado" if user == "jurado" else ""
        command = (
            f"systemd-run --quiet --wait --pipe --collect {identity} {given} -p RuntimeDirectory=probe "
            "-p WorkingDirectory=/run/probe -E LG_WD=/run/probe -E GPIOZERO_PIN_FACTORY=lgpio "
            f"/opt/jurado/venv/bin/python /opt/helpers/probe.py {what}"
        )
        said = lab.do("run", command, check=False).stdout
        answer = [line for line in said.splitlines() if line.startswith("{")]
        return dict(json.loads(answer[-1])) if answer else {what: f"it ended: {said[-200:]}"}

    groups = f"SupplementaryGroups={lines['SupplementaryGroups']}"
    free = tried("all", user="jurado", properties=[groups])
    works = {"camera": "done", "pins": "done", "network": "done"}
    report.holds("camera, pins and network work without any hardening", free == works, free)
    for name, what in FORBIDS.items():
        value = {"MemoryMax": "300M", "TasksMax": "20"}.get(name, lines[name])
        without = tried(name, user="root", properties=[])[name]
        with_it = tried(name, user="root", properties=[f"{name}={value}"])[name]
        report.holds(f"{name}: {what}, never with it", without == "done" and with_it != "done", [without, with_it])
        if name not in ("MemoryMax", "TasksMax"):
            seen = tried("all", user="jurado", properties=[groups, f"{name}={value}"])
            report.holds(f"{name}: camera, pins and network go on", seen == works, None if seen == works else seen)
    lab.run("gpasswd --delete jurado video; gpasswd --delete jurado gpio")
    bare = tried("all", user="jurado", properties=[])
    with_groups = tried("all", user="jurado", properties=[groups])
    lab.run("usermod --append --groups video,gpio jurado")
    blind = with_groups == works and bare["camera"] != "done" and bare["pins"] != "done"
    report.holds("SupplementaryGroups: without it, no camera and no pins", blind, bare)
    strict = ["ProtectSystem=strict"]
    closed = tried("stick", user="jurado", properties=strict)["stick"]
    opened = tried("stick", user="jurado", properties=[*strict, f"ReadWritePaths={lines['ReadWritePaths']}"])["stick"]
    report.holds(
        "ReadWritePaths: the stick, and nothing without it", closed != "done" and opened == "done", [closed, opened]
    )
    whole = [f"{name}={lines[name]}" for name in (*FORBIDS, *GIVES)]
    seen = tried("all", user="jurado", properties=whole)
    report.holds("all lines together: camera, pins and network", seen == works, seen)
    for line in ("PrivateDevices=yes", "ProtectClock=yes", "MemoryDenyWriteExecute=yes"):
        seen = tried("all", user="jurado", properties=[groups, line])
        report.figure(f"left out of the unit: {line}", seen)
    exposure = lab.run("systemd-analyze security jurado.service --no-pager | tail -n 1", check=False)
    report.figure("systemd-analyze security", exposure.strip())
