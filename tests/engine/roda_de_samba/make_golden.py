"""Write the golden transcripts: whole games of two and four players, by a seeded player.

    .venv/bin/python tests/engine/roda_de_samba/make_golden.py

Of some games by chance the one with most sambists is kept, so that invitations and their powers are in it. Rewriting
them changes what the tests hold the rules to, so read the difference before you commit it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from engine.roda_de_samba import shipped_deck  # noqa: E402
from tests.engine.golden import transcript, write  # noqa: E402
from tests.engine.roda_de_samba.rounds import GAME, playout, setup  # noqa: E402


def starts() -> dict[str, dict[str, Any]]:
    """Return the setups, each with its own copy of the example deck, so that the transcripts stand alone."""
    deck = shipped_deck("example").as_json()
    homes = [
        {"name": "Ana", "region": "Lapa"},
        {"name": "Bia"},
        {"name": "Caio", "region": "Pedra do Sal"},
        {"name": "Duda"},
    ]
    return {
        "two_players": setup(2, deck=deck),
        "four_players": setup(4, deck=deck, players=homes, house_rules={"bonus.guest_instrument": "on"}),
        "three_circles": setup(3, deck=deck, house_rules={"entry.detail": "circles"}),
    }


def game_of(start: dict[str, Any], seeds: range) -> dict[str, Any]:
    """Return the game of those seeds in which most sambists are invited, with its marks."""
    games = [list(playout(start, seed)) for seed in seeds]
    steps = max(games, key=lambda steps: sum(len(seat.sambists) for seat in steps[-1][0].seats))
    return transcript(GAME, start, steps, marks=[one.as_json() for one in steps[-1][0].marks()])


if __name__ == "__main__":
    for number, (name, start) in enumerate(starts().items(), 1):
        write(HERE / "golden" / f"{name}.json", game_of(start, range(2026 * number, 2026 * number + 8)))
