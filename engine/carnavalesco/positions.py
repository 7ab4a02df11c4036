"""Final positions in, marks out: boards that are given whole, with no draft before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine import fields
from engine.carnavalesco.board import COLOUR_COUNT, ELEMENT_NAMES, ELEMENTS, SPACES, Board, board_of
from engine.carnavalesco.career import Solo, read_official
from engine.carnavalesco.division import TABLE_KINDS, read_division, read_strips
from engine.carnavalesco.house_rules import HouseRules, read_house_rules
from engine.carnavalesco.marks import Jury
from engine.carnavalesco.setup import School, Setup, check_seats, check_solo
from engine.carnavalesco.solo import MOST_COUNTERS, ladder
from engine.carnavalesco.tally import Tally, ranking, tally
from engine.dice import Die
from engine.game import InvalidInput
from engine.words import joined, named, row, say, say_many

_MOST_SEATS = 5


@dataclass(frozen=True, slots=True)
class Position:
    """One school at the end of the parade: its full board, its counters, and bases typed by hand."""

    school: School
    board: Board
    counters: int
    bases: Mapping[str, int]


def score_positions(document: Any) -> dict[str, Any]:
    """Return the marks, totals and ranking of finished boards. Raises `InvalidInput` naming the field at fault.

    The document is `jurado score`'s: `game`, `players`, and optionally `solo`, `house_rules`, `division_tables`.
    """
    given = fields.record(document, "", needs=("game", "players"), may=("solo", "house_rules", "division_tables"))
    rules = read_house_rules(given.get("house_rules"))
    strips = read_strips(given.get("division_tables"), "division_tables")
    players = fields.entries(given["players"], "players", of=say("players"))
    # A board that is already full needs no draw, so five schools are marked unless the house says four.
    said_four = "seats.max" in (given.get("house_rules") or {})
    check_seats(len(players), "players", rules if said_four else replace(rules, seats_max=_MOST_SEATS))
    positions = [_read_position(player, fields.inside("players", at), rules) for at, player in enumerate(players)]
    fields.check_names([position.school.name for position in positions], "players")
    solo = _read_solo(given.get("solo"))
    check_solo(solo is not None, "solo", players=len(players))
    _check_colours(positions, solo.colours if solo else ())
    setup = Setup(
        tuple(position.school for position in positions), strips=tuple(strips.items()), rules=rules, solo=solo
    )
    tallies = [_tally(setup, seat, position) for seat, position in enumerate(positions)]
    return {
        "players": [one.final_json() for one in tallies],
        "ranking": [[tallies[at].name for at in group] for group in ranking(tallies)],
        "solo_result": ladder(setup.schools[0].division, tallies[0].total).as_json() if solo else None,
    }


def _read_solo(value: Any) -> Solo | None:
    if value is None:
        return None
    return Solo(read_official(fields.record(value, "solo", needs=("colours",))["colours"], "solo.colours"))


def _read_position(value: Any, field: str, rules: HouseRules) -> Position:
    given = fields.record(value, field, needs=("name", "division", "elements"), may=("counters", "table", "bases"))
    school = School(
        fields.name(given["name"], f"{field}.name"),
        read_division(given["division"], f"{field}.division"),
        fields.choice(
            given.get("table", rules.division_table), f"{field}.table", TABLE_KINDS, what=say("A table kind")
        ),
    )
    counters = fields.whole(
        given.get("counters", 0), f"{field}.counters", low=0, high=MOST_COUNTERS, what=say("A count of -1 counters")
    )
    return Position(
        school,
        _read_board(given["elements"], f"{field}.elements"),
        counters,
        _read_bases(given.get("bases"), f"{field}.bases"),
    )


def _read_board(value: Any, field: str) -> Board:
    if isinstance(value, Mapping):
        for key in value:
            if key not in ELEMENTS:
                raise InvalidInput(
                    "unknown_element",
                    say(
                        "There is no element {element}. The elements are: {known}.",
                        element=repr(key),
                        known=row(ELEMENTS),
                    ),
                    f"{field}.{key}",
                )
    given = fields.record(value, field, needs=ELEMENTS)
    return board_of({element: _read_four(given[element], f"{field}.{element}", element) for element in ELEMENTS})


def _read_four(value: Any, field: str, element: str) -> tuple[Die, ...]:
    dice = fields.entries(value, field, of=say("four dice"))
    read = tuple(fields.die(die, fields.inside(field, at)) for at, die in enumerate(dice))
    if len(read) != SPACES:
        raise InvalidInput(
            "wrong_count",
            say_many(
                "{element} holds {count} die. At the end of the parade every element holds {spaces}.",
                "{element} holds {count} dice. At the end of the parade every element holds {spaces}.",
                len(read),
                element=ELEMENT_NAMES[element],
                spaces=SPACES,
            ),
            field,
        )
    return read


def _read_bases(value: Any, field: str) -> dict[str, int]:
    bases = {} if value is None else fields.record(value, field, may=ELEMENTS)
    return {
        element: fields.whole(base, f"{field}.{element}", low=0, high=10, what=say("A base mark"))
        for element, base in bases.items()
    }


def _check_colours(positions: Sequence[Position], official: Sequence[str]) -> None:
    """Complain about the first colour beyond six, for a misspelt one would change the marks."""
    seen: dict[str, None] = {}
    shown = [
        (die.colour, f"players[{seat}].elements.{element}[{at}].colour")
        for seat, position in enumerate(positions)
        for element in ELEMENTS
        for at, die in enumerate(position.board.dice(element))
    ]
    shown += [(colour, f"solo.colours[{at}]") for at, colour in enumerate(official)]
    for colour, field in shown:
        seen.setdefault(colour)
        if len(seen) > COLOUR_COUNT:
            raise InvalidInput(
                "too_many_colours",
                say(
                    "{colour} would be a seventh colour, and the dice have {count}: {known}. Check its name.",
                    colour=repr(colour),
                    count=COLOUR_COUNT,
                    known=row(map(named, list(seen)[:COLOUR_COUNT])),
                ),
                field,
            )


def _tally(setup: Setup, seat: int, position: Position) -> Tally:
    """Return the school's marks. Raises `InvalidInput` when a base mark is needed and nowhere given."""
    school = position.school
    jury = Jury(
        rules=setup.rules,
        division=school.division,
        table=school.table,
        strip=setup.strip(seat),
        typed=position.bases,
        official=setup.official,
    )
    one = tally(school.name, position.board, jury, position.counters)
    for mark in one.marks:
        if mark.base_missing:
            by_hand = school.table == "manual"
            needs = say(
                "{element} of {name} needs the base mark for sum {sum} in division {division}, and none is given.",
                element=ELEMENT_NAMES[mark.element],
                name=school.name,
                sum=mark.total,
                division=school.division,
            )
            add = say("Add it under bases.") if by_hand else say("Add the division's table, or the base under bases.")
            raise InvalidInput(
                "missing_base",
                joined(needs, add),
                f"players[{seat}].bases.{mark.element}" if by_hand else f"division_tables.{school.division}",
            )
    return one
