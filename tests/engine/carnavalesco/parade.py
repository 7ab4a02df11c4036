"""What the tests of Carnavalesco share: dice written `R3`, whole boards, and playouts by a seeded player."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from engine.carnavalesco import ELEMENTS, Carnavalesco
from engine.carnavalesco.board import Board, board_of
from engine.carnavalesco.solo import broken_restrictions
from engine.carnavalesco.state import State
from engine.dice import Die

LETTERS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "W": "white", "K": "black"}
GAME = Carnavalesco()

FLAT_STRIP = {str(total): 5 for total in range(4, 25)}
"""A strip that gives 5 to every sum."""

ALL_PERFECT = {
    "vanguard": "R1R3R4R5",
    "flag_bearers": "R2R2B3B3",
    "storyline": "R3B3G3G6",
    "floats": "R1B2G3Y4",
    "costumes": "Y4G3B2R1",
    "progression": "K3K1G4R2",
    "harmony": "G6G6G6G6",
    "drums": "R5B5G5Y5",
    "theme_song": "W1W2W3W4",
}
"""A board with nine perfect marks, worked out by hand."""


def dice(text: str) -> tuple[Die, ...]:
    """Return the dice of `R3B5`."""
    return tuple(Die(LETTERS[letter], int(value)) for letter, value in re.findall(r"([RYGBWK])([1-6])", text))


def board(**elements: str) -> Board:
    """Return a board with these elements, the others empty."""
    return board_of({element: dice(text) for element, text in elements.items()})


def takes_that_fill(elements: Mapping[str, str]) -> list[list[tuple[Die, str]]]:
    """Return nine takes of four dice, each with its element, that fill a solo board so and cost no counter."""
    wanted = [(die, element) for element in ELEMENTS for die in dice(elements[element])]
    for seed in range(100_000):
        left = random.Random(seed).sample(wanted, len(wanted))
        takes = []
        while left:
            take: list[tuple[Die, str]] = []
            for one in left:
                more = [*take, one]
                if len(take) < 4 and not broken_restrictions([die for die, _ in more], [where for _, where in more]):
                    take = more
            if len(take) < 4:
                break
            takes.append(take)
            for one in take:
                left.remove(one)
        if not left:
            return takes
    raise AssertionError("no such takes were found")


def elements_json(elements: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    return {
        element: [{"colour": die.colour, "value": die.value} for die in dice(elements[element])] for element in ELEMENTS
    }


def document(*players: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Return a document for `score`: each player `{"name", "elements": {element: "R1…"}, …}` on the flat strip."""
    return {
        "game": "carnavalesco",
        "division_tables": dict.fromkeys("DCBAS", FLAT_STRIP),
        "players": [
            {"division": "D", **player, "elements": elements_json({**ALL_PERFECT, **player.get("elements", {})})}
            for player in players
        ],
        **more,
    }


def setup(seats: int, **more: Any) -> dict[str, Any]:
    """Return a setup for that many schools on practice strips."""
    names = ("Ana", "Bia", "Caio", "Duda", "Enzo")
    solo = {"solo": {"colours": ["red", "blue"]}} if seats == 1 else {}
    return {"players": [{"name": name, "table": "practice"} for name in names[:seats]], **solo, **more}


def rolled(state: State, rng: random.Random) -> dict[str, Any]:
    """Return a roll of dice drawn from what is left in the bag."""
    expected = GAME.expects(state)
    assert expected is not None
    assert expected.colours is not None
    bag = [colour for colour, count in expected.colours.items() for _ in range(count)]
    chosen = rng.sample(bag, expected.count)
    return dict(GAME.roll_move(state, [Die(colour, rng.randint(1, 6)) for colour in chosen]))


def taken(state: State, rng: random.Random, tries: int = 1) -> dict[str, Any]:
    """Return a legal take at random, or the one of `tries` that leaves the board with the best marks."""
    seat = state.turn
    assert seat is not None
    options = [_random_take(state, seat, rng) for _ in range(tries)]
    return max(options, key=lambda take: _promise(state, seat, take)) if tries > 1 else options[0]


def _random_take(state: State, seat: int, rng: random.Random) -> dict[str, Any]:
    view = GAME.view(state)
    left = [at for at, die in enumerate(view["roll"]) if die["taken_by"] is None]
    spaces = [element for element in ELEMENTS for _ in range(state.boards[seat].free(element))]
    chosen, targets = rng.sample(left, view["take"]), rng.sample(spaces, view["take"])
    places = [{"die": die, "element": element} for die, element in zip(chosen, targets, strict=True)]
    return {"move": "take", "seat": seat, "places": places}


def _promise(state: State, seat: int, take: dict[str, Any]) -> tuple[int, float]:
    """Return how good the board looks after `take`: rows reached or still within reach."""
    from engine.carnavalesco.marks import find
    from engine.carnavalesco.reach import best_row

    after = GAME.apply(state, take)
    here = after.boards[seat]
    rules, solo = after.setup.rules, after.setup.official
    rows = [
        (find(here, el, rules, solo).row if here.full(el) else 0.9 * best_row(here, el, rules, solo)) for el in ELEMENTS
    ]
    return -after.counters[seat], sum(rows)


def playout(start: Mapping[str, Any], seed: int, tries: int = 1) -> Iterator[tuple[State, dict[str, Any]]]:
    """Yield each state of a game with the move made in it; the last one comes with an empty move."""
    rng = random.Random(seed)
    state = GAME.setup(start)
    while True:
        action = GAME.prompt(state).action
        if action == "roll":
            move = rolled(state, rng)
        elif action == "take":
            move = taken(state, rng, tries)
        else:
            yield state, {}
            return
        yield state, move
        state = GAME.apply(state, move)
