"""What people do with games that were played: notes, the bin and back, emptying it; each one door, each JSON."""

from __future__ import annotations

from flask import Blueprint, Response

from engine.words import say
from webui.asking import body, decided, done, field
from webui.errors import WebError
from webui.roles import Role, needs
from webui.services import services

blueprint = Blueprint("keeping", __name__)


@blueprint.post("/api/games/<game_id>/notes")
@needs(Role.WATCH)
def write_notes(game_id: str) -> tuple[Response, int]:
    """Keep notes on a game, in the place of those there were; those stay as earlier ones."""
    given = body()
    options = decided(given)
    text, edits = field(given, "text", str), field(given, "edits", int)
    table = services().table
    found = next((game for game in table.games() if game["id"] == game_id), None)
    written_before = table.journal.of_client(options["client_id"]) is not None
    if found is not None and edits != len(found["notes"]) and not written_before:
        raise WebError(
            409,
            "stale_notes",
            say(
                "Somebody else has changed these notes meanwhile, so yours were not kept yet. Copy what you wrote, "
                "load the page again, and add it to theirs."
            ),
            field="edits",
        )
    # Notes are decided on the notes that were read, not on the turn that is played.
    table.write_notes(game_id, text, client_id=options["client_id"], by=options["by"])
    return done()


@blueprint.post("/api/games/<game_id>/delete")
@needs(Role.HOST)
def delete_game(game_id: str) -> tuple[Response, int]:
    """Put a game into the bin; the open one is put away with it."""
    given = body()
    options = decided(given)
    services().table.delete_game(game_id, abandon=given.get("abandon") is True, **options)
    return done()


@blueprint.post("/api/games/<game_id>/restore")
@needs(Role.HOST)
def restore_game(game_id: str) -> tuple[Response, int]:
    """Take a game out of the bin."""
    services().table.restore_game(game_id, **decided(body()))
    return done()


@blueprint.post("/api/bin/empty")
@needs(Role.HOST)
def empty_bin() -> tuple[Response, int]:
    """Let the games in the bin go for good, and their photographs with them."""
    options = decided(body())
    table = services().table
    event = table.empty_bin(**options)
    for game_id in event.payload["games"]:
        services().station.forget_photos([roll.seq for roll in table.rolls(game_id)])
    return done()
