"""The words of the pages in each phone's language: messages are English, their translations lie in `translations/`.

Python says a sentence with `engine.words.say` and tells it at the door; a template asks `_`, a script asks its `t`.
Flask-Babel knows which language a request is answered in, and how that language writes dates and numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from flask_babel import Babel, format_date, format_decimal, format_time, get_locale

from engine.words import DOMAIN, Sentence, add_catalogues, told

_HERE = Path(__file__).parent

add_catalogues(_HERE)

TAGS = {"pt": "pt-BR"}
"""Languages whose HTML tag says more than their name here; the voice that reads a page aloud goes by it."""


def install(app: Flask, chosen: Callable[[], str]) -> None:
    """Let every request of `app` be answered in the language that `chosen()` returns for it."""
    Babel(app, locale_selector=chosen, configure_jinja=False)
    app.jinja_env.globals["_"] = tell
    app.jinja_env.filters.update(told=told_here, number=number, when=when, day=day, short_names=short_names)
    app.context_processor(lambda: {"language": language(), "lang": TAGS.get(language(), language())})


def language() -> str:
    """Return the language that this request is answered in: the one its phone chose, else the table's."""
    return str(get_locale() or "en")


def told_here(value: Any) -> Any:
    """Return `value`, any JSON-like structure, with each sentence in it told in the language of this request."""
    return told(value, language())


def tell(sentence: str, **values: Any) -> str:
    """Return a literal sentence of a template in the language of this request, its {names} filled in."""
    return Sentence(sentence, values).tell(language()) if values else _plain(sentence, language())


@cache
def _plain(sentence: str, language: str) -> str:
    return Sentence(sentence, {}).tell(language)


def number(value: float) -> str:
    """Return a number as people read it: in the form of their language, with a minus, not a hyphen."""
    return str(format_decimal(value)).replace("-", "−")


def when(at: str) -> str:
    """Return an ISO time as people here read it: in this machine's zone and the form of their language."""
    here = datetime.fromisoformat(at).astimezone()
    return f"{format_date(here, 'medium', rebase=False)}, {format_time(here, 'short', rebase=False)}"


def day(at: str) -> str:
    """Return the day of an ISO time, in the same way."""
    return str(format_date(datetime.fromisoformat(at).astimezone(), "medium", rebase=False))


def short_names(names: Sequence[str], longest: int = 7) -> list[str]:
    """Return names for the head of a narrow column, as the scripts shorten them: the first word, cut to `longest`
    letters, or the first letters where two would read the same."""
    first = [name.split()[0] if name.split() else name for name in names]
    short = [word if len(word) <= longest else f"{word[: longest - 1]}." for word in first]
    initials = ["".join(word[0] for word in name.split()[:4]) for name in names]
    return [initials[at] if short.count(word) > 1 else word for at, word in enumerate(short)]


@cache
def of_scripts(language: str) -> Mapping[str, str]:
    """Return what the scripts say in `language`, by the English text; nothing for English."""
    path = _HERE / "translations" / language / "LC_MESSAGES" / f"{DOMAIN}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
