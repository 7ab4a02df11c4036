"""The table's own dice: what was taught of them, teaching the roll that lies there, forgetting, carrying them on."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, abort, jsonify, request

from engine.words import say, say_many
from webui.asking import body, done, field, person
from webui.errors import WebError
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.words import told_here

blueprint = Blueprint("dice", __name__)

FILE = "jurado-dice.zip"
LESSON = re.compile(r"[0-9a-f]{16}")


def _teaching() -> Any:
    teaching = services().teaching
    if teaching is None:
        raise WebError(404, "no_teaching", say("This table cannot be taught dice."))
    return teaching


def _told() -> dict[str, Any]:
    document: dict[str, Any] = told_here(_teaching().told())
    return document


@blueprint.get("/dice")
@needs(Role.LOOK)
def page() -> str:
    """Show which dice and faces were taught, with a picture of each."""
    return shown("dice.html", taught=_told(), who=person())


@blueprint.get("/api/dice")
@needs(Role.LOOK)
def known() -> Response:
    """Return the same for programs."""
    return jsonify(_told())


@blueprint.get("/dice/<name>.jpg")
@needs(Role.LOOK)
def picture(name: str) -> Response:
    """Return the picture of one lesson; an id never comes back for another picture."""
    content = _teaching().picture(name) if LESSON.fullmatch(name) else None
    if content is None:
        abort(404)
    response = Response(content, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@blueprint.post("/api/dice/teach")
@needs(Role.PLAY)
def teach() -> tuple[Response, int]:
    """Teach the dice of the proposal that lies there. Answers at once; `/api/dice` says when it is done."""
    given = body(may_be_empty=True)
    names = field(given, "names", dict, optional=True) or {}
    if not all(str(index).isdecimal() and isinstance(name, str) for index, name in names.items()):
        raise WebError(
            400, "bad_field", say("“names” must be names by the dice's numbers. Nothing was changed."), field="names"
        )
    services().station.teach(
        field(given, "proposal", str, optional=True),
        colours_only=given.get("colours_only") is True,
        names={int(index): name for index, name in names.items()},
    )
    return done(202)


@blueprint.post("/api/dice/forget")
@needs(Role.PLAY)
def forget() -> tuple[Response, int]:
    """Forget one picture (its id), one die, or all."""
    given = body()
    words = str(field(given, "die", str))
    if words == "all":
        person().must_host()
    count = _teaching().forget(words)
    if not count:
        raise WebError(
            404,
            "unknown_die",
            say("No die that was taught is {words}. Nothing was forgotten.", words=words),
            field="die",
        )
    return done(forgotten=count)


@blueprint.get("/dice/taught.zip")
@needs(Role.WATCH)
def export() -> Response:
    """Return all taught dice as one file to carry to another table."""
    teaching = _teaching()
    if not teaching.taught.lessons:
        raise WebError(404, "nothing_taught", say("No die was taught yet, so there is no file. Teach one first."))
    response = Response(teaching.taught.exported(), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="{FILE}"'
    return response


@blueprint.post("/api/dice/import")
@needs(Role.PLAY)
def import_file() -> tuple[Response, int]:
    """Add the dice of such a file, sent raw."""
    if request.mimetype not in ("application/zip", "application/octet-stream", "application/x-zip-compressed"):
        raise WebError(
            415,
            "wrong_content_type",
            say("This address wants a file of taught dice. Nothing was changed. Send one that Jurado has written."),
        )
    count = _teaching().import_from(request.get_data(cache=False))
    new = say_many("{count} picture of a die is new.", "{count} pictures of dice are new.", count)
    return done(201, added=count, message=told_here(new))
