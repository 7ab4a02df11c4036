"""Write the golden transcripts: one whole game for each number of schools, by a seeded player who likes high rows.

    .venv/bin/python tests/engine/carnavalesco/make_golden.py

Rewriting them changes what the tests hold the rules to, so read the difference before you commit it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from engine.carnavalesco import practice_strip  # noqa: E402
from engine.carnavalesco.division import strip_json  # noqa: E402
from tests.engine.carnavalesco.parade import GAME, playout, setup  # noqa: E402

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


def transcript(start: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return a whole game with what stands at its end."""
    steps = list(playout(start, seed, tries=120))
    state = steps[-1][0]
    outcome = GAME.outcome(state)
    assert outcome is not None
    board = GAME.scoreboard(state)
    return {
        "game": GAME.key,
        "setup": start,
        "moves": [move for _, move in steps[:-1]],
        "final": {
            "state": GAME.dump(state),
            "outcome": outcome.as_json(),
            "scores": [
                {element: mark["score"] for element, mark in player["elements"].items()} for player in board["players"]
            ],
            "perfect_marks": [player["perfect_marks"] for player in board["players"]],
            "totals": [player["total"] for player in board["players"]],
        },
    }


def written(document: dict[str, Any]) -> str:
    """Return the transcript with a move on each line, so that two can be compared."""
    moves = ",\n    ".join(json.dumps(move) for move in document["moves"])
    head = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(document[key])}" for key in ("game", "setup", "final"))
    return f'{{\n  {head},\n  "moves": [\n    {moves}\n  ]\n}}\n'


if __name__ == "__main__":
    for number, (name, start) in enumerate(starts().items(), 1):
        (HERE / "golden" / f"{name}.json").write_text(written(transcript(start, 2026 + number)), encoding="utf-8")
