"""Final positions in, marks out: `jurado score`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import InvalidInput, game_of
from engine.words import say


def score_document(document: Any) -> dict[str, Any]:
    """Return the marks for `document`, a JSON object whose `game` names the game.

    Raises `GameError` (`InvalidInput` for the document itself) with a code, a sentence and the field at fault.
    """
    if not isinstance(document, Mapping):
        raise InvalidInput("bad_type", say("A document to score is one JSON object with a game and its positions."))
    return game_of(document).score(document)
