"""One game in play, as its events tell it: its turns, its log, and what an undo or a correction would make of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.dice import DiceError, Die, Shape
from engine.game import Game, GameError, IllegalMove, InvalidInput, Move, game_named
from engine.journal import Event
from engine.words import Sentence, joined, named, quoted, row, say, say_many

OPENED, CLOSED, REOPENED = "game.opened", "game.closed", "game.reopened"
MOVE, UNDO, CORRECT = "move", "undo", "correct"
STRIP, COLOURS, DECK = "strip", "colours", "deck"
HEARD = "heard"
NOTED, DELETED, RESTORED = "game.noted", "game.deleted", "game.restored"
VOID = "roll.void"
_NOTES = {
    CLOSED: say("The game is put away."),
    REOPENED: say("The game goes on."),
    DECK: say("The table's list of cards is changed."),
    NOTED: say("The notes on the game are changed."),
    DELETED: say("The game is put into the bin."),
    RESTORED: say("The game is taken out of the bin."),
}
VOID_REASONS = {
    "bump": say("the table or a die was bumped"),
    "fell": say("a die fell off the table"),
    "leaning": say("a die leaned against something"),
    "other": "",
}
"""Why a roll that was photographed does not count, in words; `other` says nothing more."""


class LaterMoveIllegal(IllegalMove):
    """The move `seq`, made after what was to be undone or corrected, would be against the rules; `given` names that."""

    def __init__(self, given: str, seq: int, move: str, error: GameError) -> None:
        super().__init__(
            "later_move_illegal",
            say(
                "{given}, a later move would be against the rules, so nothing was changed. "
                "It is move {seq}, “{move}”: {why} Undo back to that move first.",
                given=given,
                seq=seq,
                move=move,
                why=error.message,
            ),
            error.field,
        )
        self.given = given
        self.seq = seq


@dataclass(frozen=True, slots=True)
class Turn:
    """One move that counts, the state after it, and its sentence for the log."""

    seq: int
    move: Move
    after: Any
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log; an undone or corrected move keeps its line, marked."""

    seq: int
    at: str
    by: int | str | None
    kind: str
    text: str
    move: Move | None = None
    division: str | None = None
    """Whose strip was copied, in such a line."""
    undone: bool = False
    corrected: bool = False
    turns: tuple[int, ...] | None = None
    """Which turns were undone or corrected, in such a line."""

    def as_json(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "at": self.at,
            "by": self.by,
            "kind": self.kind,
            "text": self.text,
            "move": self.move,
            "undone": self.undone,
            "corrected": self.corrected,
            **({} if self.division is None else {"division": self.division}),
            **({} if self.turns is None else {"turns": list(self.turns)}),
        }


@dataclass(frozen=True, slots=True)
class Change:
    """What an event would do: from turn number `since` on, `turns` take the place of those there are."""

    kind: str
    payload: dict[str, Any]
    since: int
    turns: tuple[Turn, ...]
    undone: frozenset[int] = frozenset()
    corrected: frozenset[int] = frozenset()
    text: str = ""


