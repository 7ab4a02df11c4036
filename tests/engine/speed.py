"""How fast the rules are: the marks and the outlook of a board of Carnavalesco, and a whole game folded from its log.

    .venv/bin/python -m tests.engine.speed

A measuring script beside the tests. Every figure is a median in microseconds, and a ratio to a fixed loop of plain
Python that is timed in turn with it: the ratio says the same on a slow or busy machine.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.carnavalesco import ELEMENTS, practice_strip
from engine.carnavalesco.board import Board
from engine.carnavalesco.marks import Jury, judge
from engine.carnavalesco.outlook import changes
from engine.carnavalesco.setup import DEFAULT_COLOURS
from engine.dice import Die
from engine.game import game_named
from engine.journal import Journal
from engine.play import folded
from engine.selfplay import play_whole
from engine.table import Table

MARKS_US = 60
"""The most that the marks of one full board may take at the median, in microseconds."""

FOLD_US = 15_000
"""The most that a whole game of four schools may take to be folded from its log."""


_IN_A_ROW = 25


def loop() -> int:
    """The yardstick: a thousand additions and remainders."""
    total = 0
    for number in range(1_000):
        total += number % 7
    return total


def timed(act: Callable[[], Any]) -> float:
    """Return the microseconds that `act` takes."""
    began = time.perf_counter_ns()
    act()
    return (time.perf_counter_ns() - began) / 1_000


def measured(acts: list[Callable[[], Any]]) -> tuple[float, float]:
    """Return the median of `acts` in microseconds, and its ratio to the loop timed in turn with some of them."""
    took: list[float] = []
    yard: list[float] = []
    for at in range(0, len(acts), _IN_A_ROW):
        took += [timed(act) for act in acts[at : at + _IN_A_ROW]]
        yard += [timed(loop) for _ in range(_IN_A_ROW)]
    median = statistics.median(took)
    return median, median / statistics.median(yard)


def full_boards(count: int) -> list[Board]:
    """Return boards of dice by chance, few faces in half of them so that high rows are met too."""
    chance = random.Random(2026)
    boards = []
    for number in range(count):
        colours = chance.sample(DEFAULT_COLOURS, 2 if number % 2 else 6)
        fours = [tuple(Die(chance.choice(colours), chance.randint(1, 6)) for _ in range(4)) for _ in ELEMENTS]
        boards.append(Board(tuple(fours)))
    return boards


def marks(count: int = 2_000, *, told: bool = False) -> tuple[float, float]:
    """Return how long the nine marks of a board take that was never seen before, put into words as well when `told`."""
    jury = Jury(strip=practice_strip("D"))

    def act(board: Board) -> Any:
        found = judge(board, jury)
        return [mark.as_json() for mark in found] if told else found

    return measured([lambda board=board: act(board) for board in full_boards(count)])  # type: ignore[misc]


def outlooks(count: int = 200) -> tuple[float, float]:
    """Return how long it takes to tell what each of twelve dice would change on a board that has half of its own."""
    jury = Jury(strip=practice_strip("D"))
    chance = random.Random(2026)
    halves = [Board(tuple((*four[:2], None, None) for four in board.spaces)) for board in full_boards(count)]
    rolls = [[Die(chance.choice(DEFAULT_COLOURS), chance.randint(1, 6)) for _ in range(12)] for _ in halves]
    acts = [
        lambda board=board, dice=dice: changes(board, dice, jury) for board, dice in zip(halves, rolls, strict=True)
    ]
    return measured(acts)  # type: ignore[arg-type]


def fold(folder: Path, count: int = 30) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return how long a game of four schools takes to fold from its events, and from a journal as a table opens it."""
    game = game_named("carnavalesco")
    played = play_whole(game, game.sample_setup(4), random.Random(4))
    clock = map("2026-11-30T07:{:04d}Z".format, itertools.count())
    with Journal(folder / "journal.sqlite3", now=clock.__next__) as journal:
        table = Table(journal)
        table.open_game(game.key, played.setup)
        for move in played.moves:
            table.apply(move)
        events = list(journal.events(table.game_id))
        return measured([lambda: folded(events)] * count), measured([lambda: Table(journal)] * count)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        log, opened = fold(Path(folder))
    judged, told = marks(), marks(told=True)
    for name, (took, ratio) in {
        "marks of a full board": judged,
        "  with their reasons in words": told,
        "what twelve dice would change": outlooks(),
        "game of four schools from its log": log,
        "  from a journal, as a table opens it": opened,
    }.items():
        print(f"{name:38} {took:9.1f} us   {ratio:7.2f} loops")
    return 0 if judged[0] < MARKS_US and log[0] < FOLD_US else 1


if __name__ == "__main__":
    sys.exit(main())
