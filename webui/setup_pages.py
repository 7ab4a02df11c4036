"""The pages before a game: which game, its form, and the colours of the table's dice."""

from __future__ import annotations

from functools import cache

from flask import Blueprint, Response, abort

from engine.game import MOST_PLAYERS, games, sample_setups
from engine.words import say
from webui.asking import body, decided, done, field
from webui.errors import WebError
from webui.games import part_of
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.words import told_here

blueprint = Blueprint("setup_pages", __name__)


@blueprint.get("/new")
@needs(Role.LOOK)
def new_game() -> str:
    """Ask which game is to be played; the one played last comes first, else the one that the table was set up for."""
    table = services().table
    played = [game["key"] for game in table.games()] or [table.arrangement.game]
    known = sorted(games().values(), key=lambda game: played.index(game.key) if game.key in played else len(played))
    return shown(
        "new.html", games=[{"key": game.key, "name": game.name, "players": players(game.key)} for game in known]
    )


@blueprint.get("/new/<key>")
@needs(Role.LOOK)
def form(key: str) -> str:
    """Show the form for a new game, filled with the people of the last one."""
    game = games().get(key)
    if game is None:
        abort(404)
    table = services().table
    few, many = players(key)
    offered = told_here(part_of(key).choices(table))
    choices = {"key": key, "names": table.names, "few": few, "many": many, **offered}
    return shown(
        [f"games/{key}/new.html", "games/new.html"],
        choices=choices,
        names=table.names,
        playing=game,
        house_rules=told_here([rule.as_json() for rule in game.house_rules]),
    )


@cache
def players(key: str) -> tuple[int, int]:
    """Return the fewest and the most people who can play the game `key`."""
    numbers = [number for number, _ in sample_setups(games()[key])]
    return min(numbers, default=1), max(numbers, default=MOST_PLAYERS)


@blueprint.post("/api/colours")
@needs(Role.WATCH)
def save_colours() -> tuple[Response, int]:
    """Keep the names and tints of the table's six colours."""
    given = body()
    options = decided(given)
    colours = field(given, "colours", list)
    if not all(isinstance(colour, str) for colour in colours):
        raise WebError(400, "bad_field", say("“colours” must be six names. Nothing was changed."), field="colours")
    services().table.save_colours(colours, field(given, "tints", dict, optional=True), **options)
    return done(201)
