"""Carnival of Sins as a game of the house: what the table, the pages and the log ask of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine import fields
from engine.carnival_of_sins import state as states
from engine.carnival_of_sins import telling
from engine.carnival_of_sins.house_rules import RULES
from engine.carnival_of_sins.marks import ranking, victory
from engine.carnival_of_sins.moves import MOVES, Pride, Reveal, read_move, rolled
from engine.carnival_of_sins.play import legal, play, standing, waited_for
from engine.carnival_of_sins.positions import score_positions
from engine.carnival_of_sins.setup import read_setup
from engine.carnival_of_sins.sins import WHITE
from engine.carnival_of_sins.state import State
from engine.carnival_of_sins.view import scoreboard, view
from engine.dice import Die, Shape
from engine.game import Below, Expectation, Game, InvalidInput, Move, Outcome, Place, Prompt
from engine.rules import HouseRule
from engine.words import say


class CarnivalOfSins(Game[State]):
    """Two to five players, seven rounds, seven sins each; six black dice and a white one."""

    key = "carnival_of_sins"
    name = "Carnival of Sins"
    moves = MOVES

    def setup(self, setup: Mapping[str, Any]) -> State:
        read = read_setup(setup)
        return State(read, read.devil)

    def seats(self, state: State) -> Sequence[str]:
        return state.setup.names

    def prompt(self, state: State) -> Prompt:
        outcome = self.outcome(state)
        return telling.prompt(state) if outcome is None else Prompt("finished", outcome.text)

    def expects(self, state: State) -> Expectation | None:
        if self.outcome(state) is not None or not (dice := waited_for(state)):
            return None
        known = [(_shape(die), "white" if die == WHITE else "black") for die in dice]
        shapes, colours = Counter(shape for shape, _ in known), Counter(colour for _, colour in known)
        return Expectation(
            {shape: shapes[shape] for shape in Shape if shape in shapes},
            {colour: colours[colour] for colour in ("black", "white") if colour in colours},
            telling.purpose(state),
            known,
        )

    def roll_move(self, state: State, dice: Sequence[Die], places: Sequence[Place] | None = None) -> Move:
        lying = places if places is not None else [None] * len(dice)
        return {"move": "roll", "dice": [rolled(die, place) for die, place in zip(dice, lying, strict=True)]}

    def legal_moves(self, state: State) -> Iterator[Move]:
        """Yield every legal move but the rolls, in the order of the sins and the dice."""
        for move in legal(state):
            yield move.as_json()

    def apply(self, state: State, move: Move) -> State:
        return play(state, read_move(move, state.setup))

    def stands(self, before: State, move: Move, now: State) -> Move:
        """Return a reveal with the dice it took: they lie on the sin, whatever they are read as later."""
        read = read_move(move, before.setup)
        return standing(before, read, now).as_json() if isinstance(read, Reveal) else move

    def actor(self, state: State, move: Move) -> int | None:
        read = read_move(move, state.setup)
        return read.seat if isinstance(read, Reveal | Pride) else None

    def describe(self, state: State, move: Move) -> str:
        return telling.tell(state, read_move(move, state.setup))

    def correct(self, move: Move, die: int, to: Die) -> Move:
        if move.get("move") != "roll":
            raise InvalidInput(
                "not_a_roll", say("Only a die of a roll can be corrected. Undo the move instead."), "move"
            )
        dice = list(fields.entries(move.get("dice"), "dice", of=say("dice")))
        at = fields.whole(die, "die", low=0, high=len(dice) - 1, what=say("A die's number in the roll"))
        dice[at] = {**dice[at], **rolled(to)}
        return {"move": "roll", "dice": dice}

    def scoreboard(self, state: State) -> dict[str, Any]:
        return scoreboard(state)

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != "finished":
            return None
        setup = state.setup
        scores = [marks.scores for marks in state.marks()]
        groups = ranking(scores, setup.seats, setup.rules)
        text = victory(scores, setup.names, setup.rules)
        return Outcome(tuple(map(tuple, groups)), text, {"totals": list(state.totals())})

    def view(self, state: State) -> dict[str, Any]:
        return view(state)

    @property
    def house_rules(self) -> Sequence[HouseRule]:
        return RULES

    def score(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return score_positions(document)

    def sample_roll(self, state: State, below: Below) -> Sequence[Die]:
        expects = self.expects(state)
        assert expects is not None
        assert expects.dice is not None
        return [Die(colour, 1 + below(shape.faces), shape) for shape, colour in expects.dice]

    def dump(self, state: State) -> str:
        return states.dump(state)

    def load(self, text: str) -> State:
        return states.load(text)


def _shape(die: str) -> Shape:
    return Shape.D6 if die == WHITE else Shape(die)
