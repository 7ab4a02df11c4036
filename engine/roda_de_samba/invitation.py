"""Inviting: which instruments a sambist needs, which of them a circle has, and what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.roda_de_samba.cards import ANY_OF, Sambist, folded
from engine.roda_de_samba.circle import Circle, space_of, stacks
from engine.roda_de_samba.deck import Deck
from engine.words import listed, named, say, say_many


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a sambist would come: `met` is None when the needs are not all known; `missing` is what lacks, in words.

    `wild` says that the sambist on top helps with one instrument that is missing.
    """

    met: bool | None
    missing: tuple[str, ...] = ()
    wild: bool = False

    def as_json(self) -> dict[str, Any]:
        return {"met": self.met, "missing": list(self.missing), "wild": self.wild, "why": self.why}

    @property
    def why(self) -> str:
        if self.met is None:
            return say("Not all that this sambist needs is known yet.")
        if not self.met:
            return say("Missing: {instruments}.", instruments=listed(self.missing))
        if self.wild:
            return say("The sambist on top helps with any instrument, and that is enough.")
        return say("Every instrument that is needed lies in the circle.")


Offer = tuple[str, str | None]
"""An instrument that can meet one need: its folded name and its colour, None when that is not known."""


def answer(sambist: Sambist, circle: Circle, active: Sambist | None, deck: Deck, *, copies: bool = False) -> Answer:
    """Return whether `sambist` would come into `circle`, where `active` is the sambist on top.

    Each need takes an instrument of its own (R13); with `copies` each card of a stack is one. The instrument that the
    active sambist brings counts as one more, unless the circle has it. Help with any instrument covers one need.
    """
    if sambist.needs is None:
        return Answer(None)
    missing = unmet(sambist.needs, offers(circle, active, deck, copies=copies))
    wild = bool(missing) and active is not None and helps(active, sambist)
    if len(missing) > wild:
        return Answer(False, needs_words(missing), wild)
    return Answer(True if sambist.needs_told else None, (), wild)


def helps(active: Sambist, sambist: Sambist) -> bool:
    """Tell whether the sambist on top helps to invite `sambist`; when nobody has told a woman or not, yes."""
    return active.helps == "any" or (active.helps == "women" and sambist.woman is not False)


def offers(circle: Circle, active: Sambist | None, deck: Deck, *, copies: bool) -> list[Offer]:
    """Return the instruments that can meet needs."""
    there: list[Offer] = [
        (folded(stack.instrument), stack.colour)
        for stack in stacks(circle)
        for _ in range(len(stack.numbers) if copies else 1)
    ]
    brought = active.brings if active is not None else None
    if brought is not None and (copies or space_of(circle, brought.instrument) is None):
        there.append((folded(brought.instrument), deck.colour_brought(brought)))
    return there


def unmet(needs: Sequence[str], there: Sequence[Offer]) -> list[str]:
    """Return the needs that stay open when as many as possible are met, each by an offer of its own."""
    taken: dict[int, int] = {}

    def meet(need: int, tried: set[int]) -> bool:
        for at, offer in enumerate(there):
            if at in tried or not _fits(needs[need], offer):
                continue
            tried.add(at)
            if at not in taken or meet(taken[at], tried):
                taken[at] = need
                return True
        return False

    named_first = sorted(range(len(needs)), key=lambda at: needs[at].startswith(ANY_OF))
    met = {need for need in named_first if meet(need, set())}
    return [needs[at] for at in range(len(needs)) if at not in met]


def needs_words(needs: Iterable[str]) -> tuple[str, ...]:
    """Return needs as people say them, like ones together."""
    return tuple(_need_words(need, count) for need, count in Counter(needs).items())


def _need_words(need: str, count: int) -> str:
    if need.startswith(ANY_OF):
        return say_many(
            "one instrument in {colour}",
            "{count} instruments in {colour}",
            count=count,
            colour=named(need[len(ANY_OF) :]),
        )
    return need if count == 1 else say("{count} times {instrument}", count=count, instrument=need)


def _fits(need: str, offer: Offer) -> bool:
    name, colour = offer
    return need == f"{ANY_OF}{colour}" if need.startswith(ANY_OF) else folded(need) == name
