"""The door: join by code or QR, pick a seat or watch, act for somebody else."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, redirect, request, session, url_for
from werkzeug.wrappers import Response as Answer

from engine.words import say
from webui.asking import body, done, field, person
from webui.errors import WebError
from webui.games import part_of
from webui.people import EVERYBODY, act_for, sit
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.words import told_here

blueprint = Blueprint("joining", __name__)


def _enter(code: str, *, linked: bool = False) -> None:
    at = services()
    at.door.enter(session, at.table.id, code, request.remote_addr or "?", linked=linked)
    session.permanent = True


def _sit(seat: Any) -> None:
    """Give this phone a seat; the table itself comes in by that as well."""
    at = services()
    sit(at.snapshot.names(), seat)
    at.door.stamp(session, at.table.id)
    session.permanent = True


def _seat(given: Any) -> int | str | None:
    """Return the seat named in a form: `0`, `1`… an index, `all`, else watching."""
    if given == EVERYBODY:
        return EVERYBODY
    return int(given) if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 3 else None


AFTERWARDS = {"host": "host.page", "setup": "first_run.overview"}
"""Pages to which the door leads on, by what `to` in its address says."""


def _door(error: str | None) -> str:
    to = request.values.get("to", "")
    return shown(
        "join.html",
        who=person(),
        names=services().snapshot.names(),
        error=error,
        to=to if to in AFTERWARDS else "",
    )


def _inside(to: str) -> Answer:
    """Lead on somebody who just came in."""
    if to in AFTERWARDS:
        return redirect(url_for(AFTERWARDS[to]))
    return redirect(url_for("joining.join"))


@blueprint.get("/join")
@needs(Role.LOOK)
def join() -> Answer | str:
    """Show the door; a code in the address (from the QR code) is tried at once."""
    code = request.args.get("code")
    error = None
    if code is not None and not person().joined:
        try:
            _enter(code, linked=True)
            return _inside(request.args.get("to", ""))
        except WebError as refused:
            error = told_here(refused.message)
    return _door(error)


@blueprint.post("/join")
@needs(Role.LOOK)
def join_by_form() -> Answer | tuple[str, int]:
    """Take the code or the seat from a plain form; works without scripts."""
    try:
        if "code" in request.form:
            _enter(request.form["code"])
            if request.form.get("to", "") in AFTERWARDS:
                return _inside(request.form["to"])
        if "seat" in request.form:
            person().must_join()
            _sit(_seat(request.form["seat"]))
            return redirect(url_for("play_page.table"))
    except WebError as refused:
        return _door(told_here(refused.message)), refused.status
    return redirect(url_for("joining.join" if services().snapshot.names() else "play_page.table"))


@blueprint.post("/leave")
@needs(Role.LOOK)
def leave() -> Answer:
    """Forget who this phone is: it has to join again."""
    session.clear()
    return redirect(url_for("joining.join"))


@blueprint.post("/api/join")
@needs(Role.LOOK)
def api_join() -> tuple[Response, int]:
    """Come in with the code (not needed twice) and take a seat: an index, `all`, or null to watch."""
    given = body()
    code = field(given, "code", str, optional=True)
    if code is not None:
        _enter(code)
    person().must_join()
    if "seat" in given:
        _sit(given["seat"])
    return done()


@blueprint.post("/api/acting")
@needs(Role.PLAY)
def api_acting() -> tuple[Response, int]:
    """Act for another seat on this phone; null: for the own seat again."""
    given = body()
    act_for(services().snapshot.names(), services().table.now().game_id, given.get("seat"))
    return done()


@blueprint.get("/api/own")
@needs(Role.PLAY)
def api_own() -> Response:
    """Return what the player at `seat` alone sees of the view: to that seat's phone, or to the one that all share."""
    seat, who, at = request.args.get("seat", type=int), person(), services()
    now = at.table.now()
    if now.state is None or seat is None or not 0 <= seat < len(now.game.seats(now.state)):
        raise WebError(400, "no_such_seat", say("There is no such seat in this game. Ask for another."), field="seat")
    if not who.every_seat and seat != who.seat:
        name = now.game.seats(now.state)[seat]
        raise WebError(
            403, "not_your_seat", say("What {name} holds is for {name} alone to see.", name=name), field="seat"
        )
    own = part_of(now.game.key).own(now.state, seat)
    return jsonify({"version": at.snapshot.version, "view": told_here(own)})
