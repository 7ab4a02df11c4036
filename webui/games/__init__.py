"""What the pages know of a single game beside its rules: a module here for each game that needs one, found by its key.

Its scripts lie in `static/js/games/<key>.js`, its templates in `templates/games/<key>/`; a game without any of them is
played by the pages that suit every game.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint

from engine.game import Game, Move


def _as_it_is(setup: Mapping[str, Any], table: Any) -> Mapping[str, Any]:
    return setup


def _nothing(table: Any) -> Mapping[str, Any]:
    return {}


def _as_they_are(entries: Sequence[Mapping[str, Any]], view: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return entries


def _nothing_of_its_own(state: Any, seat: int) -> Mapping[str, Any]:
    return {}


def _all_legal(game: Game[Any], state: Any, seat: int | None) -> Iterable[Move]:
    return game.legal_moves(state)


def _no_more(table: Any) -> None:
    return None


def _named_colours(view: Mapping[str, Any]) -> Sequence[str]:
    return tuple(view.get("colours", ()))


@dataclass(frozen=True, slots=True)
class Part:
    """One game's part of the pages.

    Its sentences are said with `engine.words.say`, and told in the table's language at the door. `words` are for its
    script; `choices(table)` is what its form for a new game offers; `complete(setup, table)` puts into a setup what the
    table keeps for it, and `after_move(table)` keeps what a game has shown; `log(entries, view)` are the lines of its
    log as they may be read now; `colours(view)` those of its dice or cards. Where people may not know everything,
    `own(state, seat)` is what takes the place of keys of the view for the phone of that seat, and
    `moves(game, state, seat)` are the legal moves as that seat (None: anybody) may know them. `ceremony(view)` names
    what is judged now (of several parts, which one): its marks stay a secret until they are read aloud. `pages` are the
    menu's further pages (endpoint → title), `blueprint` serves them.
    """

    words: Mapping[str, Any] = field(default_factory=dict)
    choices: Callable[[Any], Mapping[str, Any]] = _nothing
    complete: Callable[[Mapping[str, Any], Any], Mapping[str, Any]] = _as_it_is
    after_move: Callable[[Any], None] = _no_more
    log: Callable[[Sequence[Mapping[str, Any]], Mapping[str, Any]], Sequence[Mapping[str, Any]]] = _as_they_are
    colours: Callable[[Mapping[str, Any]], Sequence[str]] = _named_colours
    own: Callable[[Any, int], Mapping[str, Any]] = _nothing_of_its_own
    moves: Callable[[Game[Any], Any, int | None], Iterable[Move]] = _all_legal
    ceremony: Callable[[Mapping[str, Any]], str] | None = None
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
