"""A table with real cards, played by chance: hidden hands, shuffled decks, and the rulebook written down a second time.

It knows nothing of the engine. `Table.turn` plays a turn and yields what people at the table would enter, move by move.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

Card = tuple[str, int]
MALANDRO: Card = ("malandro", 0)


@dataclass
class Player:
    hand: list[Card] = field(default_factory=list)
    circle: list[tuple[str, list[int]] | None] = field(default_factory=lambda: [None] * 10)
    invited: list[str] = field(default_factory=list)
    charmed: str | None = None


class Table:
    """Players, their hands and circles, both decks, the piles; `deck` is a complete deck as JSON."""

    def __init__(self, deck: Mapping[str, Any], players: int, chance: random.Random) -> None:
        self.chance = chance
        self.colour = {one["name"]: one["colour"] for one in deck["instruments"]}
        self.sambist = {one["name"]: one for one in deck["sambists"]}
        self.cards = [(one["name"], number) for one in deck["instruments"] for number in one["numbers"]]
        self.cards += [MALANDRO] * deck["malandros"]
        chance.shuffle(self.cards)
        self.sambists = list(self.sambist)
        chance.shuffle(self.sambists)
        self.open = [self.sambists.pop() for _ in range(4)]
        self.players = [Player([self.cards.pop() for _ in range(5)]) for _ in range(players)]
        while self.cards[-1] == MALANDRO:
            chance.shuffle(self.cards)
        first = self.cards.pop()
        self.first = first
        self.piles: dict[str, list[Card]] = {self.colour[first[0]]: [first]}
        self.swapped: list[str] = []  # on top of the sambists' deck, seen by everybody
        self.ending = False

    def turn(self, seat: int) -> Iterator[dict[str, Any]]:
        """Play a turn, and yield each move as it is made; cards are named as plainly as a complete deck allows."""
        me = self.players[seat]
        yield self._draw(seat, me)
        if (played := self._play(seat, me)) is not None:
            yield played
            if (invited := self._invite(seat, me)) is not None:
                sambist = self.sambist[invited["sambist"]]
                yield invited
                yield from self._discard(seat, me, spared=sambist["action"] in ("no_discard", "malandro"))
                return
        yield from self._discard(seat, me, spared=False)

    def _draw(self, seat: int, me: Player) -> dict[str, Any]:
        move = {"move": "draw", "seat": seat}
        if self.piles and (not self.cards or self.chance.random() < 0.3):
            colour = self.chance.choice(list(self.piles))
            me.hand += self.piles.pop(colour)
            return {**move, "from": "pile", "colour": colour}
        if not self.cards:
            return {**move, "from": "nothing"}
        got = [self.cards.pop() for _ in range(min(2, len(self.cards)))]
        me.hand += got
        self._settle()
        return {**move, "from": "deck", "last": not self.cards, "count": len(got)}

    def _play(self, seat: int, me: Player) -> dict[str, Any] | None:
        lie = {stack[0]: space for space, stack in enumerate(me.circle) if stack}
        free = [space for space, stack in enumerate(me.circle) if stack is None]
        names = sorted({name for name, _ in me.hand if name != "malandro" and (name in lie or free)})
        if not names:
            return None
        name = self.chance.choice(names)
        numbers = sorted(number for one, number in me.hand if one == name)
        numbers = numbers if self.chance.random() < 0.8 else numbers[:1]
        for number in numbers:
            me.hand.remove((name, number))
        space = lie[name] if name in lie else self.chance.choice(free)
        stack = me.circle[space]
        me.circle[space] = (name, sorted([*(stack[1] if stack else []), *numbers]))
        self._settle()
        return {"move": "play", "seat": seat, "instrument": name, "numbers": numbers, "space": space}

    def comes(self, me: Player, name: str) -> bool:
        """Tell whether the needs on the card are met: each by an instrument of its own, one perhaps by a helper."""
        needs = self.sambist[name]["needs"]
        there = [stack[0] for stack in me.circle if stack]
        top = self.sambist[me.invited[-1]] if me.invited else None
        if top and top["brings"]:
            brought = top["brings"] if isinstance(top["brings"], str) else top["brings"]["instrument"]
            there += [] if brought in there else [brought]
        whom = top["helps"] if top else None
        there += ["anything"] if whom == "any" or (whom == "women" and self.sambist[name]["woman"]) else []

        def meets(instrument: str, need: str) -> bool:
            return instrument in ("anything", need) or need == f"?{self.colour.get(instrument)}"

        return any(all(map(meets, some, needs)) for some in permutations(there, len(needs)))

    def _invite(self, seat: int, me: Player) -> dict[str, Any] | None:
        may = [name for name in (*self.open, *([me.charmed] if me.charmed else [])) if self.comes(me, name)]
        if not may or self.chance.random() < 0.1:
            return None
        name = self.chance.choice(may)
        move: dict[str, Any] = {"move": "invite", "seat": seat, "sambist": name}
        if name == me.charmed:
            me.charmed = None
        elif (opened := self._replace(name)) is not None:
            move["opened"] = opened
        me.invited.append(name)
        action = self.sambist[name]["action"]
        if action == "draw" and self.cards:
            me.hand.append(self.cards.pop())
            self._settle()
        if action == "malandro" and (charm := self._charm(me)) is not None:
            move["charm"] = charm
        return move

    def _replace(self, name: str) -> str | None:
        """Take a sambist off the table, open the next one there, and return it."""
        place = self.open.index(name)
        if not self.sambists:
            del self.open[place]
            return None
        self.open[place] = self._top()
        return self.open[place]

    def _top(self) -> str:
        top = self.sambists.pop()
        if top in self.swapped:
            self.swapped.remove(top)
        return top

    def _charm(self, me: Player) -> dict[str, Any] | None:
        before = me.charmed
        if self.sambists and (not self.open or self.chance.random() < 0.4):
            me.charmed = self._top()
            if before:
                self.sambists.append(before)
                self.swapped.append(before)
            return {"from": "deck", "sambist": me.charmed}
        if not self.open:
            return None
        name = self.chance.choice(self.open)
        charm = {"from": "table", "sambist": name}
        if before:
            self.open[self.open.index(name)] = before
        elif (opened := self._replace(name)) is not None:
            charm["opened"] = opened
        me.charmed = name
        return charm

    def _discard(self, seat: int, me: Player, *, spared: bool) -> Iterator[dict[str, Any]]:
        may = [card for card in me.hand if (self.piles if card == MALANDRO else not spared)]
        if not may or (spared and self.chance.random() < 0.5):
            yield {"move": "end_turn", "seat": seat}
            return
        card = self.chance.choice(may)
        me.hand.remove(card)
        move: dict[str, Any] = {"move": "discard", "seat": seat}
        if card != MALANDRO:
            self.piles.setdefault(self.colour[card[0]], []).append(card)
            yield {**move, "card": {"instrument": card[0], "number": card[1]}}
            return
        colour = self.chance.choice(list(self.piles))
        self.piles[colour].append(card)
        charm = self._charm(me)
        yield {**move, "card": "malandro", "pile": colour} | ({} if charm is None else {"charm": charm})

    def _settle(self) -> None:
        full = any(all(player.circle) for player in self.players)
        self.ending = self.ending or full or not self.cards

    def total(self, me: Player) -> int:
        """Return the fame points: stars and colour bonuses, less two for each pair of neighbours that cross."""
        points = 0
        for name in me.invited:
            card = self.sambist[name]
            points += card["stars"]
            bonuses = card["colour_bonus"] or []
            for bonus in bonuses if isinstance(bonuses, list) else [bonuses]:
                mine = [stack for stack in me.circle if stack and self.colour[stack[0]] == bonus["colour"]]
                count = {"card": sum(len(one[1]) for one in mine), "space": len(mine), "fixed": 1}[bonus["per"]]
                points += bonus["points"] * count
        for one, other in zip(me.circle, [*me.circle[1:], me.circle[0]], strict=True):
            if one and other and self.colour[one[0]] != self.colour[other[0]] and not {*one[1]} & {*other[1]}:
                points -= 2
        return points

    def cards_in(self, me: Player) -> int:
        return sum(len(stack[1]) for stack in me.circle if stack)
