"""One shape for every error: JSON under /api and /healthz, a friendly page elsewhere."""

from __future__ import annotations

import logging
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from engine.dice import DiceError
from engine.game import GameError, IllegalMove
from engine.journal import JournalError
from engine.words import say
from webui.words import told_here

log = logging.getLogger(__name__)


class WebError(Exception):
    """A request that cannot be served: HTTP status, code, a sentence, perhaps the field at fault and further keys;
    `retry_after` is the number of seconds after which it may be tried again."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        field: str | None = None,
        extra: dict[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.extra = extra or {}
        self.retry_after = retry_after


BAD_REQUEST = (
    "bad_request",
    say("This request could not be understood. Nothing was changed. Load the page again."),
)
BROKEN = (
    "broken",
    say("Something in Jurado broke. The confirmed turns are safe on the disk. Try again, and look at the status page."),
)
"""Code and sentence of what can be answered before the app sees a request, too."""


def _http_sentences(mb: int = 0) -> dict[int, tuple[str, str]]:
    """Return code and sentence of each status; `mb` is the largest photograph that is taken, in megabytes."""
    return {
        400: BAD_REQUEST,
        404: ("not_found", say("There is nothing at this address. The game goes on. Go back to the table.")),
        405: (
            "method_not_allowed",
            say("This address cannot be asked that way. Nothing was changed. Go back to the table."),
        ),
        413: (
            "too_large",
            say("This photograph is too large to take. Nothing was changed. Send one of at most {mb} MB.", mb=mb),
        ),
        415: (
            "wrong_content_type",
            say("This address wants JSON (Content-Type: application/json). Nothing was changed."),
        ),
        500: BROKEN,
    }


def error_body(code: str, message: str, field: str | None = None, **extra: Any) -> dict[str, Any]:
    """Return the one error shape; `extra` lies beside `error`."""
    return {"error": {"code": code, "message": message, "field": field or ""}, **extra}


def wants_json() -> bool:
    """Tell whether the request is a program's: everything but the pages."""
    return request.path.startswith(("/api/", "/photos/")) or request.path in ("/api", "/healthz")


def answer(status: int, code: str, message: str, field: str | None = None, **extra: Any) -> Response:
    """Return the error as JSON or as a page, whichever the request is for."""
    if wants_json():
        response = jsonify(error_body(code, message, field, **extra))
    else:
        response = Response(render_template("error.html", message=message, code=code), mimetype="text/html")
    response.status_code = status
    response.headers["Cache-Control"] = "no-store"
    return response


def _game_status(error: GameError) -> int:
    if isinstance(error, IllegalMove):
        return 422
    return 503 if isinstance(error, JournalError) else 400


def install(app: Flask) -> None:
    """Make every error of `app` speak in the one shape, in the language of whoever asked."""

    @app.errorhandler(WebError)
    def web_error(error: WebError) -> Response:
        response = answer(error.status, error.code, told_here(error.message), error.field, **error.extra)
        if error.retry_after is not None:
            response.headers["Retry-After"] = str(error.retry_after)
        return response

    @app.errorhandler(GameError)
    def game_error(error: GameError) -> Response:
        return answer(_game_status(error), error.code, told_here(error.message), error.field)

    @app.errorhandler(DiceError)
    def dice_error(error: DiceError) -> Response:
        return answer(400, "bad_die", told_here(error.args[0]))

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        status = error.code or 500
        if 300 <= status < 400:
            return Response(status=status, headers=error.get_response(request.environ).headers)
        limit = app.config.get("MAX_CONTENT_LENGTH") or 0
        known = _http_sentences(limit // 1_000_000)
        code, sentence = known.get(status, (f"http_{status}", error.description or say("This did not work.")))
        response = answer(status, code, told_here(sentence))
        if status == 405 and getattr(error, "valid_methods", None):
            response.headers["Allow"] = ", ".join(error.valid_methods)  # type: ignore[attr-defined]
        return response

    @app.errorhandler(Exception)
    def broken(error: Exception) -> Response:
        # The device raises errors of its own that carry a code and a sentence for people.
        code, message = getattr(error, "code", None), getattr(error, "message", None) or str(error)
        if isinstance(code, str) and message:
            return answer(503, code, told_here(message))
        log.exception("%s %s broke", request.method, request.path)
        code, sentence = _http_sentences()[500]
        return answer(500, code, told_here(sentence))
