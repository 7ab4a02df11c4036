"""Who may ask for which address: every view says the least role that it needs, and is not called for less."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeVar

from flask import Flask, current_app, request

if TYPE_CHECKING:
    from webui.people import You

View = TypeVar("View", bound=Callable[..., Any])


class Role(IntEnum):
    """What a person may do at the table, each more than the one before.

    LOOK: anybody on the network. WATCH: who has joined by the code. PLAY: who has a seat, or the phone that all share.
    HOST: who has typed the host's PIN, or sits at the table's own machine.
    """

    LOOK = 0
    WATCH = 1
    PLAY = 2
    HOST = 3


def needs(role: Role) -> Callable[[View], View]:
    """Return a decorator, put below the one of the route, that states the least role of a view."""

    def mark(view: View) -> View:
        view.needs = role  # type: ignore[attr-defined]
        return view

    return mark


def needed(view: Callable[..., Any]) -> Role | None:
    """Return the role that a view states, None when it states none."""
    found: Role | None = getattr(view, "needs", None)
    return found


def install(app: Flask, person: Callable[[], You]) -> None:
    """Check each request of `app` before its view is called; a view that states no role is the host's alone.

    `person()` returns who sends the request.
    """
    needs(Role.LOOK)(app.view_functions["static"])

    @app.before_request
    def check() -> None:
        if request.endpoint is None:
            return
        role = needed(current_app.view_functions[request.endpoint])
        if role is Role.LOOK:
            return
        who = person()
        if role is Role.WATCH:
            who.must_join()
        elif role is Role.PLAY:
            who.must_play()
        else:
            who.must_host()
