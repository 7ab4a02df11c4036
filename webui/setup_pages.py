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
    return shown("new.html", games=[{"key": game.key, "name": game.name, **numbers(game.key)} for game in known])


@blueprint.get("/new/<key>")
@needs(Role.LOOK)
def form(key: str) -> str:
    """Show the form for a new game, filled with the people of the last one."""
    game = games().get(key)
    if game is None:
        abort(404)
    table = services().table
    number = numbers(key)
    offered = told_here(part_of(key).choices(table))
    choices = {"key": key, "names": table.names, "few": number["few"], "many": number["most"], **offered}
    return shown(
        [f"games/{key}/new.html", "games/new.html"],
        choices=choices,
        names=table.names,
        playing=game,
        house_rules=told_here([rule.as_json() for rule in game.house_rules]),
    )


@cache
def numbers(key: str) -> dict[str, int]:
    """Return how many people can play the game `key`: `few` to `many` as it is, up to `most` by a house rule."""
    setups = list(sample_setups(games()[key]))
    all_of_them = [number for number, _ in setups] or [1, MOST_PLAYERS]
    usual = [number for number, setup in setups if not setup.get("house_rules")] or all_of_them
    return {"few": min(usual), "many": max(usual), "most": max(all_of_them)}


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
