"""A real table: cards in hands, dice on the cloth and on cards, and the rulebook read again, without the engine.

It follows the moves as people do, step by step and as plainly as can be, and keeps its own score sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

FACES = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20}
CLOTH = "cloth"


class RealTable:
    """The things on a table of `players` people, with house rules as in a setup; `sheet` holds each round's points."""

    def __init__(self, players: int, devil: int, rules: Mapping[str, Any]) -> None:
        self.players, self.devil = players, devil
        self.reveal_time = rules.get("envy.when") == "reveal"
        self.penalty_copied = rules.get("envy.copies_penalty", "on") == "on"
        self.may_refuse = rules.get("lust.optional") == "on"
        self.white_costs = rules.get("wrath.white_counts", "on") == "on"
        self.hands = [{"greed", "gluttony", "envy", "lust", "pride", "sloth", "wrath"} for _ in range(players)]
        self.sheet: list[list[int]] = []
        self.clear()

    def clear(self) -> None:
        self.shows: dict[str, int] = {}
        self.lies: dict[str, Any] = dict.fromkeys(FACES, CLOTH)
        self.cards: list[tuple[int, str]] = []
        self.lost = [0] * self.players
        self.envied: dict[int, int] = {}
        self.thrown: set[str] = set()

    def loose(self) -> list[str]:
        return [die for die in FACES if self.lies[die] == CLOTH]

    def on_card(self, seat: int) -> int:
        return sum(self.shows[die] for die in FACES if self.lies[die] == seat)

    def follow(self, move: Mapping[str, Any]) -> None:
        """Do what `move` says."""
        getattr(self, move["move"])(move)
        if len(self.cards) == self.players and not self.thrown:
            self.end()

    def roll(self, move: Mapping[str, Any]) -> None:
        for die in move["dice"]:
            name = "white" if die["colour"] == "white" else die["shape"]
            self.shows[name] = die["value"]
        self.thrown = set()

    def again(self, move: Mapping[str, Any]) -> None:
        assert not self.cards
        if "die" not in move:
            self.shows = {}

    def reveal(self, move: Mapping[str, Any]) -> None:
        seat, sin = move["seat"], move["sin"]
        assert seat == (self.devil + len(self.cards)) % self.players
        self.hands[seat].remove(sin)
        self.cards.append((seat, sin))
        taken = move.get("dice", [])
        getattr(self, sin)(seat, taken)
        if sin != "wrath":
            for die in taken:
                self.lies[die] = seat

    def greed(self, seat: int, taken: list[str]) -> None:
        pairs = [pair for pair in permutations(self.loose(), 2) if self.shows[pair[0]] == self.shows[pair[1]]]
        assert tuple(taken) in pairs if pairs else not taken

    def gluttony(self, seat: int, taken: list[str]) -> None:
        assert len(taken) == min(1, len(self.loose()))
        assert not taken or self.shows[taken[0]] == max(self.shows[die] for die in self.loose())

    def envy(self, seat: int, taken: list[str]) -> None:
        assert not taken
        first, sin = self.cards[0]
        lost = self.lost[first] if self.penalty_copied else 0
        self.envied[seat] = 0 if sin == "envy" else self.on_card(first) - lost

    def lust(self, seat: int, taken: list[str]) -> None:
        odd = [die for die in FACES if self.shows[die] % 2]
        even = [die for die in FACES if not self.shows[die] % 2]
        found = [{one, two} for one in odd for two in even if CLOTH in (self.lies[one], self.lies[two])]
        assert set(taken) in found if taken else self.may_refuse or not found

    def sloth(self, seat: int, taken: list[str]) -> None:
        assert len(taken) == min(1, len(self.loose()))
        assert not taken or self.lies[taken[0]] == CLOTH

    def wrath(self, seat: int, taken: list[str]) -> None:
        assert len(taken) == 1
        self.thrown = set(taken)

    def knock(self, move: Mapping[str, Any]) -> None:
        self.thrown.add(move["die"])

    def fall(self, move: Mapping[str, Any]) -> None:
        die = move["die"]
        self.thrown.add(die)
        if die != "white" or self.white_costs:
            self.lost[self.cards[-1][0]] += move.get("value", self.shows[die])

    def proud(self) -> list[int]:
        return [seat for seat, sin in self.cards if sin == "pride"]

    def pride(self, move: Any, taken: list[str] | None = None) -> None:
        """A card of Pride is laid down, or later its player takes a die."""
        if taken is not None:
            assert not taken
            return
        assert self.lies[move["die"]] == CLOTH
        fewest = min(self.proud(), key=lambda seat: sum(lies == seat for lies in self.lies.values()))
        assert move["seat"] == fewest
        self.lies[move["die"]] = move["seat"]

    def end(self) -> None:
        """Write the round down once no proud player has anything to choose."""
        proud = self.proud()
        while proud and self.loose():
            if len(proud) > 1 and len(self.loose()) > 1:
                return
            next_one = min(proud, key=lambda seat: sum(lies == seat for lies in self.lies.values()))
            self.lies[self.loose()[0]] = next_one
        first, first_sin = self.cards[0]
        points = {seat: self.on_card(seat) - self.lost[seat] for seat, _ in self.cards}
        if first_sin == "envy":
            points[first] = 0
        for seat, sin in self.cards:
            if sin == "envy" and seat != first:
                now = points[first] + (0 if self.penalty_copied else self.lost[first])
                points[seat] = self.envied[seat] if self.reveal_time else now
        least = min(points.values())
        written = [points[seat] + (self.shows["white"] if points[seat] == least else 0) for seat in range(self.players)]
        self.sheet.append(written)
        lowest = [seat for seat, _ in self.cards if written[seat] == min(written)]
        self.devil = proud[-1] if proud else lowest[-1]
        self.clear()
