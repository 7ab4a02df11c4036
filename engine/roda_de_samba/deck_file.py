"""A deck as a TOML file: read, written, and the two that come with the house."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from engine.game import InvalidInput
from engine.roda_de_samba.deck import Deck, read_deck
from engine.words import say

SHIPPED = ("example", "rulebook")
"""A deck that is made up, to try the game; and the few names that the rulebook gives, to begin one's own."""


@cache
def shipped_deck(name: str) -> Deck:
    """Return the deck of the house called `name`, one of `SHIPPED`."""
    path = resources.files("engine.roda_de_samba").joinpath("decks", f"{name}.toml")
    return deck_from_toml(path.read_text(encoding="utf-8"))


def deck_from_toml(text: str) -> Deck:
    """Return the deck written in a TOML file. Raises `InvalidInput` naming the line or the field."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(
            "bad_toml", say("This is no TOML file: {error}. Correct that line.", error=str(error)), "deck"
        ) from error
    return read_deck(document)


def deck_to_toml(deck: Deck) -> str:
    """Return `deck` as a TOML file that `deck_from_toml` reads back; what is not known is left out."""
    document = deck.as_json()
    lines = [_line(key, value) for key, value in document.items() if not isinstance(value, list)]
    for kind in ("instruments", "sambists"):
        for card in document[kind]:
            lines += ["", f"[[{kind}]]", *(_line(key, value) for key, value in card.items())]
    return "\n".join(line for line in lines if line is not None) + "\n"


def _line(key: str, value: Any) -> str | None:
    return None if value is None or value == "" else f"{key} = {_value(value)}"


def _value(value: Any) -> str:
    """Return a value in TOML; its strings, numbers and truths are written as JSON writes them in ASCII."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(one)}' for key, one in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return _string(value) if isinstance(value, str) else json.dumps(value)


def _string(text: str) -> str:
    """Return a basic string: JSON's escapes are TOML's, and only U+007F must be escaped besides."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
