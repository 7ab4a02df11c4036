"""What lies on the table as JSON, for pages."""

from __future__ import annotations

from typing import Any

from engine.roda_de_samba.cards import MALANDRO, Sambist
from engine.roda_de_samba.circle import circle_json, neighbours, stacks
from engine.roda_de_samba.play import may_end_turn
from engine.roda_de_samba.state import State


def view(state: State) -> dict[str, Any]:
    """Return the circles, the sambists with what each seat lacks for them, the piles and the counts.

    `cards_left` and `sambists_left` are null while nobody knows.
    """
    return {
        "phase": state.phase,
        "round": state.round,
        "first": state.setup.first,
        "turn": None if state.phase in ("finished", "tally") else state.turn,
        "last_seat": state.last_seat,
        "drawn": state.drawn,
        "played": state.played,
        "invited": state.invited,
        "may_end_turn": not state.ended and may_end_turn(state),
        "trigger": state.trigger,
        "cards_left": state.cards_left,
        "sambists_left": state.sambists_left,
        "top_sambist": state.top[-1] if state.top else None,
        "open": [_sambist(state, name) for name in state.open],
        "piles": [
            {
                "colour": colour,
                "cards": [
                    {"instrument": card.instrument, "number": card.number or None, "malandro": card == MALANDRO}
                    for card in pile
                ],
            }
            for colour, pile in state.piles
        ],
        "house_rules": state.setup.rules.as_json(),
        "deck": state.deck.as_json(),
        "notes": state.deck.notes(),
        "players": [_player(state, seat) for seat in range(state.setup.seats)],
    }


def _sambist(state: State, name: str | None) -> dict[str, Any] | None:
    """Return an open sambist's card with the answer to each seat; null for one that nobody has told."""
    if name is None:
        return None
    card = state.deck.card_of(name)
    return {**card.as_json(), "for": [state.answer(seat, card).as_json() for seat in range(state.setup.seats)]}


def _player(state: State, seat: int) -> dict[str, Any]:
    own, player = state.seats[seat], state.setup.players[seat]
    invited = [state.deck.card_of(name) for name in own.sambists]
    active: Sambist | None = state.active(seat)
    charmed = None if own.charmed is None else state.deck.card_of(own.charmed)
    return {
        "name": player.name,
        "region": player.region,
        "circle": circle_json(own.circle),
        "harmony": harmony(state, seat),
        "different": len(stacks(own.circle)),
        "sambists": [one.as_json() for one in invited],
        "active": active.as_json() if active else None,
        "charmed": None if charmed is None else {**charmed.as_json(), "answer": state.answer(seat, charmed).as_json()},
        "hand": own.hand if state.detail == "moves" else None,
        "typed": own.typed.as_json(),
        "told": own.told,
    }


def harmony(state: State, seat: int) -> list[dict[str, Any] | None]:
    """Return for each space what its instrument shares with the next one round the ring: `colour` (null where they
    differ) and `numbers`; neither is a crossed samba. Null where there is no pair.

    Under `harmony.hint = off` nothing is told before the end.
    """
    rules = state.setup.rules
    circle = state.seats[seat].circle
    if not rules.harmony_hint and not state.ended:
        return [None] * len(circle)
    told: list[dict[str, Any] | None] = [None] * len(circle)
    for space, other in neighbours(circle, closed=rules.ring_closed):
        one, next_one = circle[space], circle[other]
        assert one is not None
        assert next_one is not None
        colour, numbers = one.shares(next_one)
        told[space] = {"colour": colour, "numbers": list(numbers)}
    return told
