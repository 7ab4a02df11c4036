"""The rules: pure, with no camera, no web, no clock and no chance.

`dice` holds the words every room shares, `game` says what a game is, `table` plays one, `journal` writes it down.
"""
