"""The table's own colour names, and those that the reader knows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from device.naming import NamingReader, known_names, to_known
from engine.dice import TINTS, Die, DieState, Shape
from engine.game import Expectation
from tests.device.conftest import read_die
from vision.reading import ReadDie, Reading
from vision.seen import with_chances

PORTUGUESE = ("vermelho", "amarelo", "verde", "azul", "branco", "preto")


class KnowingReader:
    """Sees one die of each colour that it is told to expect, and remembers the expectation."""

    def __init__(self) -> None:
        self.expected: Expectation | None = None

    def read(self, image: Any, *, expects: Expectation | None = None, **more: Any) -> Reading:
        self.expected = expects
        assert expects is not None
        assert expects.colours is not None
        dice = tuple(read_die(Die(colour, 3)) for colour in expects.colours)
        return Reading(64, 48, dice)


def waiting_for(*colours: str) -> Expectation:
    return Expectation({Shape.D6: 12}, dict.fromkeys(colours, 25))


def read(reader: KnowingReader, tints: dict[str, str], expects: Expectation | None) -> Reading:
    return NamingReader(reader, lambda: tints).read(np.zeros((48, 64, 3), np.uint8), expects=expects)


def test_words_of_other_languages_are_known() -> None:
    assert list(known_names(PORTUGUESE, {}).values()) == ["red", "yellow", "green", "blue", "white", "black"]


def test_one_known_word_among_several_is_enough_and_two_are_not() -> None:
    names = known_names(["azul_escuro", "light-blue", "rosa_amarelo"], {})
    assert list(names.values()) == ["blue", "blue", "rosa_amarelo"]


@pytest.mark.parametrize("name", TINTS)
def test_a_name_with_a_tint_is_the_known_colour_nearest_to_it(name: str) -> None:
    assert known_names(["fantasia"], {"fantasia": TINTS[name]}) == {"fantasia": name}


def test_a_name_with_neither_stays_as_it_is() -> None:
    assert known_names(["glitter", "red"], {}) == {"glitter": "glitter", "red": "red"}


def test_the_reader_is_asked_in_its_own_words_and_answers_in_the_tables() -> None:
    reader = KnowingReader()
    reading = read(reader, {}, waiting_for(*PORTUGUESE))
    assert reader.expected is not None
    assert set(reader.expected.colours or ()) == {"red", "yellow", "green", "blue", "white", "black"}
    assert [die.colour for die in reading.dice] == list(PORTUGUESE)
    assert {die.state for die in reading.dice} == {DieState.READ}


def test_two_names_for_one_known_colour_make_a_die_doubtful_and_their_counts_add_up() -> None:
    reader = KnowingReader()
    tints = {"sky": "#3F78C8", "navy": "#1F3F80"}
    reading = read(reader, tints, waiting_for("sky", "navy", "red"))
    assert reader.expected is not None
    assert reader.expected.colours == {"blue": 50, "red": 25}
    assert [(die.colour, die.state) for die in reading.dice] == [("sky", DieState.UNSURE), ("red", DieState.READ)]


def test_a_die_that_is_pointed_at_and_its_guesses_have_the_tables_names() -> None:
    class Looking(KnowingReader):
        def look(self, image: Any, at: Any, side: float, *, expects: Expectation | None = None, **more: Any) -> ReadDie:
            self.expected = expects
            return replace(with_chances(read_die(Die("red", 3))), colours={"red": 0.7, "blue": 0.3})

    reader = Looking()
    naming = NamingReader(reader, dict)
    die = naming.look(np.zeros((48, 64, 3), np.uint8), (20.0, 20.0), 9.0, expects=waiting_for("vermelho", "azul"))
    assert reader.expected is not None
    assert set(reader.expected.colours or ()) == {"red", "blue"}
    assert die.colour == "vermelho"
    assert {guess.colour for guess in die.guesses()} <= {"vermelho", "azul"}


def test_where_no_roll_is_waited_for_nothing_is_renamed() -> None:
    assert to_known(None, {}) is None
    free = Expectation({Shape.D20: 1})
    assert to_known(free, {}) is free
