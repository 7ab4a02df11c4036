"""Who is asking: the seat a phone has taken, and what it may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import session

from engine.words import say
from webui.door import Door
from webui.errors import WebError
from webui.guard import from_this_machine
from webui.preferences import chosen_language

EVERYBODY = "all"
"""The seat of a phone that the whole table shares."""


@dataclass(frozen=True, slots=True)
class You:
    """The person behind a request.

    `role` is `guest` (no code yet), `unseated` (no seat picked yet), `watcher`, `player`, `shared` (one phone for all
    seats) or `host` (the table itself). `seat` is the own seat, `acting` the seat acted for, both indices or None;
    `joined` tells whether the phone may change anything at the table, `host` whether it may set the table up.
    """

    role: str
    seat: int | None = None
    acting: int | None = None
    joined: bool = False
    host: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "seat": self.seat,
            "acting": self.acting,
            "joined": self.joined,
            "host": self.host,
        }

    @property
    def every_seat(self) -> bool:
        return self.role in ("host", "shared")

    def must_join(self) -> None:
        """Raise `WebError` unless this person has come in by the join code (or is the table itself)."""
        if not self.joined:
            raise WebError(
                403,
                "not_joined",
                say("You are only watching from outside. Join with the table's code, then try again."),
            )

    def must_play(self) -> None:
        """Raise `WebError` unless this person has a seat, or holds the phone that all share."""
        self.must_join()
        if self.role in ("watcher", "unseated"):
            raise WebError(
                403, "no_seat", say("You are only watching. Nothing was changed. Pick a seat, then try again.")
            )

    def must_host(self) -> None:
        """Raise `WebError` unless this is the host's phone, or the table itself."""
        self.must_join()
        if not self.host:
            raise WebError(
                403,
                "not_host",
                say("Only the host may do this. Nothing was changed. Type the host's PIN first, then try again."),
            )

    def must_act_for(self, seat: int | None, names: Sequence[str]) -> None:
        """Raise `WebError` unless this person may make a move of `seat` (None: anybody's)."""
        self.must_play()
        if seat is None or self.every_seat or seat == self.acting:
            return
        name = names[seat] if 0 <= seat < len(names) else say("seat {number}", number=seat + 1)
        raise WebError(
            403,
            "not_your_turn",
            say("It is {name}'s move. Nothing was changed. Wait, or switch to acting for {name}.", name=name),
        )


def known_seat(names: Sequence[str], seat: Any, name: Any) -> int | None:
    """Return the seat that a phone holds in a game with these `names`; the person's name counts more than the index."""
    if not isinstance(seat, int) or isinstance(seat, bool):
        return None
    if 0 <= seat < len(names) and (name is None or names[seat] == name):
        return seat
    return list(names).index(name) if name in names else None


@dataclass(frozen=True, slots=True)
class Visitor:
    """What is known of a sender whatever is played: the `cookie` of this table, whether it is the `table` itself,
    whether it is the `host`'s phone, and the `language` that it chose (None: the table's).

    It outlives the request, for a stream goes on into the next game.
    """

    cookie: Mapping[str, Any]
    table: bool
    host: bool
    language: str | None = None

    def you(self, names: Sequence[str], game_id: str | None) -> You:
        """Return who this is in the open game; `names` are those of its seats. A seat belongs to a game: in the next
        one the person keeps it by name, or is asked again."""
        here = self.cookie
        if not (self.table or here):
            return You("guest")
        if here.get("seat") == EVERYBODY:
            return You("shared", joined=True, host=self.host)
        seat = known_seat(names, here.get("seat"), here.get("name"))
        if seat is None:
            if here.get("watch"):
                return You("watcher", joined=True, host=self.host)
            return You("host" if self.table else "unseated", joined=True, host=self.host)
        # Acting for somebody ends with the game.
        same = here.get("acting_game") == game_id
        acting = known_seat(names, here.get("acting"), here.get("acting_name")) if same else None
        return You("player", seat, seat if acting is None else acting, joined=True, host=self.host)


def visitor(table_id: str, door: Door, trust_loopback: bool) -> Visitor:
    """Return who sends this request, from the cookie and the address."""
    # A seat at another table (the cookie of an address that a second Jurado had before) is no seat here.
    here = dict(session) if door.knows(session, table_id) else {}
    table = trust_loopback and from_this_machine()
    return Visitor(here, table, table or door.hosts(here), chosen_language())


def sit(names: Sequence[str], seat: Any) -> None:
    """Write the chosen seat into the cookie: an index, `all`, or None to watch. Raises `WebError`."""
    if seat is not None and seat != EVERYBODY:
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < len(names):
            raise WebError(
                400,
                "no_such_seat",
                say("There is no such seat in this game. Nothing was changed. Pick a name."),
                field="seat",
            )
        session["name"] = names[seat]
    else:
        session.pop("name", None)
    session["seat"] = seat
    session["watch"] = seat is None
    session.pop("acting", None)
    session.pop("acting_name", None)


def act_for(names: Sequence[str], game_id: str | None, seat: Any) -> None:
    """Write into the cookie for whom this phone acts: another seat's index, or None for the own. Raises `WebError`."""
    if seat is None:
        session.pop("acting", None)
        session.pop("acting_name", None)
        return
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < len(names):
        raise WebError(
            400,
            "no_such_seat",
            say("There is no such seat in this game. Nothing was changed. Pick a name."),
            field="acting",
        )
    session["acting"] = seat
    session["acting_name"] = names[seat]
    session["acting_game"] = game_id
