"""The moves: each a JSON object, read into a small value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.game import InvalidInput
from engine.roda_de_samba.cards import (
    MALANDRO,
    Instrument,
    Sambist,
    read_colour,
    read_instrument,
    read_name,
    read_numbers,
    read_sambist,
)
from engine.roda_de_samba.circle import SPACES, Circle, read_circle
from engine.roda_de_samba.deck import read_malandros
from engine.roda_de_samba.marks import TALLY_KEYS, Tally, read_tally
from engine.roda_de_samba.setup import OPEN_SAMBISTS, OpenCard, Setup, read_open_card
from engine.words import say

MOVES = ("draw", "play", "invite", "discard", "end_turn", "deck_out", "open", "card", "circle", "tally", "finish")

SOURCES = ("deck", "pile", "nothing")

CARDS_DRAWN = 2
"""Cards that a draw takes from the deck."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Two cards from the deck, or a colour's whole discard pile; `last` says that the deck is empty now.

    `count` is 1 where the last card of an uncounted deck was drawn alone.
    """

    seat: int
    source: str
    colour: str | None = None
    last: bool = False
    count: int = CARDS_DRAWN


@dataclass(frozen=True, slots=True)
class PlayCards:
    """One or several cards of one instrument, all to one space (None: where it lies, else the first empty one)."""

    seat: int
    instrument: str
    colour: str | None
    numbers: tuple[int, ...]
    space: int | None = None


@dataclass(frozen=True, slots=True)
class Charm:
    """A malandro's action: a sambist of the table or of the top of the deck (None: the one known to be there)."""

    source: str
    sambist: Sambist | None
    opened: Sambist | None = None


@dataclass(frozen=True, slots=True)
class Invite:
    """A sambist comes into the circle; `opened` takes the place on the table; `agreed` passes over its needs."""

    seat: int
    sambist: Sambist
    opened: Sambist | None = None
    charm: Charm | None = None
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class Discard:
    """A card goes to its colour's pile; a malandro (`card` None) onto the pile `pile`, and may charm."""

    seat: int
    card: OpenCard | None
    pile: str | None = None
    charm: Charm | None = None


@dataclass(frozen=True, slots=True)
class EndTurn:
    seat: int


@dataclass(frozen=True, slots=True)
class DeckOut:
    """The instrument deck is empty, as the table says."""


@dataclass(frozen=True, slots=True)
class OpenSambist:
    """What lies open in a place of the table."""

    slot: int
    sambist: Sambist


@dataclass(frozen=True, slots=True)
class TellCard:
    """A card's data is typed: an instrument, a sambist, or how many malandros there are."""

    instrument: Instrument | None = None
    sambist: Sambist | None = None
    malandros: int | None = None


@dataclass(frozen=True, slots=True)
class TellCircle:
    """A player's whole circle and sambists, as they lie."""

    seat: int
    circle: Circle
    sambists: tuple[Sambist, ...]


@dataclass(frozen=True, slots=True)
class TypeTally:
    """Figures of a player's end scoring, typed by hand."""

    seat: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Finish:
    """The table goes to the end scoring as things lie."""


THE_MOVE = say("The move")

AnyMove = (
    Draw | PlayCards | Invite | Discard | EndTurn | DeckOut | OpenSambist | TellCard | TellCircle | TypeTally | Finish
)


def read_move(value: Any, setup: Setup) -> AnyMove:
    """Return the move written as JSON. Raises `InvalidInput` when it cannot be understood at this table."""
    kind = value.get("move") if hasattr(value, "get") else None
    kind = fields.choice(kind, "move", MOVES, what=say("A move of Roda de Samba"), code="unknown_move")
    return _READERS[kind](value, setup)


def _read_draw(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "seat", "from"), may=("colour", "last", "count"), what=THE_MOVE)
    source = fields.choice(given["from"], "from", SOURCES, what=say("What is drawn from"))
    colour = read_colour(given.get("colour"), "colour")
    if source == "pile" and colour is None:
        raise InvalidInput("missing_field", say("Say which discard pile is taken: give its colour."), "colour")
    if source != "pile" and colour is not None:
        raise InvalidInput(
            "unknown_field", say("Only a discard pile is taken by its colour. Leave the colour out."), "colour"
        )
    last = fields.truth(given.get("last", False), "last", what=say("Whether the deck is empty now"))
    count = fields.whole(
        given.get("count", CARDS_DRAWN), "count", low=1, high=CARDS_DRAWN, what=say("The number of cards drawn")
    )
    if count < CARDS_DRAWN and not (source == "deck" and last):
        raise InvalidInput(
            "contradiction", say("A draw takes two cards, unless one was the last of the deck."), "count"
        )
    return Draw(fields.seat(given["seat"], "seat", setup.seats), source, colour, last, count)


