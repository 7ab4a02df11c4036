"""Power cuts while rolls are confirmed by the button: what was confirmed is there, and the phone is still in."""

from __future__ import annotations

import random
import shutil
import statistics
import threading
import time
from pathlib import Path
from typing import Any

from engine.journal import read_events
from tests.appliance.bench import Bench
from tests.appliance.lab import LabError
from tests.appliance.table import CONFIRM, STATE, ATable, until
from tests.endurance.kills import wrong_with
from tests.endurance.playing import act_for, dice_for, table_version
from tests.endurance.running import Refused, Run

LONGEST = 30.0
"""Seconds of play after which the power is cut at the latest."""


class Play:
    """One phone and the confirm button, as fast as the table answers. `confirmed` holds ids and their event's number;
    `rolls` are the numbers of the events that the button confirmed."""

    def __init__(self, table: ATable, seed: str) -> None:
        self.table = table
        self.confirmed: dict[str, int] = {}
        self.rolls: list[int] = []
        self.wrong: list[str] = []
        self._chance = random.Random(seed)
        self._seed = seed
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join(60)

    def _play(self) -> None:
        count = 0
        while not self._over.is_set():
            try:
                state = self.table.state
                count += 1
                name = f"cut-{self._seed}-{count}"
                if state["game"] is not None and state["game"]["outcome"] is None and state["game"]["expects"]:
                    self._roll(state, name)
                elif act := act_for(self.table.caller, state, self._chance):
                    sent = {"version": state["version"], "id": name, **act[1]}
                    answer = self.table.caller.ask("POST", act[0], sent)
                    self.confirmed[name] = table_version(answer["state"])
            except Refused as refused:
                if refused.status not in (409, 422):
                    self.wrong.append(str(refused))
            except (OSError, LabError, ValueError):
                return  # the power is gone

    def _roll(self, state: dict[str, Any], name: str) -> None:
        """Type dice, and press the button that confirms them."""
        ask = self.table.caller.ask
        if (lying := state["proposal"]) is None or lying["source"] != "hand":
            sent = {"version": state["version"], "id": f"{name}-hand"}
            state = ask("POST", "/api/proposal/hand", sent)["state"]
            lying = state["proposal"]
        for at, die in enumerate(dice_for(state["game"], self._chance)):
            sent = {"version": state["version"], "id": f"{name}-{at}", "proposal": lying["id"], "action": "edit"}
            state = ask("POST", "/api/proposal/dice", {**sent, "index": lying["dice"][at]["index"], **die})["state"]
        before = table_version(state)
        self.table.lab.press(CONFIRM, 100)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not self._over.is_set():
            state = self.table.state
            if table_version(state) > before:
                self.rolls.append(table_version(state))
                return


def cuts(bench: Bench) -> None:
    """Cut the power `bench.cuts` times; what was done is kept beside the report, and a run goes on from there."""
    report, lab = bench.report, bench.lab
    run = Run(bench.cuts, 1, bench.work, bench.work / "cuts.jsonl", report.say)
    if not run.done:
        # Dice are typed, so that an emulated machine has its time for what is written down.
        bench.playing(backend="none")
        lab.run("sync")
    known = run.done[-1]["events"] if run.done else 0
    lab.off()
    lab.up()
    table = ATable(lab)
    table.answers()
    table.join()
    while len(run.done) < run.size:
        number = len(run.done) + 1
        play = Play(table, str(number))
        play.start()
        time.sleep(random.Random(number).uniform(5, LONGEST))
        lab.cut()
        play.stop()
        began = time.monotonic()
        lab.up()
        table.booted()
        table.answers()
        took = time.monotonic() - began
        notice = until(lambda: table.state, "the state")["table"]["notice"]
        moments = ("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")
        told = table.service(*moments)
        begun, ready = (int(told[name]) / 1e6 for name in moments)
        events = _journal(bench)
        wrong = [*play.wrong, *wrong_with(events, play.confirmed, known), *([notice] if notice else [])]
        wrong += [f"the roll {seq} that was confirmed is not there" for seq in play.rolls if seq > len(events)]
        known = len(events)
        run.note(
            {
                "page_s": round(took, 1),
                "boot_s": round(begun, 1),
                "start_s": round(ready - begun, 1),
                "confirmed": play.confirmed,
                "rolls": play.rolls,
                "events": known,
                "wrong": wrong,
            }
        )
        did = f"{len(play.confirmed)} acts and {len(play.rolls)} rolls by the button confirmed, {known} events in all"
        report.holds(f"cut {number}", not wrong, wrong or f"{did}, the page {took:.0f} s after the power")
    report.holds("no confirmed move was lost in any cut", not any(step["wrong"] for step in run.done))
    report.figure("cuts", len(run.done))
    report.figure("confirmed by the button", sum(len(step["rolls"]) for step in run.done))
    report.figure("confirmed in all", sum(len(step["rolls"]) + len(step["confirmed"]) for step in run.done))
    parts = {
        "power back to the page": "page_s",
        "of that, the kernel's start to the table's": "boot_s",
        "of that, the table's own start, with the journal's check": "start_s",
    }
    for what, part in parts.items():
        starts = [step[part] for step in run.done]
        report.figure(f"{what} (emulated), median and slowest s", [round(statistics.median(starts), 1), max(starts)])


def _journal(bench: Bench) -> list[Any]:
    """Return the events of the machine's journal, from a copy that SQLite makes and checks."""
    copy = "/run/journal-copy.sqlite3"
    script = (
        f"import sqlite3; one = sqlite3.connect('file:{STATE}/journal.sqlite3?mode=ro', uri=True); "
        f"print(one.execute('PRAGMA integrity_check').fetchone()[0]); one.execute('VACUUM INTO ?', ('{copy}',))"
    )
    said = bench.lab.run(f'rm -f {copy}; python3 -c "{script}"')
    assert said.strip() == "ok", said
    folder = bench.work / "journal"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    bench.lab.pull(copy, Path(folder / "journal.sqlite3"))
    return list(read_events(folder / "journal.sqlite3"))
