"""Playing: what each move does to the state, and the rules that can forbid it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.game import IllegalMove
from engine.roda_de_samba.cards import MALANDRO, Card, Instrument, Sambist, folded
from engine.roda_de_samba.circle import EMPTY, Stack, space_of
from engine.roda_de_samba.deck import Deck
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
from engine.words import listed, say

CARDS_DRAWN = 2


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
            state = _open_sambist(state, OpenSambist(slot, sambist), f"sambists[{slot}]")
    if opening.pile is not None and state.detail == "moves":
        card = opening.pile
        state, instrument = _told_instrument(state, card.instrument, card.colour, "pile")
        state = _seen_anew(state, Counter([Card(instrument.name, card.number)]), "pile.number")
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
            return _open_sambist(state, move)
        case TellCard():
            return _tell_card(state, move)
        case TellCircle():
            return _tell_circle(state, move).settled()
        case TypeTally():
            return _told(state.with_seat(move.seat, typed=move.tally), move.seat)
        case Finish():
            if state.ended:
                raise IllegalMove("game_over", say("The game is finished already."), "move")
            return replace(state, ended=True)


def _check_turn(state: State, seat: int) -> None:
    if state.ended:
        raise IllegalMove(
            "game_over", say("The game is over. Figures can still be corrected with circle, tally and card."), "move"
        )
    if state.detail == "final":
        raise IllegalMove(
            "only_scoring",
            say("This table enters the end scoring alone. Give circles or tallies, or play with another entry.detail."),
            "move",
        )
    if seat != state.turn:
        raise IllegalMove(
            "not_your_turn",
            say("It is {name}'s turn, not {other}'s.", name=_name(state, state.turn), other=_name(state, seat)),
            "seat",
        )


def _check_drawn(state: State) -> None:
    if state.phase == "draw":
        raise IllegalMove(
            "draw_first",
            say("A turn goes draw, play, discard, and {name} has not drawn yet.", name=_name(state, state.turn)),
            "move",
        )


def _draw(state: State, move: Draw) -> State:
    _check_turn(state, move.seat)
    if state.detail != "moves":
        raise IllegalMove("not_entered", say("This table does not enter what is drawn. Go on with play."), "move")
    if state.drawn:
        raise IllegalMove("already_drawn", say("A turn draws once, and it is done. Play an instrument now."), "move")
    match move.source:
        case "deck":
            state = _from_deck(state, CARDS_DRAWN, last=move.last)
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
        raise IllegalMove(
            "deck_not_empty", say("{count} cards are still in the instrument deck.", count=left - count), "last"
        )
    got = count if left is None else min(count, left)
    seat = state.turn
    state = state.with_seat(seat, hand=state.seats[seat].hand + got)
    return replace(state, cards_left=0 if last else None if left is None else left - got)


def _take_pile(state: State, colour: str) -> State:
    cards = state.pile(colour)
    if not cards:
        piles = [name for name, _ in state.piles]
        raise IllegalMove(
            "no_pile",
            say("There is no discard pile in {colour}. Piles: {piles}.", colour=colour, piles=listed(piles) or "0"),
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
    state, instrument = _told_instrument(state, move.instrument, move.colour, "")
    space = _space_for(state, move, instrument)
    cards = Counter(Card(instrument.name, number) for number in move.numbers)
    state = _out_of_hand(state, cards, "numbers")
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
    if space is None or there is not None:
        raise IllegalMove(
            "space_taken",
            say(
                "{other} lies there, and a space holds one instrument. Choose an empty space.",
                other=there.instrument if there else say("Another instrument"),
            ),
            "space",
        )
    return space


def _told_instrument(state: State, name: str, colour: str | None, field: str) -> tuple[State, Instrument]:
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


def _seen_anew(state: State, cards: Counter[Card], field: str) -> State:
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
                    card=_card_words(card),
                    count=copies[card],
                ),
                field,
            )
    return state


def _out_of_hand(state: State, cards: Counter[Card], field: str) -> State:
    """Return the state with `cards` gone from the hand of the seat whose turn it is, known ones first."""
    own = state.seats[state.turn]
    unknown = cards - Counter(own.known)
    if state.detail != "moves":
        return _seen_anew(state, unknown, field)
    if cards.total() > own.hand or unknown.total() > own.hand - len(own.known):
        raise IllegalMove(
            "not_in_hand",
            say(
                "{name} holds {hand} cards, {known} of them known from a discard pile, and cannot have these.",
                name=_name(state, state.turn),
                hand=own.hand,
                known=len(own.known),
            ),
            field,
        )
    state = _seen_anew(state, unknown, field)
    left = tuple(sorted((Counter(own.known) - cards).elements()))
    return state.with_seat(state.turn, hand=own.hand - cards.total(), known=left)


def _invite(state: State, move: Invite) -> State:
    _check_turn(state, move.seat)
    _check_drawn(state)
    if not state.played:
        raise IllegalMove("play_first", say("A sambist is invited after an instrument is played in this turn."), "move")
    if state.invited:
        raise IllegalMove("already_invited", say("Only one sambist can be invited in a turn."), "move")
    state, sambist = _told_sambist(state, move.sambist, "sambist")
    found = state.answer(move.seat, sambist)
    if found.met is False and not move.agreed:
        raise IllegalMove(
            "needs_not_met",
            say(
                "{name} cannot be invited yet. Missing: {missing}. If the table sees it otherwise, say agreed.",
                name=sambist.name,
                missing=listed(found.missing),
            ),
            "sambist",
        )
    if move.charm is not None and sambist.action not in (None, "malandro"):
        raise IllegalMove(
            "no_malandro_action", say("{name} does not do a malandro's action.", name=sambist.name), "charm"
        )
    own = state.seats[move.seat]
    if own.charmed is not None and folded(own.charmed) == folded(sambist.name):
        if move.opened is not None:
            raise IllegalMove(
                "nothing_opened", say("A charmed sambist leaves no place on the table, so none is opened."), "opened"
            )
        state = state.with_seat(move.seat, charmed=None)
    else:
        state = _off_the_table(state, sambist, move.opened, "sambist", "opened")
    state = state.with_seat(move.seat, sambists=(*state.seats[move.seat].sambists, sambist.name))
    return _act(replace(state, invited=True), sambist, move.charm)


def _act(state: State, sambist: Sambist, charm: Charm | None) -> State:
    """Return the state after the special action of a sambist just invited: at once, and only once."""
    if charm is not None:
        state = _charm(state, charm)
    if sambist.action == "malandro" or charm is not None or sambist.action == "no_discard":
        return replace(state, no_discard=True)
    if sambist.action == "draw" and state.detail == "moves" and state.cards_left != 0:
        return _from_deck(state, 1)
    return state


def _told_sambist(state: State, sambist: Sambist, field: str) -> tuple[State, Sambist]:
    """Return the sambist's card with all that is known of it, and the state with what was told."""
    known = state.deck.sambist(sambist.name)
    if known is None and state.deck.complete:
        raise IllegalMove(
            "unknown_card", say("There is no {name} in this deck, which is complete.", name=sambist.name), field
        )
    told = (known or sambist).told(sambist)
    return replace(state, deck=state.deck.with_sambist(told)), told


