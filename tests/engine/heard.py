"""What a game says, kept for a test to read: every sentence, and every complaint."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.game import GameError
from engine.words import Sentence


def sentences(value: Any) -> Iterator[Sentence]:
    """Yield every sentence in a JSON-like value."""
    if isinstance(value, Sentence):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from sentences(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from sentences(one)


class Said:
    """The sentences that were said: each with what said it, and complaints with their code and field."""

    def __init__(self) -> None:
        self.sentences: dict[Sentence, str] = {}
        self.plain: set[str] = set()
        self.complaints: dict[tuple[str, str], GameError] = {}

    def hear(self, source: str, value: Any) -> None:
        """Keep every sentence in `value`, any JSON-like structure."""
        for one in sentences(value):
            self.sentences.setdefault(one, source)

    def tries(self, source: str, act: Callable[[], Any]) -> Any:
        """Return what `act` returns, or None when it complains; keep what it says."""
        try:
            result = act()
        except GameError as error:
            if not isinstance(error.message, Sentence):
                self.plain.add(error.message)
            self.hear(f"{source}: {error.code}", error.message)
            self.complaints[source, error.code] = error
            return None
        self.hear(source, result)
        return result
