"""What one more die would change: held against whole boards filled by hand and against the judges themselves."""

from __future__ import annotations

import random

from engine.carnavalesco.board import ELEMENTS, Board
from engine.carnavalesco.house_rules import BY_THE_BOOK, HouseRules
from engine.carnavalesco.marks import Jury, find, judge
from engine.carnavalesco.outlook import changes, rows_in_reach
from engine.carnavalesco.reach import best_row
from engine.dice import Die
from engine.game import games
from engine.selfplay import next_move
from tests.engine.carnavalesco.parade import ALL_PERFECT, board, dice

FIVES = Jury(strip=(5,) * 21)


def test_an_empty_board_can_still_be_perfect_everywhere() -> None:
    assert rows_in_reach(Board(), FIVES) == dict.fromkeys(ELEMENTS, 10)


def test_a_full_board_has_the_rows_that_the_judges_see() -> None:
    full = board(**ALL_PERFECT)
    assert rows_in_reach(full, FIVES) == dict.fromkeys(ELEMENTS, 10)
    assert changes(full, dice("R1"), FIVES) == {}


def test_the_last_die_of_an_element_tells_its_mark() -> None:
    here = board(harmony="R3R3R3")
    twin, other = dice("R3B3")
    found = changes(here, (twin, other), FIVES)["harmony"]
    assert (found[twin].best, found[twin].mark.perfect, found[twin].mark.score) == (10, True, 10)
    assert (found[other].best, found[other].mark.bonus, found[other].mark.score) == (3, 3, 8)


def test_a_die_that_leaves_spaces_tells_what_is_still_possible() -> None:
    here = board(vanguard="R1R3")
    red, blue = dice("R4B4")
    found = changes(here, (red, blue), FIVES)["vanguard"]
    assert (found[red].best, found[red].mark) == (10, None)
    assert (found[blue].best, found[blue].mark) == (3, None)


def test_a_value_in_harmony_silences_drums() -> None:
    (five,) = dice("B5")
    change = changes(board(drums="R5"), (five,), FIVES)["harmony"][five]
    assert change.also["drums"] == (10, 0)


def test_a_twin_elsewhere_raises_a_full_storyline() -> None:
    here = board(storyline="R1B2G3Y4", floats="R1", costumes="B2", harmony="G3")
    (last,) = dice("Y4")
    assert changes(here, (last,), FIVES)["drums"][last].also["storyline"] == (0, 10)


def test_where_spaces_matter_the_die_is_put_where_it_does_best() -> None:
    ordered = Jury(rules=HouseRules(ordered_spaces=True), strip=(5,) * 21)
    here = Board().put("progression", dice("R1")[0], 0)
    (four,) = dice("B4")
    assert changes(here, (four,), ordered)["progression"][four].best == 10  # the last of four spaces
    assert changes(here, (four,), FIVES)["progression"][four].best == 10


def test_every_change_is_what_the_judges_would_see_on_the_board_with_that_die() -> None:
    game, chance = games()["carnavalesco"], random.Random(7)
    state = game.setup(game.sample_setup(3))
    looked_at = 0
    while game.outcome(state) is None:
        state = game.apply(state, next_move(game, state, chance))
        if state.phase != "take" or chance.random() < 0.7:
            continue
        here, jury = state.boards[state.turn], state.jury(state.turn)
        before = rows_in_reach(here, jury)
        for element, by_die in changes(here, state.roll, jury).items():
            for die, change in by_die.items():
                after = rows_in_reach(here.put(element, die), jury)
                assert change.best == after[element]
                assert change.also == {
                    other: (before[other], after[other])
                    for other in ELEMENTS
                    if other != element and before[other] != after[other]
                }
                marks = {mark.element: mark for mark in judge(here.put(element, die), jury)}
                assert (change.mark and change.mark.score) == marks[element].score
                looked_at += 1
    assert looked_at > 500


def test_no_row_is_better_than_what_was_in_reach() -> None:
    """What is in reach never grows but for full elements that others can raise: no die opens a lost row again."""
    chance = random.Random(3)
    for _ in range(20):
        here = Board()
        while not here.complete:
            before = rows_in_reach(here, FIVES)
            element = chance.choice([one for one in ELEMENTS if not here.full(one)])
            here = here.put(element, Die(chance.choice(("red", "blue", "green")), chance.randint(1, 6)))
            for other, row in rows_in_reach(here, FIVES).items():
                if not here.full(other):
                    assert row <= before[other]
                    assert row == best_row(here, other, BY_THE_BOOK)
                else:
                    assert row == find(here, other, BY_THE_BOOK).row
