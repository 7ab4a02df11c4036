"""Roda de Samba: players gather instruments in a ring of ten spaces and invite sambists to its centre.

`game` is the door; `deck` is what the table knows of its cards and `deck_file` its TOML, `circle` the harmony of a
ring, `invitation` what sambists need, `play` the turns, `legal` what can be done next, `marks` the end scoring,
`positions` the marks of circles that are given whole, `house_rules` the switches.
"""

from engine.game import register
from engine.roda_de_samba.deck import DECK_KEYS, Deck, read_deck
from engine.roda_de_samba.deck_file import SHIPPED, deck_from_toml, deck_to_toml, shipped_deck
from engine.roda_de_samba.game import RodaDeSamba
from engine.roda_de_samba.house_rules import RULES
from engine.roda_de_samba.setup import PLAYER_KEYS, SETUP_KEYS

__all__ = [
    "DECK_KEYS",
    "PLAYER_KEYS",
    "RULES",
    "SETUP_KEYS",
    "SHIPPED",
    "Deck",
    "RodaDeSamba",
    "deck_from_toml",
    "deck_to_toml",
    "read_deck",
    "shipped_deck",
]

register(RodaDeSamba())
