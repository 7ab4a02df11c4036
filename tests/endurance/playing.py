"""Moves by chance at a running table, as phones make them."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import quote

from tests.endurance.running import Caller
from webui.snapshot import SCALE

SETUP = {"players": [{"name": name, "table": "practice"} for name in ("Ana", "Bia", "Caio", "Dora")]}


def act_for(caller: Caller, state: dict[str, Any], chance: random.Random) -> tuple[str, dict[str, Any]] | None:
    """Return an act that is legal in `state`, as address and body without version and id; None when there is none."""
    game = state["game"]
    if game is None or game["outcome"] is not None:
        return "/api/games", {"game": "carnavalesco", "setup": SETUP, "abandon": True}
    if chance.random() < 0.04 and any(line["kind"] == "move" and not line["undone"] for line in state["log"]):
        return "/api/undo", {"count": 1}
    if game["expects"] is not None:
        return "/api/moves", {"move": {"move": "roll", "dice": dice_for(game, chance)}}
    found = caller.ask("GET", "/api/moves")
    if found["fields"] and chance.random() < 0.5:
        # As a person taps: one field settled, then one of the moves that are left.
        field = chance.choice(found["fields"])
        value = chance.choice(field["values"])["key"]
        found = caller.ask("GET", f"/api/moves?{quote(field['name'])}={quote(value)}")
    return ("/api/moves", {"move": chance.choice(found["moves"])["move"]}) if found["moves"] else None


def dice_for(game: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """Return a roll by chance of the dice that the game waits for, all of them d6."""
    expects = game["expects"]
    bag = [colour for colour, most in expects["colours"].items() for _ in range(most)]
    chance.shuffle(bag)
    return [{"colour": colour, "value": chance.randint(1, 6)} for colour in bag[: expects["count"]]]


def table_version(state: dict[str, Any]) -> int:
    """Return the number of the last event in the journal, which a phone's version holds."""
    return int(state["version"]) // SCALE
