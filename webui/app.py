"""The factory: puts the pages together around the services they are handed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Response
from jinja2.utils import htmlsafe_json_dumps

from engine.game import IllegalMove
from engine.play import LaterMoveIllegal
from engine.words import say, told
from webui import (
    camera_page,
    compression,
    dice,
    doctor_page,
    errors,
    fairness_page,
    files,
    first_run,
    guard,
    history,
    host,
    joining,
    keeping,
    live,
    play,
    play_page,
    preferences,
    reading,
    roles,
    setup_pages,
    status,
    timing,
    words,
)
from webui.address import guessed_addresses
from webui.asking import conflict, person
from webui.door import Door, Keys
from webui.drawing import OUTLINES, die
from webui.games import part_of, parts
from webui.past import PastGames
from webui.services import Services
from webui.sessions import Sessions
from webui.settings import WebSettings
from webui.snapshot import Snapshot, runs
from webui.streams import Streams
from webui.words import of_scripts, told_here

OVERTAKEN = ("stale_version", "stale_proposal", "no_proposal")
"""Codes of acts that were right when they were decided, but came too late."""


def create_app(
    *,
    table: Any,
    station: Any,
    settings: WebSettings,
    health: Callable[[], dict[str, Any]],
    trouble: Callable[[], Sequence[str]] = tuple,
    photos: Path,
    keys: Keys,
    secret: bytes | str,
    teaching: Any = None,
    trial: Any = None,
    calibrator: Any = None,
    markers: Callable[[str], bytes] | None = None,
    diagnosis: Any = None,
    camera: Callable[[], Mapping[str, Any]] | None = None,
    addresses: Callable[[], Sequence[str]] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    """Return the app.

    `health()` is the healthz document, `trouble()` what pages say of it;
    `camera()` the camera's {"state", "message"} (default: from `health`);
    `keys` are join code and PIN; `secret` signs cookies and outlives a restart; `teaching` teaches the table its own
    dice, `trial` tries camera and panel out, `calibrator` sets the camera up, `markers(kind)` is the sheet for that,
    `diagnosis` looks at the machine; `addresses()` the base URLs for phones, best first;
    `clock` counts seconds. `app.extensions["jurado"]` holds the services; their `streams.close()` lets the live
    streams end.
    """
    app = Flask(__name__, static_folder=None)
    files.install(app)
    app.session_interface = Sessions()
    app.config.update(
        SECRET_KEY=secret,
        MAX_CONTENT_LENGTH=settings.upload_mb * 1_000_000,
        SESSION_COOKIE_NAME="jurado",
        PERMANENT_SESSION_LIFETIME=timedelta(days=180),
        TEMPLATES_AUTO_RELOAD=False,
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["jurado"] = Services(
        table=table,
        station=station,
        settings=settings,
        health=health,
        photos=Path(photos),
        addresses=addresses or guessed_addresses,
        snapshot=Snapshot(
            table=table,
            station=station,
            camera=camera or (lambda: status.camera_of(health())),
            trouble=trouble,
            language=settings.language,
        ),
        streams=Streams(settings.live_clients),
        door=Door(keys, clock),
        teaching=teaching,
        trial=trial,
        calibrator=calibrator,
        markers=markers,
        diagnosis=diagnosis,
        past=PastGames(table),
        clock=clock,
    )
    timing.install(app)
    words.install(app, lambda: preferences.chosen_language() or app.extensions["jurado"].snapshot.language)
    errors.install(app)
    guard.install(app, settings.hosts)
    roles.install(app, person)
    compression.install(app)

    @app.errorhandler(IllegalMove)
    def illegal(error: IllegalMove) -> Response:
        """Answer what was decided on an older state with the newer one."""
        if error.code in OVERTAKEN:
            return conflict(error)
        message = error.message
        if isinstance(error, LaterMoveIllegal) and not app.extensions["jurado"].snapshot.tells(error.seq):
            message = say(
                "{given}, a later move would be against the rules, so nothing was changed. What that move was is not "
                "told while the game goes on. Undo further back first.",
                given=error.given,
            )
        return errors.answer(422, error.code, told_here(message), error.field)

    for page in (
        play_page,
        joining,
        host,
        first_run,
        camera_page,
        setup_pages,
        history,
        keeping,
        fairness_page,
        status,
        doctor_page,
        live,
        play,
        reading,
        dice,
        preferences,
    ):
        app.register_blueprint(page.blueprint)
    for part in parts().values():
        if part.blueprint is not None:
            app.register_blueprint(part.blueprint)
    # Words keep the order in which they are told.
    app.jinja_env.policies["json.dumps_kwargs"] = {}
    app.jinja_env.globals.update(
        die=die,
        outlines=OUTLINES,
        part_of=part_of,
        parts=parts,
        game_scripts=game_scripts(app),
    )
    app.jinja_env.filters["runs"] = runs
    app.context_processor(lambda: {**in_scripts(words.language()), **preferences.offered()})
    return app


@cache
def in_scripts(language: str) -> dict[str, Any]:
    """Return what the scripts of a page say in `language`: `game_words` by the game, and the rest as one JSON text."""
    return {
        "game_words": {key: told(part.words, language) for key, part in parts().items()},
        # Written once: they are the longest part of a page, and the same on each.
        "script_words": htmlsafe_json_dumps(of_scripts(language)),
    }


def game_scripts(app: Flask) -> list[str]:
    """Return the keys of the games that have a script of their own."""
    return sorted(path.stem for path in (Path(str(app.static_folder)) / "js" / "games").glob("*.js"))
