"""The words of the pages in the table's language: messages are English, their translations lie in `translations/`.

Python says a sentence with `engine.words.say` and tells it at the door; a template asks `_`, a script asks its `t`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from engine.words import DOMAIN, Sentence, add_catalogues

_HERE = Path(__file__).parent

add_catalogues(_HERE)


def in_language(language: str) -> Callable[..., str]:
    """Return `_` for templates: a literal sentence in `language`, its {names} filled in."""

    @cache
    def plain(sentence: str) -> str:
        return Sentence(sentence, {}).tell(language)

    def tell(sentence: str, **values: Any) -> str:
        return Sentence(sentence, values).tell(language) if values else plain(sentence)

    return tell


def number(value: Any) -> str:
    """Return a number as people read it: with a minus, not a hyphen."""
    return str(value).replace("-", "−")


@cache
def of_scripts(language: str) -> Mapping[str, str]:
    """Return what the scripts say in `language`, by the English text; nothing for English."""
    path = _HERE / "translations" / language / "LC_MESSAGES" / f"{DOMAIN}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
