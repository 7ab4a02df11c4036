"""Roda de Samba as a game of the house: what the table, the pages and the log ask of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.dice import Die
from engine.game import Below, Expectation, Game, IllegalMove, InvalidInput, Move, Outcome, Place, Prompt
from engine.roda_de_samba import legal
from engine.roda_de_samba import state as states
from engine.roda_de_samba.deck_file import shipped_deck
from engine.roda_de_samba.house_rules import RULES
from engine.roda_de_samba.marks import ranking, tie_sentence, victory_sentence
from engine.roda_de_samba.moves import (
    MOVES,
    Discard,
    Draw,
    EndTurn,
    Invite,
    PlayCards,
    read_move,
)
from engine.roda_de_samba.play import first_state, play
from engine.roda_de_samba.positions import score_positions
from engine.roda_de_samba.setup import OPEN_SAMBISTS, read_opening
from engine.roda_de_samba.state import State
from engine.roda_de_samba.telling import prompt, tell
from engine.roda_de_samba.view import view
from engine.rules import HouseRule
from engine.words import joined, say


class RodaDeSamba(Game[State]):
    """Two to six players build samba circles of instruments and sambists; cards, no dice."""

    key = "roda_de_samba"
    name = "Roda de Samba"
    moves = MOVES

    def setup(self, setup: Mapping[str, Any]) -> State:
        try:
            return first_state(read_opening(setup))
        except IllegalMove as error:
            raise InvalidInput(error.code, error.message, error.field) from error

    def seats(self, state: State) -> Sequence[str]:
        return [player.name for player in state.setup.players]

    def prompt(self, state: State) -> Prompt:
        outcome = self.outcome(state)
        return prompt(state) if outcome is None else Prompt("finished", outcome.text)

    def expects(self, state: State) -> Expectation | None:
        return None

    def roll_move(self, state: State, dice: Sequence[Die], places: Sequence[Place] | None = None) -> Move:
        raise _no_dice()

    def legal_moves(self, state: State) -> Iterator[Move]:
        """Yield every move of a turn that open information allows; what is typed (circles, cards) is not listed."""
        return legal.legal_moves(state)

    def apply(self, state: State, move: Move) -> State:
        return play(state, read_move(move, state.setup))

    def actor(self, state: State, move: Move) -> int | None:
        """Return whose turn is played; what lies there, and the end scoring, anybody may write down for everybody."""
        read = read_move(move, state.setup)
        own = Draw | PlayCards | Invite | Discard | EndTurn
        return read.seat if isinstance(read, own) else None

    def describe(self, state: State, move: Move) -> str:
        return tell(state, read_move(move, state.setup))

    def correct(self, move: Move, die: int, to: Die) -> Move:
        raise _no_dice()

    def scoreboard(self, state: State) -> dict[str, Any]:
        marks = state.marks()
        return {
            "players": [one.as_json() for one in marks],
            "ranking": [[marks[at].name for at in group] for group in ranking(marks)],
            "tie_break": tie_sentence(marks),
            "final": state.ended,
        }

    def outcome(self, state: State) -> Outcome | None:
        if not state.ended:
            return None
        marks = state.marks()
        groups = tuple(tuple(group) for group in ranking(marks))
        text = joined(victory_sentence(marks), tie_sentence(marks))
        return Outcome(groups, text, {"totals": [one.total for one in marks]})

    def view(self, state: State) -> dict[str, Any]:
        return view(state)

    @property
    def house_rules(self) -> Sequence[HouseRule]:
        return RULES

    def score(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return score_positions(document)

    def sample_setup(self, players: int) -> Mapping[str, Any]:
        """Return a setup with the example deck, its first sambists and its first instrument open."""
        deck = shipped_deck("example")
        first = deck.instruments[0]
        return {
            "players": [{"name": f"Player {seat + 1}"} for seat in range(players)],
            "deck": "example",
            "sambists": [sambist.name for sambist in deck.sambists[:OPEN_SAMBISTS]],
            "pile": {"instrument": first.name, "number": first.numbers[0]},
        }

    def sample_move(self, state: State, below: Below) -> Move | None:
        return legal.sample_move(state, below)

    def dump(self, state: State) -> str:
        return states.dump(state)

    def load(self, text: str) -> State:
        return states.load(text)


def _no_dice() -> InvalidInput:
    return InvalidInput("not_a_roll", say("Roda de Samba is played without dice. Undo the move instead."), "move")
