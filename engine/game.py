"""What a game is: setup, prompt, expectation, legal moves, apply, scoreboard, outcome; and the registry of games."""

from __future__ import annotations

import importlib
import json
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import engine
from engine.dice import COLOURS, Die, Shape
from engine.words import Sentence, quoted, row, say

if TYPE_CHECKING:
    from engine.rules import HouseRule

Move = Mapping[str, Any]
"""One confirmed act, a JSON object whose `move` names it; `docs/moves.md` lists every game's."""

State = TypeVar("State")

Place = tuple[float, float]
"""Where a die lies in a picture: x to the right and y down, in widths of a die."""

Below = Callable[[int], int]
"""Chance, which the rules do not have themselves: `below(n)` returns a whole number from 0 to n - 1."""


class GameError(ValueError):
    """Bad input or a wrong move, in the one error shape: a code, a sentence, and the field at fault."""

    def __init__(self, code: str, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field

    def as_json(self) -> dict[str, Any]:
        """Return the error; `field` is the path of what is at fault, empty when it is the whole."""
        return {"error": {"code": self.code, "message": self.message, "field": self.field or ""}}

    def move_into(self, outer: str) -> None:
        """Let the field, and the sentence where it names the path, say that all this lies in `outer`."""
        self.field = outer if self.field is None else f"{outer}.{self.field}"
        if isinstance(self.message, Sentence):
            paths = {name: Path(f"{outer}.{one}") for name, one in self.message.values.items() if isinstance(one, Path)}
            self.message = self.message.with_values(**paths) if paths else self.message
            self.args = (self.message,)


class Path(str):
    """The path of a field as it stands in a sentence."""

    __slots__ = ()


class InvalidInput(GameError):
    """Input that cannot be understood: a missing or ill-typed field, a value out of its range."""


class IllegalMove(GameError):
    """A move that can be understood but is against the rules now; the message names the rule."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """The dice the game waits for.

    `shapes` says how many dice of which shape; `colours` the most that can lie there of each colour
    (None: any colour); `purpose` is a sentence for the page. `dice` names each die by its shape and colour, where the
    colour goes with the shape.
    """

    shapes: Mapping[Shape, int]
    colours: Mapping[str, int] | None = None
    purpose: str = ""
    dice: Sequence[tuple[Shape, str]] | None = None

    @property
    def count(self) -> int:
        return sum(self.shapes.values())

    def as_json(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "shapes": {shape.value: count for shape, count in self.shapes.items()},
            "colours": dict(self.colours) if self.colours is not None else None,
            "purpose": self.purpose,
            "dice": None
            if self.dice is None
            else [{"shape": shape.value, "colour": colour} for shape, colour in self.dice],
        }


@dataclass(frozen=True, slots=True)
class Prompt:
    """What happens next: `seat` (an index, None when anybody may) should do `action`; `text` says so, `why` explains.

    `action` is `roll` (photograph the dice), any move's name, or `finished`.
    """

    action: str
    text: str
    seat: int | None = None
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"action": self.action, "text": self.text, "seat": self.seat, "why": self.why}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a finished game ended: `ranking` holds groups of seat indices, best first; a group shares its place."""

    ranking: tuple[tuple[int, ...], ...]
    text: str
    detail: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "ranking": [list(group) for group in self.ranking],
            "text": self.text,
            "detail": dict(self.detail),
        }


