"""Whole games as setup and moves: played again, and taken out of a journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.game import GameError, InvalidInput, game_of
from engine.journal import Event
from engine.play import DELETED, OPENED, RESTORED, folded, not_a_move
from engine.words import quoted, say


class WrongMove(GameError):
    """Move number `move` (from 0) of a document cannot be played."""

    def __init__(self, error: GameError, move: int) -> None:
        super().__init__(error.code, error.message, error.field)
        self.move_into(f"moves[{move}]")
        self.move = move

    def as_json(self) -> dict[str, Any]:
        whole = super().as_json()
        whole["error"]["move"] = self.move
        return whole


def replay_document(document: Any) -> dict[str, Any]:
    """Return where a game `{"game", "setup", "moves"}` ends: `state`, `scoreboard`, `prompt`, `outcome`.

    `state` is the game's own text of the state, as JSON. Raises `InvalidInput`, and `WrongMove` naming the move.
    """
    if not isinstance(document, Mapping):
        example = '{"game": …, "setup": {…}, "moves": […]}'
        raise InvalidInput("bad_document", say("A game is one object: {example}.", example=example))
    for name in document:
        if name not in ("game", "setup", "moves"):
            raise InvalidInput(
                "unknown_field",
                say("A game has no {name}; it has game, setup and moves.", name=quoted(name)),
                str(name),
            )
    game = game_of(document)
    if "setup" not in document:
        raise InvalidInput("missing_field", say("The game lacks its setup. Add it."), "setup")
    setup, moves = document["setup"], document.get("moves", [])
    if not isinstance(setup, Mapping):
        raise InvalidInput("bad_setup", say("The setup must be an object. Send one."), "setup")
    if not isinstance(moves, Sequence) or isinstance(moves, str):
        raise InvalidInput("bad_moves", say("The moves must be a list. Send one."), "moves")
    try:
        state = game.setup(setup)
    except GameError as error:
        error.move_into("setup")
        raise
    for index, move in enumerate(moves):
        try:
            if not isinstance(move, Mapping):
                raise not_a_move()
            state = game.apply(state, move)
        except GameError as error:
            raise WrongMove(error, index) from error
    outcome = game.outcome(state)
    return {
        "game": game.key,
        "state": _as_json(game.dump(state)),
        "scoreboard": game.scoreboard(state),
        "prompt": game.prompt(state).as_json(),
        "outcome": None if outcome is None else outcome.as_json(),
    }


def export_game(events: Iterable[Event], game_id: str) -> dict[str, Any]:
    """Return a played game as `replay_document` takes it: undone turns left out, corrections made.

    Raises `InvalidInput` when there is no such game among the events.
    """
    play = folded(event for event in events if event.game_id == game_id)
    return {"game": play.game.key, "setup": dict(play.setup), "moves": [dict(move) for move in play.moves]}


def listed_games(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the games that were opened, oldest first: `id`, `game`, `players`, `opened_at`, and whether they are
    `deleted`, which takes nothing out of the journal."""
    found: dict[str | None, dict[str, Any]] = {}
    for event in events:
        if event.kind == OPENED:
            found[event.game_id] = {
                "id": event.game_id,
                "game": event.payload["key"],
                "players": event.payload["players"],
                "opened_at": event.at,
                "deleted": False,
            }
        elif event.kind in (DELETED, RESTORED):
            found[event.game_id]["deleted"] = event.kind == DELETED
    return list(found.values())


def _as_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
