"""The state of a game between two moves, and its one line of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import fields
from engine.game import InvalidInput, canonical_json, read_back
from engine.roda_de_samba.cards import MALANDRO, Card, Sambist, folded
from engine.roda_de_samba.circle import EMPTY, Circle, circle_json, is_full, read_circle, stacks
from engine.roda_de_samba.deck import Deck, read_deck
from engine.roda_de_samba.invitation import Answer, answer
from engine.roda_de_samba.marks import NOTHING_TYPED, Mark, Position, Tally, guest_colour, mark, read_tally
from engine.roda_de_samba.setup import HAND, Setup, read_table
from engine.words import say

_VERSION = 1

FULL_CIRCLE, EMPTY_DECK = "full_circle", "empty_deck"


@dataclass(frozen=True, slots=True)
class Seat:
    """What lies before a player, and what is known of the hand.

    `sambists` are names in the order of invitation, the last one on top. `hand` counts the cards in hand; `known` are
    those among them that were taken from a discard pile, sorted. `told` says that the circle or a tally was entered.
    """

    circle: Circle = EMPTY
    sambists: tuple[str, ...] = ()
    charmed: str | None = None
    hand: int = HAND
    known: tuple[Card, ...] = ()
    typed: Tally = NOTHING_TYPED
    told: bool = False


Pile = tuple[str, tuple[Card, ...]]
"""A discard pile: its colour and its cards, the last one on top."""


@dataclass(frozen=True, slots=True)
class State:
    """A game of Roda de Samba; seats and spaces count from 0, turns from 1.

    `open` are the sambists on the table, None for one that nobody has told; `top` those known to lie on top of their
    deck, the topmost last. `cards_left` and `sambists_left` count the two decks, None while nobody knows.
    """

    setup: Setup
    deck: Deck
    seats: tuple[Seat, ...]
    open: tuple[str | None, ...]
    top: tuple[str, ...]
    cards_left: int | None
    sambists_left: int | None
    piles: tuple[Pile, ...]
    turn: int
    turns: int = 1
    drawn: bool = False
    played: bool = False
    invited: bool = False
    no_discard: bool = False
    trigger: str | None = None
    ended: bool = False

    @property
    def detail(self) -> str:
        """How much is entered: `moves`, `circles` or `final`."""
        return self.setup.rules.detail

    @property
    def phase(self) -> str:
        """`draw`, `play`, `discard` (an instrument is played), `tally` (only the end scoring), or `finished`."""
        if self.ended:
            return "finished"
        if self.detail == "final":
            return "tally"
        if self.detail == "moves" and not self.drawn:
            return "draw"
        return "discard" if self.played else "play"

    @property
    def round(self) -> int:
        return (self.turns - 1) // self.setup.seats + 1

    @property
    def last_seat(self) -> int:
        """The seat to the right of the one that started: a game ends after its turn."""
        return (self.setup.first - 1) % self.setup.seats

    def with_seat(self, seat: int, **changes: Any) -> State:
        """Return the state with some of what lies before `seat` changed."""
        changed = replace(self.seats[seat], **changes)
        return replace(self, seats=(*self.seats[:seat], changed, *self.seats[seat + 1 :]))

    def pile(self, colour: str) -> tuple[Card, ...]:
        """Return the cards of that colour's discard pile; none when there is no such pile."""
        return dict(self.piles).get(colour, ())

    def seen(self) -> Counter[Card]:
        """Return every card whose place is known: in circles, in piles, and taken from a pile into a hand."""
        seen: Counter[Card] = Counter()
        for seat in self.seats:
            for stack in stacks(seat.circle):
                seen.update(Card(stack.instrument, number) for number in stack.numbers)
            seen.update(seat.known)
        for _, pile in self.piles:
            seen.update(pile)
        return seen

    def unseen(self) -> Counter[Card]:
        """Return the cards of the deck whose place is not known: face down, or in a hand."""
        return self.deck.cards() - self.seen()

    def sambist_places(self) -> dict[str, str | int]:
        """Return where each sambist is whose place is known, by the folded name: `open`, `top`, or a seat."""
        places: dict[str, str | int] = {folded(name): "open" for name in self.open if name is not None}
        places |= {folded(name): "top" for name in self.top}
        for at, seat in enumerate(self.seats):
            names = (*seat.sambists, seat.charmed) if seat.charmed else seat.sambists
            places |= {folded(name): at for name in names}
        return places

    def hidden_sambists(self) -> list[Sambist]:
        """Return the sambists of the deck whose place is not known."""
        places = self.sambist_places()
        return [one for one in self.deck.sambists if folded(one.name) not in places]

    def active(self, seat: int) -> Sambist | None:
        """Return the sambist on top in the circle of `seat`, whose benefit holds."""
        names = self.seats[seat].sambists
        return self.deck.card_of(names[-1]) if names else None

    def answer(self, seat: int, sambist: Sambist) -> Answer:
        """Return whether `sambist` would come into the circle of `seat` now."""
        copies = self.setup.rules.copies_count
        return answer(sambist, self.seats[seat].circle, self.active(seat), self.deck, copies=copies)

    def position(self, seat: int) -> Position:
        """Return what the marks of `seat` depend on."""
        own = self.seats[seat]
        sambists = tuple(map(self.deck.card_of, own.sambists))
        known = {folded(one.name): one.colour for one in self.deck.instruments if one.colour is not None}
        return Position(self.setup.players[seat].name, own.circle, sambists, own.typed, guest_colour(sambists, known))

    def marks(self) -> tuple[Mark, ...]:
        """Return every player's marks as they stand."""
        rules, over = self.setup.rules, self.ended
        return tuple(mark(self.position(seat), rules, over=over) for seat in range(self.setup.seats))

    def settled(self) -> State:
        """Return the state with the end triggered, when a circle is full or the instrument deck has run out.

        What is corrected may take the trigger back.
        """
        if self.ended:
            return self
        holds = {FULL_CIRCLE: any(is_full(seat.circle) for seat in self.seats), EMPTY_DECK: self.cards_left == 0}
        if self.trigger is not None and holds[self.trigger]:
            return self
        return replace(self, trigger=next((one for one, true in holds.items() if true), None))


