"""Write the golden transcripts: one whole game for each number of players, by a seeded player.

    .venv/bin/python tests/engine/carnival_of_sins/make_golden.py

Rewriting them changes what the tests hold the rules to, so read the difference before you commit it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from tests.engine.carnival_of_sins.feast import GAME, playout, setup  # noqa: E402
from tests.engine.golden import transcript, write  # noqa: E402

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


def game_of(start: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return a whole game with its scores by round and its totals."""
    steps = list(playout(start, seed))
    state = steps[-1][0]
    scores = [list(marks.scores) for marks in state.marks()]
    return transcript(GAME, start, steps, rounds=scores, totals=list(state.totals()))


if __name__ == "__main__":
    for name, start in starts().items():
        write(HERE / "golden" / f"{name}.json", game_of(start, SEEDS[name]))
