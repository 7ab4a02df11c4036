"""The pages that people look at while they play: the table, its log, the end, and a view for a big screen."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from jinja2 import Template
from werkzeug.wrappers import Response

from webui.asking import full_state
from webui.roles import Role, needs
from webui.services import services
from webui.status import qr_svg
from webui.words import language

blueprint = Blueprint("play_page", __name__)


def shown(template: str | list[str | Template], **more: Any) -> str:
    """Return a page made from the full state, which also lies in it for the script; of several templates the first."""
    state = full_state()
    return render_template(template, state=state, looks=services().snapshot.palette(language()), **more)


@blueprint.get("/")
@needs(Role.LOOK)
def table() -> Response | str:
    """Show the table; somebody new is led to the door first, the host of a fresh one to its set-up."""
    state = full_state()
    if state["you"]["role"] == "guest" and "watch" not in request.args:
        return redirect(url_for("joining.join"))
    if services().settings.leads_to_setup and state["you"]["host"] and state["table"]["fresh"]:
        return redirect(url_for("first_run.overview"))
    return shown("table.html", upload_mb=services().settings.upload_mb)


@blueprint.get("/log")
@needs(Role.LOOK)
def log() -> str:
    """Show every turn, newest first, with undo and correction."""
    return shown("log.html", log=services().snapshot.log(language()))


@blueprint.get("/end")
@needs(Role.LOOK)
def end() -> str:
    """Read the marks aloud, element by element, and name the champion."""
    return shown("end.html")


@blueprint.get("/tv")
@needs(Role.LOOK)
def tv() -> str:
    """Show the table on a television, or a tablet between the players: nothing to touch."""
    state = full_state()
    join = state["table"]["join"]
    return shown("tv.html", qr=qr_svg(join["url"]) if join else None)


@blueprint.get("/watch")
@needs(Role.LOOK)
def watch() -> Response:
    """Lead to the big screen by its older address."""
    return redirect(url_for("play_page.tv", lang=request.args.get("lang")))
