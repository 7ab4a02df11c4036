"""What a move tells of the cards: learnt where the deck has gaps, counted where it is complete."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.game import IllegalMove
from engine.roda_de_samba.cards import MALANDRO, Card, Instrument, Sambist
from engine.roda_de_samba.state import State
from engine.words import say


def told_instrument(state: State, name: str, colour: str | None, field: str) -> tuple[State, Instrument]:
    """Return the instrument as the deck spells it, with its colour, and the state with what was told of it."""
    known = state.deck.instrument(name)
    at = f"{field}." if field else ""
    if known is None:
        if state.deck.complete:
            raise IllegalMove(
                "unknown_card",
                say("There is no {instrument} in this deck, which is complete.", instrument=name),
                f"{at}instrument",
            )
        known = Instrument(name)
    if colour is not None and known.colour not in (None, colour):
        raise IllegalMove(
            "colour_conflict",
            say(
                "{instrument} is {known} in the deck, not {colour}. If the deck is wrong, correct its card first.",
                instrument=known.name,
                known=known.colour,
                colour=colour,
            ),
            f"{at}colour",
        )
    if known.colour is None and colour is None:
        raise IllegalMove(
            "colour_missing",
            say("The colour of {instrument} is not known yet. Add it to this move once.", instrument=known.name),
            f"{at}colour",
        )
    told = replace(known, colour=known.colour or colour)
    return replace(state, deck=state.deck.with_instrument(told)), told


def told_sambist(state: State, sambist: Sambist, field: str) -> tuple[State, Sambist]:
    """Return the sambist's card with all that is known of it, and the state with what was told."""
    known = state.deck.sambist(sambist.name)
    if known is None and state.deck.complete:
        raise IllegalMove(
            "unknown_card", say("There is no {name} in this deck, which is complete.", name=sambist.name), field
        )
    told = (known or sambist).told(sambist)
    return replace(state, deck=state.deck.with_sambist(told)), told


def seen_anew(state: State, cards: Counter[Card], field: str) -> State:
    """Return the state with `cards` seen that had no known place before: there must be as many in the deck.

    A deck that is not complete learns them instead.
    """
    seen = state.seen()
    if not state.deck.complete:
        return replace(state, deck=state.deck.seeing(seen + cards))
    copies = state.deck.cards()
    for card in sorted(cards):
        if seen[card] + cards[card] > copies[card]:
            raise IllegalMove(
                "all_copies_seen",
                say(
                    "{card} cannot be here: the deck has {count} of it, and their places are known.",
                    card=card_words(card),
                    count=copies[card],
                ),
                field,
            )
    return state


def out_of_hand(state: State, cards: Counter[Card], field: str) -> State:
    """Return the state with `cards` gone from the hand of the seat whose turn it is, known ones first."""
    own = state.seats[state.turn]
    unknown = cards - Counter(own.known)
    if state.detail != "moves":
        return seen_anew(state, unknown, field)
    if cards.total() > own.hand or unknown.total() > own.hand - len(own.known):
        raise IllegalMove(
            "not_in_hand",
            say(
                "{name} holds {hand} cards, {known} of them known from a discard pile, and cannot have these.",
                name=name_of(state, state.turn),
                hand=own.hand,
                known=len(own.known),
            ),
            field,
        )
    state = seen_anew(state, unknown, field)
    left = tuple(sorted((Counter(own.known) - cards).elements()))
    return state.with_seat(state.turn, hand=own.hand - cards.total(), known=left)


def card_words(card: Card) -> str:
    if card == MALANDRO:
        return say("A malandro")
    return say("{instrument} {number}", instrument=card.instrument, number=card.number)


def name_of(state: State, seat: int) -> str:
    return state.setup.players[seat].name
