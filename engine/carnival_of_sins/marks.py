"""Scoring: what each sin earns in a round, who gets the white die, who is Devil next, and who wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.carnival_of_sins.house_rules import HouseRules
from engine.carnival_of_sins.sins import SIN_NAMES
from engine.words import joined, listed, named, say, say_many


@dataclass(frozen=True, slots=True)
class Line:
    """What one player has at the end of a round: the sin, the dice on it by shape, and fallen dice as `penalty`.

    `copied` is what the Devil had when Envy was revealed; it counts under the house rule `envy.when` = `reveal` alone.
    `agreed`: the table let the dice stand, although the sin does not take them.
    """

    seat: int
    sin: str
    dice: tuple[tuple[str, int], ...] = ()
    penalty: int = 0
    copied: int | None = None
    agreed: bool = False

    @property
    def points(self) -> int:
        """The dice less the penalty; Envy counts for itself."""
        return sum(value for _, value in self.dice) - self.penalty


@dataclass(frozen=True, slots=True)
class Round:
    """A round before it is scored: the white die, and a line for each player in reveal order, the Devil first."""

    white: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """A scored round; `scores` and `whys` by seat."""

    scores: tuple[int, ...]
    whys: tuple[str, ...]
    devil: int
    devil_why: str


def devil_points(line: Line, rules: HouseRules) -> int:
    """Return what Envy copies from the Devil's `line`."""
    if line.sin == "envy":
        return 0
    return line.points if rules.envy_copies_penalty else line.points + line.penalty


def score_round(this: Round, names: Sequence[str], rules: HouseRules) -> Marks:
    """Return the scores of a round: sins, then the white die to all who are lowest, then the Devil Card."""
    devil = this.lines[0]
    before = before_white(this.lines, rules)
    whys = {line.seat: _reason(line, devil, before[line.seat], names, rules) for line in this.lines}
    lowest = min(before.values())
    scores = dict(before)
    for seat, points in before.items():
        if points == lowest:
            scores[seat] += this.white
            whys[seat] = joined(
                whys[seat],
                say(
                    "That is the lowest, so the white die adds {white}: {score}.", white=this.white, score=scores[seat]
                ),
            )
    for line in this.lines:
        if line.agreed:
            agreed = say("The table lets these dice stand, although the sin does not take them.")
            whys[line.seat] = joined(whys[line.seat], agreed)
    after, why = _next_devil(this, scores, names)
    seats = range(len(this.lines))
    return Marks(tuple(scores[seat] for seat in seats), tuple(whys[seat] for seat in seats), after, why)


def before_white(lines: Sequence[Line], rules: HouseRules) -> dict[int, int]:
    """Return what each seat has before the white die, as far as sins are revealed: the Devil's line first."""
    return {line.seat: _points(line, lines[0], rules) for line in lines}


def _points(line: Line, devil: Line, rules: HouseRules) -> int:
    if line.sin != "envy":
        return line.points
    if line.seat == devil.seat:
        return 0
    if rules.envy_when == "reveal" and line.copied is not None:
        return line.copied
    return devil_points(devil, rules)


def _reason(line: Line, devil: Line, points: int, names: Sequence[str], rules: HouseRules) -> str:
    sin = SIN_NAMES[line.sin]
    if line.sin == "envy":
        return _why_envy(line, devil, points, names[devil.seat], rules)
    if line.sin == "wrath":
        if line.penalty:
            return say("Wrath: fallen dice cost {penalty}. {points}.", penalty=line.penalty, points=points)
        return say("Wrath: no dice are kept. 0.")
    if not line.dice:
        return say("{sin}: no dice. 0.", sin=sin)
    return say("{sin}: {dice}. {points}.", sin=sin, dice=listed(map(_die, line.dice)), points=points)


