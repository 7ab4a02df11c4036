"""The one versioned full state that every phone sees, and the bell that rings when it changes."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from engine.game import Game
from engine.play import VOID
from engine.words import told
from webui.games import part_of
from webui.palette import Look, in_words, palette
from webui.people import Visitor, You

SCALE = 1_000_000
"""A phone's version = the table's version * SCALE + a count of passing changes (proposal, camera)."""

NEWEST = 16
"""Lines of the log in the state; phones get it often. The whole log is asked for."""

MOST_TEXTS = 64
"""Kinds of readers for whom one state is kept written; there are as many as seats, roles and addresses."""


def table_version(version: int) -> int:
    """Return the table's own version within a phone's version."""
    return version // SCALE


def spoken(
    entries: Sequence[Mapping[str, Any]], colours: Sequence[str], language: str, most: int | None = None
) -> list[dict[str, Any]]:
    """Return the lines of a log (newest first, at most so many) as people read them: in `language`, colours in words, a
    copied strip once.

    A strip that is copied while its division plays is kept for the table and put into the game: two events, of which
    only the move can be undone, so only the move has a line.
    """
    played = {
        (entry["seq"], entry["move"].get("division"))
        for entry in entries
        if entry["move"] is not None and entry["move"].get("move") == "strip"
    }
    lines = (
        entry
        for entry in entries
        if entry["kind"] != "strip" or (entry["seq"] + 1, entry.get("division")) not in played
    )
    return [
        {**line, "text": in_words(line["text"], colours)}
        for line in (told(entry, language) for entry in islice(lines, most))
    ]


def runs(entries: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Return the lines of a log in groups: turns in a row that are not told share one, any other line stands alone."""
    grouped: list[list[Mapping[str, Any]]] = []
    for entry in entries:
        if grouped and _untold(entry) and _untold(grouped[-1][0]):
            grouped[-1].append(entry)
        else:
            grouped.append([entry])
    return grouped


def _is_roll(entry: Mapping[str, Any]) -> bool:
    """Tell whether a line of the log is of a roll that counts, and tells its dice."""
    move = entry["move"] or {}
    return move.get("move") == "roll" and bool(move.get("dice")) and not entry["undone"]


def _untold(entry: Mapping[str, Any]) -> bool:
    return entry["kind"] == "move" and entry["move"] is None


def colours_of(game: Game[Any], state: Any, view: Mapping[str, Any]) -> Sequence[str]:
    """Return the colours that the dice or cards of this game have, none when it does not say; `view` is its view."""
    if named := part_of(game.key).colours(view):
        return tuple(named)
    expects = game.expects(state)
    return tuple(expects.colours or ()) if expects is not None else ()


def with_reasons_in_words(marks: Any, colours: Sequence[str], *, why: bool = False) -> Any:
    """Return marks, any JSON, with each `why` as people read it."""
    if isinstance(marks, Mapping):
        return {key: with_reasons_in_words(value, colours, why=why or key == "why") for key, value in marks.items()}
    if isinstance(marks, list | tuple):
        return [with_reasons_in_words(one, colours, why=why) for one in marks]
    return in_words(marks, colours) if why and isinstance(marks, str) else marks


