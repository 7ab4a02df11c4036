"""kill -9 at random instants under load: every confirmed move is there, nothing half done, the next start is quick."""

from __future__ import annotations

import random
import statistics
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from engine.journal import Event, read_events
from engine.play import folded
from tests.endurance.playing import act_for, table_version
from tests.endurance.running import Caller, Refused, Run, Table, left_behind, percentile

LOADERS = 3
"""Phones that act at once."""
LONGEST = 3.0
"""Seconds of load after which the process is killed at the latest."""


class Load:
    """Phones that act as fast as they are answered; `confirmed` tells each answered act's id and its event's number."""

    def __init__(self, port: int, seed: int) -> None:
        self.confirmed: dict[str, int] = {}
        self.wrong: list[str] = []
        self._port = port
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._act, args=(f"{seed}-{at}",)) for at in range(LOADERS)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _act(self, name: str) -> None:
        chance, caller, count = random.Random(name), Caller(self._port), 0
        while not self._over.is_set():
            try:
                state = caller.ask("GET", "/api/state")
                act = act_for(caller, state, chance)
                if act is None:
                    continue
                count += 1
                sent = {"version": state["version"], "id": f"kill-{name}-{count}", **act[1]}
                answer = caller.ask("POST", act[0], sent)
                self.confirmed[sent["id"]] = table_version(answer["state"])
            except Refused as refused:
                if refused.status not in (409, 422):
                    self.wrong.append(str(refused))
            except OSError:
                return  # killed
        caller.drop()


def wrong_with(events: list[Event], confirmed: dict[str, int], before: int) -> list[str]:
    """Return what is wrong with a journal after a kill, in sentences; nothing, as it should be."""
    found = []
    if [event.seq for event in events] != list(range(1, len(events) + 1)):
        found.append("The numbers of the events have a gap.")
    ids = Counter(event.client_id for event in events if event.client_id)
    found += [f"{client_id} was confirmed and is not there." for client_id in confirmed if not ids[client_id]]
    found += [f"{client_id} is there {count} times." for client_id, count in ids.items() if count > 1]
    if len(events) < before:
        found.append(f"There were {before} events before.")
    games: dict[str, list[Event]] = {}
    for event in events:
        if event.game_id is not None:
            games.setdefault(event.game_id, []).append(event)
    for game_id, some in list(games.items())[-2:]:
        try:
            folded(iter(some))
        except Exception as error:
            found.append(f"The game {game_id} cannot be played again: {error}")
    return found


def kills(run: Run) -> dict[str, Any]:
    """Kill a table `run.size` times; return the figures. The journal grows from kill to kill."""
    chance = random.Random(run.seed + len(run.done))
    home: Path = run.folder / "home"
    known = run.done[-1]["events"] if run.done else 0
    while len(run.done) < run.size:
        table = Table(home, "[web]\ntrust_loopback = true\n")
        took = table.start()
        number = len(run.done) + 1
        notice = Caller(table.port).ask("GET", "/api/state")["table"]["notice"]
        load = Load(table.port, run.seed * 100_000 + number)
        load.start()
        time.sleep(chance.uniform(0.02, LONGEST))
        table.kill()
        load.stop()
        events = read_events(home / "journal.sqlite3")
        wrong = [*wrong_with(events, load.confirmed, known), *load.wrong, *([notice] if notice else [])]
        wrong += [f"{path} was left." for path in left_behind(home) if number > 1]
        known = len(events)
        step = {"start_s": round(took, 3), "confirmed": len(load.confirmed), "events": known, "wrong": wrong}
        run.note(step)
        run.say(
            f"{number}/{run.size}: start {took:.2f} s, {len(load.confirmed)} confirmed, {known} in all {wrong or ''}"
        )
    return figures(run.done[: run.size])


def figures(done: list[dict[str, Any]]) -> dict[str, Any]:
    starts = [step["start_s"] for step in done]
    return {
        "kills": len(done),
        "confirmed moves": sum(step["confirmed"] for step in done),
        "events": done[-1]["events"],
        "wrong": [sentence for step in done for sentence in step["wrong"]],
        "start after it, median s": round(statistics.median(starts), 2),
        "start after it, p95 s": round(percentile(starts, 0.95), 2),
        "start after it, slowest s": max(starts),
    }
