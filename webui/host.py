"""The host's phone: typing the PIN, giving the role back, a new join code, sending phones away."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response as Answer

from engine.words import say
from webui.asking import person
from webui.errors import WebError
from webui.roles import Role, needs
from webui.services import services

blueprint = Blueprint("host", __name__)


def _page(refused: WebError | None = None) -> str:
    return render_template("host.html", who=person(), refused=refused)


@blueprint.get("/host")
@needs(Role.LOOK)
def page() -> Answer | str:
    """Ask for the host's PIN; who has not joined is led to the door first."""
    return _page() if person().joined else redirect(url_for("joining.join", to="host"))


@blueprint.post("/host")
@needs(Role.WATCH)
def become() -> Answer | tuple[str, int, dict[str, str]]:
    """Make this phone the host's, for the right PIN."""
    try:
        services().door.make_host(session, request.form.get("pin", ""), request.remote_addr or "?")
    except WebError as refused:
        waits = {} if refused.retry_after is None else {"Retry-After": str(refused.retry_after)}
        return _page(refused), refused.status, waits
    session.permanent = True
    return redirect(url_for("first_run.overview"))


@blueprint.post("/host/leave")
@needs(Role.HOST)
def give_back() -> Answer:
    """Make this phone one like the others again; its seat stays."""
    services().door.unmake_host(session)
    return redirect(url_for("play_page.table"))


@blueprint.post("/host/off")
@needs(Role.HOST)
def switch_off() -> str:
    """Switch the machine off, where that is possible from here."""
    trial = services().trial
    if trial is None or not trial.switch_off():
        raise WebError(422, "no_switch", say("This machine cannot be switched off from here. Nothing was changed."))
    return render_template("off.html")


@blueprint.post("/host/code")
@needs(Role.HOST)
def change_code() -> Answer:
    """Make a new join code; with `empty`, all phones but this one have to join again by it."""
    at = services()
    inside = at.door.knows(session, at.table.id)
    at.door.keys.change_code(empty="empty" in request.form)
    if inside:
        at.door.stamp(session, at.table.id)
    # Streams know who their phones were, and the code, from when they were opened.
    at.streams.drop()
    at.snapshot.touch()
    return redirect(url_for("first_run.overview", _anchor="code"))
