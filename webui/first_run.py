"""Setting the table up on the host's phone, a step at a time; the same steps alone again whenever they are wanted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from engine.arrangement import CAMERA_WAYS, LONGEST_NAME, MOST_PEOPLE, PANEL_WAYS, STEPS
from engine.dice import COLOURS
from engine.game import GameError, games
from engine.words import LANGUAGES, say
from webui import preferences
from webui.asking import body, field, full_state, join_card, person
from webui.errors import WebError
from webui.play_page import shown
from webui.roles import Role, needs
from webui.services import services
from webui.setup_pages import numbers
from webui.status import qr_svg
from webui.words import told_here

blueprint = Blueprint("first_run", __name__)

TITLES = {
    "language": say("Language"),
    "name": say("The table’s name"),
    "people": say("Who plays"),
    "game": say("Which game"),
    "camera": say("The camera"),
    "panel": say("Buttons and lamp"),
    "done": say("The others come in"),
}

WAYS = {
    "camera": say("The table’s camera"),
    "phones": say("Photographs from phones"),
    "hand": say("Typed in by hand"),
}
PRESSED = {"buttons": say("Buttons at the table"), "phones": say("Those on the phones")}


def _words(step: str) -> Any:
    """Return what was answered to a step, in words; empty where it was left open."""
    now = services().table.arrangement
    if step not in now.answered:
        return ""
    answers: Mapping[str, Callable[[], Any]] = {
        "language": lambda: preferences.NAMES[now.language],
        "name": lambda: now.name or say("No name"),
        "people": lambda: ", ".join(one["name"] for one in now.people),
        "game": lambda: games()[now.game].name,
        "camera": lambda: WAYS[now.camera],
        "panel": lambda: PRESSED[now.panel],
    }
    return answers[step]()


def _shown(template: str, **more: Any) -> str:
    return shown(template, arrangement=services().table.arrangement, titles=TITLES, steps=STEPS, **more)


@blueprint.get("/setup")
@needs(Role.HOST)
def overview() -> Answer | str:
    """Show every step with its answer, the join code, and what only the host may do; a fresh table begins at once."""
    at = services()
    if full_state()["table"]["fresh"] and not at.table.arrangement.answered:
        return redirect(url_for("first_run.step", name=STEPS[0]))
    return _shown(
        "setup/overview.html",
        answers={step: _words(step) for step in STEPS[:-1]},
        who=person(),
        join=join_card(),
        fixed=at.door.keys.code_is_fixed,
    )


@blueprint.get("/setup/<name>")
@needs(Role.HOST)
def step(name: str) -> str:
    """Show one step."""
    if name not in STEPS:
        abort(404)
    return _step(name)


def _step(name: str, error: str | None = None, given: Mapping[str, Any] | None = None) -> str:
    at = STEPS.index(name)
    now = services().table.arrangement
    return _shown(
        f"setup/{name}.html",
        step=name,
        number=at + 1,
        before=STEPS[at - 1] if at else None,
        after=STEPS[at + 1] if at + 1 < len(STEPS) else None,
        error=error,
        given=given or {},
        **{key: told_here(value) for key, value in _OFFERED.get(name, dict)().items()},
        again=now.finished,
    )


def _offered_people() -> dict[str, Any]:
    now, table = services().table.arrangement, services().table
    known = list(now.people)
    for name in () if known else table.names[:MOST_PEOPLE]:
        known.append({"name": name, "colour": COLOURS[3 + len(known)]})
    return {"people": known, "colours": list(COLOURS), "most": MOST_PEOPLE, "longest": LONGEST_NAME}


def _offered_games() -> dict[str, Any]:
    count = len(services().table.arrangement.people)
    listed = []
    for key, game in games().items():
        number = numbers(key)
        listed.append({"key": key, "name": game.name, **number, "fits": number["few"] <= count <= number["most"]})
    return {"games": listed, "count": count}


def _offered_camera() -> dict[str, Any]:
    state = full_state()["camera"]
    return {"camera": state, "ways": {way: WAYS[way] for way in CAMERA_WAYS if way != "camera"}}


def _offered_done() -> dict[str, Any]:
    join, now = join_card(), services().table.arrangement
    return {
        "join": join,
        "qr": qr_svg(join["url"]),
        "addresses": services().addresses(),
        "chosen": None if now.game is None else {"key": now.game, "name": games()[now.game].name},
    }


_OFFERED: Mapping[str, Callable[[], dict[str, Any]]] = {
    "language": lambda: {"suggested": preferences.chosen_language() or request.accept_languages.best_match(LANGUAGES)},
    "name": lambda: {"longest": LONGEST_NAME},
    "people": _offered_people,
    "game": _offered_games,
    "camera": _offered_camera,
    "panel": lambda: {"ways": {way: PRESSED[way] for way in PANEL_WAYS}},
    "done": _offered_done,
}


@blueprint.post("/setup/<name>")
@needs(Role.HOST)
def answer(name: str) -> Answer | tuple[str, int]:
    """Keep the answer of a step's form, and lead on: to the next step, or back to all of them."""
    if name not in STEPS:
        abort(404)
    table = services().table
    given: dict[str, Any] = request.form.to_dict()
    try:
        if name == "people":
            given["people"] = _listed(given.get("people", ""))
        again = table.arrangement.finished
        table.arrange(name, given, by="host")
    except GameError as error:
        return _step(name, told_here(error.message), given), 400
    if name == "done":
        chosen = table.arrangement.game
        to = given.get("to") == "game" and chosen is not None
        return redirect(url_for("setup_pages.form", key=chosen) if to else url_for("play_page.table"))
    onward = redirect(
        url_for("first_run.overview") if again else url_for("first_run.step", name=STEPS[STEPS.index(name) + 1])
    )
    if name == "language":
        # The phone on which it is chosen speaks it at once, whatever it spoke before.
        preferences.keep(onward, "language", table.arrangement.language)
    return onward


def _listed(text: str) -> Any:
    """Return what the hidden field of the people's form holds; nothing that can be read: nobody."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _trial() -> Any:
    trial = services().trial
    if trial is None:
        raise WebError(404, "no_trial", say("This table has nothing to try out."))
    return trial


@blueprint.get("/api/setup/camera")
@needs(Role.HOST)
def look() -> Response:
    """Return what the camera sees now, and how well; nothing is kept."""
    return jsonify(told_here(_trial().look()))


@blueprint.post("/api/setup/panel")
@needs(Role.HOST)
def press() -> Response:
    """Return what was pressed since the panel is tried out; for some seconds the buttons are counted, not obeyed."""
    given = body(may_be_empty=True)
    return jsonify(told_here(_trial().press(field(given, "lamp", str, optional=True))))
