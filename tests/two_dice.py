"""A rendered roll of a red 3 and a blue 5, for tests that teach dice."""

from __future__ import annotations

import numpy as np

from engine.dice import Die
from vision.rendering import Scene, render_scene


def two_dice() -> Scene:
    dice = [Die("red", 3), Die("blue", 5)]
    return render_scene(
        np.random.default_rng(5), dice, width=960, height=720, calm=True, clutter=0, die_pixels=(50, 60)
    )
