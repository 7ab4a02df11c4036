"""The unit as systemd runs it: what ends is started again, what hangs or leaks is ended, what is written."""

from __future__ import annotations

import time

from tests.appliance.bench import Bench
from tests.appliance.table import STATE, ATable, until

UNIT = "jurado.service"


def watched(bench: Bench) -> None:
    """Killed, stopped as a whole, hung in its worker, killed too often, and too large."""
    report, lab = bench.report, bench.lab
    table = bench.playing()
    facts = table.service("Type", "WatchdogUSec", "Restart", "StartLimitBurst", "MemoryMax", "TasksMax", "StatusText")
    report.holds("it notifies and is watched", facts["Type"] == "notify" and facts["WatchdogUSec"] == "30s", facts)

    def comes_back(what: str, wanted: int, patience: float) -> None:
        began = time.monotonic()
        until(lambda: int(table.service("NRestarts")["NRestarts"]) >= wanted, f"the start after {what}", patience, 2)
        gone = time.monotonic() - began
        table.caller.drop()
        table.answers()
        took = {"started again after s": round(gone), "its page after s": round(time.monotonic() - began)}
        report.holds(f"{what}: it is started again", True, took)

    game = table.state["game"]["id"]
    lab.run("kill -9 $(systemctl show jurado -p MainPID --value)")
    comes_back("killed with SIGKILL", 1, 120)
    report.holds("the game is as it was", table.state["game"]["id"] == game)

    lab.run("kill -STOP $(systemctl show jurado -p MainPID --value)")
    comes_back("stopped as a whole", 2, 240)
    said = lab.run(f"journalctl -u {UNIT} -b --no-pager -o cat | grep -i watchdog | tail -n 1", check=False)
    report.holds("it was the watchdog that ended it", "atchdog" in said, said.strip())

    # Starts that somebody asked for count, too: here they begin anew.
    table.restart()
    hang = "python3 -u /opt/helpers/hang.py $(systemctl show jurado -p MainPID --value) 400"
    with lab.running(hang) as lines:
        comes_back("hung in the worker that photographs alone", 1, 400)
    report.figure("the worker that was stopped", [line.strip() for line in lines])

    table.restart()
    for _ in range(6):
        time.sleep(1)
        killed = lab.status_of("kill -9 $(systemctl show jurado -p MainPID --value)")[0] == 0
        until(lambda: table.service("ActiveState")["ActiveState"] in ("active", "failed"), "the next start", 180, 1)
        if not killed or table.service("ActiveState")["ActiveState"] == "failed":
            break
    facts = table.service("ActiveState", "Result", "NRestarts")
    report.holds("ended five times within five minutes, it waits for somebody", facts["ActiveState"] == "failed", facts)
    table.restart()
    report.holds("and runs again once it is asked", table.service("ActiveState")["ActiveState"] == "active")
    _leak(bench, table)


def _leak(bench: Bench, table: ATable) -> None:
    """A leak, played by a process that is put into the service's own group."""
    report, lab = bench.report, bench.lab
    before = table.service("NRestarts", "MemoryMax", "MemoryCurrent")
    limit = int(before["MemoryMax"])
    lab.run(f"systemctl set-property --runtime {UNIT} MemoryMax=700M")
    lab.run(f"python3 /opt/helpers/eat.py system.slice/{UNIT} 3000", check=False)
    until(lambda: "oom" in table.log().lower(), "the end of the leak", 120)
    said = lab.run(f"journalctl -u {UNIT} -b --no-pager -o cat | grep -i oom | tail -n 2", check=False)
    report.holds("what leaks is ended at its limit", "oom" in said.lower(), said.strip())
    lab.run(f"systemctl set-property --runtime {UNIT} MemoryMax=75%")
    table.caller.drop()
    table.ready()
    report.holds("and the table runs again", table.health()["model"]["state"] == "ready")
    memory = int(lab.run("awk '/MemTotal/ {print $2 * 1024}' /proc/meminfo"))
    report.holds("its limit is three quarters of the memory", abs(limit / memory - 0.75) < 0.02, limit)


def written(bench: Bench) -> None:
    """Every file of the machine before and after a table starts, reads, confirms, undoes and stops."""
    report, lab = bench.report, bench.lab
    table = bench.installed()
    lab.run("systemctl stop jurado; sync")
    listing = "find / -xdev -type f -printf '%p %T@ %s %u\\n' | sort"
    before = set(lab.run(listing).splitlines())
    lab.run("systemctl start jurado")
    table.caller.drop()
    table.ready()
    table.join()
    table.open_game()
    roll = bench.rolls(17).next(table.expects)
    lab.frame(roll.jpeg)
    proposal, _ = table.press_capture()
    if proposal["state"] == "ready":
        table.press_confirm()
    table.act("/api/undo", count=1)
    lab.run("systemctl stop jurado; sync")
    after = set(lab.run(listing).splitlines())
    changed = sorted({line.split(" ")[0] for line in before ^ after})
    own = [path for path in changed if path.startswith(f"{STATE}/")]
    others = [path for path in changed if path not in own]
    # systemd's own: what services say, and when it last looked after the disk and the clock.
    strays = [path for path in others if not path.startswith(("/var/log/journal/", "/var/lib/systemd/"))]
    report.figure("files in its own folder that were written", len(own))
    report.figure("files elsewhere that others wrote meanwhile", others)
    report.holds("playing writes in the state folder alone", own and not strays, strays)
    foreign = [line for line in after if line.endswith(" jurado") and not line.startswith(f"{STATE}/")]
    report.holds("no file of the user jurado lies elsewhere", not foreign, foreign)
    runtime = lab.run("ls -A /run/jurado 2>/dev/null; true").strip()
    report.holds("its runtime folder is gone once it is stopped", runtime == "", runtime)
