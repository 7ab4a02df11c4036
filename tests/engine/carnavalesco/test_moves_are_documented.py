"""docs/moves.md holds every move, setup key, house rule and error code, and its examples work."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.carnavalesco import ELEMENTS, PLAYER_KEYS, SETUP_KEYS
from engine.carnavalesco.career import FLAG_LAYOUTS
from engine.carnavalesco.moves import read_move
from engine.game import games
from engine.rules import HouseRule
from engine.score import score_document

ROOT = Path(__file__).resolve().parents[3]
DOC = (ROOT / "docs" / "moves.md").read_text(encoding="utf-8")
SHIPPED = {key: game for key, game in games().items() if type(game).__module__.startswith("engine.")}
"""Not those that tests bring along."""

RAISED = re.compile(r'(?:InvalidInput|IllegalMove|GameError)\(\s*"(\w+)"|code(?:: str)? ?= ?"(\w+)"')


def section(game: str) -> str:
    """Return what the document says of `game`."""
    assert f"\n## {game}\n" in DOC, f"docs/moves.md has no chapter on {game}"
    return DOC.split(f"\n## {game}\n")[1].split("\n## ")[0]


def examples(text: str) -> list[dict[str, Any]]:
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]


@pytest.mark.parametrize("game", SHIPPED)
def test_every_move_has_its_chapter_with_an_example(game: str) -> None:
    text = section(game)
    for move in SHIPPED[game].moves:
        assert f"\n### {move}\n" in text, f"docs/moves.md does not document {move} of {game}"
        chapter = text.split(f"\n### {move}\n")[1].split("\n### ")[0]
        assert [example["move"] for example in examples(chapter)] == [move]
        assert "Errors:" in chapter


def test_every_setup_key_is_there() -> None:
    text = section("carnavalesco")
    for key in (*SETUP_KEYS, *(f"players[].{key}" for key in PLAYER_KEYS)):
        assert f"| `{key}` |" in text, key
    assert all(f"`{element}`" in text for element in ELEMENTS)


@pytest.mark.parametrize(("game", "rule"), [(key, rule) for key, game in SHIPPED.items() for rule in game.house_rules])
def test_every_house_rule_is_there_with_its_values_default_first(game: str, rule: HouseRule) -> None:
    values = ", ".join(f"`{value}`" for value in rule.values)
    assert f"| `{rule.key}` | {values} |" in section(game)


def test_every_flag_is_there_with_the_number_of_its_colours() -> None:
    for name, layout in FLAG_LAYOUTS.items():
        assert f"`{name}` ({layout.colours})" in section("carnavalesco")


def test_every_error_code_is_there() -> None:
    shared = ("score", "game", "fields", "rules", "replay")
    sources = [
        *(ROOT / "engine" / "carnavalesco").glob("*.py"),
        *(ROOT / "engine" / f"{name}.py" for name in shared),
        ROOT / "device" / "documents.py",
    ]
    codes = {
        code for path in sources for pair in RAISED.findall(path.read_text(encoding="utf-8")) for code in pair if code
    }
    assert len(codes) > 30
    missing = sorted(code for code in codes if f"`{code}`" not in DOC)
    assert not missing, f"docs/moves.md does not name the error codes {missing}"


def test_the_examples_work() -> None:
    game = SHIPPED["carnavalesco"]
    start, roll, take, strip, base, next_parade, retire, final = examples(section("carnavalesco"))
    state = game.setup(start)
    for move in (roll, take, strip):
        state = game.apply(state, move)
    for move in (base, next_parade, retire):
        read_move(move, state.setup)
    assert score_document(final)["players"][0]["total"] == 62


def keys(answer: Any) -> set[str]:
    """Return every key in an answer, at whatever depth."""
    if isinstance(answer, dict):
        return set(answer) | {key for one in answer.values() for key in keys(one)}
    return {key for one in answer for key in keys(one)} if isinstance(answer, list) else set()


@pytest.mark.parametrize("game", SHIPPED)
def test_every_key_of_the_answer_of_score_is_told(game: str) -> None:
    chapter = section(game).split("\n### Final positions")[1].split("\n### ")[0]
    (document,) = examples(chapter)
    answers = [score_document(document)]
    if game == "carnavalesco":
        answers.append(score_document({**document, "solo": {"colours": ["red", "blue"]}}))
    told = section(game) + json.dumps(document)
    names = {"Ana", "Bia", "Caio"}
    assert not [key for key in keys(answers) - names if f"`{key}`" not in told and f'"{key}"' not in told]
    assert [word for word in ("ranking", "rounds") if f"`{word}`" in chapter]
