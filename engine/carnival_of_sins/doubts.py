"""What cannot be in a round given whole: dice that no order of play leaves lying so. It is warned of, never refused.

Only the end of a round is known: not where dice lay, nor what they showed before Wrath. So each check asks for what no
such thing explains; a round that was played by the rules is never doubted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.carnival_of_sins.house_rules import HouseRules
from engine.carnival_of_sins.marks import Line, Round, devil_points
from engine.carnival_of_sins.sins import BLACK, MOST_DICE, SIN_NAMES, die_name
from engine.words import listed, say


@dataclass(frozen=True, slots=True)
class Doubt:
    """The play (its number from 0, in reveal order), which of its keys is doubted (`dice` or `points`), and why."""

    play: int
    key: str
    why: str


def doubts(this: Round, names: Sequence[str], rules: HouseRules) -> list[Doubt]:
    """Return what cannot be in `this` round."""
    return [*_sins(this, names, rules), *_pride(this, names), *_envy(this, names, rules)]


@dataclass(frozen=True, slots=True)
class _After:
    """What a sin's dice may have gone through after it was revealed.

    `robbers`: how many times Lust may have taken one of them; `stolen`: the dice that lie on those Lusts; `free`: the
    dice that were surely on the table when it was revealed; `still`: no Wrath came later, so that all values are those
    of that moment.
    """

    robbers: int
    stolen: dict[str, int]
    free: tuple[str, ...]
    still: bool

    @classmethod
    def of(cls, this: Round, at: int) -> _After:
        later = this.lines[at + 1 :]
        lusts = [line for line in later if line.sin == "lust"]
        stolen = {die: value for line in lusts for die, value in line.dice}
        # From the table come the dice of every later sin, but for Lust's when somebody may have lost one to it, and
        # those that Pride takes at the end or leaves.
        before = [line for line in this.lines[: at + 1] if line.sin != "pride"]
        locked = {die for line in before for die, _ in line.dice}
        robbed = any(len(line.dice) < MOST_DICE[line.sin] for line in before)
        free = tuple(die for die in BLACK if die not in locked and not (robbed and die in stolen))
        return cls(len(lusts) if stolen else 0, stolen, free, all(line.sin != "wrath" for line in later))


def _sins(this: Round, names: Sequence[str], rules: HouseRules) -> Iterator[Doubt]:
    shown = {die: value for line in this.lines for die, value in line.dice}
    for at, line in enumerate(this.lines):
        if line.sin not in ("greed", "gluttony", "lust", "sloth"):
            continue
        after = _After.of(this, at)
        why = _why(line, after, shown, rules)
        if why is not None:
            yield Doubt(at, "dice", say("{name}: {why}", name=names[line.seat], why=why))


def _why(line: Line, after: _After, shown: dict[str, int], rules: HouseRules) -> str | None:
    sin, values = SIN_NAMES[line.sin], [value for _, value in line.dice]
    free = {die: shown[die] for die in after.free if die in shown}
    if line.sin in ("gluttony", "sloth"):
        if not values and not after.robbers and after.free:
            dice = listed(map(die_name, after.free))
            return say("{sin} takes a die while there is one, and {dice} lay on the table.", sin=sin, dice=dice)
        if line.sin == "gluttony" and values and after.still and (higher := _highest(free)) > values[0]:
            return say("{sin} takes the highest die, and one on the table showed {higher}.", sin=sin, higher=higher)
        return None
    if len(values) == 1:
        if not after.robbers:
            return say("{sin} takes two dice or none, and no Lust came later to take one of them away.", sin=sin)
        if after.still and not any(_fit(line.sin, values[0], other) for other in after.stolen.values()):
            return say("{sin} has one die, and the one that belongs with it lies on no later Lust.", sin=sin)
        return None
    if len(values) == 2:
        return None if not after.still or _fit(line.sin, *values) else _unfit(line.sin)
    if after.robbers > 1 or not after.still or (line.sin == "lust" and rules.lust_optional):
        return None
    if line.sin == "greed" and len(set(free.values())) < len(free):
        return say("{sin} takes two dice of the same value, and two such dice were on the table.", sin=sin)
    if line.sin == "lust" and _has_pair(after.free, shown):
        return say("{sin} takes an odd and an even die, and there were two such dice to take.", sin=sin)
    return None


def _highest(dice: dict[str, int]) -> int:
    return max(dice.values(), default=0)


def _fit(sin: str, one: int, other: int) -> bool:
    """Tell whether two values go together on Greed or Lust."""
    return one == other if sin == "greed" else (one + other) % 2 == 1


def _unfit(sin: str) -> str:
    if sin == "greed":
        return say("Greed takes two dice of the same value, and no Wrath came later to change one.")
    return say("Lust takes an odd and an even die, and no Wrath came later to change one.")


def _has_pair(free: Sequence[str], shown: dict[str, int]) -> bool:
    """Tell whether Lust could surely take a pair: all dice are on the table or locked, and one of `free` is in it.

    What a die nobody wrote down shows is not known; it goes with one of the others when these are odd and even.
    """
    parities = {value % 2 for value in shown.values()}
    return len(parities) == 2 and bool(free)


def _pride(this: Round, names: Sequence[str]) -> Iterator[Doubt]:
    proud = [(at, line) for at, line in enumerate(this.lines) if line.sin == "pride"]
    if not proud:
        return
    lying = {die for line in this.lines for die, _ in line.dice}
    if left := [die for die in BLACK if die not in lying]:
        yield Doubt(
            proud[0][0],
            "dice",
            say("Pride takes all dice that are left, and no sin holds {dice}.", dice=listed(map(die_name, left))),
        )
        return
    taken = sum(len(line.dice) for _, line in proud)
    for turn, (at, line) in enumerate(proud):
        due = (taken + len(proud) - 1 - turn) // len(proud)
        if len(line.dice) != due:
            yield Doubt(
                at,
                "dice",
                say(
                    "{name}: proud players take dice in turn, which makes {due} here and not {count}.",
                    name=names[line.seat],
                    due=due,
                    count=len(line.dice),
                ),
            )


def _envy(this: Round, names: Sequence[str], rules: HouseRules) -> Iterator[Doubt]:
    devil = this.lines[0]
    for at, line in enumerate(this.lines):
        if line.sin != "envy" or line.copied is None:
            continue
        if at == 0 or devil.sin in ("envy", "pride"):
            had = 0
        elif devil.sin == "wrath" or all(later.sin not in ("lust", "wrath") for later in this.lines[at + 1 :]):
            had = devil_points(devil, rules)
        else:
            continue
        if line.copied != had:
            yield Doubt(
                at,
                "points",
                say(
                    "{name}: when Envy was revealed, the Devil, {devil}, had {had} and not {copied}.",
                    name=names[line.seat],
                    devil=names[devil.seat],
                    had=had,
                    copied=line.copied,
                ),
            )
