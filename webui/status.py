"""How the table is: health for programs and in words, the address, the join code and its QR code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import segno
from flask import Blueprint, Response, jsonify, render_template
from markupsafe import Markup

from engine.words import say
from webui.asking import join_card, person
from webui.roles import Role, needs
from webui.services import services
from webui.words import told_here

blueprint = Blueprint("status", __name__)

GOOD = ("ok", "ready", "good", "on", True)


def camera_of(health: Mapping[str, Any]) -> dict[str, Any]:
    """Return the camera's part of the health document as {"state", "message"}."""
    camera = health.get("camera")
    if not isinstance(camera, Mapping):
        return {"state": "unknown", "message": ""}
    state = camera.get("state", "ok" if camera.get("ok") else "fault")
    return {"state": state, "message": camera.get("message") or ""}


def qr_svg(url: str) -> Markup:
    """Return the QR code of `url` as inline SVG, dark on white whatever the page's colours are."""
    code = segno.make(url, error="m", micro=False)
    return Markup(code.svg_inline(scale=6, border=3, dark="#1D1B2E", light="#FFFFFF", svgclass="qr", omitsize=True))


NAMES = {
    "camera": say("Camera"),
    "calibration": say("The camera’s set-up"),
    "buttons": say("Buttons"),
    "disk": say("Disk"),
    "model": say("Reading of dice"),
    "journal": say("Journal"),
    "photos": say("Photographs"),
    "clock": say("Clock"),
    "network": say("Network"),
}


def rows(health: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the health document as lines for people: name, good or not, a sentence."""
    found = []
    for name, part in health.items():
        if isinstance(part, Mapping):
            good = part.get("ok", part.get("state") in GOOD)
            message = part.get("message") or part.get("state") or ""
            told_name = told_here(NAMES.get(name, name.capitalize()))
            found.append({"name": told_name, "good": bool(good), "message": str(told_here(message))})
    return found


@blueprint.get("/healthz")
@needs(Role.LOOK)
def healthz() -> Response:
    """Return what works and what does not; 200 while the page can serve."""
    return jsonify(told_here(services().health()))


@blueprint.get("/status")
@needs(Role.LOOK)
def status() -> str:
    """Show how the table is, and how to join it."""
    who = person()
    join = join_card() if who.joined else None
    health = services().health()
    return render_template(
        "status.html",
        who=who,
        join=join,
        qr=qr_svg(join["url"]) if join else None,
        addresses=services().addresses() if who.joined else [],
        rows=rows(health),
        health=health,
        notice=told_here(services().table.notice),
        streams=len(services().streams),
        switches_off=getattr(services().trial, "switches_off", False),
    )
