"""What each phone chooses for itself and keeps in cookies: the language of its pages, and the size of their text."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from urllib.parse import quote, urlencode

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from engine.words import LANGUAGES, say
from webui.errors import WebError
from webui.roles import Role, needs

blueprint = Blueprint("preferences", __name__)

NAMES = {"en": "English", "pt": "Português", "es": "Español"}
"""The languages as those who speak them call them."""

SIZES = {"normal": say("Normal"), "large": say("Large"), "largest": say("Very large")}
"""Sizes of the text; the style sheet says how large each is."""

KEPT_S = 365 * 24 * 60 * 60


def _cookie(name: str) -> str:
    return f"jurado_{name}"


def _kept(name: str, allowed: Collection[str]) -> str | None:
    value = request.cookies.get(_cookie(name))
    return value if value in allowed else None


def chosen_language() -> str | None:
    """Return the language that this phone chose, None while it goes by the table's; `?lang=` of a page chooses it."""
    asked = request.args.get("lang")
    return asked if asked in LANGUAGES else _kept("language", LANGUAGES)


@blueprint.after_app_request
def keep_language(answer: Response) -> Response:
    """Keep the language that `?lang=` names, for a screen that nobody touches."""
    asked = request.args.get("lang")
    if asked in LANGUAGES:
        keep(answer, "language", asked)
    return answer


def offered() -> dict[str, Any]:
    """Return what every page needs to know of the choices; `here` is the page's own address, to come back to."""
    return {
        "languages": NAMES,
        "text_size": _kept("text", SIZES) or "normal",
        "text_sizes": SIZES,
        "here": _here(),
    }


def _here() -> str:
    """Return the page's own address, without the language that it was asked for in: the next choice counts."""
    if request.method != "GET":
        return "/"
    asked = urlencode([(name, value) for name, value in request.args.items(multi=True) if name != "lang"])
    return f"{quote(request.path)}?{asked}" if asked else quote(request.path)


def _is_ours(address: str) -> bool:
    """Tell whether this is the address of a page of this table. Browsers leave out tabs and line breaks in it."""
    return address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()


@blueprint.post("/preferences")
@needs(Role.LOOK)
def choose() -> Response:
    """Keep what the form chooses, for this phone, and go back to the page that it was on."""
    back = request.form.get("back", "")
    answer = redirect(back if _is_ours(back) else "/", 303)
    for name, allowed in (("language", LANGUAGES), ("text", SIZES)):
        value = request.form.get(name)
        if value is None:
            continue
        if value not in allowed:
            raise WebError(
                400,
                "bad_field",
                say("There is no such choice. The page stays as it was. Take one that the menu offers."),
                field=name,
            )
        keep(answer, name, value)
    return answer


def keep(answer: Response, name: str, value: str) -> None:
    """Let a phone keep its choice of `name` (`language` or `text`)."""
    answer.set_cookie(_cookie(name), value, max_age=KEPT_S, samesite="Lax", httponly=True)
