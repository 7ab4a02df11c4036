"""What can be entered at any time: a card of the deck, an open sambist, a whole circle."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.game import IllegalMove
from engine.roda_de_samba.cards import MALANDRO, Card, Instrument, folded
from engine.roda_de_samba.charming import check_hidden
from engine.roda_de_samba.circle import EMPTY, Stack, space_of
from engine.roda_de_samba.deck import Deck
from engine.roda_de_samba.knowledge import (
    card_words,
    check_sambist,
    seen_anew,
    told_instrument,
    told_sambist,
)
from engine.roda_de_samba.moves import (
    OpenSambist,
    TellCard,
    TellCircle,
)
from engine.roda_de_samba.state import State
from engine.words import say, say_many


def open_sambist(state: State, move: OpenSambist, field: str = "sambist") -> State:
    """Return the state with a sambist named that lies in a place of the table; a named one is replaced."""
    if not state.open:
        raise IllegalMove("no_place", say("No sambist lies on the table any more."), "slot")
    if move.slot >= len(state.open):
        raise IllegalMove(
            "no_place",
            say_many(
                "There is {count} place for a sambist on the table now. Choose that one.",
                "There are {count} places for sambists on the table now. Choose one of them.",
                count=len(state.open),
            ),
            "slot",
        )
    state, sambist = told_sambist(state, move.sambist, field)
    state = replace(state, open=(*state.open[: move.slot], None, *state.open[move.slot + 1 :]))
    check_hidden(state, sambist, field)
    return replace(state, open=(*state.open[: move.slot], sambist.name, *state.open[move.slot + 1 :]))


def tell_card(state: State, move: TellCard) -> State:
    """Return the state with a card of the deck as it is told, in the place of what was known of it.

    A colour that is corrected changes in every circle; copies that are seen stay in the deck.
    """
    deck = state.deck
    if move.sambist is not None:
        told = (
            move.sambist
            if deck.sambist(move.sambist.name) is None
            else replace(move.sambist, name=deck.card_of(move.sambist.name).name)
        )
        check_sambist(deck, told, "sambist")
        return sambists_recounted(replace(state, deck=deck.with_sambist(told)))
    if move.instrument is not None:
        return _tell_instrument(state, move.instrument)
    seen = state.seen()[MALANDRO]
    if (move.malandros or 0) < seen:
        raise IllegalMove(
            "too_few_copies",
            say_many(
                "{count} malandro is seen already, so there are not fewer.",
                "{count} malandros are seen already, so there are not fewer.",
                count=seen,
            ),
            "malandros",
        )
    return _recounted(state, replace(deck, malandros=move.malandros), "malandros")


def _tell_instrument(state: State, told: Instrument) -> State:
    deck, known = state.deck, state.deck.instrument(told.name)
    told = told if known is None else replace(told, name=known.name)
    colour = told.colour or (known.colour if known else None)
    told = replace(told, colour=colour)
    lies = any(space_of(seat.circle, told.name) is not None for seat in state.seats)
    if deck.complete and not told.whole:
        raise IllegalMove(
            "card_incomplete",
            say("This deck is complete, so {name} keeps a colour and numbers. Add them.", name=told.name),
            "instrument",
        )
    seen = state.seen()
    missing = [card for card in seen if card.instrument == told.name and seen[card] > told.numbers.count(card.number)]
    if missing:
        raise IllegalMove(
            "too_few_copies",
            say("The card {card} is seen already, so it stays in the deck.", card=card_words(min(missing))),
            "instrument.numbers",
        )
    state = _recounted(state, deck.with_instrument(told), "instrument.numbers")
    if not lies or told.colour is None:
        return state
    seats = tuple(
        replace(seat, circle=tuple(_recoloured(stack, told.name, told.colour) for stack in seat.circle))
        for seat in state.seats
    )
    return replace(state, seats=seats)


def _recounted(state: State, deck: Deck, field: str) -> State:
    """Return the state with `deck`; a complete one that grew or shrank changes how many cards are left."""
    before, after, left = state.deck.size, deck.size, state.cards_left
    if before is None or after is None or left is None or before == after:
        return replace(state, deck=deck)
    if left + after - before < 0:
        raise IllegalMove(
            "too_few_copies", say("More cards are drawn already than there would be. Count them again."), field
        )
    return replace(state, deck=deck, cards_left=left + after - before)


def sambists_recounted(state: State) -> State:
    """Return the state with as many sambists face down as a complete deck leaves; without any, untold places go."""
    if not state.deck.complete:
        return state
    shown = sum(len(seat.sambists) + (seat.charmed is not None) for seat in state.seats)
    left = len(state.deck.sambists) - shown - len(state.open)
    places = list(state.open)
    while left < 0 and None in places:
        places.remove(None)
        left += 1
    return replace(state, open=tuple(places), sambists_left=left)


def _recoloured(stack: Stack | None, instrument: str, colour: str) -> Stack | None:
    return replace(stack, colour=colour) if stack is not None and stack.instrument == instrument else stack


def tell_circle(state: State, move: TellCircle) -> State:
    """Return the state with the whole circle and the sambists of a player as they are told."""
    state = state.with_seat(move.seat, circle=EMPTY, sambists=())
    for at, stack in enumerate(move.circle):
        if stack is not None:
            state = _told_stack(state, move.seat, at, stack)
    names: list[str] = []
    for at, one in enumerate(move.sambists):
        field = f"sambists[{at}]"
        state, sambist = told_sambist(state, one, field)
        state = _freed(state, sambist.name, move.seat)
        check_hidden(state, sambist, field)
        names.append(sambist.name)
        state = state.with_seat(move.seat, sambists=tuple(names))
    return entered(sambists_recounted(state), move.seat)


def _told_stack(state: State, seat: int, space: int, stack: Stack) -> State:
    """Return the state with a stack in an empty space of a player's circle; cards that are known come from the hand."""
    field = f"circle[{space}]"
    state, instrument = told_instrument(state, stack.instrument, stack.colour, field)
    cards = Counter(Card(instrument.name, number) for number in stack.numbers)
    own = state.seats[seat]
    state = state.with_seat(seat, known=tuple(sorted((Counter(own.known) - cards).elements())))
    state = seen_anew(state, cards, f"{field}.numbers")
    circle = (*own.circle[:space], replace(stack, instrument=instrument.name), *own.circle[space + 1 :])
    return state.with_seat(seat, circle=circle)


def _freed(state: State, name: str, seat: int) -> State:
    """Return the state with a sambist no longer open, on top or charmed by `seat`: it was invited unseen."""
    own = state.seats[seat]
    if own.charmed is not None and folded(own.charmed) == folded(name):
        state = state.with_seat(seat, charmed=None)
    return replace(
        state,
        open=tuple(None if one is not None and folded(one) == folded(name) else one for one in state.open),
        top=tuple(one for one in state.top if folded(one) != folded(name)),
    )


def entered(state: State, seat: int) -> State:
    """Return the state with a player's end entered; where that is all that is entered, the last one ends the game."""
    state = state.with_seat(seat, told=True)
    if state.detail == "final" and all(one.told for one in state.seats):
        return replace(state, ended=True)
    return state
