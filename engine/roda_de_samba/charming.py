"""Sambists on the table, on top of their deck and charmed: taken, opened and swapped."""

from __future__ import annotations

from dataclasses import replace

from engine.game import IllegalMove
from engine.roda_de_samba.cards import Sambist, folded
from engine.roda_de_samba.knowledge import name_of, told_sambist
from engine.roda_de_samba.moves import Charm
from engine.roda_de_samba.state import State
from engine.words import listed, say


def off_the_table(state: State, sambist: Sambist, opened: Sambist | None, field: str, opened_field: str) -> State:
    """Return the state with `sambist` gone from the table and the next one, `opened`, in its place."""
    return _open_next(state, _slot_of(state, sambist, field), opened, opened_field)


def _slot_of(state: State, sambist: Sambist, field: str) -> int:
    """Return the place on the table where `sambist` lies; one that nobody has told yet may be it."""
    place = state.sambist_places().get(folded(sambist.name))
    if place == "open":
        return [folded(name or "") for name in state.open].index(folded(sambist.name))
    if place is None and None in state.open:
        return state.open.index(None)
    if isinstance(place, int):
        raise _taken(state, sambist, place, field)
    shown = [name for name in state.open if name is not None]
    if not shown:
        raise IllegalMove("not_on_table", say("No sambist lies on the table any more."), field)
    raise IllegalMove(
        "not_on_table",
        say("{name} does not lie on the table. There you find: {names}.", name=sambist.name, names=listed(shown)),
        field,
    )


def _taken(state: State, sambist: Sambist, seat: int, field: str) -> IllegalMove:
    return IllegalMove(
        "sambist_taken",
        say(
            "{player} has {name}, and there is only one card of each sambist. Choose another one.",
            name=sambist.name,
            player=name_of(state, seat),
        ),
        field,
    )


def _open_next(state: State, slot: int, opened: Sambist | None, field: str) -> State:
    """Return the state with the top of the sambists' deck in place `slot`; without a deck the place goes away."""
    if state.sambists_left == 0:
        if opened is not None:
            raise IllegalMove(
                "no_sambists_left", say("The sambists' deck is empty, so none is opened. Leave the place empty."), field
            )
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
                say("{name} was put on top of the sambists' deck in a swap, so that card comes now.", name=known),
                field,
            )
        return replace(state, top=state.top[:-1], sambists_left=left), state.deck.card_of(known)
    if told is None:
        return replace(state, sambists_left=left), None
    state, sambist = told_sambist(state, told, field)
    check_hidden(state, sambist, field)
    return replace(state, sambists_left=left), sambist


def check_hidden(state: State, sambist: Sambist, field: str) -> None:
    """Complain about a sambist whose place is known: open, on top of the deck, or with a player."""
    place = state.sambist_places().get(folded(sambist.name))
    if place == "open":
        raise IllegalMove(
            "sambist_elsewhere",
            say("{name} lies open on the table already. Choose another one.", name=sambist.name),
            field,
        )
    if place == "top":
        raise IllegalMove(
            "sambist_elsewhere",
            say("{name} lies on top of the sambists' deck. Choose another one.", name=sambist.name),
            field,
        )
    if isinstance(place, int):
        raise _taken(state, sambist, place, field)


def charm_sambist(state: State, charm: Charm) -> State:
    """Return the state after the seat whose turn it is has charmed; an earlier charmed sambist is swapped for it."""
    before = state.seats[state.turn].charmed
    if charm.source == "table":
        assert charm.sambist is not None
        state, sambist = told_sambist(state, charm.sambist, "charm.sambist")
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
            say("No sambist is opened now: a swap fills the place, and the top of the deck leaves none empty."),
            "charm.opened",
        )