def _off_the_table(state: State, sambist: Sambist, opened: Sambist | None, field: str, opened_field: str) -> State:
    """Return the state with `sambist` gone from the table and the next one, `opened`, in its place."""
    return _open_next(state, _slot_of(state, sambist, field), opened, opened_field)


def _slot_of(state: State, sambist: Sambist, field: str) -> int:
    """Return the place on the table where `sambist` lies; one that nobody has told yet may be it."""
    place = state.sambist_places().get(folded(sambist.name))
    if place == "open":
        return [folded(name or "") for name in state.open].index(folded(sambist.name))
    if place is None and None in state.open:
        return state.open.index(None)
    if place not in (None, "top"):
        raise IllegalMove(
            "sambist_taken",
            say("{name} is with {player}, and nobody else can have this sambist.", name=sambist.name, player=place),
            field,
        )
    shown = [name for name in state.open if name is not None]
    raise IllegalMove(
        "not_on_table",
        say("{name} does not lie on the table. There are: {names}.", name=sambist.name, names=listed(shown)),
        field,
    )


def _open_next(state: State, slot: int, opened: Sambist | None, field: str) -> State:
    """Return the state with the top of the sambists' deck in place `slot`; without a deck the place goes away."""
    if state.sambists_left == 0:
        if opened is not None:
            raise IllegalMove("no_sambists_left", say("The sambists' deck is empty, so none is opened."), field)
        return replace(state, open=(*state.open[:slot], *state.open[slot + 1 :]))
    state, top = _off_the_deck(state, opened, field)
    return replace(state, open=(*state.open[:slot], top.name if top else None, *state.open[slot + 1 :]))


