"""Carnavalesco: samba schools draft dice for the nine elements of a parade.

`game` is the door; `elements` holds the rules of scoring, `draft` and `play` those of taking turns, `solo` the ladder,
`division` the strips of base marks, `house_rules` the switches, `positions` the marks of boards that are given whole.
"""

from engine.carnavalesco.board import ELEMENT_NAMES, ELEMENTS
from engine.carnavalesco.division import DIVISIONS, practice_strip, validate_strip
from engine.carnavalesco.game import Carnavalesco
from engine.carnavalesco.house_rules import RULES
from engine.carnavalesco.setup import DEFAULT_COLOURS, PLAYER_KEYS, SETUP_KEYS
from engine.game import register

__all__ = [
    "DEFAULT_COLOURS",
    "DIVISIONS",
    "ELEMENTS",
    "ELEMENT_NAMES",
    "PLAYER_KEYS",
    "RULES",
    "SETUP_KEYS",
    "Carnavalesco",
    "practice_strip",
    "validate_strip",
]

register(Carnavalesco())
