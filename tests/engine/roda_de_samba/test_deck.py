"""Decks: read from TOML, written back, checked, and those of the house."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import InvalidInput
from engine.roda_de_samba import deck_from_toml, deck_to_toml, read_deck, shipped_deck
from engine.roda_de_samba.cards import Sambist, folded
from engine.roda_de_samba.invitation import answer
from tests.engine.roda_de_samba.rounds import ring


@pytest.mark.parametrize("name", ["example", "rulebook"])
def test_the_decks_of_the_house_are_read_and_written_back(name: str) -> None:
    deck = shipped_deck(name)
    assert deck_from_toml(deck_to_toml(deck)) == deck
    assert read_deck(deck.as_json()) == deck


def test_the_example_says_that_it_is_made_up_and_lacks_nothing() -> None:
    deck = shipped_deck("example")
    assert "made up" in deck.name
    assert "made up" in deck.note
    assert deck.complete
    assert deck.notes() == [deck.note]
    assert deck.size == 64


def test_the_rulebook_gives_few_names_and_no_figures() -> None:
    deck = shipped_deck("rulebook")
    helpers = {one.name: one.helps for one in deck.sambists}
    assert helpers == {
        "Tia Ciata": "any",
        "Tias Baianas": "any",
        "Dona Ivone Lara": "women",
        "Clementina de Jesus": "women",
    }
    assert [one.name for one in deck.instruments] == ["cuíca"]
    assert all(one.stars is None and one.needs is None for one in deck.sambists)


TEXT = st.text(max_size=20)
NAME = st.text(min_size=1, max_size=20).filter(
    lambda text: text.strip() == text and text.isprintable() and text[0] != "?" and "malandro" not in text.casefold()
)


@settings(max_examples=100)
@given(
    name=TEXT,
    note=TEXT,
    instruments=st.lists(
        st.fixed_dictionaries(
            {"name": NAME},
            optional={"colour": st.sampled_from(["red", "azul"]), "numbers": st.lists(st.integers(1, 9))},
        ),
        max_size=4,
        unique_by=lambda one: one["name"].casefold()[0],
    ),
    stars=st.none() | st.integers(0, 9),
    brings=st.none() | st.just("surdo") | st.just({"instrument": "surdo", "colour": "red"}),
    needs=st.none() | st.lists(NAME | st.just("?red"), min_size=4, max_size=4),
)
def test_any_deck_survives_toml(name: str, note: str, instruments: Any, stars: Any, brings: Any, needs: Any) -> None:
    sambist = {"name": "Tia Ciata", "stars": stars, "brings": brings, "needs": needs, "action": "draw"}
    if len({folded(one["name"]) for one in instruments}) < len(instruments):
        return
    deck = read_deck({"name": name, "note": note, "instruments": instruments, "sambists": [sambist]})
    assert deck_from_toml(deck_to_toml(deck)) == deck
    assert read_deck(deck.as_json()) == deck


@pytest.mark.parametrize(
    ("text", "code", "field"),
    [
        ("name = ", "bad_toml", "deck"),
        ("a = " + "[" * 100_000, "bad_toml", "deck"),
        ("[" + ".".join("a" * 100_000) + "]", "bad_toml", "deck"),
        ('"a".' * 100_000 + "a = 1", "bad_toml", "deck"),
        ("names = 'x'", "unknown_field", "names"),
        ("[[instruments]]\nname = '?red'", "bad_name", "instruments[0].name"),
        ("[[instruments]]\nname = 'Malandro'", "bad_name", "instruments[0].name"),
        ("[[instruments]]\nname = 'a'\n[[instruments]]\nname = 'Á'", "card_twice", "instruments[1]"),
        ("complete = true", "deck_incomplete", "malandros"),
        ("[[sambists]]\nname = 'a'\nneeds = []", "wrong_count", "sambists[0].needs"),
        ("[[sambists]]\nname = 'a'\nneeds = ['?Red']", "bad_colour", "sambists[0].needs[0]"),
        ("[[sambists]]\nname = 'a'\nhelps = 'men'", "unknown_value", "sambists[0].helps"),
        ("malandros = true", "bad_type", "malandros"),
        ("note = 3", "bad_type", "note"),
    ],
)
def test_a_bad_deck_names_its_field(text: str, code: str, field: str) -> None:
    with pytest.raises(InvalidInput) as error:
        deck_from_toml(text)
    assert (error.value.code, error.value.field) == (code, field)


def test_a_note_may_have_as_many_dots_as_somebody_likes() -> None:
    for note in ('"{}"', "'{}'", '"""\n{}"""'):
        assert deck_from_toml("note = " + note.format("." * 150)).note == "." * 150


DECK = shipped_deck("example")
HELPER, WOMENS = Sambist("Tia Ciata", helps="any"), Sambist("Dona Ivone Lara", helps="women")
BRINGER = DECK.card_of("Tonho Treino")  # brings a surdo, green


@pytest.mark.parametrize(
    ("circle", "needs", "active", "woman", "copies", "met"),
    [
        ("Y1 R1 G1 B1", ["i0", "i1", "?green", "?blue"], None, False, False, True),
        ("Y1 R1 G1", ["i0", "?yellow", "?red", "?green"], None, False, False, False),  # i0 answers once
        ("Y12 R1 G1", ["i0", "?yellow", "?red", "?green"], None, False, False, False),  # copies are one instrument
        ("Y12 R1 G1", ["i0", "?yellow", "?red", "?green"], None, False, True, True),
        ("Y1 Y2 R1 G1", ["?yellow", "?yellow", "?red", "?green"], None, False, False, True),
        ("Y1 R1 G1", ["i0", "?yellow", "?red", "?green"], HELPER, False, False, True),  # any, for any other
        ("Y1 R1", ["i0", "?yellow", "?red", "?green"], HELPER, False, False, False),  # one only
        ("Y1 R1 G1", ["i0", "?yellow", "?red", "?green"], WOMENS, False, False, False),
        ("Y1 R1 G1", ["i0", "?yellow", "?red", "?green"], WOMENS, True, False, True),
        ("Y1 Y2 R1", ["i0", "?yellow", "?red", "?green"], BRINGER, False, False, True),
        ("Y1 Y2 R1", ["i0", "?yellow", "?red", "surdo"], BRINGER, False, False, True),
        ("Y1 Y2 R1", ["i0", "?yellow", "?red", "agogô"], BRINGER, False, False, False),
    ],
)
def test_what_a_sambist_needs(circle: str, needs: list[str], active: Any, woman: bool, copies: bool, met: bool) -> None:
    found = answer(Sambist("X", needs=tuple(needs), woman=woman), ring(circle), active, DECK, copies=copies)
    assert found.met is met
    assert bool(found.missing) is not met


def test_needs_that_nobody_has_told_are_not_checked() -> None:
    assert answer(Sambist("X"), ring(""), None, DECK).met is None
