"""The bag: what is left in it, what a board could use, and the chance that the next draw holds it."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.carnavalesco import ELEMENTS
from engine.carnavalesco.bag import chance_of_colour, chance_of_one, useful_dice
from engine.carnavalesco.house_rules import BY_THE_BOOK, read_house_rules
from engine.carnavalesco.perfect import perfect_in_reach
from engine.carnavalesco.reach import best_row
from engine.dice import Die
from engine.game import games
from engine.selfplay import play_whole, sample_game
from tests.engine.carnavalesco.parade import GAME, LETTERS, board, dice, setup, taken

SIX = tuple(LETTERS.values())


def test_the_chance_is_that_of_trying_every_draw_and_every_roll() -> None:
    bag = ["red", "red", "blue", "green"]
    wanted = dice("R3R4B6")
    hits = tries = 0
    for drawn in itertools.combinations(bag, 2):
        for values in itertools.product(range(1, 7), repeat=2):
            tries += 1
            hits += any(Die(colour, value) in wanted for colour, value in zip(drawn, values, strict=True))
    assert chance_of_one({"red": 2, "blue": 1, "green": 1}, wanted, 2) == Fraction(hits, tries)


def test_the_chance_of_a_colour_is_hypergeometric() -> None:
    full = dict.fromkeys(SIX, 25)
    missed = Fraction(1)
    for drawn in range(12):
        missed *= Fraction(125 - drawn, 150 - drawn)
    assert chance_of_colour(full, "red", 12) == 1 - missed
    assert chance_of_colour({**full, "red": 0}, "red", 12) == 0
    assert chance_of_colour({"red": 3, "blue": 9}, "red", 10) == 1


@pytest.mark.parametrize("count", [8, 10, 12, 14])
def test_nothing_wanted_is_never_drawn_and_everything_always(count: int) -> None:
    full = dict.fromkeys(SIX, 25)
    assert chance_of_one(full, [], count) == 0
    assert chance_of_one(full, [Die(colour, value) for colour in SIX for value in range(1, 7)], count) == 1


@pytest.mark.parametrize(
    ("element", "there", "useful"),
    [
        ("harmony", "R3R3R3", "R3"),
        ("vanguard", "R1R3R4", "R2R3R4R5R6"),
        ("flag_bearers", "R2R2B3", "B3"),
        ("progression", "R2B3G4", "R1R5Y1Y5G1G5B1B5W1W5K1K5"),
        ("floats", "R1B2G3", "Y4Y5Y6W4W5W6K4K5K6"),
        ("harmony", "R3B3", ""),
    ],
)
def test_what_makes_an_element_perfect(element: str, there: str, useful: str) -> None:
    found = useful_dice(board(**{element: there}), element, SIX, BY_THE_BOOK, None)
    assert set(found) == set(dice(useful))


def test_in_order_only_the_die_for_a_space_helps_progression() -> None:
    rules = read_house_rules({"progression.ordered_spaces": "on"})
    found = useful_dice(board(progression="R2B3G4"), "progression", SIX, rules, None)
    assert {die.value for die in found} == {5}


@settings(max_examples=6)
@given(seed=st.integers(0, 10_000))
def test_what_is_within_reach_is_what_trying_every_die_finds(seed: int) -> None:
    chance = random.Random(seed)
    game = games()["carnavalesco"]

    def look(state: object) -> None:
        if state.phase != "roll":  # type: ignore[attr-defined]
            return
        here, rules, official = state.boards[0], state.setup.rules, state.setup.official  # type: ignore[attr-defined]
        for element in ELEMENTS:
            best = best_row(here, element, rules, official)
            assert perfect_in_reach(here, element, rules, official) == (best == 10), element

    play_whole(game, sample_game(game, chance, chance.choice([1, 2])), chance, look=look)


def test_the_view_shows_the_bag_and_the_chances_of_who_picks_first() -> None:
    chance = random.Random(2)
    state = GAME.setup(setup(2, first=1))
    bag = GAME.view(state)["bag"]
    assert bag["left"] == dict.fromkeys(state.setup.colours, 25)
    assert (bag["draw"], bag["seat"], bag["each"]) == (12, 1, 25)
    assert bag["chances"]["elements"]["harmony"]["chance"] == 1
    state = GAME.apply(state, GAME.roll_move(state, GAME.sample_roll(state, chance.randrange)))
    bag = GAME.view(state)["bag"]
    assert bag["chances"] is None
    assert sum(bag["left"].values()) == 150 - 12
    while state.roll:
        state = GAME.apply(state, taken(state, chance))
    bag = GAME.view(state)["bag"]
    assert sum(bag["left"].values()) == 150 - 8
    assert set(bag["chances"]["elements"]) == {el for el in ELEMENTS if not state.boards[state.first].full(el)}


def test_five_schools_have_a_larger_bag_and_are_told_that_it_is_inferred() -> None:
    view = GAME.view(GAME.setup(setup(5, extra_board=True)))
    assert set(view["bag"]["left"].values()) == {31}
    assert view["bag"]["draw"] == 14
    assert any("inferred" in note for note in view["notes"])


def test_the_reveal_goes_element_by_element_with_running_totals() -> None:
    chance = random.Random(6)
    game = games()["carnavalesco"]
    states: list = []
    play_whole(game, setup(3), chance, look=states.append)
    assert all(game.scoreboard(state)["reveal"] is None for state in states[:-1:9])
    shown = game.scoreboard(states[-1])
    steps = shown["reveal"]
    assert [step["element"] for step in steps] == list(ELEMENTS)
    for step, before in zip(steps, [{"totals": [0, 0, 0]}, *steps], strict=False):
        assert step["totals"] == [a + b for a, b in zip(before["totals"], step["scores"], strict=True)]
        assert [step["totals"][seat] for seat in step["leading"]] == [max(step["totals"])] * len(step["leading"])
    assert steps[-1]["totals"] == [player["total"] for player in shown["players"]]