def dump(state: State) -> str:
    """Return the state as one line of canonical JSON."""
    return canonical_json(
        {
            "game": "roda_de_samba",
            "version": _VERSION,
            "setup": state.setup.as_json(),
            "deck": state.deck.as_json(),
            "seats": [
                {
                    "circle": circle_json(seat.circle),
                    "sambists": list(seat.sambists),
                    "charmed": seat.charmed,
                    "hand": seat.hand,
                    "known": [_short(card) for card in seat.known],
                    "typed": seat.typed.as_json(),
                    "told": seat.told,
                }
                for seat in state.seats
            ],
            "open": list(state.open),
            "top": list(state.top),
            "cards_left": state.cards_left,
            "sambists_left": state.sambists_left,
            "piles": [[colour, [_short(card) for card in pile]] for colour, pile in state.piles],
            "turn": state.turn,
            "turns": state.turns,
            "drawn": state.drawn,
            "played": state.played,
            "invited": state.invited,
            "no_discard": state.no_discard,
            "trigger": state.trigger,
            "ended": state.ended,
        }
    )


def load(text: str) -> State:
    """Return the state that `dump` wrote. Raises `InvalidInput` for any text that `dump` cannot write."""
    return read_back(text, _read, dump, _not_a_state)


def _not_a_state() -> InvalidInput:
    return InvalidInput(
        "not_a_state",
        say("This text is no state of a Roda de Samba game, so nothing was loaded. Use the line as it was written."),
    )


def _short(card: Card) -> list[Any]:
    return [card.instrument, card.number]


def _card(value: Any) -> Card:
    name, number = value
    if name != MALANDRO.instrument:
        fields.name(name, "card")
        fields.whole(number, "card", low=1, high=9, what=say("The number of an instrument card"))
    elif number != MALANDRO.number:
        raise _not_a_state()
    return Card(name, number)


def _read(document: Mapping[str, Any]) -> State:
    if document["game"] != "roda_de_samba" or document["version"] != _VERSION:
        raise _not_a_state()
    setup = read_table(document["setup"], "setup")
    state = State(
        setup=setup,
        deck=read_deck(document["deck"], "deck"),
        seats=tuple(map(_seat, document["seats"])),
        open=tuple(None if name is None else fields.name(name, "open") for name in document["open"]),
        top=tuple(fields.name(name, "top") for name in document["top"]),
        cards_left=_count(document["cards_left"]),
        sambists_left=_count(document["sambists_left"]),
        piles=tuple((fields.colour(colour, "piles"), tuple(map(_card, pile))) for colour, pile in document["piles"]),
        turn=fields.seat(document["turn"], "turn", setup.seats),
        turns=fields.whole(document["turns"], "turns", low=1, high=99_999, what=say("The number of turns")),
        trigger=document["trigger"],
        **{
            key: fields.truth(document[key], key, what=say("What is done in a turn"))
            for key in ("drawn", "played", "invited", "no_discard", "ended")
        },
    )
    if len(state.seats) != setup.seats or state.trigger not in (None, FULL_CIRCLE, EMPTY_DECK):
        raise _not_a_state()
    return state


def _seat(value: Any) -> Seat:
    return Seat(
        read_circle(value["circle"], "circle"),
        tuple(fields.name(name, "sambists") for name in value["sambists"]),
        None if value["charmed"] is None else fields.name(value["charmed"], "charmed"),
        fields.whole(value["hand"], "hand", low=0, high=999, what=say("The number of cards in a hand")),
        tuple(map(_card, value["known"])),
        read_tally(value["typed"], "typed"),
        fields.truth(value["told"], "told", what=say("Whether a circle was entered")),
    )


def _count(value: Any) -> int | None:
    return None if value is None else fields.whole(value, "left", low=0, high=999, what=say("The number of cards left"))
