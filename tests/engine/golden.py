"""Golden transcripts: whole games in files, which a game's own `make_golden.py` writes and its tests replay."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.game import Game, Move


def transcript(
    game: Game[Any], setup: Mapping[str, Any], steps: Sequence[tuple[Any, Move]], **final: Any
) -> dict[str, Any]:
    """Return a whole game: each state of `steps` with the move made in it, the last one with none.

    Beside the last state and the outcome, `final` stands at its end.
    """
    state = steps[-1][0]
    outcome = game.outcome(state)
    assert outcome is not None
    return {
        "game": game.key,
        "setup": dict(setup),
        "moves": [move for _, move in steps[:-1]],
        "final": {"state": game.dump(state), "outcome": outcome.as_json(), **final},
    }


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Write a transcript with a move on each line, so that two can be compared."""

    def line(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    head = ",\n  ".join(f"{line(key)}: {line(document[key])}" for key in ("game", "setup", "final"))
    moves = ",\n    ".join(map(line, document["moves"]))
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'{{\n  {head},\n  "moves": [\n    {moves}\n  ]\n}}\n', encoding="utf-8")
