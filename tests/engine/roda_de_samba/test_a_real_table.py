"""Real cards are dealt, played and counted by the rulebook; the engine, which sees only what lies open, must agree."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from engine.game import GameError
from engine.roda_de_samba import shipped_deck
from engine.roda_de_samba.circle import circle_json
from engine.roda_de_samba.state import State
from engine.score import score_document
from tests.engine.roda_de_samba.rounds import GAME
from tests.engine.roda_de_samba.table import Player, Table

DECK = shipped_deck("example").as_json()
NAMES = ("Ana", "Bia", "Caio", "Duda", "Eva", "Fábio")


class Notes:
    """How a table enters its moves: with a deck whose cards are all known, or one that it learns card by card."""

    def __init__(self, table: Table, known: bool) -> None:
        self.table, self.known = table, known

    def setup(self, house_rules: Mapping[str, Any]) -> dict[str, Any]:
        name, number = self.table.first
        start = {
            "players": [{"name": NAMES[seat]} for seat in range(len(self.table.players))],
            "sambists": [self.sambist(one) for one in self.table.open],
            "pile": self.card({"instrument": name, "number": number}),
            "house_rules": house_rules,
        }
        return {**start, "deck": "example"} if self.known else {**start, "deck": {}}

    def card(self, card: Mapping[str, Any]) -> dict[str, Any]:
        return dict(card) if self.known else {**card, "colour": self.table.colour[card["instrument"]]}

    def sambist(self, name: str) -> Any:
        return name if self.known else self.table.sambist[name]

    def move(self, move: Mapping[str, Any]) -> dict[str, Any]:
        """Return a move of the table as it is entered."""
        new = dict(move)
        if new["move"] == "draw" and self.known:
            return {key: value for key, value in new.items() if key not in ("last", "count")}
        if new["move"] == "draw" and not new.get("last"):
            new.pop("last", None)
            new.pop("count", None)
        if new["move"] == "play":
            new = self.card(new)
        if isinstance(new.get("card"), dict):
            new["card"] = self.card(new["card"])
        if "charm" in new:
            new["charm"] = {key: one if key == "from" else self.sambist(one) for key, one in new["charm"].items()}
        return {key: self.sambist(one) if key in ("sambist", "opened") else one for key, one in new.items()}


def agree(state: State, table: Table, known: bool) -> None:
    """Compare what the engine knows with what lies on the table."""
    for own, player in zip(state.seats, table.players, strict=True):
        assert [(one.instrument, list(one.numbers)) if one else None for one in own.circle] == player.circle
        assert (own.sambists, own.charmed, own.hand) == (tuple(player.invited), player.charmed, len(player.hand))
    assert {colour: [(one.instrument, one.number) for one in cards] for colour, cards in state.piles} == table.piles
    # A table that does not count its sambists does not know that none came into a place.
    assert [one for one in state.open if one is not None or known] == table.open
    assert state.top == tuple(table.swapped)
    if known:
        assert (state.cards_left, state.sambists_left) == (len(table.cards), len(table.sambists))
    assert (state.trigger is not None) == table.ending


def refuses_whom_the_rules_refuse(state: State, table: Table, me: Player, seat: int) -> None:
    """Every sambist of the table who does not come is refused, and the others are not."""
    for name in table.open:
        move = {"move": "invite", "seat": seat, "sambist": name}
        if table.comes(me, name):
            GAME.apply(state, move)
        else:
            with pytest.raises(GameError) as error:
                GAME.apply(state, move)
            assert error.value.code == "needs_not_met"


@pytest.mark.parametrize("known", [True, False], ids=["known", "learnt"])
@pytest.mark.parametrize("seed", range(10))
def test_the_engine_agrees_with_the_cards_on_the_table(seed: int, known: bool) -> None:
    chance = random.Random(seed)
    players = 2 + seed % 5
    table = Table(DECK, players, chance)
    notes = Notes(table, known)
    first = seed % players
    state = GAME.setup({**notes.setup({}), "first": first})
    seat = first
    for _ in range(1000):
        assert (state.turn, GAME.prompt(state).seat) == (seat, seat)
        for move in table.turn(seat):
            entered = notes.move(move)
            state = GAME.apply(state, entered)
            if table.ending and state.trigger is None and not known:
                state = GAME.apply(state, {"move": "deck_out"})  # a sambist drew the last card
            if move["move"] in ("draw", "play", "invite"):
                agree(state, table, known)
            if move["move"] == "play":
                refuses_whom_the_rules_refuse(state, table, table.players[seat], seat)
        if table.ending and seat == (first - 1) % players:
            break
        seat = (seat + 1) % players
    agree(state, table, known)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert state.turns % players == 0
    totals = [table.total(player) for player in table.players]
    assert outcome.detail["totals"] == totals
    ranks = [(totals[group[0]], table.cards_in(table.players[group[0]])) for group in outcome.ranking]
    assert ranks == sorted(ranks, reverse=True)
    positions = [
        {
            "name": NAMES[at],
            "circle": [
                one and {"instrument": one[0], "colour": table.colour[one[0]], "numbers": one[1]}
                for one in player.circle
            ],
            "sambists": [table.sambist[name] for name in player.invited],
        }
        for at, player in enumerate(table.players)
    ]
    scored = score_document({"game": "roda_de_samba", "players": positions})
    assert [one["total"] for one in scored["players"]] == totals


@pytest.mark.parametrize("known", [True, False], ids=["known", "learnt"])
@pytest.mark.parametrize("seed", range(6))
def test_circles_and_the_end_scoring_alone_come_to_the_same_points(seed: int, known: bool) -> None:
    chance = random.Random(seed)
    players = 2 + seed % 5
    table = Table(DECK, players, chance)
    notes = Notes(table, known)
    circles = {**notes.setup({"entry.detail": "circles"}), "pile": None}
    final = {**notes.setup({"entry.detail": "final"}), "pile": None, "sambists": []}
    state = GAME.setup(circles)
    seat = 0
    for _ in range(1000):
        for move in table.turn(seat):
            if move["move"] == "draw":
                continue
            if move["move"] == "discard":
                entered = {key: one for key, one in notes.move(move).items() if key != "pile"}
                thrown = {"move": "end_turn", "seat": seat}
                state = GAME.apply(state, entered if move["card"] == "malandro" else thrown)
            else:
                state = GAME.apply(state, notes.move(move))
            if not table.cards and not state.ended and state.cards_left != 0:
                state = GAME.apply(state, {"move": "deck_out"})
        if table.ending and seat == players - 1:
            break
        seat = (seat + 1) % players
    totals = [table.total(player) for player in table.players]
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.detail["totals"] == totals
    quick = GAME.setup(final)
    for at, own in enumerate(state.seats):
        lying = {"circle": circle_json(own.circle), "sambists": [table.sambist[name] for name in own.sambists]}
        quick = GAME.apply(quick, {"move": "circle", "seat": at, **lying})
    assert GAME.outcome(quick) == outcome
