"""The models that are shipped: whole, small, described by their cards, and read by nothing but the reader."""

from __future__ import annotations

import ast
import hashlib
import json
from pathlib import Path

import pytest

from vision.detect import ModelError, models_folder
from vision.reader import Reader

ROOT = Path(__file__).parents[2]
NAMES = ("detector", "pose", "marks", "colour", "verifier")
CREDITS = ("Nell Byler", "Roboflow", "rune-zkmvl", "skovy", "Chase", "Matteo", "Lurig")


def card(name: str) -> dict:
    return json.loads((models_folder() / f"{name}.json").read_text(encoding="utf-8"))


def test_every_model_has_a_card_and_every_card_a_model() -> None:
    folder = models_folder()
    assert {path.stem for path in folder.glob("*.onnx")} == set(NAMES)
    assert {path.stem for path in folder.glob("*.json")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_the_one_its_card_describes(name: str) -> None:
    packed = (models_folder() / f"{name}.onnx").read_bytes()
    assert hashlib.sha256(packed).hexdigest() == card(name)["sha256"]
    assert len(packed) == card(name)["bytes"] < 3_000_000


@pytest.mark.parametrize("name", NAMES)
def test_a_card_says_what_goes_in_and_out_and_what_it_learned_from(name: str) -> None:
    facts = card(name)
    for entry in ("does", "input", "output", "precision", "training", "metrics"):
        assert facts[entry], entry
    assert facts["training"]["command"].startswith("python -m vision.training")
    told = json.dumps(facts["training"]["data"])
    assert all(credit in told for credit in CREDITS)
    assert "bartek" not in told
    assert "baylor" not in told


def test_all_models_together_stay_under_six_megabytes() -> None:
    assert sum(path.stat().st_size for path in models_folder().glob("*.onnx")) <= 6_000_000


def test_a_missing_model_is_said_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="Install Jurado again"):
        Reader(models=tmp_path)


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "vision").glob("*.py")))
def test_the_reader_knows_nothing_of_the_renderer_nor_of_training(name: str) -> None:
    tree = ast.parse((ROOT / "vision" / name).read_text(encoding="utf-8"))
    imported = {
        (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    assert not [module for module in imported if module.startswith(("vision.rendering", "vision.training", "torch"))]