@dataclass(slots=True)
class Play:
    """A game from its opening on. `plan…` says what an act would change, or raises; `take` changes it.

    `heard` is what was read aloud last: the part of the game, and how many of its marks.
    """

    game_id: str
    game: Game[Any]
    setup: Mapping[str, Any]
    first: Any
    turns: list[Turn] = field(default_factory=list)
    entries: dict[int, Entry] = field(default_factory=dict)
    heard: tuple[str, int] = ("", 0)

    @classmethod
    def opened(cls, event: Event) -> Play:
        """Return the game that an opening event lays out. Raises `InvalidInput`."""
        game = game_named(event.payload["key"])
        setup = event.payload["setup"]
        play = cls(str(event.game_id), game, setup, game.setup(setup))
        play.note(event, say("{game} begins: {players}.", game=game.name, players=row(game.seats(play.first))))
        return play

    @property
    def state(self) -> Any:
        return self.turns[-1].after if self.turns else self.first

    @property
    def moves(self) -> list[Move]:
        """The moves that count, as corrected."""
        return [turn.move for turn in self.turns]

    def scores(self) -> list[tuple[int | None, tuple[float | None, ...]]]:
        """Return the points of each seat at the beginning and after each turn that counts, with the turn's `seq`."""
        states = [(None, self.first), *((turn.seq, turn.after) for turn in self.turns)]
        return [(seq, tuple(self.game.running(state))) for seq, state in states]

    def roller(self) -> int | None:
        """Return the seat that is to roll now, None when that is nobody's."""
        asked = self.game.prompt(self.state)
        return asked.seat if asked.action == "roll" else None

    def plan(self, kind: str, payload: Mapping[str, Any]) -> Change:
        """Return what a move, an undo or a correction, as written in the journal, changes. Raises `GameError`."""
        if kind == MOVE:
            return self.plan_move(payload["move"])
        if kind == UNDO:
            return self.plan_undo(payload["turns"])
        return self.plan_correction(payload["seq"], payload["die"], payload["to"])

    def plan_move(self, move: Move) -> Change:
        if not isinstance(move, Mapping):
            raise not_a_move("move")
        turn = self._turn(0, move, self.state)
        return Change(MOVE, {"move": move}, len(self.turns), (turn,), text=turn.text)

    def last_turns(self, count: int) -> list[int]:
        """Return the event numbers of the last `count` turns. Raises `IllegalMove` when there are fewer."""
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise InvalidInput("bad_count", say("The number of turns to undo must be 1 or more."), "count")
        if count > len(self.turns):
            if self.turns:
                there_are = say("only {count} can in this game.", count=len(self.turns))
            else:
                there_are = say("none can in this game.")
            message = say_many(
                "{count} turn cannot be undone: {there_are} Nothing was changed.",
                "{count} turns cannot be undone: {there_are} Nothing was changed.",
                count,
                there_are=there_are,
            )
            raise IllegalMove("nothing_to_undo", message, "count")
        return [turn.seq for turn in self.turns[-count:]]

    def plan_undo(self, seqs: Sequence[int]) -> Change:
        """Return the game without the turns `seqs`; those after are played again."""
        indices = [self._index(seq) for seq in seqs]
        since = min(indices)
        kept = [index for index in range(since, len(self.turns)) if self.turns[index].seq not in seqs]
        turns = self._again(self._before(since), kept, say("Without that turn"))
        gone = [self.turns[index].text for index in sorted(indices)]
        if len(gone) <= 3:
            text = say("Undone: {turns}", turns=joined(*gone))
        else:
            text = say("Undone: the last {count} turns.", count=len(gone))
        return Change(UNDO, {"turns": list(seqs)}, since, turns, undone=frozenset(seqs), text=text)

    def plan_correction(self, seq: int, die: int, to: Mapping[str, Any]) -> Change:
        """Return the game with die `die` (from 0) of the roll `seq` read as `to`, and later turns played again."""
        index = self._index(seq)
        new = die_from_json(to)
        old_move = self.turns[index].move
        move = self.game.correct(old_move, die, new)
        if move == old_move:
            raise IllegalMove(
                "nothing_to_correct", say("That die already is {die}. Nothing was changed.", die=_short(to)), "to"
            )
        later = range(index + 1, len(self.turns))
        roll = self._turn(seq, move, self._before(index))
        turns = (roll, *self._again(roll.after, later, say("With that correction")))
        text = _corrected(self._call(index), die, old_move, to)
        payload = {"seq": seq, "die": die, "to": die_to_json(new)}
        return Change(CORRECT, payload, index, turns, corrected=frozenset([seq]), text=text)

    def take(self, change: Change, event: Event) -> None:
        """Make `change` happen, as the event on the disk says."""
        turns = [replace(turn, seq=event.seq) if turn.seq == 0 else turn for turn in change.turns]
        self.turns[change.since :] = turns
        for turn in turns:
            if turn.seq in self.entries:
                self.entries[turn.seq] = replace(self.entries[turn.seq], text=turn.text, move=turn.move)
        for seq in change.undone:
            self.entries[seq] = replace(self.entries[seq], undone=True)
        for seq in change.corrected:
            self.entries[seq] = replace(self.entries[seq], corrected=True)
        about = None if change.kind == MOVE else tuple(sorted(change.undone | change.corrected))
        self.note(event, change.text, turns[0].move if change.kind == MOVE else None, turns=about)

    def follow(self, event: Event) -> None:
        """Let the next event of this game happen. Raises `GameError` when these rules do not allow it."""
        if event.kind in (MOVE, UNDO, CORRECT):
            self.take(self.plan(event.kind, event.payload), event)
        elif event.kind == STRIP:
            division = event.payload["division"]
            self.note(event, say("The strip of division {division} is copied.", division=division), division=division)
        elif event.kind == COLOURS:
            self.note(event, say("The colours are {colours}.", colours=row(map(named, event.payload["colours"]))))
        elif event.kind == HEARD:
            self.heard = event.payload["part"], event.payload["step"]
        elif event.kind == VOID:
            self.note(event, self._void(event.payload["reason"]))
        else:
            self.note(event, _NOTES.get(event.kind, event.kind))

    def note(
        self,
        event: Event,
        text: str,
        move: Move | None = None,
        *,
        division: str | None = None,
        turns: tuple[int, ...] | None = None,
    ) -> None:
        """Add a line to the log."""
        by = event.payload.get("by")
        self.entries[event.seq] = Entry(event.seq, event.at, by, event.kind, text, move, division, turns=turns)

    def _void(self, reason: str) -> str:
        """Return the log's sentence about a roll that does not count."""
        seat, why = self.game.prompt(self.state).seat, VOID_REASONS.get(reason)
        whose = say("A roll") if seat is None else say("{name}'s roll", name=self.game.seats(self.state)[seat])
        if not why:
            return say("{roll} does not count.", roll=whose)
        return say("{roll} does not count: {why}.", roll=whose, why=why)

    def _turn(self, seq: int, move: Move, before: Any) -> Turn:
        after = self.game.apply(before, move)
        return Turn(seq, move, after, self.game.describe(before, move))

    def _before(self, index: int) -> Any:
        return self.turns[index - 1].after if index else self.first

    def _again(self, state: Any, indices: Sequence[int], given: str) -> tuple[Turn, ...]:
        """Return the turns `indices` made again from `state` on. Raises `IllegalMove`."""
        turns: list[Turn] = []
        for index in indices:
            seq = self.turns[index].seq
            try:
                move = self.game.stands(self._before(index), self.turns[index].move, state)
                turns.append(self._turn(seq, move, state))
            except GameError as error:
                raise LaterMoveIllegal(given, seq, self.entries[seq].text, error) from error
            state = turns[-1].after
        return tuple(turns)

    def _index(self, seq: Any) -> int:
        for index in range(len(self.turns) - 1, -1, -1):
            if self.turns[index].seq == seq:
                return index
        if seq in self.entries and self.entries[seq].undone:
            raise IllegalMove(
                "already_undone", say("Move {seq} is undone already. Nothing was changed.", seq=seq), "seq"
            )
        raise InvalidInput(
            "unknown_turn", say("This game has no move {seq}. Nothing was changed.", seq=quoted(seq)), "seq"
        )

    def _call(self, index: int) -> str:
        """Return what people call a turn: "Ana's roll 3"."""
        turn = self.turns[index]
        name = turn.move["move"]
        number = sum(1 for other in self.turns[: index + 1] if other.move["move"] == name)
        before = self._before(index)
        seat = self.game.actor(before, turn.move)
        if seat is None:
            seat = self.game.prompt(before).seat
        if seat is None:
            return say("{move} {number}", move=str(name).capitalize(), number=number)
        return say("{name}'s {move} {number}", name=self.game.seats(self.first)[seat], move=named(name), number=number)


