"""Setting the camera up: the tray framed in its picture, the empty tray, focus, white sheet, known dice; each alone."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from engine.words import say
from webui.asking import body, full_state
from webui.errors import WebError
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.words import told_here

blueprint = Blueprint("camera_page", __name__)


@blueprint.get("/camera")
@needs(Role.HOST)
def page() -> str:
    """Show the camera's picture and the steps of its set-up."""
    calibrator = services().calibrator
    return shown(
        "camera.html",
        camera=full_state()["camera"],
        known=None if calibrator is None else told_here(calibrator.as_json()),
    )


@blueprint.post("/api/camera")
@needs(Role.HOST)
def step() -> Response:
    """Do one step of the set-up, and return what is known then."""
    return jsonify(told_here(_calibrator().do((given := body()).get("step"), given)))


@blueprint.get("/camera/markers.<kind>")
@needs(Role.LOOK)
def markers(kind: str) -> Response:
    """Return the sheet of markers to print, as a PDF or a PNG."""
    made = services().markers
    if made is None or kind not in ("pdf", "png"):
        raise WebError(404, "no_markers", say("The sheet of markers is there as markers.pdf and as markers.png."))
    return Response(made(kind), mimetype="application/pdf" if kind == "pdf" else "image/png")


def _calibrator() -> Any:
    calibrator = services().calibrator
    if calibrator is None:
        raise WebError(404, "no_camera", say("This table has no camera to set up. Nothing was changed."))
    return calibrator
