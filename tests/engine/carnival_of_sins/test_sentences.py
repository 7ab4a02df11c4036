"""Every sentence that a game can make, in three languages: whole, in one language, with its singulars."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from engine.carnival_of_sins.sins import BLACK, DICE, SINS, die_name
from engine.carnival_of_sins.state import State
from engine.game import GameError
from engine.score import score_document
from engine.words import LANGUAGES, Sentence, say, told
from tests.catalogues import catalogues
from tests.engine.carnival_of_sins.feast import GAME, NAMES, document, playout
from tests.engine.carnival_of_sins.test_carnival_properties import start
from tests.engine.heard import sentences

ENGLISH = re.compile(
    r"\b(the|die|dice|and|white|black|shows?|showing|points?|rolls?|takes?|table|none|again|round|lowest|greed|gluttony|"
    r"envy|lust|pride|sloth|wrath|red|text|number)\b"
)
ONE_OF_MANY = re.compile(r"\b1 (points|dice|rounds|pontos|dados|rodadas|puntos|rondas)\b")
TWICE = re.compile(r"\b(\w+) \1\b")
GLUED = re.compile(r"\{|\}|  |\(\)| [.,:;]|\bde o\b|\bem o\b|\ba o\b|\bpor a\b|\bde el\b|\ba el\b|-0\b")
KEPT = re.compile(r"Carnival of Sins|envy\.when|wrath\.fallen|agreed|roll, again, reveal, knock, fall, pride|'[^']*'")
"""What stays as it is in every language: the game's name, keys of the house rules and of moves, what was typed."""


def wrong_moves(state: State, chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield moves of every kind, most of them against the rules."""
    turn = state.turn or 0
    for sin in SINS:
        yield {"move": "reveal", "seat": turn, "sin": sin}
        yield {"move": "reveal", "seat": turn, "sin": sin, "dice": chance.sample(BLACK, chance.randrange(4))}
        yield {"move": "reveal", "seat": turn, "sin": sin, "dice": ["d4"], "agreed": True}
    yield {"move": "reveal", "seat": (turn + 1) % state.setup.seats, "sin": "envy"}
    yield {"move": "reveal", "seat": turn, "sin": "greed", "dice": ["d4", "d4"]}
    for die in DICE:
        yield {"move": "knock", "die": die}
        yield {"move": "fall", "die": die, "value": 21}
        yield {"move": "fall", "die": die, "value": 1}
        yield {"move": "pride", "seat": turn, "die": die}
        yield {"move": "roll", "dice": [{"colour": "red", "shape": "d8", "value": 3}]}
        yield {"move": "roll", "dice": [{"colour": "black", "shape": "d4", "value": 9}]}
    yield {"move": "again"}
    yield {"move": "roll", "dice": []}
    yield {"move": "roll", "dice": [{"colour": "white", "shape": "d6", "value": 7}]}
    yield {"move": "roll", "dice": [{"colour": "white", "shape": "d6", "value": 1, "place": [1]}]}
    yield {"move": "fly"}


def told_by(state: State, move: dict[str, Any], chance: random.Random) -> Iterator[Sentence]:
    """Yield the sentences about one moment of a game and about what can be done wrong in it."""
    yield from sentences([GAME.view(state), GAME.scoreboard(state), GAME.prompt(state).as_json()])
    expects, outcome = GAME.expects(state), GAME.outcome(state)
    yield from sentences([one.as_json() for one in (expects, outcome) if one is not None])
    if move:
        yield from sentences(GAME.describe(state, move))
    for legal in GAME.legal_moves(state):
        if chance.random() < 0.1:
            yield from sentences(GAME.describe(state, legal))
    for wrong in wrong_moves(state, chance):
        try:
            GAME.apply(state, wrong)
            yield from sentences(GAME.describe(state, wrong))
        except GameError as error:
            yield from sentences(error.message)


@pytest.fixture(scope="module")
def every() -> list[Sentence]:
    found: dict[str, Sentence] = {}
    for seed in range(14):
        chance = random.Random(seed)
        given = start(seed)
        given["players"] = [dict(one, name=name) for one, name in zip(given["players"], NAMES, strict=False)]
        for state, move in playout(given, seed):
            if chance.random() < 0.4 or not move:
                found |= {str(one): one for one in told_by(state, move, chance)}
        whole = document(state)
        for count in (1, 3, 7):
            result = score_document({**whole, "rounds": whole["rounds"][:count]})
            found |= {str(one): one for one in sentences(result)}
    found |= {str(one): one for rule in GAME.house_rules for one in sentences(rule.as_json())}
    assert len(found) > 1000
    return list(found.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_whole_and_in_one_language(every: list[Sentence], language: str) -> None:
    for one in every:
        text = KEPT.sub("X", told(one, language))
        assert text.strip(), one
        assert not GLUED.search(text.strip()), text
        assert not TWICE.search(text), text
        assert not ONE_OF_MANY.search(text), text
        if language != "en":
            assert not ENGLISH.search(text.casefold()), text


def test_most_messages_of_the_game_come_up_here(every: list[Sentence]) -> None:
    def messages(one: Any) -> Iterator[str]:
        if isinstance(one, Sentence):
            yield one.message
            for value in one.values.values():
                yield from messages(value)
        elif isinstance(one, list | tuple):
            for value in one:
                yield from messages(value)

    (catalogue,) = [one for one in catalogues() if one.folder.name == "carnival_of_sins"]
    met = {message for one in every for message in messages(one)}
    known = {key[0] for key in catalogue.messages}
    assert len(known & met) > 0.6 * len(known), sorted(known - met)


@pytest.mark.parametrize(
    ("language", "white", "black"),
    [("en", "the white d6", "the d6"), ("pt", "o d6 branco", "o d6"), ("es", "el d6 blanco", "el d6")],
)
def test_the_white_die_is_a_d6_among_others(language: str, white: str, black: str) -> None:
    assert told(die_name("white"), language) == white
    assert told(die_name("d6"), language) == black
    assert white in told(say("Wrath's throw knocked {die}.", die=die_name("white")), language)


def test_a_value_that_a_die_does_not_have_names_the_die() -> None:
    state = GAME.setup({"players": [{"name": "Ana"}, {"name": "Bia"}]})
    wrong = {"move": "roll", "dice": [{"colour": "white", "shape": "d6", "value": 7}]}
    with pytest.raises(GameError) as caught:
        GAME.apply(state, wrong)
    assert caught.value.message == "7 is no value of the white d6, which shows 1 to 6. Read it again."
    assert told(caught.value.message, "pt") == "7 não existe: o d6 branco mostra de 1 a 6. Leia de novo."
    assert told(caught.value.message, "es") == "7 no existe: el d6 blanco muestra de 1 a 6. Léelo de nuevo."
    assert json.loads(json.dumps(caught.value.as_json()))["error"]["field"] == "dice[0].value"
