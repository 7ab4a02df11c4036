"""What the pages know of a single game beside its rules: a module here for each game that needs one, found by its key.

Its scripts lie in `static/js/games/<key>.js`, its templates in `templates/games/<key>/`; a game without any of them is
played by the pages that suit every game.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint


def _as_it_is(setup: Mapping[str, Any], table: Any) -> Mapping[str, Any]:
    return setup


def _nothing(table: Any) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Part:
    """One game's part of the pages.

    `words` are for its script; `choices(table)` is what its form for a new game offers; `complete(setup, table)` puts
    into a setup what the table keeps for it; `ceremony`: the end stays a secret until it is read aloud; `pages` are
    the menu's further pages (endpoint → title), `blueprint` serves them.
    """

    words: Mapping[str, Any] = field(default_factory=dict)
    choices: Callable[[Any], Mapping[str, Any]] = _nothing
    complete: Callable[[Mapping[str, Any], Any], Mapping[str, Any]] = _as_it_is
    ceremony: bool = False
    pages: Mapping[str, str] = field(default_factory=dict)
    blueprint: Blueprint | None = None


@cache
def parts() -> Mapping[str, Part]:
    """Return the part of each game that has one, by its key."""
    names = sorted(found.name for found in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return {name: importlib.import_module(f"webui.games.{name}").PART for name in names}


def part_of(key: str) -> Part:
    """Return the part of the game `key`; one with nothing of its own when it needs none."""
    return parts().get(key) or Part()
