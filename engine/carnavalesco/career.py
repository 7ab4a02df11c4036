"""A school that plays alone: its colours and flag, and its career from parade to parade, up and down the divisions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.carnavalesco.board import ELEMENTS
from engine.carnavalesco.solo import SoloResult, ladder
from engine.dice import COLOURS
from engine.game import InvalidInput
from engine.words import listed, named, say, say_many

MOST_PARADES = 50
"""The most parades that a career can be laid out for."""


@dataclass(frozen=True, slots=True)
class FlagLayout:
    """One way to divide a flag among so many colours; `text` says it in words."""

    colours: int
    text: str


FLAG_LAYOUTS: Mapping[str, FlagLayout] = {
    "rays": FlagLayout(2, say("Rays from the middle")),
    "halves": FlagLayout(2, say("Two halves")),
    "diagonal": FlagLayout(2, say("Two halves, parted from corner to corner")),
    "quarters": FlagLayout(2, say("Four quarters")),
    "disc": FlagLayout(2, say("A disc in the middle")),
    "bands": FlagLayout(3, say("Three bands")),
    "cross": FlagLayout(3, say("A cross with a border")),
}
"""The flags that a school can choose from (Jurado's own list: the rulebook lets everybody draw)."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A school's flag: the two official colours and, where the layout has three, one more."""

    layout: str
    colours: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"layout": self.layout, "colours": list(self.colours)}


@dataclass(frozen=True, slots=True)
class Career:
    """Several parades in one game: so many, or (None) until the championship is won or the school retires."""

    parades: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {"parades": self.parades}


@dataclass(frozen=True, slots=True)
class Solo:
    """What a school that plays alone settles before its first parade."""

    colours: tuple[str, str]
    career: Career | None = None
    flag: Flag | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "colours": list(self.colours),
            "career": self.career.as_json() if self.career else None,
            "flag": self.flag.as_json() if self.flag else None,
        }


@dataclass(frozen=True, slots=True)
class Parade:
    """A parade of a career, judged: `scores` are its nine marks in the order of the tally."""

    division: str
    scores: tuple[int, ...]
    perfect_marks: int
    counters: int

    @property
    def total(self) -> int:
        return sum(self.scores) - self.counters

    @property
    def outcome(self) -> SoloResult:
        return ladder(self.division, self.total)

    def as_json(self) -> dict[str, Any]:
        return {
            "division": self.division,
            "scores": dict(zip(ELEMENTS, self.scores, strict=True)),
            "perfect_marks": self.perfect_marks,
            "counters": self.counters,
            "total": self.total,
            **self.outcome.as_json(),
        }


def read_official(value: Any, field: str) -> tuple[str, str]:
    """Return the two official colours of a school that plays alone."""
    names = fields.entries(value, field, of=say("two colour names"))
    colours = [fields.colour(name, fields.inside(field, at)) for at, name in enumerate(names)]
    if len(colours) != 2 or colours[0] == colours[1]:
        raise InvalidInput(
            "wrong_colours", say("A school that plays alone has two different official colours. Name two."), field
        )
    return colours[0], colours[1]


def read_solo(value: Any, field: str, known: Sequence[str]) -> Solo | None:
    """Return what `{"colours", "career", "flag"}` lays out, or None; `known` are the six colours of the dice."""
    if value is None:
        return None
    given = fields.record(value, field, needs=("colours",), may=("career", "flag"))
    official = read_official(given["colours"], fields.inside(field, "colours"))
    for at, colour in enumerate(official):
        fields.choice(colour, f"{fields.inside(field, 'colours')}[{at}]", known, what=say("An official colour"))
    return Solo(
        official,
        _read_career(given.get("career"), fields.inside(field, "career")),
        _read_flag(given.get("flag"), fields.inside(field, "flag"), official, known),
    )


def _read_career(value: Any, field: str) -> Career | None:
    if value is None:
        return None
    parades = fields.record(value, field, may=("parades",)).get("parades")
    if parades is not None:
        where = fields.inside(field, "parades")
        fields.whole(parades, where, low=1, high=MOST_PARADES, what=say("The number of parades"))
    return Career(parades)


def _read_flag(value: Any, field: str, official: Collection[str], known: Sequence[str]) -> Flag | None:
    if value is None:
        return None
    given = fields.record(value, field, needs=("layout", "colours"))
    layout = fields.choice(
        given["layout"], fields.inside(field, "layout"), list(FLAG_LAYOUTS), what=say("A flag's layout")
    )
    where = fields.inside(field, "colours")
    colours = tuple(
        fields.choice(
            colour, fields.inside(where, at), [*dict.fromkeys((*known, *COLOURS))], what=say("A flag's colour")
        )
        for at, colour in enumerate(fields.entries(given["colours"], where, of=say("colour names")))
    )
    wanted = FLAG_LAYOUTS[layout].colours
    if len(colours) != wanted or len(set(colours)) != wanted or not set(official) <= set(colours):
        raise InvalidInput(
            "wrong_flag",
            say(
                "This flag has {count} different colours, the official ones ({official}) among them. Choose them anew.",
                count=wanted,
                official=listed(map(named, official)),
            ),
            where,
        )
    return Flag(layout, colours)


def career_sentence(name: str, parades: Sequence[Parade]) -> str:
    """Return the end of a career in words, after its last parade has been told."""
    if parades[-1].outcome.result == "champion":
        return say_many("It took one parade.", "It took {count} parades.", len(parades))
    return say_many(
        "The career of {name} ends after one parade, in division {division}.",
        "The career of {name} ends after {count} parades, in division {division}.",
        len(parades),
        name=name,
        division=parades[-1].outcome.next_division,
    )
