"""From a picture to a roll: capture, a phone's own photograph, by hand, and the proposal until it is confirmed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, request, send_from_directory

from engine.words import say
from webui.asking import body, decided, done, field
from webui.errors import WebError
from webui.roles import Role, needs
from webui.services import services

blueprint = Blueprint("reading", __name__)

PICTURE = re.compile(r"\d{6,}-[0-9a-f]{8}(-\d+)?\.jpg", re.ASCII)
"""The names of photographs and of pictures of dice; nothing else that lies in their folder is told."""


def _id(given: Mapping[str, Any]) -> str | None:
    """Return the act's own id, None without one. Raises `WebError`."""
    client_id = decided(given, optional=True)["client_id"]
    return None if client_id is None else str(client_id)


@blueprint.post("/api/capture")
@needs(Role.PLAY)
def capture() -> tuple[Response, int]:
    """Press the button: photograph the dice on the table. Answers at once; the proposal follows in the state."""
    given = body(may_be_empty=True)
    presses: list[bool] = []
    services().once.do(_id(given), lambda: presses.append(services().station.press()))
    return done(202, pressed=all(presses))


@blueprint.post("/api/photo")
@needs(Role.PLAY)
def photo() -> tuple[Response, int]:
    """Take a photograph made by a phone instead of the table's own: multipart `photo`, or the raw image."""
    if request.mimetype == "multipart/form-data":
        sent = request.files.get("photo") or next(iter(request.files.values()), None)
        picture = sent.read() if sent is not None else b""
    elif request.mimetype.startswith("image/") or request.mimetype == "application/octet-stream":
        picture = request.get_data(cache=False)
    else:
        raise WebError(
            415,
            "wrong_content_type",
            say("This address wants a photograph. Nothing was changed. Send a JPEG or a PNG."),
        )
    if not picture:
        sentence = say("No photograph arrived. Nothing was changed. Take it again, or enter the dice by hand.")
        raise WebError(400, "no_photo", sentence, field="photo")
    services().station.photo(picture)
    return done(202)


@blueprint.post("/api/proposal/hand")
@needs(Role.PLAY)
def by_hand() -> tuple[Response, int]:
    """Begin a roll that is typed in die by die."""
    given = body(may_be_empty=True)
    services().once.do(_id(given), services().station.by_hand)
    return done()


def _which(given: Mapping[str, Any]) -> str | None:
    """Return the id of the proposal that the request is about; None means the one that lies there."""
    wanted = field(given, "proposal", str, optional=True)
    return None if wanted is None else str(wanted)


@blueprint.post("/api/proposal/dice")
@needs(Role.PLAY)
def change_dice() -> tuple[Response, int]:
    """Correct the reading: `edit` one die (with nothing else: it is right), `add` one, `remove` or `restore` one."""
    given = body()
    wanted = _which(given)
    station = services().station
    action = field(given, "action", str)
    said = {
        "colour": field(given, "colour", str, optional=True),
        "value": field(given, "value", int, optional=True),
        "shape": field(given, "shape", str, optional=True),
    }
    if action == "add":
        at = _place(given)
        services().once.do(_id(given), lambda: station.add_die(**said, at=at, proposal=wanted))
    elif action == "edit":
        station.edit(field(given, "index", int), **said, proposal=wanted)
    elif action == "remove":
        index = field(given, "index", int)
        services().once.do(_id(given), lambda: station.remove_die(index, proposal=wanted))
    elif action == "restore":
        index = field(given, "index", int)
        services().once.do(_id(given), lambda: station.restore_die(index, proposal=wanted))
    else:
        sentence = say("“action” is edit, add, remove or restore. Nothing was changed.")
        raise WebError(400, "bad_field", sentence, field="action")
    return done()


def _place(given: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the place in the picture that the request names, in its pixels. Raises `WebError`."""
    at = field(given, "at", list, optional=True)
    if at is None:
        return None
    if len(at) != 2 or not all(isinstance(one, int | float) and not isinstance(one, bool) for one in at):
        sentence = say("“at” is a place in the photograph: [x, y] in its pixels. Nothing was changed.")
        raise WebError(400, "bad_field", sentence, field="at")
    return float(at[0]), float(at[1])


@blueprint.post("/api/proposal/confirm")
@needs(Role.PLAY)
def confirm() -> tuple[Response, int]:
    """Put the reading into the game, as it lies there now."""
    given = body(may_be_empty=True)
    options = decided(given, optional=True)
    services().station.confirm(_which(given), **options, accept_doubtful=given.get("accept_doubtful") is True)
    return done()


@blueprint.post("/api/proposal/reread")
@needs(Role.PLAY)
def reread() -> tuple[Response, int]:
    """Read the photograph that lies there again, or an earlier one of this roll: `photo`, its address."""
    given = body(may_be_empty=True)
    wanted, photo = _which(given), field(given, "photo", str, optional=True)
    services().once.do(_id(given), lambda: services().station.reread(photo, wanted))
    return done(202)


@blueprint.post("/api/proposal/void")
@needs(Role.PLAY)
def void() -> tuple[Response, int]:
    """Say that the roll does not count, and why: it goes, and the log tells everybody."""
    given = body()
    options = decided(given, optional=True)
    services().station.void(field(given, "reason", str), _which(given), **options)
    return done()


@blueprint.post("/api/proposal/discard")
@needs(Role.PLAY)
def discard() -> tuple[Response, int]:
    """Throw the reading away; nothing was confirmed."""
    given = body(may_be_empty=True)
    services().station.discard(_which(given))
    return done()


@blueprint.get("/photos/<name>")
@needs(Role.LOOK)
def photograph(name: str) -> Response:
    """Return a photograph of the ring; its name never comes back for another picture."""
    if not PICTURE.fullmatch(name):
        abort(404)
    response = send_from_directory(services().photos, name, max_age=3600)
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response
