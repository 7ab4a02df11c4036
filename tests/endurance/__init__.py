"""Long runs that show what a table stands: `python -m tests.endurance NAME`; the short forms are among the tests.

Each run prints how far it is and ends with its figures; `kills` and `inputs` keep one JSON line for each step with
`--keep FILE` and go on from there when they are started again. docs/endurance.md lists the
runs, their commands and what they gave.
"""
