"""Playing: what each move does to the state, and the rules that can forbid it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.game import IllegalMove
from engine.roda_de_samba.cards import MALANDRO, Card, Instrument, Sambist, folded
from engine.roda_de_samba.charming import charm_sambist, off_the_table
from engine.roda_de_samba.circle import Stack, space_of
from engine.roda_de_samba.entering import entered, open_sambist, tell_card, tell_circle
from engine.roda_de_samba.knowledge import name_of, out_of_hand, seen_anew, told_instrument, told_sambist
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
from engine.roda_de_samba.setup import Opening
from engine.roda_de_samba.state import Seat, State
from engine.words import joined, listed, named, say, say_many


def first_state(opening: Opening) -> State:
    """Return the state before the first draw. Raises `IllegalMove` when the open cards cannot be."""
    setup = opening.setup
    state = State(
        setup,
        opening.deck,
        (Seat(),) * setup.seats,
        (None,) * len(opening.sambists),
        (),
        opening.cards_left if setup.rules.detail == "moves" else None,
        opening.sambists_left,
        (),
        setup.first,
    )
    for slot, sambist in enumerate(opening.sambists):
        if sambist is not None:
            state = open_sambist(state, OpenSambist(slot, sambist), f"sambists[{slot}]")
    if opening.pile is not None and state.detail == "moves":
        card = opening.pile
        state, instrument = told_instrument(state, card.instrument, card.colour, "pile")
        state = seen_anew(state, Counter([Card(instrument.name, card.number)]), "pile.number")
        state = _on_pile(state, instrument.colour or "", Card(instrument.name, card.number))
    return state


def play(state: State, move: AnyMove) -> State:
    """Return the state after `move`. Raises `IllegalMove` naming the rule."""
    match move:
        case Draw():
            return _draw(state, move).settled()
        case PlayCards():
            return _play(state, move).settled()
        case Invite():
            return _invite(state, move).settled()
        case Discard():
            return _discard(state, move)
        case EndTurn():
            return _end_turn(state, move)
        case DeckOut():
            return _deck_out(state).settled()
        case OpenSambist():
            return open_sambist(state, move)
        case TellCard():
            return tell_card(state, move).settled()
        case TellCircle():
            return tell_circle(state, move).settled()
        case TypeTally():
            return _type_tally(state, move)
        case Finish():
            if state.ended:
                raise IllegalMove("game_over", say("The game is finished already."), "move")
            return replace(state, ended=True)


def _type_tally(state: State, move: TypeTally) -> State:
    """Return the state with figures typed; where only they are entered, a player without stars is not done yet."""
    state = state.with_seat(move.seat, typed=move.tally)
    own = state.seats[move.seat]
    if state.detail == "final" and move.tally.stars is None and not any(own.circle) and not own.sambists:
        return state.with_seat(move.seat, told=False)
    return entered(state, move.seat)


def _check_turn(state: State, seat: int) -> None:
    if state.ended:
        raise IllegalMove(
            "game_over", say("The game is over. Circles, figures and cards can still be corrected."), "move"
        )
    if state.detail == "final":
        raise IllegalMove(
            "only_scoring",
            say("This table enters the end scoring alone. Enter the circles, or figures typed by hand."),
            "move",
        )
    if seat != state.turn:
        raise IllegalMove(
            "not_your_turn",
            say(
                "It is {name}'s turn, not {other}'s. Let {name} go first.",
                name=name_of(state, state.turn),
                other=name_of(state, seat),
            ),
            "seat",
        )


def _check_drawn(state: State) -> None:
    if state.phase == "draw":
        raise IllegalMove(
            "draw_first",
            say("A turn goes draw, play, discard, and {name} has not drawn yet.", name=name_of(state, state.turn)),
            "move",
        )


def _draw(state: State, move: Draw) -> State:
    _check_turn(state, move.seat)
    if state.detail != "moves":
        raise IllegalMove("not_entered", say("This table does not enter what is drawn. Play an instrument."), "move")
    if state.drawn:
        raise IllegalMove("already_drawn", say("A turn draws once, and it is done. Play an instrument now."), "move")
    match move.source:
        case "deck":
            state = _from_deck(state, move.count, last=move.last)
        case "pile":
            state = _take_pile(state, move.colour or "")
        case _:
            if state.cards_left != 0:
                raise IllegalMove(
                    "must_draw",
                    say("While the instrument deck holds cards, a turn draws two of them or takes a discard pile."),
                    "from",
                )
    return replace(state, drawn=True)


def _from_deck(state: State, count: int, *, last: bool = False) -> State:
    """Return the state after up to `count` cards of the deck went to the hand; a deck may run out in between (R12)."""
    left = state.cards_left
    if left == 0:
        raise IllegalMove(
            "deck_empty", say("The instrument deck is empty. Take a discard pile, or draw nothing."), "from"
        )
    if last and left is not None and left > count:
        raise IllegalMove("deck_not_empty", _cards_left(left - count), "last")
    got = count if left is None else min(count, left)
    seat = state.turn
    state = state.with_seat(seat, hand=state.seats[seat].hand + got)
    return replace(state, cards_left=0 if last else None if left is None else left - got)


def _cards_left(count: int) -> str:
    return say_many(
        "There is still {count} card in the instrument deck.",
        "There are still {count} cards in the instrument deck.",
        count=count,
    )


def _piles(state: State) -> str:
    """Return which discard piles there are, as a sentence."""
    if not state.piles:
        return say("There is no discard pile now.")
    return say_many(
        "There is a discard pile in {colours}.",
        "There are discard piles in {colours}.",
        count=len(state.piles),
        colours=listed([named(colour) for colour, _ in state.piles]),
    )


def _take_pile(state: State, colour: str) -> State:
    cards = state.pile(colour)
    if not cards:
        raise IllegalMove(
            "no_pile",
            joined(say("No discard pile is in {colour}.", colour=named(colour)), _piles(state)),
            "colour",
        )
    own = state.seats[state.turn]
    state = state.with_seat(state.turn, hand=own.hand + len(cards), known=tuple(sorted((*own.known, *cards))))
    return replace(state, piles=tuple(pile for pile in state.piles if pile[0] != colour))


def _play(state: State, move: PlayCards) -> State:
    _check_turn(state, move.seat)
    _check_drawn(state)
    if state.played:
        raise IllegalMove(
            "already_played", say("A turn plays one instrument, and it is done. Invite, or discard a card."), "move"
        )
    state, instrument = told_instrument(state, move.instrument, move.colour, "")
    space = _space_for(state, move, instrument)
    cards = Counter(Card(instrument.name, number) for number in move.numbers)
    state = out_of_hand(state, cards, "numbers")
    circle = list(state.seats[move.seat].circle)
    there = circle[space]
    numbers = tuple(sorted((*(there.numbers if there else ()), *move.numbers)))
    circle[space] = Stack(instrument.name, instrument.colour or "", numbers)
    return replace(state.with_seat(move.seat, circle=tuple(circle)), played=True)


def _space_for(state: State, move: PlayCards, instrument: Instrument) -> int:
    """Return the space the cards go to: where the instrument lies, else an empty one."""
    circle = state.seats[move.seat].circle
    lies = space_of(circle, instrument.name)
    if lies is not None:
        if move.space not in (None, lies):
            raise IllegalMove(
                "already_in_circle",
                say(
                    "{instrument} lies in space {space} already; cards of one instrument are stacked there.",
                    instrument=instrument.name,
                    space=lies + 1,
                ),
                "space",
            )
        return lies
    space = circle.index(None) if move.space is None and None in circle else move.space
    there = circle[space] if space is not None else None
    if space is None:
        raise IllegalMove(
            "circle_full",
            say(
                "The circle holds ten different instruments, and {instrument} is none of them. "
                "Play one that lies there.",
                instrument=instrument.name,
            ),
            "instrument",
        )
    if there is not None:
        raise IllegalMove(
            "space_taken",
            say(
                "{other} lies in space {space}, and a space holds one instrument. Choose an empty space.",
                other=there.instrument,
                space=space + 1,
            ),
            "space",
        )
    return space


def _invite(state: State, move: Invite) -> State:
    _check_turn(state, move.seat)
    _check_drawn(state)
    if not state.played:
        raise IllegalMove("play_first", say("A sambist is invited after an instrument is played in this turn."), "move")
    if state.invited:
        raise IllegalMove("already_invited", say("Only one sambist can be invited in a turn."), "move")
    state, sambist = told_sambist(state, move.sambist, "sambist")
    found = state.answer(move.seat, sambist)
    if found.met is False and not move.agreed:
        raise IllegalMove(
            "needs_not_met",
            say(
                "{name} cannot be invited yet. Missing: {missing}. "
                "If the table sees it otherwise, it can agree to the invitation.",
                name=sambist.name,
                missing=listed(found.missing),
            ),
            "sambist",
        )
    unknown = sambist.action is None and not state.deck.complete
    if move.charm is not None and sambist.action != "malandro" and not unknown:
        raise IllegalMove(
            "no_malandro_action",
            say("{name} does not do a malandro's action, so nobody is charmed.", name=sambist.name),
            "charm",
        )
    own = state.seats[move.seat]
    if own.charmed is not None and folded(own.charmed) == folded(sambist.name):
        if move.opened is not None:
            raise IllegalMove(
                "nothing_opened",
                say("A charmed sambist leaves no place on the table, so no other one is opened."),
                "opened",
            )
        state = state.with_seat(move.seat, charmed=None)
    else:
        state = off_the_table(state, sambist, move.opened, "sambist", "opened")
    state = state.with_seat(move.seat, sambists=(*state.seats[move.seat].sambists, sambist.name))
    return _act(replace(state, invited=True), sambist, move.charm)


def _act(state: State, sambist: Sambist, charm: Charm | None) -> State:
    """Return the state after the special action of a sambist just invited: at once, and only once."""
    if charm is not None:
        state = charm_sambist(state, charm)
    if sambist.action == "malandro" or charm is not None or sambist.action == "no_discard":
        return replace(state, no_discard=True)
    if sambist.action == "draw" and state.detail == "moves" and state.cards_left != 0:
        return _from_deck(state, 1)
    return state


def _discard(state: State, move: Discard) -> State:
    _check_turn(state, move.seat)
    _check_drawn(state)
    if move.card is None:
        return _discard_malandro(state, move)
    if state.detail != "moves":
        raise IllegalMove("not_entered", say("This table does not enter discarded instruments. End the turn."), "card")
    state, instrument = told_instrument(state, move.card.instrument, move.card.colour, "card")
    card = Card(instrument.name, move.card.number)
    state = out_of_hand(state, Counter([card]), "card")
    return _next_turn(_on_pile(state, instrument.colour or "", card))


def _discard_malandro(state: State, move: Discard) -> State:
    """Return the state with a malandro on an existing pile, and what it charms."""
    if state.detail == "moves":
        if move.pile is None or not state.pile(move.pile):
            raise IllegalMove(
                "malandro_needs_pile",
                joined(say("A malandro is discarded onto a pile that exists."), _piles(state)),
                "pile",
            )
        state = out_of_hand(state, Counter([MALANDRO]), "card")
        state = _on_pile(state, move.pile, MALANDRO)
    if move.charm is not None:
        state = charm_sambist(state, move.charm)
    return _next_turn(state)


def _on_pile(state: State, colour: str, card: Card) -> State:
    piles = dict(state.piles)
    piles[colour] = (*piles.get(colour, ()), card)
    return replace(state, piles=tuple(piles.items()))


def may_end_turn(state: State) -> bool:
    """Tell whether the turn can end without a discard.

    A special action allows it; and nobody can discard with an empty hand, or malandros alone while there is no pile.
    """
    own = state.seats[state.turn]
    if state.detail == "circles" or state.no_discard or own.hand == 0:
        return True
    return not state.piles and all(card == MALANDRO for card in own.known)


def _end_turn(state: State, move: EndTurn) -> State:
    _check_turn(state, move.seat)
    _check_drawn(state)
    if not may_end_turn(state):
        raise IllegalMove(
            "discard_first",
            say("A turn ends with a discard, unless a sambist's special action has just spared it."),
            "move",
        )
    return _next_turn(state)


def _next_turn(state: State) -> State:
    """Return the state at the next player's turn, or at the end: all players have the same number of turns."""
    if state.trigger is not None and state.turn == state.last_seat:
        return replace(state, ended=True)
    return replace(
        state,
        turn=(state.turn + 1) % state.setup.seats,
        turns=state.turns + 1,
        drawn=False,
        played=False,
        invited=False,
        no_discard=False,
    )


def _deck_out(state: State) -> State:
    _check_turn(state, state.turn)
    if state.deck.complete and state.detail == "moves" and state.cards_left != 0:
        raise IllegalMove("deck_not_empty", _cards_left(state.cards_left or 0), "move")
    return replace(state, cards_left=0)