def _off_the_deck(state: State, told: Sambist | None, field: str) -> tuple[State, Sambist | None]:
    """Return the top card of the sambists' deck, as it is known or told (None: neither), and the state without it."""
    left = None if state.sambists_left is None else state.sambists_left - 1
    if state.top:
        known = state.top[-1]
        if told is not None and folded(told.name) != folded(known):
            raise IllegalMove(
                "other_on_top",
                say("{name} lies on top of the sambists' deck, put there in a swap.", name=known),
                field,
            )
        return replace(state, top=state.top[:-1], sambists_left=left), state.deck.card_of(known)
    if told is None:
        return replace(state, sambists_left=left), None
    state, sambist = _told_sambist(state, told, field)
    _check_hidden(state, sambist, field)
    return replace(state, sambists_left=left), sambist


def _check_hidden(state: State, sambist: Sambist, field: str) -> None:
    place = state.sambist_places().get(folded(sambist.name))
    if place == "open":
        raise IllegalMove("sambist_elsewhere", say("{name} lies on the table already.", name=sambist.name), field)
    if place == "top":
        raise IllegalMove(
            "sambist_elsewhere", say("{name} lies on top of the sambists' deck.", name=sambist.name), field
        )
    if place is not None:
        raise IllegalMove(
            "sambist_taken",
            say("{name} is with {player}, and nobody else can have this sambist.", name=sambist.name, player=place),
            field,
        )


def _charm(state: State, charm: Charm) -> State:
    """Return the state after the seat whose turn it is has charmed; an earlier charmed sambist is swapped for it."""
    before = state.seats[state.turn].charmed
    if charm.source == "table":
        assert charm.sambist is not None
        state, sambist = _told_sambist(state, charm.sambist, "charm.sambist")
        slot = _slot_of(state, sambist, "charm.sambist")
        if before is None:
            state = _open_next(state, slot, charm.opened, "charm.opened")
        else:
            _check_swap(charm)
            state = replace(state, open=(*state.open[:slot], before, *state.open[slot + 1 :]))
        return state.with_seat(state.turn, charmed=sambist.name)
    _check_swap(charm)
    if state.sambists_left == 0:
        raise IllegalMove("no_sambists_left", say("The sambists' deck is empty. Charm one of the table."), "charm.from")
    state, top = _off_the_deck(state, charm.sambist, "charm.sambist")
    if top is None:
        raise IllegalMove(
            "sambist_missing", say("Say which sambist lay on top of the deck; the card is open now."), "charm.sambist"
        )
    if before is not None:
        left = None if state.sambists_left is None else state.sambists_left + 1
        state = replace(state, top=(*state.top, before), sambists_left=left)
    return state.with_seat(state.turn, charmed=top.name)


def _check_swap(charm: Charm) -> None:
    """Complain about an opened sambist where none is opened: in a swap, and when the deck's top is charmed."""
    if charm.opened is not None:
        raise IllegalMove(
            "nothing_opened",
            say("No place on the table is empty: a swap fills it, and the top of the deck leaves none."),
            "charm.opened",
        )


def _discard(state: State, move: Discard) -> State:
    _check_turn(state, move.seat)
    _check_drawn(state)
    if move.card is None:
        return _discard_malandro(state, move)
    if state.detail != "moves":
        raise IllegalMove("not_entered", say("This table does not enter discarded instruments. End the turn."), "card")
    state, instrument = _told_instrument(state, move.card.instrument, move.card.colour, "card")
    card = Card(instrument.name, move.card.number)
    state = _out_of_hand(state, Counter([card]), "card")
    return _next_turn(_on_pile(state, instrument.colour or "", card))


def _discard_malandro(state: State, move: Discard) -> State:
    """Return the state with a malandro on an existing pile, and what it charms."""
    if state.detail == "moves":
        if move.pile is None or not state.pile(move.pile):
            raise IllegalMove(
                "malandro_needs_pile",
                say(
                    "A malandro is discarded onto a pile that exists. Piles: {piles}.",
                    piles=listed([colour for colour, _ in state.piles]) or "0",
                ),
                "pile",
            )
        state = _out_of_hand(state, Counter([MALANDRO]), "card")
        state = _on_pile(state, move.pile, MALANDRO)
    if move.charm is not None:
        state = _charm(state, move.charm)
    return _next_turn(state)


def _on_pile(state: State, colour: str, card: Card) -> State:
    piles = dict(state.piles)
    piles[colour] = (*piles.get(colour, ()), card)
    return replace(state, piles=tuple(piles.items()))


def may_end_turn(state: State) -> bool:
    """Tell whether the turn can end without a discard.

    A special action allows it; and nobody can discard with an empty hand, or malandros alone while there is no pile.
    """
    return state.detail == "circles" or state.no_discard or state.seats[state.turn].hand == 0 or not state.piles


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
        raise IllegalMove(
            "deck_not_empty",
            say("{count} cards are still in the instrument deck.", count=state.cards_left),
            "move",
        )
    return replace(state, cards_left=0)


