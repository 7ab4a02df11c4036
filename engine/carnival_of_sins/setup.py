"""How a game is laid out: the players and where they sit, who has the Devil Card first, the house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import fields
from engine.carnival_of_sins.house_rules import BY_THE_BOOK, HouseRules, read_house_rules
from engine.game import InvalidInput
from engine.words import say

SETUP_KEYS = ("players", "devil", "house_rules")
PLAYER_KEYS = ("name", "angle")

FEWEST, MOST = 2, 5


@dataclass(frozen=True, slots=True)
class Player:
    """A name, and where it sits: `angle` in degrees clockwise from the picture's top edge, None when not told."""

    name: str
    angle: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything settled before the first roll; `devil` is the seat that rolls first."""

    players: tuple[Player, ...]
    devil: int = 0
    rules: HouseRules = BY_THE_BOOK

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def as_json(self) -> dict[str, Any]:
        """Return the setup as `read_setup` reads it."""
        return {
            "players": [{"name": player.name, "angle": player.angle} for player in self.players],
            "devil": self.devil,
            "house_rules": self.rules.as_json(),
        }


def read_setup(value: Any, field: str = "") -> Setup:
    """Return the setup written as JSON. Raises `InvalidInput` naming the field."""
    given = fields.record(value, field, needs=("players",), may=SETUP_KEYS[1:], what=say("The setup"))
    where = fields.inside(field, "players")
    players = tuple(
        _read_player(player, fields.inside(where, at))
        for at, player in enumerate(fields.entries(given["players"], where, of=say("players")))
    )
    check_players([player.name for player in players], where, ".name")
    devil = given.get("devil")
    return Setup(
        players,
        0 if devil is None else fields.seat(devil, fields.inside(field, "devil"), len(players)),
        read_house_rules(given.get("house_rules"), fields.inside(field, "house_rules")),
    )


def _read_player(value: Any, field: str) -> Player:
    given: Mapping[str, Any] = fields.record(value, field, needs=("name",), may=PLAYER_KEYS[1:])
    angle = given.get("angle")
    if angle is not None:
        angle = fields.whole(angle, fields.inside(field, "angle"), low=0, high=359, what=say("An angle"))
    return Player(fields.name(given["name"], fields.inside(field, "name")), angle)


def check_players(names: Sequence[str], field: str, inside: str = "") -> None:
    """Complain when that many cannot play, or about the first name that is there twice."""
    if not FEWEST <= len(names) <= MOST:
        raise InvalidInput(
            "wrong_number_of_players",
            say(
                "Carnival of Sins is for {fewest} to {most} players, not {count}. Name as many.",
                fewest=FEWEST,
                most=MOST,
                count=len(names),
            ),
            field,
        )
    fields.check_names(names, field, inside)
