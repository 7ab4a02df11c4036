"""Final positions in, marks out: circles and sambists that are given whole, with no turns before them."""

from __future__ import annotations

from typing import Any

from engine import fields
from engine.roda_de_samba.cards import folded, read_sambist
from engine.roda_de_samba.circle import EMPTY, Circle, read_circle, stacks
from engine.roda_de_samba.house_rules import read_house_rules
from engine.roda_de_samba.marks import (
    NOTHING_TYPED,
    Position,
    check_manual,
    guest_colour,
    mark,
    ranking,
    read_tally,
    tie_sentence,
    victory_sentence,
)
from engine.roda_de_samba.setup import check_names, check_seats


def score_positions(document: Any) -> dict[str, Any]:
    """Return the marks, totals and winners of finished circles. Raises `InvalidInput` naming the field at fault.

    The document is `jurado score`'s: `game`, `players`, and optionally `house_rules`.
    """
    given = fields.record(document, "", needs=("game", "players"), may=("house_rules",))
    rules = read_house_rules(given.get("house_rules"))
    players = fields.entries(given["players"], "players", of="players")
    check_seats(len(players), "players", least=1)
    circles = [_read_player_circle(player, fields.inside("players", at)) for at, player in enumerate(players)]
    known = {folded(stack.instrument): stack.colour for circle in circles for stack in stacks(circle)}
    positions = [
        _read_position(player, circle, known, fields.inside("players", at))
        for at, (player, circle) in enumerate(zip(players, circles, strict=True))
    ]
    check_names([position.name for position in positions], "players")
    for at, position in enumerate(positions):
        check_manual(position, rules, fields.inside("players", at))
    marks = [mark(position, rules) for position in positions]
    groups = ranking(marks)
    return {
        "players": [one.as_json() for one in marks],
        "winners": [marks[at].name for at in groups[0]],
        "ranking": [[marks[at].name for at in group] for group in groups],
        "why": victory_sentence(marks),
        "tie_break": tie_sentence(marks),
    }


def _read_player_circle(value: Any, field: str) -> Circle:
    """Return a player's circle; it and the sambists may be left out where figures are typed by hand."""
    lying = ("circle", "sambists")
    quick = hasattr(value, "get") and value.get("tally") is not None
    needs = ("name",) if quick else ("name", *lying)
    given = fields.record(value, field, needs=needs, may=(*lying, "tally"))
    return read_circle(given["circle"], f"{field}.circle") if "circle" in given else EMPTY


def _read_position(value: Any, circle: Circle, known: dict[str, str], field: str) -> Position:
    cards = fields.entries(value.get("sambists", ()), f"{field}.sambists", of="sambists")
    sambists = []
    for at, card in enumerate(cards):
        where = f"{field}.sambists[{at}]"
        sambist = read_sambist(card, where)
        if sambist.stars is None:
            fields.record(card, where, needs=("name", "stars"), may=card if hasattr(card, "keys") else ())
            fields.whole(None, f"{where}.stars", low=0, high=99, what="A sambist's stars")
        sambists.append(sambist)
    return Position(
        fields.name(value["name"], f"{field}.name"),
        circle,
        tuple(sambists),
        NOTHING_TYPED if value.get("tally") is None else read_tally(value["tally"], f"{field}.tally"),
        guest_colour(sambists, known),
    )
