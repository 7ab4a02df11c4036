"""What can be done next, as far as open information tells: hands are closed, so any card not seen may be in one.

The moves that type figures or cards (`open`, `card`, `circle`, `tally`) come from outside and are not listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Any

from engine.game import Below, Move
from engine.roda_de_samba.cards import MALANDRO, Card, Instrument, Sambist
from engine.roda_de_samba.circle import SPACES, Stack, circle_json, space_of
from engine.roda_de_samba.play import may_end_turn
from engine.roda_de_samba.state import State

Kind = Callable[[State], Iterator[Move]]


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every move of a turn that can be legal now."""
    for kind in _kinds(state):
        yield from kind(state)


def _kinds(state: State) -> tuple[Kind, ...]:
    """Return what can be done in this phase, kind by kind."""
    match state.phase:
        case "draw":
            return (_draws,)
        case "play":
            return (_plays, *_ends(state))
        case "discard":
            return (_invites, *_ends(state))
        case "tally":
            return (_finish,)
        case _:
            return ()


def _ends(state: State) -> tuple[Kind, ...]:
    if state.detail == "circles":
        return (_malandros, _end_turn, _deck_out)
    return (_discards, _malandros, _end_turn)


def _draws(state: State) -> Iterator[Move]:
    base = {"move": "draw", "seat": state.turn}
    if state.cards_left != 0:
        yield {**base, "from": "deck"}
        if state.cards_left is None:
            yield {**base, "from": "deck", "last": True}
            yield {**base, "from": "deck", "last": True, "count": 1}
    for colour, _ in state.piles:
        yield {**base, "from": "pile", "colour": colour}
    if state.cards_left == 0:
        yield {**base, "from": "nothing"}


def playable(state: State) -> Counter[Card]:
    """Return the cards that the seat whose turn it is may hold: known ones, and unseen ones if it holds any."""
    own = state.seats[state.turn]
    cards = Counter(own.known)
    if state.detail != "moves" or own.hand > len(own.known):
        cards += state.unseen()
    return cards


def _plays(state: State) -> Iterator[Move]:
    there = playable(state)
    for instrument in state.deck.instruments:
        yield from _plays_of(state, instrument, there)


def _plays_of(state: State, instrument: Instrument, there: Counter[Card]) -> Iterator[Move]:
    """Yield every way to play cards of one instrument, of those in `there`."""
    if instrument.colour is None:
        return
    own = state.seats[state.turn]
    numbers = [
        number for number in sorted(set(instrument.numbers)) for _ in range(there[Card(instrument.name, number)])
    ]
    lies = space_of(own.circle, instrument.name)
    spaces = [space for space in range(SPACES) if own.circle[space] is None] if lies is None else [lies]
    at_most = len(numbers) if state.detail != "moves" else min(len(numbers), own.hand)
    for count in range(1, at_most + 1):
        for some in dict.fromkeys(combinations(numbers, count)):
            if not _held(state, Counter(Card(instrument.name, number) for number in some)):
                continue
            for space in spaces:
                move = {"move": "play", "seat": state.turn, "instrument": instrument.name}
                yield {**move, "numbers": list(some), "space": space}


def _held(state: State, cards: Counter[Card]) -> bool:
    """Tell whether the hand can hold these: those not known from a pile must be among its unknown cards."""
    own = state.seats[state.turn]
    return state.detail != "moves" or (cards - Counter(own.known)).total() <= own.hand - len(own.known)


def _invites(state: State) -> Iterator[Move]:
    if not state.played or state.invited:
        return
    own = state.seats[state.turn]
    open_names = [name for name in state.open if name is not None]
    for name in (own.charmed, *open_names):
        if name is None:
            continue
        sambist = state.deck.card_of(name)
        if state.answer(state.turn, sambist).met is False:
            continue
        base: dict[str, Any] = {"move": "invite", "seat": state.turn, "sambist": name}
        for opened in [None] if name == own.charmed else _next_opened(state):
            move = base if opened is None else {**base, "opened": opened}
            yield move
            if sambist.action == "malandro":
                for charm in _charms(state, without=name, opened=opened):
                    yield {**move, "charm": charm}


def _next_opened(state: State) -> list[str | None]:
    """Return the sambists that may come from the top of their deck; None when none needs to be told."""
    if state.sambists_left == 0 or state.top:
        return [None]
    return [one.name for one in state.hidden_sambists()] or [None]


