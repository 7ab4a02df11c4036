"""Write the golden transcripts: one whole game for each number of players, by a seeded player.

    .venv/bin/python tests/engine/carnival_of_sins/make_golden.py

Rewriting them changes what the tests hold the rules to, so read the difference before you commit it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from tests.engine.carnival_of_sins.feast import GAME, playout, setup  # noqa: E402

SEEDS = {"two_players": 17, "three_players": 25, "four_players": 8, "five_players": 3}
"""Games in which Wrath knocks dice and lets some fall, and (but for two players) several are proud in one round."""


def starts() -> dict[str, dict[str, Any]]:
    """Return the setups: by the book, with seats round the picture, another first Devil, house rules."""
    five = setup(5, devil=3)
    for player, angle in zip(five["players"], (180, 250, 320, 40, 110), strict=True):
        player["angle"] = angle
    switched = {"envy.when": "reveal", "envy.copies_penalty": "off", "wrath.fallen": "before", "lust.optional": "on"}
    return {
        "two_players": setup(2),
        "three_players": setup(3, devil=2, house_rules=switched),
        "four_players": setup(4, house_rules={"memory.aid": "on", "final.second_tiebreak": "next_best"}),
        "five_players": five,
    }


def transcript(start: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return a whole game with what stands at its end."""
    steps = list(playout(start, seed))
    state = steps[-1][0]
    outcome = GAME.outcome(state)
    assert outcome is not None
    return {
        "game": GAME.key,
        "setup": start,
        "moves": [move for _, move in steps[:-1]],
        "final": {
            "state": GAME.dump(state),
            "outcome": outcome.as_json(),
            "rounds": [list(marks.scores) for marks in state.marks()],
            "totals": list(state.totals()),
        },
    }


def written(document: dict[str, Any]) -> str:
    """Return the transcript with a move on each line, so that two can be compared."""
    moves = ",\n    ".join(json.dumps(move) for move in document["moves"])
    head = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(document[key])}" for key in ("game", "setup", "final"))
    return f'{{\n  {head},\n  "moves": [\n    {moves}\n  ]\n}}\n'


if __name__ == "__main__":
    for name, start in starts().items():
        (HERE / "golden" / f"{name}.json").write_text(written(transcript(start, SEEDS[name])), encoding="utf-8")
