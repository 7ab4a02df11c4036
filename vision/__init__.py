"""A picture in, a Reading out: `reader` puts `detect`, `classify` and `colour` together.

`resolve` holds a Reading against what the game expects; `bench` measures on labelled photographs.
"""