class Game(ABC, Generic[State]):
    """The rules of one game over an immutable `State`; no method changes the state it is given."""

    key: ClassVar[str]
    name: ClassVar[str]
    moves: ClassVar[Sequence[str]]
    """The names of every move the game knows."""
    highest_wins: ClassVar[bool] = True
    """Whether more points are better."""

    @abstractmethod
    def setup(self, setup: Mapping[str, Any]) -> State:
        """Return the first state of a game laid out by `setup` (a JSON object). Raises `InvalidInput`."""

    @abstractmethod
    def seats(self, state: State) -> Sequence[str]:
        """Return the players' names in seating order, clockwise."""

    @abstractmethod
    def prompt(self, state: State) -> Prompt:
        """Return what happens next."""

    @abstractmethod
    def expects(self, state: State) -> Expectation | None:
        """Return the dice that are to be rolled now, or None when no roll is waited for."""

    @abstractmethod
    def roll_move(self, state: State, dice: Sequence[Die], places: Sequence[Place] | None = None) -> Move:
        """Return the move that puts `dice`, as photographed and confirmed, into the game.

        `places` says where each lies in the picture, in widths of a die; not every game asks.
        """

    @abstractmethod
    def legal_moves(self, state: State) -> Iterable[Move]:
        """Yield every legal move that needs no dice from outside."""

    @abstractmethod
    def apply(self, state: State, move: Move) -> State:
        """Return the state after `move`. Raises `InvalidInput` or `IllegalMove`, and then nothing has changed."""

    def stands(self, before: State, move: Move, now: State) -> Move:
        """Return `move`, made in `before`, as it is made in `now`, where an earlier die reads differently or a turn is
        gone.

        A game overrides this when what people did at the table stands, whatever the rules would have made them do.
        """
        return move

    @abstractmethod
    def actor(self, state: State, move: Move) -> int | None:
        """Return the seat whose act `move` is, or None when anybody may make it."""

    @abstractmethod
    def describe(self, state: State, move: Move) -> str:
        """Return one sentence for the log about `move`, made in `state`."""

    @abstractmethod
    def correct(self, move: Move, die: int, to: Die) -> Move:
        """Return the rolling `move` with die number `die` (from 0) read as `to`. Raises `InvalidInput` otherwise."""

    @abstractmethod
    def scoreboard(self, state: State) -> dict[str, Any]:
        """Return the marks so far as JSON, every point with its reason; `players` has each `name` and `total`."""

    def running(self, state: State) -> Sequence[float | None]:
        """Return the points of each seat as they stand, None where they cannot be known yet, for a plot over the turns.

        A game overrides this where the totals of its scoreboard are not what people follow while they play.
        """
        return [player["total"] for player in self.scoreboard(state)["players"]]

    @abstractmethod
    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, or None while it is played."""

    @abstractmethod
    def view(self, state: State) -> dict[str, Any]:
        """Return what lies on the table as JSON, for pages."""

    @property
    @abstractmethod
    def house_rules(self) -> Sequence[HouseRule]:
        """Every switch that the rules leave open, each with its default first.

        `setup` takes them as an object `house_rules`, from a switch's key to its value.
        """

    def house_rules_in(self, setup: Mapping[str, Any]) -> dict[str, str | int]:
        """Return every house rule with its value in a game laid out by `setup`, which the game has taken.

        What `setup` leaves out has its default. A game overrides this when another key of its setup settles a switch.
        """
        given = setup.get("house_rules") or {}
        return {
            rule.key: rule.read(given[rule.key], f"house_rules.{rule.key}") if rule.key in given else rule.default
            for rule in self.house_rules
        }

    @abstractmethod
    def score(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the marks of final positions (`jurado score`). Raises `InvalidInput` naming the field."""

    def sample_setup(self, players: int) -> Mapping[str, Any]:
        """Return a setup for that many players that can be played to its end with nothing from outside but dice.

        A number of players that the game does not have is refused by `setup`, or here. Raises `InvalidInput`.
        """
        return {"players": [{"name": f"Player {seat + 1}"} for seat in range(players)]}

    def sample_roll(self, state: State, below: Below) -> Sequence[Die]:
        """Return dice as they could fall now, where `expects` waits for some; colours are drawn from those there are.

        A game overrides this when the colour of a die depends on its shape.
        """
        expects = self.expects(state)
        assert expects is not None
        colours = dict.fromkeys(COLOURS, expects.count) if expects.colours is None else expects.colours
        bag = [colour for colour, count in colours.items() for _ in range(count)]
        shapes = [shape for shape, count in expects.shapes.items() for _ in range(count)]
        return [Die(bag.pop(below(len(bag))), 1 + below(shape.faces), shape) for shape in shapes]

    def sample_move(self, state: State, below: Below) -> Move | None:
        """Return one of `legal_moves` by chance, None when there is none.

        A game with very many moves overrides this, so as not to list them all.
        """
        moves = list(self.legal_moves(state))
        return moves[below(len(moves))] if moves else None

    @abstractmethod
    def dump(self, state: State) -> str:
        """Return the whole state as one line of text; `load` gives the same state back, to the byte."""

    @abstractmethod
    def load(self, text: str) -> State:
        """Return the state that `dump` wrote. Raises `InvalidInput`."""


def canonical_json(value: Any) -> str:
    """Return `value` as one line of JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


MOST_PLAYERS = 8
"""No game of the house has more seats."""


def read_back(
    text: str, read: Callable[[Any], State], dump: Callable[[State], str], refusal: Callable[[], InvalidInput]
) -> State:
    """Return the state that `dump` wrote as `text`; `read` makes it from the parsed JSON.

    Raises `refusal()` for any text that `dump` cannot write, and the `InvalidInput` of `read` as it is.
    """
    try:
        state = read(json.loads(text))
        same = dump(state) == text
    except InvalidInput:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise refusal() from error
    if not same:
        raise refusal()
    return state


_REGISTRY: dict[str, Game[Any]] = {}


def register(game: Game[Any]) -> None:
    """Make `game` known by its key."""
    _REGISTRY[game.key] = game


@cache
def _found() -> None:
    """Import every package within `engine`: a game is a folder of its own that registers itself."""
    for found in pkgutil.iter_modules(engine.__path__):
        if found.ispkg:
            importlib.import_module(f"engine.{found.name}")


def games() -> Mapping[str, Game[Any]]:
    """Return every game that can be played, by its key."""
    _found()
    return dict(sorted(_REGISTRY.items()))


def sample_setups(game: Game[Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield each number of players that `game` can have, with a setup for it."""
    for players in range(1, MOST_PLAYERS + 1):
        try:
            setup = game.sample_setup(players)
            game.setup(setup)
        except InvalidInput:
            continue
        yield players, setup


def game_of(document: Mapping[str, Any]) -> Game[Any]:
    """Return the game that a document names. Raises `InvalidInput`."""
    if "game" not in document:
        raise InvalidInput(
            "missing_field",
            say("The document does not say which game it is. Known: {known}.", known=row(games())),
            "game",
        )
    return game_named(document["game"])


def game_named(key: Any) -> Game[Any]:
    """Return the game with this key. Raises `InvalidInput` naming the games there are."""
    known = games()
    if not isinstance(key, str) or key not in known:
        raise InvalidInput(
            "unknown_game",
            say("There is no game {key} here. The games are: {known}.", key=quoted(key), known=row(sorted(known))),
            "game",
        )
    return known[key]
