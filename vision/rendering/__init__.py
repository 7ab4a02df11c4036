"""Pictures of dice drawn from nothing, with the truth about every die: to train the reader, and for the demo.

rng = np.random.default_rng(7)
scene = render_scene(rng, [Die("red", 5), Die("blue", 2)], width=1280, height=960)
scene.image            # BGR uint8
scene.dice[0].box, scene.dice[0].centre, scene.dice[0].jacobian
crop = render_crop(rng, size=96)      # one die, any shape; crop.dice[0] is its label
"""

from vision.rendering.crop import render_crop
from vision.rendering.looks import Look, draw_look
from vision.rendering.numerals import FontBook, built_in_fonts
from vision.rendering.rolling import RolledTable, rolled
from vision.rendering.scene import (
    RenderedDie,
    Scene,
    Stage,
    draw_die_value,
    draw_looks,
    draw_stage,
    render_scene,
)

__all__ = [
    "FontBook",
    "Look",
    "RenderedDie",
    "RolledTable",
    "Scene",
    "Stage",
    "built_in_fonts",
    "draw_die_value",
    "draw_look",
    "draw_looks",
    "draw_stage",
    "render_crop",
    "render_scene",
    "rolled",
]
