"""The deck, which the table owns: what is known of its cards, filled in while the games are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from engine import fields
from engine.game import InvalidInput
from engine.roda_de_samba.cards import (
    ANY_OF,
    MALANDRO,
    NEEDS,
    Brought,
    Card,
    Instrument,
    Sambist,
    folded,
    read_instrument,
    read_sambist,
)
from engine.words import say

DECK_KEYS = ("name", "note", "complete", "malandros", "instruments", "sambists")

_Named = TypeVar("_Named", Instrument, Sambist)

_NOTE_LENGTH = 2000
_MOST_MALANDROS = 99


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards that are known. `complete` says that there are no others, so that copies can be counted.

    `malandros` is how many there are, None when nobody has counted them.
    """

    name: str = ""
    note: str = ""
    complete: bool = False
    malandros: int | None = None
    instruments: tuple[Instrument, ...] = ()
    sambists: tuple[Sambist, ...] = ()

    def instrument(self, name: str) -> Instrument | None:
        """Return the instrument of that name, however it is spelt; None when it is not known."""
        return _called(name, self.instruments)

    def sambist(self, name: str) -> Sambist | None:
        """Return the sambist of that name, however it is spelt; None when the card is not known."""
        return _called(name, self.sambists)

    def card_of(self, name: str) -> Sambist:
        """Return the sambist's card; one of which nothing but the name is known when the deck lacks it."""
        return self.sambist(name) or Sambist(name)

    def colour_brought(self, brought: Brought) -> str | None:
        """Return the colour of an instrument that a sambist brings, None when nobody has told it."""
        if brought.colour is not None:
            return brought.colour
        known = self.instrument(brought.instrument)
        return known.colour if known else None

    def cards(self) -> Counter[Card]:
        """Return how many copies there are of every card that is known, malandros among them."""
        cards = Counter(Card(one.name, number) for one in self.instruments for number in one.numbers)
        if self.malandros:
            cards[MALANDRO] = self.malandros
        return cards

    @property
    def size(self) -> int | None:
        """How many instruments and malandros there are in all, None when that is not known."""
        return self.cards().total() if self.complete else None

    def with_instrument(self, instrument: Instrument) -> Deck:
        """Return the deck with `instrument` in the place of the one of that name, or added."""
        return replace(self, instruments=_placed(instrument, self.instruments))

    def with_sambist(self, sambist: Sambist) -> Deck:
        """Return the deck with `sambist` in the place of the card of that name, or added."""
        return replace(self, sambists=_placed(sambist, self.sambists))

    def told_of(self, sambist: Sambist) -> Deck:
        """Return the deck with all that `sambist` tells added to the card of that name."""
        return self.with_sambist(self.card_of(sambist.name).told(sambist))

    def seeing(self, cards: Counter[Card]) -> Deck:
        """Return the deck with as many copies of each instrument's number as lie in `cards`, at least."""
        deck, there = self, self.cards()
        for card in sorted(cards):
            known = deck.instrument(card.instrument)
            more = cards[card] - there[card]
            if known is None or card == MALANDRO or more <= 0:
                continue
            deck = deck.with_instrument(replace(known, numbers=tuple(sorted((*known.numbers, *[card.number] * more)))))
        return deck

    def notes(self) -> list[str]:
        """Return what looks strange or is still to be filled in; nothing of it keeps anybody from playing."""
        notes: list[str] = [self.note] if self.note else []
        for sambist in self.sambists:
            if sambist.needs is not None and len(sambist.needs) != NEEDS:
                notes.append(
                    say(
                        "{name} needs {count} instruments in this deck; the rulebook says four. Look at the card.",
                        name=sambist.name,
                        count=len(sambist.needs),
                    )
                )
            notes += [
                say("{name} needs {instrument}, which is not in this deck.", name=sambist.name, instrument=need)
                for need in sambist.needs or ()
                if self.complete and not need.startswith(ANY_OF) and self.instrument(need) is None
            ]
        return notes

    def as_json(self) -> dict[str, Any]:
        """Return what `read_deck` reads back, with every key."""
        return {
            "name": self.name,
            "note": self.note,
            "complete": self.complete,
            "malandros": self.malandros,
            "instruments": [one.as_json() for one in self.instruments],
            "sambists": [one.as_json() for one in self.sambists],
        }


def read_deck(value: Any, field: str = "") -> Deck:
    """Return the deck written as JSON (or read from TOML). Raises `InvalidInput` naming the field."""
    given = fields.record(value, field, may=DECK_KEYS, what="The deck")
    malandros = given.get("malandros")
    if malandros is not None:
        malandros = read_malandros(malandros, fields.inside(field, "malandros"))
    deck = Deck(
        _text(given.get("name", ""), fields.inside(field, "name")),
        _text(given.get("note", ""), fields.inside(field, "note")),
        fields.truth(given.get("complete", False), fields.inside(field, "complete"), what="complete"),
        malandros,
        _each(given.get("instruments", ()), fields.inside(field, "instruments"), "instruments", read_instrument),
        _each(given.get("sambists", ()), fields.inside(field, "sambists"), "sambists", read_sambist),
    )
    if deck.complete:
        _check_complete(deck, field)
    return deck


def read_malandros(value: Any, field: str) -> int:
    return fields.whole(value, field, low=0, high=_MOST_MALANDROS, what="The number of malandros")


def _text(value: Any, field: str) -> str:
    if not isinstance(value, str) or len(value) > _NOTE_LENGTH:
        raise InvalidInput(
            "bad_type", say("A text of at most {length} characters belongs here.", length=_NOTE_LENGTH), field
        )
    return value


def _each(value: Any, field: str, what: str, reader: Any) -> tuple[Any, ...]:
    cards: dict[str, Any] = {}
    for at, one in enumerate(fields.entries(value, field, of=what)):
        where = fields.inside(field, at)
        card = reader(one, where)
        if folded(card.name) in cards:
            raise InvalidInput(
                "card_twice",
                say("{name} stands twice in the deck. Keep one of the two.", name=card.name),
                where,
            )
        cards[folded(card.name)] = card
    return tuple(cards.values())


def _check_complete(deck: Deck, field: str) -> None:
    """Complain about the first thing that a deck lacks which says that it is complete."""
    lacks: list[tuple[str, bool]] = [("malandros", deck.malandros is None), ("instruments", not deck.instruments)]
    for at, instrument in enumerate(deck.instruments):
        lacks.append((f"instruments[{at}].colour", instrument.colour is None))
        lacks.append((f"instruments[{at}].numbers", not instrument.numbers))
    for at, sambist in enumerate(deck.sambists):
        lacks.append((f"sambists[{at}].stars", sambist.stars is None))
        lacks.append((f"sambists[{at}].needs", sambist.needs is None))
    for path, missing in lacks:
        if missing:
            raise InvalidInput(
                "deck_incomplete",
                say("The deck says that it is complete and lacks {path}. Fill it in, or drop complete.", path=path),
                fields.inside(field, path),
            )


def _called(name: str, cards: Iterable[_Named]) -> _Named | None:
    return next((one for one in cards if folded(one.name) == folded(name)), None)


def _placed(card: _Named, cards: tuple[_Named, ...]) -> tuple[_Named, ...]:
    by_name = {folded(one.name): one for one in cards}
    return tuple({**by_name, folded(card.name): card}.values())
