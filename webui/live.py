"""The state for programs and pages: asked for now and then, or as a live stream on top."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Response, jsonify, request

from engine.words import say
from webui.asking import join_card, person, state_text, visitor
from webui.choices import choices
from webui.errors import WebError
from webui.games import part_of
from webui.people import Visitor, You
from webui.roles import Role, needs
from webui.services import Services, services
from webui.words import language, told_here

blueprint = Blueprint("live", __name__)


def _since() -> int | None:
    text = request.args.get("since", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


def _tag(version: int, who: You) -> str:
    return f"{version}-{who.role}-{who.seat}-{who.acting}-{language()}"


@blueprint.get("/api/state")
@needs(Role.LOOK)
def state() -> Response:
    """Return the full state; 304 when the phone has it already."""
    at, who = services(), person()
    tag = _tag(at.snapshot.version, who)
    if _since() == at.snapshot.version or request.if_none_match.contains_weak(tag):
        unchanged = Response(status=304)
        unchanged.set_etag(tag)
        return unchanged
    version, text = state_text()
    response = Response(text, mimetype="application/json")
    response.set_etag(_tag(version, who))
    return response


@blueprint.get("/api/log")
@needs(Role.LOOK)
def log() -> Response:
    """Return every line of the open game's log, newest first."""
    at = services()
    return jsonify({"version": at.snapshot.version, "log": at.snapshot.log(language())})


@blueprint.get("/api/moves")
@needs(Role.LOOK)
def moves() -> Response:
    """Return the legal moves: every further word of the address narrows them by a field, its value as JSON."""
    at = services()
    version = at.snapshot.version
    now = at.table.now()
    if now.state is None:
        return jsonify({"version": version, "groups": [], "fields": [], "count": 0, "moves": []})
    known = part_of(now.game.key).moves(now.game, now.state, person().seat)
    found = told_here(choices(now.game, now.state, known, request.args))
    return jsonify({"version": version, **found})


def _stream(at: Services, who: Visitor, join: dict[str, Any], client: str, ticket: int) -> Iterator[str]:
    try:
        yield "retry: 2000\n\n"
        version = -1
        while at.streams.holds(client, ticket):
            if version != at.snapshot.version:
                version, text = at.snapshot.text(who, join)
                yield f"id: {version}\nevent: state\ndata: {text}\n\n"
            elif at.snapshot.wait(version, at.settings.heartbeat_s) == version:
                # An event of its own, not a comment: a page cannot see comments, and must know the stream is alive.
                yield f"event: alive\ndata: {version}\n\n"
    finally:
        at.streams.leave(client, ticket)


@blueprint.get("/api/live")
@needs(Role.LOOK)
def live() -> Response:
    """Return the stream of full states, one whenever something changes and a sign of life between."""
    at = services()
    client = request.args.get("client", "")[:64] or f"{request.remote_addr}-{id(request.environ)}"
    ticket = at.streams.enter(client, joined=person().joined)
    if ticket is None:
        raise WebError(
            503,
            "too_many_streams",
            say(
                "{count} phones have a live stream already. Nothing is lost: this one asks every second.",
                count=at.streams.most,
            ),
        )
    # An older stream of the same page, dead or alive, must not hold its thread until the next heartbeat.
    at.snapshot.ring()
    stream = _stream(at, visitor(), join_card(), client, ticket)
    response = Response(stream, mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    # A stream that was never begun never reaches its own finally.
    response.call_on_close(lambda: at.streams.leave(client, ticket))
    return response
