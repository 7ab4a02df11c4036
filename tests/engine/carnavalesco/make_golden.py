"""Write the golden transcripts: one whole game for each number of schools, by a seeded player who likes high rows.

    .venv/bin/python tests/engine/carnavalesco/make_golden.py

Rewriting them changes what the tests hold the rules to, so read the difference before you commit it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from engine.carnavalesco import practice_strip  # noqa: E402
from engine.carnavalesco.division import strip_json  # noqa: E402
from tests.engine.carnavalesco.parade import GAME, playout, setup  # noqa: E402
from tests.engine.golden import transcript, write  # noqa: E402

HOUSE_RULES = {"storyline.different": "not_identical", "couple.two_colours": "strict"}


def starts() -> dict[str, dict[str, Any]]:
    """Return the setups: practice strips, printed strips, different divisions, another first seat."""
    tables = {division: strip_json(practice_strip(division)) for division in "DCBAS"}
    mixed = setup(4, division_tables=tables, first=2, house_rules=HOUSE_RULES)
    for player, division in zip(mixed["players"], "SADC", strict=True):
        player.update(division=division, table="user")
    return {
        "one_school": setup(1),
        "two_schools": setup(2, first=1),
        "three_schools": setup(3, colours=["red", "yellow", "green", "blue", "white", "black"]),
        "four_schools": mixed,
    }


def game_of(start: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return a whole game with its scores by element, its perfect marks and its totals."""
    steps = list(playout(start, seed, tries=120))
    players = GAME.scoreboard(steps[-1][0])["players"]
    return transcript(
        GAME,
        start,
        steps,
        scores=[{element: mark["score"] for element, mark in player["elements"].items()} for player in players],
        perfect_marks=[player["perfect_marks"] for player in players],
        totals=[player["total"] for player in players],
    )


if __name__ == "__main__":
    for number, (name, start) in enumerate(starts().items(), 1):
        write(HERE / "golden" / f"{name}.json", game_of(start, 2026 + number))
