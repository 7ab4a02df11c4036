"""Many hands at one table: phones that act by chance, press twice, act on what is old and lose their connections."""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from engine.journal import Event, read_events
from tests.endurance.playing import SETUP, act_for, table_version
from tests.endurance.running import CODE, Caller, Refused, Run, Table, percentile, resident_mb, worked_s

ACTING, WATCHING, STREAMS = 12, 50, 12
PAUSE = (0.3, 2.5)
"""Seconds that a person looks at the table between two acts, from and to."""
WARM = 0.25
"""Share of the run after which the memory is held to be what it stays."""
SETTINGS = f'[web]\ntrust_loopback = false\njoin_code = "{CODE}"\nlive_clients = {STREAMS}\n'


@dataclass
class Told:
    """What the phones saw: acts that were answered with yes (id, version decided on), with no, and with nothing."""

    yes: dict[str, int] = field(default_factory=dict)
    no: dict[str, str] = field(default_factory=dict)
    nothing: set[str] = field(default_factory=set)
    seconds: list[float] = field(default_factory=list)
    """What each confirm took, as the phone saw it."""
    within: list[float] = field(default_factory=list)
    """The same within the table: waiting for a thread, and work."""
    wrong: list[str] = field(default_factory=list)
    states: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Each phone's last state: its version, and the game as text."""


def game_text(state: dict[str, Any]) -> str:
    game = state["game"]
    return json.dumps([game["id"], game["seats"], game["scoreboard"], game["prompt"], state["log"]], sort_keys=True)