def folded(events: Iterable[Event]) -> Play:
    """Return the game that its own events, in order, add up to. Raises `GameError`."""
    steps = iter(events)
    opening = next(steps, None)
    if opening is None or opening.kind != OPENED:
        message = say("There is no such game in the journal. Choose one of those that jurado export lists.")
        raise InvalidInput("unknown_game", message, "game")
    play = Play.opened(opening)
    for event in steps:
        play.follow(event)
    return play


def die_from_json(value: Any) -> Die:
    """Return the die that `{"colour", "value"}` (and `shape`, else d6) stands for. Raises `InvalidInput`."""
    if not isinstance(value, Mapping):
        example = '{"colour": "red", "value": 5}'
        raise InvalidInput("bad_die", say("A die is an object such as {example}.", example=example), "to")
    try:
        return Die(value["colour"], value["value"], Shape(value.get("shape", "d6")))
    except KeyError as error:
        raise InvalidInput(
            "bad_die", say("The die lacks its {field}.", field=error.args[0]), f"to.{error.args[0]}"
        ) from error
    except DiceError as error:
        raise InvalidInput("bad_die", error.args[0], "to") from error
    except ValueError as error:
        raise InvalidInput(
            "bad_die",
            say("{given} is no shape of a die. It is one of {known}.", given=quoted(value["shape"]), known=row(Shape)),
            "to.shape",
        ) from error


def die_to_json(die: Die) -> dict[str, Any]:
    """Return the die as `die_from_json` takes it."""
    return {"colour": die.colour, "value": die.value, "shape": die.shape.value}


def not_a_move(field: str | None = None) -> InvalidInput:
    """Return the complaint about a move that is no object."""
    example = '{"move": "roll", …}'
    return InvalidInput("bad_move", say("A move is an object such as {example}.", example=example), field)


def _short(die: Mapping[str, Any]) -> Sentence:
    return say("{colour} {value}", colour=named(die["colour"]), value=die["value"])


def _corrected(turn: str, die: int, move: Move, to: Mapping[str, Any]) -> Sentence:
    """Return the log's sentence for die number `die` (from 0) of `move`, which is now read as `to`."""
    try:
        was = _short(move["dice"][die])
    except (KeyError, IndexError, TypeError):
        return say("{turn}: die {number} is now {die}.", turn=turn, number=die + 1, die=_short(to))
    return say("{turn}: die {number} was {was}, now {die}.", turn=turn, number=die + 1, was=was, die=_short(to))
