"""Final positions in, marks out: circles and sambists that are given whole, with no turns before them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import fields
from engine.game import InvalidInput
from engine.roda_de_samba.cards import Instrument, Sambist, folded, read_sambist
from engine.roda_de_samba.circle import EMPTY, Circle, read_circle
from engine.roda_de_samba.deck import Deck, check_brought
from engine.roda_de_samba.house_rules import read_house_rules
from engine.roda_de_samba.marks import (
    NOTHING_TYPED,
    Position,
    Tally,
    check_manual,
    guest_colour,
    mark,
    ranking,
    read_tally,
    tie_sentence,
    victory_sentence,
)
from engine.roda_de_samba.setup import check_seats
from engine.words import named, say


def score_positions(document: Any) -> dict[str, Any]:
    """Return the marks, totals and winners of finished circles. Raises `InvalidInput` naming the field at fault.

    The document is `jurado score`'s: `game`, `players`, and optionally `house_rules`. Circles that no game can end with
    are refused: a sambist with two players, an instrument in two colours.
    """
    given = fields.record(document, "", needs=("game", "players"), may=("house_rules",))
    rules = read_house_rules(given.get("house_rules"))
    players = fields.entries(given["players"], "players", of=say("players"))
    check_seats(len(players), "players", least=1)
    circles = [_read_player_circle(player, fields.inside("players", at)) for at, player in enumerate(players)]
    sambists = [_read_sambists(player, fields.inside("players", at)) for at, player in enumerate(players)]
    names = [fields.name(player["name"], f"players[{at}].name") for at, player in enumerate(players)]
    fields.check_names(names, "players")
    known = _colours(circles, names)
    _check_sambists(sambists, names, known)
    positions = [
        Position(name, circle, cards, _read_figures(player, fields.inside("players", at)), guest_colour(cards, known))
        for at, (player, name, circle, cards) in enumerate(zip(players, names, circles, sambists, strict=True))
    ]
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


def _read_sambists(value: Any, field: str) -> tuple[Sambist, ...]:
    cards = fields.entries(value.get("sambists", ()), f"{field}.sambists", of=say("sambists"))
    sambists = []
    for at, card in enumerate(cards):
        where = f"{field}.sambists[{at}]"
        sambist = read_sambist(card, where)
        if sambist.stars is None:
            fields.record(card, where, needs=("name", "stars"), may=card if hasattr(card, "keys") else ())
            fields.whole(None, f"{where}.stars", low=0, high=99, what=say("The stars of a sambist"))
        sambists.append(sambist)
    return tuple(sambists)


def _read_figures(value: Any, field: str) -> Tally:
    return NOTHING_TYPED if value.get("tally") is None else read_tally(value["tally"], f"{field}.tally")


def _colours(circles: Sequence[Circle], names: Sequence[str]) -> dict[str, str]:
    """Return the colour of each instrument that lies in a circle, by its folded name; each has one."""
    known: dict[str, tuple[str, int, int]] = {}
    for at, circle in enumerate(circles):
        for space, stack in enumerate(circle):
            if stack is None:
                continue
            colour, owner, there = known.setdefault(folded(stack.instrument), (stack.colour, at, space))
            if colour != stack.colour:
                raise InvalidInput(
                    "colour_conflict",
                    say(
                        "{instrument} is {known} in space {space} of {name} and {colour} here, and an instrument "
                        "has one colour. Correct one of the two.",
                        instrument=stack.instrument,
                        known=named(colour),
                        space=there + 1,
                        name=names[owner],
                        colour=named(stack.colour),
                    ),
                    f"players[{at}].circle[{space}].colour",
                )
    return {name: colour for name, (colour, _, _) in known.items()}


def _check_sambists(sambists: Sequence[Sequence[Sambist]], names: Sequence[str], known: dict[str, str]) -> None:
    """Complain about a sambist who is there twice, or brings an instrument in another colour than the circles have."""
    deck = Deck(instruments=tuple(Instrument(name, colour) for name, colour in known.items()))
    owners: dict[str, str] = {}
    for at, cards in enumerate(sambists):
        for place, sambist in enumerate(cards):
            field = f"players[{at}].sambists[{place}]"
            if folded(sambist.name) in owners:
                raise InvalidInput(
                    "sambist_taken",
                    say(
                        "{player} has {name}, and there is only one card of each sambist. Take it away from one place.",
                        player=owners[folded(sambist.name)],
                        name=sambist.name,
                    ),
                    f"{field}.name",
                )
            owners[folded(sambist.name)] = names[at]
            check_brought(deck, sambist, field, InvalidInput)
