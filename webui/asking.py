"""What a request asks, checked: its JSON body, its version and id, who sends it, and the state that answers it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import Response, request

from engine.game import GameError
from engine.words import say
from webui.errors import WebError, answer, error_body, wants_json
from webui.people import Visitor, You
from webui.people import visitor as known_visitor
from webui.services import services
from webui.snapshot import table_version
from webui.words import told_here

MOST_JSON = 256_000
"""Bytes that a JSON body may have; no move and no deck comes near it."""


def visitor() -> Visitor:
    """Return who sends this request, whatever is played."""
    at = services()
    return known_visitor(at.table.id, at.door, at.settings.trust_loopback)


def person() -> You:
    """Return who sends this request, in the open game."""
    at = services()
    return visitor().you(at.snapshot.names(), at.table.now().game_id)


def join_card() -> dict[str, Any]:
    """Return the join code and the address with the code in it, for those who are in."""
    at = services()
    code = at.door.keys.join_code
    base = next(iter(at.addresses()), request.host_url).rstrip("/")
    return {"code": code, "url": f"{base}/join?code={code}", "address": base}


def full_state() -> dict[str, Any]:
    """Return the full state as the sender of this request may see it."""
    return services().snapshot.state(visitor(), join_card())


def state_text() -> tuple[int, str]:
    """Return the version of the full state and the state as JSON, as the sender of this request may see it."""
    return services().snapshot.text(visitor(), join_card())


def done(status: int = 200, **extra: Any) -> tuple[Response, int]:
    """Return the new full state as the answer to an act."""
    return _with_state(extra), status


def conflict(error: GameError) -> Response:
    """Return the answer to an act that was decided on an older state: 409, with the newer one."""
    message = told_here(error.message)
    if not wants_json():
        return answer(409, error.code, message, error.field)
    response = _with_state(error_body(error.code, message, error.field))
    response.status_code = 409
    return response


def _with_state(more: Mapping[str, Any]) -> Response:
    """Return `more` as JSON with the full state beside it."""
    head = json.dumps({**more, "state": None}).removesuffix("null}")
    return Response(f"{head}{state_text()[1]}}}", mimetype="application/json")


def body(*, may_be_empty: bool = False) -> Mapping[str, Any]:
    """Return the JSON object in the request's body. Raises `WebError`."""
    if may_be_empty and not request.content_length and not request.mimetype:
        return {}
    if request.mimetype != "application/json":
        raise WebError(
            415,
            "wrong_content_type",
            say("This address wants JSON (Content-Type: application/json). Nothing was changed."),
        )
    if (request.content_length or 0) > MOST_JSON:
        raise WebError(
            413,
            "too_large",
            say(
                "This is longer than the {most} kB that the table takes at once. Nothing was changed. Send less.",
                most=MOST_JSON // 1000,
            ),
        )
    try:
        given = request.get_json(silent=True)
    except RecursionError:
        given = None
    if not isinstance(given, dict):
        raise WebError(400, "not_json", say("The body is no JSON object. Nothing was changed. Load the page again."))
    return given


def field(given: Mapping[str, Any], name: str, kind: type, *, optional: bool = False) -> Any:
    """Return `given[name]` when it is of `kind`; None when it is missing and optional. Raises `WebError`."""
    value = given.get(name)
    if value is None and optional:
        return None
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        words = {
            int: say("“{name}” must be a whole number. Nothing was changed.", name=name),
            str: say("“{name}” must be text. Nothing was changed.", name=name),
            dict: say("“{name}” must be an object. Nothing was changed.", name=name),
            list: say("“{name}” must be a list. Nothing was changed.", name=name),
            bool: say("“{name}” must be true or false. Nothing was changed.", name=name),
        }
        raise WebError(400, "bad_field", words[kind], field=name)
    return value


def decided(given: Mapping[str, Any], *, optional: bool = False) -> dict[str, Any]:
    """Return the options that every act at the table takes: `version`, `client_id` and `by`. Raises `WebError`.

    `optional`: the act may come without version and id, for something else says what it was decided on.
    """
    version = field(given, "version", int, optional=optional)
    client_id = field(given, "id", str, optional=optional)
    if client_id is not None and not 1 <= len(client_id) <= 100:
        raise WebError(400, "bad_field", say("“id” must have 1 to 100 letters. Nothing was changed."), field="id")
    who = person()
    by = who.acting if who.role == "player" else who.role
    return {"version": None if version is None else table_version(version), "client_id": client_id, "by": by}
