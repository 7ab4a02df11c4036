"""Carnavalesco's pages: its words, its form for a new game, and the division's printed strip copied once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, jsonify, request

from engine.carnavalesco.board import Board
from engine.carnavalesco.career import FLAG_LAYOUTS, MOST_PARADES
from engine.carnavalesco.division import DIVISIONS, SUMS, practice_strip, strip_json, validate_strip
from engine.carnavalesco.outlook import changes
from engine.carnavalesco.setup import DEFAULT_COLOURS
from engine.carnavalesco.solo import FIRST_PLACE, RELEGATED, SECOND_PLACE
from engine.dice import COLOURS, TINTS, Die
from engine.words import say
from webui.asking import body, decided, done, field
from webui.errors import WebError
from webui.games import Part
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.words import told_here

KEY = "carnavalesco"

blueprint = Blueprint(KEY, __name__)

ELEMENTS: dict[str, dict[str, Any]] = {
    "vanguard": {
        "name": say("Vanguard Commission"),
        "short": say("Vanguard"),
        "tag": say("Vang"),
        "perfect": say("Four dice of one colour that add up to 10–15."),
        "rows": [
            say("+3: three of one colour, all four add up to 10–15"),
            say("+2: four of one colour, any sum"),
            say("+1: three of one colour, any sum"),
        ],
        "more": say("The sum is always that of all four dice. 10 and 15 count as within."),
    },
    "flag_bearers": {
        "name": say("Master-of-Room & Flag-Bearer"),
        "short": say("Flag-Bearer"),
        "tag": say("Flag"),
        "perfect": say("An identical even pair and an identical odd pair, in two colours."),
        "rows": [
            say(
                "+3: one identical pair, and two of another colour that are odd where the pair is even (or the reverse)"
            ),
            say("+2: one identical pair, and any two of another colour"),
            say("+1: any two of one colour and any two of another"),
        ],
        "more": say(
            "Identical means the same colour and the same value. A school alone needs all four dice in its "
            "two official colours, else there is neither a 10 nor a bonus."
        ),
        "house": {
            "rule": "couple.two_colours",
            "words": {
                "strict": say("The other two dice share one colour as well."),
                "loose": say(
                    "At this table the other two dice may have two colours, as long as neither is the pair’s."
                ),
            },
        },
    },
    "storyline": {
        "name": say("Storyline"),
        "short": say("Storyline"),
        "tag": say("Story"),
        "perfect": say("Four different dice, each with a twin in an element of its own."),
        "rows": [
            say("+3: three different, twins in four elements"),
            say("+2: four different, twins in three elements"),
            say("+1: three different, twins in three elements"),
        ],
        "more": say(
            "A twin has the same colour and the same value, and lies in one of the other eight elements. A "
            "single die without a twin costs both the 10 and the bonus."
        ),
        "house": {
            "rule": "storyline.different",
            "words": {
                "not_identical": say("Red 3 and red 5 are different dice."),
                "both": say("At this table dice are different only when both colour and value differ."),
            },
        },
    },
    "floats": {
        "name": say("Parade Floats & Props"),
        "short": say("Floats"),
        "tag": say("Float"),
        "perfect": say("Four colours and four values."),
        "rows": [
            say("+3: four colours, three values"),
            say("+2: three colours, four values"),
            say("+1: three colours, three values"),
        ],
        "more": say("Colours and values are counted apart, over all four dice."),
    },
    "costumes": {
        "name": say("Costumes"),
        "short": say("Costumes"),
        "tag": say("Cost"),
        "perfect": say("The same four dice as Floats & Props."),
        "rows": [say("+3: three of the same dice"), say("+2: two of the same dice"), say("+1: one of the same dice")],
        "more": say(
            "One die in Floats answers for one die here, whatever the spaces. Costumes can be perfect "
            "although Floats is not."
        ),
    },
    "progression": {
        "name": say("Progression"),
        "short": say("Progression"),
        "tag": say("Prog"),
        "perfect": say("Four values in a row."),
        "rows": [
            say("+3: four in a row through 6 and 1"),
            say("+2: three in a row"),
            say("+1: three in a row through 6 and 1"),
        ],
        "more": say("Colours do not matter. Going from 6 to 1 never makes a perfect 10."),
        "house": {
            "rule": "progression.ordered_spaces",
            "words": {
                "off": say("In which spaces they lie does not matter."),
                "on": say("At this table the row must also lie in order, from the first space on."),
            },
        },
    },
    "harmony": {
        "name": say("Harmony"),
        "short": say("Harmony"),
        "tag": say("Harm"),
        "perfect": say("Four identical dice."),
        "rows": [say("+3: three identical"), say("+2: two identical pairs"), say("+1: two identical")],
        "more": say("Identical means the same colour and the same value."),
    },
    "drums": {
        "name": say("Drums"),
        "short": say("Drums"),
        "tag": say("Drum"),
        "perfect": say("Four dice of one value that Harmony does not show."),
        "rows": [
            say("+3: three of one value, none of the values here in Harmony"),
            say("+2: two pairs of values, none in Harmony"),
            say("+1: two of one value, none of the values here in Harmony"),
        ],
        "more": say("All four dice in Harmony are looked at, also those that do not match there."),
        "house": {
            "rule": "drums.check",
            "words": {
                "all_values": say("One value here that also lies in Harmony costs both the 10 and the bonus."),
                "matching_only": say("At this table a value of Harmony only silences the dice that show it."),
            },
        },
    },
    "theme_song": {
        "name": say("Samba Theme Song"),
        "short": say("Theme Song"),
        "tag": say("Song"),
        "perfect": say("Four dice whose colour or value is nowhere else on the board."),
        "rows": [say("+3: three such dice"), say("+2: two such dice"), say("+1: one such die")],
        "more": say("All 32 dice in the other elements are looked at, none of the four here. So it is settled last."),
        "house": {
            "rule": "song.mode",
            "words": {
                "per_die": say("Each die stands out for itself, by colour or by value."),
                "uniform": say("At this table all of them must stand out by colour, or all by value."),
            },
        },
    },
}

STRIP_SOURCES = {
    "user": say("Our printed strip"),
    "practice": say("Practice strip (made up)"),
    "manual": say("Typed by hand at the end"),
}

DIVISION_WORDS = {"D": say("D, the first"), "C": "C", "B": "B", "A": "A", "S": say("S, Special")}
"""From the easiest to the hardest."""


LADDER = {"divisions": DIVISIONS, "first": FIRST_PLACE, "second": SECOND_PLACE, "relegated": RELEGATED}
"""The rungs of a solo career from the lowest, and the points for first and second place and for going down."""

RESULTS = {
    "champion": say("Champion"),
    "promoted": say("Promoted"),
    "stays": say("Stays"),
    "relegated": say("Relegated"),
}
"""What a solo parade came to."""


def choices(table: Any) -> dict[str, Any]:
    """Return what the form for a new game offers."""
    return {
        "colours": table.colours or DEFAULT_COLOURS,
        "known": COLOURS,
        "tints": TINTS | table.tints,
        "divisions": DIVISION_WORDS,
        "sources": STRIP_SOURCES,
        "strips": sorted(table.strips),
        "flags": {layout: {"colours": flag.colours, "text": flag.text} for layout, flag in FLAG_LAYOUTS.items()},
        "most_parades": MOST_PARADES,
    }


def with_strips(setup: Mapping[str, Any], table: Any) -> Mapping[str, Any]:
    """Return `setup` with the strips that the table has copied, unless it brings its own."""
    if not table.strips or "division_tables" in setup:
        return setup
    return {**setup, "division_tables": dict(table.strips)}


@blueprint.get("/strips")
@needs(Role.LOOK)
def strips() -> str:
    """Show the strips that the table has copied, and the form to copy one."""
    table = services().table
    division = request.args.get("division", "D")
    if division not in DIVISIONS:
        division = "D"
    numbers = table.strips.get(division)
    return shown(
        "games/carnavalesco/strips.html",
        division=division,
        divisions=DIVISION_WORDS,
        sums=list(SUMS),
        numbers=numbers,
        practice=strip_json(practice_strip(division)),
        saved=sorted(table.strips),
        warnings=_warnings(division, numbers) if numbers else [],
    )


def _warnings(division: str, numbers: Any) -> list[str]:
    others = {other: kept for other, kept in services().table.strips.items() if other != division}
    return list(validate_strip(numbers, division, others))


@blueprint.get("/api/outlook")
@needs(Role.LOOK)
def outlook() -> Response:
    """Return what each die on offer would change on the board of `?seat=N`, by element and by its number in the roll.

    Each `put=DIE-ELEMENT`, or `put=DIE-ELEMENT-SPACE`, is a die that was chosen and put there already. Nothing while
    nobody takes dice.
    """
    at = services()
    version, now = at.snapshot.version, at.table.now()
    if now.state is None or now.game.key != KEY or now.state.phase != "take":
        return jsonify({"version": version, "elements": {}})
    seat = request.args.get("seat", "")
    if seat not in map(str, range(now.state.setup.seats)):
        message = say("There is no such seat in this game. Nothing was changed. Pick a name.")
        raise WebError(400, "no_such_seat", message, field="seat")
    offered = {str(number): die for number, die in enumerate(now.state.roll) if now.state.taken[number] is None}
    board = now.state.boards[int(seat)]
    for put in request.args.getlist("put"):
        board = _with_die(board, put.split("-"), offered)
    found = changes(board, offered.values(), now.state.jury(int(seat)))
    elements = {
        element: {number: by_die[die].as_json() for number, die in offered.items()} for element, by_die in found.items()
    }
    return jsonify({"version": version, "elements": told_here(elements)})


def _with_die(board: Board, put: Sequence[str], offered: dict[str, Die]) -> Board:
    """Return the board with one of the dice on offer, which then is no more, in its element. Raises `WebError`."""
    number, element, *space = put if len(put) > 1 else ("", "")
    try:
        return board.put(element, offered.pop(number), int(space[0]) if space else None)
    except (KeyError, ValueError, IndexError):
        message = say("That die cannot lie there. Nothing was changed. Load the page again.")
        raise WebError(400, "bad_field", message, field="put") from None


@blueprint.post("/api/strips/check")
@needs(Role.LOOK)
def check_strip() -> Response:
    """Return what looks strange about a copied strip; nothing is saved."""
    given = body()
    return jsonify({"warnings": _warnings(field(given, "division", str), field(given, "numbers", dict))})


@blueprint.post("/api/strips")
@needs(Role.WATCH)
def save_strip() -> tuple[Response, int]:
    """Keep a copied strip for the table; strange numbers are warned of, not refused."""
    given = body()
    options = decided(given)
    division, numbers = field(given, "division", str), field(given, "numbers", dict)
    warnings = _warnings(division, numbers)
    table = services().table
    table.save_strip(division, numbers, **options)
    if division in _divisions_in_play():
        table.apply(
            {"move": "strip", "division": division, "numbers": numbers},
            client_id=f"{options['client_id']}-in-play",
            by=options["by"],
        )
    return done(201, warnings=warnings)


def _divisions_in_play() -> set[str]:
    now = services().table.now()
    if now.state is None:
        return set()
    return {player.get("division") for player in now.game.view(now.state)["players"]}


PART = Part(
    words={"elements": ELEMENTS, "ladder": LADDER, "results": RESULTS},
    choices=choices,
    complete=with_strips,
    ceremony=lambda view: f"parade {view['parade']}",
    pages={"carnavalesco.strips": say("Printed strips")},
    blueprint=blueprint,
)