class Hands:
    """All phones of one run."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.seed = seed
        self.told = Told()
        self.over = threading.Event()
        self.threads: list[threading.Thread] = []

    def start(self) -> None:
        opener = self._phone("all")
        opener.ask("POST", "/api/games", {"version": 0, "id": "first", "game": "carnavalesco", "setup": SETUP})
        self.told.yes["first"] = 0
        for at in range(ACTING):
            seat = "all" if at % 3 == 0 else at % 4
            self._begin(self._acts, f"hand-{at}", self._phone(seat))
        for at in range(WATCHING):
            phone = Caller(self.port) if at % 2 else self._phone(None)
            self._begin(self._streams if at < STREAMS else self._polls, f"eye-{at}", phone)

    def stop(self) -> None:
        self.over.set()
        for thread in self.threads:
            thread.join(60)
        self.told.wrong += [f"{thread.name} never came back." for thread in self.threads if thread.is_alive()]

    def _begin(self, act: Any, name: str, phone: Caller) -> None:
        def live() -> None:
            try:
                act(name, phone, random.Random(f"{self.seed} {name}"))
            except Exception as error:
                self.told.wrong.append(f"{name}: {type(error).__name__}: {error}")

        thread = threading.Thread(target=live, name=name, daemon=True)
        self.threads.append(thread)
        thread.start()

    def _phone(self, seat: int | str | None) -> Caller:
        phone = Caller(self.port)
        phone.ask("POST", "/api/join", {"code": CODE})
        if seat is not None:
            # Seats are of a game; before the first one only the shared phone sits.
            with_game = phone.ask("GET", "/api/state")["game"] is not None
            phone.ask("POST", "/api/join", {"seat": seat if with_game else "all"})
        return phone

    def _acts(self, name: str, phone: Caller, chance: random.Random) -> None:
        count = 0
        while not self.over.wait(chance.uniform(*PAUSE)):
            state = phone.ask("GET", "/api/state")
            # Somebody who looks for a while decides on what may be old by then.
            if chance.random() < 0.15 and self.over.wait(chance.uniform(*PAUSE)):
                return
            you, game = state["you"], state["game"]
            if you["role"] == "player" and game["prompt"]["seat"] != you["acting"] and chance.random() < 0.85:
                continue  # most people wait for their turn
            act = act_for(phone, state, chance)
            if act is None:
                continue
            count += 1
            sent = {"version": state["version"], "id": f"{name}-{count}", **act[1]}
            self._send(phone, act[0], sent, chance)

    def _send(self, phone: Caller, path: str, sent: dict[str, Any], chance: random.Random) -> None:
        how = chance.random()
        if how < 0.08:
            phone.send_and_hang_up(path, sent)
            if chance.random() < 0.5:
                self.told.nothing.add(sent["id"])
                return
        if how > 0.85:
            # The same press twice at the same instant, over two connections.
            twin = Caller(self.port)
            twin._cookie = phone._cookie
            thread = threading.Thread(target=self._one, args=(twin, path, sent), daemon=True)
            thread.start()
            self._one(phone, path, sent)
            thread.join(60)
            twin.drop()
            return
        self._one(phone, path, sent)

    def _one(self, phone: Caller, path: str, sent: dict[str, Any]) -> None:
        began = time.monotonic()
        try:
            phone.ask("POST", path, sent)
        except Refused as refused:
            if refused.status not in (403, 409, 422):
                self.told.wrong.append(f"{path}: {refused}")
            self.told.no.setdefault(sent["id"], refused.code)
            return
        except OSError as error:
            self.told.wrong.append(f"{path}: {error}")
            self.told.nothing.add(sent["id"])
            return
        self.told.seconds.append(time.monotonic() - began)
        self.told.within.append(phone.within)
        self.told.yes[sent["id"]] = table_version(sent)

    def _polls(self, name: str, phone: Caller, chance: random.Random) -> None:
        version = "-1"
        while not self.over.wait(chance.uniform(0.8, 1.2)):
            # Not read as JSON: these phones are to cost the machine little, which the table runs on as well.
            _, content = phone.raw("GET", f"/api/state?since={version}")
            if content:
                version = content[len('{"version":') : content.index(b",")].decode()
            if chance.random() < 0.01:
                phone.drop()
        self._last(name, phone)

    def _streams(self, name: str, phone: Caller, chance: random.Random) -> None:
        while not self.over.is_set():
            wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=40)
            wire.request("GET", f"/api/live?client={name}", headers={"Cookie": phone._cookie})
            answer = wire.getresponse()
            until = time.monotonic() + chance.uniform(5, 120)
            while answer.status == 200 and time.monotonic() < until and not self.over.is_set():
                if not answer.readline():
                    break
            wire.close()  # phones sleep, and come back
        self._last(name, phone)

    def _last(self, name: str, phone: Caller) -> None:
        """Note the state that this phone ends in, once nobody acts any more."""
        for thread in self.threads[:ACTING]:
            thread.join(60)
        state = phone.ask("GET", "/api/state")
        self.told.states[name] = table_version(state), game_text(state)


def wrong_with(events: list[Event], told: Told) -> list[str]:
    """Return every move that was lost, doubled, or made on an older state than it was decided on."""
    found = list(told.wrong)
    ids = Counter(event.client_id for event in events if event.client_id)
    of = {event.client_id: event for event in events}
    found += [f"{one} is there {count} times." for one, count in ids.items() if count > 1]
    found += [f"{one} was confirmed and is not there." for one in told.yes if one not in ids]
    found += [f"{one} was refused and is there." for one in told.no if one in ids and one not in told.yes]
    strangers = set(ids) - set(told.yes) - told.nothing - set(told.no)
    found += [f"{one} is there and nobody asked for it." for one in strangers]
    found += [
        f"{one} was decided on {version} and became {of[one].seq}."
        for one, version in told.yes.items()
        if one in of and one != "first" and of[one].seq != version + 1
    ]
    if len({text for _, text in told.states.values()}) > 1:
        found.append("The phones do not all see the same table at the end.")
    if told.states and {version for version, _ in told.states.values()} != {len(events)}:
        found.append("The table at the end is not what the journal holds.")
    return found


def phones(run: Run) -> dict[str, Any]:
    """Let phones play for `run.size` seconds; return the figures."""
    memory: list[tuple[float, float]] = []
    with Table(run.folder / "home", SETTINGS) as table:
        hands = Hands(table.port, run.seed)
        hands.start()
        began, own, table_s = time.monotonic(), time.process_time(), worked_s(table.process.pid)
        while (passed := time.monotonic() - began) < run.size:
            time.sleep(min(5.0, max(0.1, run.size - passed)))
            memory.append((time.monotonic() - began, resident_mb(table.process.pid)))
            told = hands.told
            run.say(
                f"{passed:.0f} s: {len(told.yes)} confirmed, {len(told.no)} refused, p95 "
                f"{percentile(told.seconds, 0.95) * 1000:.0f} ms, {memory[-1][1]:.0f} MB {told.wrong[-1:] or ''}"
            )
        share = [(time.process_time() - own) / passed, (worked_s(table.process.pid) - table_s) / passed]
        hands.stop()
        events = read_events(table.home / "journal.sqlite3")
    told = hands.told
    settled = [mb for at, mb in memory if at >= run.size * WARM] or [mb for _, mb in memory]
    return {
        "seconds": run.size,
        "confirmed": len(told.yes),
        "refused": dict(Counter(told.no.values())),
        "hung up without an answer": len(told.nothing),
        "events": len(events),
        "confirm, median ms": round(percentile(told.seconds, 0.5) * 1000),
        "confirm, p95 ms": round(percentile(told.seconds, 0.95) * 1000),
        "confirm, slowest ms": round(max(told.seconds, default=0) * 1000),
        "within the table, median ms": round(percentile(told.within, 0.5) * 1000),
        "within the table, p95 ms": round(percentile(told.within, 0.95) * 1000),
        "cores used by the table and by these phones": [round(share[1], 2), round(share[0], 2)],
        "processes that wanted to run at the end": round(os.getloadavg()[0], 1),
        "memory after the first quarter, MB": round(settled[0]),
        "memory at the end, MB": round(settled[-1]),
        "memory grew, %": round((settled[-1] / settled[0] - 1) * 100, 1),
        "wrong": wrong_with(events, told),
    }
