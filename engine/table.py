"""A table in play: the open game, confirm, undo, correct; everything it knows is a fold over its journal."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

from engine.arrangement import ARRANGED, Arrangement, read_answer
from engine.dice import Die
from engine.game import Game, GameError, IllegalMove, InvalidInput, Move, Outcome, game_named
from engine.journal import Event, Journal, JournalError, as_text
from engine.play import (
    CLOSED,
    COLOURS,
    CORRECT,
    DECK,
    DELETED,
    HEARD,
    MOVE,
    NOTED,
    OPENED,
    REOPENED,
    RESTORED,
    STRIP,
    UNDO,
    VOID,
    VOID_REASONS,
    Change,
    Play,
    die_to_json,
    folded,
)
from engine.rolls import TOLD, Roll, rolls
from engine.shelf import EMPTIED, SETTLING, Shelf, read_colours, read_deck, read_notes, read_strip
from engine.words import quoted, row, say

By = int | str | None
"""Who did it: a seat's index, "host", "panel", or None."""


class How(TypedDict, total=False):
    """The keyword options that every act takes: the `version` of the table it was decided on (`StaleVersion` when
    that is old), the `client_id` of the request (the same one twice is done once, and answers with the same event),
    and who did it."""

    version: int | None
    client_id: str | None
    by: By


MOST_MARKS = 99
"""Marks that can be read aloud in one part of a game."""

_log = logging.getLogger(__name__)


class StaleVersion(IllegalMove):
    """The move was made on an older state of the table than there is now."""

    def __init__(self) -> None:
        super().__init__(
            "stale_version",
            say("The table has moved on since that was decided, so it was not done. Look at it again, then repeat it."),
            "version",
        )


@dataclass(frozen=True, slots=True)
class Now:
    """The table at one moment; `state` is None when no game is open."""

    version: int
    game_id: str | None
    game: Game[Any] | None
    state: Any
    setup: Mapping[str, Any] | None


