"""Final positions in, marks out: `jurado score`, for the games whose marks can be worked out from what lies there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.carnavalesco.positions import score_positions
from engine.game import GameError, InvalidInput

SCORERS: Mapping[str, Callable[[Any], dict[str, Any]]] = {"carnavalesco": score_positions}
"""The games that can be scored, by their key."""

NOT_READY = ("carnival_of_sins", "roda_de_samba")
"""Games that Jurado will know and does not know yet."""


def score_document(document: Any) -> dict[str, Any]:
    """Return the marks for `document`, a JSON object whose `game` names the game.

    Raises `GameError` (`InvalidInput` for the document itself) with a code, a sentence and the field at fault.
    """
    if not isinstance(document, Mapping):
        raise InvalidInput("bad_type", "A document to score is one JSON object with a game and its positions.")
    known = ", ".join(sorted(SCORERS))
    if "game" not in document:
        raise InvalidInput("missing_field", f"The document does not say which game it is. Known: {known}.", "game")
    key = document["game"]
    if isinstance(key, str) and key in NOT_READY:
        raise GameError(
            "game_not_ready",
            f"Scoring {key} is not built yet, so nothing was scored. Games that can be scored: {known}.",
            "game",
        )
    if not isinstance(key, str) or key not in SCORERS:
        raise InvalidInput(
            "unknown_game", f"There is no game {key!r} to score. Games that can be scored: {known}.", "game"
        )
    return SCORERS[key](document)
