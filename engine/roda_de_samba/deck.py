"""The deck, which the table owns: what is known of its cards, filled in while the games are played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from engine import fields
from engine.game import GameError, InvalidInput
from engine.roda_de_samba.cards import (
    ANY_OF,
    MALANDRO,
    Brought,
    Card,
    Instrument,
    Sambist,
    folded,
    read_instrument,
    read_sambist,
)
from engine.words import named, say, say_many

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
        return self.colour_of(brought.instrument)

    def colour_of(self, name: str) -> str | None:
        """Return the colour of the instrument of that name, None when nobody has told it."""
        known = self.instrument(name)
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
        """Return the deck with `instrument` in the place of the one of that name, or added.

        Sambists who bring it bring it in its colour.
        """
        deck = replace(self, instruments=_placed(instrument, self.instruments))
        if instrument.colour is None or instrument.colour == self.colour_of(instrument.name):
            return deck
        return replace(
            deck, sambists=tuple(_bringing(one, instrument.name, instrument.colour) for one in self.sambists)
        )

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
        notes: list[str] = [named(self.note)] if self.note else []
        for sambist in self.sambists:
            if sambist.needs is not None and not sambist.needs_told:
                notes.append(
                    say_many(
                        "{name} needs four instruments, and {count} is written down. Look at the card.",
                        "{name} needs four instruments, and {count} are written down. Look at the card.",
                        count=len(sambist.needs),
                        name=sambist.name,
                    )
                )
            if self.complete:
                notes += self._notes_on(sambist)
        return notes

    def _notes_on(self, sambist: Sambist) -> Iterator[str]:
        """Yield what a sambist's card asks for that is in no card of the deck."""
        colours = {one.colour for one in self.instruments}
        asked = [need[len(ANY_OF) :] for need in sambist.needs or () if need.startswith(ANY_OF)]
        asked += [bonus.colour for bonus in sambist.colour_bonus or ()]
        for need in dict.fromkeys(sambist.needs or ()):
            if not need.startswith(ANY_OF) and self.instrument(need) is None:
                yield say("{name} needs {instrument}, which is not in this deck.", name=sambist.name, instrument=need)
        for colour in dict.fromkeys(asked):
            if colour not in colours:
                yield say(
                    "The card of {name} speaks of {colour}, and no instrument of this deck is in that colour.",
                    name=sambist.name,
                    colour=named(colour),
                )
        if sambist.brings is not None and self.colour_brought(sambist.brings) is None:
            yield say(
                "{name} brings {instrument}, whose colour is not in this deck.",
                name=sambist.name,
                instrument=sambist.brings.instrument,
            )

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
    given = fields.record(value, field, may=DECK_KEYS, what=say("The deck"))
    malandros = given.get("malandros")
    if malandros is not None:
        malandros = read_malandros(malandros, fields.inside(field, "malandros"))
    deck = Deck(
        _text(given.get("name", ""), fields.inside(field, "name")),
        _text(given.get("note", ""), fields.inside(field, "note")),
        fields.truth(
            given.get("complete", False), fields.inside(field, "complete"), what=say("Whether the deck is complete")
        ),
        malandros,
        _each(given.get("instruments", ()), fields.inside(field, "instruments"), say("instruments"), read_instrument),
        _each(given.get("sambists", ()), fields.inside(field, "sambists"), say("sambists"), read_sambist),
    )
    for at, sambist in enumerate(deck.sambists):
        check_brought(deck, sambist, fields.inside(field, f"sambists[{at}]"), InvalidInput)
    if deck.complete:
        _check_complete(deck, field)
    return deck


def check_brought(deck: Deck, sambist: Sambist, field: str, error: type[GameError]) -> None:
    """Complain about a sambist, at `field`, who brings an instrument in another colour than it has in the deck."""
    brought = sambist.brings
    if brought is None or brought.colour is None:
        return
    known = deck.colour_of(brought.instrument)
    if known not in (None, brought.colour):
        raise error(
            "colour_conflict",
            say(
                "{name} brings {instrument} in {colour}, and this instrument is {known}. Correct one of the two cards.",
                name=sambist.name,
                instrument=brought.instrument,
                colour=named(brought.colour),
                known=named(known or ""),
            ),
            f"{field}.brings.colour",
        )


def read_malandros(value: Any, field: str) -> int:
    return fields.whole(value, field, low=0, high=_MOST_MALANDROS, what=say("The number of malandros"))


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
    for path, what in _lacks(deck):
        raise InvalidInput(
            "deck_incomplete",
            say(
                "The deck says that it is complete, but {what}. Add it, or say that the deck is not complete.",
                what=what,
            ),
            fields.inside(field, path),
        )


def _lacks(deck: Deck) -> Iterator[tuple[str, str]]:
    """Yield the path of each thing that a complete deck lacks, and in words what it is."""
    if deck.malandros is None:
        yield "malandros", say("the number of malandros is missing")
    if not deck.instruments:
        yield "instruments", say("it has no instrument")
    for at, instrument in enumerate(deck.instruments):
        if instrument.colour is None:
            yield f"instruments[{at}].colour", say("the colour of {name} is missing", name=instrument.name)
        if not instrument.numbers:
            yield f"instruments[{at}].numbers", say("the numbers of {name} are missing", name=instrument.name)
    for at, sambist in enumerate(deck.sambists):
        if sambist.stars is None:
            yield f"sambists[{at}].stars", say("the stars of {name} are missing", name=sambist.name)
        if not sambist.needs_told:
            yield f"sambists[{at}].needs", say("the four needs of {name} are not all there", name=sambist.name)


def _bringing(sambist: Sambist, instrument: str, colour: str) -> Sambist:
    """Return the sambist, who brings `instrument`, if at all, in `colour`."""
    brought = sambist.brings
    if brought is None or brought.colour is None or folded(brought.instrument) != folded(instrument):
        return sambist
    return replace(sambist, brings=replace(brought, colour=colour))


def _called(name: str, cards: Iterable[_Named]) -> _Named | None:
    return next((one for one in cards if folded(one.name) == folded(name)), None)


def _placed(card: _Named, cards: tuple[_Named, ...]) -> tuple[_Named, ...]:
    by_name = {folded(one.name): one for one in cards}
    return tuple({**by_name, folded(card.name): card}.values())
