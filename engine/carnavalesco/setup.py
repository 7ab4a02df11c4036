"""How a game is laid out: the schools and their divisions, the colours, the strips and the house rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import fields
from engine.carnavalesco.board import COLOUR_COUNT
from engine.carnavalesco.career import Solo, read_solo
from engine.carnavalesco.division import (
    DIVISIONS,
    TABLE_KINDS,
    Strip,
    practice_strip,
    read_division,
    read_strips,
    strip_json,
)
from engine.carnavalesco.house_rules import BY_THE_BOOK, HouseRules, read_house_rules
from engine.game import InvalidInput
from engine.words import joined, row, say, say_many

SETUP_KEYS = (
    "players",
    "colours",
    "division_tables",
    "house_rules",
    "solo",
    "first",
    "extra_board",
)
PLAYER_KEYS = ("name", "division", "table")

DEFAULT_COLOURS = ("red", "yellow", "green", "blue", "white", "black")
"""The colours of the printed dice are not public; these six are far apart for eye and camera."""

DICE_OF_A_COLOUR = 25
DICE_OF_A_COLOUR_EXTRA = 31
"""With the extra board: 14 dice a round need 184 at least, so six more of each colour are assumed (inferred)."""


@dataclass(frozen=True, slots=True)
class School:
    """A player's school: its name, its division, and where its base marks come from (`user`, `practice`, `manual`)."""

    name: str
    division: str = "D"
    table: str = "user"


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything settled before the first roll; a strip copied later replaces the one here."""

    schools: tuple[School, ...]
    colours: tuple[str, ...] = DEFAULT_COLOURS
    strips: tuple[tuple[str, Strip], ...] = ()
    rules: HouseRules = BY_THE_BOOK
    solo: Solo | None = None
    first: int = 0

    @property
    def seats(self) -> int:
        return len(self.schools)

    @property
    def dice_of_a_colour(self) -> int:
        """The dice of each colour in the box."""
        return DICE_OF_A_COLOUR_EXTRA if self.rules.seats_max > 4 else DICE_OF_A_COLOUR

    @property
    def official(self) -> tuple[str, str] | None:
        """The two official colours of a school that plays alone."""
        return self.solo.colours if self.solo else None

    def strip(self, seat: int) -> Strip | None:
        """Return the strip that `seat` is marked by, or None when none is known."""
        school = self.schools[seat]
        if school.table == "practice":
            return practice_strip(school.division)
        return dict(self.strips).get(school.division) if school.table == "user" else None

    def with_strip(self, division: str, strip: Strip) -> Setup:
        """Return the setup with the printed strip of `division` copied: every school there is marked by it."""
        strips = {**dict(self.strips), division: strip}
        return replace(
            self,
            strips=tuple((letter, strips[letter]) for letter in DIVISIONS if letter in strips),
            schools=tuple(
                replace(school, table="user") if school.division == division else school for school in self.schools
            ),
        )

    def in_division(self, division: str) -> Setup:
        """Return the setup of the next parade of a school that plays alone."""
        return replace(self, schools=tuple(replace(school, division=division) for school in self.schools))

    def notes(self) -> list[str]:
        """Return what everybody at the table should know of this setup."""
        notes: list[str] = []
        practising = [school.name for school in self.schools if school.table == "practice"]
        if practising:
            notes.append(
                say(
                    "{names}: marked by a practice strip that is made up, not by the printed one. "
                    "Copy the printed strip to play for real.",
                    names=row(practising),
                )
            )
        if self.seats > 4:
            notes.append(
                say(
                    "Five schools: 14 dice a round and 31 dice of each colour are inferred, not read in the rules. "
                    "Check the sheet of your extra board."
                )
            )
        if len({school.division for school in self.schools}) > 1:
            notes.append(say("The schools parade in different divisions; totals are compared as they are."))
        return notes

    def as_json(self) -> dict[str, Any]:
        """Return what `read_setup` reads back, with every key."""
        return {
            "players": [
                {"name": school.name, "division": school.division, "table": school.table} for school in self.schools
            ],
            "colours": list(self.colours),
            "division_tables": {division: strip_json(strip) for division, strip in self.strips},
            "house_rules": self.rules.as_json(),
            "solo": self.solo.as_json() if self.solo else None,
            "first": self.first,
            "extra_board": self.rules.seats_max > 4,
        }


def read_setup(value: Any, field: str = "") -> Setup:
    """Return the setup written as JSON. Raises `InvalidInput` naming the field."""
    given = fields.record(value, field, needs=("players",), may=SETUP_KEYS[1:], what=say("The setup"))
    rules = read_house_rules(given.get("house_rules"), fields.inside(field, "house_rules"))
    rules = _with_extra_board(rules, given, field)
    schools = read_schools(given["players"], fields.inside(field, "players"), rules)
    colours = read_colours(given.get("colours"), fields.inside(field, "colours"))
    solo = read_solo(given.get("solo"), fields.inside(field, "solo"), colours)
    check_solo(solo is not None, fields.inside(field, "solo"), players=len(schools))
    if solo is None and len(schools) == 1:
        raise InvalidInput(
            "solo_missing",
            say(
                "One school alone plays the solo game, which needs its two official colours. Give them as {example}.",
                example=f'"solo": {{"colours": {json.dumps(colours[:2], ensure_ascii=False)}}}',
            ),
            fields.inside(field, "solo"),
        )
    first = fields.whole(
        given.get("first", 0), fields.inside(field, "first"), low=0, high=len(schools) - 1, what=say("The first seat")
    )
    strips = read_strips(given.get("division_tables"), fields.inside(field, "division_tables"))
    return Setup(schools, colours, tuple(strips.items()), rules, solo, first)


def _with_extra_board(rules: HouseRules, given: Mapping[str, Any], field: str) -> HouseRules:
    """Return the rules with five seats when the table owns the extra board; the two ways to say so must agree."""
    where = fields.inside(field, "extra_board")
    if not fields.truth(given.get("extra_board", False), where, what="extra_board"):
        return rules
    if "seats.max" in (given.get("house_rules") or {}) and rules.seats_max == 4:
        raise InvalidInput(
            "contradiction",
            say("extra_board says five seats and the house rule seats.max says four. Drop one."),
            where,
        )
    return replace(rules, seats_max=5)


def read_schools(value: Any, field: str, rules: HouseRules) -> tuple[School, ...]:
    """Return the schools in seating order, clockwise: one to four, or five with the extra board."""
    players = fields.entries(value, field, of=say("players"))
    check_seats(len(players), field, rules)
    schools = []
    for at, player in enumerate(players):
        where = fields.inside(field, at)
        given = fields.record(player, where, needs=("name",), may=PLAYER_KEYS[1:])
        schools.append(
            School(
                fields.name(given["name"], f"{where}.name"),
                read_division(given.get("division", DIVISIONS[0]), f"{where}.division"),
                fields.choice(
                    given.get("table", rules.division_table), f"{where}.table", TABLE_KINDS, what=say("A table kind")
                ),
            )
        )
    fields.check_names([school.name for school in schools], field)
    return tuple(schools)


def check_seats(count: int, field: str, rules: HouseRules) -> None:
    """Complain when that many schools cannot play."""
    if not 1 <= count <= rules.seats_max:
        extra = "" if rules.seats_max > 4 else say("A fifth needs the extra board (extra_board, or seats.max = 5).")
        number = say(
            "Carnavalesco is for 1 to {most} schools, not {count}. Name as many.", most=rules.seats_max, count=count
        )
        raise InvalidInput(
            "wrong_number_of_players",
            joined(number, extra),
            field,
        )


def check_solo(solo: bool, field: str, *, players: int) -> None:
    """Complain when several schools would play the solo game."""
    if solo and players != 1:
        raise InvalidInput(
            "solo_players",
            say(
                "Solo play is for one school, and there are {players}. Leave solo out, or the other schools.",
                players=players,
            ),
            field,
        )


def read_colours(value: Any, field: str) -> tuple[str, ...]:
    """Return the six colours of the dice; null means six of the known names."""
    if value is None:
        return DEFAULT_COLOURS
    names = fields.entries(value, field, of=say("six colour names"))
    colours = tuple(fields.colour(name, fields.inside(field, at)) for at, name in enumerate(names))
    if len(colours) != COLOUR_COUNT or len(set(colours)) != COLOUR_COUNT:
        raise InvalidInput(
            "wrong_colours",
            say_many(
                "The dice have six different colours; {count} was named. Name six, for instance {colours}.",
                "The dice have six different colours; {count} were named. Name six, for instance {colours}.",
                len(set(colours)),
                colours=row(DEFAULT_COLOURS),
            ),
            field,
        )
    return colours