class Table:
    """Plays one game at a time; an act is on the disk before anything else knows of it. Safe for threads.

    Acts wait for one another and for the disk; whoever only looks waits for neither.
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.notice = journal.notice
        self._acting = threading.RLock()
        """Held over a whole act, also while the disk is waited for."""
        self._lock = threading.RLock()
        """Held while what everybody sees is looked at or changed, and never while the disk is waited for."""
        self._version = journal.last_seq
        self._subscribers: list[Callable[[], None]] = []
        self._shelf = Shelf()
        self._play: Play | None = None
        self._shown: Play | None = None
        last: str | None = None
        for event in journal.events(kinds=SETTLING):
            self._shelf.settle(event)
            if event.kind in (OPENED, REOPENED):
                last = event.game_id
        if last in self._shelf.games and self._shelf.games[last]["status"] == "open":
            self._resume(last)

    @property
    def id(self) -> str:
        return self.journal.table_id

    @property
    def names(self) -> list[str]:
        """The players' names used last."""
        return self._shelf.names

    @property
    def strips(self) -> dict[str, dict[str, int]]:
        """The saved strips: division, then sum, then base."""
        return self._shelf.strips

    @property
    def colours(self) -> list[str] | None:
        """The saved names of the six colours."""
        return self._shelf.colours

    @property
    def tints(self) -> dict[str, str]:
        """How pages tint those colours, as #rrggbb; not all need to be there."""
        return self._shelf.tints

    @property
    def decks(self) -> Mapping[str, Mapping[str, Any]]:
        """The saved list of cards of each game that has one, by the game's key."""
        return self._shelf.decks

    @property
    def arrangement(self) -> Arrangement:
        """How the table is set up, as far as that was answered."""
        return self._shelf.arrangement

    @property
    def version(self) -> int:
        """The number of the last event."""
        return self._version

    def now(self) -> Now:
        """Return the version and the state that belong together."""
        with self._lock:
            play = self._play
            if play is None:
                return Now(self.version, None, None, None, None)
            return Now(self.version, play.game_id, play.game, play.state, play.setup)

    @property
    def game_id(self) -> str | None:
        return self.now().game_id

    @property
    def game(self) -> Game[Any] | None:
        return self.now().game

    @property
    def state(self) -> Any:
        return self.now().state

    @property
    def outcome(self) -> Outcome | None:
        """How the open game ended, None while it is played or when none is open."""
        now = self.now()
        return None if now.game is None else now.game.outcome(now.state)

    def open_game(self, key: str, setup: Mapping[str, Any], *, abandon: bool = False, **how: Unpack[How]) -> Event:
        """Open a game in the place of a finished one; one still played is given up with `abandon`, else refuses.

        The setup is kept with every house rule and its value, so that a default that changes later changes no old game.
        """
        game = game_named(key)
        asked = {"key": key, "setup": _with_house_rules(game, _plain(setup, "setup"))}
        payload: dict[str, Any] = dict(asked)
        with self._acting:
            if (done := self._done(how, OPENED, asked)) is not None:
                return done
            self._check_version(how)
            payload["players"] = list(game.seats(game.setup(payload["setup"])))
            payload["closes"] = self._closing(abandon=abandon) if self._play is not None else None
            event = self._append(OPENED, payload, self.journal.fresh_id(), how)
            with self._taking(event):
                self._shelf.settle(event)
                self._play = self._shown = Play.opened(event)
        self._publish()
        return event

    def rematch(
        self,
        changes: Mapping[str, Any] | None = None,
        *,
        of: str | None = None,
        abandon: bool = False,
        **how: Unpack[How],
    ) -> Event:
        """Open the last game, or the game with the id `of`, again for the same people; `changes` change its setup."""
        with self._acting:
            opening = self._opening(of, how.get("client_id"))
        game, kept = game_named(opening.payload["key"]), opening.payload["setup"]
        usual = {rule.key: rule.default for rule in game.house_rules}
        # What is as usual is left out: nobody chose it, and a change may settle it otherwise (a fifth seat).
        chosen = {key: value for key, value in (kept.get("house_rules") or {}).items() if value != usual.get(key)}
        setup = {**kept, **({"house_rules": chosen} if "house_rules" in kept else {}), **(changes or {})}
        return self.open_game(game.key, setup, abandon=abandon, **how)

    def close_game(self, *, abandon: bool = False, **how: Unpack[How]) -> Event:
        """Put the open game away: finished, or given up with `abandon`. It stays in the list either way."""
        with self._acting:
            if (done := self._done(how, CLOSED, {})) is not None:
                return done
            self._check_version(how)
            payload = self._closing(abandon=abandon)
            event = self._append(CLOSED, payload, payload["game"], how)
            with self._taking(event):
                self._shelf.settle(event)
                self._opened().follow(event)
                self._play = None
        self._publish()
        return event

    def reopen_game(self, game_id: str, *, abandon: bool = False, **how: Unpack[How]) -> Event:
        """Go on with a game that was closed or given up, where it stood; `abandon` as in `open_game`."""
        with self._acting:
            if (done := self._done(how, REOPENED, {"game": game_id})) is not None:
                return done
            self._check_version(how)
            self._kept(game_id)
            if self.game_id == game_id:
                raise IllegalMove("game_open", say("That game is open already."), "game")
            again = folded(self.journal.events(game_id))
            closes = self._closing(abandon=abandon) if self._play is not None else None
            payload = {"game": game_id, "closes": closes}
            event = self._append(REOPENED, payload, game_id, how)
            with self._taking(event):
                self._shelf.settle(event)
                again.follow(event)
                self._play = self._shown = again
        self._publish()
        return event

    def delete_game(self, game_id: str, *, abandon: bool = False, **how: Unpack[How]) -> Event:
        """Put a game into the bin; the open one is put away with it, one still played only with `abandon`."""
        with self._acting:
            if (done := self._done(how, DELETED, {"game": game_id})) is not None:
                return done
            self._check_version(how)
            self._kept(game_id)
            closes = self._closing(abandon=abandon) if self.game_id == game_id else None
            event = self._append(DELETED, {"game": game_id, "closes": closes}, game_id, how)
            with self._taking(event):
                self._shelf.settle(event)
                if self._shown is not None and self._shown.game_id == game_id:
                    self._shown = None
                if closes is not None:
                    self._play = None
        self._publish()
        return event

    def restore_game(self, game_id: str, **how: Unpack[How]) -> Event:
        """Take a game out of the bin again."""
        with self._acting:
            if (done := self._done(how, RESTORED, {"game": game_id})) is not None:
                return done
            self._check_version(how)
            if game_id not in self._shelf.games or not self._shelf.games[game_id]["deleted_at"]:
                raise InvalidInput(
                    "not_in_bin",
                    say("There is no game {game} in the bin. Nothing was changed.", game=quoted(game_id)),
                    "game",
                )
            event = self._append(RESTORED, {"game": game_id}, game_id, how)
            with self._taking(event):
                self._shelf.settle(event)
        self._publish()
        return event

    def empty_bin(self, **how: Unpack[How]) -> Event:
        """Let the games in the bin go for good: no page shows them again. The journal's lines stay."""
        with self._acting:
            if (done := self._done(how, EMPTIED, {})) is not None:
                return done
            self._check_version(how)
            gone = [game["id"] for game in self._shelf.games.values() if game["deleted_at"]]
            if not gone:
                raise IllegalMove("bin_empty", say("The bin is empty already."))
            event = self._append(EMPTIED, {"games": gone}, None, how)
            with self._taking(event):
                self._shelf.settle(event)
        self._publish()
        return event

    def write_notes(self, game_id: str, text: str, **how: Unpack[How]) -> Event:
        """Keep `text` as the notes on a game, in the place of those there were, which are kept as well."""
        asked = {"game": game_id, "text": read_notes(text)}
        with self._acting:
            if (done := self._done(how, NOTED, asked)) is not None:
                return done
            self._check_version(how)
            self._kept(game_id)
            event = self._append(NOTED, asked, game_id, how)
            with self._taking(event):
                self._shelf.settle(event)
                if self._play is not None and self._play.game_id == game_id:
                    self._play.follow(event)
        self._publish()
        return event

    def rolls(self, game_id: str | None = None) -> list[Roll]:
        """Return every roll that was confirmed, in one game or in all but those in the bin."""
        with self._lock:
            kept = {key for key, game in self._shelf.games.items() if not game["deleted_at"]}
        found = rolls(self.journal.events(game_id, kinds=TOLD))
        return [roll for roll in found if roll.game_id == game_id or roll.game_id in kept]

    def apply(
        self,
        move: Move,
        version: int | None = None,
        client_id: str | None = None,
        by: By = None,
        source: str | None = None,
    ) -> Event:
        """Return the event of a confirmed move, once it is on the disk. Raises `GameError`, with nothing changed.

        `source` says how a roll came in (`engine.rolls`); it is kept with it, and so is who was to throw.
        """
        how = How(version=version, client_id=client_id, by=by)
        asked = {"move": _plain(move, "move")}

        def plan(play: Play) -> Change:
            change = play.plan_move(asked["move"])
            if asked["move"].get("move") != "roll":
                return change
            told = {"seat": play.roller(), "source": source}
            known = {name: value for name, value in told.items() if value is not None}
            return replace(change, payload={**change.payload, **known})

        return self._act(MOVE, asked, plan, how)

    def undo(self, count: int = 1, *, seq: int | None = None, **how: Unpack[How]) -> Event:
        """Undo the last `count` turns; or only the one turn `seq`, and play those after it again."""

        def plan(play: Play) -> Change:
            return play.plan_undo(play.last_turns(count) if seq is None else [seq])

        return self._act(UNDO, {"count": count, "seq": seq}, plan, how)

    def correct(self, seq: int, die: int, to: Die, **how: Unpack[How]) -> Event:
        """Read die number `die` (from 0) of the roll `seq` as `to`, and play all turns after it again."""
        new = die_to_json(to)
        asked = {"seq": seq, "die": die, "to": new}
        return self._act(CORRECT, asked, lambda play: play.plan_correction(seq, die, new), how)

    def void_roll(self, reason: str, dice: Sequence[Die], **how: Unpack[How]) -> Event:
        """Write down that a roll does not count, and the `dice` that it showed; the game still waits for one.

        `reason` is one of `VOID_REASONS`. Raises `IllegalMove` when no roll is waited for.
        """
        if reason not in VOID_REASONS:
            message = say("{given} is no reason. It is one of {known}.", given=quoted(reason), known=row(VOID_REASONS))
            raise InvalidInput("bad_reason", message, "reason")
        asked = {"reason": reason, "dice": [die_to_json(die) for die in dice]}
        with self._acting:
            if (done := self._done(how, VOID, asked)) is not None:
                return done
            play = self._opened()
            if play.game.expects(play.state) is None:
                message = say("No roll is waited for, so none can be declared void. Nothing was changed.")
                raise IllegalMove("no_roll_expected", message)
            return self._set(VOID, asked, how)

    @property
    def heard(self) -> tuple[str, int]:
        """Which part of the open game was read aloud last, and how many of its marks; ("", 0) for none."""
        with self._lock:
            return ("", 0) if self._play is None else self._play.heard

    def hear(self, part: str, step: int, **how: Unpack[How]) -> Event:
        """Keep that the first `step` marks of a `part` of the open game were read aloud; the log does not tell it."""
        whole = isinstance(step, int) and not isinstance(step, bool)
        if not isinstance(part, str) or not whole or not 0 <= step <= MOST_MARKS:
            message = say("The number of marks that were read is a whole number from 0 to {most}.", most=MOST_MARKS)
            raise InvalidInput("bad_step", message, "step")
        with self._acting:
            self._opened()
            return self._set(HEARD, {"part": part, "step": step}, how)

    def save_strip(self, division: str, numbers: Mapping[str, int], **how: Unpack[How]) -> Event:
        """Keep the base numbers (0 to 10) of a division's printed strip for every later game."""
        return self._set(STRIP, read_strip(division, _plain(numbers, "numbers")), how)

    def save_colours(self, colours: Sequence[str], tints: Mapping[str, str] | None = None, **how: Unpack[How]) -> Event:
        """Keep the names of the six colours of this table's dice, and how pages tint them, for every later game.

        `tints` gives a colour's fill as #rrggbb; colours that it leaves out look as they always do.
        """
        return self._set(COLOURS, read_colours(colours, _plain(tints or {}, "tints")), how)

    def save_deck(self, key: str, deck: Mapping[str, Any], **how: Unpack[How]) -> Event:
        """Keep the list of cards of the game `key`, as the game writes it, for every later game."""
        return self._set(DECK, read_deck(key, _plain(deck, "deck")), how)

    def arrange(self, step: str, answer: Mapping[str, Any], **how: Unpack[How]) -> Event:
        """Keep the answer to one step of setting the table up; no game is changed by it."""
        asked = {"step": step, "answer": read_answer(step, _plain(answer, "answer"))}
        with self._acting:
            if (done := self._done(how, ARRANGED, asked)) is not None:
                return done
            self._check_version(how)
            event = self._append(ARRANGED, asked, None, how)
            with self._taking(event):
                self._shelf.settle(event)
        self._publish()
        return event

    def log(self, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the lines of the open game's log (or the last one's), newest first."""
        with self._lock:
            entries = list(self._shown.entries.values()) if self._shown is not None else []
        newest = entries[::-1] if limit is None else entries[: -limit - 1 : -1]
        return [entry.as_json() for entry in newest]

    def games(self, *, deleted: bool = False) -> list[dict[str, Any]]:
        """Return every game opened here, newest first: id, key, name, players, dates, status, result, notes (oldest
        first); or those in the bin."""
        with self._lock:
            listed = [
                dict(game) for game in reversed(self._shelf.games.values()) if bool(game["deleted_at"]) == deleted
            ]
            play = self._play
        for game in listed:
            if play is not None and game["id"] == play.game_id:
                game["result"] = _result(play)
        return listed

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback()` after every change, outside the lock; return what ends it."""
        with self._lock:
            self._subscribers.append(callback)

        def unsubscribe() -> None:
            with self._lock:
                if callback in self._subscribers:
                    self._subscribers.remove(callback)

        return unsubscribe

    def _act(self, kind: str, asked: dict[str, Any], plan: Callable[[Play], Change], how: How) -> Event:
        with self._acting:
            if (done := self._done(how, kind, asked)) is not None:
                return done
            self._check_version(how)
            play = self._opened()
            finished = play.game.outcome(play.state) is not None
            change = plan(play)
            event = self._append(kind, {**asked, **change.payload}, play.game_id, how)
            with self._taking(event):
                play.take(change, event)
            ends = not finished and play.game.outcome(play.state) is not None
        self._publish()
        if ends:
            self._back_up()
        return event

    def _set(self, kind: str, asked: dict[str, Any], how: How) -> Event:
        with self._acting:
            if (done := self._done(how, kind, asked)) is not None:
                return done
            self._check_version(how)
            event = self.journal.append(
                kind, {**asked, "by": how.get("by")}, game_id=self.game_id, client_id=how.get("client_id")
            )
            with self._taking(event):
                self._shelf.settle(event)
                if self._play is not None:
                    self._play.follow(event)
        self._publish()
        return event

    @contextlib.contextmanager
    def _taking(self, event: Event) -> Iterator[None]:
        """Hold still what everybody sees while it becomes what `event`, which is on the disk, makes of it."""
        with self._lock:
            self._version = event.seq
            yield

    def _append(self, kind: str, payload: Mapping[str, Any], game_id: str | None, how: How) -> Event:
        whole = {**payload, "by": how.get("by")}
        return self.journal.append(kind, whole, game_id=game_id, client_id=how.get("client_id"))

    def _done(self, how: How, kind: str, asked: Mapping[str, Any]) -> Event | None:
        """Return the event that the same request made before."""
        client_id = how.get("client_id")
        if client_id is None:
            return None
        if not isinstance(client_id, str) or not 1 <= len(client_id) <= 100 or not client_id.isprintable():
            raise InvalidInput("bad_id", say("The id of a request is a text of 1 to 100 characters."), "id")
        event = self.journal.of_client(client_id)
        if event is None:
            return None
        if event.kind != kind or any(event.payload.get(name) != value for name, value in asked.items()):
            raise IllegalMove(
                "id_reused",
                say("That id was used for something else before, so this was not done. Repeat it with a new id."),
                "id",
            )
        return event

    def _check_version(self, how: How) -> None:
        version = how.get("version")
        if version is None:
            return
        if isinstance(version, bool) or not isinstance(version, int):
            message = say("The version is the number that the state carries.")
            raise InvalidInput("bad_version", message, "version")
        if version != self.version:
            raise StaleVersion

    def _opened(self) -> Play:
        if self._play is None:
            raise IllegalMove("no_game", say("No game is open at this table. Open one first."))
        return self._play

    def _closing(self, *, abandon: bool) -> dict[str, Any]:
        play = self._opened()
        result = _result(play)
        if result is None and not abandon:
            raise IllegalMove(
                "not_finished",
                say("The open game is not finished. It stays open. Play it to its end, or put it away first."),
            )
        return {
            "game": play.game_id,
            "how": "abandoned" if result is None else "finished",
            "outcome": result,
        }

    def _opening(self, game_id: str | None, client_id: str | None) -> Event:
        """Return the event that opened a game, or the last one."""
        if client_id is not None and (done := self.journal.of_client(client_id)) and done.kind == OPENED:
            return done
        if game_id is not None:
            self._kept(game_id)
        elif (game_id := self._shelf.newest) is None:
            raise IllegalMove("no_game_before", say("No game was played at this table before. Open one first."))
        return next(self.journal.events(game_id))

    def _kept(self, game_id: Any) -> None:
        """Raise `InvalidInput` unless there is such a game, outside the bin."""
        game = self._shelf.games.get(game_id) if isinstance(game_id, str) else None
        if game is None:
            message = say("There is no game {game} in the list. Choose one that is there.", game=quoted(game_id))
            raise InvalidInput("unknown_game", message, "game")
        if game["deleted_at"]:
            message = say("This game is in the bin. Nothing was changed. Take it out of the bin first.")
            raise InvalidInput("in_bin", message, "game")

    def _resume(self, game_id: str) -> None:
        try:
            self._play = self._shown = folded(self.journal.events(game_id))
        except GameError as error:
            self._shelf.games[game_id]["status"] = "set aside"
            self.notice = say(
                "The game that was open cannot go on under these rules: {why} "
                "It is kept in the journal as {game}. Open a new one.",
                why=error.message,
                game=game_id,
            )

    def _publish(self) -> None:
        with self._lock:
            subscribers = list(self._subscribers)
        for callback in subscribers:
            try:
                callback()
            except Exception:
                _log.exception("a subscriber of the table failed; the table goes on")

    def _back_up(self) -> None:
        try:
            self.journal.backup()
        except JournalError as error:
            self.notice = error.message


def _result(play: Play) -> dict[str, Any] | None:
    """Return how a game ended, with everybody's points, None while it is played."""
    outcome = play.game.outcome(play.state)
    if outcome is None:
        return None
    detail = {"totals": list(play.game.running(play.state)), **outcome.detail}
    return {**outcome.as_json(), "detail": detail}


def _with_house_rules(game: Game[Any], setup: Mapping[str, Any]) -> dict[str, Any]:
    """Return `setup` with every house rule of the game and its value. Raises `InvalidInput` as the game does."""
    game.setup(setup)
    rules = game.house_rules_in(setup)
    return {**setup, "house_rules": rules} if rules else dict(setup)


def _plain(value: Any, field: str) -> Any:
    """Return `value` as the journal will give it back. Raises `InvalidInput`."""
    if not isinstance(value, Mapping):
        message = say("The field {field} must be a JSON object. Nothing was changed.", field=field)
        raise InvalidInput(f"bad_{field}", message, field)
    return json.loads(as_text(value, field))