def _charms(state: State, *, without: str | None = None, opened: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield every charm, with `without` gone from the table and `opened` in its place."""
    own = state.seats[state.turn]
    from_table = without is not None and without != own.charmed
    charmed = None if without is not None and without == own.charmed else own.charmed
    left = state.sambists_left
    top = list(state.top)
    table = [name for name in state.open if name is not None and name != without]
    if from_table and left != 0:
        left = None if left is None else left - 1
        table += [top.pop()] if top else [opened] if opened is not None else []
    hidden = [one.name for one in state.hidden_sambists() if one.name != opened]
    nexts: list[str | None] = [None] if left == 0 or top else [*hidden] or [None]
    for name in table:
        for after in nexts if charmed is None else [None]:
            charm = {"from": "table", "sambist": name}
            yield charm if after is None else {**charm, "opened": after}
    if left != 0:
        for name in top[-1:] or hidden:
            yield {"from": "deck", "sambist": name}


def _discards(state: State) -> Iterator[Move]:
    for card in sorted(playable(state)):
        if card != MALANDRO and _held(state, Counter([card])) and state.seats[state.turn].hand:
            told = {"instrument": card.instrument, "number": card.number}
            yield {"move": "discard", "seat": state.turn, "card": told}


def _malandros(state: State) -> Iterator[Move]:
    base: dict[str, Any] = {"move": "discard", "seat": state.turn, "card": MALANDRO.instrument}
    if state.detail != "moves":
        ways: Iterable[Move] = [base]
    elif playable(state)[MALANDRO] and state.seats[state.turn].hand:
        ways = [{**base, "pile": colour} for colour, _ in state.piles]
    else:
        ways = []
    for move in ways:
        yield move
        for charm in _charms(state):
            yield {**move, "charm": charm}


def _end_turn(state: State) -> Iterator[Move]:
    if may_end_turn(state):
        yield {"move": "end_turn", "seat": state.turn}


def _deck_out(state: State) -> Iterator[Move]:
    if state.cards_left is None:
        yield {"move": "deck_out"}


def _finish(state: State) -> Iterator[Move]:
    yield {"move": "finish"}


def sample_move(state: State, below: Below) -> Move | None:
    """Return one of `legal_moves` by chance, first its kind; or, where only the end is entered, a circle by chance."""
    if state.phase == "tally":
        return _sample_circle(state, below)
    kinds = list(_kinds(state))
    if state.phase == "play" and below(8) and (move := _sample_play(state, below)) is not None:
        return move
    if state.phase == "discard" and below(4) and (invites := list(_invites(state))):
        return invites[below(len(invites))]
    while kinds:
        kind = kinds.pop(below(len(kinds)))
        if kind is _deck_out and below(20) and kinds:
            continue
        if moves := list(kind(state)):
            return moves[below(len(moves))]
    return None


def _sample_play(state: State, below: Below) -> Move | None:
    """Return a play by chance, first its instrument."""
    there = playable(state)
    names = {card.instrument for card in there if there[card] > 0 and card != MALANDRO}
    some = [one for one in state.deck.instruments if one.name in names]
    while some:
        plays = list(_plays_of(state, some.pop(below(len(some))), there))
        if plays:
            return plays[below(len(plays))]
    return None


def _sample_circle(state: State, below: Below) -> Move:
    """Return a circle by chance for the first player who has none, of cards and sambists not seen."""
    seat = next(at for at, one in enumerate(state.seats) if not one.told)
    unseen = state.unseen()
    circle: list[Stack | None] = [None] * SPACES
    some = [one for one in state.deck.instruments if one.colour is not None]
    for space in range(SPACES):
        if not some or not below(4):
            continue
        instrument = some.pop(below(len(some)))
        copies = [number for number in instrument.numbers if unseen[Card(instrument.name, number)] > 0]
        numbers = sorted(set(copies[: 1 + below(4)]))
        if numbers:
            circle[space] = Stack(instrument.name, instrument.colour or "", tuple(numbers))
    hidden: list[Sambist] = state.hidden_sambists()
    sambists = [hidden.pop(below(len(hidden))).name for _ in range(min(len(hidden), below(4)))]
    return {"move": "circle", "seat": seat, "circle": circle_json(tuple(circle)), "sambists": sambists}
