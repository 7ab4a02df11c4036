"""Carnival of Sins: seven rounds in which players take dice from the table by the seven sins.

`game` is the door; `setup` lays a game out, `state` is what lies on the table, `sins` says what each sin may take,
`play` makes the moves, `marks` scores a round, `positions` scores rounds given whole, `telling` finds the words.
"""

from engine.carnival_of_sins.game import CarnivalOfSins
from engine.carnival_of_sins.house_rules import RULES
from engine.carnival_of_sins.setup import PLAYER_KEYS, SETUP_KEYS
from engine.carnival_of_sins.sins import SINS
from engine.game import register

__all__ = ["PLAYER_KEYS", "RULES", "SETUP_KEYS", "SINS", "CarnivalOfSins"]

register(CarnivalOfSins())
