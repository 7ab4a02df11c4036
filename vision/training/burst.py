"""`python -m vision.training.burst`: what two more photographs of each rendered roll do for the doubtful dice."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np

from engine.dice import DieState
from vision.bench import LabelledDie, match
from vision.reader import Reader
from vision.rendering import render_scene
from vision.training.synthesis import draw_dice


def measure(rolls: int, *, seed: int = 6, models: Path | None = None) -> dict[str, dict[str, float]]:
    """Return the shares of dice right, sure, and sure though wrong, for one photograph of each roll and for three."""
    reader = Reader(models=models)
    tally: dict[str, Counter[str]] = {"one": Counter(), "three": Counter()}
    for number in range(rolls):
        rng = np.random.default_rng([seed, number])
        scene = render_scene(rng, draw_dice(rng, 8), width=960, height=720, clutter=0, again=2)
        labels = [LabelledDie(die.box, die.die.shape.value, die.die.value, ()) for die in scene.dice]
        for name, again in (("one", ()), ("three", scene.again)):
            dice = reader.read(scene.image, again=again).dice
            for place, seen in match(labels, dice).items():
                label, die = labels[place], dice[seen]
                right = die.value == label.value and die.shape.value == label.shape
                sure = die.state is DieState.READ
                tally[name].update(found=1, right=right, sure=sure, wrong_and_sure=sure and not right)
    return {
        name: {key: round(count[key] / count["found"], 4) for key in ("right", "sure", "wrong_and_sure")}
        | {"found": count["found"]}
        for name, count in tally.items()
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m vision.training.burst", description=__doc__)
    parser.add_argument("--rolls", type=int, default=80)
    parser.add_argument("--models", type=Path, default=None, help="a folder of models instead of those shipped")
    chosen = parser.parse_args()
    print(json.dumps(measure(chosen.rolls, models=chosen.models), indent=1))