def _open_sambist(state: State, move: OpenSambist, field: str = "sambist") -> State:
    """Return the state with a sambist named that lies in a place of the table; a named one is replaced."""
    if move.slot >= len(state.open):
        raise IllegalMove("no_place", say("{count} sambists lie on the table now.", count=len(state.open)), "slot")
    state, sambist = _told_sambist(state, move.sambist, field)
    state = replace(state, open=(*state.open[: move.slot], None, *state.open[move.slot + 1 :]))
    _check_hidden(state, sambist, field)
    return replace(state, open=(*state.open[: move.slot], sambist.name, *state.open[move.slot + 1 :]))


def _tell_card(state: State, move: TellCard) -> State:
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
        if deck.complete and (told.stars is None or told.needs is None):
            raise IllegalMove(
                "card_incomplete",
                say("This deck is complete, so {name} keeps stars and needs. Add them.", name=told.name),
                "sambist",
            )
        return replace(state, deck=deck.with_sambist(told))
    if move.instrument is not None:
        return _tell_instrument(state, move.instrument)
    seen = state.seen()[MALANDRO]
    if (move.malandros or 0) < seen:
        raise IllegalMove("too_few_copies", say("{count} malandros are seen already.", count=seen), "malandros")
    return _recounted(state, replace(deck, malandros=move.malandros))


def _tell_instrument(state: State, told: Instrument) -> State:
    deck, known = state.deck, state.deck.instrument(told.name)
    told = told if known is None else replace(told, name=known.name)
    colour = told.colour or (known.colour if known else None)
    told = replace(told, colour=colour)
    lies = any(space_of(seat.circle, told.name) is not None for seat in state.seats)
    if deck.complete and (told.colour is None or not told.numbers):
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
            say("{card} is seen already and must stay in the deck.", card=_card_words(min(missing))),
            "instrument.numbers",
        )
    state = _recounted(state, deck.with_instrument(told))
    if not lies or told.colour is None:
        return state
    seats = tuple(
        replace(seat, circle=tuple(_recoloured(stack, told.name, told.colour) for stack in seat.circle))
        for seat in state.seats
    )
    return replace(state, seats=seats)


def _recounted(state: State, deck: Deck) -> State:
    """Return the state with `deck`; a complete one that grew or shrank changes how many cards are left."""
    before, after, left = state.deck.size, deck.size, state.cards_left
    if before is None or after is None or left is None or before == after:
        return replace(state, deck=deck)
    if left + after - before < 0:
        raise IllegalMove("too_few_copies", say("So few cards cannot be: more are drawn already."), "move")
    return replace(state, deck=deck, cards_left=left + after - before)


def _recoloured(stack: Stack | None, instrument: str, colour: str) -> Stack | None:
    return replace(stack, colour=colour) if stack is not None and stack.instrument == instrument else stack


def _tell_circle(state: State, move: TellCircle) -> State:
    """Return the state with the whole circle and the sambists of a player as they are told."""
    state = state.with_seat(move.seat, circle=EMPTY, sambists=())
    circle: list[Stack | None] = []
    cards: Counter[Card] = Counter()
    for at, stack in enumerate(move.circle):
        if stack is not None:
            state, instrument = _told_instrument(state, stack.instrument, stack.colour, f"circle[{at}]")
            stack = replace(stack, instrument=instrument.name)
            cards.update(Card(instrument.name, number) for number in stack.numbers)
        circle.append(stack)
    own = state.seats[move.seat]
    state = state.with_seat(move.seat, known=tuple(sorted((Counter(own.known) - cards).elements())))
    state = _seen_anew(state, cards, "circle").with_seat(move.seat, circle=tuple(circle))
    names: list[str] = []
    for at, one in enumerate(move.sambists):
        field = f"sambists[{at}]"
        state, sambist = _told_sambist(state, one, field)
        state = _freed(state, sambist.name, move.seat)
        _check_hidden(state, sambist, field)
        names.append(sambist.name)
        state = state.with_seat(move.seat, sambists=tuple(names))
    return _told(state, move.seat)


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


def _told(state: State, seat: int) -> State:
    """Return the state with a player's end entered; where that is all that is entered, the last one ends the game."""
    state = state.with_seat(seat, told=True)
    if state.detail == "final" and all(one.told for one in state.seats):
        return replace(state, ended=True)
    return state


def _card_words(card: Card) -> str:
    if card == MALANDRO:
        return say("A malandro")
    return say("{instrument} {number}", instrument=card.instrument, number=card.number)


def _name(state: State, seat: int) -> str:
    return state.setup.players[seat].name
