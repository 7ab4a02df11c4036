"""The short forms of the long runs: each the same code as `python -m tests.endurance`, for seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.endurance.inputs import PARSERS, inputs
from tests.endurance.kills import kills
from tests.endurance.phones import phones
from tests.endurance.rolls import rolls
from tests.endurance.running import Run
from tests.endurance.slow_card import possible, slow_card

ROOT = Path(__file__).parents[2]


def run(folder: Path, size: int) -> Run:
    return Run(size, seed=1, folder=folder, keep=folder / "steps.jsonl", say=lambda _: None)


def test_a_table_that_is_killed_under_load_has_every_confirmed_move(tmp_path: Path) -> None:
    figures = kills(run(tmp_path, 2))
    assert figures["wrong"] == []
    assert figures["kills"] == 2
    again = run(tmp_path, 2)
    assert len(again.done) == 2, "a run goes on where it ended"
    assert kills(again) == figures


def test_many_hands_neither_lose_nor_double_a_move(tmp_path: Path) -> None:
    figures = phones(run(tmp_path, 6))
    assert figures["wrong"] == []
    assert figures["confirmed"] > 1


@pytest.mark.parametrize("name", sorted(PARSERS))
def test_bad_input_gets_a_sentence_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    figures = inputs(run(tmp_path, 300), only=name)
    assert figures["wrong"] == []
    assert figures[name]["inputs"] == 300


def test_rolls_in_a_row_leave_nothing(tmp_path: Path) -> None:
    figures = rolls(run(tmp_path, 4))
    assert figures["wrong"] == []
    assert figures["confirmed"] > 0


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """A folder on the disk of the checkout, wherever other tests write."""
    (ROOT / "build").mkdir(exist_ok=True)
    with TemporaryDirectory(dir=ROOT / "build", prefix="slow-card-") as folder:
        yield Path(folder)


@pytest.mark.hardware
def test_a_slow_card_is_one_that_can_be_made_here(on_disk: Path) -> None:
    if not possible(on_disk):
        pytest.skip("needs root and the cgroup blkio of version 1")
    figures = slow_card(run(on_disk, 2))
    assert figures["slow card: confirm, median ms"] > 0
