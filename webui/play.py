"""What people do at the table: moves, undo, correction, a new game, a printed strip; each one door, each JSON."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from engine.dice import DiceError, Die, Shape
from engine.game import IllegalMove
from engine.words import say
from webui.asking import body, decided, done, field, full_state, person
from webui.errors import WebError
from webui.games import part_of
from webui.roles import Role, needs
from webui.services import services

blueprint = Blueprint("play", __name__)


def die_in(given: Any, name: str, shape: str = "d6") -> Die:
    """Return the die in `{"colour", "value", "shape"?}`, of `shape` where it names none. Raises `WebError`."""
    if not isinstance(given, dict):
        raise WebError(
            400,
            "bad_field",
            say("“{name}” must be a die with colour and value. Nothing was changed.", name=name),
            field=name,
        )
    try:
        said = Shape(given.get("shape", shape))
    except ValueError:
        raise WebError(
            400, "bad_field", say("There is no die of that shape. Nothing was changed."), field=f"{name}.shape"
        ) from None
    try:
        return Die(field(given, "colour", str), field(given, "value", int), said)
    except DiceError as error:
        raise WebError(400, "bad_die", error.args[0], field=name) from error


@blueprint.post("/api/moves")
@needs(Role.PLAY)
def move() -> tuple[Response, int]:
    """Make a move of the open game."""
    given = body()
    options = decided(given)
    wanted = field(given, "move", dict)
    at, who = services(), person()
    now = at.table.now()
    if now.state is None:
        raise IllegalMove("no_game", say("No game is open. Nothing was changed. Start a new game first."))
    # Anybody may roll and type the roll for the table; taking dice is the seat's own act.
    if now.game.prompt(now.state).action != wanted.get("move") or wanted.get("move") != "roll":
        seat = now.game.actor(now.state, wanted) if wanted.get("move") in now.game.moves else None
        who.must_act_for(seat, now.game.seats(now.state))
    at.table.apply(wanted, **options)
    part_of(now.game.key).after_move(at.table)
    return done()


@blueprint.post("/api/ceremony")
@needs(Role.WATCH)
def ceremony() -> tuple[Response, int]:
    """Read the marks aloud on every page, as far as the mark number `step`; one more than there are ends it."""
    given = body()
    options = decided(given)
    step = field(given, "step", int)
    game = full_state()["game"]
    if game is None or not game["heard"] or not game["heard"]["marks"]:
        raise IllegalMove(
            "nothing_judged", say("There are no marks to read now. Nothing was changed. Play to the end.")
        )
    if not 0 <= step <= game["heard"]["marks"] + 1:
        message = say("There is no mark of that number. Nothing was changed. Load the page again.")
        raise WebError(400, "bad_field", message, field="step")
    services().table.hear(game["ceremony"], step, **options)
    return done()


@blueprint.post("/api/undo")
@needs(Role.PLAY)
def undo() -> tuple[Response, int]:
    """Undo the last turns, or the one turn `seq`."""
    given = body()
    options = decided(given)
    seq = field(given, "seq", int, optional=True)
    if seq is not None:
        _must_be_told(seq)
        services().table.undo(seq=seq, **options)
    else:
        count = field(given, "count", int, optional=True)
        services().table.undo(1 if count is None else count, **options)
    return done()


def _must_be_told(seq: int) -> None:
    """Raise `WebError` for a turn that the log keeps to itself: why it cannot be changed would tell what it was."""
    if not services().snapshot.tells(seq):
        raise WebError(
            403,
            "hidden_turn",
            say("What that turn was is not told while the game goes on. Nothing was changed. Undo back to it instead."),
            field="seq",
        )


@blueprint.post("/api/correct")
@needs(Role.PLAY)
def correct() -> tuple[Response, int]:
    """Read one die of a past roll differently; everything after it is computed again."""
    given = body()
    options = decided(given)
    seq, index = field(given, "seq", int), field(given, "die", int)
    _must_be_told(seq)
    to = die_in(given.get("to"), "to", _shape_there(seq, index))
    services().table.correct(seq, index, to, **options)
    return done()


def _shape_there(seq: int, index: int) -> str:
    """Return the shape of die number `index` of the roll `seq`; a d6 where no such die lies."""
    move = next((entry["move"] for entry in services().table.log() if entry["seq"] == seq), None) or {}
    dice = move.get("dice", ()) if move.get("move") == "roll" else ()
    return dice[index].get("shape", "d6") if 0 <= index < len(dice) else "d6"


@blueprint.post("/api/games")
@needs(Role.WATCH)
def open_game() -> tuple[Response, int]:
    """Open a new game, or the last one, or the one that `of` names, again for the same people."""
    given = body()
    options = decided(given)
    table = services().table
    options["abandon"] = given.get("abandon") is True
    if given.get("rematch") is True:
        changes = field(given, "setup", dict, optional=True) or {}
        of = field(given, "of", str, optional=True)
        key = next((game["key"] for game in table.games() if of in (None, game["id"])), "")
        table.rematch(part_of(key).complete(changes, table), of=of, **options)
    else:
        setup = field(given, "setup", dict)
        key = field(given, "game", str)
        table.open_game(key, part_of(key).complete(setup, table), **options)
    return done(201)


@blueprint.post("/api/games/<game_id>/reopen")
@needs(Role.WATCH)
def reopen_game(game_id: str) -> tuple[Response, int]:
    """Take a game that was put away on again."""
    given = body()
    options = decided(given)
    services().table.reopen_game(game_id, **options)
    return done()
