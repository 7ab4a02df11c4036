"""What happens next, and what was done, in sentences."""

from __future__ import annotations

from engine.game import Prompt
from engine.roda_de_samba.cards import Sambist
from engine.roda_de_samba.circle import space_of
from engine.roda_de_samba.moves import (
    AnyMove,
    Charm,
    DeckOut,
    Discard,
    Draw,
    EndTurn,
    Finish,
    Invite,
    OpenSambist,
    PlayCards,
    TellCard,
    TellCircle,
    TypeTally,
)
from engine.roda_de_samba.play import may_end_turn
from engine.roda_de_samba.state import FULL_CIRCLE, State
from engine.words import joined, listed, named, say, say_many


def prompt(state: State) -> Prompt:
    """Return what happens next in a game that is not finished."""
    if state.phase == "tally":
        seat = next((at for at, one in enumerate(state.seats) if not one.told), 0)
        ask = say("Enter the circle of {name}, or its stars, colour bonus and crossed sambas.", name=_name(state, seat))
        return Prompt("circle", ask, seat, say("This table enters the end scoring alone."))
    name = _name(state, state.turn)
    text: str
    match state.phase:
        case "draw":
            text = _draw_text(state, name)
        case "play":
            text = say("{name} plays cards of one instrument into one space.", name=name)
        case _ if state.invited:
            text = _end_text(state, name)
        case _:
            text = joined(say("{name} may invite a sambist.", name=name), _end_text(state, name))
    action = {"draw": "draw", "play": "play"}.get(state.phase, "discard")
    if action == "discard" and state.detail == "circles":
        action = "end_turn"
    return Prompt(action, text, state.turn, joined(say("Round {round}.", round=state.round), _ending(state)))


def _draw_text(state: State, name: str) -> str:
    if state.cards_left == 0:
        if not state.piles:
            return say("{name} draws nothing: no card is left.", name=name)
        return say("{name} takes the discard pile of a colour, or draws nothing.", name=name)
    if state.cards_left == 1:
        if not state.piles:
            return say("{name} draws the last card.", name=name)
        return say("{name} draws the last card, or takes the discard pile of a colour.", name=name)
    if not state.piles:
        return say("{name} draws two cards.", name=name)
    return say("{name} draws two cards, or takes the discard pile of a colour.", name=name)


def _end_text(state: State, name: str) -> str:
    if state.detail == "circles" or state.seats[state.turn].hand == 0:
        return say("{name} ends the turn.", name=name)
    if state.no_discard:
        return say("{name} need not discard, but may discard a malandro.", name=name)
    if may_end_turn(state):
        return say("{name} discards a card, or ends the turn when the hand holds malandros alone.", name=name)
    return say("{name} discards a card.", name=name)


def _ending(state: State) -> str:
    """Return why this is the last round, when it is (rulebook, Endgame)."""
    if state.trigger is None:
        return ""
    last = _name(state, state.last_seat)
    if state.trigger == FULL_CIRCLE:
        return say("A circle has ten different instruments: the game ends after the turn of {last}.", last=last)
    return say("The instrument deck is empty: the game ends after the turn of {last}.", last=last)


def tell(state: State, move: AnyMove) -> str:
    """Return one sentence (or a few) for the log about `move`, made in `state`."""
    match move:
        case Draw():
            return _tell_draw(state, move)
        case PlayCards():
            return _tell_play(state, move)
        case Invite():
            sambist = state.deck.card_of(move.sambist.name).name
            told = say("{name} invited {sambist}.", name=_name(state, move.seat), sambist=sambist)
            agreed = say("The table agreed to that.") if move.agreed else ""
            return joined(told, agreed, _tell_opened(state, move.opened), _tell_charm(state, move.charm))
        case Discard():
            return joined(_tell_discard(state, move), _tell_charm(state, move.charm))
        case EndTurn():
            return say("{name} ended the turn.", name=_name(state, move.seat))
        case DeckOut():
            return say("The instrument deck ran out.")
        case OpenSambist():
            return say("{sambist} lies open on the table.", sambist=state.deck.card_of(move.sambist.name).name)
        case TellCard():
            return _tell_card(move)
        case TellCircle():
            return say("The circle of {name} was entered as it lies.", name=_name(state, move.seat))
        case TypeTally():
            return say("Figures of {name} were typed by hand.", name=_name(state, move.seat))
        case Finish():
            return say("The table went to the end scoring.")


def _tell_draw(state: State, move: Draw) -> str:
    name = _name(state, move.seat)
    if move.source == "pile":
        return say_many(
            "{name} took the pile in {colour}: {count} card.",
            "{name} took the pile in {colour}: {count} cards.",
            count=len(state.pile(move.colour or "")),
            name=name,
            colour=named(move.colour or ""),
        )
    if move.source == "nothing":
        return say("{name} drew nothing.", name=name)
    drawn = say("{name} drew from the instrument deck.", name=name)
    return joined(drawn, say("It is empty now.") if move.last else "")


def _tell_play(state: State, move: PlayCards) -> str:
    circle = state.seats[move.seat].circle
    lies = space_of(circle, move.instrument)
    space = move.space if lies is None else lies
    if space is None:
        space = circle.index(None) if None in circle else 0
    return say(
        "{name} played {instrument} {numbers} in space {space}.",
        name=_name(state, move.seat),
        instrument=_instrument(state, move.instrument),
        numbers=listed(map(str, move.numbers)),
        space=space + 1,
    )


def _tell_discard(state: State, move: Discard) -> str:
    name = _name(state, move.seat)
    if move.card is None and move.pile is not None:
        return say("{name} discarded a malandro onto the pile in {colour}.", name=name, colour=named(move.pile))
    if move.card is None:
        return say("{name} discarded a malandro.", name=name)
    return say(
        "{name} discarded {instrument} {number}.",
        name=name,
        instrument=_instrument(state, move.card.instrument),
        number=move.card.number,
    )


def _tell_opened(state: State, opened: Sambist | None) -> str:
    return say("{sambist} takes the free place.", sambist=state.deck.card_of(opened.name).name) if opened else ""


def _tell_charm(state: State, charm: Charm | None) -> str:
    if charm is None:
        return ""
    known = state.deck.card_of(charm.sambist.name).name if charm.sambist else state.top[-1]
    before = state.seats[state.turn].charmed
    if charm.source == "table":
        told = say("{sambist} of the table is charmed.", sambist=known)
    else:
        told = say("{sambist} is charmed from the top of the deck.", sambist=known)
    swapped = say("{before} goes where that card was.", before=before) if before else ""
    return joined(told, swapped, _tell_opened(state, charm.opened))


def _tell_card(move: TellCard) -> str:
    if move.malandros is not None:
        return say_many("The deck has {count} malandro.", "The deck has {count} malandros.", count=move.malandros)
    if move.instrument is not None:
        return say("The cards of {instrument} were written down.", instrument=move.instrument.name)
    return say("The card of {name} was written down.", name=move.sambist.name if move.sambist else "")


def _instrument(state: State, name: str) -> str:
    """Return the instrument as the deck spells it."""
    known = state.deck.instrument(name)
    return known.name if known else name


def _name(state: State, seat: int) -> str:
    return state.setup.players[seat].name
