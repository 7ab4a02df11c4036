"""Rounds given whole: the marks of `jurado score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import fields
from engine.carnival_of_sins.doubts import doubts
from engine.carnival_of_sins.house_rules import HouseRules, read_house_rules
from engine.carnival_of_sins.marks import Line, Marks, Round, leaders, ranking, score_round, victory
from engine.carnival_of_sins.setup import check_players
from engine.carnival_of_sins.sins import BLACK, MOST_DICE, SIN_NAMES, SINS, WHITE, die_name
from engine.carnival_of_sins.state import ROUNDS, read_penalty, read_points, read_value
from engine.game import InvalidInput
from engine.words import say, say_many


def score_positions(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scores of each round, the Devil after it, the totals and the winners, each with its reason.

    Dice that could not have come to lie so are warned of, each with its field. Before the seventh round the winners are
    those who lead. Raises `InvalidInput` naming the field.
    """
    given = fields.record(
        document, "", needs=("game", "players", "devil", "rounds"), may=("house_rules",), what=say("The document")
    )
    rules = read_house_rules(given.get("house_rules"))
    names = [
        fields.name(name, fields.inside("players", at))
        for at, name in enumerate(fields.entries(given["players"], "players", of=say("names")))
    ]
    check_players(names, "players")
    devil = names.index(_player(given["devil"], "devil", names))
    rounds = fields.entries(given["rounds"], "rounds", of=say("rounds"))
    if len(rounds) > ROUNDS:
        raise InvalidInput(
            "too_many_rounds",
            say(
                "A game has {most} rounds, and {count} are given. Leave out what is too much.",
                most=ROUNDS,
                count=len(rounds),
            ),
            "rounds",
        )
    played: dict[str, set[str]] = {name: set() for name in names}
    marks: list[Marks] = []
    warnings: list[dict[str, str]] = []
    for at, one in enumerate(rounds):
        this = _read_round(one, fields.inside("rounds", at), names, devil, played, rules)
        marks.append(score_round(this, names, rules))
        warnings += [
            {"field": f"rounds[{at}].plays[{doubt.play}].{doubt.key}", "message": doubt.why}
            for doubt in doubts(this, names, rules)
        ]
        devil = marks[-1].devil
    scores = [one.scores for one in marks]
    first = ranking(scores, len(names), rules)[0]
    return {
        "rounds": [
            {
                "scores": dict(zip(names, one.scores, strict=True)),
                "why": dict(zip(names, one.whys, strict=True)),
                "next_devil": names[one.devil],
                "next_devil_why": one.devil_why,
            }
            for one in marks
        ],
        "totals": {name: sum(one[seat] for one in scores) for seat, name in enumerate(names)},
        "winners": [names[seat] for seat in first],
        "why": victory(scores, names, rules) if len(rounds) == ROUNDS else leaders(scores, names, rules),
        "warnings": warnings,
    }


def _read_round(
    value: Any, field: str, names: Sequence[str], devil: int, played: dict[str, set[str]], rules: HouseRules
) -> Round:
    given = fields.record(value, field, needs=("white", "plays"))
    white = read_value(given["white"], fields.inside(field, "white"), WHITE)
    where = fields.inside(field, "plays")
    plays = fields.entries(given["plays"], where, of=say("plays"))
    lines: list[Line] = []
    lying: set[str] = set()
    for at, one in enumerate(plays):
        inside = fields.inside(where, at)
        may = ("dice", "penalty", "points")
        play = fields.record(one, inside, needs=("player", "sin"), may=may)
        name = _player(play["player"], f"{inside}.player", names)
        seat = (devil + at) % len(names)
        if at >= len(names) or name != names[seat]:
            raise InvalidInput(
                "wrong_order",
                say(
                    "Sins are revealed in order from the Devil, {devil}, clockwise, each player once; "
                    "it is not {name}'s turn here. Put the plays into that order.",
                    devil=names[devil],
                    name=name,
                ),
                f"{inside}.player",
            )
        lines.append(_read_line(play, inside, seat, name, lying, played[name], rules))
    if len(lines) != len(names):
        raise InvalidInput(
            "missing_play",
            say(
                "Every player reveals a sin in every round; {name} has none here.",
                name=names[(devil + len(lines)) % len(names)],
            ),
            where,
        )
    return Round(white, tuple(lines))


def _read_line(
    play: Mapping[str, Any], field: str, seat: int, name: str, lying: set[str], played: set[str], rules: HouseRules
) -> Line:
    sin = fields.choice(play["sin"], f"{field}.sin", SINS, what=say("A sin"))
    if sin in played:
        raise InvalidInput(
            "sin_played_twice",
            say("{name} plays {sin} twice, and each sin is played once in a game.", name=name, sin=SIN_NAMES[sin]),
            f"{field}.sin",
        )
    played.add(sin)
    dice = _read_dice(play.get("dice"), f"{field}.dice", sin, lying)
    penalty = play.get("penalty")
    if penalty is not None:
        penalty = read_penalty(penalty, f"{field}.penalty", rules)
        if penalty and sin != "wrath":
            raise InvalidInput(
                "no_penalty",
                say(
                    "Fallen dice cost points by Wrath alone, and {name} plays {sin}. Leave the penalty out.",
                    name=name,
                    sin=SIN_NAMES[sin],
                ),
                f"{field}.penalty",
            )
    points = play.get("points")
    if points is not None:
        points = read_points(points, f"{field}.points", rules)
        if sin != "envy" or rules.envy_when != "reveal":
            raise InvalidInput(
                "no_points",
                say("Points are written for Envy alone, and only when it copies at the reveal (envy.when)."),
                f"{field}.points",
            )
    return Line(seat, sin, dice, penalty or 0, points)


def _read_dice(value: Any, field: str, sin: str, lying: set[str]) -> tuple[tuple[str, int], ...]:
    given = {} if value is None else value
    if isinstance(given, Mapping):
        for die in given:
            if die == WHITE:
                raise InvalidInput(
                    "white_taken", say("No sin takes the white die. Take it off the sin."), fields.inside(field, WHITE)
                )
            fields.choice(die, fields.inside(field, str(die)), BLACK, what=say("A die"), code="unknown_die")
    given = fields.record(given, field, may=BLACK)
    dice = tuple((die, read_value(given[die], fields.inside(field, die), die)) for die in BLACK if die in given)
    for die, _ in dice:
        if die in lying:
            raise InvalidInput(
                "die_twice",
                say("Two sins hold {die} in this round, and there is only one.", die=die_name(die)),
                fields.inside(field, die),
            )
        lying.add(die)
    if len(dice) > MOST_DICE[sin]:
        raise InvalidInput(
            "too_many_dice",
            say("{sin} keeps no dice. Take them off it.", sin=SIN_NAMES[sin])
            if not MOST_DICE[sin]
            else say_many(
                "{sin} holds one die at most, not {given}.",
                "{sin} holds {count} dice at most, not {given}.",
                MOST_DICE[sin],
                sin=SIN_NAMES[sin],
                given=len(dice),
            ),
            field,
        )
    return dice


def _player(value: Any, field: str, names: Sequence[str]) -> str:
    return fields.choice(value, field, names, what=say("The name of a player here"), code="unknown_player")
