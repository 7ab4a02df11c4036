"""What a table knows beside the open game, as its events tell it: past games, people, strips, colours, decks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.arrangement import ARRANGED, Arrangement
from engine.dice import DiceError, check_colour, is_tint
from engine.game import InvalidInput, game_named
from engine.journal import Event
from engine.play import CLOSED, COLOURS, DECK, DELETED, NOTED, OPENED, REOPENED, RESTORED, STRIP
from engine.words import quoted, say

EMPTIED = "bin.emptied"

SETTLING = (OPENED, CLOSED, REOPENED, STRIP, COLOURS, DECK, NOTED, DELETED, RESTORED, EMPTIED, ARRANGED)
"""The kinds of events that change what is on the shelf."""

LONGEST_NOTES = 4000
"""Characters that the notes on one game may have."""


class Shelf:
    """Every game of a table by its id, oldest first; the names used last; strips, colours and decks kept for good.

    A deleted game lies in the bin, with a date in `deleted_at`, until it is restored or the bin is emptied.
    """

    def __init__(self) -> None:
        self.games: dict[str, dict[str, Any]] = {}
        self.names: list[str] = []
        self.strips: dict[str, dict[str, int]] = {}
        self.colours: list[str] | None = None
        self.tints: dict[str, str] = {}
        self.decks: dict[str, Mapping[str, Any]] = {}
        self.arrangement = Arrangement()

    @property
    def newest(self) -> str | None:
        """The id of the game opened last, but for those in the bin."""
        return next((game_id for game_id in reversed(self.games) if not self.games[game_id]["deleted_at"]), None)

    def settle(self, event: Event) -> None:
        """Let an event of a kind in `SETTLING` happen."""
        payload = event.payload
        closes = payload if event.kind == CLOSED else payload.get("closes")
        if closes is not None:
            self.games[closes["game"]].update(status=closes["how"], closed_at=event.at, result=closes["outcome"])
        if event.kind == OPENED:
            self.names = payload["players"]
            self.games[str(event.game_id)] = _opened(event)
        elif event.kind == REOPENED:
            self.games[payload["game"]].update(status="open", closed_at=None, result=None)
        elif event.kind == NOTED:
            game = self.games[payload["game"]]
            note = {"text": payload["text"], "at": event.at, "by": payload.get("by")}
            # A new list each time: pages may be reading the old one on other threads.
            game["notes"] = [*game["notes"], note]
        elif event.kind in (DELETED, RESTORED):
            self.games[payload["game"]]["deleted_at"] = event.at if event.kind == DELETED else None
        elif event.kind == EMPTIED:
            self.games = {key: game for key, game in self.games.items() if key not in payload["games"]}
        elif event.kind == STRIP:
            # A new dict each time: pages may be reading the old one on other threads.
            self.strips = {**self.strips, payload["division"]: payload["numbers"]}
        elif event.kind == COLOURS:
            self.colours = payload["colours"]
            self.tints = payload.get("tints", {})
        elif event.kind == DECK:
            self.decks = {**self.decks, payload["key"]: payload["deck"]}
        elif event.kind == ARRANGED:
            self.arrangement = self.arrangement.answer(payload["step"], payload["answer"], event.at)
            if payload["step"] == "people":
                self.names = [person["name"] for person in payload["answer"]["people"]]


def read_notes(text: Any) -> str:
    """Return the notes on a game as they are kept. Raises `InvalidInput`."""
    if not isinstance(text, str):
        raise InvalidInput("bad_notes", say("Notes are text. Nothing was changed."), "text")
    kept = text.replace("\r\n", "\n").strip()
    if len(kept) > LONGEST_NOTES:
        message = say(
            "Notes have at most {most} characters, and these have {count}. Nothing was changed. Shorten them.",
            most=LONGEST_NOTES,
            count=len(kept),
        )
        raise InvalidInput("notes_too_long", message, "text")
    return kept


def read_strip(division: Any, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the event of a copied strip holds. Raises `InvalidInput`."""
    if not isinstance(division, str) or not 1 <= len(division) <= 24:
        raise InvalidInput("bad_division", say("A division is named by its letter, for instance D."), "division")
    for key, value in numbers.items():
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 10:
            raise InvalidInput(
                "bad_strip",
                say(
                    "The base for sum {sum} must be a whole number from 0 to 10, not {value}.",
                    sum=key,
                    value=quoted(value),
                ),
                f"numbers.{key}",
            )
    return {"division": division, "numbers": dict(numbers)}


def read_deck(key: Any, deck: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the event of a kept deck holds. Raises `InvalidInput`; what a card is, its game says."""
    return {"key": game_named(key).key, "deck": dict(deck)}


def read_colours(colours: Sequence[str], tints: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the event of the six named colours holds. Raises `InvalidInput`."""
    if not isinstance(colours, Sequence) or len(colours) != 6 or len(set(map(str, colours))) != 6:
        raise InvalidInput("bad_colours", say("Six different colours are needed."), "colours")
    for index, colour in enumerate(colours):
        try:
            check_colour(colour)
        except DiceError as error:
            raise InvalidInput("bad_colour", error.args[0], f"colours[{index}]") from error
    for colour, tint in tints.items():
        if colour not in colours or not is_tint(tint):
            message = say("A tint is one of the six colours' fill, as #rrggbb.")
            raise InvalidInput("bad_tint", message, f"tints.{colour}")
    return {"colours": list(colours), "tints": dict(tints)}


def _opened(event: Event) -> dict[str, Any]:
    key = event.payload["key"]
    try:
        name = game_named(key).name
    except InvalidInput:
        name = key
    return {
        "id": event.game_id,
        "key": key,
        "name": name,
        "players": event.payload["players"],
        "opened_at": event.at,
        "closed_at": None,
        "status": "open",
        "result": None,
        "notes": [],
        "deleted_at": None,
    }
