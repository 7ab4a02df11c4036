"""How a game is laid out: the players, who starts, the deck, and the cards that lie open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.game import InvalidInput
from engine.roda_de_samba.cards import MALANDRO, Sambist, folded, read_colour, read_name, read_number, read_sambist
from engine.roda_de_samba.deck import Deck, read_deck
from engine.roda_de_samba.deck_file import SHIPPED, shipped_deck
from engine.roda_de_samba.house_rules import BY_THE_BOOK, HouseRules, read_house_rules
from engine.words import say, say_many

SETUP_KEYS = ("players", "first", "deck", "sambists", "pile", "cards_left", "sambists_left", "house_rules")
PLAYER_KEYS = ("name", "region")

MIN_SEATS, MAX_SEATS = 2, 6
"""The rulebook does not say how many play (R2)."""

HAND = 5
"""Cards dealt to each player."""

OPEN_SAMBISTS = 4

STARTS = "Pedra do Sal"
"""The region whose player starts."""

_MOST_CARDS = 999


@dataclass(frozen=True, slots=True)
class Player:
    """A player and the region on the board, where somebody has told it."""

    name: str
    region: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """What stays as it is during the game."""

    players: tuple[Player, ...]
    first: int = 0
    rules: HouseRules = BY_THE_BOOK

    @property
    def seats(self) -> int:
        return len(self.players)

    def as_json(self) -> dict[str, Any]:
        return {
            "players": [{"name": player.name, "region": player.region} for player in self.players],
            "first": self.first,
            "house_rules": self.rules.as_json(),
        }


@dataclass(frozen=True, slots=True)
class OpenCard:
    """An instrument card as somebody tells it: its colour may stand in the deck."""

    instrument: str
    number: int
    colour: str | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """The first layout of the cards; None is what nobody has told."""

    setup: Setup
    deck: Deck
    sambists: tuple[Sambist | None, ...]
    pile: OpenCard | None
    cards_left: int | None
    sambists_left: int | None


def read_opening(value: Any) -> Opening:
    """Return the layout written as JSON. Raises `InvalidInput` naming the field."""
    given = fields.record(value, "", needs=("players",), may=SETUP_KEYS[1:], what=say("The setup"))
    rules = read_house_rules(given.get("house_rules"))
    setup = read_table({**given, "house_rules": rules.as_json()})
    deck = _read_deck(given.get("deck"))
    sambists = _read_open(given.get("sambists"), deck)
    pile = None if given.get("pile") is None else _read_pile(given["pile"])
    if rules.detail == "moves" and pile is None:
        raise InvalidInput(
            "pile_missing",
            say("The first open card is not told. Add it, or choose to enter only circles and sambists."),
            "pile",
        )
    return Opening(
        setup,
        deck,
        sambists,
        pile,
        _count(given.get("cards_left"), "cards_left", _dealt(deck, setup)),
        _count(given.get("sambists_left"), "sambists_left", _unopened(deck, sambists)),
    )


def read_table(given: Mapping[str, Any], field: str = "") -> Setup:
    """Return players, first seat and house rules."""
    players = read_players(given["players"], fields.inside(field, "players"))
    rules = read_house_rules(given.get("house_rules"), fields.inside(field, "house_rules"))
    where = fields.inside(field, "first")
    at_home = [at for at, player in enumerate(players) if folded(player.region) == folded(STARTS)]
    first = given.get("first")
    if first is None:
        first = at_home[0] if at_home else 0
    return Setup(players, fields.whole(first, where, low=0, high=len(players) - 1, what=say("The first seat")), rules)


def read_players(value: Any, field: str) -> tuple[Player, ...]:
    """Return two to six players in seating order, clockwise, no two of one name or region."""
    entries = fields.entries(value, field, of=say("players"))
    check_seats(len(entries), field)
    players = []
    for at, one in enumerate(entries):
        where = fields.inside(field, at)
        given = fields.record(one, where, needs=("name",), may=PLAYER_KEYS[1:])
        region = given.get("region") or ""
        players.append(
            Player(
                fields.name(given["name"], f"{where}.name"), fields.name(region, f"{where}.region") if region else ""
            )
        )
    fields.check_names([player.name for player in players], field)
    regions = [folded(player.region) for player in players]
    for at, region in enumerate(regions):
        if region and region in regions[:at]:
            raise InvalidInput(
                "duplicate_region",
                say(
                    "Two players have the region {region}. Each board is there once. Change one.",
                    region=players[at].region,
                ),
                f"{fields.inside(field, at)}.region",
            )
    return tuple(players)


def check_seats(count: int, field: str, least: int = MIN_SEATS) -> None:
    """Complain when that many cannot play."""
    if not least <= count <= MAX_SEATS:
        raise InvalidInput(
            "wrong_number_of_players",
            say(
                "Roda de Samba is for {least} to {most} players here, not {count}. Name as many.",
                least=least,
                most=MAX_SEATS,
                count=count,
            ),
            field,
        )


def read_open_card(value: Any, field: str) -> OpenCard:
    given = fields.record(value, field, needs=("instrument", "number"), may=("colour",))
    return OpenCard(
        read_name(given["instrument"], fields.inside(field, "instrument")),
        read_number(given["number"], fields.inside(field, "number")),
        read_colour(given.get("colour"), fields.inside(field, "colour")),
    )


def _read_pile(value: Any) -> OpenCard:
    """Return the card that is opened first; it is never a malandro (rulebook, Setup)."""
    name = value.get("instrument") if isinstance(value, Mapping) else value
    if isinstance(name, str) and folded(name) == MALANDRO.instrument:
        raise InvalidInput(
            "malandro_first",
            say("A malandro that is opened first is shuffled back into the deck. Open a new card and enter that one."),
            "pile",
        )
    return read_open_card(value, "pile")


def _read_deck(value: Any) -> Deck:
    if value is None:
        return shipped_deck("rulebook")
    if isinstance(value, str):
        return shipped_deck(fields.choice(value, "deck", SHIPPED, what=say("A deck of the house")))
    return read_deck(value, "deck")


def _read_open(value: Any, deck: Deck) -> tuple[Sambist | None, ...]:
    """Return the open sambists, None for each that nobody has told; no card lies there twice."""
    count = min(OPEN_SAMBISTS, len(deck.sambists)) if deck.complete else OPEN_SAMBISTS
    given = fields.entries(() if value is None else value, "sambists", of=say("sambists"))
    if len(given) > count:
        raise InvalidInput(
            "wrong_count",
            say_many(
                "At most {count} sambist lies open here, and there are {given}. Take some away.",
                "At most {count} sambists lie open here, and there are {given}. Take some away.",
                count=count,
                given=len(given),
            ),
            "sambists",
        )
    shown: list[Sambist | None] = []
    for at, one in enumerate(given):
        sambist = None if one is None else read_sambist(one, fields.inside("sambists", at))
        if sambist and folded(sambist.name) in [folded(other.name) for other in shown if other]:
            raise InvalidInput(
                "card_twice",
                say("{name} lies open in two places. Change one.", name=sambist.name),
                fields.inside("sambists", at),
            )
        shown.append(sambist)
    return tuple(shown + [None] * (count - len(shown)))


def _dealt(deck: Deck, setup: Setup) -> int | None:
    """Return how many cards are left when all hands are dealt and one card is open."""
    if deck.size is None:
        return None
    left = deck.size - HAND * setup.seats - 1
    if left < 1:
        raise InvalidInput(
            "deck_too_small",
            say(
                "The deck has too few cards ({size}) to deal to {players} players. Add cards, or say that it is not "
                "complete.",
                size=deck.size,
                players=setup.seats,
            ),
            "deck",
        )
    return left


def _unopened(deck: Deck, sambists: Sequence[Sambist | None]) -> int | None:
    return len(deck.sambists) - len(sambists) if deck.complete else None


def _count(value: Any, field: str, known: int | None) -> int | None:
    if value is None:
        return known
    count = fields.whole(value, field, low=0, high=_MOST_CARDS, what=say("The number of cards left"))
    if known is not None and count != known:
        raise InvalidInput(
            "contradiction",
            say("The complete deck leaves {known} here, not {count}. Leave this number out.", known=known, count=count),
            field,
        )
    return count
