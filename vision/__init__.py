"""A picture in, a Reading out: `reader` puts `detect`, `classify` and `colour` together.

`resolve` holds a Reading against what the game expects; `bench` measures on labelled photographs.
"""

from pathlib import Path

from engine.words import add_catalogues

add_catalogues(Path(__file__).parent)
