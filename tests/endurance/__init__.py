"""Long runs that show what a table stands: `python -m tests.endurance NAME`; the short forms are among the tests.

Each run prints how far it is, keeps one JSON line for each step with `--keep FILE` and goes on from there when it is
started again, and ends with its figures. docs/endurance.md lists the runs, their commands and what they gave.
"""
