"""What a move tells of the cards: learnt where the deck has gaps, counted where it is complete."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.game import IllegalMove
from engine.roda_de_samba.cards import MALANDRO, Card, Instrument, Sambist
from engine.roda_de_samba.deck import Deck, check_brought
from engine.roda_de_samba.state import State
from engine.words import joined, named, say, say_many


def told_instrument(state: State, name: str, colour: str | None, field: str) -> tuple[State, Instrument]:
    """Return the instrument as the deck spells it, with its colour, and the state with what was told of it."""
    known = state.deck.instrument(name)
    at = f"{field}." if field else ""
    if known is None:
        if state.deck.complete:
            raise IllegalMove(
                "unknown_card",
                _unknown(name),
                f"{at}instrument",
            )
        known = Instrument(name)
    if colour is not None and known.colour not in (None, colour):
        raise IllegalMove(
            "colour_conflict",
            say(
                "{instrument} is {known} in the deck, not {colour}. If the deck is wrong, correct its card first.",
                instrument=known.name,
                known=named(known.colour or ""),
                colour=named(colour),
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
    if told == state.deck.instrument(name):
        return state, told
    return replace(state, deck=state.deck.with_instrument(told)), told


def told_sambist(state: State, sambist: Sambist, field: str) -> tuple[State, Sambist]:
    """Return the sambist's card with all that is known of it, and the state with what was told."""
    known = state.deck.sambist(sambist.name)
    if known is None and state.deck.complete:
        raise IllegalMove("unknown_card", _unknown(sambist.name), field)
    told = (known or sambist).told(sambist)
    if told == known:
        return state, told
    check_sambist(state.deck, told, field)
    return replace(state, deck=state.deck.with_sambist(told)), told


def _unknown(name: str) -> str:
    return say(
        "There is no {name} in this deck, which is complete. Write the card into the deck first, or correct the name.",
        name=name,
    )


def check_sambist(deck: Deck, told: Sambist, field: str) -> None:
    """Complain about a card, told at `field`, that the deck cannot hold."""
    if deck.complete and not told.whole:
        raise IllegalMove(
            "card_incomplete",
            say("This deck is complete, so {name} keeps stars and four needs. Add them.", name=told.name),
            field,
        )
    check_brought(deck, told, field, IllegalMove)


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
            raise IllegalMove("all_copies_seen", _all_seen(card, copies[card]), field)
    return state


def _all_seen(card: Card, copies: int) -> str:
    if card == MALANDRO:
        return say_many(
            "The deck has {count} malandro, and there cannot be one more.",
            "The deck has {count} malandros, and there cannot be one more.",
            count=copies,
        )
    if copies == 0:
        return say("The deck has no card {card}. Look at the card again.", card=card_words(card))
    return say_many(
        "The deck has one card {card}, and it is seen already. Look at the card again.",
        "The deck has {count} cards {card}, and there cannot be one more. Look at the card again.",
        count=copies,
        card=card_words(card),
    )


def out_of_hand(state: State, cards: Counter[Card], field: str) -> State:
    """Return the state with `cards` gone from the hand of the seat whose turn it is, known ones first."""
    own = state.seats[state.turn]
    unknown = cards - Counter(own.known)
    if state.detail != "moves":
        return seen_anew(state, unknown, field)
    if cards.total() > own.hand or unknown.total() > own.hand - len(own.known):
        raise IllegalMove("not_in_hand", _not_held(name_of(state, state.turn), own.hand, len(own.known)), field)
    state = seen_anew(state, unknown, field)
    left = tuple(sorted((Counter(own.known) - cards).elements()))
    return state.with_seat(state.turn, hand=own.hand - cards.total(), known=left)


def _not_held(name: str, hand: int, known: int) -> str:
    """Return the sentence about cards that cannot be in a hand, `known` of which come from a discard pile."""
    if known == 0:
        return say_many(
            "{name} holds {count} card and cannot have these.",
            "{name} holds {count} cards and cannot have these.",
            count=hand,
            name=name,
        )
    return joined(
        say_many("{name} holds {count} card.", "{name} holds {count} cards.", count=hand, name=name),
        say_many(
            "{count} of them came from a discard pile and is known, so these cannot be there.",
            "{count} of them came from a discard pile and are known, so these cannot be there.",
            count=known,
        ),
    )


def card_words(card: Card) -> str:
    """Return an instrument card as people name it."""
    return say("{instrument} {number}", instrument=card.instrument, number=card.number)


def name_of(state: State, seat: int) -> str:
    return state.setup.players[seat].name
