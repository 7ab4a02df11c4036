"""The cookie that says who a phone is: signed, and valid whatever the clock of a machine without a battery says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from flask import Flask, Request, Response
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer

RENEWED = timedelta(days=1)
"""Age from which a page renews the cookie, so that a phone that comes back now and then stays in."""


class Session(SecureCookieSession):
    """What a phone's cookie holds, and when it was `signed`; None for one that is not there yet."""

    signed: datetime | None = None


class Sessions(SecureCookieSessionInterface):
    """Flask's signed cookies with another notion of age.

    After a power cut the clock of a Pi stands where it stood some time before, until the network tells it better: a
    cookie out of the future is as good as any. And phones count the days themselves (Max-Age), since a date of
    ours may long be past by their clock.

    An answer carries the cookie only when it has changed. Were it sent with each, an answer that was asked for before
    somebody took a seat, and comes after it, would take the seat away again. A page alone also renews it: while a
    phone opens a page, nothing else of that page is under way.
    """

    session_class = Session

    def open_session(self, app: Flask, request: Request) -> Session | None:
        serializer = self.get_signing_serializer(app)
        if not isinstance(serializer, URLSafeTimedSerializer):
            return None
        cookie = request.cookies.get(self.get_cookie_name(app))
        try:
            kept, signed = serializer.loads(cookie or "", return_timestamp=True)
        except BadSignature:
            return self.session_class()
        if datetime.now(UTC) - signed > app.permanent_session_lifetime:
            return self.session_class()
        session = self.session_class(kept)
        session.signed = signed
        return session

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        name, serializer = self.get_cookie_name(app), self.get_signing_serializer(app)
        response.vary.add("Cookie")
        if not session and session.modified:
            response.delete_cookie(name, httponly=True, samesite="Lax")
        elif session and serializer is not None and (session.modified or _grows_old(session, response)):
            kept = serializer.dumps(dict(session))
            response.set_cookie(name, str(kept), max_age=app.permanent_session_lifetime, httponly=True, samesite="Lax")


def _grows_old(session: SessionMixin, response: Response) -> bool:
    signed = getattr(session, "signed", None)
    return response.mimetype == "text/html" and signed is not None and datetime.now(UTC) - signed > RENEWED