def _read_play(value: Any, setup: Setup) -> AnyMove:
    needs = ("move", "seat", "instrument", "numbers")
    given = fields.record(value, "", needs=needs, may=("colour", "space"), what=THE_MOVE)
    space = given.get("space")
    if space is not None:
        space = fields.whole(space, "space", low=0, high=SPACES - 1, what=say("A space, counted from 0,"))
    return PlayCards(
        fields.seat(given["seat"], "seat", setup.seats),
        read_name(given["instrument"], "instrument"),
        read_colour(given.get("colour"), "colour"),
        read_numbers(given["numbers"], "numbers"),
        None
        if space is None
        else fields.whole(space, "space", low=0, high=SPACES - 1, what=say("A space, counted from 0,")),
    )


def _read_invite(value: Any, setup: Setup) -> AnyMove:
    may = ("opened", "charm", "agreed")
    given = fields.record(value, "", needs=("move", "seat", "sambist"), may=may, what=THE_MOVE)
    return Invite(
        fields.seat(given["seat"], "seat", setup.seats),
        read_sambist(given["sambist"], "sambist"),
        _sambist_or_none(given.get("opened"), "opened"),
        _read_charm(given.get("charm")),
        fields.truth(given.get("agreed", False), "agreed", what=say("Whether the table agrees")),
    )


def _read_charm(value: Any) -> Charm | None:
    if value is None:
        return None
    given = fields.record(value, "charm", needs=("from",), may=("sambist", "opened"))
    source = fields.choice(given["from"], "charm.from", ("table", "deck"), what=say("Where a sambist is charmed from"))
    sambist = _sambist_or_none(given.get("sambist"), "charm.sambist")
    if source == "table" and sambist is None:
        raise InvalidInput("missing_field", say("Say which sambist of the table is charmed."), "charm.sambist")
    return Charm(source, sambist, _sambist_or_none(given.get("opened"), "charm.opened"))


def _read_discard(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "seat", "card"), may=("pile", "charm"), what=THE_MOVE)
    seat = fields.seat(given["seat"], "seat", setup.seats)
    if given["card"] == MALANDRO.instrument:
        return Discard(seat, None, read_colour(given.get("pile"), "pile"), _read_charm(given.get("charm")))
    fields.record(value, "", needs=("move", "seat", "card"), what=say("The discard of an instrument"))
    return Discard(seat, read_open_card(given["card"], "card"))


def _read_end_turn(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "seat"), what=THE_MOVE)
    return EndTurn(fields.seat(given["seat"], "seat", setup.seats))


def _read_deck_out(value: Any, setup: Setup) -> AnyMove:
    fields.record(value, "", needs=("move",), what=THE_MOVE)
    return DeckOut()


def _read_open(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "slot", "sambist"), what=THE_MOVE)
    slot = fields.whole(
        given["slot"], "slot", low=0, high=OPEN_SAMBISTS - 1, what=say("A place on the table, counted from 0,")
    )
    return OpenSambist(slot, read_sambist(given["sambist"], "sambist"))


def _read_card(value: Any, setup: Setup) -> AnyMove:
    kinds = ("instrument", "sambist", "malandros")
    given = fields.record(value, "", needs=("move",), may=kinds, what=THE_MOVE)
    told = [kind for kind in kinds if given.get(kind) is not None]
    if len(told) != 1:
        raise InvalidInput("one_card", say("Tell one thing: an instrument, a sambist, or the malandros."), "move")
    kind = told[0]
    if kind == "instrument":
        return TellCard(instrument=read_instrument(given[kind], kind))
    if kind == "sambist":
        return TellCard(sambist=read_sambist(given[kind], kind))
    return TellCard(malandros=read_malandros(given[kind], kind))


def _read_circle(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "seat", "circle"), may=("sambists",), what=THE_MOVE)
    sambists = fields.entries(given.get("sambists", ()), "sambists", of=say("sambists"))
    return TellCircle(
        fields.seat(given["seat"], "seat", setup.seats),
        read_circle(given["circle"], "circle"),
        tuple(read_sambist(one, fields.inside("sambists", at)) for at, one in enumerate(sambists)),
    )


def _read_tally(value: Any, setup: Setup) -> AnyMove:
    given = fields.record(value, "", needs=("move", "seat"), may=TALLY_KEYS, what=THE_MOVE)
    figures = {key: one for key, one in given.items() if key not in ("move", "seat")}
    return TypeTally(fields.seat(given["seat"], "seat", setup.seats), read_tally(figures, ""))


def _read_finish(value: Any, setup: Setup) -> AnyMove:
    fields.record(value, "", needs=("move",), what=THE_MOVE)
    return Finish()


_READERS: dict[str, Callable[[Any, Setup], AnyMove]] = {
    "draw": _read_draw,
    "play": _read_play,
    "invite": _read_invite,
    "discard": _read_discard,
    "end_turn": _read_end_turn,
    "deck_out": _read_deck_out,
    "open": _read_open,
    "card": _read_card,
    "circle": _read_circle,
    "tally": _read_tally,
    "finish": _read_finish,
}


def _sambist_or_none(value: Any, field: str) -> Sambist | None:
    return None if value is None else read_sambist(value, field)
