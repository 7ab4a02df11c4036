"""A deck as a TOML file: read, written, and the two that come with the house."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

from engine.game import InvalidInput
from engine.roda_de_samba.deck import Deck, read_deck
from engine.words import say

SHIPPED = ("example", "rulebook")
"""A deck that is made up, to try the game; and the few names that the rulebook gives, to begin one's own."""

EXAMPLE_NOTE = say("This deck is an example and made up. The cards of your box are others: copy them to play for real.")
"""What the note of the example says, here as well so that it is told in every language."""

_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)$")
_TWICE = re.compile("Cannot overwrite|Cannot declare|Cannot mutate|Duplicate")
_CARD = re.compile(r"\s*\[\[\s*(instruments|sambists)\s*\]\]")
_PART = re.compile(r"\s*\[\s*(?:instruments|sambists)\s*\.\s*(\w+)")
_TABLE = re.compile(r"\s*\[\[?\s*([\w-]+)\s*\]")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*[=.]""")
_BLOCK = re.compile(r'"""[\s\S]*?"""|' + r"'''[\s\S]*?'''")
_TEXT = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_MOST_DOTS = 100
_PATH = re.compile(r"(?:(instruments|sambists)\[(\d+)\]\.?)?([\w-]*)")


@cache
def shipped_deck(name: str) -> Deck:
    """Return the deck of the house called `name`, one of `SHIPPED`."""
    path = resources.files("engine.roda_de_samba").joinpath("decks", f"{name}.toml")
    return deck_from_toml(path.read_text(encoding="utf-8"))


def deck_from_toml(text: str) -> Deck:
    """Return the deck written in a TOML file. Raises `InvalidInput` naming the line, and the field where it has one."""
    text = text.removeprefix("\ufeff")  # editors on Windows write it before the first line
    try:
        _refuse_long_keys(text)
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("bad_toml", _bad_toml(text, str(error)), "deck") from error
    try:
        return read_deck(document)
    except InvalidInput as error:
        line = _line_of(text, error.field or "")
        if line is None:
            raise
        message = say("Line {line} of the file: {why}", line=line, why=error.message)
        raise InvalidInput(error.code, message, error.field) from error


def _refuse_long_keys(text: str) -> None:
    """Raise `ValueError` for a line with so many dots outside of texts: a key of n parts takes tomllib n² steps."""
    for at, line in enumerate(_without_blocks(text).split("\n"), 1):
        if line.count(".") > _MOST_DOTS and _TEXT.sub("", line).count(".") > _MOST_DOTS:
            raise ValueError(f"a key has too many parts (at line {at}, column 1)")


def _without_blocks(text: str) -> str:
    """Return `text` with nothing in its texts of several lines."""
    return _BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)


def _bad_toml(text: str, error: str) -> str:
    """Return what is wrong with a text that is no TOML; the reader's `error` names the place, in English."""
    place = _PLACE.search(error)
    lines = text.split("\n")
    line = min(int(place[1]), len(lines)) if place else len(lines)
    if _TWICE.match(error):
        return say("Line {line} of the file names a thing that stands there already. Keep one of the two.", line=line)
    return say(
        "Line {line} of the file is not written as TOML: “{text}”. Each line holds one key = value, texts stand in "
        "quotes, lists in square brackets. Correct that line or the one before it.",
        line=line,
        text=lines[line - 1].strip()[:60],
    )


def _line_of(text: str, field: str) -> int | None:
    """Return the line, from 1, where `field` stands; that of its card where it does not stand at all, else None."""
    path = _PATH.match(field)
    assert path is not None
    kind, number, key = path[1], int(path[2] or 0), path[3]
    within, card, count = None, None, dict.fromkeys(("instruments", "sambists"), -1)
    for at, line in enumerate(_without_blocks(text).split("\n"), 1):
        if heading := _CARD.match(line):
            within = heading[1]
            count[within] += 1
            if (within, count[within]) == (kind, number):
                card = at
            continue
        if kind is None and (table := _TABLE.match(line)) and table[1] == key:
            return at
        given = _KEY.match(line)
        if within is None and given and given[1] == (kind or key):
            return at  # the field itself, or all cards in one list
        found = _PART.match(line) or given
        if kind and (within, count.get(within or "")) == (kind, number) and found and found[1] == key:
            return at
    return card


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