def _why_envy(line: Line, devil: Line, points: int, name: str, rules: HouseRules) -> str:
    if line.seat == devil.seat:
        return say("Envy: the Devil has nobody to copy. 0.")
    if devil.penalty and points == 0 and not rules.envy_copies_penalty:
        return say("Envy: {devil}, who is the Devil, has no dice, and fallen dice are not copied. 0.", devil=name)
    if rules.envy_when == "reveal" and line.copied is not None:
        return say(
            "Envy: the points that {devil}, who is the Devil, had when Envy was revealed. {points}.",
            devil=name,
            points=points,
        )
    return say("Envy: the same points as {devil}, who is the Devil. {points}.", devil=name, points=points)


def _die(die: tuple[str, int]) -> str:
    return say("{die} showing {value}", die=named(die[0]), value=die[1])


def _next_devil(this: Round, scores: dict[int, int], names: Sequence[str]) -> tuple[int, str]:
    proud = [line.seat for line in this.lines if line.sin == "pride"]
    if proud:
        return proud[-1], say("{name} is the last to reveal Pride and takes the Devil Card.", name=names[proud[-1]])
    lowest = min(scores.values())
    low = [line.seat for line in this.lines if scores[line.seat] == lowest]
    values = {"name": names[low[-1]], "score": lowest}
    if len(low) == 1:
        return low[-1], say("{name} has the lowest score, {score}, and takes the Devil Card.", **values)
    return low[-1], say(
        "{names} have the lowest score, {score}. {name} is the last of them to reveal and takes the Devil Card.",
        names=listed([names[seat] for seat in low]),
        **values,
    )


def ranking(rounds: Sequence[Sequence[int]], seats: int, rules: HouseRules) -> list[list[int]]:
    """Return the seats in groups, best first: total, then the best single round, then as the house rule says.

    `rounds` holds each round's scores by seat, as written down.
    """
    keys: dict[int, tuple[int, ...]] = {}
    for seat in range(seats):
        own = sorted((scores[seat] for scores in rounds), reverse=True)
        keys[seat] = (sum(own), *(own if rules.second_tiebreak == "next_best" else own[:1]))
    places = sorted(set(keys.values()), reverse=True)
    return [[seat for seat in range(seats) if keys[seat] == key] for key in places]


def victory(rounds: Sequence[Sequence[int]], names: Sequence[str], rules: HouseRules) -> str:
    """Return who wins a game that is over, and by what when the totals tie."""
    first = ranking(rounds, len(names), rules)[0]
    told = say_many(
        "{names} is the Monarch of the Carnival with {points}.",
        "{names} share the victory with {points} each.",
        len(first),
        names=listed([names[seat] for seat in first]),
        points=_points_of(rounds, first[0]),
    )
    return joined(told, _decided(rounds, len(names), first))


def leaders(rounds: Sequence[Sequence[int]], names: Sequence[str], rules: HouseRules) -> str:
    """Return who leads a game that is not over yet, after how many rounds, and by what when the totals tie."""
    if not rounds:
        return say("No round is scored yet.")
    first = ranking(rounds, len(names), rules)[0]
    told = say_many(
        "After {rounds} {names} leads with {points}.",
        "After {rounds} {names} share the lead with {points} each.",
        len(first),
        rounds=say_many("one round", "{count} rounds", len(rounds)),
        names=listed([names[seat] for seat in first]),
        points=_points_of(rounds, first[0]),
    )
    return joined(told, _decided(rounds, len(names), first))


def _points_of(rounds: Sequence[Sequence[int]], seat: int) -> str:
    return say_many("{count} point", "{count} points", sum(scores[seat] for scores in rounds))


def _decided(rounds: Sequence[Sequence[int]], seats: int, first: Sequence[int]) -> str:
    """Return what sets the seats in `first` apart from others with the same total, nothing when nobody else has it."""
    totals = [sum(scores[seat] for scores in rounds) for seat in range(seats)]
    tied = [seat for seat in range(seats) if totals[seat] == totals[first[0]]]
    if len(tied) == len(first):
        return ""
    best = [max(scores[seat] for scores in rounds) for seat in tied]
    if best.count(max(best)) == len(first):
        return say("The totals tie; the highest single round, {points}, decides.", points=max(best))
    return say("The totals and the best rounds tie; the next best round decides.")
