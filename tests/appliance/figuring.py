"""What the table costs the machine that it runs on."""

from __future__ import annotations

import time

from tests.appliance.bench import Bench
from tests.appliance.table import ATable

IDLE = 120


def figures(bench: Bench) -> None:
    """Boot to ready, idle processor and memory, sizes."""
    report, lab = bench.report, bench.lab
    bench.playing()
    lab.run("sync")
    lab.do("down")
    began = time.monotonic()
    report.figure("boot to the first command (emulated), s", round(lab.up(), 1))
    table = ATable(lab)
    table.ready()
    report.figure("boot to ready (emulated), s", round(time.monotonic() - began, 1))
    report.holds("it starts by itself after a boot", table.service("ActiveState")["ActiveState"] == "active")
    told = lab.run("systemctl show jurado -p ActiveEnterTimestampMonotonic --value").strip()
    report.figure("boot of the kernel to the page, s", round(int(told) / 1e6, 1))
    table.camera("ready")
    time.sleep(20)

    def used() -> tuple[float, float]:
        return time.monotonic(), int(table.service("CPUUsageNSec")["CPUUsageNSec"]) / 1e9

    (at, before), _ = used(), time.sleep(IDLE)
    then, after = used()
    report.figure("idle, of one emulated core, %", round((after - before) / (then - at) * 100, 1))
    threads = lab.run("ls /proc/$(systemctl show jurado -p MainPID --value)/task | wc -l")
    report.figure("threads", int(threads))
    roll = bench.rolls(29).next(table.expects)
    table.join()
    lab.frame(roll.jpeg)
    table.press_capture()
    facts = lab.run("grep -E 'VmRSS|RssAnon|VmHWM' /proc/$(systemctl show jurado -p MainPID --value)/status")
    report.figure("memory of the process after a roll", " ".join(facts.split()))
    current = table.service("MemoryCurrent", "MemoryPeak")
    report.figure("memory of the service, MB", {name: int(value) // 1_000_000 for name, value in current.items()})
    sizes = "du -sm /opt/jurado/current/venv /opt/jurado/current /var/lib/jurado"
    report.figure("sizes, MB", lab.run(sizes).split("\n"))
    own = "/opt/jurado/current/venv/lib/python3*/site-packages"
    report.figure("the largest libraries, MB", lab.run(f"du -sm {own}/* | sort -rn | head -n 6").split("\n"))
