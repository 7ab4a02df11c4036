"""How a table is set up: one answer a step, kept over a restart, any step again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.arrangement import STEPS, Arrangement
from engine.game import InvalidInput
from engine.journal import Journal
from engine.table import Table

PEOPLE = [{"name": "Ana", "colour": "red"}, {"name": "Bia", "colour": "blue"}]
ANSWERS = {
    "language": {"language": "pt"},
    "name": {"name": "  Kitchen   table "},
    "people": {"people": PEOPLE},
    "game": {"game": "carnavalesco"},
    "camera": {"camera": "camera"},
    "panel": {"panel": "phones"},
    "done": {},
}


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[], Table]:
    return lambda: Table(Journal(tmp_path / "journal.sqlite3", now=lambda: "2026-11-30T20:00:00+00:00"))


def test_every_answer_is_there_after_a_restart(opened: Callable[[], Table]) -> None:
    for at, step in enumerate(STEPS):
        table = opened()
        assert table.arrangement.next_step == step
        assert table.arrangement.finished is False
        table.arrange(step, ANSWERS[step])
        table.journal.close()
        again = opened()
        assert list(again.arrangement.answered) == list(STEPS[: at + 1])
        again.journal.close()
    last = opened()
    assert last.arrangement == Arrangement(
        "pt",
        "Kitchen table",
        PEOPLE,
        "carnavalesco",
        "camera",
        "phones",
        dict.fromkeys(STEPS, "2026-11-30T20:00:00+00:00"),
    )
    assert last.arrangement.finished
    assert last.names == ["Ana", "Bia"]
    last.journal.close()


def test_a_step_is_answered_again_without_touching_the_others_or_the_open_game(opened: Callable[[], Table]) -> None:
    table = opened()
    table.open_game("carnavalesco", {"players": [{"name": "Caio"}, {"name": "Duda"}]})
    lines = table.log()
    table.arrange("people", {"people": PEOPLE})
    table.arrange("name", {"name": "Kitchen"})
    table.arrange("name", {"name": ""})
    assert table.arrangement.name == ""
    assert table.arrangement.people == PEOPLE
    assert table.log() == lines
    assert table.names == ["Ana", "Bia"], "the next game's form offers who was named last"
    table.journal.close()


def test_the_same_request_is_done_once(opened: Callable[[], Table]) -> None:
    table = opened()
    first = table.arrange("name", {"name": "Kitchen"}, client_id="one")
    assert table.arrange("name", {"name": "Kitchen"}, client_id="one") == first
    assert table.version == first.seq
    table.journal.close()


@pytest.mark.parametrize(
    ("step", "answer", "code", "field"),
    [
        ("colour", {}, "unknown_step", "step"),
        (None, {}, "unknown_step", "step"),
        ("language", {"language": "fr"}, "unknown_answer", "language"),
        ("language", {}, "unknown_answer", "language"),
        ("name", {"name": 7}, "bad_name", "name"),
        ("name", {"name": "x" * 41}, "bad_name", "name"),
        ("name", {"name": "two\nlines"}, "bad_name", "name"),
        ("people", {"people": []}, "bad_people", "people"),
        ("people", {"people": [{"name": str(at), "colour": "red"} for at in range(9)]}, "bad_people", "people"),
        ("people", {"people": "Ana"}, "bad_people", "people"),
        ("people", {"people": ["Ana"]}, "bad_name", "people[0].name"),
        ("people", {"people": [PEOPLE[0], {"name": " ", "colour": "blue"}]}, "no_name", "people[1].name"),
        ("people", {"people": [PEOPLE[0], {"name": "ANA", "colour": "blue"}]}, "same_name", "people[1].name"),
        ("people", {"people": [{"name": "Ana", "colour": "mauve"}]}, "bad_colour", "people[0].colour"),
        ("people", {"people": [PEOPLE[0], {"name": "Bia", "colour": "red"}]}, "same_colour", "people[1].colour"),
        ("game", {"game": "chess"}, "unknown_game", "game"),
        ("game", {"game": ["carnavalesco"]}, "unknown_game", "game"),
        ("camera", {"camera": "ears"}, "unknown_answer", "camera"),
        ("panel", {"panel": None}, "unknown_answer", "panel"),
    ],
)
def test_a_bad_answer_is_refused_in_words_and_changes_nothing(
    opened: Callable[[], Table], step: str, answer: dict[str, object], code: str, field: str
) -> None:
    table = opened()
    with pytest.raises(InvalidInput) as refused:
        table.arrange(step, answer)
    assert (refused.value.code, refused.value.field) == (code, field)
    assert table.arrangement == Arrangement()
    assert table.version == 0
    table.journal.close()