def house_rules(game: Game[Any], setup: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the house rules of a game so laid out that differ from the usual reading: each one's title, and what was
    chosen, in words."""
    chosen = game.house_rules_in(setup)
    return [
        {"title": rule.title, "words": rule.values[chosen[rule.key]]}
        for rule in game.house_rules
        if chosen[rule.key] != rule.default
    ]


def pictured(entries: Sequence[Mapping[str, Any]], station: Any) -> list[dict[str, Any]]:
    """Return the lines of a log, each that is told with the address of its photograph."""
    with_photo = [entry["move"] is not None or entry["kind"] == VOID for entry in entries]
    return [
        {**entry, "photo": station.photo_of(entry["seq"]) if may else None}
        for entry, may in zip(entries, with_photo, strict=True)
    ]


def told_game(
    game_id: str, game: Game[Any], state: Any, setup: Mapping[str, Any], view: Mapping[str, Any], language: str
) -> dict[str, Any]:
    """Return a game as scripts know it, told in `language`; `view` is the game's view of `state`."""
    expects, outcome, ceremony = game.expects(state), game.outcome(state), part_of(game.key).ceremony
    marks = with_reasons_in_words(told(game.scoreboard(state), language), colours_of(game, state, view))
    return {
        "id": game_id,
        "key": game.key,
        "name": game.name,
        "seats": list(game.seats(state)),
        "view": told(view, language),
        "scoreboard": marks,
        "prompt": told(game.prompt(state).as_json(), language),
        "expects": None if expects is None else told(expects.as_json(), language),
        "outcome": None if outcome is None else told(outcome.as_json(), language),
        "ceremony": None if ceremony is None else ceremony(view),
        "rules": told(house_rules(game, setup), language),
    }


@dataclass(frozen=True, slots=True)
class _Common:
    """What everybody may see in one version and language, what the phone of each seat alone sees of the view, and what
    was written of it so far, by who reads it."""

    version: int
    state: dict[str, Any]
    own: dict[int, Mapping[str, Any]]
    texts: dict[tuple[Any, ...], str] = field(default_factory=dict)


class Snapshot:
    """Puts table and station together into one JSON state with one version number. Safe for threads."""

    def __init__(
        self,
        *,
        table: Any,
        station: Any,
        camera: Callable[[], Mapping[str, Any]],
        trouble: Callable[[], Sequence[str]] = tuple,
        start: int | None = None,
        language: str = "en",
    ) -> None:
        self._table = table
        self._station = station
        self._camera = camera
        self._trouble = trouble
        self._language = language
        # A random start, so that a phone that outlived a restart of the table never takes an old state for a new one.
        self._passing = secrets.randbelow(SCALE // 2) if start is None else start
        self._bell = threading.Condition()
        self._rings = 0
        self._composing = threading.Lock()
        """Held while a state is put together or written: all phones ask for a new one at the same instant."""
        self._kept: dict[str, _Common] = {}
        self._seen: tuple[Any, Mapping[str, Any]] | None = None
        table.subscribe(self.ring)
        station.subscribe(self.touch)

    @property
    def language(self) -> str:
        """The table's, as it was set up, else of the settings; a phone may choose another."""
        return str(self._table.arrangement.language or self._language)

    @property
    def version(self) -> int:
        """The version of what phones see now."""
        return int(self._table.now().version) * SCALE + self._passing

    def ring(self, *_: Any) -> None:
        """Wake everybody who waits; they look for themselves whether anything changed."""
        with self._bell:
            self._rings += 1
            self._bell.notify_all()

    def touch(self, *_: Any) -> None:
        """Count a change that the table does not know of: a proposal, the camera, the health."""
        with self._bell:
            self._passing = (self._passing + 1) % SCALE
            self._rings += 1
            self._bell.notify_all()

    def wait(self, version: int, seconds: float) -> int:
        """Return the version once it differs from `version`, at the latest after `seconds`."""
        # The table is asked outside the bell's lock: it may ring while it holds its own.
        with self._bell:
            rings = self._rings
        now = self.version
        if now != version:
            return now
        with self._bell:
            self._bell.wait_for(lambda: self._rings != rings, seconds)
        return self.version

    def state(self, visitor: Visitor, join: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the full state for one person; `join` (address and code) only for those who are in."""
        with self._composing:
            common = self._common(visitor.language or self.language)
        return _seen_by(common, _you(common, visitor), join)

    def text(self, visitor: Visitor, join: Mapping[str, Any] | None) -> tuple[int, str]:
        """Return the version of the full state for one person, and the state as JSON: written once for all who may see
        the same."""
        with self._composing:
            common = self._common(visitor.language or self.language)
            you = _you(common, visitor)
            reader = (you, *(join.values() if join and you.joined else ()))
            text = common.texts.get(reader)
            if text is None:
                text = json.dumps(_seen_by(common, you, join), separators=(",", ":"))
                if len(common.texts) < MOST_TEXTS:
                    common.texts[reader] = text
            return common.version, text

    def _common(self, language: str) -> _Common:
        while True:
            version = self.version
            kept = self._kept.get(language)
            if kept is not None and kept.version == version:
                return kept
            common = _Common(version, self._compose(language), self._own(language))
            if version == self.version:
                self._kept[language] = common
                return common

    def _compose(self, language: str) -> dict[str, Any]:
        table = self._table
        return {
            "language": language,
            "table": {
                "id": table.id,
                "name": table.arrangement.name,
                "people": [dict(person) for person in table.arrangement.people],
                "fresh": not table.arrangement.finished and not table.games(),
                "notice": told(table.notice, language),
                "trouble": told([one for one in self._trouble() if one != table.notice], language),
                "strips": {division: dict(numbers) for division, numbers in table.strips.items()},
                "palette": {name: look.as_json() for name, look in self.palette(language).items()},
            },
            "game": self._game(language),
            "proposal": self._proposal(language),
            "roll": {"last": self._last_roll(language), "earlier": self._station.earlier},
            "camera": told(self._camera(), language),
            "log": self.log(language, NEWEST),
        }

    def _own(self, language: str) -> dict[int, Mapping[str, Any]]:
        now = self._table.now()
        if now.state is None:
            return {}
        own = part_of(now.game.key).own
        return {seat: told(own(now.state, seat), language) for seat in range(len(now.game.seats(now.state)))}

    def tells(self, seq: int) -> bool:
        """Tell whether the log keeps nothing of the move `seq` of the open game to itself."""
        lines = self._readable(self._table.log())
        return not any(line["seq"] == seq and line["kind"] == "move" and line["move"] is None for line in lines)

    def log(self, language: str, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the open game's log, newest first, each roll with the address of its photograph."""
        return pictured(spoken(self._readable(self._table.log()), self.colours(), language, limit), self._station)

    def _last_roll(self, language: str) -> dict[str, Any] | None:
        """Return the newest roll of the open game that counts, None when there is none: its event, dice, photograph."""
        entry = next(filter(_is_roll, self._readable(self._table.log())), None)
        if entry is None:
            return None
        (line,) = pictured(spoken([entry], self.colours(), language), self._station)
        dice = [{"shape": "d6", **die} for die in line["move"]["dice"]]
        return {**{key: line[key] for key in ("seq", "at", "by", "text", "photo")}, "dice": dice}

    def _readable(self, entries: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        now = self._table.now()
        return entries if now.state is None else part_of(now.game.key).log(entries, self._view(now))

    def _view(self, now: Any) -> Mapping[str, Any]:
        """Return what lies on the table `now`; a state is looked at once, however often that is asked for."""
        seen = self._seen
        if seen is None or seen[0] is not now.state:
            seen = self._seen = (now.state, now.game.view(now.state))
        return seen[1]

    def colours(self) -> Sequence[str]:
        """Return the colours of the open game, else those the table owns, else none."""
        now = self._table.now()
        if now.state is None:
            return tuple(self._table.colours or ())
        return colours_of(now.game, now.state, self._view(now))

    def palette(self, language: str) -> dict[str, Look]:
        """Return how every colour of the table looks, its word and letter in `language`."""
        return palette(self.colours(), self._table.tints, language=language)

    def names(self) -> Sequence[str]:
        """Return the names of the seats of the open game, or none."""
        now = self._table.now()
        return () if now.state is None else tuple(now.game.seats(now.state))

    def _proposal(self, language: str) -> dict[str, Any] | None:
        """Return the station's proposal, its sentences as people read them."""
        proposal = self._station.proposal
        if proposal is None:
            return None
        colours = self.colours()
        said = {
            key: [in_words(told(text, language), colours) for text in proposal[key]]
            for key in ("problems", "notes", "warnings")
        }
        return {**told(proposal, language), **said}

    def _game(self, language: str) -> dict[str, Any] | None:
        now = self._table.now()
        if now.state is None:
            return None
        game = told_game(now.game_id, now.game, now.state, now.setup, self._view(now), language)
        return {**game, "heard": self._heard(game["ceremony"], game["scoreboard"].get("reveal") or ())}

    def _heard(self, part: str | None, marks: Sequence[Any]) -> dict[str, int] | None:
        """Return how many `marks` of the `part` that is judged by being read aloud were read; None where none is."""
        if part is None:
            return None
        of, step = self._table.heard
        return {"step": step if of == part else 0, "marks": len(marks)}


def _you(common: _Common, visitor: Visitor) -> You:
    """Return who somebody is in that very state: a seat of one game must not be shown with the boards of the next."""
    game = common.state["game"] or {}
    return visitor.you(game.get("seats", ()), game.get("id"))


def _seen_by(common: _Common, you: You, join: Mapping[str, Any] | None) -> dict[str, Any]:
    game = common.state["game"]
    if game and you.seat in common.own:
        game = {**game, "view": {**game["view"], **common.own[you.seat]}}
    return {
        "version": common.version,
        **common.state,
        "game": game,
        "table": {**common.state["table"], "join": dict(join) if you.joined and join else None},
        "you": you.as_json(),
    }
