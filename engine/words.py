"""Sentences that keep what they were made of, so that they can be told in another language later.

A `Sentence` is its own English text, with the message and the values beside it. Catalogues are gettext's (`.po` beside
the `.mo` made from it) in a `translations/` folder of `engine/` and of every game; the messages are their own keys.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "pt", "es")
"""The languages that people at the table may choose; English is what the messages are written in."""

DOMAIN = "messages"

_LONGEST = 40

_SOUNDS_LIKE_I = re.compile(r"h?(í|i(?![aeou]))", re.IGNORECASE)
"""How a Spanish word begins that turns the `y` before it into `e`: Inés, hilo, but not hielo."""

_UNTOLD = frozenset({str, int, float, bool, type(None)})
"""Types of values in which there is nothing to tell."""

_folders = [Path(__file__).parent]


class Sentence(str):
    """A text in English that knows its `message` and `values`; equal to that text, and written to JSON as it."""

    __slots__ = ("many", "message", "number", "values")

    message: str
    many: str | None
    number: int
    values: Mapping[str, Any]

    def __new__(cls, message: str, values: Mapping[str, Any], many: str | None = None, number: int = 1) -> Sentence:
        chosen = message if many is None or number == 1 else many
        made = super().__new__(cls, chosen.format_map(values))
        made.message, made.many, made.number, made.values = message, many, number, values
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.message, self.values, self.many, self.number

    def tell(self, language: str) -> str:
        """Return the text in `language`; what has no translation stays English."""
        catalogue = _catalogue(language)
        if self.many is None:
            message = catalogue.gettext(self.message)
        else:
            message = catalogue.ngettext(self.message, self.many, self.number)
        return message.format_map({name: told(value, language) for name, value in self.values.items()})

    def with_values(self, **values: Any) -> Sentence:
        """Return the same sentence with other values in some places."""
        return Sentence(self.message, {**self.values, **values}, self.many, self.number)


class Listed(Sentence):
    """`a, b and c`: several texts in a row, each told by itself."""

    __slots__ = ()

    def __new__(cls, words: Iterable[str]) -> Listed:
        several = list(words)
        made = str.__new__(cls, _joined(several, "and"))
        made.message, made.many, made.number, made.values = "{words}", None, len(several), {"words": several}
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.values["words"],)

    def tell(self, language: str) -> str:
        words = [told(one, language) for one in self.values["words"]]
        last = _catalogue(language).gettext("and")
        if last == "y" and words and _SOUNDS_LIKE_I.match(words[-1]):
            last = "e"
        return _joined(words, last)


def say(message: str, /, **values: Any) -> Sentence:
    """Return `message` with its `{names}` filled in. The message is a literal, so that catalogues can find it."""
    return Sentence(message, values) if values else _plain(message)


@cache
def _plain(message: str) -> Sentence:
    """Return a message without values; most sentences are handed along for complaints that nobody has to make."""
    return Sentence(message, {})


def say_many(one: str, many: str, /, count: int, **values: Any) -> Sentence:
    """Return `one` or `many`, as `count` asks; both may hold `{count}` beside other names."""
    return Sentence(one, {"count": count, **values}, many, count)


@lru_cache(maxsize=256)
def named(name: str) -> Sentence:
    """Return a name that catalogues may know, such as a colour's; a name of the table's own stays as it is."""
    return Sentence("{name}", {"name": name}) if {"{", "}"} & set(name) else Sentence(name, {})


def decimal(value: float, places: int = 1) -> Sentence:
    """Return a number with so many decimal places (at least 1), in the form of whatever language it is told in."""
    whole, part = f"{value:.{places}f}".split(".")
    return say("{whole}.{part}", whole=whole, part=part)


def listed(words: Iterable[str]) -> str:
    """Return `a, b and c`; the words may be sentences."""
    return Listed(words)


def row(words: Iterable[str]) -> Sentence:
    """Return `a, b, c`; the words may be sentences."""
    some = {f"s{at}": one for at, one in enumerate(words)}
    return Sentence(", ".join(f"{{{name}}}" for name in some), some)


def joined(*sentences: str) -> Sentence:
    """Return sentences one after another, empty ones left out."""
    some = {f"s{at}": one for at, one in enumerate(one for one in sentences if one)}
    return Sentence(" ".join(f"{{{name}}}" for name in some), some)


def quoted(value: Any) -> str:
    """Return what somebody gave, as JSON writes it; text between ' and '. What is long is cut short."""
    if isinstance(value, str):
        return repr(shortened(value))
    return shortened(json.dumps(value, ensure_ascii=False, default=repr))


def shortened(text: str) -> str:
    """Return `text`, cut off where it is longer than anybody would read within a sentence."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def told(value: Any, language: str) -> Any:
    """Return `value`, any JSON-like structure, with each sentence in it told in `language`."""
    # The usual kinds first: a state holds thousands of values, and is told after every turn.
    kind = type(value)
    if kind in _UNTOLD:
        return value
    if kind is dict:
        return {key: told(one, language) for key, one in value.items()}
    if isinstance(value, Sentence):
        return str(value) if language == "en" else value.tell(language)
    if isinstance(value, Mapping):
        return {key: told(one, language) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [told(one, language) for one in value]
    return value


def add_catalogues(folder: Path) -> None:
    """Let the sentences of another room be told as well, by every `translations/` in its `folder` and below."""
    if folder not in _folders:
        _folders.append(folder)
        _catalogue.cache_clear()


def _joined(words: list[str], last: str) -> str:
    if not words:
        return ""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    """Return every catalogue of `language`, under `engine/` and in what was added, as one."""
    whole = gettext.NullTranslations()
    if language == "en":
        return whole
    pattern = f"**/translations/{language}/LC_MESSAGES/{DOMAIN}.mo"
    for path in (path for folder in reversed(_folders) for path in sorted(folder.glob(pattern))):
        with path.open("rb") as file:
            found = gettext.GNUTranslations(file)
        found.add_fallback(whole)
        whole = found
    return whole
