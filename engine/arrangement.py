"""How a table is set up: its language and name, who plays, which game, and how dice come in; one answer a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.dice import COLOURS
from engine.game import InvalidInput, game_named
from engine.words import LANGUAGES, quoted, say

ARRANGED = "table.arranged"
"""The kind of the event that holds one answer."""

STEPS = ("language", "name", "people", "game", "camera", "panel", "done")
"""What is asked, in this order; every step can be answered again at any time."""

MOST_PEOPLE = 8
LONGEST_NAME = 40

CAMERA_WAYS = ("camera", "phones", "hand")
"""How dice come in: by the table's camera, by photographs of phones, typed in."""

PANEL_WAYS = ("buttons", "phones")
"""What people press: the table's buttons, or those on the phones alone."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What was answered so far; `answered` holds the date of each step's last answer.

    `people` sit clockwise round the table, each with `name` and `colour`.
    """

    language: str | None = None
    name: str = ""
    people: Sequence[Mapping[str, str]] = ()
    game: str | None = None
    camera: str | None = None
    panel: str | None = None
    answered: Mapping[str, str] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether somebody has gone through the steps, or past them."""
        return "done" in self.answered

    @property
    def next_step(self) -> str:
        """The first step that has no answer yet."""
        return next((step for step in STEPS if step not in self.answered), STEPS[-1])

    def answer(self, step: str, answer: Mapping[str, Any], at: str) -> Arrangement:
        """Return the arrangement after one more answer, as `read_answer` gave it."""
        said = {} if step == "done" else {step: answer[step]}
        return replace(self, **said, answered={**self.answered, step: at})


def read_answer(step: Any, answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a step as it is kept, under the step's own name. Raises `InvalidInput`."""
    if step not in STEPS:
        raise InvalidInput("unknown_step", say("There is no such step of the set-up. Nothing was changed."), "step")
    return {} if step == "done" else {step: _READ[step](answer.get(step))}


def _one_of(known: Sequence[str], field: str) -> Callable[[Any], str]:
    def read(given: Any) -> str:
        if given in known:
            return str(given)
        message = say("This step has no answer {given}. Nothing was changed. Choose one.", given=quoted(given))
        raise InvalidInput("unknown_answer", message, field)

    return read


def _name(given: Any, field: str) -> str:
    if not isinstance(given, str) or not given.isprintable() or len(given.strip()) > LONGEST_NAME:
        message = say("A name is one line of at most {most} letters. Nothing was changed.", most=LONGEST_NAME)
        raise InvalidInput("bad_name", message, field)
    return " ".join(given.split())


def _game(given: Any) -> str:
    return game_named(given).key


def _people(given: Any) -> list[dict[str, str]]:
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_PEOPLE:
        message = say("At least one person plays, and at most {most}. Nothing was changed.", most=MOST_PEOPLE)
        raise InvalidInput("bad_people", message, "people")
    read: list[dict[str, str]] = []
    for at, person in enumerate(given):
        said: Mapping[str, Any] = person if isinstance(person, Mapping) else {}
        name = _name(said.get("name"), f"people[{at}].name")
        if not name:
            message = say("Everybody needs a name. Nothing was changed. Type the missing one, or take the seat away.")
            raise InvalidInput("no_name", message, f"people[{at}].name")
        if name.casefold() in {other["name"].casefold() for other in read}:
            message = say("Two people are called {name}. Nothing was changed. Tell them apart.", name=name)
            raise InvalidInput("same_name", message, f"people[{at}].name")
        colour = said.get("colour")
        if colour not in COLOURS:
            message = say("There is no colour {colour}. Nothing was changed. Choose one.", colour=quoted(colour))
            raise InvalidInput("bad_colour", message, f"people[{at}].colour")
        if colour in {other["colour"] for other in read}:
            message = say("Two people have the same colour. Nothing was changed. Give {name} another.", name=name)
            raise InvalidInput("same_colour", message, f"people[{at}].colour")
        read.append({"name": name, "colour": colour})
    return read


_READ: Mapping[str, Callable[[Any], Any]] = {
    "language": _one_of(LANGUAGES, "language"),
    "name": lambda given: _name(given, "name"),
    "people": _people,
    "game": _game,
    "camera": _one_of(CAMERA_WAYS, "camera"),
    "panel": _one_of(PANEL_WAYS, "panel"),
}
