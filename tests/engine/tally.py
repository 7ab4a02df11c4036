"""A game small enough to check a table with: roll two dice, bank any part of their sum; the goal wins."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from engine.dice import Die, Shape
from engine.game import (
    Expectation,
    Game,
    IllegalMove,
    InvalidInput,
    Move,
    Outcome,
    Prompt,
    canonical_json,
    register,
)
from engine.rules import HouseRule, Value


@dataclass(frozen=True, slots=True)
class TallyState:
    players: tuple[str, ...]
    goal: int
    scores: tuple[int, ...]
    turn: int = 0
    rolled: int = 0


class Tally(Game[TallyState]):
    key = "tally"
    name = "Tally"
    moves = ("roll", "bank")

    def setup(self, setup: Mapping[str, Any]) -> TallyState:
        names = setup.get("players")
        if not isinstance(names, list) or not names:
            raise InvalidInput("bad_players", "Tally needs players.", "players")
        players = tuple(player["name"] for player in names)
        return TallyState(players, setup.get("goal", 1000), (0,) * len(players))

    def seats(self, state: TallyState) -> Sequence[str]:
        return state.players

    def prompt(self, state: TallyState) -> Prompt:
        if self.outcome(state):
            return Prompt("finished", "It is over.")
        action = "bank" if state.rolled else "roll"
        return Prompt(action, f"{state.players[state.turn]}: {action}.", state.turn)

    def expects(self, state: TallyState) -> Expectation | None:
        return None if state.rolled or self.outcome(state) else Expectation({Shape.D6: 2})

    def roll_move(self, state: TallyState, dice: Sequence[Die]) -> Move:
        return {"move": "roll", "dice": [{"colour": die.colour, "value": die.value} for die in dice]}

    def legal_moves(self, state: TallyState) -> Iterable[Move]:
        return ({"move": "bank", "points": points} for points in range(1, state.rolled + 1))

    def apply(self, state: TallyState, move: Move) -> TallyState:
        if self.outcome(state):
            raise IllegalMove("finished", "The game is over.")
        if move.get("move") == "roll":
            dice = [Die(die["colour"], die["value"]) for die in move["dice"]]
            if state.rolled:
                raise IllegalMove("rolled", "The dice are rolled already.")
            if len(dice) != 2:
                raise InvalidInput("two_dice", "A roll is two dice.", "dice")
            return replace(state, rolled=sum(die.value for die in dice))
        if move.get("move") == "bank":
            points = move["points"]
            if not 1 <= points <= state.rolled:
                raise IllegalMove("too_many", f"Only {state.rolled} points were rolled.", "points")
            scores = [*state.scores]
            scores[state.turn] += points
            turn = (state.turn + 1) % len(scores)
            return replace(state, scores=tuple(scores), turn=turn, rolled=0)
        raise InvalidInput("unknown_move", "Tally has the moves roll and bank.", "move")

    def actor(self, state: TallyState, move: Move) -> int | None:
        return state.turn

    def describe(self, state: TallyState, move: Move) -> str:
        who = state.players[state.turn]
        if move["move"] == "bank":
            return f"{who} banks {move['points']} of {state.rolled}."
        return f"{who} rolls {' and '.join(str(die['value']) for die in move['dice'])}."

    def correct(self, move: Move, die: int, to: Die) -> Move:
        if move["move"] != "roll" or not 0 <= die < len(move["dice"]):
            raise InvalidInput("no_such_die", "There is no such die to correct.", "die")
        dice = [*move["dice"]]
        dice[die] = {"colour": to.colour, "value": to.value}
        return {**move, "dice": dice}

    def scoreboard(self, state: TallyState) -> dict[str, Any]:
        return {
            "players": [
                {"name": name, "total": score, "why": f"{score} points banked."}
                for name, score in zip(state.players, state.scores, strict=True)
            ]
        }

    def outcome(self, state: TallyState) -> Outcome | None:
        if max(state.scores) < state.goal:
            return None
        winner = state.scores.index(max(state.scores))
        return Outcome(((winner,),), f"{state.players[winner]} wins.")

    def view(self, state: TallyState) -> dict[str, Any]:
        return asdict(state)

    @property
    def house_rules(self) -> Sequence[HouseRule]:
        values: dict[Value, str] = {"off": "Any part", "on": "All"}
        return (HouseRule("bank.all", "Bank it all", "Whether a part may be banked.", values),)

    def score(self, document: Mapping[str, Any]) -> dict[str, Any]:
        return {"players": [{"name": player["name"], "total": player["points"]} for player in document["players"]]}

    def dump(self, state: TallyState) -> str:
        return canonical_json(asdict(state))

    def load(self, text: str) -> TallyState:
        value = json.loads(text)
        return TallyState(
            tuple(value["players"]), value["goal"], tuple(value["scores"]), value["turn"], value["rolled"]
        )


register(Tally())


def roll(first: int, second: int) -> dict[str, Any]:
    return {"move": "roll", "dice": [{"colour": "red", "value": first}, {"colour": "blue", "value": second}]}


def bank(points: int) -> dict[str, Any]:
    return {"move": "bank", "points": points}
