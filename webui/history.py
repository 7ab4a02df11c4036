"""The games played at this table: the list, and each one's final marks."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort

from engine.game import GameError
from engine.play import folded
from engine.words import say
from webui.errors import WebError
from webui.games import part_of
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.snapshot import colours_of, house_rules, spoken
from webui.words import told_here

blueprint = Blueprint("history", __name__)


def placed(game: dict[str, Any]) -> list[list[str]]:
    """Return the names of a finished game in groups, best first; empty while it has no result."""
    result = game.get("result")
    if not result:
        return []
    return [[game["players"][seat] for seat in group] for group in result["ranking"]]


@blueprint.get("/history")
@needs(Role.LOOK)
def games() -> str:
    """Show every game, newest first."""
    listed = [{**game, "places": placed(game)} for game in services().table.games()]
    return shown("history.html", games=listed)


@blueprint.get("/history/<game_id>")
@needs(Role.LOOK)
def game(game_id: str) -> str:
    """Show one game: its marks, its house rules, its log."""
    table = services().table
    found = next((game for game in table.games() if game["id"] == game_id), None)
    if found is None:
        abort(404)
    try:
        play = folded(table.journal.events(game_id))
    except GameError as error:
        raise WebError(
            409,
            error.code,
            say(
                "This game cannot be shown under today's rules: {message} It is kept in the journal.",
                message=error.message,
            ),
        ) from error
    seen, outcome = play.game.view(play.state), play.game.outcome(play.state)
    view = told_here(seen)
    entries = part_of(play.game.key).log(
        [play.entries[seq].as_json() for seq in sorted(play.entries, reverse=True)], seen
    )
    return shown(
        "past.html",
        game={**found, "places": placed(found)},
        outcome=told_here(outcome.text) if outcome is not None else "",
        scoreboard=told_here(play.game.scoreboard(play.state)),
        rules=told_here(house_rules(play.game, play.setup)),
        has_rules=bool(play.game.house_rules),
        notes=view.get("notes", []),
        log=spoken(told_here(entries), colours_of(play.game, play.state, seen)),
    )
