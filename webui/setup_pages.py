"""The pages before a game: a new game, and the division's printed strip copied once."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from engine.carnavalesco.division import DIVISIONS, SUMS, practice_strip, strip_json, validate_strip
from engine.carnavalesco.setup import DEFAULT_COLOURS
from engine.dice import COLOURS, TINTS
from webui import words
from webui.asking import body, decided, done, field, person
from webui.errors import WebError
from webui.play_page import shown
from webui.services import services

blueprint = Blueprint("setup_pages", __name__)


@blueprint.get("/new")
def new_game() -> str:
    """Show the form for a new game, filled with the people of the last one."""
    table = services().table
    choices = {
        "names": table.names,
        "colours": table.colours or DEFAULT_COLOURS,
        "known": COLOURS,
        "tints": TINTS | table.tints,
        "divisions": words.DIVISIONS,
        "sources": words.STRIP_SOURCES,
        "strips": sorted(table.strips),
    }
    return shown("new.html", choices=choices, names=table.names, house_rules=words.HOUSE_RULES)


@blueprint.get("/strips")
def strips() -> str:
    """Show the strips that the table has copied, and the form to copy one."""
    table = services().table
    division = request.args.get("division", "D")
    if division not in DIVISIONS:
        division = "D"
    numbers = table.strips.get(division)
    return shown(
        "strips.html",
        division=division,
        divisions=words.DIVISIONS,
        sums=list(SUMS),
        numbers=numbers,
        practice=strip_json(practice_strip(division)),
        saved=sorted(table.strips),
        warnings=_warnings(division, numbers) if numbers else [],
    )


def _warnings(division: str, numbers: Any) -> list[str]:
    others = {other: kept for other, kept in services().table.strips.items() if other != division}
    return list(validate_strip(numbers, division, others))


@blueprint.post("/api/strips/check")
def check_strip() -> Response:
    """Return what looks strange about a copied strip; nothing is saved."""
    given = body()
    return jsonify({"warnings": _warnings(field(given, "division", str), field(given, "numbers", dict))})


@blueprint.post("/api/strips")
def save_strip() -> tuple[Response, int]:
    """Keep a copied strip for the table; strange numbers are warned of, not refused."""
    given = body()
    options = decided(given)
    person().must_join()
    division, numbers = field(given, "division", str), field(given, "numbers", dict)
    warnings = _warnings(division, numbers)
    table = services().table
    table.save_strip(division, numbers, **options)
    if division in _divisions_in_play():
        table.apply(
            {"move": "strip", "division": division, "numbers": numbers},
            client_id=f"{options['client_id']}-in-play",
            by=options["by"],
        )
    return done(201, warnings=warnings)


def _divisions_in_play() -> set[str]:
    now = services().table.now()
    if now.state is None:
        return set()
    return {player.get("division") for player in now.game.view(now.state)["players"]}


@blueprint.post("/api/colours")
def save_colours() -> tuple[Response, int]:
    """Keep the names and tints of the table's six colours."""
    given = body()
    options = decided(given)
    person().must_join()
    colours = field(given, "colours", list)
    if not all(isinstance(colour, str) for colour in colours):
        raise WebError(400, "bad_field", "“colours” must be six names. Nothing was changed.", field="colours")
    services().table.save_colours(colours, field(given, "tints", dict, optional=True), **options)
    return done(201)
