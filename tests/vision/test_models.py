"""The models that are shipped: whole, small, described by their cards, and read by nothing but the reader."""

from __future__ import annotations

import ast
import hashlib
import json
import re
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


README_ROWS = {
    "pip d6 of many colours": ("heldout", "byler_d6"),
    "pip d6 on game boards": ("heldout", "roboflow_dice"),
    "one numeral die": ("heldout", "lurig"),
    "d6, d8 and d10 mixed": ("bartek_polyhedral",),
    "the demo:": ("demo_rolls",),
    "the same in six colours": ("rendered_rolls",),
}
ROLLS = {"value_right": "dice_right", "photo_exact": "rolls_right"}


@pytest.mark.parametrize("start", README_ROWS)
def test_the_readme_tells_the_figures_of_the_cards(start: str) -> None:
    facts = card("pose")["metrics"]
    for key in README_ROWS[start]:
        facts = facts[key]
    rows = [line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if f"| {start}" in line]
    assert len(rows) == 1
    told = [re.match(r"[\d.]+ %", cell.strip()) for cell in rows[0].split("|")[2:-1]]
    for cell, name in zip(told, ("value_right", "photo_exact", "sure", "wrong_but_sure"), strict=True):
        figure = facts[name] if name in facts else facts[ROLLS[name]]
        assert cell is not None
        assert cell[0] == f"{100 * figure:.1f} %", name


def test_the_documentation_tells_the_figures_of_the_cards() -> None:
    facts = card("pose")["metrics"]
    lines = (ROOT / "docs" / "reading.md").read_text(encoding="utf-8").splitlines()
    for name, figures in facts["heldout"].items():
        row = next(line for line in lines if line.startswith(f"| {name} (held out)"))
        told = [float(cell) for cell in row.split("|")[3:-1] if cell.strip() != "–"]
        keys = (
            "found",
            "extra_per_photo",
            "shape_right",
            "value_right",
            "colour_right",
            "sure",
            "wrong_but_sure",
            "photo_exact",
        )
        known = [figures[key] for key in keys if figures.get(key) is not None]
        assert told == pytest.approx(known, abs=0.0006), name


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
