"""Every sentence of the game is said somewhere, and can be told in every language with its grammar right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from engine.words import Sentence, told
from tests.catalogues import OTHERS, catalogues
from tests.engine.carnavalesco.sentences import Heard, everything


@cache
def heard() -> Heard:
    return everything()


def parts(sentence: Sentence) -> Iterator[Sentence]:
    """Yield a sentence and the sentences in it."""
    yield sentence
    for value in sentence.values.values():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, Sentence):
                yield from parts(one)


def test_every_message_of_the_catalogue_is_said() -> None:
    catalogue = next(one for one in catalogues() if one.folder.name == "carnavalesco")
    said = {(one.message, one.many) for whole in heard().sentences for one in parts(whole)}
    assert not [key for key in catalogue.messages if key not in said]


def test_every_complaint_is_a_sentence_with_a_code_and_nearly_every_one_a_field() -> None:
    assert not heard().plain
    for (source, code), error in heard().complaints.items():
        assert error.message.endswith("."), error.message
        assert error.field is not None or code in ("not_a_state", "bad_type"), (source, code)


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_told_in_every_language(language: str) -> None:
    same = [one for one in heard().sentences if re.search(r"[a-z]{3}", one.message) and told(one, language) == one]
    assert {str(one) for one in same} <= {"No"}


ENGLISH = re.compile(r"\b(the|die|and|with|board|sum|parade|points?|not|of)\b|(?<!: )\b(red|blue|white|black) [1-6]\b")
AS_WRITTEN = re.compile(r"'.*?'|\".*\"|\w+(?:\.\w+|\[\d+\])+|: \w+(?:, \w+)+")
"""Text that somebody gave, paths of fields, and lists of them."""


@pytest.mark.parametrize("language", OTHERS)
def test_no_english_is_left_over(language: str) -> None:
    said = {AS_WRITTEN.sub("", told(one, language)) for one in heard().sentences}
    assert not [one for one in said if ENGLISH.search(one)]


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_one_is_no_several(language: str) -> None:
    several = re.compile(r"(?<![\d-])\b1 (points|dice|colours|values|marks|were|pontos|dados|cores|puntos|colores)\b")
    assert not [text for one in heard().sentences if several.search(text := told(one, language))]
