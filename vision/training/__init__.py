"""From labelled photographs and renders to the models that are shipped; never imported at the table.

`python -m vision.training` runs its steps; docs/reading.md tells how.
"""
