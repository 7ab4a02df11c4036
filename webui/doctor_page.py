"""What this machine has and lacks for a table, with the cure of each thing; and all of it as a file for helpers."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, request

from engine.words import say
from webui.errors import WebError
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.words import told_here

blueprint = Blueprint("doctor_page", __name__)


@blueprint.get("/doctor")
@needs(Role.HOST)
def page() -> str:
    """Look at everything, which takes some seconds, and show what was found."""
    findings = told_here(_diagnosis().findings())
    order = {"problem": 0, "warning": 1, "ok": 2}
    return shown("doctor.html", findings=sorted(findings, key=lambda one: order[one["verdict"]]))


@blueprint.get("/doctor/diagnostics.zip")
@needs(Role.HOST)
def diagnostics() -> Response:
    """Return what was found, versions, settings and log as a file; photographs only with `?photos=1`."""
    packed = _diagnosis().packed(photos=request.args.get("photos") == "1")
    headers = {"Content-Disposition": 'attachment; filename="jurado-diagnostics.zip"', "Cache-Control": "no-store"}
    return Response(packed, mimetype="application/zip", headers=headers)


def _diagnosis() -> Any:
    diagnosis = services().diagnosis
    if diagnosis is None:
        raise WebError(404, "no_diagnosis", say("This table cannot look at its own machine."))
    return diagnosis
